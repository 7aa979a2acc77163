#include "textflag.h"

// func reachAVX512(mask *uint64, stride int, row *Half, floor *Floor, n int)
TEXT ·reachAVX512(SB), NOSPLIT, $0-40
	MOVQ mask+0(FP), AX
	MOVQ stride+8(FP), R9
	MOVQ row+16(FP), SI
	MOVQ floor+24(FP), DI
	MOVQ n+32(FP), CX
	SHLQ $3, R9             // bytes
	SUBQ $4, R9             // from the upper half of a word to the next one
	MOVQ $4, R10            // from the lower half to the upper one

loop:
	PREFETCHT0 8192(SI)         // rows follow each other in memory; less far ahead, memory keeps the loop waiting
	VMOVDQU16  (SI), Z0
	VPCMPW     $5, (DI), Z0, K1 // not less
	KMOVD      K1, (AX)
	ADDQ       R10, AX
	XCHGQ      R9, R10
	ADDQ       $64, SI
	ADDQ       $64, DI
	SUBQ       $32, CX
	JGT        loop
	VZEROUPPER
	RET

// What VPTERNLOGQ computes of its destination a and its sources b and c.
#define PARITY $0x96   // a ^ b ^ c
#define MAJORITY $0xE8 // what at least two of them have
#define BORROW $0xB2   // of b less c less a: what at least two of a, c and not b have
#define KEEP $0xE2     // a where b is set, c elsewhere
#define TAKE $0xB8     // c where b is set, a elsewhere

// A full adder: the digits A and B with C become the sum A and the carry B; T is used
// up.
#define ADDER512(A, B, C, T) \
	VMOVDQA64  A, T           \
	VPTERNLOGQ PARITY, C, B, A \
	VPTERNLOGQ MAJORITY, C, T, B

// A counter digit D less the digit S less the borrow Z8, which is renewed.
#define LESS512(D, S) \
	VMOVDQA64  D, Z9           \
	VPTERNLOGQ PARITY, S, Z8, D \
	VPTERNLOGQ BORROW, S, Z9, Z8

// LOAD512 loads the strip in the row with index R, and fetches that of the next matrix
// into the cache.
#define LOAD512(R, Z) \
	MOVLQSX   R(SI), AX       \
	SHLQ      $6, AX          \
	VMOVDQU64 (DX)(AX*1), Z   \
	PREFETCHT0 (R10)(AX*1)

// func subtractAVX512(planes *Strip, digits int, matrix *Strip, rows *int32, n int, next *Strip)
//
// The bits of eight strips are added up to four digits, Z0, Z1, Z2 and Z3, which are
// then taken from the counters. The first four digits of these stay in Z16 to Z19.
TEXT ·subtractAVX512(SB), NOSPLIT, $0-48
	MOVQ      planes+0(FP), DI
	MOVQ      digits+8(FP), BX
	MOVQ      matrix+16(FP), DX
	MOVQ      rows+24(FP), SI
	MOVQ      n+32(FP), CX
	MOVQ      next+40(FP), R10
	SUBQ      $4, BX
	VMOVDQU64 (DI), Z16
	VMOVDQU64 64(DI), Z17
	VMOVDQU64 128(DI), Z18
	VMOVDQU64 192(DI), Z19

eight:
	LOAD512(0, Z0)
	LOAD512(4, Z4)
	LOAD512(8, Z5)
	LOAD512(12, Z1)
	LOAD512(16, Z6)
	LOAD512(20, Z7)
	LOAD512(24, Z2)
	LOAD512(28, Z3)
	ADDER512(Z0, Z4, Z5, Z10) // ones: Z0; twos: Z4
	ADDER512(Z1, Z6, Z7, Z11) // ones: Z1; twos: Z6
	ADDER512(Z0, Z1, Z2, Z10) // ones: Z0; twos: Z1
	VPANDQ Z0, Z3, Z5         // twos: Z5
	VPXORQ Z0, Z3, Z0
	ADDER512(Z1, Z4, Z6, Z11) // twos: Z1; fours: Z4
	VPANDQ Z1, Z5, Z6         // fours: Z6
	VPXORQ Z1, Z5, Z1
	VPXORQ Z4, Z6, Z2
	VPANDQ Z4, Z6, Z3

	VPXORQ Z8, Z8, Z8
	LESS512(Z16, Z0)
	LESS512(Z17, Z1)
	LESS512(Z18, Z2)
	LESS512(Z19, Z3)
	LEAQ  256(DI), R8
	MOVQ  BX, R9
	TESTQ R9, R9
	JEQ   next

digit:
	VMOVDQU64 (R8), Z9
	VPXORQ    Z9, Z8, Z10
	VMOVDQU64 Z10, (R8)
	VPANDNQ   Z8, Z9, Z8
	ADDQ      $64, R8
	DECQ      R9
	JNE       digit

next:
	ADDQ      $32, SI
	SUBQ      $8, CX
	JGT       eight
	VMOVDQU64 Z16, (DI)
	VMOVDQU64 Z17, 64(DI)
	VMOVDQU64 Z18, 128(DI)
	VMOVDQU64 Z19, 192(DI)
	VZEROUPPER
	RET

// func largestAVX512(planes *Strip, digits int, having *Strip) int
TEXT ·largestAVX512(SB), NOSPLIT, $0-32
	MOVQ       planes+0(FP), SI
	MOVQ       digits+8(FP), CX
	MOVQ       having+16(FP), DI
	XORQ       AX, AX
	VPTERNLOGQ $0xFF, Z0, Z0, Z0
	MOVQ       CX, BX
	SHLQ       $6, BX
	ADDQ       BX, SI
	TESTQ      CX, CX
	JEQ        done

digit:
	SUBQ      $64, SI
	ADDQ      AX, AX
	VPANDQ    (SI), Z0, Z1
	VPTESTMQ  Z1, Z1, K1
	KORTESTB  K1, K1
	JEQ       none
	VMOVDQA64 Z1, Z0
	INCQ      AX

none:
	DECQ      CX
	JNE       digit

done:
	VMOVDQU64 Z0, (DI)
	MOVQ      AX, ret+24(FP)
	VZEROUPPER
	RET

DATA low<>+0(SB)/8, $0x00000000ffffffff
DATA low<>+8(SB)/8, $0x0000ffff0000ffff
DATA low<>+16(SB)/8, $0x00ff00ff00ff00ff
DATA low<>+24(SB)/8, $0x0f0f0f0f0f0f0f0f
DATA low<>+32(SB)/8, $0x3333333333333333
DATA low<>+40(SB)/8, $0x5555555555555555
GLOBL low<>(SB), RODATA, $48

// EXCHANGE512 swaps the bits of A that are SIZE above those of the mask LOW with those
// of B below LOW.
#define EXCHANGE512(A, B, SIZE, LOW) \
	VPSLLQ     SIZE, B, Z8        \
	VPSRLQ     SIZE, A, Z9        \
	VPTERNLOGQ KEEP, Z8, LOW, A   \
	VPTERNLOGQ TAKE, Z9, LOW, B

// WITHIN512 does the same between the words of A and Z8, which has them swapped. The
// words in DOWN give to the others; BITS is what each word keeps.
#define WITHIN512(A, SIZE, DOWN, BITS) \
	VPSLLQ     SIZE, Z8, Z9       \
	VPSRLQ     SIZE, Z8, DOWN, Z9 \
	VPTERNLOGQ KEEP, Z9, BITS, A

#define FINISH512(A) \
	VSHUFI64X2 $0x4E, A, A, Z8     \
	WITHIN512(A, $4, K1, Z13)      \
	VPERMQ     $0x4E, A, Z8        \
	WITHIN512(A, $2, K2, Z14)      \
	VPSHUFD    $0x4E, A, Z8        \
	WITHIN512(A, $1, K3, Z15)

// KEPT sets BITS to the mask LOW, inverted in the words in DOWN.
#define KEPT(LOW, DOWN, BITS) \
	VPBROADCASTQ LOW, BITS        \
	VPTERNLOGQ   $0x55, BITS, BITS, DOWN, BITS

// func transposeAVX512(a *[64]uint64)
//
// A register holds eight rows. Blocks of 32, 16 and 8 rows are exchanged between
// registers, those of 4, 2 and 1 within.
TEXT ·transposeAVX512(SB), NOSPLIT, $0-8
	MOVQ         a+0(FP), SI
	MOVL         $0xF0, AX
	KMOVB        AX, K1
	MOVL         $0xCC, AX
	KMOVB        AX, K2
	MOVL         $0xAA, AX
	KMOVB        AX, K3
	VPBROADCASTQ low<>+0(SB), Z10
	VPBROADCASTQ low<>+8(SB), Z11
	VPBROADCASTQ low<>+16(SB), Z12
	KEPT(low<>+24(SB), K1, Z13)
	KEPT(low<>+32(SB), K2, Z14)
	KEPT(low<>+40(SB), K3, Z15)
	VMOVDQU64    (SI), Z0
	VMOVDQU64    64(SI), Z1
	VMOVDQU64    128(SI), Z2
	VMOVDQU64    192(SI), Z3
	VMOVDQU64    256(SI), Z4
	VMOVDQU64    320(SI), Z5
	VMOVDQU64    384(SI), Z6
	VMOVDQU64    448(SI), Z7
	EXCHANGE512(Z0, Z4, $32, Z10)
	EXCHANGE512(Z1, Z5, $32, Z10)
	EXCHANGE512(Z2, Z6, $32, Z10)
	EXCHANGE512(Z3, Z7, $32, Z10)
	EXCHANGE512(Z0, Z2, $16, Z11)
	EXCHANGE512(Z1, Z3, $16, Z11)
	EXCHANGE512(Z4, Z6, $16, Z11)
	EXCHANGE512(Z5, Z7, $16, Z11)
	EXCHANGE512(Z0, Z1, $8, Z12)
	EXCHANGE512(Z2, Z3, $8, Z12)
	EXCHANGE512(Z4, Z5, $8, Z12)
	EXCHANGE512(Z6, Z7, $8, Z12)
	FINISH512(Z0)
	FINISH512(Z1)
	FINISH512(Z2)
	FINISH512(Z3)
	FINISH512(Z4)
	FINISH512(Z5)
	FINISH512(Z6)
	FINISH512(Z7)
	VMOVDQU64    Z0, (SI)
	VMOVDQU64    Z1, 64(SI)
	VMOVDQU64    Z2, 128(SI)
	VMOVDQU64    Z3, 192(SI)
	VMOVDQU64    Z4, 256(SI)
	VMOVDQU64    Z5, 320(SI)
	VMOVDQU64    Z6, 384(SI)
	VMOVDQU64    Z7, 448(SI)
	VZEROUPPER
	RET

#include "textflag.h"

// func reachAVX2(mask *uint64, stride int, row *Half, floor *Floor, n int)
TEXT ·reachAVX2(SB), NOSPLIT, $0-40
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
	VMOVDQU   (SI), Y0
	VMOVDQU   32(SI), Y1
	VMOVDQU   (DI), Y2
	VMOVDQU   32(DI), Y3
	VPCMPGTW  Y0, Y2, Y0
	VPCMPGTW  Y1, Y3, Y1
	VPACKSSWB Y1, Y0, Y0
	VPERMQ    $0xD8, Y0, Y0 // packing works on halves of the registers
	VPMOVMSKB Y0, R8
	NOTL      R8
	MOVL      R8, (AX)
	ADDQ      R10, AX
	XCHGQ     R9, R10
	ADDQ      $64, SI
	ADDQ      $64, DI
	SUBQ      $32, CX
	JGT       loop
	VZEROUPPER
	RET

// A full adder: the digits A and B with C become the sum A and the carry B; T, U are
// used up.
#define ADDER(A, B, C, T, U) \
	VPXOR A, B, T \
	VPAND A, B, U \
	VPAND T, C, B \
	VPXOR T, C, A \
	VPOR  U, B, B

// A counter digit D in memory less the digit S less the borrow Y8, which is renewed.
#define LESS(D, S) \
	VMOVDQU D, Y9         \
	VPXOR   S, Y8, Y10    \
	VPXOR   Y9, Y10, Y10  \
	VMOVDQU Y10, D        \
	VPOR    S, Y8, Y11    \
	VPAND   S, Y8, Y12    \
	VPANDN  Y11, Y9, Y11  \
	VPOR    Y11, Y12, Y8

// LOAD loads 256 bits of the strip in the row with index R, and fetches those of the
// next matrix into the cache.
#define LOAD(R, Y) \
	MOVLQSX R(SI), AX \
	SHLQ    $6, AX    \
	VMOVDQU (DX)(AX*1), Y \
	PREFETCHT0 (R10)(AX*1)

// func subtractAVX2(planes *Strip, digits int, matrix *Strip, rows *int32, n int, next *Strip)
//
// One half of the strips after the other. The bits of eight strips are added up to
// four digits, Y0, Y1, Y2 and Y3, which are then taken from the counters.
TEXT ·subtractAVX2(SB), NOSPLIT, $0-48
	MOVQ planes+0(FP), DI
	MOVQ matrix+16(FP), DX
	MOVQ next+40(FP), R10
	MOVQ $2, BX

half:
	MOVQ rows+24(FP), SI
	MOVQ n+32(FP), CX

eight:
	LOAD(0, Y0)
	LOAD(4, Y4)
	LOAD(8, Y5)
	LOAD(12, Y1)
	LOAD(16, Y6)
	LOAD(20, Y7)
	LOAD(24, Y2)
	LOAD(28, Y3)
	ADDER(Y0, Y4, Y5, Y14, Y15) // ones: Y0; twos: Y4
	ADDER(Y1, Y6, Y7, Y14, Y15) // ones: Y1; twos: Y6
	ADDER(Y0, Y1, Y2, Y14, Y15) // ones: Y0; twos: Y1
	VPAND Y0, Y3, Y5            // twos: Y5
	VPXOR Y0, Y3, Y0
	ADDER(Y1, Y4, Y6, Y14, Y15) // twos: Y1; fours: Y4
	VPAND Y1, Y5, Y6            // fours: Y6
	VPXOR Y1, Y5, Y1
	VPXOR Y4, Y6, Y2
	VPAND Y4, Y6, Y3

	VPXOR Y8, Y8, Y8
	LESS(0(DI), Y0)
	LESS(64(DI), Y1)
	LESS(128(DI), Y2)
	LESS(192(DI), Y3)
	MOVQ  digits+8(FP), R9
	LEAQ  256(DI), R8
	SUBQ  $4, R9
	JLE   next

digit:
	VPTEST  Y8, Y8
	JZ      next
	VMOVDQU (R8), Y9
	VPXOR   Y9, Y8, Y10
	VMOVDQU Y10, (R8)
	VPANDN  Y8, Y9, Y8
	ADDQ    $64, R8
	DECQ    R9
	JGT     digit

next:
	ADDQ $32, SI
	SUBQ $8, CX
	JGT  eight
	ADDQ $32, DI
	ADDQ $32, DX
	DECQ BX
	JGT  half
	VZEROUPPER
	RET

// func largestAVX2(planes *Strip, digits int, having *Strip) int
TEXT ·largestAVX2(SB), NOSPLIT, $0-32
	MOVQ     planes+0(FP), SI
	MOVQ     digits+8(FP), CX
	MOVQ     having+16(FP), DI
	XORQ     AX, AX
	VPCMPEQB Y0, Y0, Y0
	VPCMPEQB Y1, Y1, Y1
	MOVQ     CX, BX
	SHLQ     $6, BX
	ADDQ     BX, SI
	TESTQ    CX, CX
	JEQ      done

digit:
	SUBQ    $64, SI
	ADDQ    AX, AX
	VPAND   (SI), Y0, Y2
	VPAND   32(SI), Y1, Y3
	VPOR    Y2, Y3, Y4
	VPTEST  Y4, Y4
	JEQ     none
	VMOVDQA Y2, Y0
	VMOVDQA Y3, Y1
	INCQ    AX

none:
	DECQ    CX
	JNE     digit

done:
	VMOVDQU Y0, (DI)
	VMOVDQU Y1, 32(DI)
	MOVQ    AX, ret+24(FP)
	VZEROUPPER
	RET

DATA exchanged<>+0(SB)/8, $0x00000000ffffffff
DATA exchanged<>+8(SB)/8, $0x0000ffff0000ffff
DATA exchanged<>+16(SB)/8, $0x00ff00ff00ff00ff
DATA exchanged<>+24(SB)/8, $0x0f0f0f0f0f0f0f0f
DATA exchanged<>+32(SB)/8, $0xcccccccccccccccc
DATA exchanged<>+40(SB)/8, $0xcccccccccccccccc
DATA exchanged<>+48(SB)/8, $0x3333333333333333
DATA exchanged<>+56(SB)/8, $0x3333333333333333
DATA exchanged<>+64(SB)/8, $0xaaaaaaaaaaaaaaaa
DATA exchanged<>+72(SB)/8, $0x5555555555555555
DATA exchanged<>+80(SB)/8, $0xaaaaaaaaaaaaaaaa
DATA exchanged<>+88(SB)/8, $0x5555555555555555
GLOBL exchanged<>(SB), RODATA, $96

// EXCHANGE swaps the bits of A that are SIZE above those of the mask LOW with those of
// B below LOW.
#define EXCHANGE(A, B, SIZE, LOW) \
	VPSRLQ SIZE, A, Y4 \
	VPXOR  B, Y4, Y4   \
	VPAND  LOW, Y4, Y4 \
	VPXOR  Y4, B, B    \
	VPSLLQ SIZE, Y4, Y4 \
	VPXOR  Y4, A, A

// WITHIN does the same between the words of A and Y4, which has them swapped; DOWN
// chooses the words that give to the others, BITS what is taken.
#define WITHIN(A, SIZE, DOWN, BITS) \
	VPSLLQ   SIZE, Y4, Y5     \
	VPSRLQ   SIZE, Y4, Y6     \
	VPBLENDD DOWN, Y6, Y5, Y5 \
	VPXOR    A, Y5, Y5        \
	VPAND    BITS, Y5, Y5     \
	VPXOR    A, Y5, A

#define FINISH(A) \
	VPERMQ  $0x4E, A, Y4          \
	WITHIN(A, $2, $0xF0, Y11)     \
	VPSHUFD $0x4E, A, Y4          \
	WITHIN(A, $1, $0xCC, Y12)

// func transposeAVX2(a *[64]uint64)
//
// A register holds four rows. Blocks of 32 and 16 rows are exchanged first, then those
// of 8 and 4, 2 and 1.
TEXT ·transposeAVX2(SB), NOSPLIT, $0-8
	MOVQ         a+0(FP), SI
	VPBROADCASTQ exchanged<>+0(SB), Y7
	VPBROADCASTQ exchanged<>+8(SB), Y8
	VPBROADCASTQ exchanged<>+16(SB), Y9
	VPBROADCASTQ exchanged<>+24(SB), Y10
	VMOVDQU      exchanged<>+32(SB), Y11
	VMOVDQU      exchanged<>+64(SB), Y12
	MOVQ         SI, DI
	MOVQ         $4, CX

wide:
	VMOVDQU (DI), Y0
	VMOVDQU 128(DI), Y1
	VMOVDQU 256(DI), Y2
	VMOVDQU 384(DI), Y3
	EXCHANGE(Y0, Y2, $32, Y7)
	EXCHANGE(Y1, Y3, $32, Y7)
	EXCHANGE(Y0, Y1, $16, Y8)
	EXCHANGE(Y2, Y3, $16, Y8)
	VMOVDQU Y0, (DI)
	VMOVDQU Y1, 128(DI)
	VMOVDQU Y2, 256(DI)
	VMOVDQU Y3, 384(DI)
	ADDQ    $32, DI
	DECQ    CX
	JGT     wide
	MOVQ    $4, CX

narrow:
	VMOVDQU (SI), Y0
	VMOVDQU 32(SI), Y1
	VMOVDQU 64(SI), Y2
	VMOVDQU 96(SI), Y3
	EXCHANGE(Y0, Y2, $8, Y9)
	EXCHANGE(Y1, Y3, $8, Y9)
	EXCHANGE(Y0, Y1, $4, Y10)
	EXCHANGE(Y2, Y3, $4, Y10)
	FINISH(Y0)
	FINISH(Y1)
	FINISH(Y2)
	FINISH(Y3)
	VMOVDQU Y0, (SI)
	VMOVDQU Y1, 32(SI)
	VMOVDQU Y2, 64(SI)
	VMOVDQU Y3, 96(SI)
	ADDQ    $128, SI
	DECQ    CX
	JGT     narrow
	VZEROUPPER
	RET

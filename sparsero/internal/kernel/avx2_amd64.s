#include "textflag.h"

// func tileAVX2(k int, a *float32, lda int, b *float32, c *float32, ldc int, add bool)
//
// Y0..Y11 hold the 6×16 tile, two registers a row. The six rows of a are
// addressed by two bases three rows apart, SI and R8, with stride DX; the rows
// of c likewise by DI and R11 with stride CX.

#define ROW256(A, LO, HI) \
	VBROADCASTSS A, Y14 \
	VFMADD231PS Y12, Y14, LO \
	VFMADD231PS Y13, Y14, HI

#define STEP256(A, B) \
	VMOVUPS B+0(BX), Y12 \
	VMOVUPS B+32(BX), Y13 \
	ROW256(A(SI), Y0, Y1) \
	ROW256(A(SI)(DX*1), Y2, Y3) \
	ROW256(A(SI)(DX*2), Y4, Y5) \
	ROW256(A(R8), Y6, Y7) \
	ROW256(A(R8)(DX*1), Y8, Y9) \
	ROW256(A(R8)(DX*2), Y10, Y11)

#define ADVANCE256(A, B) \
	ADDQ $A, SI \
	ADDQ $A, R8 \
	ADDQ $B, BX

#define ADD256(C, LO, HI) \
	VADDPS C, LO, LO \
	VADDPS 32 C, HI, HI

#define STORE256(C, LO, HI) \
	VMOVUPS LO, C \
	VMOVUPS HI, 32 C

#define ZERO256(A, B, C) \
	VXORPS A, A, A \
	VXORPS B, B, B \
	VXORPS C, C, C

TEXT ·tileAVX2(SB), NOSPLIT, $0-49
	MOVQ a+8(FP), SI
	MOVQ lda+16(FP), DX
	SHLQ $2, DX
	MOVQ b+24(FP), BX
	MOVQ c+32(FP), DI
	MOVQ ldc+40(FP), CX
	SHLQ $2, CX
	LEAQ (DX)(DX*2), AX
	LEAQ (SI)(AX*1), R8
	LEAQ (CX)(CX*2), AX
	LEAQ (DI)(AX*1), R11

chunk:
	MOVQ k+0(FP), AX
	CMPQ AX, $64
	JLE  last
	MOVQ $64, AX

last:
	SUBQ AX, k+0(FP)
	ZERO256(Y0, Y1, Y2)
	ZERO256(Y3, Y4, Y5)
	ZERO256(Y6, Y7, Y8)
	ZERO256(Y9, Y10, Y11)
	SUBQ $4, AX
	JLT  rest

four:
	STEP256(0, 0)
	STEP256(4, 64)
	STEP256(8, 128)
	STEP256(12, 192)
	ADVANCE256(16, 256)
	SUBQ $4, AX
	JGE  four

rest:
	ADDQ $4, AX
	JEQ  done

one:
	STEP256(0, 0)
	ADVANCE256(4, 64)
	DECQ AX
	JNE  one

done:
	CMPB add+48(FP), $0
	JEQ  store
	ADD256((DI), Y0, Y1)
	ADD256((DI)(CX*1), Y2, Y3)
	ADD256((DI)(CX*2), Y4, Y5)
	ADD256((R11), Y6, Y7)
	ADD256((R11)(CX*1), Y8, Y9)
	ADD256((R11)(CX*2), Y10, Y11)

store:
	STORE256((DI), Y0, Y1)
	STORE256((DI)(CX*1), Y2, Y3)
	STORE256((DI)(CX*2), Y4, Y5)
	STORE256((R11), Y6, Y7)
	STORE256((R11)(CX*1), Y8, Y9)
	STORE256((R11)(CX*2), Y10, Y11)
	MOVB $1, add+48(FP)
	CMPQ k+0(FP), $0
	JNE  chunk
	VZEROUPPER
	RET

// func excessAVX2(row *Half, floor, weight *float32, n int, e float32, next *Half) float32
TEXT ·excessAVX2(SB), NOSPLIT, $0-52
	MOVQ         row+0(FP), SI
	MOVQ         floor+8(FP), DI
	MOVQ         weight+16(FP), DX
	MOVQ         n+24(FP), CX
	VBROADCASTSS e+32(FP), Y15
	MOVQ         next+40(FP), R8
	VXORPS       Y14, Y14, Y14
	VXORPS       Y12, Y12, Y12
	VXORPS       Y13, Y13, Y13

loop:
	VCVTPH2PS   (SI), Y0
	VCVTPH2PS   16(SI), Y1
	PREFETCHT1  (R8)
	VFMADD231PS (DX), Y15, Y0
	VFMADD231PS 32(DX), Y15, Y1
	VSUBPS      (DI), Y0, Y0
	VSUBPS      32(DI), Y1, Y1
	VMAXPS      Y14, Y0, Y0
	VMAXPS      Y14, Y1, Y1
	VADDPS      Y0, Y12, Y12
	VADDPS      Y1, Y13, Y13
	ADDQ        $32, SI
	ADDQ        $32, R8
	ADDQ        $64, DI
	ADDQ        $64, DX
	SUBQ        $16, CX
	JGT         loop

	VADDPS       Y13, Y12, Y12
	VEXTRACTF128 $1, Y12, X13
	VADDPS       X13, X12, X0
	VHADDPS      X0, X0, X0
	VHADDPS      X0, X0, X0
	VMOVSS       X0, ret+48(FP)
	VZEROUPPER
	RET

// func aboveAVX2(mask *uint64, row *Half, floor, weight *float32, n int, e float32, next *Half)
TEXT ·aboveAVX2(SB), NOSPLIT, $0-56
	MOVQ         mask+0(FP), AX
	MOVQ         row+8(FP), SI
	MOVQ         floor+16(FP), DI
	MOVQ         weight+24(FP), DX
	MOVQ         n+32(FP), CX
	VBROADCASTSS e+40(FP), Y15
	MOVQ         next+48(FP), R10

loop:
	VCVTPH2PS   (SI), Y0
	VCVTPH2PS   16(SI), Y1
	PREFETCHT1  (R10)
	VFMADD231PS (DX), Y15, Y0
	VFMADD231PS 32(DX), Y15, Y1
	VCMPPS      $0x1E, (DI), Y0, Y0
	VCMPPS      $0x1E, 32(DI), Y1, Y1
	VMOVMSKPS   Y0, R8
	VMOVMSKPS   Y1, R9
	MOVB        R8, (AX)
	MOVB        R9, 1(AX)
	ADDQ        $2, AX
	ADDQ        $32, SI
	ADDQ        $32, R10
	ADDQ        $64, DI
	ADDQ        $64, DX
	SUBQ        $16, CX
	JGT         loop
	VZEROUPPER
	RET

// func halveAVX2(dst *Half, src *float32, n int)
TEXT ·halveAVX2(SB), NOSPLIT, $0-24
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ n+16(FP), CX

loop:
	VMOVUPS   (SI), Y0
	VMOVUPS   32(SI), Y1
	VCVTPS2PH $2, Y0, (DI)
	VCVTPS2PH $2, Y1, 16(DI)
	ADDQ      $64, SI
	ADDQ      $32, DI
	SUBQ      $16, CX
	JGT       loop
	VZEROUPPER
	RET

// func narrowAVX2(dst *float32, src *float64, n int, scale float64, largest *float64) float64
TEXT ·narrowAVX2(SB), NOSPLIT, $0-48
	MOVQ         dst+0(FP), DI
	MOVQ         src+8(FP), SI
	MOVQ         n+16(FP), CX
	VBROADCASTSD scale+24(FP), Y15
	MOVQ         largest+32(FP), R8
	MOVQ         $0x7fffffffffffffff, AX
	VMOVQ        AX, X14
	VPBROADCASTQ X14, Y14
	VXORPD       Y12, Y12, Y12
	VXORPD       Y13, Y13, Y13

loop:
	VMOVUPD     (SI), Y0
	VMOVUPD     32(SI), Y1
	VPAND       Y14, Y0, Y4
	VPAND       Y14, Y1, Y5
	VMAXPD      (R8), Y4, Y4
	VMAXPD      32(R8), Y5, Y5
	VMOVUPD     Y4, (R8)
	VMOVUPD     Y5, 32(R8)
	VMULPD      Y0, Y15, Y0
	VMULPD      Y1, Y15, Y1
	VCVTPD2PSY  Y0, X2
	VCVTPD2PSY  Y1, X3
	VFMADD231PD Y0, Y0, Y12
	VFMADD231PD Y1, Y1, Y13
	VMOVUPS     X2, (DI)
	VMOVUPS     X3, 16(DI)
	ADDQ        $64, SI
	ADDQ        $64, R8
	ADDQ        $32, DI
	SUBQ        $8, CX
	JGT         loop

	VADDPD       Y13, Y12, Y12
	VEXTRACTF128 $1, Y12, X13
	VADDPD       X13, X12, X0
	VHADDPD      X0, X0, X0
	VMOVSD       X0, ret+40(FP)
	VZEROUPPER
	RET

// The address of the row that is named AT bytes on in the list AX.
#define ROW(AT, R) \
	MOVLQSX AT(AX), R \
	IMULQ   CX, R     \
	LEAQ    (DI)(R*8), R

// The chains of eight rows go a coordinate on, and a line is fetched.
#define FETCHCHAIN \
	PREFETCHT1  (DI)                \
	ADDQ        $64, DI             \
	VMOVSD      (SI)(AX*8), X8      \
	VFMADD231SD (R8)(AX*8), X8, X0  \
	VFMADD231SD (R9)(AX*8), X8, X1  \
	VFMADD231SD (R10)(AX*8), X8, X2 \
	VFMADD231SD (R11)(AX*8), X8, X3 \
	VFMADD231SD (R12)(AX*8), X8, X4 \
	VFMADD231SD (R13)(AX*8), X8, X5 \
	VFMADD231SD (BX)(AX*8), X8, X6  \
	VFMADD231SD (DX)(AX*8), X8, X7  \
	INCQ        AX                  \
	CMPQ        AX, CX

// func chainsFMA(k int, d, t *float64, columns *int32, groups int, sums *float64, ahead int)
//
// Eight dot products of d a group, each one a chain of fused multiply-adds in the order of the coordinates.
// Meanwhile 8k numbers, a line of cache in each turn, are fetched that begin ahead bytes after the first row. Rows of
// up to 128 numbers that follow each other are fetched once more, into the first level of cache, when 4 kB are left.
TEXT ·chainsFMA(SB), NOSPLIT, $0-56
	MOVQ k+0(FP), CX
	MOVQ d+8(FP), SI

group:
	MOVQ   t+16(FP), DI
	MOVQ   columns+24(FP), AX
	ROW(0, R8)
	ROW(4, R9)
	ROW(8, R10)
	ROW(12, R11)
	ROW(16, R12)
	ROW(20, R13)
	ROW(24, BX)
	ROW(28, DX)
	ADDQ   $32, columns+24(FP)
	VXORPD X0, X0, X0
	VXORPD X1, X1, X1
	VXORPD X2, X2, X2
	VXORPD X3, X3, X3
	VXORPD X4, X4, X4
	VXORPD X5, X5, X5
	VXORPD X6, X6, X6
	VXORPD X7, X7, X7
	MOVQ   ahead+48(FP), DI
	ADDQ   R8, DI
	XORQ   AX, AX

	CMPQ   CX, $128
	JGT    loop
	CMPQ   ahead+48(FP), $0
	JEQ    loop

short:
	PREFETCHT0 -12288(DI)
	FETCHCHAIN
	JLT        short
	JMP        store

loop:
	FETCHCHAIN
	JLT loop

store:
	MOVQ   sums+40(FP), DI
	ADDQ   $64, sums+40(FP)
	VMOVSD X0, 0(DI)
	VMOVSD X1, 8(DI)
	VMOVSD X2, 16(DI)
	VMOVSD X3, 24(DI)
	VMOVSD X4, 32(DI)
	VMOVSD X5, 40(DI)
	VMOVSD X6, 48(DI)
	VMOVSD X7, 56(DI)
	DECQ   groups+32(FP)
	JNE    group
	RET

// The number of ones in each nibble.
DATA ones<>+0(SB)/8, $0x0302020102010100
DATA ones<>+8(SB)/8, $0x0403030203020201
DATA ones<>+16(SB)/8, $0x0302020102010100
DATA ones<>+24(SB)/8, $0x0403030203020201
GLOBL ones<>(SB), RODATA, $32

// Adds the ones that mask and open have in common, AT bytes further on, to the four sums of SUM.
#define COMMON(AT, SUM, V, W) \
	VMOVDQU AT(R11)(R12*1), V     \
	VPAND   AT(DI)(R12*1), V, V   \
	VPAND   Y9, V, W      \
	VPSRLW  $4, V, V      \
	VPAND   Y9, V, V      \
	VPSHUFB W, Y8, W      \
	VPSHUFB V, Y8, V      \
	VPADDB  V, W, V       \
	VPSADBW Y10, V, V     \
	VPADDQ  V, SUM, SUM

// func recountAVX2(counts *int32, from, n int, masks, open *uint64, words int, most int32) (at, renewed int)
//
// 64 counts at a time are compared with most; R9 has a bit for each that is above it and still has to be renewed. Of
// fewer, the processor would guess wrong too often how many there are.
TEXT ·recountAVX2(SB), NOSPLIT, $0-72
	MOVQ         counts+0(FP), R8
	MOVQ         from+8(FP), R10
	MOVQ         masks+24(FP), SI
	MOVQ         open+32(FP), DI
	MOVQ         words+40(FP), DX
	SHLQ         $3, DX
	VMOVDQU      ones<>(SB), Y8
	MOVQ         $0x0f0f0f0f0f0f0f0f, AX
	VMOVQ        AX, X9
	VPBROADCASTQ X9, Y9
	VPXOR        Y10, Y10, Y10
	MOVL         most+48(FP), AX
	VMOVD        AX, X7
	VPBROADCASTD X7, Y7
	ANDQ         $~7, R10
	XORQ         R13, R13

block:
	XORQ R9, R9
	XORQ CX, CX
	MOVQ R10, BX

eight:
	VMOVDQU   (R8)(BX*4), Y6
	VPCMPGTD  Y7, Y6, Y6
	VMOVMSKPS Y6, R11
	SHLQ      CX, R11
	ORQ       R11, R9
	ADDQ      $8, BX
	ADDQ      $8, CX
	CMPQ      BX, n+16(FP)
	JGE       marked
	CMPQ      CX, $64
	JLT       eight

marked:
	MOVQ from+8(FP), CX
	SUBQ R10, CX
	JLE  atom
	SHRQ CX, R9 // those before the first are passed over
	SHLQ CX, R9

atom:
	BSFQ  R9, CX
	JEQ   passed
	LEAQ  -1(R9), R11
	ANDQ  R11, R9
	ADDQ  R10, CX
	MOVQ  CX, R11
	IMULQ DX, R11
	ADDQ  SI, R11
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	XORQ  R12, R12
	INCQ  R13

words:
	COMMON(0, Y0, Y2, Y3)
	COMMON(32, Y1, Y4, Y5)
	ADDQ $64, R12
	CMPQ R12, DX
	JLT  words

	VPADDQ       Y1, Y0, Y0
	VEXTRACTI128 $1, Y0, X1
	VPADDQ       X1, X0, X0
	VPSRLDQ      $8, X0, X1
	VPADDQ       X1, X0, X0
	VMOVD        X0, R11
	MOVL         R11, (R8)(CX*4)
	CMPL         R11, AX
	JLE          atom
	MOVQ         CX, R10
	JMP          done

passed:
	MOVQ BX, R10
	CMPQ R10, n+16(FP)
	JLT  block

done:
	MOVQ R10, at+56(FP)
	MOVQ R13, renewed+64(FP)
	VZEROUPPER
	RET

// LEVELS256 rounds a row of 8 alignments up to levels, 32 bits each.
#define LEVELS256(ROW, E, OUT) \
	VBROADCASTSS E(R13), Y9 \
	VMOVAPS      Y14, OUT \
	VFMADD231PS  ROW, Y15, OUT \
	VFMADD231PS  Y9, Y12, OUT \
	VMINPS       Y13, OUT, OUT \
	VROUNDPS     $2, OUT, OUT \
	VCVTTPS2DQ   OUT, OUT

// QUAD256 leaves the levels of four rows in A, the four of a direction side by side.
#define QUAD256(A, B, C, D) \
	VPACKUSDW B, A, A \
	VPACKUSDW D, C, C \
	VPACKUSWB C, A, A \
	VPSHUFB   Y11, A, A

// LINES256 stores 16 bytes for each of the directions AT and AT+4.
#define LINES256(Y, X, AT) \
	VPMAXUB      Y, Y10, Y10 \
	VMOVDQU      X, AT(DI) \
	VEXTRACTI128 $1, Y, AT+256(DI)

DATA quad256<>+0(SB)/8, $0x0d0905010c080400
DATA quad256<>+8(SB)/8, $0x0f0b07030e0a0602
GLOBL quad256<>(SB), RODATA|NOPTR, $16

// func quantizeAVX2(tile *uint8, rows *float32, stride, n int, weight, e *float32, perStep, margin float32, top *uint8)
TEXT ·quantizeAVX2(SB), NOSPLIT, $0-64
	MOVQ           tile+0(FP), DI
	MOVQ           rows+8(FP), SI
	MOVQ           stride+16(FP), DX
	SHLQ           $2, DX
	MOVQ           n+24(FP), CX
	MOVQ           weight+32(FP), BX
	MOVQ           e+40(FP), R13
	VBROADCASTSS   perStep+48(FP), Y15
	VBROADCASTSS   margin+52(FP), Y14
	MOVL           $0x437f0000, AX // 255
	VMOVD          AX, X13
	VPBROADCASTD   X13, Y13
	VBROADCASTI128 quad256<>(SB), Y11
	VPXOR          Y10, Y10, Y10
	LEAQ           (DX)(DX*2), AX
	LEAQ           (SI)(AX*1), R8
	LEAQ           (R8)(AX*1), R9
	LEAQ           (R9)(AX*1), R10
	LEAQ           (R10)(AX*1), R11
	LEAQ           (R11)(AX*1), R12

loop:
	VMOVUPS (BX), Y12
	LEVELS256((SI), 0, Y0)
	LEVELS256((SI)(DX*1), 4, Y1)
	LEVELS256((SI)(DX*2), 8, Y2)
	LEVELS256((R8), 12, Y3)
	QUAD256(Y0, Y1, Y2, Y3)
	LEVELS256((R8)(DX*1), 16, Y1)
	LEVELS256((R8)(DX*2), 20, Y2)
	LEVELS256((R9), 24, Y3)
	LEVELS256((R9)(DX*1), 28, Y4)
	QUAD256(Y1, Y2, Y3, Y4)
	LEVELS256((R9)(DX*2), 32, Y2)
	LEVELS256((R10), 36, Y3)
	LEVELS256((R10)(DX*1), 40, Y4)
	LEVELS256((R10)(DX*2), 44, Y5)
	QUAD256(Y2, Y3, Y4, Y5)
	LEVELS256((R11), 48, Y3)
	LEVELS256((R11)(DX*1), 52, Y4)
	LEVELS256((R11)(DX*2), 56, Y5)
	LEVELS256((R12), 60, Y6)
	QUAD256(Y3, Y4, Y5, Y6)
	VPUNPCKLDQ  Y1, Y0, Y4
	VPUNPCKHDQ  Y1, Y0, Y5
	VPUNPCKLDQ  Y3, Y2, Y6
	VPUNPCKHDQ  Y3, Y2, Y7
	VPUNPCKLQDQ Y6, Y4, Y0
	VPUNPCKHQDQ Y6, Y4, Y1
	VPUNPCKLQDQ Y7, Y5, Y2
	VPUNPCKHQDQ Y7, Y5, Y3
	LINES256(Y0, X0, 0)
	LINES256(Y1, X1, 64)
	LINES256(Y2, X2, 128)
	LINES256(Y3, X3, 192)
	ADDQ $32, SI
	ADDQ $32, R8
	ADDQ $32, R9
	ADDQ $32, R10
	ADDQ $32, R11
	ADDQ $32, R12
	ADDQ $32, BX
	ADDQ $512, DI
	SUBQ $8, CX
	JGT  loop

	MOVQ         top+56(FP), DI
	VEXTRACTI128 $1, Y10, X0
	VPMAXUB      X0, X10, X0
	VMOVDQU      X0, (DI)
	VZEROUPPER
	RET

// SUMS256 adds eight sums of 16 bits to those of 32 bits.
#define SUMS256(X, Y, AT) \
	VPMOVZXWD X, Y \
	VPADDD    AT(DI), Y, Y \
	VMOVDQU   Y, AT(DI)

// HALF256 adds the sums of 32 atoms to those of 32 bits: BOTH has those of words, UPPER of their upper levels alone.
#define HALF256(BOTH, UPPER, AT) \
	VPSLLW       $8, UPPER, Y0 \
	VPSUBW       Y0, BOTH, BOTH \
	VPUNPCKLWD   UPPER, BOTH, Y0 \
	VPUNPCKHWD   UPPER, BOTH, Y1 \
	VEXTRACTI128 $1, Y0, X2 \
	VEXTRACTI128 $1, Y1, X3 \
	SUMS256(X0, Y0, AT) \
	SUMS256(X1, Y1, AT+32) \
	SUMS256(X2, Y2, AT+64) \
	SUMS256(X3, Y3, AT+96)

// func coverAVX2(sums *uint32, tiles *uint8, count, size int, list *int32, n int, from, to *uint8)
//
// A word of 16 bits holds two levels. Y12 and Y13 have sums of the words, modulo 2^16, and Y14 and Y15 those of their
// upper levels: what is more than 2^8 times these are the sums of the lower levels.
TEXT ·coverAVX2(SB), NOSPLIT, $0-64
	MOVQ sums+0(FP), DI
	MOVQ tiles+8(FP), SI
	MOVQ size+24(FP), R10
	MOVQ from+48(FP), R8
	MOVQ to+56(FP), R9

tile:
	MOVQ list+32(FP), BX
	MOVQ n+40(FP), CX
	LEAQ (SI)(R10*4), R11 // four tiles ahead, the same lines are fetched: of the next, a few would come too late

chunk: // of so many levels that their sums fit 16 bits
	MOVQ    $256, DX
	CMPQ    CX, DX
	CMOVQLT CX, DX
	SUBQ    DX, CX
	VPXOR   Y12, Y12, Y12
	VPXOR   Y13, Y13, Y13
	VPXOR   Y14, Y14, Y14
	VPXOR   Y15, Y15, Y15

loop:
	MOVLQSX      (BX), AX
	VPBROADCASTB (R9)(AX*1), Y0
	VPBROADCASTB (R8)(AX*1), Y1
	SHLQ         $6, AX
	PREFETCHT1   (R11)(AX*1)
	VPMINUB      (SI)(AX*1), Y0, Y2
	VPMINUB      32(SI)(AX*1), Y0, Y3
	VPSUBUSB     Y1, Y2, Y2
	VPSUBUSB     Y1, Y3, Y3
	VPSRLW       $8, Y2, Y4
	VPSRLW       $8, Y3, Y5
	VPADDW       Y2, Y12, Y12
	VPADDW       Y3, Y13, Y13
	VPADDW       Y4, Y14, Y14
	VPADDW       Y5, Y15, Y15
	ADDQ         $4, BX
	DECQ         DX
	JNE          loop

	HALF256(Y12, Y14, 0)
	HALF256(Y13, Y15, 128)
	TESTQ CX, CX
	JNE   chunk
	ADDQ  R10, SI
	ADDQ  $256, DI
	DECQ  count+16(FP)
	JNE   tile
	VZEROUPPER
	RET

#include "textflag.h"

// func tileAVX512(k int, a *float32, lda int, b *float32, c *float32, ldc int, add bool)
//
// Z0..Z23 hold the 12×32 tile, two registers a row. The twelve rows of a are
// addressed by four bases three rows apart: SI, R8, R9, R10 with stride DX; the
// rows of c likewise by DI, R11, R12, R13 with stride CX.

#define ROW512(A, LO, HI) \
	VBROADCASTSS A, Z28 \
	VFMADD231PS Z24, Z28, LO \
	VFMADD231PS Z25, Z28, HI

#define STEP512(A, B) \
	VMOVUPS B+0(BX), Z24 \
	VMOVUPS B+64(BX), Z25 \
	ROW512(A(SI), Z0, Z1) \
	ROW512(A(SI)(DX*1), Z2, Z3) \
	ROW512(A(SI)(DX*2), Z4, Z5) \
	ROW512(A(R8), Z6, Z7) \
	ROW512(A(R8)(DX*1), Z8, Z9) \
	ROW512(A(R8)(DX*2), Z10, Z11) \
	ROW512(A(R9), Z12, Z13) \
	ROW512(A(R9)(DX*1), Z14, Z15) \
	ROW512(A(R9)(DX*2), Z16, Z17) \
	ROW512(A(R10), Z18, Z19) \
	ROW512(A(R10)(DX*1), Z20, Z21) \
	ROW512(A(R10)(DX*2), Z22, Z23)

#define ADVANCE512(A, B) \
	ADDQ $A, SI \
	ADDQ $A, R8 \
	ADDQ $A, R9 \
	ADDQ $A, R10 \
	ADDQ $B, BX

#define ADD512(C, LO, HI) \
	VADDPS C, LO, LO \
	VADDPS 64 C, HI, HI

#define STORE512(C, LO, HI) \
	VMOVUPS LO, C \
	VMOVUPS HI, 64 C

#define ZERO512(A, B, C, D) \
	VPXORD A, A, A \
	VPXORD B, B, B \
	VPXORD C, C, C \
	VPXORD D, D, D

TEXT ·tileAVX512(SB), NOSPLIT, $0-49
	MOVQ a+8(FP), SI
	MOVQ lda+16(FP), DX
	SHLQ $2, DX
	MOVQ b+24(FP), BX
	MOVQ c+32(FP), DI
	MOVQ ldc+40(FP), CX
	SHLQ $2, CX
	LEAQ (DX)(DX*2), AX
	LEAQ (SI)(AX*1), R8
	LEAQ (R8)(AX*1), R9
	LEAQ (R9)(AX*1), R10
	LEAQ (CX)(CX*2), AX
	LEAQ (DI)(AX*1), R11
	LEAQ (R11)(AX*1), R12
	LEAQ (R12)(AX*1), R13

chunk:
	MOVQ k+0(FP), AX
	CMPQ AX, $64
	JLE  last
	MOVQ $64, AX

last:
	SUBQ AX, k+0(FP)
	ZERO512(Z0, Z1, Z2, Z3)
	ZERO512(Z4, Z5, Z6, Z7)
	ZERO512(Z8, Z9, Z10, Z11)
	ZERO512(Z12, Z13, Z14, Z15)
	ZERO512(Z16, Z17, Z18, Z19)
	ZERO512(Z20, Z21, Z22, Z23)
	SUBQ $4, AX
	JLT  rest

four:
	STEP512(0, 0)
	STEP512(4, 128)
	STEP512(8, 256)
	STEP512(12, 384)
	ADVANCE512(16, 512)
	SUBQ $4, AX
	JGE  four

rest:
	ADDQ $4, AX
	JEQ  done

one:
	STEP512(0, 0)
	ADVANCE512(4, 128)
	DECQ AX
	JNE  one

done:
	CMPB add+48(FP), $0
	JEQ  store
	ADD512((DI), Z0, Z1)
	ADD512((DI)(CX*1), Z2, Z3)
	ADD512((DI)(CX*2), Z4, Z5)
	ADD512((R11), Z6, Z7)
	ADD512((R11)(CX*1), Z8, Z9)
	ADD512((R11)(CX*2), Z10, Z11)
	ADD512((R12), Z12, Z13)
	ADD512((R12)(CX*1), Z14, Z15)
	ADD512((R12)(CX*2), Z16, Z17)
	ADD512((R13), Z18, Z19)
	ADD512((R13)(CX*1), Z20, Z21)
	ADD512((R13)(CX*2), Z22, Z23)

store:
	STORE512((DI), Z0, Z1)
	STORE512((DI)(CX*1), Z2, Z3)
	STORE512((DI)(CX*2), Z4, Z5)
	STORE512((R11), Z6, Z7)
	STORE512((R11)(CX*1), Z8, Z9)
	STORE512((R11)(CX*2), Z10, Z11)
	STORE512((R12), Z12, Z13)
	STORE512((R12)(CX*1), Z14, Z15)
	STORE512((R12)(CX*2), Z16, Z17)
	STORE512((R13), Z18, Z19)
	STORE512((R13)(CX*1), Z20, Z21)
	STORE512((R13)(CX*2), Z22, Z23)
	MOVB $1, add+48(FP)
	CMPQ k+0(FP), $0
	JNE  chunk
	VZEROUPPER
	RET

// func excessAVX512(row *Half, floor, weight *float32, n int, e float32, next *Half) float32
TEXT ·excessAVX512(SB), NOSPLIT, $0-52
	MOVQ         row+0(FP), SI
	MOVQ         floor+8(FP), DI
	MOVQ         weight+16(FP), DX
	MOVQ         n+24(FP), CX
	VBROADCASTSS e+32(FP), Z31
	MOVQ         next+40(FP), R8
	VPXORD       Z30, Z30, Z30
	VPXORD       Z28, Z28, Z28
	VPXORD       Z29, Z29, Z29

loop:
	VCVTPH2PS   (SI), Z0
	VCVTPH2PS   32(SI), Z1
	PREFETCHT1  (R8)
	VFMADD231PS (DX), Z31, Z0
	VFMADD231PS 64(DX), Z31, Z1
	VSUBPS      (DI), Z0, Z0
	VSUBPS      64(DI), Z1, Z1
	VMAXPS      Z30, Z0, Z0
	VMAXPS      Z30, Z1, Z1
	VADDPS      Z0, Z28, Z28
	VADDPS      Z1, Z29, Z29
	ADDQ        $64, SI
	ADDQ        $64, R8
	ADDQ        $128, DI
	ADDQ        $128, DX
	SUBQ        $32, CX
	JGT         loop

	VADDPS        Z29, Z28, Z28
	VEXTRACTF64X4 $1, Z28, Y29
	VADDPS        Y29, Y28, Y28
	VEXTRACTF32X4 $1, Y28, X29
	VADDPS        X29, X28, X0
	VHADDPS       X0, X0, X0
	VHADDPS       X0, X0, X0
	VMOVSS        X0, ret+48(FP)
	VZEROUPPER
	RET

// func aboveAVX512(mask *uint64, row *Half, floor, weight *float32, n int, e float32, next *Half)
TEXT ·aboveAVX512(SB), NOSPLIT, $0-56
	MOVQ         mask+0(FP), AX
	MOVQ         row+8(FP), SI
	MOVQ         floor+16(FP), DI
	MOVQ         weight+24(FP), DX
	MOVQ         n+32(FP), CX
	VBROADCASTSS e+40(FP), Z31
	MOVQ         next+48(FP), R10

loop:
	VCVTPH2PS   (SI), Z0
	VCVTPH2PS   32(SI), Z1
	PREFETCHT1  (R10)
	VFMADD231PS (DX), Z31, Z0
	VFMADD231PS 64(DX), Z31, Z1
	VCMPPS      $0x1E, (DI), Z0, K1
	VCMPPS      $0x1E, 64(DI), Z1, K2
	KMOVW       K1, (AX)
	KMOVW       K2, 2(AX)
	ADDQ        $4, AX
	ADDQ        $64, SI
	ADDQ        $64, R10
	ADDQ        $128, DI
	ADDQ        $128, DX
	SUBQ        $32, CX
	JGT         loop
	VZEROUPPER
	RET

// func halveAVX512(dst *Half, src *float32, n int)
TEXT ·halveAVX512(SB), NOSPLIT, $0-24
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ n+16(FP), CX

loop:
	VMOVUPS   (SI), Z0
	VMOVUPS   64(SI), Z1
	VCVTPS2PH $2, Z0, (DI)
	VCVTPS2PH $2, Z1, 32(DI)
	ADDQ      $128, SI
	ADDQ      $64, DI
	SUBQ      $32, CX
	JGT       loop
	VZEROUPPER
	RET

// func narrowAVX512(dst *float32, src *float64, n int, scale float64, largest *float64) float64
TEXT ·narrowAVX512(SB), NOSPLIT, $0-48
	MOVQ         dst+0(FP), DI
	MOVQ         src+8(FP), SI
	MOVQ         n+16(FP), CX
	VBROADCASTSD scale+24(FP), Z31
	MOVQ         largest+32(FP), R8
	MOVQ         $0x7fffffffffffffff, AX
	VPBROADCASTQ AX, Z30
	VPXORD       Z28, Z28, Z28
	VPXORD       Z29, Z29, Z29

loop:
	VMOVUPD     (SI), Z0
	VMOVUPD     64(SI), Z1
	VPANDQ      Z30, Z0, Z4
	VPANDQ      Z30, Z1, Z5
	VMAXPD      (R8), Z4, Z4
	VMAXPD      64(R8), Z5, Z5
	VMOVUPD     Z4, (R8)
	VMOVUPD     Z5, 64(R8)
	VMULPD      Z0, Z31, Z0
	VMULPD      Z1, Z31, Z1
	VCVTPD2PS   Z0, Y2
	VCVTPD2PS   Z1, Y3
	VFMADD231PD Z0, Z0, Z28
	VFMADD231PD Z1, Z1, Z29
	VMOVUPS     Y2, (DI)
	VMOVUPS     Y3, 32(DI)
	ADDQ        $128, SI
	ADDQ        $128, R8
	ADDQ        $64, DI
	SUBQ        $16, CX
	JGT         loop

	VADDPD        Z29, Z28, Z28
	VEXTRACTF64X4 $1, Z28, Y29
	VADDPD        Y29, Y28, Y28
	VEXTRACTF64X2 $1, Y28, X29
	VADDPD        X29, X28, X0
	VHADDPD       X0, X0, X0
	VMOVSD        X0, ret+40(FP)
	VZEROUPPER
	RET

// LEVELS512 rounds a row of 16 alignments up to levels, 32 bits each.
#define LEVELS512(ROW, E, OUT) \
	VMOVAPS          Z29, OUT \
	VFMADD231PS      ROW, Z31, OUT \
	VFMADD231PS.BCST E(R13), Z27, OUT \
	VMINPS           Z28, OUT, OUT \
	VCVTPS2DQ.RU_SAE OUT, OUT

// QUAD512 leaves the levels of four rows in A, the four of a direction side by side.
#define QUAD512(A, B, C, D) \
	VPACKUSDW B, A, A \
	VPACKUSDW D, C, C \
	VPACKUSWB C, A, A \
	VPSHUFB   Z26, A, A

// LINES512 stores 16 bytes for each of the directions AT, AT+4, AT+8 and AT+12.
#define LINES512(Z, X, AT) \
	VPMAXUB       Z, Z25, Z25 \
	VMOVDQU       X, AT(DI) \
	VEXTRACTI32X4 $1, Z, AT+256(DI) \
	VEXTRACTI32X4 $2, Z, AT+512(DI) \
	VEXTRACTI32X4 $3, Z, AT+768(DI)

DATA quad512<>+0(SB)/8, $0x0d0905010c080400
DATA quad512<>+8(SB)/8, $0x0f0b07030e0a0602
GLOBL quad512<>(SB), RODATA|NOPTR, $16

// func quantizeAVX512(tile *uint8, rows *float32, stride, n int, weight, e *float32, perStep, margin float32, top *uint8)
TEXT ·quantizeAVX512(SB), NOSPLIT, $0-64
	MOVQ            tile+0(FP), DI
	MOVQ            rows+8(FP), SI
	MOVQ            stride+16(FP), DX
	SHLQ            $2, DX
	MOVQ            n+24(FP), CX
	MOVQ            weight+32(FP), BX
	MOVQ            e+40(FP), R13
	VBROADCASTSS    perStep+48(FP), Z31
	VBROADCASTSS    margin+52(FP), Z29
	MOVL            $0x437f0000, AX // 255
	VPBROADCASTD    AX, Z28
	VBROADCASTI32X4 quad512<>(SB), Z26
	VPXORD          Z25, Z25, Z25
	LEAQ            (DX)(DX*2), AX
	LEAQ            (SI)(AX*1), R8
	LEAQ            (R8)(AX*1), R9
	LEAQ            (R9)(AX*1), R10
	LEAQ            (R10)(AX*1), R11
	LEAQ            (R11)(AX*1), R12

loop:
	VMOVUPS (BX), Z27
	LEVELS512((SI), 0, Z0)
	LEVELS512((SI)(DX*1), 4, Z1)
	LEVELS512((SI)(DX*2), 8, Z2)
	LEVELS512((R8), 12, Z3)
	LEVELS512((R8)(DX*1), 16, Z4)
	LEVELS512((R8)(DX*2), 20, Z5)
	LEVELS512((R9), 24, Z6)
	LEVELS512((R9)(DX*1), 28, Z7)
	LEVELS512((R9)(DX*2), 32, Z8)
	LEVELS512((R10), 36, Z9)
	LEVELS512((R10)(DX*1), 40, Z10)
	LEVELS512((R10)(DX*2), 44, Z11)
	LEVELS512((R11), 48, Z12)
	LEVELS512((R11)(DX*1), 52, Z13)
	LEVELS512((R11)(DX*2), 56, Z14)
	LEVELS512((R12), 60, Z15)
	QUAD512(Z0, Z1, Z2, Z3)
	QUAD512(Z4, Z5, Z6, Z7)
	QUAD512(Z8, Z9, Z10, Z11)
	QUAD512(Z12, Z13, Z14, Z15)
	VPUNPCKLDQ  Z4, Z0, Z1
	VPUNPCKHDQ  Z4, Z0, Z2
	VPUNPCKLDQ  Z12, Z8, Z5
	VPUNPCKHDQ  Z12, Z8, Z6
	VPUNPCKLQDQ Z5, Z1, Z0
	VPUNPCKHQDQ Z5, Z1, Z4
	VPUNPCKLQDQ Z6, Z2, Z8
	VPUNPCKHQDQ Z6, Z2, Z12
	LINES512(Z0, X0, 0)
	LINES512(Z4, X4, 64)
	LINES512(Z8, X8, 128)
	LINES512(Z12, X12, 192)
	ADDQ $64, SI
	ADDQ $64, R8
	ADDQ $64, R9
	ADDQ $64, R10
	ADDQ $64, R11
	ADDQ $64, R12
	ADDQ $64, BX
	ADDQ $1024, DI
	SUBQ $16, CX
	JGT  loop

	MOVQ          top+56(FP), DI
	VEXTRACTI64X4 $1, Z25, Y0
	VPMAXUB       Y0, Y25, Y0
	VEXTRACTI128  $1, Y0, X1
	VPMAXUB       X1, X0, X0
	VMOVDQU       X0, (DI)
	VZEROUPPER
	RET

// SUMS512 adds sixteen sums of 16 bits to those of 32 bits.
#define SUMS512(Y, Z, AT) \
	VPMOVZXWD Y, Z \
	VPADDD    AT(DI), Z, Z \
	VMOVDQU32 Z, AT(DI)

// func coverAVX512(sums *uint32, tiles *uint8, count, size int, list *int32, n int, from, to *uint8)
//
// A word of 16 bits holds two levels. Z30 has sums of the words, modulo 2^16, and Z29 those of their upper levels: what
// Z30 has more than 2^8 times Z29 are the sums of the lower levels.
TEXT ·coverAVX512(SB), NOSPLIT, $0-64
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
	VPXORD  Z29, Z29, Z29
	VPXORD  Z30, Z30, Z30

loop:
	MOVLQSX      (BX), AX
	VPBROADCASTB (R9)(AX*1), Z0
	VPBROADCASTB (R8)(AX*1), Z1
	SHLQ         $6, AX
	PREFETCHT1   (R11)(AX*1)
	VPMINUB      (SI)(AX*1), Z0, Z0
	VPSUBUSB     Z1, Z0, Z0
	VPSRLW       $8, Z0, Z1
	VPADDW       Z0, Z30, Z30
	VPADDW       Z1, Z29, Z29
	ADDQ         $4, BX
	DECQ         DX
	JNE          loop

	VPSLLW        $8, Z29, Z0
	VPSUBW        Z0, Z30, Z30
	VPUNPCKLWD    Z29, Z30, Z0 // the atoms 0-7, 16-23, 32-39 and 48-55
	VPUNPCKHWD    Z29, Z30, Z1 // those between
	VSHUFI64X2    $0x44, Z1, Z0, Z2
	VSHUFI64X2    $0xEE, Z1, Z0, Z3
	VSHUFI64X2    $0xD8, Z2, Z2, Z2
	VSHUFI64X2    $0xD8, Z3, Z3, Z3
	VEXTRACTI64X4 $1, Z2, Y4
	VEXTRACTI64X4 $1, Z3, Y5
	SUMS512(Y2, Z2, 0)
	SUMS512(Y4, Z4, 64)
	SUMS512(Y3, Z3, 128)
	SUMS512(Y5, Z5, 192)
	TESTQ         CX, CX
	JNE           chunk
	ADDQ          R10, SI
	ADDQ          $256, DI
	DECQ          count+16(FP)
	JNE           tile
	VZEROUPPER
	RET

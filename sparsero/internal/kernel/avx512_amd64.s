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

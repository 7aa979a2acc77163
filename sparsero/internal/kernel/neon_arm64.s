#include "textflag.h"

// The tile has six rows of four registers: V0..V23. The rows of a are addressed by
// R0..R5, each one entry further after every step, the panel by R6 and a row of c
// by R7. V31 holds ones: a product with one and an addition is an addition.

#define ZERO4(A, B, C, D) \
	VEOR A.B16, A.B16, A.B16 \
	VEOR B.B16, B.B16, B.B16 \
	VEOR C.B16, C.B16, C.B16 \
	VEOR D.B16, D.B16, D.B16

#define ROWS \
	ADD R8, R0, R1 \
	ADD R8, R1, R2 \
	ADD R8, R2, R3 \
	ADD R8, R3, R4 \
	ADD R8, R4, R5

#define ROW32(AT, A, B, C, D) \
	VLD1R.P 4(AT), [V28.S4] \
	VFMLA V24.S4, V28.S4, A.S4 \
	VFMLA V25.S4, V28.S4, B.S4 \
	VFMLA V26.S4, V28.S4, C.S4 \
	VFMLA V27.S4, V28.S4, D.S4

#define ADDTO32(A, B, C, D) \
	VLD1 (R7), [V24.S4, V25.S4, V26.S4, V27.S4] \
	VFMLA V31.S4, V24.S4, A.S4 \
	VFMLA V31.S4, V25.S4, B.S4 \
	VFMLA V31.S4, V26.S4, C.S4 \
	VFMLA V31.S4, V27.S4, D.S4 \
	ADD R9, R7, R7

#define STORE32(A, B, C, D) \
	VST1 [A.S4, B.S4, C.S4, D.S4], (R7) \
	ADD R9, R7, R7

// func tileNEON(k int, a *float32, lda int, b *float32, c *float32, ldc int, add bool)
TEXT ·tileNEON(SB), NOSPLIT, $0-49
	MOVD  k+0(FP), R10
	MOVD  a+8(FP), R0
	MOVD  lda+16(FP), R8
	MOVD  b+24(FP), R6
	MOVD  c+32(FP), R12
	MOVD  ldc+40(FP), R9
	MOVBU add+48(FP), R13
	LSL   $2, R8, R8
	LSL   $2, R9, R9
	ROWS
	FMOVS $1.0, F31
	VDUP  V31.S[0], V31.S4

chunk:
	MOVD $64, R11
	CMP  R11, R10
	CSEL LT, R10, R11, R11
	SUB  R11, R10, R10
	ZERO4(V0, V1, V2, V3)
	ZERO4(V4, V5, V6, V7)
	ZERO4(V8, V9, V10, V11)
	ZERO4(V12, V13, V14, V15)
	ZERO4(V16, V17, V18, V19)
	ZERO4(V20, V21, V22, V23)

loop:
	VLD1.P 64(R6), [V24.S4, V25.S4, V26.S4, V27.S4]
	ROW32(R0, V0, V1, V2, V3)
	ROW32(R1, V4, V5, V6, V7)
	ROW32(R2, V8, V9, V10, V11)
	ROW32(R3, V12, V13, V14, V15)
	ROW32(R4, V16, V17, V18, V19)
	ROW32(R5, V20, V21, V22, V23)
	SUBS   $1, R11, R11
	BNE    loop

	CBZ  R13, store
	MOVD R12, R7
	ADDTO32(V0, V1, V2, V3)
	ADDTO32(V4, V5, V6, V7)
	ADDTO32(V8, V9, V10, V11)
	ADDTO32(V12, V13, V14, V15)
	ADDTO32(V16, V17, V18, V19)
	ADDTO32(V20, V21, V22, V23)

store:
	MOVD R12, R7
	STORE32(V0, V1, V2, V3)
	STORE32(V4, V5, V6, V7)
	STORE32(V8, V9, V10, V11)
	STORE32(V12, V13, V14, V15)
	STORE32(V16, V17, V18, V19)
	STORE32(V20, V21, V22, V23)
	MOVD $1, R13
	CBNZ R10, chunk
	RET

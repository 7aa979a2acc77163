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

// CLAMP adds the levels of 16 atoms, between the floors V5 and V4, to their sums of 16 bits.
#define CLAMP(LEVELS, LO, HI) \
	VUMIN   V4.B16, LEVELS.B16, LEVELS.B16 \
	VUMAX   V5.B16, LEVELS.B16, LEVELS.B16 \
	VUADDW  LEVELS.B8, LO.H8, LO.H8 \
	VUADDW2 LEVELS.B16, HI.H8, HI.H8

// SUMS16 adds sixteen sums of 16 bits, less those of the lower floor, to those of 32 bits.
#define SUMS16(LO, HI) \
	VLD1    (R0), [V0.S4, V1.S4, V2.S4, V3.S4] \
	VSUB    V24.H8, LO.H8, LO.H8 \
	VSUB    V24.H8, HI.H8, HI.H8 \
	VUADDW  LO.H4, V0.S4, V0.S4 \
	VUADDW2 LO.H8, V1.S4, V1.S4 \
	VUADDW  HI.H4, V2.S4, V2.S4 \
	VUADDW2 HI.H8, V3.S4, V3.S4 \
	VST1.P  [V0.S4, V1.S4, V2.S4, V3.S4], 64(R0)

// func coverNEON(sums *uint32, tiles *uint8, count, size int, list *int32, n int, from, to *uint8)
//
// max(0, min(level, to) - from) is max(from, min(level, to)) - from. V16..V23 hold the sums of the first terms, and V24
// that of the second.
TEXT ·coverNEON(SB), NOSPLIT, $0-64
	MOVD sums+0(FP), R0
	MOVD tiles+8(FP), R1
	MOVD count+16(FP), R2
	MOVD size+24(FP), R3
	MOVD from+48(FP), R4
	MOVD to+56(FP), R5

tile:
	MOVD list+32(FP), R6
	MOVD n+40(FP), R7

chunk: // of so many levels that their sums fit 16 bits
	MOVD $256, R8
	CMP  R8, R7
	CSEL LT, R7, R8, R8
	SUB  R8, R7, R7
	ZERO4(V16, V17, V18, V19)
	ZERO4(V20, V21, V22, V23)
	VEOR V24.B16, V24.B16, V24.B16

loop:
	MOVW.P 4(R6), R9
	ADD    R9, R5, R10
	ADD    R9, R4, R11
	ADD    R9<<6, R1, R12
	VLD1R  (R10), [V4.B16]
	VLD1R  (R11), [V5.B16]
	VLD1   (R12), [V0.B16, V1.B16, V2.B16, V3.B16]
	ADD    R3, R12, R12 // the same line of the next tile
	PRFM   (R12), PLDL1KEEP
	CLAMP(V0, V16, V17)
	CLAMP(V1, V18, V19)
	CLAMP(V2, V20, V21)
	CLAMP(V3, V22, V23)
	VUADDW V5.B8, V24.H8, V24.H8
	SUBS   $1, R8, R8
	BNE    loop

	SUMS16(V16, V17)
	SUMS16(V18, V19)
	SUMS16(V20, V21)
	SUMS16(V22, V23)
	CBZ  R7, next
	SUB  $256, R0, R0
	B    chunk

next:
	ADD  R3, R1, R1
	SUBS $1, R2, R2
	BNE  tile
	RET

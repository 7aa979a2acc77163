#include "textflag.h"

// func tile64AVX2(k int, a *float64, lda int, b *float64, c *float64, ldc int, add bool)
//
// Y0..Y11 hold the 6×8 tile, two registers a row, addressed as in tileAVX2.

#define ROW256D(A, LO, HI) \
	VBROADCASTSD A, Y14 \
	VFMADD231PD Y12, Y14, LO \
	VFMADD231PD Y13, Y14, HI

#define STEP256D(A, B) \
	VMOVUPD B+0(BX), Y12 \
	VMOVUPD B+32(BX), Y13 \
	ROW256D(A(SI), Y0, Y1) \
	ROW256D(A(SI)(DX*1), Y2, Y3) \
	ROW256D(A(SI)(DX*2), Y4, Y5) \
	ROW256D(A(R8), Y6, Y7) \
	ROW256D(A(R8)(DX*1), Y8, Y9) \
	ROW256D(A(R8)(DX*2), Y10, Y11)

#define ADVANCE256D(A, B) \
	ADDQ $A, SI \
	ADDQ $A, R8 \
	ADDQ $B, BX

#define LOAD256D(C, LO, HI) \
	VMOVUPD C, LO \
	VMOVUPD 32 C, HI

#define STORE256D(C, LO, HI) \
	VMOVUPD LO, C \
	VMOVUPD HI, 32 C

#define ZERO256D(A, B, C) \
	VXORPD A, A, A \
	VXORPD B, B, B \
	VXORPD C, C, C

TEXT ·tile64AVX2(SB), NOSPLIT, $0-49
	MOVQ k+0(FP), AX
	MOVQ a+8(FP), SI
	MOVQ lda+16(FP), DX
	SHLQ $3, DX
	MOVQ b+24(FP), BX
	MOVQ c+32(FP), DI
	MOVQ ldc+40(FP), CX
	SHLQ $3, CX
	LEAQ (DX)(DX*2), R11
	LEAQ (SI)(R11*1), R8
	LEAQ (CX)(CX*2), R11
	ADDQ DI, R11
	CMPB add+48(FP), $0
	JNE  load
	ZERO256D(Y0, Y1, Y2)
	ZERO256D(Y3, Y4, Y5)
	ZERO256D(Y6, Y7, Y8)
	ZERO256D(Y9, Y10, Y11)
	JMP  start

load:
	LOAD256D((DI), Y0, Y1)
	LOAD256D((DI)(CX*1), Y2, Y3)
	LOAD256D((DI)(CX*2), Y4, Y5)
	LOAD256D((R11), Y6, Y7)
	LOAD256D((R11)(CX*1), Y8, Y9)
	LOAD256D((R11)(CX*2), Y10, Y11)

start:
	SUBQ $4, AX
	JLT  rest

four:
	STEP256D(0, 0)
	STEP256D(8, 64)
	STEP256D(16, 128)
	STEP256D(24, 192)
	ADVANCE256D(32, 256)
	SUBQ $4, AX
	JGE  four

rest:
	ADDQ $4, AX
	JEQ  store

one:
	STEP256D(0, 0)
	ADVANCE256D(8, 64)
	DECQ AX
	JNE  one

store:
	STORE256D((DI), Y0, Y1)
	STORE256D((DI)(CX*1), Y2, Y3)
	STORE256D((DI)(CX*2), Y4, Y5)
	STORE256D((R11), Y6, Y7)
	STORE256D((R11)(CX*1), Y8, Y9)
	STORE256D((R11)(CX*2), Y10, Y11)
	VZEROUPPER
	RET

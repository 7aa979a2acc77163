package kernel

// cpuid executes the CPUID instruction.
func cpuid(leaf, subleaf uint32) (a, b, c, d uint32)

// enabledState executes XGETBV: which registers the operating system saves. It needs a processor with OSXSAVE.
func enabledState() uint32

// Bits of CPUID and XGETBV (Intel SDM, volume 2A, CPUID, and volume 1, 13.3).
const (
	bitF16C                    = 1 << 29                   // leaf 1, ECX
	bitFMA, bitOSXSAVE, bitAVX = 1 << 12, 1 << 27, 1 << 28 // leaf 1, ECX
	bitAVX2                    = 1 << 5                    // leaf 7, EBX
	bitAVX512F, bitAVX512DQ    = 1 << 16, 1 << 17          // leaf 7, EBX
	bitAVX512BW, bitAVX512VL   = 1 << 30, 1 << 31          // leaf 7, EBX
	stateYMM, stateZMM         = 0x06, 0xE6                // XCR0
	maskAVX                    = bitFMA | bitOSXSAVE | bitAVX | bitF16C
	maskAVX512                 = bitAVX512F | bitAVX512DQ | bitAVX512BW | bitAVX512VL
)

// vectorUnits tells which instruction sets both the processor and the operating system support.
func vectorUnits() (avx2, avx512 bool) {
	highest, _, _, _ := cpuid(0, 0)
	if highest < 7 {
		return false, false
	}
	_, _, c, _ := cpuid(1, 0)
	_, b, _, _ := cpuid(7, 0)
	return unitsOf(c, b, enabledState)
}

// unitsOf reads the bits of leaf 1, of leaf 7 and, where there is one, of XCR0.
func unitsOf(c, b uint32, enabled func() uint32) (avx2, avx512 bool) {
	if c&maskAVX != maskAVX {
		return false, false
	}
	state := enabled()
	avx2 = b&bitAVX2 != 0 && state&stateYMM == stateYMM
	avx512 = avx2 && b&maskAVX512 == maskAVX512 && state&stateZMM == stateZMM
	return avx2, avx512
}

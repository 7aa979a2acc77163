package kernel

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// TestVectorUnitsAreThoseThatLinuxNames in /proc/cpuinfo.
func TestVectorUnitsAreThoseThatLinuxNames(t *testing.T) {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		t.Skip(err)
	}
	_, flags, _ := strings.Cut(string(text), "flags")
	flags, _, _ = strings.Cut(flags, "\n")
	named := func(units ...string) bool {
		for _, unit := range units {
			if !strings.Contains(flags+" ", " "+unit+" ") {
				return false
			}
		}
		return true
	}
	hasAVX2 := named("f16c", "fma", "avx", "avx2")
	hasAVX512 := hasAVX2 && named("avx512f", "avx512dq", "avx512bw", "avx512vl")
	if avx2, avx512 := vectorUnits(); avx2 != hasAVX2 || avx512 != hasAVX512 {
		t.Errorf("avx2 %t, avx512 %t; Linux names%s", avx2, avx512, flags)
	}
	var names []string
	for _, k := range All() {
		names = append(names, k.Name())
	}
	want := []string{"avx512", "avx2", "portable"} // the fastest first
	if !hasAVX512 {
		want = want[1:]
	}
	if !hasAVX2 {
		want = want[1:]
	}
	if !slices.Equal(names, want) || Best().Name() != want[0] {
		t.Errorf("kernels %v, the best %s; this processor has %v", names, Best().Name(), want)
	}
}

// TestUnitsNeedEveryBit: of both leaves of the processor and of the registers that the operating system saves (XCR0: 1
// for SSE, 2 for YMM, 5 to 7 for the parts of ZMM).
func TestUnitsNeedEveryBit(t *testing.T) {
	whole := [3]uint32{1<<12 | 1<<27 | 1<<28 | 1<<29, 1<<5 | 1<<16 | 1<<17 | 1<<30 | 1<<31, 1<<1 | 1<<2 | 1<<5 | 1<<6 | 1<<7}
	for bit := range 32 {
		for place := range whole {
			lacking := whole
			lacking[place] &^= 1 << bit
			enabled := func() uint32 {
				if lacking[0] != whole[0] {
					t.Errorf("without bit %d of leaf 1 nobody may ask", bit)
				}
				return lacking[2]
			}
			needs := lacking[0] == whole[0] && lacking[1]&(1<<5) != 0 && lacking[2]&0x6 == 0x6
			if avx2, avx512 := unitsOf(lacking[0], lacking[1], enabled); avx2 != needs || avx512 != (lacking == whole) {
				t.Errorf("%x: avx2 %t, avx512 %t", lacking, avx2, avx512)
			}
		}
	}
}

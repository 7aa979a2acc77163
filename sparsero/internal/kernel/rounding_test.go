package kernel

import (
	"math"
	"testing"
)

// TestRoundingBoundsAreThoseOfTheTheorem: n u / (1 - n u) for n roundings of u = 2^-24 (Higham 2002, Lemma 3.1), with as
// many sums side by side as the registers of two accumulators of each kernel hold, and blocks of whole chunks.
func TestRoundingBoundsAreThoseOfTheTheorem(t *testing.T) {
	check := func(what string, length int, bound, roundings float64) {
		if want := roundings / (1<<24 - roundings); math.Abs(bound/want-1) > 1e-14 {
			t.Errorf("%s of length %d: bound %v, want %v of %v roundings", what, length, bound, want, roundings)
		}
	}
	if depthBlock%chunk != 0 {
		t.Errorf("blocks of %d coordinates, chunks of %d", depthBlock, chunk)
	}
	lanes := map[string]float64{"avx512": 2 * 512 / 32, "avx2": 2 * 256 / 32, "neon": 4, "portable": 4}
	for _, length := range []int{1, 63, 64, 65, 128, 129, 1000, 100_000} {
		chunks := math.Ceil(float64(length) / 64)
		check("product", length, RoundingBound(length), math.Min(float64(length), 64)+1+chunks+2)
		for _, k := range usable() {
			check(k.Name()+" sum", length, k.SumBound(length), math.Floor(float64(length)/lanes[k.Name()])+8)
		}
	}
}

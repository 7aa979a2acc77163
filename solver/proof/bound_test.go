package proof_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/sparsero/directions/solver/proof"
	"pgregory.net/rapid"
)

// TestFractionsAreRoundedDown: the result is the largest float64 that is not above the number.
func TestFractionsAreRoundedDown(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := big.NewRat(rapid.Int64Range(-1<<40, 1<<40).Draw(t, "numerator"), rapid.Int64Range(1, 1<<40).Draw(t, "denominator"))
		f := proof.LowerOf(v).Float()
		if new(big.Rat).SetFloat64(f).Cmp(v) > 0 || new(big.Rat).SetFloat64(math.Nextafter(f, math.Inf(1))).Cmp(v) <= 0 {
			t.Fatalf("%v becomes %v", v, f)
		}
	})
	huge := new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), 2000))
	if f := proof.LowerOf(huge).Float(); f != math.MaxFloat64 {
		t.Errorf("2^2000 becomes %v", f)
	}
	if f := proof.LowerOf(huge.Neg(huge)).Float(); !math.IsInf(f, -1) {
		t.Errorf("-2^2000 becomes %v", f)
	}
	tiny := new(big.Rat).Inv(huge)
	if f := proof.LowerOf(tiny).Float(); f != -math.SmallestNonzeroFloat64 {
		t.Errorf("-2^-2000 becomes %v", f)
	}
	if f := proof.LowerOf(tiny.Neg(tiny)).Float(); f != 0 {
		t.Errorf("2^-2000 becomes %v", f)
	}
}

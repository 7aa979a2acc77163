package lifted

import (
	"math/big"
	"testing"
)

// TestMultipliersOfOneConstraintAddUp, as a proof may name a row more than once.
func TestMultipliersOfOneConstraintAddUp(t *testing.T) {
	sum := combination{}
	sum.add(3, big.NewRat(1, 2))
	sum.add(1, big.NewRat(-2, 1))
	sum.add(3, big.NewRat(1, 3))
	if got := sum.String(); got != "lin 2 1 -2 3 5/6" {
		t.Errorf("the combination is %q", got)
	}
}

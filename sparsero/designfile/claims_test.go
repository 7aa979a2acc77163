package designfile

import (
	"math"
	"math/big"
	"testing"

	"github.com/sparsero/directions/sparsero/internal/lifted"
)

// A claim is the next decimal number above, or the next float64 where those are fewer; none takes long to find.
func TestDecimalAbove(t *testing.T) {
	smallest := lifted.Rational(math.SmallestNonzeroFloat64)
	for _, test := range []struct {
		v    *big.Rat
		want float64
	}{
		{big.NewRat(1, 3), 0.333333333334}, {big.NewRat(-1, 3), -0.333333333333}, {big.NewRat(1, 4), 0.25}, {new(big.Rat), 0},
		{new(big.Rat).Mul(smallest, big.NewRat(1, 9)), math.SmallestNonzeroFloat64}, {new(big.Rat).Mul(smallest, big.NewRat(-1, 9)), 0},
		{new(big.Rat).Mul(smallest, big.NewRat(501, 5)), 101 * math.SmallestNonzeroFloat64},
		{new(big.Rat).Mul(smallest, big.NewRat(-501, 5)), -100 * math.SmallestNonzeroFloat64},
		{new(big.Rat).Mul(smallest, big.NewRat(-499, 5)), -99 * math.SmallestNonzeroFloat64},
	} {
		if got := decimalAbove(test.v); got != test.want {
			t.Errorf("above %s: %v, want %v", test.v.FloatString(12), got, test.want)
		}
	}
}

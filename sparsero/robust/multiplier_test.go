package robust

import (
	"fmt"
	"math/big"
	"testing"
)

// TestMultipliersAreWrittenExactly below the smallest float64 too, where big.Rat calls 0 exact.
func TestMultipliersAreWrittenExactly(t *testing.T) {
	for _, test := range []struct {
		value *big.Rat
		want  any
	}{
		{new(big.Rat), 0.0},
		{big.NewRat(-3, 4), -0.75},
		{big.NewRat(1, 3), "1/3"},
		{new(big.Rat).SetFrac(big.NewInt(3), new(big.Int).Lsh(big.NewInt(1), 1200)), "3/1" + fmt.Sprintf("%0300d", 0)},
	} {
		if got := multiplierJSON(test.value); got != test.want {
			t.Errorf("%v is written as %v, want %v", test.value, got, test.want)
		}
	}
}

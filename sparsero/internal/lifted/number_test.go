package lifted

import (
	"math/big"
	"strings"
	"testing"
)

// TestNumbersAreWrittenExactly, below the smallest float64 too, where big.Rat calls 0 exact.
func TestNumbersAreWrittenExactly(t *testing.T) {
	for _, test := range []struct {
		value *big.Rat
		want  string
		fits  bool
	}{
		{nil, "0", true}, {new(big.Rat), "0", true}, {big.NewRat(-3, 4), "-0.75", true}, {big.NewRat(1, 3), "", false},
		{new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(-255), 1200)), `"-ff` + strings.Repeat("0", 300) + `"`, true},
		{new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Lsh(big.NewInt(1), 1200)), "", false},
		{new(big.Rat).SetInt64(1<<60 + 1), `"1000000000000001"`, true},
	} {
		n, fits := newNumber(test.value)
		text, err := n.MarshalJSON()
		if fits != test.fits || fits && (err != nil || string(text) != test.want) {
			t.Errorf("%v is written as %s, %v, want %s", test.value, text, fits, test.want)
		}
	}
}

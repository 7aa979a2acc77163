package designfile

import (
	"encoding/json"
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/sparsero/directions/sparsero/internal/lifted"
)

// A claim is the next decimal number above, or the next float64 where those are fewer, and never -0; none takes long to
// find.
func TestDecimalAbove(t *testing.T) {
	smallest, largest := lifted.Rational(math.SmallestNonzeroFloat64), lifted.Rational(math.MaxFloat64)
	for _, test := range []struct {
		v    *big.Rat
		want float64
	}{
		{big.NewRat(1, 3), 0.333333333334}, {big.NewRat(-1, 3), -0.333333333333}, {big.NewRat(1, 4), 0.25}, {new(big.Rat), 0},
		{new(big.Rat).Mul(smallest, big.NewRat(1, 9)), math.SmallestNonzeroFloat64}, {new(big.Rat).Mul(smallest, big.NewRat(-1, 9)), 0},
		{new(big.Rat).Mul(smallest, big.NewRat(501, 5)), 101 * math.SmallestNonzeroFloat64},
		{new(big.Rat).Mul(smallest, big.NewRat(-501, 5)), -100 * math.SmallestNonzeroFloat64},
		{new(big.Rat).Mul(smallest, big.NewRat(-499, 5)), -99 * math.SmallestNonzeroFloat64},
		{largest, math.Inf(1)}, {new(big.Rat).Mul(largest, big.NewRat(9, 1)), math.Inf(1)},
		{new(big.Rat).Neg(largest), -1.79769313486e308}, {new(big.Rat).Mul(largest, big.NewRat(-9, 1)), -1.79769313486e308},
	} {
		if got := decimalAbove(test.v); got != test.want || math.Signbit(got) != (test.want < 0) {
			t.Errorf("above %s: %v, want %v", test.v.FloatString(12), got, test.want)
		}
	}
}

// Whole numbers are read up to 2^53 on both sides, beyond which float64 has no neighbours, and no fractions.
func TestWholeNumbersOfFiles(t *testing.T) {
	for text, fits := range map[string]bool{"9007199254740992": true, "-9007199254740992": true, "9007199254740994": false, "-9007199254740994": false, "0.5": false} {
		err := lifted.Checked(func() {
			if got := whole(json.Number(text), "it"); json.Number(text).String() != big.NewInt(int64(got)).String() {
				t.Errorf("%s is read as %d", text, got)
			}
		})
		if (err == nil) != fits {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// Numbers have up to 5,000 characters, and whole numbers in texts up to 100,000.
func TestLongestNumbersOfFiles(t *testing.T) {
	for fits, more := range map[bool]int{true: 0, false: 1} {
		for _, token := range []any{json.Number("0." + strings.Repeat("0", 4_998+more)), strings.Repeat("7", 100_000+more)} {
			if err := lifted.Checked(func() { readNumber(token, "it") }); (err == nil) != fits {
				t.Errorf("%T, with %d characters more: %v", token, more, err)
			}
		}
	}
}

// A file that does not say what it is gets told so.
func TestFilesWithoutAVersion(t *testing.T) {
	for _, text := range []string{"{}", `{"format": "` + formatName + `"}`, `{"version": 2, "other": [1]}`} {
		if _, err := Verify(strings.NewReader(text), nil); err == nil || !strings.Contains(err.Error(), "names no format and version") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

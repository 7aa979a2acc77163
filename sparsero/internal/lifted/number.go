package lifted

import (
	"encoding/json"
	"math"
	"math/big"
)

// Number is a float64, or a whole number where a float64 has too few digits. The nil Number is 0.
type Number struct {
	value  *big.Float
	digits int // of the text in the file, 0 for a number there
}

// newNumber returns a fraction as a Number, 0 for nil; false if it is neither a float64 nor a whole number.
func newNumber(v *big.Rat) (n Number, ok bool) {
	if v == nil {
		return Number{}, true
	}
	if nearest, _ := v.Float64(); !math.IsInf(nearest, 0) && Rational(nearest).Cmp(v) == 0 { // its second result calls an underflow exact
		return Float(nearest), true
	}
	return Number{value: dyadic(0).SetInt(v.Num())}, v.IsInt()
}

// Float returns a float64 as a Number.
func Float(v float64) Number { return Number{value: dyadic(v)} }

// Whole reads a whole number in hexadecimal digits. It panics if the text is none.
func Whole(text string) Number {
	whole, _ := new(big.Int).SetString(text, 16)
	return Number{dyadic(0).SetInt(whole), len(text)}
}

// float returns the number, exactly.
func (n Number) float() *big.Float {
	if n.value == nil {
		return dyadic(0)
	}
	return n.value
}

// MarshalJSON writes a float64, or a whole number in hexadecimal digits as a text.
func (n Number) MarshalJSON() ([]byte, error) {
	if nearest, accuracy := n.float().Float64(); accuracy == big.Exact {
		return json.Marshal(nearest)
	}
	whole, _ := n.value.Int(nil)
	return json.Marshal(whole.Text(16))
}

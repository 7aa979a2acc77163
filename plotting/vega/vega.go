// Package vega writes Vega-Lite specifications as compact JSON.
package vega

import (
	"encoding/json"
	"math"
	"strconv"
)

// Schema is the address that names the dialect; nothing is fetched from it.
const Schema = "https://vega.github.io/schema/vega-lite/v5.json"

// Object is a JSON object of a specification; its keys are written in alphabetical order, so
// that the same chart gives the same bytes.
type Object = map[string]any

// Number is a value in a specification, written with 7 significant digits, enough for any
// screen; NaN and infinities become null, which Vega-Lite treats as missing.
type Number float64

// numberDigits is the number of significant digits of a Number.
const numberDigits = 7

// MarshalJSON writes the number.
func (n Number) MarshalJSON() ([]byte, error) {
	v := float64(n)
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return []byte("null"), nil
	}
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return strconv.AppendFloat(nil, v, 'f', 0, 64), nil
	}
	return strconv.AppendFloat(nil, v, 'g', numberDigits, 64), nil
}

// Quote writes a text as a string literal of the expression language.
func Quote(s string) string {
	data, err := json.Marshal(s) // escapes <, > and & too, so the literal is safe inside HTML
	if err != nil {
		return `""`
	}
	return string(data)
}

package live

import (
	"encoding/json"
	"math"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

func TestNumbers(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0", 1: "1", -2.5: "-2.5", 1577836800000: "1577836800000", 1e20: "1e+20", 1.0 / 3: "0.3333333", math.Inf(1): "null", math.Inf(-1): "null",
	} {
		if data, err := json.Marshal(number(v)); err != nil || string(data) != want {
			t.Errorf("%g is written %s (%v), want %s", v, data, err, want)
		}
	}
	if data, err := json.Marshal(number(math.NaN())); err != nil || string(data) != "null" {
		t.Errorf("NaN is written %s (%v)", data, err)
	}
}

// TestNumbersReadBack: what is written is valid JSON within 7 significant digits.
func TestNumbersReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.Float64().Filter(func(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }).Draw(t, "v")
		data, err := json.Marshal(number(v))
		if err != nil {
			t.Fatal(err)
		}
		back, err := strconv.ParseFloat(string(data), 64)
		if err != nil || math.Abs(back-v) > 1e-6*math.Abs(v) {
			t.Fatalf("%g is written %s", v, data)
		}
	})
}

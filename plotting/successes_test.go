package plotting

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestSuccesses: the limits of the band are the rates p0 at which the observed share lies z
// standard deviations away, which is how Wilson's interval is defined.
func TestSuccesses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 500).Draw(t, "n")
		k := rapid.IntRange(0, n).Draw(t, "k")
		confidence := rapid.Float64Range(0.5, 0.999).Draw(t, "confidence")
		s, err := Successes("a", []float64{1}, []int{k}, []int{n}, confidence)
		if err != nil {
			t.Fatal(err)
		}
		p, z := float64(k)/float64(n), math.Sqrt2*math.Erfinv(confidence)
		if s.Y[0] != p || !(s.Low[0] <= p+1e-12 && p <= s.High[0]+1e-12) {
			t.Fatalf("%g in [%g, %g]", p, s.Low[0], s.High[0])
		}
		for _, limit := range []float64{s.Low[0], s.High[0]} {
			deviation := math.Sqrt(limit * (1 - limit) / float64(n))
			if got := math.Abs(p - limit); limit > 0 && limit < 1 && math.Abs(got-z*deviation) > 1e-6 {
				t.Fatalf("the limit %g is %g away from %g, want %g", limit, got, p, z*deviation)
			}
		}
	})
}

func TestSuccessesErrors(t *testing.T) {
	one := []float64{1}
	for want, err := range map[string]error{
		"confidence 2":      second(Successes("a", one, []int{1}, []int{1}, 2)),
		"trials 0 entries":  second(Successes("a", one, []int{1}, nil, 0)),
		"is 3 of 2 trials":  second(Successes("a", one, []int{3}, []int{2}, 0)),
		"is -1 of 2 trials": second(Successes("a", one, []int{-1}, []int{2}, 0)),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	if s, err := Successes("a", []float64{1, 2}, []int{0, 1}, []int{0, 1}, 0); err != nil || !math.IsNaN(s.Y[0]) || !math.IsNaN(s.Low[0]) || s.Y[1] != 1 {
		t.Errorf("without trials: %+v, %v", s, err)
	}
}

func second(_ Series, err error) error { return err }

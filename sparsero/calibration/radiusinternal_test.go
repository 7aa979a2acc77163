package calibration

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/sparsero/directions/solver/proof"
)

// TestRadiiSayWhyTheyAreInfinite: a rule of rank k leaves out m-k scores, none beyond the sample.
func TestRadiiSayWhyTheyAreInfinite(t *testing.T) {
	for _, test := range []struct {
		rank, infinite int
		want           string
	}{
		{9, 0, "gave none for 9 samples"}, {9, 1, "1 of 9 samples lie outside the cone of the set, the DKW rule tolerates 0;"}, {10, 0, "gave none"},
		{10, 1, "tolerates 0;"}, {7, 2, "gave none"}, {7, 3, "3 of 9 samples lie outside the cone of the set, the DKW rule tolerates 2;"},
	} {
		r := Radius{Rule: "DKW", Samples: 9, Rank: test.rank, Infinite: test.infinite}
		if err := r.Check(); !errors.Is(err, ErrInfiniteRadius) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("rank %d, %d infinite: %v", test.rank, test.infinite, err)
		}
		if strings.HasPrefix(r.String(), "calibration: ") || !strings.Contains(r.Check().Error(), r.String()) {
			t.Errorf("%v is printed as %s", r.Check(), r)
		}
	}
}

// TestRadiiPrintTheirGuarantee and are finite.
func TestRadiiPrintTheirGuarantee(t *testing.T) {
	for guarantee, want := range map[string]string{
		simultaneous: "r=1.5 (score 7 of 9, DKW rule): with probability at least 1 - 0.01 over the draw of the calibration samples, at most a fraction 0.25 of new samples scores above it, for ",
		marginal:     "r=1.5 (score 7 of 9, DKW rule): on average over calibration samples, at most a fraction 0.25 of new samples scores above it",
		"none":       "r=1.5 (score 7 of 9, DKW rule): no guarantee",
	} {
		r := Radius{Rule: "DKW", Samples: 9, Rank: 7, Value: proof.AtMost(1.5), Parameters: Parameters{Alpha: 0.25, Delta: 0.01, Guarantee: guarantee}}
		if r.Check() != nil || !strings.HasPrefix(r.String(), want) {
			t.Errorf("%s, %v\nwant %s", r, r.Check(), want)
		}
	}
	if (Radius{Value: proof.AtMost(math.Inf(1))}).Check() == nil {
		t.Error("an infinite radius is finite")
	}
}

// TestRadiiOfGroupsPromiseForTheirGroup and not for all new samples, in a design file too, which keeps the sentence.
func TestRadiiOfGroupsPromiseForTheirGroup(t *testing.T) {
	scores, labels := make([]float64, 100), make([]string, 100)
	for j := range scores {
		scores[j], labels[j] = float64(j), []string{"calm", "storm"}[j%2]
	}
	for _, rule := range []Rule{OrderStatistic{Alpha: 0.25, Delta: 0.01}, SplitConformal{Alpha: 0.25}} {
		radii, err := Groups{Rule: rule}.Calibrate(scores, labels)
		if err != nil {
			t.Fatal(err)
		}
		for k, want := range []string{`new samples in group "calm" scores above it`, `new samples in group "storm" scores above it`} {
			if !strings.Contains(radii[k].String(), want) {
				t.Errorf("%s\nwant %s", radii[k], want)
			}
		}
	}
}

// TestOfferedAlphasAreBelowOne as they are printed, since 1 would be refused.
func TestOfferedAlphasAreBelowOne(t *testing.T) {
	for alpha, want := range map[float64]string{0.5: "accept alpha >= 0.5", 0.99989999: "accept alpha >= 0.9999", 0.9999: "", 0.99997: "", 1: ""} {
		text := (&SampleTooSmallError{Rule: "any", SmallestAlpha: alpha, Need: 9, Got: 1}).Error()
		if strings.Contains(text, "accept") != (want != "") || !strings.HasSuffix(text, want) {
			t.Errorf("alpha %v: %s, want %q", alpha, text, want)
		}
	}
	if _, err := (OrderStatistic{Alpha: 0.05, Delta: 3e-5}).Rank(1); err == nil || strings.Contains(err.Error(), "accept alpha >= 1") {
		t.Errorf("one sample: %v", err)
	}
}

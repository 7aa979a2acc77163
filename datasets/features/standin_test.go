package features_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/sparsero/directions/datasets/features"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

func TestStandIn(t *testing.T) {
	o := features.StandInOptions{Examples: 400, Features: 60, Rank: 6, Seed: 3}
	s, err := features.StandIn(o)
	if err != nil {
		t.Fatal(err)
	}
	if mat.Min(s.X) < 0 {
		t.Errorf("the smallest feature is %g, want none below 0", mat.Min(s.X))
	}
	if !strings.Contains(s.Name, "stand-in") || !strings.Contains(s.String(), "stand-in") {
		t.Errorf("%v does not say that it is a stand-in", s)
	}
	if counts(s) != [2]int{200, 200} {
		t.Errorf("classes of %v, want 200 each", counts(s))
	}
	again, err := features.StandIn(o)
	if err != nil {
		t.Fatal(err)
	}
	if !mat.Equal(s.X, again.X) {
		t.Error("the same seed gives other features")
	}
	o.Seed++
	other, err := features.StandIn(o)
	if err != nil {
		t.Fatal(err)
	}
	if mat.Equal(s.X, other.X) {
		t.Error("another seed gives the same features")
	}
}

// Six factors carry more than nine tenths of the variation when there is little
// noise, and all but rounding when there is almost none.
func TestStandInHasTheRankAsked(t *testing.T) {
	for _, test := range []struct{ noise, share float64 }{{0.01, 0.9}, {1e-9, 1 - 1e-12}} {
		s, err := features.StandIn(features.StandInOptions{Examples: 400, Features: 60, Rank: 6, Noise: test.noise})
		if err != nil {
			t.Fatal(err)
		}
		var components stat.PC
		if !components.PrincipalComponents(s.X, nil) {
			t.Fatal("no principal components")
		}
		variances := components.VarsTo(nil)
		first, all := 0.0, 0.0
		for k, variance := range variances {
			if all += variance; k < 6 {
				first += variance
			}
		}
		if first < test.share*all {
			t.Errorf("noise %g: six components carry %g of the variation, want %g", test.noise, first/all, test.share)
		}
	}
}

// The class means differ where the factors do, and not when the separation is tiny.
func TestStandInClassesDiffer(t *testing.T) {
	distance := func(separation float64) float64 {
		s, err := features.StandIn(features.StandInOptions{Examples: 2000, Features: 40, Rank: 4, Separation: separation})
		if err != nil {
			t.Fatal(err)
		}
		largest := 0.0
		for j := range s.Dimension() {
			difference := 0.0
			for i, label := range s.Y {
				difference += label * s.X.At(i, j) / 1000
			}
			largest = max(largest, math.Abs(difference))
		}
		return largest
	}
	if near, far := distance(1e-6), distance(4); far < 3*near {
		t.Errorf("the class means lie %g apart with separation 4 and %g with 1e-6", far, near)
	}
}

func TestStandInHasThePapersSizes(t *testing.T) {
	s, err := features.StandIn(features.StandInOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Y) != 12_000 || s.Dimension() != 512 {
		t.Errorf("%v, want a synthetic set of 12,000 examples and 512 features", s)
	}
}

// TestStandInStaysTheSame: a seed names the numbers that it named in earlier versions.
func TestStandInStaysTheSame(t *testing.T) {
	s, err := features.StandIn(features.StandInOptions{Examples: 5, Features: 4, Rank: 3, Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	want := "[1.410487 1.449555 3.210876 1.595076 0.467735 0.496410 0.813415 0.739445 0.875843 0.485728 " +
		"2.101936 1.235552 0.624549 0.860414 1.465845 0.704377 1.097127 0.648871 2.558886 1.680471]"
	if got := fmt.Sprintf("%.6f", s.X.RawMatrix().Data); got != want {
		t.Error(got)
	}
	for _, o := range []features.StandInOptions{{Examples: 1 << 15, Features: 1<<15 + 1}, {Examples: 1 << 20, Rank: 1<<10 + 1}, {Features: 1 << 16, Rank: 1<<14 + 1}, {Examples: 3}} {
		if _, err := features.StandIn(o); err == nil {
			t.Errorf("%+v is no error", o)
		}
	}
}

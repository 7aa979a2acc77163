package screen

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestCoverEqualsPlainFloat64(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		atoms, directions, p := drawData(t, 60, 70, 80)
		r := newReference(atoms, directions, p)
		budget := rapid.IntRange(1, r.n).Draw(t, "budget")
		// Thresholds that are attained by some atom are the hard ones.
		i, j := rapid.IntRange(0, r.n-1).Draw(t, "atom"), rapid.IntRange(0, r.m-1).Draw(t, "direction")
		thresholds := []float64{0, max(0, r.full[j]-r.scores[i][j]), 0.4 * r.worst(make([]float64, r.m))}
		for _, o := range everyOptions() {
			search := mustNew(t, Matrix64{atoms, p}, directions, o).NewCoverSearch()
			for _, tau := range thresholds {
				want, wantOK := r.cover(tau, budget)
				got, ok, err := search.Within(context.Background(), tau, budget)
				if err != nil {
					t.Fatal(err)
				}
				if ok != wantOK || !slices.Equal(got, want) {
					t.Fatalf("%v: cover at %v is %v (%v), the plain float64 algorithm has %v (%v)", o, tau, got, ok, want, wantOK)
				}
			}
		}
	})
}

// A bisection lists the few cells between two thresholds; what it finds must not
// depend on that, nor on a jump out of the interval.
func TestNestedThresholdsEqualPlainFloat64(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		atoms, directions, p := drawData(t, 60, 70, 80)
		r := newReference(atoms, directions, p)
		budget := rapid.IntRange(1, r.n).Draw(t, "budget")
		highest := r.worst(make([]float64, r.m))
		i, j := rapid.IntRange(0, r.n-1).Draw(t, "atom"), rapid.IntRange(0, r.m-1).Draw(t, "direction")
		attained := min(max(0, r.full[j]-r.scores[i][j]), highest)
		for _, o := range everyOptions() {
			search := mustNew(t, Matrix64{atoms, p}, directions, o).NewCoverSearch()
			check := func(tau float64) {
				want, wantOK := r.cover(tau, budget)
				got, ok, err := search.Within(context.Background(), tau, budget)
				if err != nil {
					t.Fatal(err)
				}
				if ok != wantOK || !slices.Equal(got, want) {
					t.Fatalf("%v: cover at %v is %v (%v), the plain float64 algorithm has %v (%v)", o, tau, got, ok, want, wantOK)
				}
			}
			lower, upper := 0.0, highest
			for range 12 { // towards a threshold that is attained
				middle := lower + (upper-lower)/2
				check(middle)
				if middle < attained {
					lower = middle
				} else {
					upper = middle
				}
			}
			check(attained)
			check(0.9 * highest)
			check(lower)
		}
	})
}

func TestLargestEqualsPlainFloat64(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		atoms, directions, p := drawData(t, 60, 70, 80)
		r := newReference(atoms, directions, p)
		count := rapid.IntRange(1, r.n).Draw(t, "count")
		first := rapid.IntRange(0, r.n-1).Draw(t, "first atom")
		current := make([]float64, r.m)
		r.raise(first, current)
		var want []float64
		for i := range r.n {
			if i != first {
				want = append(want, r.gain(i, current))
			}
		}
		slices.Sort(want)
		slices.Reverse(want)
		want = want[:min(count, len(want))]
		for _, o := range everyOptions() {
			state := mustNew(t, Matrix64{atoms, p}, directions, o).NewState()
			search := state.NewSearch()
			state.Add(first)
			_, got, err := search.Largest(context.Background(), count)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got, want) {
				t.Fatalf("%v: largest gains %v, want %v", o, got, want)
			}
		}
	})
}

// TestStoredAlignmentsDecideCovers: few of the directions that are covered need an alignment in float64.
func TestStoredAlignmentsDecideCovers(t *testing.T) {
	const n, m, p = 1000, 500, 16
	source := rand.New(rand.NewPCG(7, 4))
	s := mustNew(t, Matrix64{gaussian(source, n, p), p}, gaussian(source, m, p), Options{})
	before := s.Cost().Alignments
	cover, ok, err := s.NewCoverSearch().Within(context.Background(), slices.Max(s.Full())/2, n)
	if computed := s.Cost().Alignments - before; !ok || err != nil || computed > m/10 {
		t.Errorf("%d atoms cover %d directions after %d alignments: %v, %v", len(cover), m, computed, ok, err)
	}
}

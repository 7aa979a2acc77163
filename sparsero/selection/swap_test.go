package selection_test

import (
	"context"
	"slices"
	"testing"

	"github.com/sparsero/directions/sparsero/selection"
	"pgregory.net/rapid"
)

// After Swap no exchange of one atom gains, in float64, and the set is at least greedy's; the same in every storage.
func TestSwapEndsWhereNoExchangeGains(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawInstance(t, 14, 4, 12)
		n := in.coverage.Size()
		budget := rapid.IntRange(1, n).Draw(t, "B")
		s := selectAtoms(t, selection.Swap{}, in.coverage, budget)
		value := in.coverage.Value(s.Atoms)
		if greedy := selectAtoms(t, selection.Greedy{}, in.coverage, budget); value < greedy.Coverage[budget-1] {
			t.Fatalf("%v cover %v, less than greedy's %v", s.Atoms, value, greedy.Coverage[budget-1])
		}
		for k := range s.Atoms {
			for i := range n {
				other := slices.Clone(s.Atoms)
				other[k] = i
				if gained := in.coverage.Value(other); gained > value*(1+1e-12) {
					t.Fatalf("%v cover %v, with %d for %d %v", s.Atoms, value, i, s.Atoms[k], gained)
				}
			}
		}
		streamed, err := selection.NewCoverage(in.dictionary, in.directions, &selection.CoverageOptions{Storage: selection.Streamed, Workers: 3})
		if err != nil {
			t.Fatal(err)
		}
		if other := selectAtoms(t, selection.Swap{}, streamed, budget); !slices.Equal(other.Atoms, s.Atoms) || !slices.Equal(other.Bounds, s.Bounds) {
			t.Fatalf("streamed %v with bounds %v, held %v with %v", other.Atoms, other.Bounds, s.Atoms, s.Bounds)
		}
		if last := s.Len(); last > 0 && (s.Coverage[last-1] != value || s.Bounds[last-1].Float() < value) {
			t.Fatalf("coverage %v, bounds %v, value %v", s.Coverage, s.Bounds, value)
		}
	})
}

// Progress tells of every exchange; a context that ends in between leaves the best set found; the start counts.
func TestSwapTellsAndStops(t *testing.T) {
	in := randomInstance(t, 200, 6, 90, 12)
	var steps []selection.Step
	s := selectAtoms(t, selection.Swap{Progress: func(step selection.Step) { steps = append(steps, step) }}, in.coverage, 6)
	if len(steps) < 2 || steps[len(steps)-1].Coverage != in.coverage.Value(s.Atoms) {
		t.Fatalf("steps %v, coverage %v", steps, in.coverage.Value(s.Atoms))
	}
	for k, step := range steps {
		if step.Number != k+1 {
			t.Errorf("exchange %d is told of as number %d", k+1, step.Number)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	stopped, err := selection.Swap{Progress: func(selection.Step) { cancel() }}.Select(ctx, in.coverage, 6)
	if err != nil || !stopped.Partial || in.coverage.Value(stopped.Atoms) != steps[0].Coverage {
		t.Errorf("stopped after one exchange: %+v, %v; want the coverage %v", stopped, err, steps[0].Coverage)
	}
	if again := selectAtoms(t, selection.Swap{Start: s.Atoms}, in.coverage, 6); in.coverage.Value(again.Atoms) != in.coverage.Value(s.Atoms) {
		t.Errorf("from its own end Swap goes to %v", again.Atoms)
	}
	_, err = selection.Swap{Start: []int{200}}.Select(context.Background(), in.coverage, 6)
	wantError(t, err, "Start")
	checkReads(t, randomInstance(t, 12, 2, 6, 9), selection.Streamed, selection.Swap{})
}

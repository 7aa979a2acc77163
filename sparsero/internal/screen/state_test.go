package screen

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestACancelledListOfGainsIsNoError: the state is of use afterwards.
func TestACancelledListOfGainsIsNoError(t *testing.T) {
	source := rand.New(rand.NewPCG(3, 4))
	state := mustNew(t, Matrix64{gaussian(source, 50, 3), 3}, gaussian(source, 40, 3), Options{}).NewState()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	values := make([]float64, 50)
	state.AllGains(ctx, values)
	if state.Err() != nil {
		t.Fatal(state.Err())
	}
	state.AllGains(context.Background(), values)
	for i, value := range values {
		if gain := state.Gain(i); gain != value {
			t.Fatalf("atom %d: gain %v in the list, %v alone", i, value, gain)
		}
	}
}

// TestAtomsFromElsewhere raise the support as the atoms of the screen with the same coordinates do.
func TestAtomsFromElsewhere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		atoms, directions, p := drawData(t, 20, 30, 10)
		s := mustNew(t, Matrix64{atoms, p}, directions, Options{})
		own, foreign := s.NewState(), s.NewState()
		for _, i := range rapid.SliceOfNDistinct(rapid.IntRange(0, s.n-1), 1, s.n, rapid.ID).Draw(t, "atoms") {
			own.Add(i)
			foreign.AddElsewhere(-1, atoms[i*p:][:p])
		}
		if own.Err() != nil || !slices.Equal(own.current, foreign.current) || !slices.Equal(own.floor, foreign.floor) {
			t.Fatalf("supports %v and %v, %v", own.current, foreign.current, own.Err())
		}
		if alone := s.NewState(); s.n > 1 {
			if alone.AddElsewhere(1, atoms[p:][:p]); !slices.Equal(alone.Atoms(), []int{1}) {
				t.Fatalf("atom 1 from elsewhere makes the set %v", alone.Atoms())
			}
		}
	})
}

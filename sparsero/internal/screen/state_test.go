package screen

import (
	"context"
	"errors"
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

// The first error in reading an atom ends a state: the atom is not taken, and all gains are zero from then on.
func TestAStateEndsWithItsFirstError(t *testing.T) {
	for _, o := range []Options{{}, {Stream: true}} {
		source := &spoiling{Matrix64{[]float64{1, 2, 3, 4, 5, 6}, 2}, noAtom}
		state := mustNew(t, source, []float64{1, 0, 0, 1}, o).NewState()
		if gain := state.Take(0); gain != 1.5 {
			t.Fatalf("the first atom gains %v", gain)
		}
		source.fails = 1
		if gain := state.Take(1); gain != 0 || !errors.Is(state.Err(), errSpoiled) || !slices.Equal(state.Atoms(), []int{0}) || state.Value() != 1.5 {
			t.Fatalf("stream %v: gain %v, error %v, atoms %v", o.Stream, gain, state.Err(), state.Atoms())
		}
		source.fails = noAtom
		if gain := state.Gain(2); gain != 0 || !errors.Is(state.Err(), errSpoiled) {
			t.Fatalf("gain %v after an error, %v", gain, state.Err())
		}
		other := mustNew(t, source, []float64{1, 0, 0, 1}, o).NewState()
		source.fails = 2
		if other.AllGains(context.Background(), make([]float64, 3)); !errors.Is(other.Err(), errSpoiled) {
			t.Fatalf("all gains: %v", other.Err())
		}
	}
}

// An alignment in float64 with each direction is counted for a row, and for an atom from elsewhere.
func TestAlignmentsOfOneAtomAreCounted(t *testing.T) {
	s := mustNew(t, Matrix64{[]float64{1, 2, 3}, 1}, []float64{1, -1, 2, 4, 5}, Options{})
	state, before := s.NewState(), s.Cost().Alignments
	if _, err := s.Row(make([]float64, 5), 1); err != nil || s.Cost().Alignments != before+5 {
		t.Errorf("a row takes %d alignments, %v", s.Cost().Alignments-before, err)
	}
	if state.AddElsewhere(-1, []float64{7}); s.Cost().Alignments != before+10 || state.WorstDeficit() != 0 {
		t.Errorf("a row and an atom from elsewhere take %d alignments, deficit %v", s.Cost().Alignments-before, state.WorstDeficit())
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

// TestAtomsOutsideTheScreenPanic: the numbers below 0 and from N on.
func TestAtomsOutsideTheScreenPanic(t *testing.T) {
	state := mustNew(t, Matrix64{[]float64{1, 2}, 1}, []float64{1}, Options{}).NewState()
	for atom, want := range map[int]bool{-1: true, 0: false, 1: false, 2: true} {
		for name, call := range map[string]func(i int){"gain": func(i int) { state.Gain(i) }, "add": state.Add} {
			func() {
				defer func() {
					if panicked := recover() != nil; panicked != want {
						t.Errorf("%s of atom %d of 2 panics: %v", name, atom, panicked)
					}
				}()
				call(atom)
			}()
		}
	}
}

// TestBlocksHoldRowsOfAStreamAlone: where alignments are held nothing is computed again.
func TestBlocksHoldRowsOfAStreamAlone(t *testing.T) {
	for _, stream := range []bool{false, true} {
		b := mustNew(t, Matrix64{[]float64{1, 2}, 1}, []float64{1}, Options{Stream: stream}).newBlock()
		if b.grow(); (b.halves != nil) != stream || (b.positions != nil) != stream {
			t.Errorf("a stream %v: %d alignments, %d positions", stream, len(b.halves), len(b.positions))
		}
	}
}

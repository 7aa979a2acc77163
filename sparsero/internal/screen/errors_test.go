package screen

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"
)

// failing reads atoms and fails at one read, counted from 0.
type failing struct {
	Matrix64
	reads, fails int
}

func (f *failing) Rows(buffer []float64, from, to int) ([]float64, error) {
	if f.reads++; f.reads == f.fails+1 {
		return nil, errSpoiled
	}
	return f.Matrix64.Rows(buffer, from, to)
}

// uses are what a screen is for, each with all that reads atoms.
var uses = map[string]func(ctx context.Context, s *Screen) error{
	"gains": func(ctx context.Context, s *Screen) error {
		state, values := s.NewState(), make([]float64, s.n)
		for _, i := range []int{3, 1, 150} {
			state.Add(i)
		}
		state.Gain(2)
		state.AllGains(ctx, values)
		return errors.Join(state.Err(), ctx.Err())
	},
	"active atoms": func(ctx context.Context, s *Screen) error { return last(s.Active(ctx)) },
	"rows": func(_ context.Context, s *Screen) error {
		_, first := s.Row(make([]float64, s.m), 7)
		_, second := s.AlignmentsWith([]float64{1, 2, 3})
		_, third := s.Norms()
		return errors.Join(first, second, third)
	},
	"greedy": func(ctx context.Context, s *Screen) error {
		state := s.NewState()
		search := state.NewSearch()
		for range 6 {
			best, _, err := search.Best(ctx)
			if err != nil {
				return err
			}
			state.Add(best)
		}
		_, _, err := search.Largest(ctx, 5)
		return errors.Join(err, state.Err())
	},
	"max-gap":         func(ctx context.Context, s *Screen) error { return shrinkGap(ctx, s, false) },
	"max-gap by gain": func(ctx context.Context, s *Screen) error { return shrinkGap(ctx, s, true) },
	"set cover": func(ctx context.Context, s *Screen) error {
		search, row := s.NewCoverSearch(), make([]float64, s.m)
		if _, err := s.Row(row, 3); err != nil {
			return err
		}
		for j, alignment := range row[:9] { // thresholds that are attained: float64 decides
			tau := s.full[j] - alignment
			if _, _, err := search.Within(ctx, tau, s.n); err != nil {
				return err
			}
		}
		return nil
	},
	"exchanges": func(ctx context.Context, s *Screen) error {
		q, err := s.NewSwapSearch([]int{0, 1, 2})
		for found := (Exchange{Gain: 1}); err == nil && found.Gain > 0; {
			if found, err = q.Best(ctx); err == nil && found.Gain > 0 {
				err = q.Make(found)
			}
		}
		return err
	},
	"bounds": func(ctx context.Context, s *Screen) error {
		l, u := s.NewLagrangian(), make([]float64, s.m)
		for step := range 4 {
			for j := range u {
				u[j] = float64((j+step)%3) / 2
			}
			l.Move(u)
			if _, _, err := l.Largest(ctx, Budget{Count: 4}); err != nil {
				return err
			}
			if _, _, err := l.Leaders(ctx, Budget{Count: 3}); err != nil {
				return err
			}
		}
		for j := range u {
			u[j] = float64(j%5) / 4
		}
		l.Move(u)
		return last(l.Candidates(ctx, Budget{Count: 4}, -0.01))
	},
	"bounds along supports": func(ctx context.Context, s *Screen) error {
		supports, err := s.Covers([]int{1, 5, 9}, 0.5, 2)
		if err != nil {
			return err
		}
		l := s.NewLagrangian()
		return l.Along(ctx, supports, func(int) error { return last(l.Candidates(ctx, Budget{Count: 2}, -0.1)) })
	},
}

func last[T any](_ T, err error) error { return err }

func shrinkGap(ctx context.Context, s *Screen, byGain bool) error {
	state := s.NewState()
	search := state.NewGapSearch(byGain)
	for range 6 {
		best, err := search.Best(ctx)
		if err != nil {
			return err
		}
		state.Add(best)
	}
	return state.Err()
}

// No error of reading an atom is swallowed, whichever read it is, of any use and storage.
func TestEveryFailedReadIsAnError(t *testing.T) {
	source := rand.New(rand.NewPCG(4, 7))
	atoms, directions := &failing{Matrix64: Matrix64{gaussian(source, 200, 3), 3}, fails: noAtom}, gaussian(source, 40, 3)
	screenOf := func(o Options) (*Screen, error) { return New(context.Background(), atoms, directions, o) }
	for _, o := range []Options{{Workers: 1}, {Workers: 1, Stream: true}, {Workers: 1, Levels: true}} {
		check := func(name string, use func() error) {
			for atoms.fails = 0; ; atoms.fails++ {
				atoms.reads = 0
				switch err := use(); {
				case atoms.reads > atoms.fails && !errors.Is(err, errSpoiled):
					t.Fatalf("%s, stream %v, levels %v: read %d fails, error %v", name, o.Stream, o.Levels, atoms.fails, err)
				case atoms.reads <= atoms.fails && (err != nil || atoms.fails == 0):
					t.Fatalf("%s, stream %v, levels %v: %d reads, error %v", name, o.Stream, o.Levels, atoms.reads, err)
				case atoms.reads <= atoms.fails:
					return
				}
			}
		}
		check("alignments", func() error { return last(screenOf(o)) })
		for name, use := range uses {
			atoms.fails = noAtom
			s, err := screenOf(o)
			if err != nil {
				t.Fatal(err)
			}
			check(name, func() error { return use(context.Background(), s) })
		}
	}
}

// Whoever is told that the context has ended says so, at whichever question that is, and an ended one is the error of all uses.
func TestEveryUseEndsWithItsContext(t *testing.T) {
	source := rand.New(rand.NewPCG(4, 8))
	atoms, directions := Matrix64{gaussian(source, 200, 3), 3}, gaussian(source, 40, 3)
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	for _, o := range []Options{{Workers: 1}, {Workers: 1, Stream: true}, {Workers: 1, Levels: true}} {
		if _, err := New(ended, atoms, directions, o); !errors.Is(err, context.Canceled) {
			t.Errorf("a screen: %v", err)
		}
		for name, use := range uses {
			s := mustNew(t, atoms, directions, o)
			if err := use(ended, s); !errors.Is(err, context.Canceled) && name != "rows" {
				t.Errorf("%s: %v", name, err)
			}
			for calls, told := 0, true; told; calls += 1 + calls/8 {
				ctx := &endsAfter{Context: context.Background(), calls: calls}
				err := use(ctx, s)
				if told = ctx.calls < 0; told != errors.Is(err, context.Canceled) {
					t.Errorf("%s, stream %v, levels %v: ends after %d questions: %v", name, o.Stream, o.Levels, calls, err)
				}
			}
		}
	}
}

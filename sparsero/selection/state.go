package selection

import (
	"context"
	"fmt"

	"github.com/sparsero/directions/sparsero/internal/screen"
)

// coverageState is the state of a [Coverage]: the support that S reaches in every
// probe direction. The first error in reading the atoms ends it: gains are zero then.
type coverageState struct {
	coverage *Coverage
	inner    *screen.State
	err      error
}

// NewState implements [Objective]. A gain and the addition of an atom cost O(|T|) each
// once the alignments of the atom are known.
func (c *Coverage) NewState() State { return c.newState() }

func (c *Coverage) newState() *coverageState {
	return &coverageState{coverage: c, inner: c.built().NewState()}
}

// Gain implements [State].
func (s *coverageState) Gain(i int) float64 {
	mustContain(s.coverage, i)
	gain, err := s.inner.Gain(i)
	return s.note(gain, err)
}

// Add implements [State].
func (s *coverageState) Add(i int) {
	mustContain(s.coverage, i)
	gain, err := s.inner.Add(i)
	s.note(gain, err)
}

func (s *coverageState) note(gain float64, err error) float64 {
	if err != nil && s.err == nil {
		s.err = fmt.Errorf("selection: %w", err)
	}
	if s.err != nil {
		return 0
	}
	return gain
}

// Value implements [State].
func (s *coverageState) Value() float64 { return s.inner.Value() }

// WorstDeficit returns max_{s in T} Δ_S(s), in O(|T|) time.
func (s *coverageState) WorstDeficit() float64 { return s.inner.WorstDeficit() }

// Err returns the first error in reading the atoms, nil if there was none.
func (s *coverageState) Err() error { return s.err }

func (s *coverageState) gains(ctx context.Context, values []float64) {
	if err := s.inner.AllGains(ctx, values); ctx.Err() == nil {
		s.note(0, err)
	}
}

func (s *coverageState) search() *screen.Search { return s.inner.NewSearch() }

package selection

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Policy is a rule that chooses atoms.
type Policy interface {
	// Name identifies the rule and its options in tables.
	Name() string
	// Select chooses at most budget atoms, 1 <= budget <= N. A budget out of
	// range or options that do not fit the dictionary are errors. If the context
	// ends first the selection is shorter and marked Partial, and the error is
	// nil.
	Select(ctx context.Context, c *Coverage, budget int) (*Selection, error)
}

// Step reports one chosen atom while a policy runs, for live displays.
type Step struct {
	// Number is b, the number of atoms chosen so far, and Budget what was asked.
	Number, Budget int
	// Atom is the atom just chosen and Gain its marginal gain.
	Atom int
	Gain float64
	// Coverage is F(S_b;T), FullCoverage F([N];T), WorstDeficit max_T Δ_{S_b}.
	Coverage, FullCoverage, WorstDeficit float64
	// Elapsed is the time since the policy started.
	Elapsed time.Duration
}

// path records a selection while a policy builds it.
type path struct {
	state     *State
	chosen    []bool
	selection *Selection
	start     time.Time
	calls     int // candidate evaluations made outside state
	budget    int
	progress  func(Step) // called after each atom; may be nil
}

// newPath checks the arguments that all policies share and starts the clock.
func newPath(name string, c *Coverage, budget int) (*path, error) {
	if c == nil {
		return nil, errors.New("selection: coverage is nil; build one with NewCoverage")
	}
	if budget < 1 {
		return nil, fmt.Errorf("selection: budget %d is below 1; use a budget between 1 and the %d atoms of the dictionary", budget, c.Size())
	}
	if budget > c.Size() {
		return nil, fmt.Errorf("selection: budget %d exceeds the %d atoms of the dictionary; use at most %d", budget, c.Size(), c.Size())
	}
	return &path{
		state:     c.NewState(),
		chosen:    make([]bool, c.Size()),
		selection: &Selection{Policy: name, FullCoverage: c.Full()},
		start:     time.Now(),
		budget:    budget,
	}, nil
}

// take appends atom i.
func (p *path) take(i int) {
	s := p.selection
	s.Gains = append(s.Gains, p.state.gain(i))
	p.state.Add(i)
	p.chosen[i] = true
	s.Atoms = append(s.Atoms, i)
	s.Labels = append(s.Labels, p.state.coverage.dictionary.Label(i))
	s.Coverage = append(s.Coverage, p.state.Value())
	s.WorstDeficit = append(s.WorstDeficit, p.state.WorstDeficit())
	s.OracleCalls = append(s.OracleCalls, p.state.OracleCalls()+p.calls)
	s.Elapsed = append(s.Elapsed, time.Since(p.start))
	if b := len(s.Atoms); p.progress != nil {
		p.progress(Step{
			Number: b, Budget: p.budget, Atom: i, Gain: s.Gains[b-1], Coverage: s.Coverage[b-1],
			FullCoverage: s.FullCoverage, WorstDeficit: s.WorstDeficit[b-1], Elapsed: s.Elapsed[b-1],
		})
	}
}

// takeAll appends the atoms of a list until the context ends.
func (p *path) takeAll(ctx context.Context, atoms []int) {
	for _, i := range atoms {
		if p.interrupted(ctx) {
			return
		}
		p.take(i)
	}
}

// warm checks a starting set against the dictionary and the budget, and takes
// its atoms in order.
func (p *path) warm(atoms []int) error {
	if len(atoms) > p.budget {
		return fmt.Errorf("selection: the warm start has %d atoms but budget is %d; raise the budget or shorten the start", len(atoms), p.budget)
	}
	if err := p.state.coverage.dictionary.CheckIndices("Warm", atoms); err != nil {
		return fmt.Errorf("selection: %w", err)
	}
	for _, i := range atoms {
		p.take(i)
	}
	return nil
}

// len returns the number of atoms taken.
func (p *path) len() int { return len(p.selection.Atoms) }

// interrupted tells whether the context has ended, and marks the selection.
func (p *path) interrupted(ctx context.Context) bool {
	if ctx.Err() == nil {
		return false
	}
	p.selection.Partial = true
	return true
}

// finish computes the bounds on the optimum and returns the selection.
func (p *path) finish(ctx context.Context) *Selection {
	s := p.selection
	s.Bounds = upperBounds(ctx, p.state.coverage, s.Atoms)
	for b, value := range s.Coverage {
		s.Bounds[b] = max(s.Bounds[b], value) // an attained value is below the optimum; only rounding can say otherwise
	}
	return s
}

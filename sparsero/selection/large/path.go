package large

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/sparsero/directions/sparsero/internal/screen"
	"github.com/sparsero/directions/sparsero/selection"
)

// path records a selection while it is made.
type path struct {
	coverage  *Coverage
	state     *screen.State
	selection *selection.Selection
	start     time.Time
	budget    int
	progress  func(selection.Step)
}

// newPath checks the arguments that all rules share and starts the clock.
func newPath(name string, c *Coverage, budget int, warm []int, progress func(selection.Step)) (*path, error) {
	if c == nil {
		return nil, errors.New("large: coverage is nil; build one with NewCoverage")
	}
	if budget < 1 || budget > c.Size() {
		return nil, fmt.Errorf("large: budget %d is outside [1,%d]; use at least 1 and at most the number of atoms", budget, c.Size())
	}
	if len(warm) > budget {
		return nil, fmt.Errorf("large: the warm start has %d atoms but budget is %d; raise the budget or shorten the start", len(warm), budget)
	}
	seen := make(map[int]bool, len(warm))
	for k, i := range warm {
		if i < 0 || i >= c.Size() || seen[i] {
			return nil, fmt.Errorf("large: Warm[%d] = %d is outside [0,%d) or listed before; list each atom once", k, i, c.Size())
		}
		seen[i] = true
	}
	return &path{
		coverage:  c,
		state:     c.screen.NewState(),
		selection: &selection.Selection{Policy: name, FullCoverage: c.Full()},
		start:     time.Now(),
		budget:    budget,
		progress:  progress,
	}, nil
}

// take appends atom i. The search has made so many calls.
func (p *path) take(i, calls int) error {
	gain, err := p.state.Add(i)
	if err != nil {
		return err
	}
	s := p.selection
	s.Gains = append(s.Gains, gain)
	s.Atoms = append(s.Atoms, i)
	s.Labels = append(s.Labels, label(p.coverage.atoms, i))
	s.Coverage = append(s.Coverage, p.state.Value())
	s.WorstDeficit = append(s.WorstDeficit, p.state.WorstDeficit())
	s.OracleCalls = append(s.OracleCalls, calls)
	s.Elapsed = append(s.Elapsed, time.Since(p.start))
	if b := len(s.Atoms); p.progress != nil {
		p.progress(selection.Step{
			Number: b, Budget: p.budget, Atom: i, Gain: gain, Coverage: s.Coverage[b-1],
			FullCoverage: s.FullCoverage, WorstDeficit: s.WorstDeficit[b-1], Elapsed: s.Elapsed[b-1],
		})
	}
	return nil
}

// takeAll appends the atoms of a list.
func (p *path) takeAll(ctx context.Context, atoms []int) error {
	for _, i := range atoms {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := p.take(i, 0); err != nil {
			return err
		}
	}
	return nil
}

// len returns the number of atoms taken.
func (p *path) len() int { return len(p.selection.Atoms) }

// finish returns the selection with bounds on the optimum. An error that says that
// the context has ended is not one: the selection is then partial.
func (p *path) finish(ctx context.Context, bounds bool, err error) (*selection.Selection, error) {
	s := p.selection
	if err != nil && ctx.Err() == nil {
		return nil, fmt.Errorf("large: %w", err)
	}
	s.Partial = err != nil
	s.Bounds = make([]float64, p.len())
	for b := range s.Bounds {
		s.Bounds[b] = s.FullCoverage
	}
	if bounds && p.len() > 0 {
		if err := p.upperBounds(ctx); err != nil && ctx.Err() == nil {
			return nil, fmt.Errorf("large: %w", err)
		}
	}
	for b, value := range s.Coverage {
		s.Bounds[b] = max(s.Bounds[b], value) // an attained value is below the optimum; only rounding can say otherwise
	}
	return s, nil
}

// upperBounds lowers the bounds to the least of F(S_t) + the sum of the b largest
// gains at S_t over the steps t of the path, as package selection does.
func (p *path) upperBounds(ctx context.Context) error {
	s := p.selection
	state := p.coverage.screen.NewState()
	search := state.NewSearch()
	for t := 0; ; t++ {
		gains, err := search.Largest(ctx, p.len())
		if err != nil {
			return err
		}
		total := state.Value()
		for b := range s.Bounds {
			if b < len(gains) {
				total += gains[b]
			}
			s.Bounds[b] = min(s.Bounds[b], total)
		}
		if t == p.len() {
			return nil
		}
		if _, err := state.Add(s.Atoms[t]); err != nil {
			return err
		}
	}
}

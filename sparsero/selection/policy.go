package selection

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/sparsero/internal/input"
	"github.com/sparsero/directions/sparsero/internal/rank"
	"github.com/sparsero/directions/sparsero/internal/screen"
)

// Policy is a rule that chooses atoms. Those of this package may be used by several
// goroutines at once, a Progress function of theirs is then called by each.
type Policy interface {
	// Select chooses at most budget atoms, 1 <= budget <= N, for a coverage that [NewCoverage] built. A budget out of range and
	// options that do not fit the coverage are errors, as is a failure to read the atoms. If the context ends first
	// the selection is shorter and marked Partial, and the error is nil.
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
}

// path records a selection while a policy builds it.
type path struct {
	coverage  *Coverage
	state     *screen.State
	chosen    []bool
	selection *Selection
	calls     int // candidates evaluated
	budget    int
	progress  func(Step) // called after each atom; may be nil
	err       error

	skipBounds bool
	lagrangian *screen.Lagrangian // of the bounds; nil if the rule does not need it before
}

// newPath checks the arguments that all policies share. A nil context becomes one that never ends.
func newPath(ctx context.Context, name string, c *Coverage, budget int) (context.Context, *path, error) {
	if c.Size() == 0 {
		return nil, nil, errors.New("selection: the coverage is nil or has no atoms; build one with NewCoverage")
	}
	if budget < 1 {
		return nil, nil, fmt.Errorf("selection: budget %d is below 1; use at least 1 and at most %d", budget, c.Size())
	}
	if budget > c.Size() {
		return nil, nil, fmt.Errorf("selection: budget %d exceeds the %s of the dictionary; use at most %d", budget, input.Count(c.Size(), "atom"), c.Size())
	}
	return input.Context(ctx), &path{
		coverage:  c,
		state:     c.screen.NewState(),
		chosen:    make([]bool, c.Size()),
		selection: &Selection{Policy: name, FullCoverage: c.Full(), Rounding: c.screen.Rounding},
		budget:    budget,
	}, nil
}

// take appends atom i.
func (p *path) take(i int) {
	s := p.selection
	gain := p.state.Take(i)
	if p.failed() {
		return
	}
	p.chosen[i] = true
	s.Gains = append(s.Gains, gain)
	s.Atoms = append(s.Atoms, i)
	s.Labels = append(s.Labels, p.coverage.Label(i))
	s.Coverage = append(s.Coverage, p.state.Value())
	s.OracleCalls = append(s.OracleCalls, p.calls)
	worst := p.state.WorstDeficit()
	s.WorstDeficit = append(s.WorstDeficit, worst)
	if b := len(s.Atoms); p.progress != nil {
		p.progress(Step{
			Number: b, Budget: p.budget, Atom: i, Gain: gain, Coverage: s.Coverage[b-1],
			FullCoverage: s.FullCoverage, WorstDeficit: worst,
		})
	}
}

// takeAll appends the atoms of a list until the context ends.
func (p *path) takeAll(ctx context.Context, atoms []int) {
	for _, i := range atoms {
		if p.stopped(ctx) {
			return
		}
		p.take(i)
	}
}

// warm checks a starting set against the budget, and takes its atoms in order.
func (p *path) warm(ctx context.Context, atoms []int) error {
	if len(atoms) > p.budget {
		return fmt.Errorf("selection: the warm start has %d atoms but budget is %d; raise the budget or shorten the start", len(atoms), p.budget)
	}
	if err := input.CheckIndices("Start", atoms, p.coverage.Size()); err != nil {
		return fmt.Errorf("selection: %w", err)
	}
	p.takeAll(ctx, atoms)
	return nil
}

// takeRanked appends the atoms with the largest values, which were computed with an error or nil, and returns the selection.
func (p *path) takeRanked(ctx context.Context, values []float64, err error) (*Selection, error) {
	if err != nil {
		return nil, fmt.Errorf("selection: %w", err)
	}
	order := rank.Indices[int](len(values))
	slices.SortFunc(order, func(a, b int) int { return rank.Compare(values[a], a, values[b], b) })
	p.takeAll(ctx, order[:p.budget])
	return p.finish(ctx)
}

// takeByGain takes a set of atoms in the order of greedy, without those that add nothing to the others.
func (p *path) takeByGain(atoms []int) {
	gains := make([]float64, len(p.chosen))
	for range atoms {
		for _, i := range atoms {
			gains[i] = p.state.Gain(i)
		}
		i := best(gains, func(i int) bool { return gains[i] > 0 })
		if i == nothing {
			return
		}
		p.take(i)
	}
}

// fillBy takes the atoms that next returns until the budget is used up or it returns nothing.
func (p *path) fillBy(ctx context.Context, next func() (i int, err error)) {
	for p.len() < p.budget && !p.stopped(ctx) {
		i, err := next()
		if p.err = ended(ctx, err); p.err != nil {
			return
		}
		if i < 0 || p.stopped(ctx) { // an atom found in haste does not count
			return
		}
		p.take(i)
	}
}

// len returns the number of atoms taken.
func (p *path) len() int { return len(p.selection.Atoms) }

// stopped tells whether the context has ended, and marks the selection, or the atoms cannot be read.
func (p *path) stopped(ctx context.Context) bool {
	if ctx.Err() != nil {
		p.selection.Partial = true
	}
	return p.failed() || p.selection.Partial
}

// failed tells whether the atoms cannot be read.
func (p *path) failed() bool {
	if err := p.state.Err(); err != nil && p.err == nil {
		p.err = fmt.Errorf("selection: %w", err)
	}
	return p.err != nil
}

// finish computes the bounds on the optimum and returns the selection.
func (p *path) finish(ctx context.Context) (*Selection, error) {
	if p.failed() {
		return nil, p.err
	}
	s := p.selection
	s.Bounds = make([]proof.Upper, p.len()) // for slices.Repeat the linker would keep all that prints bounds, package math/big with it
	for b := range s.Bounds {
		s.Bounds[b] = proof.AtMost(max(s.Coverage[b], s.Rounding.AtMost(s.FullCoverage)))
	}
	if !p.skipBounds && p.len() > 0 && ctx.Err() == nil {
		if err := ended(ctx, p.bound(ctx)); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// bound lowers the bounds of the selection. If the context ends, they are those of the steps that were done.
func (p *path) bound(ctx context.Context) error {
	if p.lagrangian == nil {
		p.lagrangian = p.coverage.screen.NewLagrangian()
	}
	b := newBounding(p.coverage, p.selection, p.lagrangian)
	defer b.store(p.selection)
	if err := b.covers(ctx, p.coverage); err != nil {
		return err
	}
	return b.usual(ctx, p.coverage)
}

// best returns the atom that comes first by the tie rule among those that may be taken, or nothing.
func best(values []float64, may func(i int) bool) int {
	first := nothing
	for i, value := range values {
		if may(i) && (first == nothing || rank.Ahead(value, i, values[first], first)) {
			first = i
		}
	}
	return first
}

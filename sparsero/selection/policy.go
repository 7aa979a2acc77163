package selection

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/sparsero/internal/input"
	"github.com/sparsero/directions/sparsero/internal/rank"
	"github.com/sparsero/directions/sparsero/internal/screen"
)

// Policy is a rule that chooses atoms. Those of this package may be used by several
// goroutines at once, a Progress function of theirs is then called by each.
type Policy interface {
	// Select chooses at most budget atoms, 1 <= budget <= N. A budget out of range,
	// options that do not fit the objective, and an objective that lacks what the rule
	// looks at are errors, as is a failure to read the atoms. If the context ends first
	// the selection is shorter and marked Partial, and the error is nil.
	Select(ctx context.Context, o Objective, budget int) (*Selection, error)
}

// Step reports one chosen atom while a policy runs, for live displays.
type Step struct {
	// Number is b, the number of atoms chosen so far, and Budget what was asked.
	Number, Budget int
	// Atom is the atom just chosen and Gain its marginal gain.
	Atom int
	Gain float64
	// Coverage is F(S_b;T), FullCoverage F([N];T), WorstDeficit max_T Δ_{S_b}
	// (0 for objectives without deficits).
	Coverage, FullCoverage, WorstDeficit float64
	// Elapsed is the time since the policy started.
	Elapsed time.Duration
}

// path records a selection while a policy builds it.
type path struct {
	objective Objective
	state     State
	chosen    []bool
	selection *Selection
	start     time.Time
	calls     int // candidates evaluated
	budget    int
	progress  func(Step) // called after each atom; may be nil
	err       error

	skipBounds bool
}

// newPath checks the arguments that all policies share and starts the clock.
func newPath(name string, o Objective, budget int) (*path, error) {
	if o == nil || o.Size() == 0 {
		return nil, errors.New("selection: the objective is nil or has no atoms; build one with NewCoverage")
	}
	if budget < 1 {
		return nil, fmt.Errorf("selection: budget %d is below 1; use a budget between 1 and the %d atoms of the dictionary", budget, o.Size())
	}
	if budget > o.Size() {
		return nil, fmt.Errorf("selection: budget %d exceeds the %d atoms of the dictionary; use at most %d", budget, o.Size(), o.Size())
	}
	return &path{
		objective: o,
		state:     o.NewState(),
		chosen:    make([]bool, o.Size()),
		selection: &Selection{Policy: name, FullCoverage: o.Full(), Rounding: roundingOf(o)},
		start:     time.Now(),
		budget:    budget,
	}, nil
}

// newCoveragePath is newPath for a rule that looks at probe directions.
func newCoveragePath(rule string, o Objective, budget int) (*path, *Coverage, error) {
	c, ok := o.(*Coverage)
	if !ok && o != nil {
		return nil, nil, fmt.Errorf("selection: %s looks at probe directions and needs a Coverage, got a %T; use Greedy or Knapsack", rule, o)
	}
	p, err := newPath(rule, o, budget)
	return p, c, err
}

// take appends atom i.
func (p *path) take(i int) {
	s := p.selection
	gain := p.state.Gain(i)
	if p.state.Add(i); p.failed() {
		return
	}
	p.chosen[i] = true
	s.Gains = append(s.Gains, gain)
	s.Atoms = append(s.Atoms, i)
	s.Labels = append(s.Labels, label(p.objective, i))
	s.Coverage = append(s.Coverage, p.state.Value())
	s.OracleCalls = append(s.OracleCalls, p.calls)
	s.Elapsed = append(s.Elapsed, time.Since(p.start))
	worst := 0.0
	if state, ok := p.state.(*screen.State); ok {
		worst = state.WorstDeficit()
		s.WorstDeficit = append(s.WorstDeficit, worst)
	}
	if b := len(s.Atoms); p.progress != nil {
		p.progress(Step{
			Number: b, Budget: p.budget, Atom: i, Gain: gain, Coverage: s.Coverage[b-1],
			FullCoverage: s.FullCoverage, WorstDeficit: worst, Elapsed: s.Elapsed[b-1],
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
	if err := input.CheckIndices("Start", atoms, p.objective.Size()); err != nil {
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
	p.takeAll(ctx, ranking(values)[:p.budget])
	return p.finish(ctx)
}

// gains returns the gain of every atom, which counts as N calls.
func (p *path) gains(ctx context.Context, values []float64) {
	allGains(ctx, p.state, values)
	p.calls += len(values)
}

// fillBy takes the atoms that next returns until the budget is used up or it returns
// nothing.
func (p *path) fillBy(ctx context.Context, next func() (i int, err error)) {
	for p.len() < p.budget && !p.stopped(ctx) {
		i, err := next()
		if err != nil && ctx.Err() == nil {
			p.err = fmt.Errorf("selection: %w", err)
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

// atoms returns the atoms taken.
func (p *path) atoms() []int { return p.selection.Atoms }

// stopped tells whether the context has ended, and marks the selection, or the atoms
// cannot be read.
func (p *path) stopped(ctx context.Context) bool {
	if ctx.Err() != nil {
		p.selection.Partial = true
	}
	return p.failed() || p.selection.Partial
}

// failed tells whether the atoms cannot be read.
func (p *path) failed() bool {
	if reads, ok := p.state.(*screen.State); ok && p.err == nil && reads.Err() != nil {
		p.err = fmt.Errorf("selection: %w", reads.Err())
	}
	return p.err != nil
}

// finish computes the bounds on the optimum, of which others may be known, and returns the selection.
func (p *path) finish(ctx context.Context, known ...float64) (*Selection, error) {
	if p.failed() {
		return nil, p.err
	}
	s := p.selection
	s.Bounds = slices.Repeat([]proof.Upper{proof.AtMost(s.Rounding.AtMost(s.FullCoverage))}, p.len())
	if !p.skipBounds && p.len() > 0 && ctx.Err() == nil {
		if err := ended(ctx, p.bound(ctx)); err != nil {
			return nil, err
		}
	}
	for b := range s.Bounds {
		bound := math.Inf(1)
		if b < len(known) {
			bound = known[b]
		}
		s.tighten(b, bound)
	}
	return s, nil
}

// bound lowers the bounds of the selection. If the context ends, they are those of the steps that were done.
func (p *path) bound(ctx context.Context) error {
	c, ok := p.objective.(*Coverage)
	if !ok {
		return p.boundByGains(ctx)
	}
	b := newBounding(c, p.selection)
	defer b.store(p.selection)
	if err := b.covers(ctx, c); err != nil {
		return err
	}
	return b.usual(ctx, c)
}

// boundByGains lowers the bounds for any objective,
//
//	max_{|S| <= b} F(S) <= min_t [ F(S_t) + sum of the b largest gains at S_t ],
//
// where S_t are the first t atoms, t = 0, 1, ... It holds for any path because F is monotone and submodular:
// F(S) <= F(S_t ∪ S) <= F(S_t) + sum_{i in S} gain_i(S_t). For a knapsack the sum is the fractional knapsack of the gains.
func (p *path) boundByGains(ctx context.Context) error {
	s, state := p.selection, p.objective.NewState()
	gains, order := make([]float64, len(p.chosen)), make([]int32, len(p.chosen))
	bounds := slices.Repeat([]float64{math.Inf(1)}, p.len())
	for t := 0; ctx.Err() == nil; t++ {
		allGains(ctx, state, gains)
		for k, i := range ranking(gains) {
			order[k] = int32(i)
		}
		if s.costs == nil {
			largest := make([]float64, p.len())
			for k := range largest {
				largest[k] = gains[order[k]]
			}
			s.Rounding.Tighten(bounds, state.Value(), largest)
		} else {
			bound := s.costs.fractional(s.Rounding, state.Value(), gains)
			for k := range bounds {
				bounds[k] = min(bounds[k], bound)
			}
		}
		if t == p.len() {
			break
		}
		state.Add(s.Atoms[t])
	}
	for k, bound := range bounds {
		s.tighten(k, bound)
	}
	return nil
}

// best returns the atom that comes first by the tie rule among those that may be taken,
// or nothing.
func best(values []float64, may func(i int) bool) int {
	first := nothing
	for i, value := range values {
		if may(i) && (first == nothing || rank.Ahead(value, i, values[first], first)) {
			first = i
		}
	}
	return first
}

package sparsero

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero/input"
)

// MembershipTolerance is the relative slack of [AtomicSet.Contains]: a point
// counts as inside when its gauge is at most r(1 + MembershipTolerance). It
// covers the rounding of a point that was computed to lie on the boundary.
const MembershipTolerance = 1e-12

// Gauge evaluates the gauge of conv({0} ∪ {d_i : i in S}),
//
//	γ_S(u) = min { sum_i a_i : sum_{i in S} a_i d_i = u, a >= 0 },
//
// the least radius r with u in U_S(r), for one point after the other; +Inf
// outside the cone of the atoms. It does not depend on the radius of the set.
//
// The numbers are taken for what they are: a point that leaves a cone of lower
// dimension by its own rounding is outside. A linear program of |S| columns and
// p rows, kept open from point to point, only proposes the atoms; the value is
// then made from them in exact arithmetic and rounded up, so it is never below
// the gauge: where the proposed atoms are the best it is the least float64 that is not below
// it, or one unit in the last place more from p = 35 on. It may exceed it by 1e-9 of it where
// others are better by less than the solver's tolerance or |S|p² exceeds 40,000; beyond that
// size the value is +Inf where no proposal of the solver can be proven.
//
// Units that are powers of two change nothing but the units of the value; numbers beyond
// solver.MaxCoefficient are refused.
//
// A Gauge must not be used by several goroutines at once.
type Gauge struct {
	set     *AtomicSet
	program *solver.Model
	session *solver.Session // on the program; nil without atoms
}

// NewGauge opens the gauge of a set; nil options are the solver's defaults. It is an error
// if the set is nil or if the solver refuses.
func NewGauge(set *AtomicSet, o *solver.Options) (*Gauge, error) {
	if set == nil {
		return nil, errors.New("sparsero: set is nil; build one with NewAtomicSet")
	}
	d, model := set.dictionary, solver.NewModel("gauge")
	g := &Gauge{set: set, program: model}
	if set.Size() == 0 {
		return g, nil
	}
	for _, i := range set.atoms {
		model.AddColumn(solver.Column{Name: fmt.Sprintf("weight of %s (%d)", d.Label(i), i), Bounds: solver.AtLeast(0), Cost: 1})
	}
	for j := range d.Dim() {
		row := solver.Row{Name: fmt.Sprintf("coordinate %s", d.Column(j)), Bounds: solver.Equal(0)}
		for k, i := range set.atoms {
			if v := d.atoms.At(i, j); v != 0 {
				row.Columns, row.Values = append(row.Columns, k), append(row.Values, v)
			}
		}
		model.AddRow(row)
	}
	var err error
	if g.session, err = solver.Open(model, o); err != nil {
		return nil, fmt.Errorf("sparsero: cannot open the gauge program: %w", err)
	}
	return g, nil
}

// Of returns γ_S(u) and coefficients that attain it, in the order of
// [AtomicSet.Atoms] and rounded; they are nil where the value is +Inf. It is an
// error if u does not have length p or is not finite, if the context ends, or if
// the solver ends without an answer.
func (g *Gauge) Of(ctx context.Context, u []float64) (value float64, coefficients []float64, err error) {
	if g == nil || g.set == nil {
		return math.NaN(), nil, errors.New("sparsero: the gauge was not opened; open one with NewGauge")
	}
	if err := input.CheckVector("u", u, g.set.dictionary.Dim()); err != nil {
		return math.NaN(), nil, fmt.Errorf("sparsero: %w", err)
	}
	if err := ctx.Err(); err != nil {
		return math.NaN(), nil, fmt.Errorf("sparsero: gauge: %w", err)
	}
	if isZero(u) {
		return 0, make([]float64, g.set.Size()), nil
	}
	result, err := g.propose(ctx, u)
	if err != nil {
		return math.NaN(), nil, err
	}
	return g.prove(ctx, u, result)
}

// atom returns the k-th atom of the set.
func (g *Gauge) atom(k int) []float64 { return g.set.dictionary.RawRowView(g.set.atoms[k]) }

// propose solves the linear program of a point that is not 0.
func (g *Gauge) propose(ctx context.Context, u []float64) (*solver.Result, error) {
	if g.session == nil {
		return &solver.Result{Status: solver.Infeasible}, nil
	}
	for j, v := range u {
		if math.Abs(v) > solver.MaxCoefficient {
			return nil, fmt.Errorf("sparsero: gauge: coordinate %s of u is %g, beyond %g; choose other units", g.set.dictionary.Column(j), v, solver.MaxCoefficient)
		}
		g.program.SetRowBounds(j, solver.Equal(v))
	}
	result, err := g.session.Solve(ctx)
	switch {
	case err != nil:
		return nil, fmt.Errorf("sparsero: the gauge program failed: %w", err)
	case ctx.Err() != nil:
		return nil, fmt.Errorf("sparsero: gauge: %w", ctx.Err())
	}
	return result, nil
}

// Gauge returns the [Gauge] of the set at one point.
func (a *AtomicSet) Gauge(u []float64) (value float64, coefficients []float64, err error) {
	gauge, err := NewGauge(a, nil)
	if err != nil {
		return math.NaN(), nil, err
	}
	return gauge.Of(context.Background(), u)
}

// Contains tells whether u lies in U_S(r), and if it does returns coefficients
// a >= 0 with sum_i a_i d_i = u and sum_i a_i <= r, in the order of
// [AtomicSet.Atoms], rounded, and up to [MembershipTolerance]. Errors are those
// of [AtomicSet.Gauge].
func (a *AtomicSet) Contains(u []float64) (inside bool, coefficients []float64, err error) {
	value, coefficients, err := a.Gauge(u)
	if err != nil {
		return false, nil, err
	}
	if value > a.radius*(1+MembershipTolerance) || math.IsInf(value, 1) { // at a radius that overflows, too
		return false, nil, nil
	}
	return true, coefficients, nil
}

func isZero(v []float64) bool {
	return !slices.ContainsFunc(v, func(x float64) bool { return x != 0 })
}

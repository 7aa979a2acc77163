package sparsero

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero/internal/gauge"
	"github.com/sparsero/directions/sparsero/internal/input"
	"github.com/sparsero/directions/sparsero/internal/kernel"
)

// membershipTolerance is the relative slack of [AtomicSet.Contains]: a point counts as inside when its gauge is at most
// r(1 + membershipTolerance). It covers the rounding of a point that was computed to lie on the boundary.
const membershipTolerance = 1e-12

// Gauge evaluates the gauge of conv({0} ∪ {d_i : i in S}),
//
//	g_S(u) = min { sum_i a_i : sum_{i in S} a_i d_i = u, a >= 0 },
//
// the least radius r with u in U_S(r), for one point after the other; +Inf
// outside the cone of the atoms. It does not depend on the radius of the set.
//
// A point that leaves a cone of lower dimension by its own rounding is outside. The simplex method only proposes atoms,
// and goes on from the last point where they are few; every answer is proven. The value is made from the atoms in twice
// the precision, or in exact arithmetic, and rounded up, so that it is never below the gauge, and at most 1e-9 of it
// above; where the proposed atoms are the best it is the least float64 that is not below it, or one unit in the last
// place more from p = 35 on. Outside the cone means that a direction y with ⟨u,y⟩ > 0 and ⟨d_i,y⟩ <= 0 for all atoms
// has been checked. Where neither is proven the error wraps solver.ErrUnproven.
//
// Units that are powers of two change nothing but the units of the value; points beyond
// solver.MaxCoefficient are refused.
//
// A Gauge must not be used by several goroutines at once.
type Gauge struct {
	set     *AtomicSet
	program *gauge.Program
	values  []float64 // alignments of the atoms
	rows    []int32   // of the atoms in the dictionary
	exact   int       // programs solved in exact arithmetic so far
}

// NewGauge opens the gauge of a set. It costs O(|S|p), and is an error if the set is nil.
func NewGauge(set *AtomicSet) (*Gauge, error) {
	if set == nil {
		return nil, errors.New("sparsero: set is nil; build one with NewAtomicSet")
	}
	g := &Gauge{set: set, values: make([]float64, set.Size()), rows: make([]int32, set.Size())}
	for k, i := range set.atoms {
		g.rows[k] = int32(i)
	}
	if p := set.dictionary.Dim(); p > 0 { // of a set that was built
		g.program = gauge.New(gaugeAtoms{g}, p)
	}
	return g, nil
}

// gaugeAtoms are the atoms of the set as columns of the program, by their position in the set.
type gaugeAtoms struct{ *Gauge }

func (a gaugeAtoms) Size() int { return a.set.Size() }

func (a gaugeAtoms) Atom(k int) []float64 { return a.set.dictionary.RawRowView(a.set.atoms[k]) }

func (a gaugeAtoms) Alignments(dst, y []float64) {
	kernel.Best().Alignments(dst, y, a.set.dictionary.atoms.RawMatrix().Data, a.rows)
}

// Of returns g_S(u) and coefficients that attain it, in the order of [AtomicSet.Atoms] and rounded; they are nil where
// the value is +Inf. It is an error if u does not have length p or is not finite, if float64 does not carry the gauge,
// if the context ends, or, wrapping solver.ErrUnproven, if nothing could be proven.
func (g *Gauge) Of(ctx context.Context, u []float64) (value float64, coefficients []float64, err error) {
	ctx = input.Context(ctx)
	if g == nil || g.set == nil {
		return math.NaN(), nil, errors.New("sparsero: the gauge was not opened; open one with NewGauge")
	}
	claim, err := g.of(ctx, u)
	if err != nil {
		return math.NaN(), nil, fmt.Errorf("sparsero: gauge: %w", err)
	}
	if math.IsInf(claim.upper, 1) && claim.coefficients != nil {
		return math.NaN(), nil, errors.New("sparsero: gauge: u lies in the cone of the atoms, but no float64 carries its gauge; measure u or the atoms in other units")
	}
	return claim.upper, claim.coefficients, nil
}

func (g *Gauge) of(ctx context.Context, u []float64) (gaugeClaim, error) {
	d := g.set.dictionary
	if err := input.CheckVector("u", u, d.Dim()); err != nil {
		return gaugeClaim{}, err
	}
	for j, v := range u {
		if math.Abs(v) > solver.MaxCoefficient {
			return gaugeClaim{}, fmt.Errorf("coordinate %s of u is %g, beyond %g; choose other units, or rescale the model", d.Columns()[j], v, solver.MaxCoefficient)
		}
	}
	if err := ctx.Err(); err != nil {
		return gaugeClaim{}, err
	}
	if isZero(u) {
		return gaugeClaim{coefficients: make([]float64, g.set.Size())}, nil
	}
	return g.prove(ctx, u)
}

// Gauge returns the [Gauge] of the set at one point.
func (a *AtomicSet) Gauge(u []float64) (value float64, coefficients []float64, err error) {
	g, err := NewGauge(a)
	if err != nil {
		return math.NaN(), nil, err
	}
	return g.Of(context.Background(), u)
}

// Contains tells whether u lies in U_S(r), and if it does returns coefficients a >= 0 with sum_i a_i d_i = u and sum_i
// a_i <= r, in the order of [AtomicSet.Atoms], rounded, and up to 1e-12 of r. Errors are those of [Gauge.Of],
// solver.ErrUnproven for a point of which neither is proven among them.
func (a *AtomicSet) Contains(u []float64) (inside bool, coefficients []float64, err error) {
	g, err := NewGauge(a)
	if err != nil {
		return false, nil, err
	}
	outside, coefficients, err := g.exceeds(context.Background(), u, a.radius, min(a.radius*(1+membershipTolerance), math.MaxFloat64))
	if err != nil {
		return false, nil, fmt.Errorf("sparsero: gauge: %w", err)
	}
	return !outside, coefficients, nil
}

func isZero(v []float64) bool {
	return !slices.ContainsFunc(v, func(x float64) bool { return x != 0 })
}

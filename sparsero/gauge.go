package sparsero

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/sparsero/directions/solver"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// MembershipTolerance is the relative slack of [AtomicSet.Contains]: a point
// counts as inside when its gauge is at most r(1 + MembershipTolerance). It
// covers the feasibility tolerance of the linear program behind the gauge.
const MembershipTolerance = 1e-7

// negligible is the size below which a scaled entry of an atom or a point, whose
// largest entry is 1, is taken as zero in linear programs. It lies far below the
// feasibility tolerance of the solvers, which such entries can only confuse.
const negligible = 1e-12

// Gauge returns the gauge of conv({0} ∪ {d_i : i in S}) at u,
//
//	γ_S(u) = min { sum_i a_i : sum_{i in S} a_i d_i = u, a >= 0 },
//
// which is the least radius r with u in U_S(r), and coefficients a that attain
// it, in the order of [AtomicSet.Indices]. It does not depend on the radius of
// the set. When u is outside the cone of the atoms no radius is large enough:
// the value is +Inf and the coefficients are nil. It solves a linear program
// with |S| columns and p rows with the default backend of package solver. It is
// an error if u does not have length p or is not finite, or if the solver ends
// without an answer.
func (a *AtomicSet) Gauge(u []float64) (value float64, coefficients []float64, err error) {
	if err := a.dictionary.CheckDirection("u", u); err != nil {
		return math.NaN(), nil, err
	}
	program, err := newGaugeProgram(a)
	if err != nil {
		return math.NaN(), nil, err
	}
	value, coefficients, err = program.solve(context.Background(), u)
	return value, coefficients, errors.Join(err, program.close())
}

// Gauges returns γ_S(u) for each row u of an M×p matrix, +Inf for rows outside
// the cone of the atoms. One linear program is kept open and starts warm from
// row to row. If the context ends, the values found so far are returned with an
// error that wraps the context's.
func (a *AtomicSet) Gauges(ctx context.Context, points mat.Matrix) ([]float64, error) {
	if err := a.dictionary.CheckDirections("points", points); err != nil {
		return nil, err
	}
	program, err := newGaugeProgram(a)
	if err != nil {
		return nil, err
	}
	rows, columns := points.Dims()
	values := make([]float64, 0, rows)
	point := make([]float64, columns)
	for k := range rows {
		mat.Row(point, k, points)
		value, _, err := program.solve(ctx, point)
		if err != nil {
			return values, errors.Join(fmt.Errorf("sparsero: gauge of row %d: %w", k, err), program.close())
		}
		values = append(values, value)
	}
	return values, program.close()
}

// Contains tells whether u lies in U_S(r), and if it does returns coefficients
// a >= 0 with sum_i a_i d_i = u and sum_i a_i <= r, in the order of
// [AtomicSet.Indices] and up to [MembershipTolerance]. Errors are those of
// [AtomicSet.Gauge].
func (a *AtomicSet) Contains(u []float64) (inside bool, coefficients []float64, err error) {
	value, coefficients, err := a.Gauge(u)
	if err != nil {
		return false, nil, err
	}
	if value > a.radius*(1+MembershipTolerance) {
		return false, nil, nil
	}
	return true, coefficients, nil
}

// gaugeProgram is the linear program of the gauge, open in the solver. Atoms
// and points are scaled to largest entry 1, so that the absolute tolerances of
// the solver act as relative ones and the gauge is exactly homogeneous.
type gaugeProgram struct {
	session solver.Session // nil when every atom is zero
	scale   float64        // largest absolute entry of the atoms
	size    int            // |S|
}

func newGaugeProgram(a *AtomicSet) (*gaugeProgram, error) {
	g := &gaugeProgram{size: len(a.indices)}
	for _, i := range a.indices {
		g.scale = max(g.scale, floats.Norm(a.dictionary.atoms.RawRowView(i), math.Inf(1)))
	}
	if g.scale == 0 {
		return g, nil
	}
	model := solver.NewModel("gauge")
	for _, i := range a.indices {
		model.AddColumn(solver.Column{Name: fmt.Sprintf("weight of %s (%d)", a.dictionary.Label(i), i), Upper: math.Inf(1), Cost: 1})
	}
	for j := range a.dictionary.Dim() {
		row := solver.Row{Name: fmt.Sprintf("coordinate %s", a.dictionary.Column(j))}
		for k, i := range a.indices {
			row.Columns = append(row.Columns, k)
			row.Values = append(row.Values, chop(a.dictionary.atoms.At(i, j)/g.scale))
		}
		model.AddRow(row)
	}
	var err error
	if g.session, err = solver.OpenWarm(model, nil); err != nil {
		return nil, fmt.Errorf("sparsero: cannot open the gauge program: %w", err)
	}
	return g, nil
}

// solve returns the gauge of u and the coefficients.
func (g *gaugeProgram) solve(ctx context.Context, u []float64) (float64, []float64, error) {
	size := floats.Norm(u, math.Inf(1))
	switch {
	case size == 0:
		return 0, make([]float64, g.size), nil
	case g.session == nil:
		return math.Inf(1), nil, nil
	}
	for j, v := range u {
		scaled := chop(v / size)
		if err := g.session.SetRowBounds(j, scaled, scaled); err != nil {
			return math.NaN(), nil, err
		}
	}
	result, err := g.session.Solve(ctx)
	if err != nil {
		return math.NaN(), nil, fmt.Errorf("sparsero: the gauge program failed: %w", err)
	}
	if result.Status == solver.Infeasible || result.Status == solver.InfeasibleOrUnbounded {
		return math.Inf(1), nil, nil // the cost is at least 0, so the program is never unbounded
	}
	if err := result.Check(); err != nil {
		return math.NaN(), nil, fmt.Errorf("sparsero: the gauge program was not solved: %w", errors.Join(err, ctx.Err()))
	}
	coefficients := result.X
	value := 0.0
	for k, weight := range coefficients {
		coefficients[k] = max(0, weight) * (size / g.scale)
		value += coefficients[k]
	}
	return value, coefficients, nil
}

// chop replaces negligible numbers by zero.
func chop(v float64) float64 {
	if math.Abs(v) < negligible {
		return 0
	}
	return v
}

func (g *gaugeProgram) close() error {
	if g.session == nil {
		return nil
	}
	return g.session.Close()
}

package solver

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"time"

	"github.com/sparsero/directions/solver/exact"
)

// Exact is a backend for doubters: the simplex method in exact rational arithmetic, for
// small linear programs. What it says of a model is true of the float64 numbers in it, to
// the last bit: an optimum, Infeasible and Unbounded are each proven by an exact check of
// their own. It stands behind the other backends where their answers cannot be proven.
// The work grows fast with the size; 20 columns and rows take some tenths of a second.
// Integer columns and quadratic objectives give an error matching ErrUnsupported.
type Exact struct{}

const exactName = "exact simplex (pure Go)"

// exactLimit is the number of columns times rows up to which doubts are settled in exact
// arithmetic, in about a second at the most.
const exactLimit = 1500

func exactSize(m *Model) bool { return len(m.columns)*(1+len(m.rows)) <= exactLimit }

// String returns the name of the backend.
func (Exact) String() string { return exactName }

// Open validates and copies the model.
func (Exact) Open(m *Model, o *Options) (Session, error) {
	if err := errors.Join(m.Validate(), o.Validate()); err != nil {
		return nil, err
	}
	for j, c := range m.columns {
		if c.Integer {
			return nil, &UnsupportedError{Backend: "solver.Exact", Feature: fmt.Sprintf("an integer variable (%s)", m.ColumnName(j)), Remedy: highsRemedy}
		}
	}
	if m.IsQuadratic() {
		return nil, &UnsupportedError{Backend: "solver.Exact", Feature: "a quadratic objective", Remedy: "use solver.PureGo, or " + highsRemedy}
	}
	return &exactSession{draft: draft{model: m.Clone()}, options: o.Filled()}, nil
}

type exactSession struct {
	draft
	options Options
}

// Solve starts from scratch.
func (s *exactSession) Solve(ctx context.Context) (*Result, error) {
	if s.closed {
		return nil, ErrClosed
	}
	start := time.Now()
	run := newRun(ctx, &s.options)
	defer run.release()
	result := newResult(s.model, exactName)
	s.model.solveExactly(run, nil, result)
	result.Elapsed = time.Since(start)
	return result, nil
}

// program is the minimisation form of the model without integrality.
func (m *Model) program() *exact.Program {
	p := &exact.Program{}
	for _, c := range m.columns {
		p.Cost = append(p.Cost, m.sign()*c.Cost)
		p.Lower, p.Upper = append(p.Lower, c.Lower), append(p.Upper, c.Upper)
	}
	for _, r := range m.rows {
		p.Rows = append(p.Rows, exact.Row{Columns: r.columns, Values: r.values, Lower: r.lower, Upper: r.upper})
	}
	return p
}

// solveExactly replaces the outcome in a result by the exact one and tells whether there
// is one.
func (m *Model) solveExactly(run *run, near []float64, result *Result) bool {
	p := m.program()
	a := exact.Solve(run.ctx, p, near)
	result.Iterations += a.Pivots
	if a.Status == exact.Stopped {
		result.Status, result.Cause = Limit, run.cause()
		return false
	}
	if err := exact.Check(p, a); err != nil {
		result.Status, result.Detail = NumericalTrouble, fmt.Sprintf("exact arithmetic contradicts itself: %v", err)
		return false
	}
	*result = Result{
		Objective: math.NaN(), Bound: math.NaN(), Gap: math.Inf(1), Iterations: result.Iterations,
		Solver: result.Solver, Model: result.Model, Perturbation: result.Perturbation,
	}
	switch a.Status {
	case exact.Optimal:
		y := floats64(a.Duals)
		for i := range y {
			y[i] *= m.sign()
		}
		x := floats64(a.X)
		result.setOptimum(m, x, y, m.reducedCosts(x, y))
		result.Bound = m.sign() * roundedDown(a.Objective)
		result.proven = true
	case exact.Infeasible:
		result.Status, result.Farkas = Infeasible, floats64(a.Duals)
		result.proven = true
	case exact.Unbounded:
		result.Status, result.Ray = Unbounded, floats64(a.Ray)
		result.proven = true
	}
	return true
}

// reducedCosts returns the gradient at x minus A'y.
func (m *Model) reducedCosts(x, y []float64) []float64 {
	d := m.gradient(x)
	for i, r := range m.rows {
		for k, j := range r.columns {
			d[j] -= y[i] * r.values[k]
		}
	}
	return d
}

func floats64(values []*big.Rat) []float64 {
	if values == nil {
		return nil
	}
	rounded := make([]float64, len(values))
	for k, v := range values {
		rounded[k], _ = v.Float64()
	}
	return rounded
}

// roundedDown returns the largest float64 that is not above v.
func roundedDown(v *big.Rat) float64 {
	f, exactly := v.Float64()
	if !exactly && (math.IsInf(f, 1) || !math.IsInf(f, -1) && new(big.Rat).SetFloat64(f).Cmp(v) > 0) {
		return math.Nextafter(f, math.Inf(-1))
	}
	return f
}

// Package corpora solves the test programs of other solvers, of SciPy, HiGHS, Netlib and MIPLIB, with every backend of
// package solver: status, optimum, proven bound, multipliers and rays are compared with what their authors state.
package corpora

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/sparsero/directions/solver"
)

const (
	// optimumTolerance is how far an optimum may lie from a stated one that names no tolerance of its own, relative to
	// the size of its terms: the published optima have ten digits.
	optimumTolerance = 1e-8
	// pointTolerance is how far a coordinate of a unique optimum may lie from the stated one.
	pointTolerance = 1e-6
	// boundSlack is how far a proven bound may lie on the safe side of the optimum of a linear program.
	boundSlack = 1e-6
	// exactLimit is the number of columns times rows up to which exact arithmetic solves a program in no time.
	exactLimit = 400
	// patience ends a solve that hangs.
	patience = 60 * time.Second
)

// backend is a way to solve programs.
type backend struct {
	name             string
	solver           solver.Backend
	quadratic, whole bool // what it takes besides linear programs
}

// backends are those of every build; with cgo there is HiGHS too.
var backends = []backend{
	{"pure Go", solver.PureGo, true, false},
	{"dual simplex", solver.DualSimplex, false, false},
	{"interior point", solver.InteriorPoint, true, false},
	{"exact", solver.Exact, false, false},
}

// takes tells whether a backend is meant for a model.
func (b backend) takes(m *solver.Model) bool {
	exact := b.solver == solver.Exact
	return (b.quadratic || len(m.Quadratic()) == 0) && (b.whole || !m.IsInteger()) && (!exact || m.Columns()*(1+m.Rows()) <= exactLimit)
}

func TestCorpora(t *testing.T) {
	solved := 0
	for _, file := range []string{"scipy", "highs", "netlib", "infeasible", "miplib"} {
		for _, p := range readProblems(t, "testdata/"+file+".txt") {
			for _, b := range backends {
				if b.takes(p.model) {
					solved++
					t.Run(file+"/"+p.name+"/"+b.name, func(t *testing.T) { check(t, p, b) })
				}
			}
		}
	}
	for _, p := range generated() {
		for _, b := range backends {
			if b.takes(p.model) {
				solved++
				t.Run("generated/"+p.name+"/"+b.name, func(t *testing.T) { check(t, p, b) })
			}
		}
	}
	t.Logf("%d solves", solved)
}

// check solves a problem and compares.
func check(t *testing.T, p *problem, b backend) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	r, err := solver.Solve(ctx, p.model, &solver.Options{Backend: b.solver, RelativeGap: -1})
	if p.nonconvex {
		if !errors.Is(err, solver.ErrNotConvex) {
			t.Fatalf("result %v, error %v; want ErrNotConvex", r, err)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if r.Status == solver.Infeasible && p.inconsistent && strings.Contains(r.Solver, "exact") {
		return // the truth about these numbers
	}
	if r.Status != p.status {
		t.Fatalf("%v; want %v (%s)", r, p.status, p.guards)
	}
	switch r.Status {
	case solver.Optimal:
		checkOptimum(t, p, r)
	case solver.Infeasible:
		if r.Farkas != nil {
			checkFarkas(t, p.model, r.Farkas)
		} else if r.Detail == "" && !p.model.IsInteger() {
			t.Error("infeasible without multipliers and without a word")
		}
	case solver.Unbounded:
		checkRay(t, p.model, r.Ray)
	}
}

// checkOptimum compares objective, point and bound with those of the source, and the multipliers with the conditions of
// optimality.
func checkOptimum(t *testing.T, p *problem, r *solver.Result) {
	t.Helper()
	sign := 1.0
	if p.model.Maximizes() {
		sign = -1
	}
	allowed := p.tolerance * math.Max(1, termSize(p.model, r.X))
	if off := math.Abs(r.Objective - p.optimum); !(off <= allowed) {
		t.Errorf("objective %.12g, stated %.12g: %.2g off (%s)", r.Objective, p.optimum, off, p.guards)
	}
	if value := p.model.Objective(r.X); !(math.Abs(value-r.Objective) <= 1e-9*math.Max(1, termSize(p.model, r.X))) {
		t.Errorf("objective %.17g, at the point %.17g", r.Objective, value)
	}
	// A bound may be on the safe side by far for whole numbers, and missing for a quadratic form that is flat in some
	// directions, where any rounding error of a multiplier counts.
	linear := !p.model.IsInteger() && len(p.model.Quadratic()) == 0
	bound := r.Lower.Float()
	if sign < 0 {
		bound = r.Upper.Float()
	}
	if over := sign * (bound - p.optimum); !(over <= allowed) || linear && !(over >= -boundSlack*math.Max(1, termSize(p.model, r.X))) {
		t.Errorf("bound %.12g, optimum %.12g", bound, p.optimum)
	}
	for j, v := range p.point {
		if !(math.Abs(r.X[j]-v) <= pointTolerance*math.Max(1, math.Abs(v))) {
			t.Errorf("x_%d = %.9g, stated %.9g", j, r.X[j], v)
		}
	}
	if !p.model.IsInteger() {
		if err := p.model.CheckOptimality(r.X, r.RowDuals, r.ColumnDuals, 1e-6, 1e-6); err != nil {
			t.Error(err)
		}
	}
}

// termSize is the size of the terms of the objective at a point.
func termSize(m *solver.Model, x []float64) float64 {
	size := math.Abs(m.Offset())
	for j, v := range x {
		size += math.Abs(m.Column(j).Cost * v)
	}
	for _, q := range m.Quadratic() {
		size += math.Abs(q.Value * x[q.I] * x[q.J])
	}
	return size
}

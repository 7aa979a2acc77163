package solver_test

import (
	"context"
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/sparsero/directions/solver"
)

// slightlyMore needs a little more than the first column can give.
func slightlyMore(little float64) *solver.Model {
	m := solver.NewModel("slightly more")
	m.AddColumn(solver.Column{Bounds: solver.Between(0, 1)})
	m.AddColumn(solver.Column{Bounds: solver.Between(0, 1), Cost: 1})
	m.AddRow(solver.Row{Bounds: solver.AtLeast(1 + little), Columns: []int{0, 1}, Values: []float64{1, 1}})
	return m
}

// TestRowsAreNotMissed: what a row lacks is delivered when it is a hundred times the tolerance, though the cost speaks against
// it, by every method.
func TestRowsAreNotMissed(t *testing.T) {
	const little = 1e-5
	for _, backend := range []solver.Backend{solver.DualSimplex, solver.InteriorPoint, solver.PureGo} {
		r, err := solver.Solve(context.Background(), slightlyMore(little), &solver.Options{Backend: backend})
		if err != nil || r.Status != solver.Optimal || math.Abs(r.X[1]-little) > little/100 {
			t.Errorf("%T: %v, %v, x = %v; want x1 = %g", backend, r, err, r.X, little)
		}
	}
}

// TestSmallValuesStay: a value of a billionth beside 1 is no rounding error of 0.
func TestSmallValuesStay(t *testing.T) {
	told := liar{x: []float64{1, 1e-9}, rowDuals: []float64{1}, columnDuals: []float64{-1, 0}}
	r, err := solver.Solve(context.Background(), slightlyMore(1e-9), &solver.Options{Backend: told})
	if err != nil || r.X[1] == 0 {
		t.Errorf("%v, %v, x = %v", r, err, r.X)
	}
}

// TestTolerancesHaveEnds: from 1e-10 to 0.01, both ends among them.
func TestTolerancesHaveEnds(t *testing.T) {
	for tolerance, allowed := range map[float64]bool{1e-10: true, 0.99e-10: false, 0.01: true, 0.0101: false, -1e-7: false, math.NaN(): false} {
		for _, o := range []solver.Options{{FeasibilityTolerance: tolerance}, {OptimalityTolerance: tolerance}} {
			if _, err := solver.Open(twoColumns(), &o); (err == nil) != allowed {
				t.Errorf("tolerance %v: %v", tolerance, err)
			}
		}
	}
}

// TestDefaultsAreAsDocumented: the zero value of the options means what their comments say.
func TestDefaultsAreAsDocumented(t *testing.T) {
	told := &listener{}
	if _, err := solver.Open(twoColumns(), &solver.Options{Backend: told}); err != nil {
		t.Fatal(err)
	}
	filled := told.options
	if filled.FeasibilityTolerance != 1e-7 || filled.OptimalityTolerance != 1e-7 || filled.RelativeGap != 1e-6 {
		t.Errorf("%+v", filled)
	}
}

// TestDefaultBackendIsTheOneSet: what SetDefault is given solves where options name nothing, until nil restores pure Go.
func TestDefaultBackendIsTheOneSet(t *testing.T) {
	set := &recorder{}
	defer solver.SetDefault(solver.SetDefault(set))
	if before := solver.SetDefault(nil); before != solver.Backend(set) {
		t.Errorf("the default is %T", before)
	}
	if before := solver.SetDefault(nil); before != solver.PureGo {
		t.Errorf("nil leaves %T", before)
	}
}

// TestTroubleKeepsItsWords: a backend in trouble is quoted, one whose claim falls is named with the claim.
func TestTroubleKeepsItsWords(t *testing.T) {
	m := solver.NewModel("square")
	m.AddColumn(solver.Column{Bounds: solver.Between(1, 2)})
	m.AddQuadratic(0, 0, 1)
	for status, want := range map[solver.Status]string{solver.NumericalTrouble: "a singular basis", solver.Infeasible: "the backend says infeasible"} {
		r, err := solver.Solve(context.Background(), m, &solver.Options{Backend: teller{solver.Result{Status: status, Detail: "a singular basis"}}})
		if err != nil || r.Status != solver.NumericalTrouble || !strings.Contains(r.Detail, want) {
			t.Errorf("told %v: %v, detail %q; want %q", status, r, r.Detail, want)
		}
	}
}

// TestBackendsSeeNoOffset: the constant of the objective is added outside the backend.
func TestBackendsSeeNoOffset(t *testing.T) {
	m := slightlyMore(0)
	m.SetOffset(17)
	seen := &recorder{}
	if _, err := solver.Open(m, &solver.Options{Backend: seen}); err != nil || seen.model.Offset() != 0 {
		t.Errorf("offset %v, %v", seen.model.Offset(), err)
	}
}

// TestLargeCurvature: curvatures whose squares are beyond float64 set the unit of the objective.
func TestLargeCurvature(t *testing.T) {
	for _, curvature := range []float64{0x1p600, 0x1p-600} {
		m := solver.NewModel("curved")
		m.AddColumn(solver.Column{Bounds: solver.Between(1, 2)})
		m.AddQuadratic(0, 0, curvature)
		r, err := solver.Solve(context.Background(), m, nil)
		if err != nil || r.Status != solver.Optimal || math.Abs(r.X[0]-1) > 1e-6 || math.Abs(provenOf(r)/curvature-1) > 1e-6 {
			t.Errorf("curvature %g: %v, %v", curvature, r, err)
		}
	}
}

// TestExactBoundIsRoundedDown: the bound of the exact method is the last float64 that does not exceed the optimum, k/7.
func TestExactBoundIsRoundedDown(t *testing.T) {
	for k := int64(1); k < 40; k++ {
		m := solver.NewModel("sevenths")
		m.AddColumn(solver.Column{Bounds: solver.AtLeast(0), Cost: 1})
		m.AddRow(solver.Row{Bounds: solver.AtLeast(float64(k)), Columns: []int{0}, Values: []float64{7}})
		r, err := solver.Solve(context.Background(), m, &solver.Options{Backend: solver.Exact})
		if err != nil {
			t.Fatal(err)
		}
		optimum, above := big.NewRat(k, 7), math.Nextafter(provenOf(r), math.Inf(1))
		if new(big.Rat).SetFloat64(provenOf(r)).Cmp(optimum) > 0 || new(big.Rat).SetFloat64(above).Cmp(optimum) <= 0 {
			t.Errorf("%d/7: bound %.17g", k, provenOf(r))
		}
	}
}

// TestEmptyRowNeedsNoWholeNumbers: a row without coefficients contradicts its bounds whether columns are whole or not.
func TestEmptyRowNeedsNoWholeNumbers(t *testing.T) {
	m := solver.NewModel("empty row")
	m.AddColumn(solver.Column{Bounds: solver.Between(0, 3), Integer: true})
	m.AddRow(solver.Row{Bounds: solver.AtLeast(1)})
	conflict, err := solver.Explain(context.Background(), m, nil)
	if err != nil || conflict.Integrality || len(conflict.Members) != 1 {
		t.Errorf("%+v, %v", conflict, err)
	}
}

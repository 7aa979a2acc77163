//go:build cgo

package robust_test

import (
	"math"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/robust"
)

// A point that breaks a limit without any uncertainty allows no radius, although no atom does harm there: x = 1 and 2 break
// 0.5 x <= 0.25, and at x = 0 the atoms allow 0.130612.
func TestLargestRadiusKeepsToTheNominalLimit(t *testing.T) {
	region := solver.NewModel("X")
	region.AddColumn(solver.Column{Bounds: solver.Between(-1, 2), Integer: true})
	atom := []float64{0.25, 0.25, -1.75, 1.75}
	var atoms [][]float64
	for _, factor := range []float64{1, 1.25, 2.1875} {
		row := make([]float64, len(atom))
		for k, v := range atom {
			row[k] = factor * v
		}
		atoms = append(atoms, row)
	}
	q := sparsero.AffineMap{Matrix: matrix([]float64{-2}, []float64{-2}, []float64{0.25}, []float64{-2}), Constant: []float64{0.75, 1, -1.25, -1}}
	p := must(robust.NewProblem(dictionary(t, atoms...), region, sparsero.AffineMap{}, robust.Constraint{Nominal: []float64{0.5}, Map: q, Limit: 0.25}))(t)
	want := 0.0
	for x := -1.0; x <= 0; x++ {
		harm := 2.1875 * (0.25*(0.75-2*x) + 0.25*(1-2*x) - 1.75*(-1.25+0.25*x) + 1.75*(-1-2*x))
		want = math.Max(want, (0.25-0.5*x)/harm)
	}
	if e := must(p.Explain(ctx, everyAtom(p.Dictionary()), 1, nil))(t); math.Abs(e.LargestRadius-want) > 1e-5*want {
		t.Errorf("%v, want the largest radius %v", e, want)
	}
}

// explanations are the two ways to ask about all atoms.
func explanations(p *robust.Problem, radius float64) map[string]func() (*robust.Explanation, error) {
	all := everyAtom(p.Dictionary())
	return map[string]func() (*robust.Explanation, error){
		"Explain":     func() (*robust.Explanation, error) { return p.Explain(ctx, all, radius, nil) },
		"ExplainFull": func() (*robust.Explanation, error) { return p.ExplainFull(ctx, radius, nil) },
	}
}

// A solver may leave 4e-17 where 0 is meant. That is no reason to grow the radius without end, unless the bounds forbid 0.
func TestLargestRadiusOfAPointBesideZero(t *testing.T) {
	for _, beside := range []float64{4e-17, -4e-17} {
		region := solver.NewModel("X")
		region.AddColumn(solver.Column{Bounds: solver.Between(-1, 1)})
		region.AddRow(solver.Row{Bounds: solver.Equal(beside), Columns: []int{0}, Values: []float64{1}})
		d := dictionary(t, []float64{1}, []float64{-1})
		p := must(robust.NewProblem(d, region, sparsero.AffineMap{}, robust.Constraint{Map: sparsero.Identity(1), Limit: 1}))(t)
		for name, explain := range explanations(p, 1) {
			if e, err := explain(); err != nil || !e.Feasible || !math.IsInf(e.LargestRadius, 1) {
				t.Errorf("%s of %v: %v, %v, want every radius", name, beside, e, err)
			}
		}
	}
}

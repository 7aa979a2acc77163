package convex_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero/convex"
	"gonum.org/v1/gonum/mat"
)

// TestVectorsOfAnotherLengthPanic with a sentence, in every method of every set.
func TestVectorsOfAnotherLengthPanic(t *testing.T) {
	square := solver.NewModel("square")
	square.AddColumn(solver.Column{Bounds: solver.Between(-1, 1)})
	square.AddColumn(solver.Column{Bounds: solver.Between(-1, 1)})
	made := func(set convex.Set, err error) convex.Set {
		if err != nil {
			t.Fatal(err)
		}
		return set
	}
	polyhedron, err := convex.NewPolyhedron(context.Background(), square, nil)
	budget, failed := convex.NewBudget([]float64{1, 2}, 1)
	ellipsoid, singular := convex.NewEllipsoid(mat.NewDense(2, 2, []float64{2, 1, 1, 2}), 1)
	ball, none := convex.NewBall(2, 2, 1)
	_, tail, empty := convex.NewCVaR(2, nil, 0.5)
	for name, set := range map[string]convex.Set{
		"polyhedron": made(polyhedron, err), "budget": made(budget, failed), "ellipsoid": made(ellipsoid, singular), "ball": made(ball, none), "tail": made(tail, empty),
	} {
		calls := map[string]func(v []float64){
			"Support": func(v []float64) { set.Support(v) }, "WorstCase": func(v []float64) { set.WorstCase(v) },
		}
		if gauged, is := set.(convex.Gauged); is {
			calls["Gauge"] = func(v []float64) { gauged.Gauge(v) }
		}
		if compact, is := set.(convex.Compact); is {
			calls["AddSupport"] = func(v []float64) {
				m, s := solver.NewModel("rows"), make([]int, len(v))
				top := m.AddColumn(solver.Column{})
				for k := range v {
					s[k] = m.AddColumn(solver.Column{})
				}
				compact.AddSupport(m, top, s)
			}
		}
		for method, call := range calls {
			for _, length := range []int{0, 1, 3} {
				func() {
					defer func() {
						if said, _ := recover().(string); !strings.HasPrefix(said, "convex: ") {
							t.Errorf("%s of a %s of %d numbers: %q", method, name, length, said)
						}
					}()
					call(make([]float64, length))
				}()
			}
			call(make([]float64, 2))
		}
	}
	if worst := budget.WorstCase([]float64{0, -1}); worst[0] != 0 || worst[1] != -2 {
		t.Errorf("a coordinate that does not count moves: %v", worst)
	}
	if far := []float64{math.Inf(1), 1}; !math.IsInf(polyhedron.Support(far), 1) || polyhedron.WorstCase(far)[0] != 0 || polyhedron.WorstCase(far)[1] != 0 {
		t.Errorf("a direction beyond float64 reaches %v at %v", polyhedron.Support(far), polyhedron.WorstCase(far))
	}
	whole := solver.NewModel("whole")
	whole.AddColumn(solver.Column{Bounds: solver.Between(-1, 1), Integer: true})
	wrong := solver.NewModel("wrong")
	wrong.AddRow(solver.Row{Columns: []int{3}, Values: []float64{1}})
	wrong.AddColumn(solver.Column{Bounds: solver.Between(-1, 1)})
	for _, model := range []*solver.Model{nil, solver.NewModel("empty"), whole, wrong} {
		if _, err := convex.NewPolyhedron(context.Background(), model, nil); err == nil || !strings.HasPrefix(err.Error(), "convex: ") {
			t.Errorf("%+v: %v", model, err)
		}
	}
}

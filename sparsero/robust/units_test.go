package robust_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/certificate"
	"github.com/sparsero/directions/sparsero/robust"
	"gonum.org/v1/gonum/mat"
)

// Two risk factors in different units, a position in currency and a rate: nothing that is
// claimed about them depends on how large the first one is.
func TestCoordinatesInDifferentUnits(t *testing.T) {
	for _, big := range []float64{1, 1e7, 4e8, 1e10, 0x1p300, 0x1p-300} {
		d := dictionary(t, []float64{big, 0}, []float64{0, 0.5})
		region := solver.NewModel("X")
		region.AddColumn(solver.Column{Bounds: solver.Between(-1, 1)})
		region.AddColumn(solver.Column{Bounds: solver.Between(-1, 1), Cost: -0.4})
		q := sparsero.AffineMap{Matrix: matrix([]float64{1 / big, 0}, []float64{0, 1})}
		set := must(sparsero.NewAtomicSet(d, []int{0}, 1))(t)

		if u := must(certificate.SolveUniform(ctx, set, region, q, nil))(t); u.Upper.Float() != 0.5 || u.Value != 0.5 {
			t.Errorf("size %v: uniform certificate in [%v, %v], want 0.5", big, u.Value, u.Upper)
		}
		if f := must(certificate.SolveInflation(ctx, set))(t); !math.IsInf(f.Factor.Float(), 1) {
			t.Errorf("size %v: inflation %v, want +Inf", big, f.Factor)
		}
		limited := must(robust.NewProblem(d, region, sparsero.AffineMap{}, robust.Constraint{Map: q, Limit: 0.25}))(t)
		if _, err := limited.SolveSafe(ctx, []int{0}, 1, nil); !errors.Is(err, certificate.ErrOutsideCone) {
			t.Errorf("size %v: the safe model: %v", big, err)
		}
		if vertices := must(d.SupportVertices(ctx))(t); !slices.Equal(vertices, []int{0, 1}) {
			t.Errorf("size %v: vertices %v", big, vertices)
		}
		if inside, _, err := set.Contains([]float64{0, 0.5}); inside || err != nil {
			t.Errorf("size %v: the second atom is inside: %v, %v", big, inside, err)
		}
	}
}

// The largest radius of a demand that X meets with nothing to spare is 0, whatever the units in
// which radii are measured, also where the question is asked at radius 0.
func TestLargestRadiusAtZero(t *testing.T) {
	for _, unit := range []float64{1, 0x1p-24, 0x1p-100, 0x1p100} {
		d := must(sparsero.NewDictionary(mat.NewDense(1, 1, []float64{3 * unit}), nil))(t)
		region := solver.NewModel("one point")
		region.AddColumn(solver.Column{Bounds: solver.Equal(2)})
		full := robust.Constraint{Name: "full", Nominal: []float64{1}, Map: sparsero.Identity(1), Limit: 2}
		p := must(robust.NewProblem(d, region, sparsero.AffineMap{}, full))(t)
		if e := must(p.ExplainFull(ctx, 0, nil))(t); e.LargestRadius.Float() != 0 || !e.Feasible {
			t.Errorf("unit %v: feasible %v, largest radius %v", unit, e.Feasible, e.LargestRadius.Float())
		}
	}
}

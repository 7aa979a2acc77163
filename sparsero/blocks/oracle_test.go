package blocks_test

import (
	"math"
	"slices"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/blocks"
	"github.com/sparsero/directions/sparsero/robust"
	"github.com/sparsero/directions/sparsero/selection"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// box is the region -1 <= x <= 1 with the given costs.
func box(costs ...float64) *solver.Model {
	region := solver.NewModel("box")
	for _, c := range costs {
		region.AddColumn(solver.Column{Bounds: solver.Between(-1, 1), Cost: c})
	}
	return region
}

// A robust problem over blocks has value, picks and decision of the one in memory, whatever the split, and its claims are true.
func TestRobustOverBlocksIsRobustInMemory(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, p := rapid.IntRange(1, 30).Draw(t, "N"), rapid.IntRange(1, 4).Draw(t, "p")
		atoms := drawMatrix(t, "atoms", n, p)
		region, q := box(drawMatrix(t, "costs", 1, p).RawRowView(0)...), sparsero.Identity(p)
		dictionary := must(sparsero.NewDictionary(atoms, nil))(t)
		row := robust.Constraint{Map: q, Limit: float64(rapid.IntRange(0, 4).Draw(t, "limit"))}
		here := must(robust.NewProblem(dictionary, region, q, row))(t)
		oracle := must(blocks.NewOracle(&memory{parts: drawBlocks(t, atoms)}))(t)
		there := must(robust.NewOracleProblem(ctx, oracle, region, q, row))(t)
		full, want := must(there.SolveFull(ctx, 1, nil))(t), must(here.SolveFull(ctx, 1, nil))(t)
		if math.Abs(full.Value-want.Value) > 1e-6*(1+math.Abs(want.Value)) {
			t.Fatalf("over blocks %v, in memory %v", full, want)
		}
		options := &robust.DesignOptions{Rule: robust.MostViolated}
		budget := rapid.IntRange(1, n).Draw(t, "B")
		got, local := must(there.Design(ctx, budget, 1, options))(t), must(here.Design(ctx, budget, 1, options))(t)
		if labels := local.Solution.Labels(); !slices.Equal(got.Solution.Labels(), labels) || !slices.Equal(got.Solution.X, local.Solution.X) {
			t.Fatalf("over blocks %v at %v, in memory %v at %v", got.Solution.Labels(), got.Solution.X, labels, local.Solution.X)
		}
		truth := must(here.Evaluate(local.Atoms, 1, got.Solution.X))(t)
		if missed := truth.FullValue() - got.Solution.FullValue(); missed > 1e-14*(1+math.Abs(truth.FullValue())) {
			t.Fatalf("over blocks the decision costs %v, in memory %v", got.Solution.FullValue(), truth.FullValue())
		}
		// The decision may miss a row by the tolerance of the solver, which moves values by as much.
		if bound, err := got.Solution.GapBound(); err == nil && bound.Float() < want.LowerBound.Float()-got.Solution.Value-1e-6*(1+math.Abs(want.Value)) {
			t.Fatalf("gap bound %v below the gap %v", bound, want.LowerBound.Float()-got.Solution.Value)
		}
	})
}

// What may lie beyond the atoms that come is at least what exact arithmetic finds there.
func TestOracleRoundsUp(t *testing.T) {
	const lost = 0x1p-60
	parts := []selection.Source{rows{mat.NewDense(1, 2, []float64{1, 0})}, rows{mat.NewDense(1, 2, []float64{1, lost})}}
	atoms, beyond, err := must(blocks.NewOracle(&memory{parts: parts}))(t).Worst(ctx, mat.NewDense(1, 2, []float64{1, 1}), 1)
	if err != nil || len(atoms) != 1 || atoms[0].Label != "d0" || beyond[0] < 1+0x1p-52 || beyond[0] > 1+1e-14 {
		t.Errorf("%+v and %v, %v; want d0 and a bound just above 1", atoms, beyond, err)
	}
	_, err = blocks.NewOracle(nil)
	want(t, err, "engine is nil")
}

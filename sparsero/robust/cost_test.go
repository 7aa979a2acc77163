package robust_test

import (
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/robust"
	"gonum.org/v1/gonum/mat"
)

// TestCostsOfTheMethods counts what the methods do on one problem of Gaussian atoms, so that no cost grows back unseen: solves,
// rows, passes over the dictionary, and bytes for each atom and solve.
func TestCostsOfTheMethods(t *testing.T) {
	const n, p = 20_000, 16
	source := rand.New(rand.NewPCG(5, 6))
	region := solver.NewModel("box")
	for range p {
		region.AddColumn(solver.Column{Bounds: solver.Between(-1, 1), Cost: 3 * source.NormFloat64()})
	}
	problem := must(robust.NewProblem(must(sparsero.NewDictionary(gaussianRows(n, p), nil))(t), region, sparsero.Identity(p)))(t)
	var full *robust.Solution
	atMost(t, "bytes of SolveFull, by atom and round", 20, allocated(func() { full = must(problem.SolveFull(ctx, 1, nil))(t) })/n/float64(full.Rounds))
	atMost(t, "rounds", 4, float64(full.Rounds))
	atMost(t, "rows", 150, float64(full.Rows))
	atMost(t, "atoms of the full model", p+1, float64(len(full.Atoms)))
	var design *robust.Design
	bytes := allocated(func() { design = must(problem.Design(ctx, n, 1, nil))(t) })
	atMost(t, "bytes of Design, by atom and solve", 20, bytes/n/float64(design.Solves))
	atMost(t, "solves", 20, float64(design.Solves))
	atMost(t, "passes by solve", 1, float64(design.OracleCalls)/float64(design.Solves))
	if !design.Certified || !near(design.Solution.FullValue(), full.Value) {
		t.Errorf("stopped by %v at %v, full model %v", design.Stop, design.Solution.FullValue(), full.Value)
	}
	started := must(problem.Design(ctx, n, 1, &robust.DesignOptions{Start: full.Atoms}))(t)
	atMost(t, "solves from the atoms of the full model", 1, float64(started.Solves))
	if !started.Certified || len(started.Atoms) > len(design.Atoms) {
		t.Errorf("from the atoms of the full model: %v; one at a time: %v", started, design)
	}
}

// A row of cutting planes takes memory for its numbers, a few times over, and none to compute them in.
func TestBytesOfARow(t *testing.T) {
	const n, p = 600, 300
	region := solver.NewModel("box")
	for j := range p {
		region.AddColumn(solver.Column{Bounds: solver.Between(-1, 1), Cost: float64(j%7 - 3)})
	}
	problem := must(robust.NewProblem(must(sparsero.NewDictionary(gaussianRows(n, p), nil))(t), region, sparsero.Identity(p)))(t)
	var full *robust.Solution
	bytes := allocated(func() { full = must(problem.SolveFull(ctx, 1, nil))(t) })
	atMost(t, "bytes by row and column", 105, bytes/p/float64(full.Rows))
}

func gaussianRows(n, p int) *mat.Dense {
	source, rows := rand.New(rand.NewPCG(7, 8)), mat.NewDense(n, p, nil)
	rows.Apply(func(_, _ int, _ float64) float64 { return source.NormFloat64() }, rows)
	return rows
}

// allocated returns the bytes that a call allocates.
func allocated(call func()) float64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	call()
	runtime.ReadMemStats(&after)
	return float64(after.TotalAlloc - before.TotalAlloc)
}

func atMost(t *testing.T, what string, most, got float64) {
	t.Helper()
	t.Logf("%s: %.4g", what, got)
	if got > most {
		t.Errorf("%s: %.4g, want at most %g", what, got, most)
	}
}

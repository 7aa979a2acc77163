package robust

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/sparsero/internal/lifted"
)

// TestGapsOfFilesAreThoseInMemory: the file of a decision that misses limits proves the same value gap from the same multipliers. Quadratic
// objectives are left out: memory takes one tangent, the file another proof of the curvature, and either may prove more.
func TestGapsOfFilesAreThoseInMemory(t *testing.T) {
	missed := 0
	for seed := uint64(0); seed < 10_000 && missed < 100; seed++ {
		r := drawn{rand.New(rand.NewPCG(seed, 37))}
		p := r.problem()
		if p == nil {
			continue
		}
		s, err := p.Solve(context.Background(), r.Perm(p.dictionary.size)[:1], r.Float64(), nil)
		if err != nil || s.multipliers.Rows == nil || s.LowerBound == (proof.Lower{}) || len(p.region.Quadratic()) > 0 {
			continue
		}
		x := slices.Clone(s.X)
		for j := range x {
			c := p.region.Column(j)
			x[j] = math.Max(c.Lower(), math.Min(c.Upper(), x[j]+r.number()/8))
		}
		beyond := at(t, s, x)
		problem, decision := beyond.problem.lifted(beyond.Radius), &lifted.Decision{X: beyond.X, Atoms: beyond.Atoms}
		filed := beyond.prove(context.Background(), problem, decision)
		if filed == nil {
			continue
		}
		truth := lifted.Evaluate(problem, decision, filed)
		if truth.Gap == nil || truth.Missed.Sign() == 0 {
			continue
		}
		missed++
		inMemory := beyond.fullUpper(s.Radius).Plus(beyond.lowerBoundAt(beyond).Negated())
		inFile, _ := truth.Gap.Float64()
		if math.Abs(inMemory.Float()-inFile) > 1e-9*(1+beyond.Size) {
			t.Errorf("seed %d: the value gap is at most %v in memory, %v in the file", seed, inMemory, inFile)
		}
	}
	if missed < 100 {
		t.Errorf("%d decisions missed a limit, want 100", missed)
	}
}

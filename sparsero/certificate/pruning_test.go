package certificate

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// Every upper bound that prunes a program of the uniform certificate is one: no
// U_k exceeds the bound that the search kept for it.
func TestPruningBoundsAreUpperBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		source := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		const n = 3
		draw := func(rows int) *mat.Dense {
			m := mat.NewDense(rows, n, nil)
			m.Apply(func(int, int, float64) float64 { return source.NormFloat64() }, m)
			return m
		}
		d, err := sparsero.NewDictionary(draw(20), nil)
		if err != nil {
			t.Fatal(err)
		}
		set, err := sparsero.NewAtomicSet(d, []int{0, 1, 2, 3}[:rapid.IntRange(0, 4).Draw(t, "|S|")], 1)
		if err != nil {
			t.Fatal(err)
		}
		region, rows := solver.NewModel("polytope"), draw(4)
		for range n {
			region.AddColumn(solver.Column{Bounds: solver.Between(-1, 1)})
		}
		for i := range 4 {
			region.AddRow(solver.Row{Bounds: solver.Between(-0.4, 0.2), Columns: []int{0, 1, 2}, Values: rows.RawRowView(i)})
		}
		q := sparsero.AffineMap{Matrix: draw(n), Constant: []float64{0.1, 0, -0.2}}
		search, err := newUniformSearch(context.Background(), set, region, q, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := search.run(context.Background()); err != nil {
			t.Fatal(err)
		}
		for i := set.Size(); i < d.Size(); i++ {
			result, err := search.programs.maximise(context.Background(), search.pull[i].Low, "test")
			if err != nil {
				t.Fatal(err)
			}
			if value := result.Objective + search.pull[i].ConstantLow; value > search.upper[i].Float()+1e-6 && value > 1e-6 {
				t.Fatalf("atom %d: U = %v, bound %v", i, value, search.upper[i])
			}
		}
	})
}

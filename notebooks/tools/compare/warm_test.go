//go:build unix

package compare

import (
	"cmp"
	"context"
	"math"
	"slices"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/highs"
	"gonum.org/v1/gonum/mat"
)

// BenchmarkWarmCuts is the loop of peers.cuts as a Go user would write it: products by gonum, and one HiGHS model that
// stays open, so that each solve begins at the last basis.
func BenchmarkWarmCuts(b *testing.B) {
	t := readTask(b)
	d, costs := t.array(b, "atoms", t.Atoms), append(slices.Clone(t.array(b, "cost", 1).RawRowView(0)), 1)
	t.measure(b, func() (any, error) {
		model, columns := solver.NewModel("box"), make([]int, len(costs))
		for j, cost := range costs {
			columns[j] = model.AddColumn(solver.Column{Bounds: solver.Between(-1, 1), Cost: cost})
		}
		model.SetColumnBounds(columns[t.Dimension], solver.AtLeast(0))
		engine, err := highs.Backend{}.Open(model, &solver.Options{RelativeGap: 1e-6, FeasibilityTolerance: 1e-7, OptimalityTolerance: 1e-7})
		if err != nil {
			return nil, err
		}
		x := make([]float64, len(costs))
		for j, cost := range costs[:t.Dimension] {
			x[j] = -math.Copysign(1, cost)
		}
		reach, value := mat.NewVecDense(t.Atoms, nil), 0.0
		for chosen := map[int]bool{}; ; {
			reach.MulVec(d, mat.NewVecDense(t.Dimension, x[:t.Dimension]))
			worst := mostViolated(reach.RawVector().Data, chosen, (x[t.Dimension]+1e-7*math.Max(1, math.Abs(value)))/t.Radius, max(50, t.Atoms/1000))
			if len(worst) == 0 {
				return value, nil
			}
			for _, i := range worst {
				chosen[i] = true
				row := append(slices.Clone(d.RawRowView(i)), -1/t.Radius)
				model.AddRow(solver.Row{Bounds: solver.AtMost(0), Columns: columns, Values: row})
			}
			result, err := engine.Solve(context.Background())
			if err != nil {
				return nil, err
			}
			x, value = result.X, result.Objective
		}
	})
}

// mostViolated lists the atoms that reach farthest beyond a limit, at most so many, and none that was chosen.
func mostViolated(reach []float64, chosen map[int]bool, limit float64, most int) (list []int) {
	best := func() {
		slices.SortFunc(list, func(i, j int) int { return cmp.Compare(reach[j], reach[i]) })
		list = list[:min(most, len(list))]
	}
	for i, v := range reach {
		if v > limit && !chosen[i] {
			if list = append(list, i); len(list) == 4*most {
				best()
				limit = reach[list[most-1]]
			}
		}
	}
	best()
	return list
}

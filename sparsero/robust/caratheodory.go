package robust

import (
	"context"
	"math"

	"github.com/sparsero/directions/solver"
)

// caratheodory moves positive weights to linearly independent columns without changing
// Σ weights[k] columns[k] and without raising Σ weights, to a vertex of a linear program. Each
// coordinate of the columns is measured in its size: that of the terms it was summed from. It
// returns the positions that keep a weight and their weights: all where the solver gives up.
func caratheodory(columns [][]float64, sizes, weights []float64) (kept []int, moved []float64) {
	shares := solver.NewModel("shares of the weights")
	for _, w := range weights {
		shares.AddColumn(solver.Column{Bounds: solver.AtLeast(0), Cost: w})
	}
	for i, size := range sizes {
		var row solver.Row
		sum := 0.0
		for k, column := range columns {
			if v := weights[k] * (column[i] / size); math.Abs(v) > cancelled {
				row.Columns, row.Values = append(row.Columns, k), append(row.Values, v)
				sum += v
			}
		}
		row.Bounds = solver.Equal(sum)
		shares.AddRow(row)
	}
	result, err := solver.Solve(context.Background(), shares, nil)
	for k, w := range weights {
		share := 1.0
		if err == nil && result.X != nil {
			share = result.X[k]
		}
		if share > 0 {
			kept, moved = append(kept, k), append(moved, share*w)
		}
	}
	return kept, moved
}

//go:build cgo

package solver_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/highs"
)

// covering is an ordinary covering model whose sides are written as far where there is none.
func covering(random *rand.Rand, columns, rows int, far float64, whole bool) *solver.Model {
	m := solver.NewModel("covering")
	for range columns {
		m.AddColumn(solver.Column{Bounds: solver.Between(0, far), Integer: whole, Cost: float64(1 + random.IntN(9))})
	}
	for range rows {
		row := solver.Row{}
		for j := range columns {
			row.Columns, row.Values = append(row.Columns, j), append(row.Values, float64(random.IntN(9)))
		}
		row.Bounds = solver.Between(float64(10+random.IntN(30)), far)
		m.AddRow(row)
	}
	return m
}

// TestFarBoundsOfIntegersAreNone: HiGHS solves integer models whose bounds stand for none.
func TestFarBoundsOfIntegersAreNone(t *testing.T) {
	for _, far := range []float64{1e22, 1e25, 1e30} {
		for seed := range uint64(30) {
			random := rand.New(rand.NewPCG(seed, 9))
			m := covering(random, 5, 3, far, true)
			m.AddRow(solver.Row{Bounds: solver.Equal(float64(random.IntN(5))), Columns: []int{0, 1, 2, 3, 4}, Values: []float64{1, -2, 3, -1, float64(-random.IntN(3))}})
			ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
			r, err := solver.Solve(ctx, m, &solver.Options{Backend: highs.Backend{}})
			cancel()
			if err != nil || r.Status != solver.Optimal {
				t.Fatalf("%g, seed %d: %v, %v", far, seed, r, err)
			}
		}
	}
}

// TestFarBoundsAreNoTolerance: where most sides of a linear program are written for none, a point still keeps to the others.
func TestFarBoundsAreNoTolerance(t *testing.T) {
	seeds := uint64(5)
	if testing.Short() {
		seeds = 1
	}
	for _, backend := range []solver.Backend{solver.DualSimplex, solver.InteriorPoint, highs.Backend{}} {
		for _, far := range []float64{1e12, 1e30} {
			for seed := range seeds {
				random := rand.New(rand.NewPCG(seed, 7))
				m := covering(random, 110, 100, far, false)
				for j := 0; j < 110; j += 4 {
					m.SetColumnBounds(j, solver.Between(-far, far))
					m.AddRow(solver.Row{Bounds: solver.Between(-float64(random.IntN(5)), far), Columns: []int{j, j + 1}, Values: []float64{1, 0.1}})
				}
				r := solveWith(t, m, backend)
				if r.X == nil {
					continue // no more than that is promised for numbers so far apart
				}
				for i := range m.Rows() {
					row, activity, size := m.Row(i), 0.0, 0.0
					for k, j := range row.Columns {
						activity += row.Values[k] * r.X[j]
						size += math.Abs(row.Values[k] * r.X[j])
					}
					if miss := math.Max(row.Lower()-activity, activity-row.Upper()); miss > 1e-6*size {
						t.Errorf("%v, %g, seed %d: row %d is missed by %g", backend, far, seed, i, miss)
					}
				}
			}
		}
	}
}

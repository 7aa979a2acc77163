package solver_test

import (
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/internal/modeltest"
)

// BenchmarkSimplex is an epigraph model of 50 columns and 2,000 rows.
func BenchmarkSimplex(b *testing.B) {
	m := modeltest.WorstCase(50, modeltest.Cuts(50, 2000, 1))
	for b.Loop() {
		if err := solveWith(b, m, solver.Simplex{}).Check(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkInteriorPoint is a quadratic program of 200 columns and 100 rows.
func BenchmarkInteriorPoint(b *testing.B) {
	m := modeltest.LowRankQuadratic(200, 100, 20, 1)
	for b.Loop() {
		if err := solveWith(b, m, solver.InteriorPoint{}).Check(); err != nil {
			b.Fatal(err)
		}
	}
}

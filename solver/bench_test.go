package solver_test

import (
	"context"
	"testing"

	"github.com/sparsero/directions/solver"
)

// BenchmarkDualSimplex solves an epigraph model of 512 columns and 1,000 dense
// rows from scratch; highsbench_test.go has one for HiGHS.
func BenchmarkDualSimplex(b *testing.B) {
	m := worstCase(512, drawnCuts(512, 1000, 1))
	for b.Loop() {
		if err := solveWith(b, m, solver.DualSimplex).Check(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkDualSimplexAdd50RowsWarm adds 50 rows to that model, solved, and solves
// again.
func BenchmarkDualSimplexAdd50RowsWarm(b *testing.B) {
	cuts := drawnCuts(512, 1050, 1)
	for b.Loop() {
		b.StopTimer()
		m := worstCase(512, cuts[:1000])
		session, err := solver.Open(m, &solver.Options{Backend: solver.DualSimplex})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := session.Solve(context.Background()); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		for _, row := range cuts[1000:] {
			m.AddRow(row)
		}
		res, err := session.Solve(context.Background())
		if err != nil || res.Check() != nil {
			b.Fatal(res, err)
		}
		b.ReportMetric(float64(res.Iterations), "iterations/op")
	}
}

// BenchmarkInteriorPoint is a quadratic program of 200 columns and 100 rows.
func BenchmarkInteriorPoint(b *testing.B) {
	m := lowRankQuadratic(200, 100, 20, 1)
	for b.Loop() {
		if err := solveWith(b, m, solver.InteriorPoint).Check(); err != nil {
			b.Fatal(err)
		}
	}
}

//go:build cgo

package solver_test

import (
	"context"
	"testing"

	"github.com/sparsero/directions/solver"
)

// BenchmarkLinear solves an epigraph model of 512 columns and 1,000 dense rows
// from scratch.
func BenchmarkLinear(b *testing.B) {
	useHighs(b)
	m := worstCase(512, drawnCuts(512, 1000, 1))
	for b.Loop() {
		if err := solve(b, m, nil).Check(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkAdd50RowsWarm adds 50 rows to that model, solved, and solves again.
func BenchmarkAdd50RowsWarm(b *testing.B) {
	useHighs(b)
	cuts := drawnCuts(512, 1050, 1)
	for b.Loop() {
		b.StopTimer()
		session, err := solver.Open(worstCase(512, cuts[:1000]), nil)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := session.Solve(context.Background()); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		for _, row := range cuts[1000:] {
			if _, err := session.AddRow(row); err != nil {
				b.Fatal(err)
			}
		}
		res, err := session.Solve(context.Background())
		if err != nil || res.Check() != nil {
			b.Fatal(res, err)
		}
		b.ReportMetric(float64(res.Iterations), "iterations/op")
		if err := session.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkChangeObjectiveWarm solves one polyhedron of 20 columns and 40 rows
// for changing objectives.
func BenchmarkChangeObjectiveWarm(b *testing.B) {
	useHighs(b)
	m := gaussian(shape{Columns: 20, Rows: 40, Density: 1, Bounds: "box", Scale: 1}, 1)
	session, err := solver.Open(m, nil)
	if err != nil {
		b.Fatal(err)
	}
	defer session.Close()
	round := 0
	for b.Loop() {
		round++
		for j := range m.Columns() {
			if err := session.SetCost(j, float64((round*7+j*13)%11-5)); err != nil {
				b.Fatal(err)
			}
		}
		if res, err := session.Solve(context.Background()); err != nil || res.Check() != nil {
			b.Fatal(res, err)
		}
	}
}

// BenchmarkSmallInteger opens, solves and closes a program of 30 binaries.
func BenchmarkSmallInteger(b *testing.B) {
	useHighs(b)
	m := hardKnapsack(30, 5)
	for b.Loop() {
		if err := solve(b, m, nil).Check(); err != nil {
			b.Fatal(err)
		}
	}
}

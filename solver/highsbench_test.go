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

// BenchmarkChangeObjectiveWarm solves one polyhedron of 20 columns and 40 rows
// for changing objectives.
func BenchmarkChangeObjectiveWarm(b *testing.B) {
	useHighs(b)
	m := gaussian(shape{Columns: 20, Rows: 40, Density: 1, Bounds: "box", Scale: 1}, 1)
	session, err := solver.Open(m, nil)
	if err != nil {
		b.Fatal(err)
	}
	round := 0
	for b.Loop() {
		round++
		for j := range m.Columns() {
			m.SetCost(j, float64((round*7+j*13)%11-5))
		}
		if res, err := session.Solve(context.Background()); err != nil || res.Check() != nil {
			b.Fatal(res, err)
		}
	}
}

// BenchmarkSmallInteger opens and solves a program of 30 binaries.
func BenchmarkSmallInteger(b *testing.B) {
	useHighs(b)
	m := hardKnapsack(30, 5)
	for b.Loop() {
		if err := solve(b, m, nil).Check(); err != nil {
			b.Fatal(err)
		}
	}
}

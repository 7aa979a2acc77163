//go:build cgo

package robust_test

import (
	"math"
	"os"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/highs"
	"github.com/sparsero/directions/sparsero/robust"
)

// Cutting planes find the optimum that HiGHS finds with all rows at once, to 1e-7
// relative, whichever backend solves the restricted models.
func TestEveryAtomAgainstAllRows(t *testing.T) {
	if testing.Short() {
		t.Skip("solves with all rows")
	}
	instances := everyAtomInstances(2000, 50)
	if os.Getenv("DIRECTIONS_LONG") == "all" {
		instances = append(instances, everyAtomInstances(15000, 512)...)
	} else {
		t.Log("15,000 atoms in dimension 512 are left out: run make test-long PACKAGE=./sparsero/robust")
	}
	for _, e := range instances {
		p := e.problem(t)
		useHiGHS := &robust.Options{Solver: &solver.Options{Backend: highs.Backend{}}}
		want := must(p.Solve(ctx, everyAtom(p.Dictionary()), e.radius, useHiGHS))(t)
		for _, o := range []*robust.Options{nil, useHiGHS} {
			got := must(p.SolveFull(ctx, e.radius, o))(t)
			if difference := math.Abs(got.Value - want.Value); difference > 1e-7*math.Abs(want.Value)+1e-9 {
				t.Errorf("%v: cutting planes %v (%s), all rows %v", e, got.Value, got.Result.Solver, want.Value)
			}
			t.Logf("%v: %d rounds, %d rows, %s: %v; all rows: %v", e, got.Rounds, got.Rows, got.Result.Solver, got.Value, want.Value)
		}
	}
}

// BenchmarkEveryAtom solves the full model in three ways: HiGHS with all rows at
// once, cutting planes with HiGHS, and cutting planes with the default, which is
// pure Go. The last line against the first is the speed-up.
func BenchmarkEveryAtom(b *testing.B) {
	for _, e := range append(everyAtomInstances(2000, 50), everyAtomInstances(15000, 512)...) {
		b.Run(e.String()+"/HiGHS with all rows", func(b *testing.B) { benchmarkEveryAtom(b, e, highs.Backend{}, true) })
		b.Run(e.String()+"/cutting planes with HiGHS", func(b *testing.B) { benchmarkEveryAtom(b, e, highs.Backend{}, false) })
		b.Run(e.String()+"/cutting planes", func(b *testing.B) { benchmarkEveryAtom(b, e, nil, false) })
	}
}

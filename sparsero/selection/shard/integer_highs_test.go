//go:build cgo

package shard_test

import (
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	_ "github.com/sparsero/directions/solver/highs"
	"github.com/sparsero/directions/sparsero/selection"
	"github.com/sparsero/directions/sparsero/selection/shard"
)

// The bound of a path from blocks, verified or not, is at least what integer programming finds among all atoms.
func TestBoundIsAtLeastTheIntegerOptimum(t *testing.T) {
	unverified := 0
	rapid.Check(t, func(t *rapid.T) {
		n, p, m := rapid.IntRange(2, 25).Draw(t, "N"), rapid.IntRange(2, 4).Draw(t, "p"), rapid.IntRange(2, 15).Draw(t, "M")
		atoms, directions := drawMatrix(t, "atoms", n, p), drawMatrix(t, "directions", m, p)
		budget := rapid.IntRange(1, min(n, 5)).Draw(t, "B")
		options := &shard.Options{Rounds: rapid.IntRange(1, 2).Draw(t, "rounds"), Propose: 1}
		result := must(shard.Select(ctx, &shard.Local{Blocks: drawBlocks(t, atoms)}, directions, budget, options))(t)
		if !result.Verified {
			unverified++
		}
		coverage := must(selection.NewCoverage(rows{mat.DenseCopyOf(atoms)}, directions, nil))(t)
		for b := 1; b <= result.Selection.Len(); b++ {
			best := must(selection.ExactInteger{}.Select(ctx, coverage, b))(t)
			if value, bound := best.Coverage[best.Len()-1], result.Selection.Bounds[b-1]; bound < value*(1-1e-14) { // both are float64
				t.Fatalf("%d atoms reach %v, the bound is %v", b, value, bound)
			}
		}
	})
	if unverified == 0 {
		t.Error("every path was verified: the drawn splits are too kind to test anything")
	}
}

package robust

import (
	"math"
	"slices"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// Carathéodory's theorem: the same combination, a sum of weights that is no
// larger, and no more columns than their dimension.
func TestCaratheodory(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, dimension := rapid.IntRange(1, 12).Draw(t, "columns"), rapid.IntRange(1, 4).Draw(t, "dimension")
		columns, weights := make([][]float64, n), make([]float64, n)
		before, sizes, sum := make([]float64, dimension), make([]float64, dimension), 0.0
		for k := range columns {
			columns[k] = make([]float64, dimension)
			weights[k] = float64(rapid.IntRange(1, 8).Draw(t, "weight")) / 4
			sum += weights[k]
			for j := range dimension {
				columns[k][j] = float64(rapid.IntRange(-4, 4).Draw(t, "entry")) / 2
				before[j] += weights[k] * columns[k][j]
				sizes[j] = math.Max(sizes[j], math.Abs(weights[k]*columns[k][j]))
			}
		}
		kept, moved := caratheodory(columns, sizes, weights)
		after, total := make([]float64, dimension), 0.0
		for i, k := range kept {
			if moved[i] <= 0 {
				t.Fatalf("weight %v", moved[i])
			}
			total += moved[i]
			for j := range dimension {
				after[j] += moved[i] * columns[k][j]
			}
		}
		if len(kept) > dimension || total > sum+1e-9 {
			t.Fatalf("%d columns of dimension %d, weights sum to %v, before %v", len(kept), dimension, total, sum)
		}
		for j := range dimension {
			if math.Abs(after[j]-before[j]) > 1e-9*(1+sum) {
				t.Fatalf("combination %v became %v", before, after)
			}
		}
	})
}

// TestSmallWeightKeepsItsAtom: what alone is in a coordinate stays, however small it is beside the terms that cancelled there.
func TestSmallWeightKeepsItsAtom(t *testing.T) {
	if kept, moved := caratheodory([][]float64{{0}, {-12}}, []float64{12}, []float64{2, 7.5e-11}); len(kept) != 1 || kept[0] != 1 || moved[0] != 7.5e-11 {
		t.Errorf("kept %v with %v", kept, moved)
	}
}

// TestFaintMultipliersAreNone: a multiplier that is a rounding error of the radius is one of the dual solution only if
// its atom makes up for that.
func TestFaintMultipliersAreNone(t *testing.T) {
	for size, want := range map[float64][]int{1: {0}, 1e6: {0, 1}} {
		region := solver.NewModel("box")
		for range 2 {
			region.AddColumn(solver.Column{Bounds: solver.Between(1, 2), Cost: 1})
		}
		d, err := sparsero.NewDictionary(mat.NewDense(2, 2, []float64{1, 0, 0, size}), nil)
		if err != nil {
			t.Fatal(err)
		}
		p, err := NewProblem(d, region, sparsero.Identity(2))
		if err != nil {
			t.Fatal(err)
		}
		s, err := p.Solve(t.Context(), []int{0, 1}, 1, nil)
		if err != nil {
			t.Fatal(err)
		}
		s.multipliers.Robust = []robustMultiplier{{objectiveExposure, 0, 0.5}, {objectiveExposure, 1, 1e-16}}
		dual, err := s.Dual()
		if err != nil || !slices.Equal(dual.Relevant, want) {
			t.Errorf("an atom of size %v: %+v, %v; want %v", size, dual, err, want)
		}
	}
}

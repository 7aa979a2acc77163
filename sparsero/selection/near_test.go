package selection_test

import (
	"bufio"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/sparsero/directions/datasets"
	"github.com/sparsero/directions/datasets/features"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/selection"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// realData is where the data are that the repository does not hold.
const realData = "../../../shared/data"

// near runs greedy and Swap with bounds tightened by a number of steps, and prints a line of the table: the share of greedy that is
// proven by the usual steps and by these, that of Swap, and what Swap adds.
func near(t *testing.T, name string, c *selection.Coverage, budget, steps int) (greedy, swap *selection.Selection) {
	t.Helper()
	greedy, swap = selectAtoms(t, selection.Greedy{}, c, budget), selectAtoms(t, selection.Swap{}, c, budget)
	usual := greedy.OptimalityRatio(budget).Float()
	for _, s := range []*selection.Selection{greedy, swap} {
		if err := s.Tighten(context.Background(), c, &selection.BoundOptions{Steps: steps}); err != nil {
			t.Fatal(err)
		}
	}
	last := swap.Len()
	t.Logf("%-24s B=%3d: greedy %.4f, after %d steps %.4f; swap %.4f, which covers %.2f %% more",
		name, budget, usual, steps, greedy.OptimalityRatio(budget).Float(), swap.OptimalityRatio(last).Float(), 100*(swap.Coverage[last-1]/greedy.Coverage[budget-1]-1))
	return greedy, swap
}

// How near the optimum choices are, and how much of that the bounds prove. go test -v -run TestNear ./sparsero/selection prints
// the table.
func TestNearTheOptimum(t *testing.T) {
	x, err := datasets.NewXShape(datasets.XShapeOptions{Seed: 26})
	if err != nil {
		t.Fatal(err)
	}
	gauss := func(n, p int, seed uint64) *mat.Dense {
		m, err := datasets.Gaussian(n, p, seed)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	shape := newInstance(t, x.Dictionary.Matrix(), x.Directions).coverage
	small := newInstance(t, gauss(40, 5, 2), gauss(60, 5, 102)).coverage
	large := newInstance(t, gauss(2000, 20, 1), gauss(800, 20, 2)).coverage
	for _, test := range []struct {
		name             string
		c                *selection.Coverage
		budget           int
		greedy, swap     float64 // shares that are proven at least
		better, betterAt float64 // what Swap adds in per cent, within betterAt
	}{
		{"40 x 5 of notebook 19", small, 3, .961, .99, 3.9, .1},
		{"X-shape", shape, 2, 1 - 1e-9, 1 - 1e-9, 0, .01},
		{"X-shape", shape, 4, 1 - 1e-9, 1 - 1e-9, 0, .01},
		{"Gaussian 2,000 x 800", large, 5, .92, .945, 2.9, .2},
	} {
		greedy, swap := near(t, test.name, test.c, test.budget, 400)
		last := swap.Len()
		better := 100 * (swap.Coverage[last-1]/greedy.Coverage[test.budget-1] - 1)
		if greedy.OptimalityRatio(test.budget).Float() < test.greedy || swap.OptimalityRatio(last).Float() < test.swap || math.Abs(better-test.better) > test.betterAt {
			t.Errorf("%s, B=%d: greedy %v, swap %v, better by %v %%", test.name, test.budget, greedy.OptimalityRatio(test.budget), swap.OptimalityRatio(last), better)
		}
	}
}

// Features of images, as far as they are there.
func TestNearTheOptimumOnImages(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds, under the race detector half a minute, in which it looks at nothing that runs side by side")
	}
	stem := filepath.Join(realData, "cifar10_cat_dog_train")
	set, err := features.LoadNPY(stem+"_x.npy", stem+"_y.npy")
	if err != nil {
		t.Skip("the real features are not at ../shared/data beside the repository")
	}
	n, p := set.X.Dims()
	for k := range p {
		column := mat.Col(nil, k, set.X)
		mean := stat.Mean(column, nil)
		for i, value := range column {
			set.X.Set(i, k, value-mean)
		}
	}
	c := newInstance(t, mat.DenseCopyOf(set.X.Slice(0, 5000, 0, p)), mat.DenseCopyOf(set.X.Slice(n-1000, n, 0, p))).coverage
	for _, budget := range []int{5, 10, 20, 50} {
		if _, swap := near(t, "CIFAR features", c, budget, 200); swap.OptimalityRatio(swap.Len()).Float() < .9965 {
			t.Errorf("B=%d: %v is proven", budget, swap.OptimalityRatio(swap.Len()))
		}
	}
}

// p-median problems of OR-Library with their published optima (Beasley 1985): vertex i represents vertex j by C - distance(i,j), C
// the largest distance, so that b of n vertices cost n (C - F).
func TestNearThePublishedMedians(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds, under the race detector half a minute, in which it looks at nothing that runs side by side")
	}
	for _, test := range []struct {
		name    string
		optimum float64
	}{
		{"pmed1", 5819}, {"pmed2", 4093}, {"pmed3", 4250}, {"pmed4", 3034}, {"pmed5", 1355}, {"pmed8", 4445}, {"pmed10", 1255}, {"pmed15", 1729}, {"pmed20", 1789},
	} {
		distances, medians, err := readMedians(filepath.Join(realData, "pmed", test.name+".txt"))
		if err != nil {
			t.Skip("the p-medians are not at ../shared/data/pmed beside the repository")
		}
		n, _ := distances.Dims()
		far := mat.Max(distances)
		near := mat.NewDense(n, n, nil)
		near.Apply(func(_, _ int, d float64) float64 { return far - d }, distances)
		c := newInstance(t, near, sparsero.Identity(n).Matrix).coverage
		s := selectAtoms(t, selection.Swap{}, c, medians)
		if err := s.Tighten(context.Background(), c, &selection.BoundOptions{Steps: 400}); err != nil {
			t.Fatal(err)
		}
		cost := func(coverage float64) float64 { return float64(n) * (far - coverage) }
		last := s.Len() - 1
		greedy := selectAtoms(t, selection.Greedy{SkipBounds: true}, c, medians)
		found, bound := cost(s.Coverage[last]), cost(s.Bounds[last].Float())
		t.Logf("%-7s n=%3d p=%3d: optimum %.0f; greedy %.0f, swap %.0f (%+.2f %%), bound %.2f (%.2f %%)", test.name, n, medians, test.optimum,
			cost(greedy.Coverage[medians-1]), found, 100*(found/test.optimum-1), bound, 100*(bound/test.optimum-1))
		if found < test.optimum-1e-6 || found > 1.01*test.optimum || bound > test.optimum+1e-6 || bound < .99*test.optimum {
			t.Errorf("%s: cost %v, bound %v, published %v", test.name, found, bound, test.optimum)
		}
	}
}

// readMedians reads a file of OR-Library: vertices, edges and medians, then the edges with their lengths, of a repeated one the last;
// distances are those of shortest paths.
func readMedians(path string) (distances *mat.Dense, medians int, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	defer file.Close()
	var n, edges int
	reader := bufio.NewReader(file)
	if _, err := fmt.Fscan(reader, &n, &edges, &medians); err != nil {
		return nil, 0, err
	}
	distances = mat.NewDense(n, n, nil)
	distances.Apply(func(i, j int, _ float64) float64 {
		if i == j {
			return 0
		}
		return math.Inf(1)
	}, distances)
	for range edges {
		var i, j int
		var length float64
		if _, err := fmt.Fscan(reader, &i, &j, &length); err != nil {
			return nil, 0, err
		}
		distances.Set(i-1, j-1, length)
		distances.Set(j-1, i-1, length)
	}
	for k := range n {
		for i := range n {
			for j := range n {
				distances.Set(i, j, min(distances.At(i, j), distances.At(i, k)+distances.At(k, j)))
			}
		}
	}
	return distances, medians, nil
}

// Branch and bound decides the p-medians of up to 200 vertices: the published optima, from both sides.
func TestExactFindsThePublishedMedians(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds, under the race detector half a minute, in which it looks at nothing that runs side by side")
	}
	for name, optimum := range map[string]float64{"pmed1": 5819, "pmed2": 4093, "pmed3": 4250, "pmed4": 3034, "pmed5": 1355, "pmed8": 4445} {
		distances, medians, err := readMedians(filepath.Join(realData, "pmed", name+".txt"))
		if err != nil {
			t.Skip("the p-medians are not at ../shared/data/pmed beside the repository")
		}
		n, _ := distances.Dims()
		far := mat.Max(distances)
		near := mat.NewDense(n, n, nil)
		near.Apply(func(_, _ int, d float64) float64 { return far - d }, distances)
		nodes := 0
		s := selectAtoms(t, selection.Exact{Progress: func(selection.Step) { nodes++ }}, newInstance(t, near, sparsero.Identity(n).Matrix).coverage, medians)
		last := s.Len() - 1
		cost, bound := float64(n)*(far-s.Coverage[last]), float64(n)*(far-s.Bounds[last].Float())
		t.Logf("%-7s n=%3d p=%3d: cost %.6f, bound %.6f, published %.0f, %d nodes", name, n, medians, cost, bound, optimum, nodes)
		if s.Partial || math.Abs(cost-optimum) > 1e-6 || math.Abs(bound-optimum) > 1e-6 {
			t.Errorf("%s: cost %v, bound %v, published %v", name, cost, bound, optimum)
		}
	}
}

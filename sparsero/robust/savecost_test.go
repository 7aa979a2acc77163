package robust_test

import (
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/designfile"
	"github.com/sparsero/directions/sparsero/internal/input"
	"github.com/sparsero/directions/sparsero/robust"
	"gonum.org/v1/gonum/mat"
)

// TestLargeDictionariesAreNotCopied: a dictionary is loaded once, a save takes no copy of it, and a check one.
func TestLargeDictionariesAreNotCopied(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector, which runs the short tests, allocates memory of its own")
	}
	n, p := 100_000, 64
	if os.Getenv("DIRECTIONS_LONG") == "all" {
		n, p = 732_500, 512 // 3 GB
	}
	path, file := filepath.Join(t.TempDir(), "atoms.npy"), filepath.Join(t.TempDir(), "design.json")
	waves := mat.NewDense(n, p, nil) // atoms that point in all directions
	waves.Apply(func(i, j int, _ float64) float64 { return math.Round(1024*math.Sin(float64(i*(j+1)%9973))) / 1024 }, waves)
	written := must(os.Create(path))(t)
	if err := errors.Join(input.WriteMatrix(written, waves), written.Close()); err != nil {
		t.Fatal(err)
	}
	array := float64(8 * n * p)
	var s *robust.Solution
	atMost(t, "bytes to load and solve", 1.5*array, allocated(func() {
		d := must(sparsero.LoadDictionary(path))(t)
		s = must(must(robust.NewProblem(d, box(-1, 1, slices.Repeat([]float64{1}, p)...), sparsero.Identity(p)))(t).SolveFull(ctx, 1, nil))(t)
	}))
	atMost(t, "bytes to save", 0.3*array, allocated(func() {
		if err := s.Save(file, nil); err != nil {
			t.Fatal(err)
		}
	}))
	atoms := must(os.Open(path))(t)
	defer atoms.Close()
	atMost(t, "bytes to check", 1.4*array, allocated(func() {
		must(designfile.Verify(bytes.NewReader(must(os.ReadFile(file))(t)), atoms))(t)
	}))
}

// TestManyDictionariesAreSavedByTheirSize: each constraint takes the rows of its own coordinates, in the file and in its proof.
func TestManyDictionariesAreSavedByTheirSize(t *testing.T) {
	folder, sizes := t.TempDir(), [2]int64{}
	for k, rows := range []int{350, 700} {
		region := box(0, 1, -1, -2)
		parts := make([]robust.Constraint, rows)
		for i := range parts {
			own := dictionary(t, []float64{float64(1 + i%7)}, []float64{-1 - float64(i%5)})
			parts[i] = robust.Constraint{Nominal: []float64{1, 1}, Map: sparsero.AffineMap{Matrix: mat.NewDense(1, 2, []float64{1, float64(i%3) - 1})}, Limit: 3, Dictionary: own, Radius: 1}
		}
		p := must(robust.NewProblem(nil, region, sparsero.AffineMap{}, parts...))(t)
		s := must(p.Solve(ctx, []int{0, 5, 9}, 1, nil))(t)
		path := filepath.Join(folder, "design.json")
		if err := s.Save(path, nil); err != nil {
			t.Fatal(err)
		}
		sizes[k] = must(os.Stat(path))(t).Size()
	}
	if float64(sizes[1]) > 2.5*float64(sizes[0]) {
		t.Errorf("the files of 350 and 700 constraints have %v bytes", sizes)
	}
}

package adversarial

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/sparsero/directions/datasets/features"
	"github.com/sparsero/directions/sparsero/selection"
	"gonum.org/v1/gonum/floats"
)

// TestDegeneracyOnRealFeatures compares the paper's dictionary of 2,000 atoms on
// real features of cats and dogs, 64 of a ResNet-56, with figures found by another
// program in NumPy with 500 selection directions and its own splits: median |cos(d,w)|,
// share of energy along w, and coverage of 1, 2, 5 and 10 atoms.
func TestDegeneracyOnRealFeatures(t *testing.T) {
	folder := filepath.Join("..", "..", "..", "..", "shared", "data")
	if _, err := os.Stat(folder); err != nil {
		t.Skipf("the real features are not there: %v", err)
	}
	read := func(part string) *features.Set {
		file := func(kind string) string { return filepath.Join(folder, "cifar10_cat_dog_"+part+"_"+kind+".npy") }
		set, err := features.LoadNPY(file("x"), file("y"))
		if err != nil {
			t.Fatal(err)
		}
		return set
	}
	// Splits, starts and directions are other ones. One atom covers the label that is
	// more frequent among the 500, whose share has a standard deviation of 0.022.
	const cosineError, coverageError = 0.01, 0.06
	for _, test := range []struct {
		attack         Attack
		cosine, energy float64
		coverage       [4]float64
	}{
		{Attack{Steps: 5, Step: 0.1}, 0.459, 0.22, [4]float64{0.330, 0.627, 0.726, 0.791}},
		{Attack{Steps: 20, Step: 0.1}, 0.960, 0.92, [4]float64{0.508, 0.984, 0.989, 0.992}},
		{Attack{}, 0.981, 0.96, [4]float64{0.512, 0.993, 0.995, 0.997}},
		{Attack{Steps: 40, Step: 0.1}, 0.999, 0.998, [4]float64{0.504, 0.9997, 0.9998, 0.9998}},
	} {
		task := Task{Features: Frozen{Train: read("train"), Test: read("test")}, Attack: test.attack}
		m := mustMine(t, task, 0, 2000)
		got, err := NewConcentration(m.Dictionary.Matrix(), m.Classifier.Weights)
		if err != nil || math.Abs(got.Cosine-test.cosine) > cosineError || math.Abs(got.Energy-test.energy) > cosineError {
			t.Errorf("%s: %+v, NumPy found %v and %v (%v)", task.Name(), got, test.cosine, test.energy, err)
		}
		coverage, err := selection.NewCoverage(m.Dictionary, m.Selection.Slice(0, 500, 0, 64), nil)
		if err != nil {
			t.Fatal(err)
		}
		s, err := selection.Greedy{}.Select(context.Background(), coverage, 10)
		if err != nil {
			t.Fatal(err)
		}
		for k, b := range []int{1, 2, 5, 10} {
			if ratio := s.CoverageRatio(b); math.Abs(ratio-test.coverage[k]) > coverageError {
				t.Errorf("%s: %d atoms cover %v, NumPy found %v", task.Name(), b, ratio, test.coverage[k])
			}
		}
		if accuracy := float64(floats.Count(func(v float64) bool { return v > 0 }, m.Margins)) / float64(len(m.Margins)); math.Abs(accuracy-0.85) > 0.01 {
			t.Errorf("%s: test accuracy %v, NumPy found 0.85", task.Name(), accuracy)
		}
	}
}

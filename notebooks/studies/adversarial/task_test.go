package adversarial

import (
	"context"
	"encoding/json"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/sparsero/directions/datasets/features"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// smallSet is a stand-in small enough to be mined many times.
func smallSet(t testing.TB) *features.Set {
	t.Helper()
	set, err := features.StandIn(features.StandInOptions{Examples: 240, Features: 6, Rank: 3})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func mustMine(t testing.TB, task Task, seed uint64, atoms int) *Mined {
	t.Helper()
	m, err := task.Mine(context.Background(), seed, atoms)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestTaskSplitsAndMines checks sizes of both constructions, and
// that more cores or more atoms change nothing.
func TestTaskSplitsAndMines(t *testing.T) {
	set := smallSet(t)
	for _, classifiers := range []int{0, 4} {
		task := Task{Features: Frozen{Train: set}, Classifiers: classifiers}
		cores := runtime.GOMAXPROCS(4)
		m := mustMine(t, task, 3, 100)
		runtime.GOMAXPROCS(cores)
		selection, _ := m.Selection.Dims()
		reporting, _ := m.Reporting.Dims()
		// A sixth of 240 examples is for the test; 0.15 of the other 200 are 30.
		if m.Dictionary.Size() != 100 || selection != 30 || reporting != 30 || len(m.Margins) != 40 {
			t.Fatalf("%s: %d atoms, %d and %d directions, %d margins", task.Name(), m.Dictionary.Size(), selection, reporting, len(m.Margins))
		}
		for i := range 100 {
			if length := floats.Norm(m.Dictionary.RawRowView(i), 2); math.Abs(length-1) > 1e-9 {
				t.Errorf("%s: atom %d has length %v", task.Name(), i, length)
			}
		}
		runtime.GOMAXPROCS(1)
		fewer := mustMine(t, task, 3, 60)
		runtime.GOMAXPROCS(cores)
		if !mat.Equal(m.Dictionary.Matrix().Slice(0, 60, 0, 6), fewer.Dictionary.Matrix()) || !mat.Equal(m.Selection, fewer.Selection) {
			t.Errorf("%s: 60 atoms on one core are not the first of 100", task.Name())
		}
		if other := mustMine(t, task, 4, 60); mat.Equal(other.Dictionary.Matrix(), fewer.Dictionary.Matrix()) {
			t.Errorf("%s: two seeds gave the same atoms", task.Name())
		}
	}
}

func TestEnsembleBeginsWithOppositeDirections(t *testing.T) {
	m := mustMine(t, Task{Features: Frozen{Train: smallSet(t)}, Classifiers: 4}, 0, 40)
	for i := 0; i < 14; i += 2 { // the class means, and six directions of the covariance
		if sum := floats.Distance(m.Dictionary.Atom(i), floats.ScaleTo(make([]float64, 6), -1, m.Dictionary.Atom(i+1)), 2); sum != 0 {
			t.Errorf("atoms %d and %d are not opposite", i, i+1)
		}
	}
}

func TestNames(t *testing.T) {
	for want, task := range map[string]Task{
		"single": {}, "single, 5 x 0.1": {Attack: Attack{Steps: 5, Step: 0.1}}, "single, 20 x 0.125": {Attack: Attack{Steps: 20}},
		"ensemble": {Classifiers: 50},
	} {
		if got := task.Name(); got != want {
			t.Errorf("%+v is called %q, want %q", task, got, want)
		}
	}
}

// TestCovarianceDirections recomputes the first one as the direction of largest
// variance within the classes, by power iteration.
func TestCovarianceDirections(t *testing.T) {
	set := smallSet(t)
	directions, err := statistical(set.X, set.Y, 1)
	if err != nil {
		t.Fatal(err)
	}
	means := classMeans(set.X, set.Y)
	v := []float64{1, 1, 1, 1, 1, 1}
	for range 500 {
		next, row := make([]float64, 6), make([]float64, 6)
		for j := range set.Y {
			floats.SubTo(row, set.X.RawRowView(j), means[class(set.Y[j])])
			floats.AddScaled(next, floats.Dot(row, v), row)
		}
		floats.Scale(1/floats.Norm(next, 2), next)
		v = next
	}
	if cosine := math.Abs(floats.Dot(v, directions[2])); cosine < 1-1e-9 {
		t.Errorf("cosine %v with the direction of power iteration", cosine)
	}
	between := floats.SubTo(make([]float64, 6), means[1], means[0])
	if cosine := floats.Dot(between, directions[0]) / floats.Norm(between, 2); cosine < 1-1e-12 {
		t.Errorf("cosine %v with the difference of the means", cosine)
	}
}

// TestEnsembleSpreadsTheDirections compares the two dictionaries of a task.
func TestEnsembleSpreadsTheDirections(t *testing.T) {
	set := smallSet(t)
	energy := func(classifiers int) float64 {
		m := mustMine(t, Task{Features: Frozen{Train: set}, Classifiers: classifiers}, 1, 100)
		concentration, err := NewConcentration(m.Dictionary.Matrix(), m.Classifier.Weights)
		if err != nil {
			t.Fatal(err)
		}
		return concentration.Energy
	}
	single, ensemble := energy(0), energy(50)
	if single < 0.9 || ensemble > single {
		t.Errorf("share of energy along w: single %v, ensemble %v", single, ensemble)
	}
}

func TestGeneratedFeaturesAreLabelledAndCut(t *testing.T) {
	train, test, err := Generated{features.StandInOptions{Examples: 60, Features: 4}}.draw(5)
	if err != nil || len(train.Y) != 50 || len(test.Y) != 10 {
		t.Fatalf("%d and %d examples (%v)", len(train.Y), len(test.Y), err)
	}
	if !strings.Contains(train.Name, "stand-in") || !strings.Contains(test.Name, "stand-in") {
		t.Errorf("generated features are called %q and %q", train.Name, test.Name)
	}
}

// TestFrozenFeaturesAreIdentifiedByTheirValues checks what goes into the files of units.
func TestFrozenFeaturesAreIdentifiedByTheirValues(t *testing.T) {
	encode := func(f Frozen) string {
		text, err := json.Marshal(Task{Features: f})
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	set := smallSet(t)
	same, changed := smallSet(t), smallSet(t)
	changed.X.Set(7, 2, changed.X.At(7, 2)+1e-9)
	first := encode(Frozen{Train: set})
	if first != encode(Frozen{Train: same}) || len(first) > 2000 {
		t.Errorf("equal features are encoded as %s", first)
	}
	flipped := smallSet(t)
	flipped.Y[3] = -flipped.Y[3]
	for _, other := range []Frozen{{Train: changed}, {Train: flipped}, {Train: set, Test: set}} {
		if encode(other) == first {
			t.Errorf("other features have the same encoding %s", first)
		}
	}
}

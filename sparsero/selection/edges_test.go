package selection_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/selection"
	"gonum.org/v1/gonum/mat"
)

// A file of numbers, one to an atom, is a dictionary of dimension 1.
func TestNPYOfOneColumn(t *testing.T) {
	file, err := selection.OpenNPY(write(t, npy(1, header("<f8", 3, 1), []float64{1, 3, -2})))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if file.Size() != 3 || file.Dim() != 1 {
		t.Errorf("%d atoms of dimension %d", file.Size(), file.Dim())
	}
}

// A size below 1 needs nothing, and errors name amounts in the unit that fits them.
func TestAmountsOfMemory(t *testing.T) {
	if got := selection.EstimateMemory(0, 5, 5, nil); got != (selection.Memory{}) {
		t.Errorf("no atoms need %+v", got)
	}
	if got := selection.EstimateMemory(1, 1, 1, nil); got.Screened <= 0 || got.Streamed <= 0 {
		t.Errorf("one atom needs %+v", got)
	}
	said := (&selection.MemoryError{Atoms: 1, Directions: 1, Need: 250e6, Available: 99e6, Streamed: 3e6}).Error()
	for _, amount := range []string{"need 0.25 GB", "99.0 MB may be used", "needs 3.0 MB"} {
		if !strings.Contains(said, amount) {
			t.Errorf("%q lacks %q", said, amount)
		}
	}
}

// flaky is a dictionary of which one read fails, after so many others.
type flaky struct {
	*sparsero.Dictionary
	left *atomic.Int64
}

var errGone = errors.New("gone")

func (f flaky) Rows(buffer []float64, from, to int) ([]float64, error) {
	if f.left.Add(-1) == -1 {
		return nil, errGone
	}
	return f.Dictionary.Rows(buffer, from, to)
}

// Whichever read of the atoms fails, the rule returns its error, or what it would have chosen anyway.
func TestAReadThatFails(t *testing.T) {
	in := randomInstance(t, 12, 2, 6, 9)
	treasure := newInstance(t, mat.NewDense(3, 2, []float64{0.02, 0, 0, 1, 0.01, 0}), mat.NewDense(2, 2, []float64{1, 0, 0, 1})) // the best single atom
	costs := []float64{1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2}
	for _, storage := range []selection.Storage{selection.Screened, selection.Streamed} {
		for _, rule := range []selection.Policy{
			selection.Greedy{}, selection.Greedy{Plain: true},
			selection.Greedy{Start: []int{5}}, selection.Knapsack{Costs: costs, Capacity: 4}, selection.MaxGap{},
			selection.MaxGap{ByGain: true}, selection.SetCover{}, selection.TopActivation{}, selection.MaxGamma{}, selection.MaxNorm{},
			selection.Random{}, selection.Swap{Start: []int{1, 2, 3}, SkipBounds: true},
		} {
			checkReads(t, in, storage, rule)
		}
		checkReads(t, treasure, storage, selection.Knapsack{Costs: []float64{0.01, 1, 0.01}, Capacity: 1})
	}
}

// checkReads runs a rule on atoms of which the first, second, third, ... read fails, until it needs no more.
func checkReads(t *testing.T, in instance, storage selection.Storage, rule selection.Policy) {
	t.Helper()
	const budget, most = 3, 2000
	want := selectAtoms(t, rule, in.coverage, budget)
	failures := 0
	for reads := range int64(most) {
		atoms := flaky{in.dictionary, &atomic.Int64{}}
		atoms.left.Store(math.MaxInt64)
		c, err := selection.NewCoverage(atoms, in.directions, &selection.CoverageOptions{Storage: storage, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		atoms.left.Store(reads)
		path, err := rule.Select(context.Background(), c, budget)
		if err == nil {
			if !slices.Equal(path.Atoms, want.Atoms) || !slices.Equal(path.Bounds, want.Bounds) {
				t.Errorf("%v, %s, %d reads: atoms %v with bounds %v, want %v and %v", storage, name(rule), reads, path.Atoms, path.Bounds, want.Atoms, want.Bounds)
			}
			if atoms.left.Load() >= 0 {
				break
			}
			continue
		}
		if failures++; !errors.Is(err, errGone) {
			t.Errorf("%v, %s, %d reads: error %v, want %v", storage, name(rule), reads, err, errGone)
		}
	}
	if failures == 0 {
		t.Errorf("%v, %s reads no atoms; this test sees too little", storage, name(rule))
	}
}

// The rows of a selection's frame are its prefixes.
func TestFrameCountsFromOne(t *testing.T) {
	d, err := sparsero.NewDictionary(mat.NewDense(3, 2, []float64{0, 3, 1, 0, 2, 1}), nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := selection.NewCoverage(d, mat.NewDense(2, 2, []float64{1, 0, 0, 1}), nil)
	if err != nil {
		t.Fatal(err)
	}
	path, err := selection.Greedy{}.Select(context.Background(), c, 2)
	if err != nil {
		t.Fatal(err)
	}
	if budgets, err := path.Frame().Col("budget").Int(); err != nil || !slices.Equal(budgets, []int{1, 2}) {
		t.Errorf("budgets %v, error %v; the frame is\n%v", budgets, err, path.Frame())
	}
}

// A selection is written by value as by reference, with the numbers of its bounds; what is read proves nothing.
func TestSelectionInJSON(t *testing.T) {
	path := selectAtoms(t, selection.Greedy{}, randomInstance(t, 30, 3, 7, 5).coverage, 5)
	for _, sent := range []any{path, *path, struct{ Path selection.Selection }{*path}.Path} {
		text, err := json.Marshal(sent)
		if err != nil {
			t.Fatal(err)
		}
		var numbers struct{ Bounds []float64 }
		var back selection.Selection
		if err := json.Unmarshal(text, &numbers); err != nil {
			t.Fatal(err)
		}
		_ = json.Unmarshal(text, &back)
		for b := 1; b <= path.Len(); b++ {
			if numbers.Bounds[b-1] != path.Bounds[b-1].Float() {
				t.Errorf("%T: a bound of %v is written as %v", sent, path.Bounds[b-1], numbers.Bounds[b-1])
			}
			if len(back.Bounds) == path.Len() && back.OptimalityRatio(b).Float() > 0 {
				t.Errorf("%T: what was read proves %v", sent, back.OptimalityRatio(b))
			}
		}
	}
}

package selection_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/selection"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

func gaussian(rows, columns int, seed uint64) *mat.Dense {
	source := rand.New(rand.NewPCG(seed, 0))
	m := mat.NewDense(rows, columns, nil)
	for i := range rows {
		for j := range columns {
			m.Set(i, j, source.NormFloat64())
		}
	}
	return m
}

// The objective is the mean of the support functions of unit-radius atomic sets,
// and its deficits are their alignment deficits.
func TestCoverageMatchesAtomicSets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawInstance(t, 8, 4, 8)
		indices := drawSubset(t, "S", in.coverage.Size())
		set, err := sparsero.NewAtomicSet(in.dictionary, indices, 1)
		if err != nil {
			t.Fatal(err)
		}
		deficits, err := set.AlignmentDeficits(in.directions)
		if err != nil {
			t.Fatal(err)
		}
		m, _ := in.directions.Dims()
		value, full, worst := 0.0, 0.0, 0.0
		for j := range m {
			value += set.Support(in.directions.RawRowView(j)) / float64(m)
			full += in.dictionary.Support(in.directions.RawRowView(j)) / float64(m)
			worst = max(worst, deficits[j])
			if got := in.coverage.Deficits(indices)[j]; !closeTo(got, deficits[j]) {
				t.Fatalf("deficit of direction %d is %v, want %v", j, got, deficits[j])
			}
		}
		if got := in.coverage.Value(indices); !closeTo(got, value) {
			t.Fatalf("F(S) = %v, want %v", got, value)
		}
		if got := in.coverage.Full(); !closeTo(got, full) {
			t.Fatalf("F([N]) = %v, want %v", got, full)
		}
		if got := in.coverage.WorstDeficit(indices); !closeTo(got, worst) {
			t.Fatalf("worst deficit %v, want %v", got, worst)
		}
	})
}

// Proposition 4.1: F is monotone and submodular, and F of the empty set is 0.
// The inequalities of the gains hold exactly in floating point, which is what
// makes lazy greedy exact.
func TestCoverageIsMonotoneAndSubmodular(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawInstance(t, 8, 4, 8)
		n := in.coverage.Size()
		small, large := in.coverage.NewState(), in.coverage.NewState()
		for i := range n {
			switch rapid.IntRange(0, 2).Draw(t, "member") {
			case 1:
				large.Add(i)
			case 2:
				small.Add(i)
				large.Add(i)
			}
		}
		if small.Value() > large.Value() {
			t.Fatalf("F(A) = %v > F(B) = %v for A within B", small.Value(), large.Value())
		}
		for i := range n {
			if small.Gain(i) < large.Gain(i) {
				t.Fatalf("gain of %d grew from %v to %v", i, small.Gain(i), large.Gain(i))
			}
			if large.Gain(i) < 0 {
				t.Fatalf("negative gain %v", large.Gain(i))
			}
		}
		if got := in.coverage.Value(nil); got != 0 {
			t.Fatalf("F(empty) = %v", got)
		}
	})
}

// Truncated at any level c, min(max_{i in S} <d_i,s>, c) stays submodular.
func TestTruncatedSupportIsSubmodular(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawInstance(t, 6, 3, 1)
		n := in.coverage.Size()
		level := rapid.Float64Range(0, 10).Draw(t, "c")
		g := func(s []int) float64 { return min(in.coverage.Value(s), level) }
		a := drawSubset(t, "A", n)
		b := append(append([]int{}, a...), drawSubset(t, "B", n)...)
		i := rapid.IntRange(0, n-1).Draw(t, "i")
		if ga, gb := g(append(a[:len(a):len(a)], i))-g(a), g(append(b[:len(b):len(b)], i))-g(b); ga < gb-rounding {
			t.Fatalf("truncated gain grew from %v to %v", ga, gb)
		}
	})
}

func TestStateFollowsTheObjective(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawInstance(t, 8, 4, 8)
		state, atoms := in.coverage.NewState(), []int{}
		for _, i := range drawSubset(t, "S", in.coverage.Size()) {
			before, gain := state.Value(), state.Gain(i)
			state.Add(i)
			atoms = append(atoms, i)
			if !closeTo(state.Value(), before+gain) {
				t.Fatalf("value %v after gain %v from %v", state.Value(), gain, before)
			}
			if state.Value() != in.coverage.Value(atoms) {
				t.Fatalf("state value %v, objective %v", state.Value(), in.coverage.Value(atoms))
			}
			if state.Gain(i) != 0 {
				t.Fatalf("gain %v of an atom that is already in", state.Gain(i))
			}
		}
	})
}

func TestNewCoverageRejectsBadInput(t *testing.T) {
	d, err := sparsero.NewDictionary(mat.NewDense(2, 2, []float64{1, 0, 0, 1}), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name       string
		dictionary *sparsero.Dictionary
		directions mat.Matrix
		want       string
	}{
		{"no dictionary", nil, mat.NewDense(1, 2, nil), "dictionary"},
		{"no directions", d, nil, "directions"},
		{"nil matrix", d, (*mat.Dense)(nil), "directions"},
		{"empty matrix", d, &mat.Dense{}, "directions"},
		{"wrong width", d, mat.NewDense(4, 3, nil), "directions"},
		{"NaN", d, mat.NewDense(2, 2, []float64{0, 0, 0, math.NaN()}), "row 1"},
		{"Inf", d, mat.NewDense(1, 2, []float64{math.Inf(-1), 0}), "-Inf"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := selection.NewCoverage(test.dictionary, test.directions, nil)
			wantError(t, err, test.want)
		})
	}
}

func ExampleCoverage() {
	atoms := mat.NewDense(3, 2, []float64{
		2, 0, // east
		0, 1, // north
		1, 1, // north-east
	})
	d, _ := sparsero.NewDictionary(atoms, &sparsero.DictionaryOptions{Labels: []string{"east", "north", "north-east"}})
	probes := mat.NewDense(2, 2, []float64{1, 0, 0, 1})
	c, _ := selection.NewCoverage(d, probes, nil)
	fmt.Println("all atoms:", c.Full())
	fmt.Println("north-east alone:", c.Value([]int{2}), "deficits", c.Deficits([]int{2}))
	state := c.NewState()
	state.Add(2)
	fmt.Println("gain of east after it:", state.Gain(0))
	// Output:
	// all atoms: 1.5
	// north-east alone: 1 deficits [1 0]
	// gain of east after it: 0.5
}

package input

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func TestArguments(t *testing.T) {
	var none *mat.Dense
	for name, test := range map[string]struct {
		err  error
		says string
	}{
		"nil":            {CheckRows("samples", "sample", nil, 2), "samples is nil; give a matrix with one sample per row"},
		"nil vector":     {CheckRows("samples", "sample", (*mat.VecDense)(nil), 2), "samples is nil"},
		"nil behind all": {CheckRows("samples", "sample", &mat.Transpose{Matrix: (*mat.VecDense)(nil)}, 2), "samples is nil"},
		"nil transposed": {CheckRows("samples", "sample", mat.Transpose{}, 2), "samples is nil"},
		"nil inside":     {CheckRows("samples", "sample", none, 2), "samples is nil"},
		"empty":          {CheckRows("samples", "sample", &mat.Dense{}, 2), "samples is empty (0×0)"},
		"columns":        {CheckRows("samples", "sample", mat.NewDense(1, 3, nil), 2), "samples has 3 columns but the atoms have dimension 2"},
		"one column":     {CheckRows("samples", "sample", mat.NewDense(2, 1, nil), 2), "samples has 1 column but the atoms have dimension 2"},
		"no columns":     {CheckRows("samples", "sample", mat.NewDense(1, 3, nil), 0), "samples has 3 columns but the atoms have dimension 0"},
		"NaN in a view":  {CheckRows("samples", "sample", mat.NewDense(1, 2, []float64{0, math.NaN()}).T(), 1), "NaN in row 1, column 0"},
		"NaN further on": {CheckRows("samples", "sample", mat.NewDense(3, 2, []float64{1, 2, 3, math.NaN(), 5, 6}), 2), "NaN in row 1, column 1"},
		"a large array":  {CheckSize("samples", 1<<15, 1<<15+1), "more than 1073741824 numbers"},
		"Inf":            {CheckRows("samples", "sample", mat.NewDense(2, 1, []float64{0, math.Inf(1)}), -1), "+Inf in row 1, column 0"},
		"length":         {CheckVector("s", []float64{1}, 2), "s has length 1 but needs 2"},
		"first entry":    {CheckVector("s", []float64{math.NaN(), 1}, 2), "s has the value NaN at position 0"},
		"infinite entry": {CheckVector("s", []float64{1, math.Inf(-1)}, 2), "s has the value -Inf at position 1"},
		"outside":        {CheckIndices("atoms", []int{0, 3}, 3), "atoms[1] = 3 is outside [0,3)"},
		"below":          {CheckIndices("atoms", []int{-1}, 3), "atoms[0] = -1 is outside"},
		"twice":          {CheckIndices("atoms", []int{2, 0, 2}, 3), "atoms lists atom 2 twice (positions 0 and 2)"},
	} {
		if test.err == nil || !strings.Contains(test.err.Error(), test.says) {
			t.Errorf("%s: %v, want an error that says %q", name, test.err, test.says)
		}
	}
	for _, err := range []error{
		CheckRows("samples", "sample", mat.NewDense(3, 2, nil), 2), CheckRows("samples", "sample", mat.NewDense(3, 2, nil).T(), -1),
		CheckSize("samples", 1<<15, 1<<15), CheckVector("s", []float64{1, 2}, 2), CheckVector("s", nil, 0), CheckIndices("atoms", []int{2, 0}, 3), CheckIndices("atoms", nil, 3),
	} {
		if err != nil {
			t.Error(err)
		}
	}
}

// A list in an error names all of three and the first and the last of more, with a sign for the rest.
func TestListsAreShort(t *testing.T) {
	for want, names := range map[string][]string{
		"()": nil, `("a")`: {"a"}, `("a", "b")`: {"a", "b"}, `("a", "b", "c")`: {"a", "b", "c"},
		`("a", "b", ..., "d")`: {"a", "b", "c", "d"}, `("a", "b", ..., "e")`: {"a", "b", "c", "d", "e"},
	} {
		if got := List(names); got != want {
			t.Errorf("%q: %s, want %s", names, got, want)
		}
	}
}

func TestCountsOfThings(t *testing.T) {
	for n, want := range map[int]string{0: "0 atoms", 1: "1 atom", 2: "2 atoms"} {
		if got := Count(n, "atom"); got != want {
			t.Errorf("%d: %s", n, got)
		}
	}
}

// What is quoted whole has no dots behind it, and of what is longer so many bytes are quoted.
func TestQuotesAreShort(t *testing.T) {
	whole := strings.Repeat("a", longestQuote)
	for text, want := range map[string]string{"": `""`, whole: `"` + whole + `"`, whole + "b": `"` + whole + `"...`} {
		if got := Quote(text); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// shape is a matrix of zeros of any shape.
type shape struct{ rows, columns int }

func (s shape) Dims() (rows, columns int) { return s.rows, s.columns }
func (s shape) At(int, int) float64       { return 0 }
func (s shape) T() mat.Matrix             { return shape{s.columns, s.rows} }

// A matrix without rows or without columns is empty.
func TestEmptyMatrices(t *testing.T) {
	for of, empty := range map[shape]bool{{0, 3}: true, {3, 0}: true, {0, 0}: true, {1, 1}: false} {
		if err := CheckShape("samples", "sample", of, -1); (err != nil) != empty {
			t.Errorf("%v: %v", of, err)
		}
	}
}

package robust

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"gonum.org/v1/gonum/mat"
)

// rowsOf is a problem over the unit square with a row for each set, at a radius.
func rowsOf(radius float64, sets ...*sparsero.Dictionary) (*Problem, error) {
	region := solver.NewModel("square")
	for range 2 {
		region.AddColumn(solver.Column{Bounds: solver.Between(0, 1), Cost: -1})
	}
	rows := make([]Constraint, len(sets))
	for k, d := range sets {
		q := mat.NewDense(d.Dim(), 2, nil)
		for i := range d.Dim() {
			q.Set(i, i%2, 1)
		}
		rows[k] = Constraint{Name: fmt.Sprint("row ", k), Map: sparsero.AffineMap{Matrix: q}, Limit: 1, Dictionary: d, Radius: radius}
	}
	return NewProblem(nil, region, sparsero.AffineMap{}, rows...)
}

// TestDirectSum: each block has its atoms, scaled, and the atoms of the others are null in its directions.
func TestDirectSum(t *testing.T) {
	left, _ := sparsero.NewDictionary(mat.NewDense(2, 1, []float64{3, -2}), nil)
	right, _ := sparsero.NewDictionary(mat.NewDense(2, 2, []float64{1, 2, -4, 0.3}), &sparsero.DictionaryOptions{Labels: []string{"a", "b"}, Columns: []string{"x", "y"}})
	p, err := rowsOf(0.5, left, right)
	if err != nil {
		t.Fatal(err)
	}
	sum := p.Dictionary()
	if want := mat.NewDense(4, 3, []float64{1.5, 0, 0, -1, 0, 0, 0, 0.5, 1, 0, -2, 0.15}); !mat.Equal(sum.Matrix(), want) {
		t.Errorf("atoms\n%v", mat.Formatted(sum.Matrix()))
	}
	if got := strings.Join(sum.Labels(), ","); got != "row 0: d0,row 0: d1,row 1: a,row 1: b" {
		t.Error(got)
	}
	if got := strings.Join(sum.Columns(), ","); got != "row 0: u0,row 1: x,row 1: y" {
		t.Error(got)
	}
	s := []float64{0, -1, 2}
	if got, want := sum.Support(s), 0.5*right.Support(s[1:]); got != want {
		t.Errorf("support %v, want %v", got, want)
	}
	if got, want := p.dictionary.Alignments(s), sum.Alignments(nil, s); !slices.Equal(got, want) {
		t.Errorf("alignments %v, want %v", got, want)
	}
	for i := range sum.Size() {
		if got, want := p.dictionary.RawRowView(i), sum.RawRowView(i); !slices.Equal(got, want) || p.dictionary.Label(i) != sum.Label(i) {
			t.Errorf("atom %d is %s %v, want %s %v", i, p.dictionary.Label(i), got, sum.Label(i), want)
		}
	}
	if _, err := rowsOf(0x1p1023, left); err == nil || !strings.Contains(err.Error(), "Inf") {
		t.Errorf("an overflow: %v", err)
	}
}

// TestColumnsOfSetsHaveDifferentNames: two constraints of one name give their columns one.
func TestColumnsOfSetsHaveDifferentNames(t *testing.T) {
	left, _ := sparsero.NewDictionary(mat.NewDense(1, 1, []float64{3}), nil)
	p, err := rowsOf(1, left)
	if err != nil {
		t.Fatal(err)
	}
	row := p.Constraints()[0]
	first, second := row, row
	first.Dictionary, second.Dictionary, second.Radius = left, left, 2
	if _, err := NewProblem(nil, p.Region(), sparsero.AffineMap{}, first, second); err == nil || !strings.Contains(err.Error(), `named "row 0: u0"`) {
		t.Errorf("one name for two columns: %v", err)
	}
}

// TestASetOfSeveralRowsStandsOnce among the atoms.
func TestASetOfSeveralRowsStandsOnce(t *testing.T) {
	d, err := sparsero.NewDictionary(mat.NewDense(2, 1, []float64{3, -2}), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, sets := range [][]*sparsero.Dictionary{{d}, {d, d}, {d, d, d}} {
		if p, err := rowsOf(0.5, sets...); err != nil || p.Dictionary().Size() != 2 || p.Dictionary().Dim() != 1 {
			t.Errorf("%d rows: %v, %v", len(sets), p.Dictionary(), err)
		}
	}
}

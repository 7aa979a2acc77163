package sparsero_test

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/sparsero"
)

// TestDirectSum: each block has its atoms, scaled, and the atoms of the others are null in its directions.
func TestDirectSum(t *testing.T) {
	left, _ := sparsero.NewDictionary(mat.NewDense(2, 1, []float64{3, -2}), nil)
	right, _ := sparsero.NewDictionary(mat.NewDense(2, 2, []float64{1, 2, -4, 0.3}), &sparsero.DictionaryOptions{Labels: []string{"a", "b"}, Columns: []string{"x", "y"}})
	sum, err := sparsero.DirectSum(sparsero.Summand{Dictionary: left}, sparsero.Summand{Name: "costs", Dictionary: right, Scale: 0.5})
	if err != nil {
		t.Fatal(err)
	}
	if want := mat.NewDense(4, 3, []float64{3, 0, 0, -2, 0, 0, 0, 0.5, 1, 0, -2, 0.15}); !mat.Equal(sum.Matrix(), want) {
		t.Errorf("atoms\n%v", mat.Formatted(sum.Matrix()))
	}
	if got := strings.Join(sum.Labels(), ","); got != "d0,d1,costs: a,costs: b" {
		t.Error(got)
	}
	if got := strings.Join(sum.Columns(), ","); got != "u0,costs: x,costs: y" {
		t.Error(got)
	}
	s := []float64{0, -1, 2}
	if got, want := sum.Support(s), 0.5*right.Support(s[1:]); got != want {
		t.Errorf("support %v, want %v", got, want)
	}
}

func TestDirectSumRefuses(t *testing.T) {
	d, _ := sparsero.NewDictionary(mat.NewDense(1, 1, []float64{3}), nil)
	for want, summands := range map[string][]sparsero.Summand{
		"no summand":         nil,
		`summand 1 ("rain")`: {{Dictionary: d}, {Name: "rain"}},
		"scale -1":           {{Dictionary: d, Scale: -1}},
		"scale NaN":          {{Dictionary: d, Scale: math.NaN()}},
		"Inf":                {{Dictionary: d, Scale: math.Inf(1)}},
		"both named":         {{Dictionary: d}, {Dictionary: d}},
	} {
		if _, err := sparsero.DirectSum(summands...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want an error with %q, got %v", want, err)
		}
	}
}

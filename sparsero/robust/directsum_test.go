package robust

import (
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/sparsero"
)

// TestDirectSum: each block has its atoms, scaled, and the atoms of the others are null in its directions.
func TestDirectSum(t *testing.T) {
	left, _ := sparsero.NewDictionary(mat.NewDense(2, 1, []float64{3, -2}), nil)
	right, _ := sparsero.NewDictionary(mat.NewDense(2, 2, []float64{1, 2, -4, 0.3}), &sparsero.DictionaryOptions{Labels: []string{"a", "b"}, Columns: []string{"x", "y"}})
	sum, err := directSum(3, []summand{{"", left, 1}, {"costs", right, 0.5}})
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
	if _, err := directSum(2, []summand{{"", left, 1}, {"", left, 1}}); err == nil || !strings.Contains(err.Error(), "named") {
		t.Errorf("one name for two columns: %v", err)
	}
	if _, err := directSum(1, []summand{{"", left, 0x1p1023}}); err == nil || !strings.Contains(err.Error(), "Inf") {
		t.Errorf("an overflow: %v", err)
	}
}

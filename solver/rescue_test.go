package solver

import (
	"math"
	"testing"
)

// TestSimplexRescue: the interior point method stands behind gonum's simplex.
func TestSimplexRescue(t *testing.T) {
	m := NewModel("rescue")
	m.AddColumn(Column{Upper: math.Inf(1), Cost: 2})
	m.AddColumn(Column{Upper: math.Inf(1), Cost: 3})
	m.AddRow(Row{Lower: 4, Upper: math.Inf(1), Columns: []int{0, 1}, Values: []float64{1, 1}})
	m.AddRow(Row{Lower: 6, Upper: math.Inf(1), Columns: []int{0, 1}, Values: []float64{1, 3}})
	opened, err := Simplex{}.Open(m, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := opened.(*simplexSession)
	run := newRun(t.Context(), &s.options)
	defer run.release()
	result := newResult(m, simplexName)
	result.Status, result.Detail = NumericalTrouble, "made up"
	s.rescue(run, result)
	if result.Check() != nil || math.Abs(result.Objective-9) > 1e-9 || result.Detail != "" {
		t.Errorf("got %v", result)
	}
}

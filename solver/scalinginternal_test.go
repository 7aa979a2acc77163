package solver

import "testing"

// TestScalingTreeFollowsNumbers: along the tree every number comes to [1/2, 1), from a bound of a row on where
// one exists, and from the first column otherwise.
func TestScalingTreeFollowsNumbers(t *testing.T) {
	for _, test := range []struct {
		name             string
		bounds           Bounds
		row, first, then int
	}{
		{"from a right-hand side", Equal(1024), -11, 10, 0},
		{"from the first column", Bounds{}, -1, 0, -10},
	} {
		m := NewModel("two free columns")
		m.AddColumn(Column{})
		m.AddColumn(Column{})
		m.AddRow(Row{Bounds: test.bounds, Columns: []int{0, 1}, Values: []float64{1, 1024}})
		tree := newScalingTree(m)
		tree.grow()
		if got := [3]int(tree.units[:3]); got != [3]int{test.row, test.first, test.then} {
			t.Errorf("%s: exponents of row and columns are %v, want %v", test.name, got, [3]int{test.row, test.first, test.then})
		}
	}
}

// TestScalingKeepsUnitsOfIntegers: a whole number counts the same things in every unit, whatever its
// coefficients are.
func TestScalingKeepsUnitsOfIntegers(t *testing.T) {
	m := NewModel("knapsack")
	for range 2 {
		m.AddColumn(Column{Integer: true, Bounds: Between(0, 100)})
	}
	m.AddColumn(Column{Bounds: Between(0, 1)})
	m.AddRow(Row{Bounds: AtMost(640), Columns: []int{0, 1, 2}, Values: []float64{64, 1, 1}})
	s := newScaling(m, largestCounts)
	if s.column[0] != 0 || s.column[1] != 0 || s.common != 0 {
		t.Errorf("exponents %v of the columns and %d of all, want 0 for integers", s.column, s.common)
	}
	if s.column[2] != 6 {
		t.Errorf("exponent %d of the continuous column, want 6, which gives its coefficient the size of the largest", s.column[2])
	}
}

// TestMiddleBound: lower and upper bounds of columns and rows count alike in the median of their sizes.
func TestMiddleBound(t *testing.T) {
	model := func(columns, rows []Bounds) *Model {
		m := NewModel("bounds")
		for _, b := range columns {
			m.AddColumn(Column{Bounds: b})
		}
		for _, b := range rows {
			m.AddRow(Row{Bounds: b, Columns: []int{0}, Values: []float64{1}})
		}
		return m
	}
	for _, test := range []struct {
		name string
		m    *Model
		want int
	}{
		{"no bounds", model([]Bounds{{}}, nil), 0},
		{"lower bounds of columns", model([]Bounds{AtLeast(1024), AtLeast(1024), AtMost(1)}, nil), 11},
		{"upper bounds of columns", model([]Bounds{AtMost(1024), AtMost(1024), AtLeast(1)}, nil), 11},
		{"lower bounds of rows", model([]Bounds{{}}, []Bounds{AtLeast(1024), AtLeast(1024), AtMost(1)}), 11},
		{"upper bounds of rows", model([]Bounds{{}}, []Bounds{AtMost(1024), AtMost(1024), AtLeast(1)}), 11},
		{"the lower of two in the middle", model([]Bounds{AtMost(1024), AtLeast(1)}, nil), 1},
		{"a bound that is a rounding error of the row", model([]Bounds{AtMost(1024)}, []Bounds{AtMost(0x1p-60)}), 11},
	} {
		s := &scaling{row: make([]int, len(test.m.rows)), column: make([]int, len(test.m.columns))}
		if got := s.middleBound(test.m); got != test.want {
			t.Errorf("%s: %d, want %d", test.name, got, test.want)
		}
	}
}

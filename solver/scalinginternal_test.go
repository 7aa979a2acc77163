package solver

import (
	"math"
	"slices"
	"testing"

	"github.com/sparsero/directions/solver/internal/program"
	"pgregory.net/rapid"
)

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

// TestScalingTreeFollowsCosts from a column with a bound to the objective and on to one before it; where no bound
// stands, cost and square of a column come to the same exponent.
func TestScalingTreeFollowsCosts(t *testing.T) {
	bounded := NewModel("a bound")
	bounded.AddColumn(Column{Cost: 64})
	bounded.AddColumn(Column{Bounds: AtMost(1024), Cost: 8})
	squared := NewModel("a square")
	squared.AddColumn(Column{Cost: 1})
	squared.AddQuadratic(0, 0, 8)
	for _, test := range []struct {
		model *Model
		want  []int // of columns and objective
	}{{bounded, []int{8, 11, -15}}, {squared, []int{-3, 2}}} {
		tree := newScalingTree(test.model)
		if tree.grow(); !slices.Equal(tree.units, test.want) || tree.left != 0 {
			t.Errorf("%v: exponents %v, want %v", test.model, tree.units, test.want)
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
	empty := model([]Bounds{AtMost(1024)}, nil)
	for range 3 {
		empty.AddRow(Row{Bounds: AtMost(1)})
	}
	for _, test := range []struct {
		name string
		m    *Model
		want int
	}{
		{"rows without coefficients", empty, 11},
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

// TestScalingUndoesUnits: a model in which every number is near 1 but for the units of its rows, columns and objective has
// all numbers in [1/2, 1) in the units of the backend.
func TestScalingUndoesUnits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		unit, mantissa, some := rapid.IntRange(-40, 40), rapid.Float64Range(0.5, 0.99), rapid.Bool()
		number := func(exponent int) float64 { return math.Ldexp(mantissa.Draw(t, "number"), exponent) }
		bounds := func(exponent int, always bool) Bounds {
			switch kind := rapid.IntRange(0, 2).Draw(t, "bounds"); {
			case kind == 0 && !always:
				return Bounds{}
			case kind == 1:
				return AtMost(number(exponent))
			default:
				return AtLeast(-number(exponent))
			}
		}
		m, column, objective := NewModel("units"), make([]int, rapid.IntRange(1, 5).Draw(t, "columns")), unit.Draw(t, "objective")
		quadratic := some.Draw(t, "quadratic")
		for j := range column {
			column[j] = unit.Draw(t, "column")
			c := Column{Bounds: bounds(-column[j], quadratic)}
			if some.Draw(t, "cost") {
				c.Cost = number(objective + column[j])
			}
			m.AddColumn(c)
		}
		for range rapid.IntRange(0, 5).Draw(t, "rows") {
			row := unit.Draw(t, "row")
			r := Row{Bounds: bounds(row, false)}
			for j := range column {
				if some.Draw(t, "entry") {
					r.Columns, r.Values = append(r.Columns, j), append(r.Values, number(row+column[j]))
				}
			}
			m.AddRow(r)
		}
		for i := range column {
			for j := range i + 1 {
				if quadratic && some.Draw(t, "term") {
					m.AddQuadratic(i, j, number(objective+column[i]+column[j]))
				}
			}
		}
		for _, trusted := range []int{largestCounts, allCount} {
			s := newScaling(m, trusted)
			p := s.scaled(m).Program()
			numbers := slices.Concat(p.Cost, p.Lower, p.Upper)
			for _, r := range p.Rows {
				if numbers = append(numbers, r.Values...); len(r.Columns) > 0 {
					numbers = append(numbers, r.Lower, r.Upper)
				}
			}
			for _, q := range p.Quadratic {
				numbers = append(numbers, q.Value)
			}
			for _, v := range numbers {
				if scaledNumber(v) && exponent(v) != 0 {
					t.Fatalf("trusted %d: %+v has %v: %+v", trusted, p, v, s)
				}
			}
		}
	})
}

// TestScalingCentresRows: whatever the numbers are, the largest coefficient of each row, or the middle of those that count,
// and the largest term of the objective have the size 1.
func TestScalingCentresRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.Map(rapid.IntRange(-60, 60), func(e int) float64 { return math.Ldexp(0.75, e) })
		m := NewModel("any numbers")
		for range rapid.IntRange(1, 4).Draw(t, "columns") {
			m.AddColumn(Column{Cost: number.Draw(t, "cost"), Bounds: AtMost(number.Draw(t, "bound")), Integer: rapid.IntRange(0, 5).Draw(t, "integer") == 0})
		}
		for range rapid.IntRange(0, 4).Draw(t, "rows") {
			r := Row{Bounds: AtMost(number.Draw(t, "side"))}
			for j := range m.columns {
				r.Columns, r.Values = append(r.Columns, j), append(r.Values, number.Draw(t, "value"))
			}
			m.AddRow(r)
		}
		for j := range m.columns {
			for i := range j + 1 {
				if rapid.Bool().Draw(t, "product") {
					m.AddQuadratic(i, j, number.Draw(t, "of both"))
				}
			}
		}
		for _, trusted := range []int{largestCounts, allCount} {
			p := newScaling(m, trusted).scaled(m).Program()
			size := func(values []float64) int {
				least, most := math.MaxInt, math.MinInt
				for _, v := range values {
					least, most = min(least, exponent(v)), max(most, exponent(v))
				}
				return (max(least, most-trusted) + most) >> 1
			}
			for i, r := range p.Rows {
				if size(r.Values) != 0 {
					t.Fatalf("trusted %d: row %d is %v", trusted, i, r.Values)
				}
			}
			largest := program.MaxAbs(p.Cost)
			for _, q := range p.Quadratic {
				largest = max(largest, q.Value)
			}
			if exponent(largest) != 0 {
				t.Fatalf("costs %v and %v", p.Cost, p.Quadratic)
			}
		}
	})
}

package solver_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/sparsero/directions/solver"
)

// TestSumsOfEntriesStayInRange: repeated entries that are each in range are a mistake if their sum is not.
func TestSumsOfEntriesStayInRange(t *testing.T) {
	const most = solver.MaxCoefficient
	for _, test := range []struct {
		name string
		want string // in the error, "" for none
		add  func(*solver.Model)
	}{
		{"a row", "coefficient of column 0", func(m *solver.Model) {
			m.AddRow(solver.Row{Columns: []int{0, 0}, Values: []float64{most, most}})
		}},
		{"a row that cancels", "", func(m *solver.Model) {
			m.AddRow(solver.Row{Columns: []int{0, 0, 0}, Values: []float64{most, most, -most}})
		}},
		{"a square", "quadratic term (0, 0)", func(m *solver.Model) {
			m.AddQuadratic(0, 0, most)
			m.AddQuadratic(0, 0, most)
		}},
		{"a square that cancels", "", func(m *solver.Model) {
			m.AddQuadratic(0, 0, most)
			m.AddQuadratic(0, 0, -most)
		}},
	} {
		m := solver.NewModel(test.name)
		m.AddColumn(solver.Column{})
		test.add(m)
		if err := m.Validate(); (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want %q", test.name, err, test.want)
		}
	}
}

// TestTinySquaresBesideAHugeProductAreNotConvex: the product is beyond float64 in units of the squares.
func TestTinySquaresBesideAHugeProductAreNotConvex(t *testing.T) {
	m := solver.NewModel("saddle")
	for j := range 2 {
		m.AddColumn(solver.Column{Bounds: solver.Between(-1, 1)})
		m.AddQuadratic(j, j, 0x1p-1000)
	}
	m.AddQuadratic(0, 1, 0x1p700)
	if err := m.Validate(); !errors.Is(err, solver.ErrNotConvex) {
		t.Errorf("error %v", err)
	}
}

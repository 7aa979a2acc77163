//go:build cgo

package highs

import (
	"fmt"
	"math"

	binding "github.com/lanl/highs"
	"github.com/sparsero/directions/solver"
)

// smallestCoefficient is the magnitude at and below which HiGHS drops a coefficient, which the binding turns into an
// error (option small_matrix_value).
const smallestCoefficient = 1e-9

// engine hands a model to HiGHS, the whole of it for every run.
type engine struct {
	model   *solver.Model
	options solver.Options
}

type bounds struct{ lower, upper []float64 }

func (b *bounds) add(one solver.Bounds) {
	b.lower, b.upper = append(b.lower, one.Lower()), append(b.upper, one.Upper())
}

// build creates the HiGHS model, without the offset of the objective.
func (s *engine) build(a attempt) (*native, error) {
	n, err := newNative()
	if err != nil {
		return nil, err
	}
	raw, m := n.raw, s.model
	types, costs := make([]binding.VariableType, m.Columns()), make([]float64, m.Columns())
	var columns bounds
	for j := range types {
		c := m.Column(j)
		columns.add(c.Bounds)
		costs[j] = c.Cost
		if c.Integer {
			types[j] = binding.IntegerType
		}
	}
	steps := []struct {
		what string
		do   func() error
	}{
		{"options", func() error { return s.setOptions(raw) }},
		{"method", func() error { return a.prepare(raw, m) }},
		{"columns", func() error { return raw.AddColumnBounds(columns.lower, columns.upper) }},
		{"integrality", func() error {
			if !m.IsInteger() {
				return nil
			}
			return raw.SetIntegrality(types)
		}},
		{"sense", func() error { return raw.SetMaximization(m.Maximizes()) }},
		{"costs", func() error { return raw.SetColumnCosts(costs) }},
		{"rows", func() error { return s.addRows(raw) }},
	}
	for _, step := range steps {
		if err := step.do(); err != nil {
			n.free()
			return nil, fmt.Errorf("solver/highs: HiGHS refused the %s of %s: %w", step.what, m, err)
		}
	}
	return n, nil
}

// addRows adds all rows, without coefficients that HiGHS would drop: bounds are proven on the model itself. A free row
// at the end, which changes nothing, keeps the binding from panicking where there is no coefficient.
func (s *engine) addRows(raw *binding.RawModel) error {
	var rows bounds
	var start, columns []int
	var values []float64
	for i := range s.model.Rows() {
		rows.add(s.model.RowBounds(i))
		start = append(start, len(columns))
		rowColumns, rowValues := s.model.RowTerms(i)
		for k, v := range rowValues {
			if math.Abs(v) > smallestCoefficient {
				columns, values = append(columns, rowColumns[k]), append(values, v)
			}
		}
	}
	rows.add(solver.Bounds{})
	start = append(start, len(columns))
	columns, values = append(columns, 0), append(values, 1)
	return raw.AddCompSparseRows(rows.lower, start, columns, values, rows.upper)
}

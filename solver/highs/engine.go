//go:build cgo

package highs

import (
	"fmt"
	"math"
	"slices"

	binding "github.com/lanl/highs"

	"github.com/sparsero/directions/solver"
)

// smallestCoefficient is the magnitude at and below which HiGHS drops a
// coefficient, which the binding turns into an error (option
// small_matrix_value).
const smallestCoefficient = 1e-9

// engine mirrors a model inside HiGHS. What has changed is handed over in batches when a
// solve starts.
type engine struct {
	model   *solver.Model // the truth
	options solver.Options

	native *native // nil until the first solve, and after one that was abandoned
	mirror mirror
}

// mirror is what HiGHS has of the model.
type mirror struct {
	costs         []float64
	columns, rows bounds
	rowOf         []int // row of the model -> row in HiGHS, -1 for empty rows
	rowCount      int   // rows in HiGHS
}

type bounds struct{ lower, upper []float64 }

func (b *bounds) add(one solver.Bounds) {
	b.lower, b.upper = append(b.lower, one.Lower()), append(b.upper, one.Upper())
}

// replace tells whether the bounds at an index differ from new ones, which take their place.
func (b *bounds) replace(index int, one solver.Bounds) bool {
	lower, upper := one.Lower(), one.Upper()
	changed := b.lower[index] != lower || b.upper[index] != upper
	b.lower[index], b.upper[index] = lower, upper
	return changed
}

// Close frees the HiGHS model.
func (s *engine) Close() error {
	s.forget()
	return nil
}

// forget frees the HiGHS model and what is known about it; the next solve
// builds it anew.
func (s *engine) forget() {
	if s.native != nil {
		s.native.free()
	}
	s.abandon()
}

// abandon leaves the HiGHS model to a worker that still runs.
func (s *engine) abandon() { s.native, s.mirror = nil, mirror{} }

// sign is the factor between the user's objective and the one HiGHS minimises.
func (s *engine) sign() float64 {
	if s.model.Sense() == solver.Maximize {
		return -1
	}
	return 1
}

// handOver brings HiGHS up to date with the model.
func (s *engine) handOver() error {
	if s.native == nil {
		if err := s.build(); err != nil {
			return err
		}
	}
	if err := s.handOverBounds(); err != nil {
		return err
	}
	if err := s.handOverRows(); err != nil {
		return err
	}
	if costs := s.costs(); !slices.Equal(costs, s.mirror.costs) {
		s.mirror.costs = costs
		return s.native.raw.SetColumnCosts(costs)
	}
	return nil
}

// build creates the HiGHS model with all columns and without rows.
func (s *engine) build() error {
	native, err := newNative()
	if err != nil {
		return err
	}
	s.abandon()
	s.native = native
	raw, m := native.raw, s.model
	types := make([]binding.VariableType, m.Columns())
	columns := &s.mirror.columns
	for j := range types {
		c := m.Column(j)
		columns.add(c.Bounds)
		if c.Integer {
			types[j] = binding.IntegerType
		}
	}
	steps := []struct {
		what string
		do   func() error
	}{
		{"options", s.setOptions},
		{"columns", func() error { return raw.AddColumnBounds(columns.lower, columns.upper) }},
		{"integrality", func() error {
			if !m.IsInteger() {
				return nil
			}
			return raw.SetIntegrality(types)
		}},
		{"costs", func() error {
			s.mirror.costs = s.costs()
			return raw.SetColumnCosts(s.mirror.costs)
		}},
	}
	for _, step := range steps {
		if err := step.do(); err != nil {
			s.forget()
			return fmt.Errorf("solver/highs: HiGHS refused the %s of %s: %w", step.what, m, err)
		}
	}
	return nil
}

func (s *engine) setOptions() error {
	o, raw := &s.options, s.native.raw
	numbers := []struct {
		name  string
		value float64
	}{
		{"primal_feasibility_tolerance", o.FeasibilityTolerance},
		{"dual_feasibility_tolerance", o.OptimalityTolerance},
		// Together these two bound the gap relative to max(1, |objective|).
		{"mip_rel_gap", o.RelativeGap},
		{"mip_abs_gap", o.RelativeGap},
	}
	if err := raw.SetBoolOption("output_flag", false); err != nil {
		return err
	}
	for _, n := range numbers {
		if err := raw.SetFloat64Option(n.name, n.value); err != nil {
			return err
		}
	}
	counts := map[string]int{"threads": 1, "random_seed": o.Seed} // one thread makes solves reproducible
	if o.IterationLimit > 0 {
		counts["simplex_iteration_limit"] = o.IterationLimit
	}
	if o.NodeLimit > 0 {
		counts["mip_max_nodes"] = o.NodeLimit
	}
	for name, value := range counts {
		if err := raw.SetIntOption(name, value); err != nil {
			return err
		}
	}
	return nil
}

// costs are those of the minimisation; the offset stays outside.
func (s *engine) costs() []float64 {
	costs := make([]float64, s.model.Columns())
	for j := range costs {
		costs[j] = s.sign() * s.model.Column(j).Cost
	}
	return costs
}

// handOverRows appends the rows that HiGHS does not have yet, without coefficients that it
// would drop: bounds are proven on the model itself.
func (s *engine) handOverRows() error {
	var added bounds
	var start, columns []int
	var values []float64
	seen := &s.mirror
	for i := len(seen.rowOf); i < s.model.Rows(); i++ {
		rowColumns, rowValues := s.model.RowTerms(i)
		limits := s.model.RowBounds(i)
		seen.rows.add(limits)
		if len(rowColumns) == 0 {
			seen.rowOf = append(seen.rowOf, -1)
			continue
		}
		added.add(limits)
		start = append(start, len(columns))
		for k, v := range rowValues {
			if math.Abs(v) > smallestCoefficient {
				columns, values = append(columns, rowColumns[k]), append(values, v)
			}
		}
		seen.rowOf = append(seen.rowOf, seen.rowCount)
		seen.rowCount++
	}
	if seen.rowCount == 0 {
		// The binding panics without rows; a free row changes nothing.
		added.add(solver.Bounds{})
		start, columns, values = []int{0}, []int{0}, []float64{1}
		seen.rowCount = 1
	}
	if len(start) == 0 {
		return nil
	}
	if err := s.native.raw.AddCompSparseRows(added.lower, start, columns, values, added.upper); err != nil {
		s.forget()
		return fmt.Errorf("solver/highs: HiGHS refused %d rows of %s: %w", len(start), s.model, err)
	}
	return nil
}

// handOverBounds replaces the bounds that changed.
func (s *engine) handOverBounds() error {
	var indices []int
	var changed bounds
	for j := range s.model.Columns() {
		if c := s.model.Column(j); s.mirror.columns.replace(j, c.Bounds) {
			indices = append(indices, j)
			changed.add(c.Bounds)
		}
	}
	if err := s.native.changeBounds(false, indices, changed.lower, changed.upper); err != nil {
		return err
	}
	indices, changed = nil, bounds{}
	for i, row := range s.mirror.rowOf {
		if limits := s.model.RowBounds(i); s.mirror.rows.replace(i, limits) && row >= 0 {
			indices = append(indices, row)
			changed.add(limits)
		}
	}
	return s.native.changeBounds(true, indices, changed.lower, changed.upper)
}

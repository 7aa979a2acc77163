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

// parallelRule is the bit of the presolve rule for parallel rows and columns,
// the worst offender in the integer presolve of HiGHS 1.10.
const parallelRule = 1 << 13

// session mirrors a model inside HiGHS. Changes go to the mirror and are handed
// over in batches when a solve starts.
type session struct {
	model         *solver.Model // the truth
	options       solver.Options
	tightIntegers bool // the caller chose the feasibility tolerance
	presolve      bool // see Backend.Presolve
	lenient       bool // a quadratic optimum may be less accurate, because nothing better was found
	closed        bool

	native       *native   // nil until the first solve, and after one that was abandoned
	rowOf        []int     // row of the mirror -> row in HiGHS, -1 for empty rows
	rowScale     []float64 // factor applied to each row of the mirror
	rowCount     int       // rows in HiGHS
	costsChanged bool
	columnBounds map[int]struct{} // columns whose bounds changed since
	rowBounds    map[int]struct{} // rows whose bounds changed since
	dropped      []droppedEntry
}

// droppedEntry is a coefficient that HiGHS did not get.
type droppedEntry struct {
	row, column int
	value       float64
}

// AddRow checks the row and appends it to the mirror.
func (s *session) AddRow(r solver.Row) (int, error) {
	if s.closed {
		return -1, solver.ErrClosed
	}
	if err := s.model.CheckRow(r); err != nil {
		return -1, err
	}
	return s.model.AddRow(r), nil
}

// SetCost checks and records a cost.
func (s *session) SetCost(column int, cost float64) error {
	if s.closed {
		return solver.ErrClosed
	}
	if err := s.model.CheckCost(column, cost); err != nil {
		return err
	}
	s.model.SetCost(column, cost)
	s.costsChanged = true
	return nil
}

// SetOffset checks and records the constant term.
func (s *session) SetOffset(offset float64) error {
	if s.closed {
		return solver.ErrClosed
	}
	if err := s.model.CheckOffset(offset); err != nil {
		return err
	}
	s.model.SetOffset(offset)
	return nil
}

// SetRowBounds checks and records row bounds.
func (s *session) SetRowBounds(row int, lower, upper float64) error {
	if s.closed {
		return solver.ErrClosed
	}
	if err := s.model.CheckRowBounds(row, lower, upper); err != nil {
		return err
	}
	s.model.SetRowBounds(row, lower, upper)
	s.rowBounds[row] = struct{}{}
	return nil
}

// SetColumnBounds checks and records column bounds.
func (s *session) SetColumnBounds(column int, lower, upper float64) error {
	if s.closed {
		return solver.ErrClosed
	}
	if err := s.model.CheckColumnBounds(column, lower, upper); err != nil {
		return err
	}
	s.model.SetColumnBounds(column, lower, upper)
	s.columnBounds[column] = struct{}{}
	return nil
}

// Close frees the HiGHS model.
func (s *session) Close() error {
	s.closed = true
	s.forget()
	s.model = nil
	return nil
}

// forget frees the HiGHS model and what is known about it; the next solve
// builds it anew.
func (s *session) forget() {
	if s.native != nil {
		s.native.free()
	}
	s.abandon()
}

// abandon leaves the HiGHS model to a worker that still runs.
func (s *session) abandon() {
	s.native, s.rowOf, s.rowScale, s.rowCount, s.dropped = nil, nil, nil, 0, nil
	s.costsChanged = false
	s.columnBounds, s.rowBounds = map[int]struct{}{}, map[int]struct{}{}
}

// sign is the factor between the user's objective and the one HiGHS minimises.
func (s *session) sign() float64 {
	if s.model.Sense() == solver.Maximize {
		return -1
	}
	return 1
}

// handOver brings HiGHS up to date with the mirror. The mirror must not have
// contradicting bounds.
func (s *session) handOver() error {
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
	if s.costsChanged {
		s.costsChanged = false
		return s.setCosts(1)
	}
	return nil
}

// build creates the HiGHS model with all columns and without rows.
func (s *session) build() error {
	native, err := newNative()
	if err != nil {
		return err
	}
	s.abandon()
	s.native = native
	raw, m := native.raw, s.model
	lower, upper := make([]float64, m.Columns()), make([]float64, m.Columns())
	types := make([]binding.VariableType, m.Columns())
	for j := range lower {
		c := m.Column(j)
		lower[j], upper[j] = c.TightBounds()
		if c.Integer {
			types[j] = binding.IntegerType
		}
	}
	steps := []struct {
		what string
		do   func() error
	}{
		{"options", s.setOptions},
		{"columns", func() error { return raw.AddColumnBounds(lower, upper) }},
		{"integrality", func() error {
			if !m.IsInteger() {
				return nil
			}
			return raw.SetIntegrality(types)
		}},
		{"costs", func() error { return s.setCosts(1) }},
		{"Hessian", s.setHessian},
	}
	for _, step := range steps {
		if err := step.do(); err != nil {
			s.forget()
			return fmt.Errorf("solver/highs: HiGHS refused the %s of %s: %w", step.what, m, err)
		}
	}
	return nil
}

func (s *session) setOptions() error {
	o, raw := &s.options, s.native.raw
	integerTolerance := 1e-6 // the default of HiGHS
	if s.tightIntegers {
		integerTolerance = o.FeasibilityTolerance
	}
	numbers := []struct {
		name  string
		value float64
	}{
		{"primal_feasibility_tolerance", o.FeasibilityTolerance},
		{"dual_feasibility_tolerance", o.OptimalityTolerance},
		{"mip_feasibility_tolerance", integerTolerance},
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
	counts := map[string]int{"threads": o.Threads, "random_seed": o.Seed}
	if s.model.IsInteger() {
		counts["presolve_rule_off"] = parallelRule
	}
	if o.IterationLimit > 0 {
		counts["simplex_iteration_limit"] = o.IterationLimit
		counts["qp_iteration_limit"] = o.IterationLimit
	} else if s.model.IsQuadratic() {
		counts["qp_iteration_limit"] = quadraticIterations(s.model.Columns(), s.model.Rows())
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

// setCosts hands over the costs times factor; the sense is always minimise and
// the offset stays outside.
func (s *session) setCosts(factor float64) error {
	costs := make([]float64, s.model.Columns())
	for j := range costs {
		costs[j] = factor * s.sign() * s.model.Column(j).Cost
	}
	return s.native.raw.SetColumnCosts(costs)
}

// setHessian hands over the upper triangle, with a start for every column:
// the binding's own conversion leaves out the empty ones.
func (s *session) setHessian() error {
	terms := s.model.Quadratic()
	if len(terms) == 0 {
		return nil
	}
	start := make([]int, s.model.Columns())
	var index []int
	var value []float64
	next := 0
	for i := range start {
		start[i] = len(index)
		for ; next < len(terms) && terms[next].I == i; next++ {
			v := s.sign() * terms[next].Value
			if terms[next].I == terms[next].J {
				v *= 2 // HiGHS minimises 1/2 x'Hx
			}
			if math.Abs(v) > smallestCoefficient {
				index = append(index, terms[next].J)
				value = append(value, v)
			}
		}
	}
	if len(index) == 0 {
		return nil
	}
	return s.native.raw.AddCompSparseHessian(start, index, value)
}

// handOverRows appends the rows that HiGHS does not have yet.
func (s *session) handOverRows() error {
	var lower, upper, values []float64
	var start, columns []int
	for i := len(s.rowOf); i < s.model.Rows(); i++ {
		rowColumns, rowValues := s.model.RowTerms(i)
		if len(rowColumns) == 0 {
			s.rowOf, s.rowScale = append(s.rowOf, -1), append(s.rowScale, 1)
			continue
		}
		scale := scaleOf(rowValues)
		low, high := s.model.RowBounds(i)
		lower, upper = append(lower, scaledBound(low, scale)), append(upper, scaledBound(high, scale))
		start = append(start, len(columns))
		for k, v := range rowValues {
			if math.Abs(v*scale) <= smallestCoefficient {
				s.dropped = append(s.dropped, droppedEntry{i, rowColumns[k], v})
				continue
			}
			columns, values = append(columns, rowColumns[k]), append(values, v*scale)
		}
		s.rowOf, s.rowScale = append(s.rowOf, s.rowCount), append(s.rowScale, scale)
		s.rowCount++
	}
	if s.rowCount == 0 {
		// The binding panics without rows; a free row changes nothing.
		lower, upper, start = []float64{math.Inf(-1)}, []float64{math.Inf(1)}, []int{0}
		columns, values = []int{0}, []float64{1}
		s.rowCount = 1
	}
	if len(lower) == 0 {
		return nil
	}
	if err := s.native.raw.AddCompSparseRows(lower, start, columns, values, upper); err != nil {
		s.forget()
		return fmt.Errorf("solver/highs: HiGHS refused %d rows of %s: %w", len(lower), s.model, err)
	}
	return nil
}

// scaleOf returns the power of two that brings the largest magnitude to [1, 2)
// when the row has entries that HiGHS would drop, and 1 otherwise.
func scaleOf(values []float64) float64 {
	smallest, largest := math.Inf(1), 0.0
	for _, v := range values {
		smallest, largest = math.Min(smallest, math.Abs(v)), math.Max(largest, math.Abs(v))
	}
	if smallest > smallestCoefficient || largest >= 1 {
		return 1
	}
	_, exponent := math.Frexp(largest)
	return math.Ldexp(1, 1-exponent)
}

// scaledBound keeps finite bounds below what HiGHS takes for infinite.
func scaledBound(bound, scale float64) float64 {
	if math.IsInf(bound, 0) {
		return bound
	}
	const largest = 1e20 / 2
	return math.Max(-largest, math.Min(largest, bound*scale))
}

// handOverBounds replaces the bounds that changed.
func (s *session) handOverBounds() error {
	var indices []int
	var lower, upper []float64
	for _, j := range sortedKeys(s.columnBounds) {
		low, high := s.model.Column(j).TightBounds()
		indices, lower, upper = append(indices, j), append(lower, low), append(upper, high)
	}
	if err := s.native.changeBounds(false, indices, lower, upper); err != nil {
		return err
	}
	indices, lower, upper = indices[:0], lower[:0], upper[:0]
	for _, i := range sortedKeys(s.rowBounds) {
		if i >= len(s.rowOf) || s.rowOf[i] < 0 {
			continue // handed over with the row itself, or never
		}
		low, high := s.model.RowBounds(i)
		indices = append(indices, s.rowOf[i])
		lower, upper = append(lower, scaledBound(low, s.rowScale[i])), append(upper, scaledBound(high, s.rowScale[i]))
	}
	if err := s.native.changeBounds(true, indices, lower, upper); err != nil {
		return err
	}
	clear(s.columnBounds)
	clear(s.rowBounds)
	return nil
}

func sortedKeys(set map[int]struct{}) []int {
	keys := make([]int, 0, len(set))
	for key := range set {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

package solver

import (
	"math"
)

// linear is a linear program in minimisation form,
//
//	min cost'x,  lower <= x <= upper,  row.lower <= row.values'x <= row.upper.
type linear struct {
	cost, lower, upper []float64
	rows               []rowData
}

// outcome is what the simplex method says about a linear program.
type outcome int

const (
	failed    outcome = iota // no verified answer
	solved                   // optimal, verified
	noOptimum                // claimed infeasible or unbounded, not verified
	stopped                  // the run ended first
)

// answer is a verified optimum when outcome is solved. The duals belong to the
// minimisation form.
type answer struct {
	outcome               outcome
	x                     []float64
	rowDuals, columnDuals []float64
	objective             float64
}

// newLinear takes the linear part of a model, with the costs of a maximisation
// negated and the offset left out.
func newLinear(m *Model) *linear {
	p := &linear{
		cost:  make([]float64, len(m.columns)),
		lower: make([]float64, len(m.columns)),
		upper: make([]float64, len(m.columns)),
		rows:  m.rows,
	}
	for j, c := range m.columns {
		p.cost[j], p.lower[j], p.upper[j] = c.Cost, c.Lower, c.Upper
	}
	if m.sense == Maximize {
		negate(p.cost)
	}
	return p
}

// extended returns the row with one more entry and other bounds.
func (r rowData) extended(column int, value, lower, upper float64) rowData {
	return rowData{
		lower: lower, upper: upper,
		columns: append(append(make([]int, 0, len(r.columns)+1), r.columns...), column),
		values:  append(append(make([]float64, 0, len(r.values)+1), r.values...), value),
	}
}

// recession returns the program that finds the steepest descent direction d of
// p with -1 <= d <= 1 along which no bound is ever reached. It always has an
// optimum, and the optimum is negative exactly when p is unbounded or
// infeasible.
func (p *linear) recession() *linear {
	q := &linear{cost: p.cost, lower: make([]float64, len(p.cost)), upper: make([]float64, len(p.cost))}
	for j := range p.cost {
		if math.IsInf(p.lower[j], -1) {
			q.lower[j] = -1
		}
		if math.IsInf(p.upper[j], 1) {
			q.upper[j] = 1
		}
	}
	for _, r := range p.rows {
		cone := rowData{columns: r.columns, values: r.values, lower: math.Inf(-1), upper: math.Inf(1)}
		if !math.IsInf(r.lower, -1) {
			cone.lower = 0
		}
		if !math.IsInf(r.upper, 1) {
			cone.upper = 0
		}
		q.rows = append(q.rows, cone)
	}
	return q
}

// finish computes reduced costs and objective and checks the optimality
// conditions on the unreduced, unscaled program.
func (p *linear) finish(run *run, x, rowDuals []float64) answer {
	result := answer{outcome: solved, x: x, rowDuals: rowDuals}
	result.columnDuals = append([]float64(nil), p.cost...)
	for i, row := range p.rows {
		if rowDuals[i] == 0 {
			continue
		}
		for k, column := range row.columns {
			result.columnDuals[column] -= rowDuals[i] * row.values[k]
		}
	}
	for j := range x {
		result.objective += p.cost[j] * x[j]
	}
	if p.defect(p.cost, x, rowDuals, result.columnDuals, run.tolerances) != "" {
		return answer{outcome: failed}
	}
	p.cleanDuals(&result)
	return result
}

// cleanDuals sets multipliers of infinite bounds, which the check has found to
// be rounding errors, to zero.
func (p *linear) cleanDuals(a *answer) {
	clean := func(dual *float64, lower, upper float64) {
		if (*dual > 0 && math.IsInf(lower, -1)) || (*dual < 0 && math.IsInf(upper, 1)) {
			*dual = 0
		}
	}
	for j := range a.columnDuals {
		clean(&a.columnDuals[j], p.lower[j], p.upper[j])
	}
	for i, row := range p.rows {
		clean(&a.rowDuals[i], row.lower, row.upper)
	}
}

// entry is one coefficient of a column or row.
type entry struct {
	index int
	value float64
}

// powerOfTwo returns the power of two nearest to v on a logarithmic scale.
func powerOfTwo(v float64) float64 { return math.Exp2(math.Round(math.Log2(v))) }

func negate(v []float64) {
	for i := range v {
		v[i] = -v[i]
	}
}

func maxAbs(v []float64) float64 {
	largest := 0.0
	for _, value := range v {
		largest = math.Max(largest, math.Abs(value))
	}
	return largest
}

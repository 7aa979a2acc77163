package dualsimplex

import (
	"slices"

	"github.com/sparsero/directions/solver/internal/program"
	"gonum.org/v1/gonum/floats"
)

// answer translates the present basis into a point and duals of the program,
// corrects them against its rows, and verifies the optimality conditions.
func (t *tableau) answer(p *program.Program, tol program.Tolerances) (program.Answer, bool) {
	t.evaluate()
	t.price()
	for range basicRefinements {
		t.refinePoint(p)
		t.refineDuals(p)
	}
	x, rowDuals := slices.Clone(t.value[:t.columns]), make([]float64, len(p.Rows))
	for k, v := range t.nonbasic {
		if v >= t.columns {
			rowDuals[v-t.columns] = t.reduced[k]
		}
	}
	columnDuals := program.ReducedCosts(p, x, rowDuals)
	if program.Defect(p, x, rowDuals, columnDuals, tol) != "" {
		return program.Answer{}, false
	}
	program.DropRounding(p, rowDuals, columnDuals)
	return program.Answer{Outcome: program.Optimal, X: x, RowDuals: rowDuals, ColumnDuals: columnDuals}, true
}

// refinePoint corrects the basic columns so that the rows at a bound are there.
func (t *tableau) refinePoint(p *program.Program) {
	correction := make([]float64, t.columns)
	for k, v := range t.nonbasic {
		if v >= t.columns {
			activity, _ := program.Activity(&p.Rows[v-t.columns], t.value)
			correction[k] = t.value[v] - activity
		}
	}
	if program.MaxAbs(correction) == 0 {
		return
	}
	for i, v := range t.basic {
		if v < t.columns {
			t.value[v] += floats.Dot(t.rows[i], correction)
		}
	}
}

// refineDuals corrects the duals of the rows so that the reduced costs of the basic columns are 0.
func (t *tableau) refineDuals(p *program.Program) {
	residual := append([]float64(nil), t.cost...)
	for k, v := range t.nonbasic {
		if v < t.columns || t.reduced[k] == 0 {
			continue
		}
		r := &p.Rows[v-t.columns]
		for e, column := range r.Columns {
			residual[column] -= t.reduced[k] * r.Values[e]
		}
	}
	for k, v := range t.nonbasic {
		if v < t.columns {
			t.reduced[k] = residual[v]
		}
	}
	for i, v := range t.basic {
		if v < t.columns && residual[v] != 0 {
			floats.AddScaled(t.reduced, residual[v], t.rows[i])
		}
	}
}

// rowCombination returns the weights of the rows whose combination is the infeasible row of the tableau, nonbasic rows
// moved to its side: Farkas multipliers, if the bounds keep the combination away from 0.
func (t *tableau) rowCombination() []float64 {
	weights := make([]float64, len(t.basic))
	if v := t.basic[t.infeasibleRow]; v >= t.columns {
		weights[v-t.columns] = 1
	}
	for k, v := range t.nonbasic {
		if v >= t.columns {
			weights[v-t.columns] = -t.rows[t.infeasibleRow][k]
		}
	}
	return weights
}

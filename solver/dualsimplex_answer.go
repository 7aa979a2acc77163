package solver

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// basicRefinements is the number of corrections of a basic solution; one is enough
// unless the tableau has lost most of its digits.
const basicRefinements = 2

// answer translates the present basis into a point and duals of the program,
// corrects them against its rows, and verifies the optimality conditions.
func (t *denseTableau) answer(run *run, p *linear) (answer, bool) {
	t.evaluate()
	t.price()
	for range basicRefinements {
		t.refinePoint(p)
		t.refineDuals(p)
	}
	x, rowDuals := make([]float64, t.columns), make([]float64, len(p.rows))
	for j := range x {
		x[j] = t.value[j] * t.columnScale[j]
		if t.place[j] >= 0 {
			x[j] = nearestBound(x[j], p.lower[j], p.upper[j])
		} else if miss := outside(x[j], p.lower[j], p.upper[j]); miss > 0 && miss <= run.tolerances.feasibility {
			x[j] = math.Min(math.Max(x[j], p.lower[j]), p.upper[j])
		}
		x[j] += 0 // no negative zeros
	}
	for k, v := range t.nonbasic {
		if v >= t.columns {
			rowDuals[v-t.columns] = t.reduced[k] * t.rowScale[v-t.columns] / t.costScale
		}
	}
	found := p.finish(run, x, rowDuals)
	return found, found.outcome == solved
}

// nearestBound undoes the scaling of a value that is a bound, and of a free
// variable's 0.
func nearestBound(x, lower, upper float64) float64 {
	switch {
	case math.Abs(x-lower) <= math.Abs(x-upper) && !infinite(lower):
		return lower
	case !infinite(upper):
		return upper
	}
	return x
}

// refinePoint corrects the basic columns so that the rows at a bound are there.
func (t *denseTableau) refinePoint(p *linear) {
	correction := make([]float64, t.columns)
	for k, v := range t.nonbasic {
		if v >= t.columns {
			correction[k] = t.value[v] - t.activity(&p.rows[v-t.columns], v-t.columns, t.value)
		}
	}
	if maxAbs(correction) == 0 {
		return
	}
	for i, v := range t.basic {
		if v < t.columns {
			t.value[v] += floats.Dot(t.rows[i], correction)
		}
	}
}

// activity is the scaled activity of a row at scaled values of the columns.
func (t *denseTableau) activity(r *rowData, i int, value []float64) float64 {
	sum := 0.0
	for k, column := range r.columns {
		sum += r.values[k] * t.columnScale[column] * value[column]
	}
	return sum * t.rowScale[i]
}

// refineDuals corrects the duals of the rows so that the reduced costs of the basic
// columns are 0.
func (t *denseTableau) refineDuals(p *linear) {
	residual := append([]float64(nil), t.cost...)
	for k, v := range t.nonbasic {
		if v < t.columns || t.reduced[k] == 0 {
			continue
		}
		r := &p.rows[v-t.columns]
		dual := t.reduced[k] * t.rowScale[v-t.columns]
		for e, column := range r.columns {
			residual[column] -= dual * r.values[e] * t.columnScale[column]
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

// provesInfeasible checks the claim of the dual method on the rows of the program:
// the combination w of rows that the tableau gives, w'Ax = g'x, must have ranges over
// the row bounds and over the column bounds that do not meet (Farkas' lemma).
// Coefficients of g that are rounding errors are taken as 0 where the column has no
// bound.
func (t *denseTableau) provesInfeasible(p *linear, tolerance float64) bool {
	weights := t.rowCombination()
	g, rowLow, rowHigh, scale := make([]float64, t.columns), 0.0, 0.0, 1.0
	size := make([]float64, t.columns)
	for i, w := range weights {
		w *= t.rowScale[i]
		if w == 0 {
			continue
		}
		r := &p.rows[i]
		low, high := termRange(w, r.lower, r.upper)
		rowLow, rowHigh = rowLow+low, rowHigh+high
		for k, column := range r.columns {
			g[column] += w * r.values[k]
			size[column] = math.Max(size[column], math.Abs(w*r.values[k]))
		}
	}
	low, high := 0.0, 0.0
	for j, v := range g {
		if v == 0 || math.Abs(v) <= farkasTolerance*size[j] && (infinite(p.lower[j]) || infinite(p.upper[j])) {
			continue
		}
		from, to := termRange(v, p.lower[j], p.upper[j])
		low, high = low+from, high+to
		for _, term := range [2]float64{from, to} {
			if !infinite(term) {
				scale = math.Max(scale, math.Abs(term))
			}
		}
	}
	if math.IsNaN(rowLow) || math.IsNaN(rowHigh) || math.IsNaN(low) || math.IsNaN(high) {
		return false
	}
	return math.Max(rowLow-high, low-rowHigh) > tolerance*scale
}

// farkasTolerance is the coefficient, relative to the terms it is the sum of, that
// counts as a rounding error.
const farkasTolerance = 1e-11

// rowCombination returns the weights of the rows whose combination is the
// infeasible row of the tableau, nonbasic rows moved to its side.
func (t *denseTableau) rowCombination() []float64 {
	weights := make([]float64, len(t.rowScale))
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

// termRange is the range of weight*y over lower <= y <= upper.
func termRange(weight, lower, upper float64) (low, high float64) {
	if weight < 0 {
		lower, upper = upper, lower
	}
	return weight * lower, weight * upper
}

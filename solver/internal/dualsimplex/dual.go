package dualsimplex

import (
	"math"
	"slices"

	"github.com/sparsero/directions/solver/internal/program"
	"gonum.org/v1/gonum/floats"
)

// optimise finds an optimal basis. Infeasible means that there is no feasible point, which
// infeasibleRow shows, and NoOptimum that there is no bound.
func (t *tableau) optimise(b *program.Budget) program.Outcome {
	t.degenerate, t.limit = 0, b.Iterations+iterationFactor*(len(t.rows)+t.columns)+1000
	t.price()
	t.settle()
	t.evaluate()
	dualFirst := t.cold && t.shiftsNeeded() == 0
	t.cold = false
	if dualFirst || !t.feasible() {
		t.makeDualFeasible()
		t.evaluate()
		if result := t.dual(b); result != program.Optimal {
			return result
		}
		t.price() // the dual method has shifted some costs
	}
	return t.primal(b)
}

// settle puts every nonbasic variable on a bound, if it has one: on the one where it is, or else the nearest.
func (t *tableau) settle() {
	for _, v := range t.nonbasic {
		lower, upper := t.lower[v], t.upper[v]
		switch {
		case math.IsInf(lower, 0) && math.IsInf(upper, 0):
			t.value[v] = 0
		case t.value[v]-lower <= upper-t.value[v]:
			t.value[v] = lower
		default:
			t.value[v] = upper
		}
	}
}

// outsideBounds is how far a variable is below its lower bound (negative) or above
// its upper bound (positive), 0 within the tolerance.
func (t *tableau) outsideBounds(v int) float64 {
	value := t.value[v]
	if lower := t.lower[v]; value < lower-primalTolerance*math.Max(1, math.Abs(lower)) {
		return value - lower
	}
	if upper := t.upper[v]; value > upper+primalTolerance*math.Max(1, math.Abs(upper)) {
		return value - upper
	}
	return 0
}

func (t *tableau) feasible() bool {
	return !slices.ContainsFunc(t.basic, func(v int) bool { return t.outsideBounds(v) != 0 })
}

// shiftsNeeded counts the nonbasic variables whose reduced cost is wrong at every bound they have.
func (t *tableau) shiftsNeeded() int {
	count := 0
	for k, v := range t.nonbasic {
		if d := t.reduced[k]; d > dualTolerance && math.IsInf(t.lower[v], 0) || d < -dualTolerance && math.IsInf(t.upper[v], 0) {
			count++
		}
	}
	return count
}

// makeDualFeasible moves boxed variables to the bound that suits their reduced cost and shifts the costs of the others.
func (t *tableau) makeDualFeasible() {
	for k, v := range t.nonbasic {
		switch d := t.reduced[k]; {
		case t.lower[v] == t.upper[v]:
		case math.Abs(d) <= dualTolerance:
			t.reduced[k] = 0
		case d > 0 && !math.IsInf(t.lower[v], 0):
			t.value[v] = t.lower[v]
		case d < 0 && !math.IsInf(t.upper[v], 0):
			t.value[v] = t.upper[v]
		default:
			t.reduced[k] = 0
		}
	}
}

// dual runs the dual simplex method.
func (t *tableau) dual(b *program.Budget) program.Outcome {
	for step := 1; ; step++ {
		if step%evaluationInterval == 0 {
			t.evaluate()
		}
		row := t.leavingRow()
		if row < 0 {
			return program.Optimal
		}
		if b.Exhausted() {
			return program.Stopped
		}
		if b.Iterations++; b.Iterations > t.limit {
			return program.Failed
		}
		excess := t.outsideBounds(t.basic[row])
		position := t.dualRatio(row, excess)
		if position == noCandidate {
			t.infeasibleRow = row
			return program.Infeasible
		}
		t.dualStep(row, position, excess)
	}
}

// leavingRow returns the row with the steepest dual edge, the largest
// infeasibility² / (1 + ‖row‖²), or -1 if all rows are feasible.
func (t *tableau) leavingRow() int {
	best, steepest := -1, 0.0
	for i, v := range t.basic {
		excess := t.outsideBounds(v)
		if excess == 0 {
			continue
		}
		if steepness := excess * excess / (1 + floats.Dot(t.rows[i], t.rows[i])); steepness > steepest {
			best, steepest = i, steepness
		}
	}
	return best
}

// noCandidate is the entering position where no variable can repair the row.
const noCandidate = -1

// dualRatio finds the entering position for a row that is outside its bounds,
// and flips the boxed variables that the dual step passes.
func (t *tableau) dualRatio(row int, excess float64) int {
	t.findBreakpoints(t.rows[row], excess)
	points := &t.breakpoints
	negligible := primalTolerance * math.Max(1, math.Abs(t.value[t.basic[row]]-excess))
	slope := math.Abs(excess) // what would be left of it after flipping those passed
	for slope > negligible || len(points.passed) == 0 {
		if len(points.ahead) == 0 {
			return noCandidate // even with all of them at their other bound the row is outside
		}
		point := points.pass()
		v := t.nonbasic[point.position]
		slope -= (t.upper[v] - t.lower[v]) * point.size
	}
	flippable := points.passed[:len(points.passed)-1]
	chosen := points.stablest()
	for _, point := range flippable {
		if point.ratio < chosen.ratio {
			t.flip(point.position)
		}
	}
	return chosen.position
}

// findBreakpoints finds the candidates of a row.
func (t *tableau) findBreakpoints(row []float64, excess float64) {
	found := t.breakpoints.ahead[:0]
	for k, entry := range row {
		if excess > 0 {
			entry = -entry
		}
		if math.Abs(entry) <= pivotTolerance {
			continue
		}
		v := t.nonbasic[k]
		if entry > 0 && t.value[v] >= t.upper[v] || entry < 0 && t.value[v] <= t.lower[v] || t.lower[v] == t.upper[v] {
			continue
		}
		size := math.Abs(entry)
		found = append(found, breakpoint{k, math.Abs(t.reduced[k]) / size, size})
	}
	t.breakpoints.start(found)
}

// flip moves a boxed nonbasic variable to its other bound.
func (t *tableau) flip(position int) {
	v := t.nonbasic[position]
	target := t.upper[v]
	if t.value[v] == t.upper[v] {
		target = t.lower[v]
	}
	t.move(position, target-t.value[v])
	t.value[v] = target
}

// move changes the basic values for a step of a nonbasic variable.
func (t *tableau) move(position int, step float64) {
	for i, v := range t.basic {
		t.value[v] += t.rows[i][position] * step
	}
}

// dualStep brings the variable of a row to the bound it violates.
func (t *tableau) dualStep(row, position int, excess float64) {
	leaving, entering := t.basic[row], t.nonbasic[position]
	target := t.lower[leaving]
	if excess > 0 {
		target = t.upper[leaving]
	}
	step := (target - t.value[leaving]) / t.rows[row][position]
	t.move(position, step)
	t.value[entering] += step
	t.value[leaving] = target
	t.pivot(row, position)
	t.keepDualFeasible()
}

// keepDualFeasible shifts the costs whose sign a step within the tolerances has made wrong.
func (t *tableau) keepDualFeasible() {
	for k, v := range t.nonbasic {
		d := t.reduced[k]
		if d > 0 && t.value[v] > t.lower[v] || d < 0 && t.value[v] < t.upper[v] {
			t.reduced[k] = 0
		}
	}
}

package dualsimplex

import (
	"math"
	"slices"

	"github.com/sparsero/directions/solver/internal/program"
)

// primal runs the primal simplex method from a feasible basis, with the reference weights of Forrest and Goldfarb 1992
// (devex). NoOptimum means that nothing stops a variable that improves the objective.
func (t *tableau) primal(b *program.Budget) program.Outcome {
	t.degenerate, t.edgeWeights = 0, slices.Repeat([]float64{1}, t.columns)
	for step := 1; ; step++ {
		if step%evaluationInterval == 0 {
			t.evaluate()
		}
		bland := t.degenerate > stallLimit*(len(t.rows)+t.columns)
		position := t.enteringPosition(bland)
		if position < 0 {
			return program.Optimal
		}
		if b.Exhausted() {
			return program.Stopped
		}
		if b.Iterations++; b.Iterations > t.limit {
			return program.Failed
		}
		row, length := t.primalRatio(position, bland)
		switch {
		case math.IsInf(length, 1):
			return program.NoOptimum
		case row < 0:
			t.flip(position)
		default:
			t.primalStep(row, position, length)
		}
		if length > 0 {
			t.degenerate = 0
		} else {
			t.degenerate++
		}
	}
}

// enteringPosition returns the nonbasic variable with the best weighted reduced
// cost of the wrong sign (Bland: the one of lowest index), or -1.
func (t *tableau) enteringPosition(bland bool) int {
	best, largest := -1, 0.0
	for k, v := range t.nonbasic {
		d := t.reduced[k]
		improves := d < -dualTolerance && t.value[v] < t.upper[v] || d > dualTolerance && t.value[v] > t.lower[v]
		if !improves {
			continue
		}
		if bland {
			if best < 0 || v < t.nonbasic[best] {
				best = k
			}
			continue
		}
		if merit := d * d / t.edgeWeights[k]; merit > largest {
			best, largest = k, merit
		}
	}
	return best
}

// primalRatio returns how far the entering variable can go and the row that stops it, -1 if it is its own other bound.
// Among rows that stop it within the tolerance the one with the largest entry is taken (Harris 1973).
func (t *tableau) primalRatio(position int, bland bool) (row int, length float64) {
	entering := t.nonbasic[position]
	direction := 1.0
	if t.reduced[position] > 0 {
		direction = -1
	}
	reach := math.Inf(1)
	for i, v := range t.basic {
		if room, size := t.room(i, v, position, direction); size > pivotTolerance {
			reach = math.Min(reach, (room+primalTolerance)/size)
		}
	}
	row, length = -1, t.upper[entering]-t.lower[entering]
	if math.IsNaN(length) {
		length = math.Inf(1)
	}
	if length <= reach {
		return -1, length
	}
	largest := 0.0
	for i, v := range t.basic {
		room, size := t.room(i, v, position, direction)
		if size <= pivotTolerance || room/size > reach {
			continue
		}
		better := size > largest
		if bland {
			better = row < 0 || v < t.basic[row]
		}
		if better {
			row, length, largest = i, math.Max(0, room/size), size
		}
	}
	return row, length
}

// room is how far the basic variable of a row can follow the entering variable, and
// the size of the entry by which it does.
func (t *tableau) room(i, v, position int, direction float64) (room, size float64) {
	entry := t.rows[i][position] * direction
	if entry > 0 {
		return t.upper[v] - t.value[v], entry
	}
	return t.value[v] - t.lower[v], -entry
}

// primalStep moves the entering variable by the given length and pivots.
func (t *tableau) primalStep(row, position int, length float64) {
	leaving, entering := t.basic[row], t.nonbasic[position]
	entry := t.rows[row][position]
	if t.reduced[position] > 0 {
		length = -length
	}
	target := t.lower[leaving]
	if entry*t.reduced[position] < 0 {
		target = t.upper[leaving]
	}
	t.move(position, length)
	t.value[entering] += length
	t.value[leaving] = target
	weight := t.edgeWeights[position]
	for k, v := range t.rows[row] {
		ratio := v / entry
		t.edgeWeights[k] = math.Max(t.edgeWeights[k], ratio*ratio*weight)
	}
	// As Harris (1973) has it: repeated divisions would leave a weight of 0, by which merits are divided.
	t.edgeWeights[position] = math.Max(1, weight/(entry*entry))
	t.pivot(row, position)
}

package solver

import (
	"math"
	"math/big"
	"sort"

	"github.com/sparsero/directions/solver/directed"
)

// repairLimit is the number of open columns up to which multipliers are repaired; the
// work grows like its third power in rational numbers.
const repairLimit = 40

// repair finds small corrections of multipliers that make the reduced costs of some
// columns exactly 0, as columns without a bound need it. It returns them by row, or nil.
func (c *claim) repair(y []float64, open []int) map[int]*big.Rat {
	if len(open) > repairLimit {
		return nil
	}
	rows := c.rowsToMend(y, open)
	// The system has a row per open column, a column per row of the model, and the
	// reduced costs as right-hand side.
	system := make([][]*big.Rat, len(open))
	position := make(map[int]int, len(open))
	for a, j := range open {
		position[j] = a
		system[a] = make([]*big.Rat, len(rows)+1)
		for b := range rows {
			system[a][b] = new(big.Rat)
		}
		system[a][len(rows)] = c.exactGradient(j)
	}
	for i, v := range y {
		if v == 0 {
			continue
		}
		r := &c.model.rows[i]
		for k, j := range r.columns {
			if a, isOpen := position[j]; isOpen {
				product := new(big.Rat).Mul(rationalOf(v), rationalOf(r.values[k]))
				system[a][len(rows)].Sub(system[a][len(rows)], product)
			}
		}
	}
	for b, i := range rows {
		r := &c.model.rows[i]
		for k, j := range r.columns {
			if a, isOpen := position[j]; isOpen {
				system[a][b].SetFloat64(r.values[k])
			}
		}
	}
	corrections := make(map[int]*big.Rat)
	for b, value := range eliminate(system) {
		i := rows[b]
		if size, _ := value.Float64(); math.Abs(size) > largestRepair*math.Abs(y[i]) {
			return nil
		}
		corrections[i] = value
	}
	return corrections
}

// largestRepair is the share of a multiplier that may be corrected: its sign must stay.
const largestRepair = 0.5

func rationalOf(v float64) *big.Rat { return new(big.Rat).SetFloat64(v) }

// rowsToMend lists the rows in use that have entries in open columns, those with the
// largest part first, because a correction is small for them.
func (c *claim) rowsToMend(y []float64, open []int) []int {
	isOpen := make(map[int]bool, len(open))
	for _, j := range open {
		isOpen[j] = true
	}
	var rows []int
	part := make(map[int]float64)
	for i, v := range y {
		if v == 0 {
			continue
		}
		r := &c.model.rows[i]
		for k, j := range r.columns {
			if isOpen[j] {
				part[i] += math.Abs(v * r.values[k])
			}
		}
		if part[i] > 0 {
			rows = append(rows, i)
		}
	}
	sort.SliceStable(rows, func(a, b int) bool { return part[rows[a]] > part[rows[b]] })
	return rows[:min(len(rows), 3*repairLimit)]
}

// eliminate solves a system [A|b] with at least as many unknowns as rows, in which the
// unknowns that it does not need are 0. It returns nil where there is no solution.
func eliminate(system [][]*big.Rat) map[int]*big.Rat {
	unknowns := len(system[0]) - 1
	pivotOf := make([]int, len(system))
	for a, row := range system {
		pivotOf[a] = -1
		for b := range unknowns {
			if row[b].Sign() != 0 {
				pivotOf[a] = b
				break
			}
		}
		if pivotOf[a] < 0 {
			if row[unknowns].Sign() != 0 {
				return nil
			}
			continue
		}
		for other, target := range system {
			if other == a || target[pivotOf[a]].Sign() == 0 {
				continue
			}
			factor := new(big.Rat).Quo(target[pivotOf[a]], row[pivotOf[a]])
			for b := range target {
				if row[b].Sign() != 0 {
					target[b].Sub(target[b], new(big.Rat).Mul(factor, row[b]))
				}
			}
		}
	}
	solution := make(map[int]*big.Rat)
	for a, b := range pivotOf {
		if b >= 0 && system[a][unknowns].Sign() != 0 {
			solution[b] = new(big.Rat).Quo(system[a][unknowns], system[a][b])
		}
	}
	return solution
}

// exactGradient is the gradient of the claim in a column without rounding.
func (c *claim) exactGradient(j int) *big.Rat {
	sum := new(big.Rat)
	if c.zero {
		return sum
	}
	sign := c.model.sign()
	sum.SetFloat64(sign * c.model.columns[j].Cost)
	for key, q := range c.model.quadratic {
		for _, pair := range [2][2]int{{key[0], key[1]}, {key[1], key[0]}} {
			if pair[0] == j {
				sum.Add(sum, new(big.Rat).Mul(rationalOf(sign*q), rationalOf(c.tangent[pair[1]])))
			}
		}
	}
	return sum
}

// enclosure returns floats around a rational number.
func enclosure(v *big.Rat) (lower, upper float64) {
	lower = roundedDown(v)
	return lower, -roundedDown(new(big.Rat).Neg(v))
}

// addCorrection adds a correction of multiplier i to gradient and total.
func (c *claim) addCorrection(i int, correction *big.Rat, y float64, gradient []directed.Sum, total *directed.Sum) {
	lower, upper := enclosure(correction)
	r := &c.model.rows[i]
	side := r.lower
	if y < 0 {
		side = r.upper
	}
	total.Add(leastProduct(lower, upper, side, side))
	for k, j := range r.columns {
		a := r.values[k]
		gradient[j].AddBetween(leastProduct(-upper, -lower, a, a), -leastProduct(lower, upper, a, a))
	}
}

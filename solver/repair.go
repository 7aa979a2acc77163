package solver

import (
	"math"
	"math/big"
	"slices"

	"github.com/sparsero/directions/solver/directed"
)

// repairLimit is the number of open columns up to which multipliers are repaired; the
// work grows like its third power in whole numbers of as many words.
const repairLimit = 40

// repair finds small corrections of multipliers that make the reduced costs of some
// columns exactly 0, as columns without a bound need it. It returns them by row, or nil.
func (c *claim) repair(y []float64, open []int) map[int]*big.Rat {
	if len(open) > repairLimit {
		return nil
	}
	rows := c.rowsToMend(y, open)
	if rows == nil {
		return nil
	}
	position := make(map[int]int, len(open))
	system := make([][]*big.Rat, len(open)) // rows are open columns, the last entry is the reduced cost
	for a, j := range open {
		position[j] = a
		system[a] = make([]*big.Rat, len(rows)+1)
		for b := range rows {
			system[a][b] = new(big.Rat)
		}
		system[a][len(rows)] = c.exactReducedCost(j, y)
	}
	for b, i := range rows {
		r := &c.model.rows[i]
		for k, j := range r.Columns {
			if a, isOpen := position[j]; isOpen {
				system[a][b].SetFloat64(r.Values[k])
			}
		}
	}
	solution := solveRational(system)
	if solution == nil {
		return nil
	}
	corrections := make(map[int]*big.Rat, len(rows))
	for b, i := range rows {
		if size, _ := solution[b].Float64(); math.Abs(size) > largestRepair*math.Abs(y[i]) {
			return nil
		}
		corrections[i] = solution[b]
	}
	return corrections
}

// largestRepair is the share of a multiplier that may be corrected: its sign must stay.
const largestRepair = 0.5

func rationalOf(v float64) *big.Rat { return new(big.Rat).SetFloat64(v) }

// rowsToMend chooses as many rows in use as there are open columns, by elimination with
// the largest pivots, in which a row counts by its multiplier: corrections are small for
// large ones. It returns nil where the columns are dependent up to rounding errors.
func (c *claim) rowsToMend(y []float64, open []int) []int {
	position := make(map[int]int, len(open))
	for a, j := range open {
		position[j] = a
	}
	var candidates []int
	var parts [][]float64 // by candidate, the entries in the open columns
	for i, v := range y {
		if v == 0 {
			continue
		}
		part, touches := make([]float64, len(open)), false
		for k, j := range c.model.rows[i].Columns {
			if a, isOpen := position[j]; isOpen {
				part[a], touches = v*c.model.rows[i].Values[k], true
			}
		}
		if touches {
			candidates, parts = append(candidates, i), append(parts, part)
		}
	}
	chosen := make([]int, 0, len(open))
	for a := range open {
		best, largest := -1, 0.0
		for b, part := range parts {
			if part != nil && math.Abs(part[a]) > largest {
				best, largest = b, math.Abs(part[a])
			}
		}
		if best < 0 {
			return nil
		}
		pivot := parts[best]
		chosen, parts[best] = append(chosen, candidates[best]), nil
		for _, part := range parts {
			if part == nil || part[a] == 0 {
				continue
			}
			factor := part[a] / pivot[a]
			for k := a; k < len(part); k++ {
				part[k] -= factor * pivot[k]
			}
		}
	}
	return chosen
}

// solveRational solves a square system [A|b], or returns nil if it is singular, by
// elimination in whole numbers (Bareiss 1968).
func solveRational(system [][]*big.Rat) []*big.Rat {
	n := len(system)
	rows := make([][]*big.Int, n)
	for a, row := range system {
		rows[a] = wholeRow(row)
	}
	previous, product := big.NewInt(1), new(big.Int)
	for k := range n {
		pivot := k
		for pivot < n && rows[pivot][k].Sign() == 0 {
			pivot++
		}
		if pivot == n {
			return nil
		}
		rows[k], rows[pivot] = rows[pivot], rows[k]
		for a := range n {
			if a == k {
				continue
			}
			factor := new(big.Int).Set(rows[a][k])
			for b := range rows[a] {
				entry := rows[a][b]
				entry.Mul(entry, rows[k][k])
				entry.Sub(entry, product.Mul(factor, rows[k][b]))
				entry.Quo(entry, previous)
			}
		}
		previous = new(big.Int).Set(rows[k][k]) // row k changes in the next steps
	}
	solution := make([]*big.Rat, n)
	for k := range n {
		solution[k] = new(big.Rat).SetFrac(rows[k][n], rows[k][k])
	}
	return solution
}

// wholeRow multiplies a row by the common denominator.
func wholeRow(row []*big.Rat) []*big.Int {
	common := big.NewInt(1)
	for _, v := range row { // denominators are powers of two
		if v.Denom().Cmp(common) > 0 {
			common.Set(v.Denom())
		}
	}
	whole := make([]*big.Int, len(row))
	for k, v := range row {
		whole[k] = new(big.Int).Quo(common, v.Denom())
		whole[k].Mul(whole[k], v.Num())
	}
	return whole
}

// exactReducedCost is the reduced cost of a column without rounding.
func (c *claim) exactReducedCost(open int, y []float64) *big.Rat {
	sum := c.exactGradient(open)
	for i, v := range y {
		if v == 0 {
			continue
		}
		r := &c.model.rows[i]
		if k, found := slices.BinarySearch(r.Columns, open); found {
			sum.Sub(sum, new(big.Rat).Mul(rationalOf(v), rationalOf(r.Values[k])))
		}
	}
	return sum
}

// exactGradient is the gradient of the claim in a column without rounding.
func (c *claim) exactGradient(j int) *big.Rat {
	sum := new(big.Rat)
	if c.zero {
		return sum
	}
	sign := c.model.sign()
	sum.SetFloat64(sign * c.model.columns[j].Cost)
	for _, q := range c.model.Quadratic() {
		for _, pair := range [2][2]int{{q.I, q.J}, {q.J, q.I}} {
			if pair[0] == j {
				sum.Add(sum, new(big.Rat).Mul(rationalOf(sign*q.Value), rationalOf(c.tangent[pair[1]])))
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
	side := r.Lower
	if y < 0 {
		side = r.Upper
	}
	total.Add(leastProduct(lower, upper, side, side))
	for k, j := range r.Columns {
		a := r.Values[k]
		gradient[j].AddBetween(leastProduct(-upper, -lower, a, a), -leastProduct(lower, upper, a, a))
	}
}

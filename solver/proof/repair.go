package proof

import (
	"context"
	"math"
	"math/big"
	"slices"

	"github.com/sparsero/directions/solver/internal/program"
	"github.com/sparsero/directions/solver/proof/directed"
	"github.com/sparsero/directions/solver/proof/exact"
)

// repairLimit is the number of open columns times rows in use up to which multipliers are repaired.
const repairLimit = 1600

// repairShares are the shares of a multiplier that may be corrected, tried in turn: small ones change the bound less.
var repairShares = [...]float64{0x1p-48, 0x1p-32}

// repair finds small corrections of multipliers that make the reduced costs of some columns
// exactly 0, as columns without a bound need it. It returns them by row, or nil.
func (c *duality) repair(y []float64, open []int) map[int]*big.Rat {
	system, rows := c.openSystem(y, open)
	if system == nil || len(rows)*len(open) > repairLimit {
		return nil
	}
	for _, share := range repairShares {
		for b, i := range rows {
			reach := share * math.Abs(y[i])
			system.Lower[b], system.Upper[b] = y[i]-reach, y[i]+reach
		}
		answer := exact.Solve(context.Background(), system)
		if answer.Status != exact.Optimal || exact.Check(system, answer) != nil {
			continue
		}
		corrections := make(map[int]*big.Rat, len(rows))
		for b, i := range rows {
			corrections[i] = new(big.Rat).Sub(answer.X[b], rationalOf(y[i]))
		}
		return corrections
	}
	return nil
}

// openSystem returns the equations that make the reduced costs of some columns 0, in the multipliers of the rows in
// use, and these rows. It returns nil for columns with quadratic terms, whose gradient is rounded.
func (c *duality) openSystem(y []float64, open []int) (*Program, []int) {
	equations, position := make([]Row, len(open)), make(map[int]int, len(open))
	for a, j := range open {
		if c.hasSquare(j) {
			return nil, nil
		}
		position[j] = a
		cost := c.gradient[j].Value() // not rounded
		equations[a].Lower, equations[a].Upper = cost, cost
	}
	var rows []int
	for i, v := range y {
		if v == 0 {
			continue
		}
		r, inUse := &c.program.Rows[i], false
		for k, j := range r.Columns {
			if a, isOpen := position[j]; isOpen {
				equations[a].Columns, equations[a].Values = append(equations[a].Columns, len(rows)), append(equations[a].Values, r.Values[k])
				inUse = true
			}
		}
		if inUse {
			rows = append(rows, i)
		}
	}
	n := len(rows)
	return &Program{Cost: make([]float64, n), Lower: make([]float64, n), Upper: make([]float64, n), Rows: equations}, rows
}

// hasSquare tells whether column j has a quadratic term in the objective.
func (c *duality) hasSquare(j int) bool {
	return slices.ContainsFunc(c.program.Quadratic, func(q program.Term) bool { return q.I == j || q.J == j })
}

func rationals(x []float64) []*big.Rat {
	fractions := make([]*big.Rat, len(x))
	for j, v := range x {
		fractions[j] = rationalOf(v)
	}
	return fractions
}

func rationalOf(v float64) *big.Rat { return new(big.Rat).SetFloat64(v) }

// addCorrection adds a correction of multiplier i to gradient and total.
func (c *duality) addCorrection(i int, correction *big.Rat, y float64, gradient []directed.Sum, total *directed.Sum) {
	lower, upper := LowerOf(correction).Float(), UpperOf(correction).Float()
	r := &c.program.Rows[i]
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

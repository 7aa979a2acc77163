package robust

import (
	"math/big"
	"slices"
)

// impliedPasses bounds the passes over the rows in search of implied bounds.
const impliedPasses = 10

// implied is a bound that a row and the bounds of its other columns give a column: the row, the column, and 1 for an
// upper bound or -1 for a lower one.
type implied [3]int

// findImplied searches the rows for bounds of columns that lack them; each may rest on those before it.
func (e *exactProblem) findImplied() []implied {
	var list []implied
	found := e.copied()
	for range impliedPasses {
		before := len(list)
		for i := range e.problem.region.Rows() {
			columns, _ := e.problem.region.RowTerms(i)
			for _, j := range columns {
				for side, sign := range [2]int{-1, 1} {
					if found.sides[j][side] == nil && found.imply(implied{i, j, sign}) {
						list = append(list, implied{i, j, sign})
					}
				}
			}
		}
		if len(list) == before {
			break
		}
	}
	return list
}

// bounded is the problem with implied bounds.
func (e *exactProblem) bounded(list []implied) *exactProblem {
	b := e.copied()
	for _, bound := range list {
		b.imply(bound)
	}
	return b
}

// imply sets a bound; false if the row gives none.
func (e *exactProblem) imply(b implied) bool {
	columns, values := e.problem.region.RowTerms(b[0])
	own := values[slices.Index(columns, b[1])]
	upper := b[2] > 0
	high := upper == (own > 0) // the upper side of the row less the least values of the others
	rest := e.sides[e.row(b[0])][sideAt(high)]
	if rest == nil {
		return false
	}
	rest = new(big.Rat).Set(rest)
	for k, j := range columns {
		if j == b[1] {
			continue
		}
		other := e.sides[j][sideAt(high != (values[k] > 0))]
		if other == nil {
			return false
		}
		addProduct(rest, rational(-values[k]), other)
	}
	e.sides[b[1]][sideAt(upper)] = rest.Quo(rest, rational(own))
	return true
}

// sideAt is the place of a side in an interval.
func sideAt(upper bool) int {
	if upper {
		return 1
	}
	return 0
}

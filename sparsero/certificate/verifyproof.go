package certificate

import (
	"math"
	"math/big"
	"slices"
)

// The sides of columns, rows and constraints, and how a number beyond a side compares with it.
const (
	lowerSide = 0
	upperSide = 1
)

var beyond = [2]int{lowerSide: -1, upperSide: 1}

func sideOf(upper bool) int {
	if upper {
		return upperSide
	}
	return lowerSide
}

// duality evaluates the proof of a file by weak duality between exact sides, which are nil where there is none.
type duality struct {
	*designFile
	exact [2][]*big.Rat
}

// duality returns the sides of the file.
func (f *designFile) duality() *duality {
	d := &duality{designFile: f}
	for side, values := range f.sides {
		d.exact[side] = make([]*big.Rat, len(values))
		for k, v := range values {
			if v != nil {
				d.exact[side][k] = exactly(*v)
			}
		}
	}
	return d
}

// reach moves the sides that a decision misses to where it is and returns by how much it missed most.
func (d *duality) reach(position []*big.Rat) *big.Rat {
	most := new(big.Rat)
	for k, value := range position {
		for side := range d.exact {
			at := d.exact[side][k]
			if at == nil || value.Cmp(at) != beyond[side] {
				continue
			}
			miss := new(big.Rat).Sub(value, at)
			if miss.Abs(miss).Cmp(most) > 0 {
				most = miss
			}
			d.exact[side][k] = value
		}
	}
	return most
}

// proven is the bound of the proof; nil for none.
func (d *duality) proven() *big.Rat {
	d.imply()
	if d.proof == nil {
		return nil
	}
	bound, empty := d.node(d.proof)
	ensureProof(!empty, "it says that no decision is feasible, but there is one")
	return bound
}

func ensureProof(holds bool, exact string) { ensure(holds, "proof", "one by weak duality", exact) }

// imply gives columns the bounds that the file lists: the side of a row less the least, or the largest, values of its
// other columns. Whatever the list, such bounds hold.
func (d *duality) imply() {
	for _, entry := range d.implied {
		triple := tuple(entry, "an implied bound", 3)
		i, j := index(triple[0], "row of an implied bound", 0, len(d.rows)), index(triple[1], "column of an implied bound", 0, len(d.costs))
		upper := as[float64](triple[2], "side of an implied bound") > 0
		row := &d.rows[i]
		place := slices.Index(row.columns, j)
		need(place >= 0 && row.values[place] != 0, "an implied bound is about column %d, which is not in row %d", j, i)
		own := row.values[place]
		high := upper == (own > 0)
		bound := new(big.Rat).Set(d.known(len(d.costs)+i, high))
		for k, other := range row.columns {
			if k != place {
				v := row.values[k]
				bound.Sub(bound, new(big.Rat).Mul(exactly(v), d.known(other, high != (v > 0))))
			}
		}
		bound.Quo(bound, exactly(own))
		checkLength(bound, len(d.costs))
		d.exact[sideOf(upper)][j] = bound
	}
}

// known is a side on which an implied bound rests.
func (d *duality) known(place int, upper bool) *big.Rat {
	side := d.exact[sideOf(upper)][place]
	need(side != nil, "an implied bound rests on one that is not there")
	return side
}

// node returns the bound of a branch or a leaf, nil for none, or that the part is empty.
func (d *duality) node(value any) (bound *big.Rat, empty bool) {
	n := as[object](value, "a part of the proof")
	if n["column"] == nil {
		return d.leaf(n)
	}
	j, at := index(n["column"], "column of a branch", 0, len(d.costs)), as[float64](n["at"], "at")
	need(d.integer[j] && at == math.Trunc(at), "a branch of the proof splits no integer column at a whole number")
	whole := exactly(at)
	below, belowEmpty := d.narrowed(n["below"], upperSide, j, whole)
	above, aboveEmpty := d.narrowed(n["above"], lowerSide, j, new(big.Rat).Add(whole, exactly(1)))
	switch {
	case belowEmpty:
		return above, aboveEmpty
	case aboveEmpty || below == nil:
		return below, false
	case above == nil || above.Cmp(below) < 0:
		return above, false
	}
	return below, false
}

// narrowed returns the bound of a part of a branch, in which a column has a closer side.
func (d *duality) narrowed(part any, side, column int, cut *big.Rat) (bound *big.Rat, empty bool) {
	known := d.exact[side][column]
	if known == nil || known.Cmp(cut) == beyond[side] {
		d.exact[side][column] = cut
	}
	bound, empty = d.node(part)
	d.exact[side][column] = known
	return bound, empty
}

// leaf returns the bound of its multipliers: the constant of the Lagrangian and the least values of its reduced costs
// between the sides.
func (d *duality) leaf(n object) (bound *big.Rat, empty bool) {
	if n["empty"] != nil {
		empty = as[bool](n["empty"], "empty")
	}
	l := zeros(len(d.costs) + 1)
	d.addCost(l, n["tangent"], empty)
	d.addRows(l, n)
	d.addAtoms(l, n, empty)
	for j, g := range l.reduced() {
		if g.Sign() == 0 {
			continue
		}
		side := d.exact[sideOf(g.Sign() < 0)][j]
		if side == nil {
			return nil, false
		}
		l.addConstant(g, side)
	}
	if empty {
		return nil, l.constant().Sign() > 0
	}
	return l.constant(), false
}

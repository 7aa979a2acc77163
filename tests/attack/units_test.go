package attack

import (
	"math"
	"math/rand/v2"
)

// exponents are the powers of two by which units change.
var exponents = []int{8, 16, 24, 28, 32, 36, 40, 60, 100, 300}

// units says how a problem is measured anew. Every unit is a power of two, so that the new problem is exactly the old one.
type units struct {
	Change   int    // position in changes
	Exponent int    // of the power of two
	Mask     uint32 // which columns, rows or coordinates
}

// change multiplies some data of a problem by a unit.
type change struct {
	apply func(p *problem, unit float64, mask uint32)
	// value tells that values and bounds are multiplied too, radius that radii are divided, some that one uncertain row
	// changes its unit and others do not.
	value, radius, some bool
}

var changes = []change{
	{atomsAndCosts, true, false, false}, {objectiveUnit, true, false, true}, {atomsAgainstRadius, false, true, false},
	{decisionUnit, false, false, false}, {columnUnits, false, false, false}, {rowUnits, false, false, false},
	{constraintUnits, false, false, true}, {coordinateUnits, false, false, false},
}

// otherUnits draws units for a problem.
func otherUnits(r *rand.Rand, p *problem) *problem {
	p.Units = &units{Change: r.IntN(len(changes)), Exponent: exponents[r.IntN(len(exponents))] * (2*r.IntN(2) - 1), Mask: r.Uint32()}
	return p
}

// measured returns the problem in its units.
func (p *problem) measured() *problem {
	if p.Units == nil {
		return p
	}
	copied := p.clone()
	copied.Units = nil
	changes[p.Units.Change].apply(copied, math.Ldexp(1, p.Units.Exponent), p.Units.Mask)
	return copied
}

// selected tells whether a mask holds a position.
func selected(mask uint32, position int) bool { return mask>>(position%32)&1 == 1 }

func times(v []float64, unit float64) {
	for j := range v {
		v[j] *= unit
	}
}

// atomsAndCosts multiplies the atoms, the costs and the nominal parts and limits of constraints.
func atomsAndCosts(p *problem, unit float64, _ uint32) {
	scaleAtoms(p, unit)
	costs(p, unit)
	for k := range p.Constraints {
		times(p.Constraints[k].Nominal, unit)
		p.Constraints[k].Limit *= unit
	}
}

func costs(p *problem, unit float64) {
	for j := range p.Columns {
		p.Columns[j].Cost *= unit
	}
	for _, line := range p.Quadratic {
		times(line, unit)
	}
	p.Offset *= unit
}

// objectiveUnit multiplies the costs and the map of the objective.
func objectiveUnit(p *problem, unit float64, _ uint32) {
	costs(p, unit)
	for _, line := range p.Map {
		times(line, unit)
	}
	times(p.Shift, unit)
}

// atomsAgainstRadius multiplies the atoms and divides the radius.
func atomsAgainstRadius(p *problem, unit float64, _ uint32) {
	scaleAtoms(p, unit)
	p.Radius /= unit
}

// decisionUnit measures all of x in another unit, so that only bounds and constants change.
func decisionUnit(p *problem, unit float64, _ uint32) {
	for j := range p.Columns {
		columnUnit(p, j, unit)
	}
}

// columnUnits measures each column in a unit of its own.
func columnUnits(p *problem, unit float64, mask uint32) {
	for j := range p.Columns {
		if selected(mask, j) {
			columnUnit(p, j, unit)
		}
	}
}

// columnUnit replaces x_j by x_j / unit; integer columns have no units.
func columnUnit(p *problem, j int, unit float64) {
	if p.Columns[j].Integer {
		return
	}
	p.Columns[j].Lower /= bound(unit)
	p.Columns[j].Upper /= bound(unit)
	p.Columns[j].Cost *= unit
	for i := range p.Quadratic {
		for k := range p.Quadratic[i] {
			if i == j {
				p.Quadratic[i][k] *= unit
			}
			if k == j {
				p.Quadratic[i][k] *= unit
			}
		}
	}
	for i := range p.Rows {
		p.Rows[i].Values[j] *= unit
	}
	for k := range p.Map {
		p.Map[k][j] *= unit
	}
	for c := range p.Constraints {
		p.Constraints[c].Nominal[j] *= unit
		for k := range p.Constraints[c].Map {
			p.Constraints[c].Map[k][j] *= unit
		}
	}
}

// rowUnits multiplies rows of the region.
func rowUnits(p *problem, unit float64, mask uint32) {
	for i := range p.Rows {
		if selected(mask, i) {
			times(p.Rows[i].Values, unit)
			p.Rows[i].Lower *= bound(unit)
			p.Rows[i].Upper *= bound(unit)
		}
	}
}

// constraintUnits multiplies robust constraints.
func constraintUnits(p *problem, unit float64, _ uint32) {
	for k := range p.Constraints {
		c := &p.Constraints[k]
		times(c.Nominal, unit)
		c.Limit *= unit
		for _, line := range c.Map {
			times(line, unit)
		}
		times(c.Shift, unit)
	}
}

// coordinateUnits measures coordinates of the atoms in other units, which the maps and the probes undo.
func coordinateUnits(p *problem, unit float64, mask uint32) {
	for k := range p.dimension() {
		if !selected(mask, k) {
			continue
		}
		for _, atom := range p.Atoms {
			atom[k] *= unit
		}
		for _, probe := range p.Probes {
			probe[k] /= unit
		}
		if p.Map != nil {
			times(p.Map[k], 1/unit)
		}
		if p.Shift != nil {
			p.Shift[k] /= unit
		}
		for c := range p.Constraints {
			times(p.Constraints[c].Map[k], 1/unit)
			if p.Constraints[c].Shift != nil {
				p.Constraints[c].Shift[k] /= unit
			}
		}
	}
}

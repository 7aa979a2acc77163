package attack

import (
	"math"
	"math/rand/v2"
)

// exponents are the powers of two by which units change.
var exponents = []int{8, 16, 24, 28, 32, 36, 40, 60, 100, 300}

// otherUnits measures a problem in other units, each a power of two, so that the new problem is exactly the old one.
func otherUnits(r *rand.Rand, p *problem) *problem {
	exponent := exponents[r.IntN(len(exponents))] * (2*r.IntN(2) - 1)
	changes := []func(*rand.Rand, *problem, float64){atomsAndCosts, objectiveUnit, atomsAgainstRadius, decisionUnit, columnUnits, rowUnits, constraintUnits, coordinateUnits}
	changes[r.IntN(len(changes))](r, p, math.Ldexp(1, exponent))
	return p
}

func times(v []float64, unit float64) {
	for j := range v {
		v[j] *= unit
	}
}

// atomsAndCosts multiplies the atoms, the costs and the nominal parts and limits of constraints.
func atomsAndCosts(_ *rand.Rand, p *problem, unit float64) {
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
func objectiveUnit(_ *rand.Rand, p *problem, unit float64) {
	costs(p, unit)
	for _, line := range p.Map {
		times(line, unit)
	}
	times(p.Shift, unit)
}

// atomsAgainstRadius multiplies the atoms and divides the radius.
func atomsAgainstRadius(_ *rand.Rand, p *problem, unit float64) {
	scaleAtoms(p, unit)
	p.Radius /= unit
}

// decisionUnit measures all of x in another unit, so that only bounds and constants change.
func decisionUnit(r *rand.Rand, p *problem, unit float64) {
	for j := range p.Columns {
		columnUnit(p, j, unit)
	}
	_ = r
}

// columnUnits measures each column in a unit of its own.
func columnUnits(r *rand.Rand, p *problem, unit float64) {
	for j := range p.Columns {
		if r.IntN(2) == 0 {
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
func rowUnits(r *rand.Rand, p *problem, unit float64) {
	for i := range p.Rows {
		if r.IntN(2) == 0 {
			times(p.Rows[i].Values, unit)
			p.Rows[i].Lower *= bound(unit)
			p.Rows[i].Upper *= bound(unit)
		}
	}
}

// constraintUnits multiplies robust constraints.
func constraintUnits(_ *rand.Rand, p *problem, unit float64) {
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
func coordinateUnits(r *rand.Rand, p *problem, unit float64) {
	for k := range p.dimension() {
		if r.IntN(2) == 0 {
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

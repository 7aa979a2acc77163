package attack

import (
	"math"
	"math/rand/v2"
)

// family is a kind of problems.
type family struct {
	name string
	draw func(*rand.Rand) *problem
}

// families lists all kinds; the campaign takes them in turn.
var families = []family{
	{"whole numbers", func(r *rand.Rand) *problem { return linear(r, whole) }},
	{"decimals", func(r *rand.Rand) *problem { return linear(r, decimals) }},
	{"normal numbers", func(r *rand.Rand) *problem { return linear(r, normal) }},
	{"larger", func(r *rand.Rand) *problem {
		return sized(r, anyNumber(r), 2+r.IntN(5), 4+r.IntN(5), 6+r.IntN(7), 4+r.IntN(9))
	}},
	{"near duplicates", nearDuplicates},
	{"nearly parallel", nearlyParallel},
	{"mixed scales", mixedScales},
	{"coordinates in other units", mixedCoordinates},
	{"thin regions", thinRegion},
	{"free variables", freeVariables},
	{"zeros", zeroAtoms},
	{"unbounded regions", unboundedRegion},
	{"hairline feasibility", hairline},
	{"robust constraints", func(r *rand.Rand) *problem { return constrained(r, anyNumber(r)) }},
	{"quadratic", func(r *rand.Rand) *problem { return quadratic(r, anyNumber(r)) }},
	{"integer", func(r *rand.Rand) *problem { return integerColumns(r, anyNumber(r)) }},
	{"loose integer", looseInteger},
	{"small coverage", smallCoverage},
	{"large atoms", largeAtoms},
	{"small atoms", smallAtoms},
	{"limits", limited},
	{"beyond float64", beyondFloat},
	{"published cases", published},
	{"ordinary", ordinary},
	{"units, linear", func(r *rand.Rand) *problem { return otherUnits(r, anyLinear(r)) }},
	{"units, constraints", func(r *rand.Rand) *problem { return otherUnits(r, constrained(r, anyNumber(r))) }},
	{"units, quadratic", func(r *rand.Rand) *problem { return otherUnits(r, quadratic(r, anyNumber(r))) }},
	{"units, integer", func(r *rand.Rand) *problem { return otherUnits(r, integerColumns(r, anyNumber(r))) }},
}

// anyLinear draws from the kinds of linear problems.
func anyLinear(r *rand.Rand) *problem {
	kinds := []func(*rand.Rand) *problem{nearDuplicates, nearlyParallel, thinRegion, freeVariables, zeroAtoms, unboundedRegion, hairline}
	if k := r.IntN(2 * len(kinds)); k < len(kinds) {
		return kinds[k](r)
	}
	return linear(r, anyNumber(r))
}

// number draws one entry of the data.
type number func(*rand.Rand) float64

func whole(r *rand.Rand) float64    { return float64(r.IntN(7) - 3) }
func decimals(r *rand.Rand) float64 { return float64(r.IntN(61)-30) / 10 }
func normal(r *rand.Rand) float64   { return r.NormFloat64() }

func anyNumber(r *rand.Rand) number { return []number{whole, decimals, normal}[r.IntN(3)] }

func vector(r *rand.Rand, draw number, n int) []float64 {
	v := make([]float64, n)
	for j := range v {
		v[j] = draw(r)
	}
	return v
}

func matrix(r *rand.Rand, draw number, rows, columns int) [][]float64 {
	m := make([][]float64, rows)
	for i := range m {
		m[i] = vector(r, draw, columns)
	}
	return m
}

// linear is the common trunk: a bounded region with a point in it, a robust objective, no constraint.
func linear(r *rand.Rand, draw number) *problem {
	return sized(r, draw, 1+r.IntN(4), 1+r.IntN(4), 1+r.IntN(8), r.IntN(4))
}

// sized is linear with given numbers of coordinates, columns, atoms and rows.
func sized(r *rand.Rand, draw number, dimension, columns, atoms, rows int) *problem {
	p := &problem{
		Atoms: matrix(r, draw, atoms, dimension), Radius: []float64{1, 0.5, 2, 0.1, 0}[min(r.IntN(9), 4)],
		Map: matrix(r, draw, dimension, columns), Probes: matrix(r, draw, 1+r.IntN(3), dimension),
		Budget: 1 + r.IntN(min(3, atoms)), Pure: r.IntN(2) == 0,
	}
	if dimension == columns && r.IntN(2) == 0 {
		p.Map = identity(columns)
	}
	if r.IntN(2) == 0 {
		p.Shift = vector(r, draw, dimension)
	}
	for i := range atoms {
		if r.IntN(3) == 0 {
			p.Chosen = append(p.Chosen, i)
		}
	}
	for range columns {
		low := draw(r)
		p.Columns = append(p.Columns, column{Lower: bound(low), Upper: bound(low + math.Abs(draw(r))), Cost: draw(r)})
	}
	inside := make([]float64, columns)
	for j, c := range p.Columns {
		inside[j] = float64(c.Lower+c.Upper) / 2
	}
	for range rows {
		values := vector(r, draw, columns)
		at := dot(values, inside)
		line := row{Values: values, Lower: bound(math.Inf(-1)), Upper: bound(at + math.Abs(draw(r)))}
		switch r.IntN(4) {
		case 0:
			line.Lower, line.Upper = bound(at-math.Abs(draw(r))), bound(math.Inf(1))
		case 1:
			line.Lower = bound(at - math.Abs(draw(r)))
		}
		p.Rows = append(p.Rows, line)
	}
	return p
}

func identity(n int) [][]float64 {
	m := make([][]float64, n)
	for i := range m {
		m[i] = make([]float64, n)
		m[i][i] = 1
	}
	return m
}

func dot(a, b []float64) float64 {
	total := 0.0
	for j := range a {
		total += a[j] * b[j]
	}
	return total
}

// nearDuplicates adds copies of atoms that differ by 1e-6 to 1e-15.
func nearDuplicates(r *rand.Rand) *problem {
	p := linear(r, anyNumber(r))
	if r.IntN(3) == 0 {
		p = constrained(r, anyNumber(r))
	}
	for i := range min(4, len(p.Atoms)) {
		twin := append([]float64(nil), p.Atoms[i]...)
		for k := range twin {
			twin[k] += math.Pow(10, -6-9*r.Float64()) * whole(r)
		}
		p.Atoms = append(p.Atoms, twin)
	}
	return p
}

// nearlyParallel adds multiples of atoms that are turned by 1e-6 to 1e-15.
func nearlyParallel(r *rand.Rand) *problem {
	p := linear(r, anyNumber(r))
	for i := range min(4, len(p.Atoms)) {
		factor, turned := 0.5+2*r.Float64(), append([]float64(nil), p.Atoms[i]...)
		for k := range turned {
			turned[k] = factor*turned[k] + math.Pow(10, -6-9*r.Float64())*whole(r)
		}
		p.Atoms = append(p.Atoms, turned)
	}
	return p
}

// mixedScales multiplies atoms by powers of ten of very different size.
func mixedScales(r *rand.Rand) *problem {
	p := linear(r, anyNumber(r))
	spread := 1 + 11*r.Float64()
	for _, atom := range p.Atoms {
		factor := math.Pow(10, spread*(r.Float64()-0.5))
		for k := range atom {
			atom[k] *= factor
		}
	}
	for i := range p.Probes { // points near the atoms are the hard ones for a gauge
		atom := p.Atoms[r.IntN(len(p.Atoms))]
		for k := range atom {
			p.Probes[i][k] = atom[k] * (0.5 + r.Float64())
		}
	}
	return p
}

// mixedCoordinates measures the coordinates of the atoms in units of very different size, which q undoes.
func mixedCoordinates(r *rand.Rand) *problem {
	p := linear(r, anyNumber(r))
	for k := range p.dimension() {
		factor := math.Pow(10, math.Round(18*(r.Float64()-0.5)))
		for _, atom := range p.Atoms {
			atom[k] *= factor
		}
		for j := range p.Map[k] {
			p.Map[k][j] /= factor
		}
		if p.Shift != nil {
			p.Shift[k] /= factor
		}
		for _, probe := range p.Probes {
			probe[k] /= factor
		}
	}
	return p
}

// thinRegion has columns or rows of width 1e-6 to 1e-12, or none.
func thinRegion(r *rand.Rand) *problem {
	p := linear(r, anyNumber(r))
	for j := range p.Columns {
		if r.IntN(2) == 0 {
			p.Columns[j].Upper = p.Columns[j].Lower + bound(thin(r))
		}
	}
	if len(p.Columns) > 1 {
		values := vector(r, decimals, len(p.Columns))
		inside := make([]float64, len(values))
		for j, c := range p.Columns {
			inside[j] = float64(c.Lower+c.Upper) / 2
		}
		at := dot(values, inside)
		p.Rows = append(p.Rows, row{Values: values, Lower: bound(at), Upper: bound(at + thin(r))})
	}
	return p
}

func thin(r *rand.Rand) float64 {
	if r.IntN(5) == 0 {
		return 0
	}
	return math.Pow(10, -6-6*r.Float64())
}

// freeVariables has columns without bounds; rows or atoms may bound them.
func freeVariables(r *rand.Rand) *problem {
	p := linear(r, anyNumber(r))
	for j := range p.Columns {
		if r.IntN(2) == 0 {
			line := row{Values: make([]float64, len(p.Columns)), Lower: p.Columns[j].Lower, Upper: p.Columns[j].Upper}
			line.Values[j] = 1
			if len(p.Columns) > 1 {
				line.Values[(j+1)%len(p.Columns)] = whole(r)
			}
			p.Rows = append(p.Rows, line)
			p.Columns[j].Lower, p.Columns[j].Upper = bound(math.Inf(-1)), bound(math.Inf(1))
		}
	}
	return p
}

// zeroAtoms has atoms, rows, costs or whole dictionaries of zeros.
func zeroAtoms(r *rand.Rand) *problem {
	p := freeVariables(r)
	all := r.IntN(4) == 0
	for i := range p.Atoms {
		if all || r.IntN(3) == 0 {
			clear(p.Atoms[i])
		}
	}
	for i := range p.Rows {
		if r.IntN(4) == 0 {
			clear(p.Rows[i].Values)
			p.Rows[i].Lower, p.Rows[i].Upper = min(p.Rows[i].Lower, 0), max(p.Rows[i].Upper, 0)
		}
	}
	for j := range p.Columns {
		if r.IntN(4) == 0 {
			p.Columns[j].Cost = 0
		}
	}
	for k := range p.Map {
		if r.IntN(4) == 0 {
			clear(p.Map[k])
		}
	}
	return p
}

// unboundedRegion opens columns to one side or both. An atom may still bound the objective, or a ray of 1e-9 may not.
func unboundedRegion(r *rand.Rand) *problem {
	p := linear(r, anyNumber(r))
	if r.IntN(2) == 0 {
		p.Rows = nil
	}
	for j := range p.Columns {
		if r.IntN(2) == 0 {
			p.Columns[j].Upper = bound(math.Inf(1))
		}
		if r.IntN(4) == 0 {
			p.Columns[j].Lower = bound(math.Inf(-1))
		}
		if r.IntN(4) == 0 {
			p.Columns[j].Cost *= math.Pow(10, -7-3*r.Float64())
		}
	}
	return p
}

// beyondFloat multiplies some of the data by powers of two of which products overflow or vanish.
func beyondFloat(r *rand.Rand) *problem {
	p := anyLinear(r)
	if r.IntN(2) == 0 {
		p = constrained(r, anyNumber(r))
	}
	for range 1 + r.IntN(3) {
		unit := math.Ldexp(1, (500+r.IntN(500))*(2*r.IntN(2)-1))
		if r.IntN(4) == 0 {
			for j := range p.Columns {
				p.Columns[j].Cost = finite(p.Columns[j].Cost * unit)
			}
			continue
		}
		parts := [][]float64{p.Probes[0]}
		for _, lines := range [][][]float64{p.Atoms, p.Map} {
			if len(lines) > 0 {
				parts = append(parts, lines[r.IntN(len(lines))])
			}
		}
		for _, line := range p.Rows {
			parts = append(parts, line.Values)
		}
		for _, c := range p.Constraints {
			parts = append(parts, c.Nominal, c.Map[r.IntN(len(c.Map))])
		}
		part := parts[r.IntN(len(parts))]
		for j := range part {
			part[j] = finite(part[j] * unit)
		}
	}
	return p
}

// finite is the float64 next to a number that may have overflown.
func finite(v float64) float64 { return max(-math.MaxFloat64, min(v, math.MaxFloat64)) }

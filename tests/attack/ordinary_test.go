package attack

import (
	"math"
	"math/rand/v2"
	"slices"
)

// block is a dictionary of its own within the atoms: so many rows and so many coordinates, behind those of the blocks before
// it, and zeros elsewhere. Its atoms are given to the library divided by Radius, a power of two.
type block struct {
	Atoms, Coordinates int
	Radius             float64
}

// ordinary looks like what users write: decimal prices with many ties, budgets, equations, whole and free columns, an
// offset, rows that share a dictionary or have one of their own, atoms twice or a tenth of others, samples that are the
// atoms, limits of 0, columns without any use.
func ordinary(r *rand.Rand) *problem {
	n := 1 + r.IntN(4)
	p := &problem{
		Radius: pick(r, 0, 0.1, 0.3, 0.5, 0.7, 1, 1, 1.2, 3), Offset: pick(r, 0, 0.1, -2.5, 100, 1999.9),
		Pure: r.IntN(2) == 0,
	}
	for range 1 + r.IntN(2) {
		addBlock(r, p)
	}
	for range n {
		p.Columns = append(p.Columns, ordinaryColumn(r))
	}
	if r.IntN(3) > 0 {
		p.Map, p.Shift = p.exposureOf(r, 0)
	}
	for range r.IntN(3) {
		p.Rows = append(p.Rows, ordinaryRow(r, n))
	}
	fewest := 0
	if p.Map == nil || len(p.Blocks) > 1 {
		fewest = 1
	}
	for k := range fewest + r.IntN(2) {
		of := r.IntN(len(p.Blocks))
		if k == 0 {
			of = len(p.Blocks) - 1 // a block without a row would not be there
		}
		c := limit{Nominal: vector(r, price, n), Limit: pick(r, 0, 0, 0.3, 1, 10, 12.5), Block: of}
		c.Map, c.Shift = p.exposureOf(r, of)
		p.Constraints = append(p.Constraints, c)
	}
	p.Pure = p.Pure && !p.isInteger()
	if r.IntN(4) == 0 && !p.isInteger() && p.halfBounded() {
		addSquares(r, p)
	}
	p.choose(r)
	if r.IntN(4) == 0 { // a column without any use
		p.clearColumn(r.IntN(n))
	}
	return p
}

// addBlock adds a dictionary of decimals with ties, with copies and tenths of its atoms.
func addBlock(r *rand.Rand, p *problem) {
	b := block{1 + r.IntN(4), 1 + r.IntN(3), 1}
	if len(p.Blocks) > 0 {
		b.Radius = pick(r, 0.5, 1, 2)
	}
	before := 0
	if len(p.Atoms) > 0 {
		before = p.dimension()
	}
	for i := range p.Atoms {
		p.Atoms[i] = append(p.Atoms[i], make([]float64, b.Coordinates)...)
	}
	var own [][]float64
	for i := range b.Atoms {
		atom := vector(r, price, b.Coordinates)
		if i > 0 && r.IntN(3) == 0 {
			factor := pick(r, 1, 0.1, -1)
			atom = slices.Clone(own[r.IntN(i)])
			times(atom, factor)
		}
		own = append(own, atom)
		p.Atoms = append(p.Atoms, append(make([]float64, before), atom...))
	}
	p.Blocks = append(p.Blocks, b)
}

// exposureOf is a map to the coordinates of a block, with a shift at times.
func (p *problem) exposureOf(r *rand.Rand, of int) (rows [][]float64, shift []float64) {
	n, from := len(p.Columns), 0
	for _, b := range p.Blocks[:of] {
		from += b.Coordinates
	}
	rows = matrix(r, func(*rand.Rand) float64 { return 0 }, p.dimension(), n)
	size := p.Blocks[of].Coordinates
	for k := range size {
		rows[from+k] = vector(r, price, n)
		if size == n && r.IntN(2) == 0 {
			rows[from+k] = identity(n)[k]
		}
	}
	if r.IntN(3) == 0 {
		shift = make([]float64, p.dimension())
		copy(shift[from:], vector(r, price, size))
	}
	return rows, shift
}

// halfBounded tells whether every column has a finite end, without which exact quadratic optima are not computed.
func (p *problem) halfBounded() bool {
	return !slices.ContainsFunc(p.Columns, func(c column) bool {
		return math.IsInf(float64(c.Lower), -1) && math.IsInf(float64(c.Upper), 1)
	})
}

// choose draws the chosen atoms, the budget, and probes that are the atoms in half of the problems.
func (p *problem) choose(r *rand.Rand) {
	for i := range p.Atoms {
		if r.IntN(3) == 0 {
			p.Chosen = append(p.Chosen, i)
		}
	}
	p.Budget = 1 + r.IntN(min(3, len(p.Atoms)))
	p.Probes = matrix(r, price, 1+r.IntN(3), p.dimension())
	if r.IntN(2) == 0 {
		p.Probes = p.clone().Atoms
	}
}

// clearColumn takes a column out of everything but its bounds.
func (p *problem) clearColumn(j int) {
	p.Columns[j].Cost = 0
	if p.Quadratic != nil {
		p.Quadratic[j][j] = 0
	}
	for _, line := range p.Map {
		line[j] = 0
	}
	for _, c := range p.Constraints {
		c.Nominal[j] = 0
		for _, line := range c.Map {
			line[j] = 0
		}
	}
}

// ordinaryColumn is a quantity, a share, a number of pieces, a fixed amount or a free balance.
func ordinaryColumn(r *rand.Rand) column {
	c := column{Cost: price(r), Upper: bound(pick(r, 0.1, 0.3, 1, 2.5, 10))}
	switch r.IntN(7) {
	case 0:
		c.Integer, c.Upper = true, bound(pick(r, 1, 2, 3.7))
	case 1:
		c.Integer, c.Lower, c.Upper = true, bound(pick(r, -1, 0.3)), bound(pick(r, 1, 3))
	case 2:
		c.Lower = -c.Upper
	case 3:
		c.Lower, c.Upper = bound(math.Inf(-1)), bound(math.Inf(1))
	case 4:
		c.Upper = bound(math.Inf(1))
	case 5:
		c.Lower = c.Upper
	}
	return c
}

// ordinaryRow is a budget, an equation or a demand of ones or prices.
func ordinaryRow(r *rand.Rand, n int) row {
	line := row{Values: vector(r, price, n), Lower: bound(math.Inf(-1)), Upper: bound(pick(r, 0, 0.3, 1, 7.5, 100))}
	if r.IntN(2) == 0 {
		for j := range line.Values {
			line.Values[j] = 1
		}
	}
	switch r.IntN(3) {
	case 0:
		line.Lower = line.Upper
	case 1:
		line.Lower, line.Upper = bound(pick(r, 0, 0.1, 1)), bound(math.Inf(1))
	}
	return line
}

// price is one of few decimals, of either sign in a third of the draws.
func price(r *rand.Rand) float64 {
	return pick(r, 0, 0.1, 0.1, 0.2, 0.3, 0.7, 1, 1, 1.1, 4.99, 19.9) * pick(r, 1, 1, -1)
}

func pick(r *rand.Rand, values ...float64) float64 { return values[r.IntN(len(values))] }

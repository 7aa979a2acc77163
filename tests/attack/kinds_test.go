package attack

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"sync"
)

// constrained has one or two robust constraints, satisfied at some point for the nominal model, and an objective that is
// certain in a third of the problems.
func constrained(r *rand.Rand, draw number) *problem {
	p := linear(r, draw)
	inside := make([]float64, len(p.Columns))
	for j, c := range p.Columns {
		inside[j] = float64(c.Lower + bound(r.Float64())*(c.Upper-c.Lower))
	}
	for range 1 + r.IntN(2) {
		c := limit{Nominal: vector(r, draw, len(p.Columns)), Map: matrix(r, draw, p.dimension(), len(p.Columns))}
		if r.IntN(2) == 0 {
			c.Shift = vector(r, draw, p.dimension())
		}
		worst := 0.0
		for _, atom := range p.Atoms {
			q := make([]float64, p.dimension())
			for k := range q {
				q[k] = dot(c.Map[k], inside)
				if c.Shift != nil {
					q[k] += c.Shift[k]
				}
			}
			worst = math.Max(worst, dot(atom, q))
		}
		c.Limit = dot(c.Nominal, inside) + p.Radius*worst*[]float64{0, 0.5, 1, 1.5}[r.IntN(4)] + math.Abs(draw(r))*float64(r.IntN(2))
		p.Constraints = append(p.Constraints, c)
	}
	if r.IntN(3) == 0 {
		p.Map, p.Shift = nil, nil
	}
	return p
}

// hairline has two rows that miss each other, or touch, or overlap, by about 1e-9 of their size; or a robust constraint
// whose limit the best decision reaches just so.
func hairline(r *rand.Rand) *problem {
	p := linear(r, anyNumber(r))
	if r.IntN(3) == 0 {
		p = constrained(r, anyNumber(r))
		c := &p.Constraints[0]
		if least := newTruth(&problem{Atoms: p.Atoms, Columns: nominalColumns(p, c), Rows: p.Rows}).minimum(nil, 0); least.outcome == solved {
			c.Limit = asFloat(least.value) + hair(r)*(1+math.Abs(asFloat(least.value)))
		}
		return p
	}
	values := vector(r, decimals, len(p.Columns))
	inside := make([]float64, len(values))
	for j, c := range p.Columns {
		inside[j] = float64(c.Lower+c.Upper) / 2
	}
	at := dot(values, inside)
	p.Rows = append(p.Rows,
		row{Values: values, Lower: bound(math.Inf(-1)), Upper: bound(at)},
		row{Values: values, Lower: bound(at - hair(r)*(1+math.Abs(at))), Upper: bound(math.Inf(1))})
	return p
}

// hair is about 1e-9 on either side of zero, or zero.
func hair(r *rand.Rand) float64 { return 1e-9 * whole(r) }

// nominalColumns are the columns of a problem with the nominal part of a constraint as costs.
func nominalColumns(p *problem, c *limit) []column {
	columns := append([]column(nil), p.Columns...)
	for j := range columns {
		columns[j].Cost = c.Nominal[j]
	}
	return columns
}

// quadratic has a convex quadratic b of rank one or more, at times a tiny one, at times with large atoms.
func quadratic(r *rand.Rand, draw number) *problem {
	p := linear(r, draw)
	addSquares(r, p)
	if r.IntN(4) == 0 {
		scaleAtoms(p, math.Pow(10, 1+6*r.Float64()))
	}
	return p
}

// addSquares adds one or two squares of whole combinations, so that the sum is exact and stays convex.
func addSquares(r *rand.Rand, p *problem) {
	n := len(p.Columns)
	p.Quadratic = matrix(r, func(*rand.Rand) float64 { return 0 }, n, n)
	for range 1 + r.IntN(2) {
		v := vector(r, whole, n)
		for i := range n {
			for j := i; j < n; j++ {
				factor := 1.0
				if j > i {
					factor = 2
				}
				p.Quadratic[i][j] += factor * v[i] * v[j] / 4
			}
		}
	}
}

func scaleAtoms(p *problem, factor float64) {
	for _, atom := range p.Atoms {
		for k := range atom {
			atom[k] *= factor
		}
	}
}

// integerColumns makes some or all columns whole, with ranges of at most five values. A quarter of the programs are in
// decimal small units.
func integerColumns(r *rand.Rand, draw number) *problem {
	p := linear(r, draw)
	if r.IntN(3) == 0 {
		p = constrained(r, draw)
	}
	pure := r.IntN(2) == 0
	for j := range p.Columns {
		if pure || j == 0 || r.IntN(2) == 0 {
			low := math.Floor(float64(p.Columns[j].Lower))
			p.Columns[j] = column{Lower: bound(low), Upper: bound(low + float64(1+r.IntN(4))), Cost: p.Columns[j].Cost, Integer: true}
		}
	}
	if r.IntN(4) == 0 {
		unit := math.Pow(10, -float64(4+r.IntN(4)))
		scaleAtoms(p, unit)
		for j := range p.Columns {
			p.Columns[j].Cost *= unit
		}
		for k := range p.Constraints {
			p.Constraints[k].Limit *= unit
			for j := range p.Constraints[k].Nominal {
				p.Constraints[k].Nominal[j] *= unit
			}
		}
	}
	p.Pure = false
	return p
}

// looseInteger asks for a loose gap or few nodes.
func looseInteger(r *rand.Rand) *problem {
	p := integerColumns(r, anyNumber(r))
	switch r.IntN(3) {
	case 0:
		p.RelativeGap = 0.5
	case 1:
		p.RelativeGap = 0.9
	default:
		p.NodeLimit = 1
	}
	return p
}

// smallCoverage is a selection of some size with atoms of 1 down to 1e-7: what an integer program meets that has absolute
// tolerances.
func smallCoverage(r *rand.Rand) *problem {
	p := linear(r, decimals)
	dimension := 4 + r.IntN(3)
	unit := math.Pow(10, -float64(r.IntN(8)))
	p.Atoms = matrix(r, func(r *rand.Rand) float64 { return unit * float64(r.IntN(50)) / 10 }, 5+r.IntN(4), dimension)
	p.Probes = identity(dimension)
	p.Map, p.Shift = matrix(r, decimals, dimension, len(p.Columns)), nil
	p.Chosen, p.Budget, p.Pure = p.Chosen[:0], 2, false
	return p
}

// limited asks solvers with loose tolerances, or stops them early.
func limited(r *rand.Rand) *problem {
	kinds := []func(*rand.Rand, number) *problem{linear, constrained, quadratic, integerColumns}
	p := kinds[r.IntN(len(kinds))](r, anyNumber(r))
	switch r.IntN(4) {
	case 0:
		p.Tolerance = 1e-2
	case 1:
		p.IterationLimit = 1 + r.IntN(3)
	case 2:
		p.MaxRounds = 1
	default:
		p.Tolerance, p.MaxRounds = 1e-4, 2
	}
	return p
}

// publishedCases are the problems on which certificates were once found to be false.
var publishedCases = sync.OnceValue(func() []publishedCase {
	text, err := os.ReadFile("testdata/published.json")
	if err != nil {
		panic(err)
	}
	var cases []publishedCase
	if err := json.Unmarshal(text, &cases); err != nil {
		panic(err)
	}
	return cases
})

// publishedCase is a problem with its name.
type publishedCase struct {
	Name    string
	Problem *problem
}

func published(r *rand.Rand) *problem {
	cases := publishedCases()
	return cases[r.IntN(len(cases))].Problem.clone()
}

// largeAtoms has atoms of 1e5 to 1e9 beside ordinary costs and bounds.
func largeAtoms(r *rand.Rand) *problem {
	p := linear(r, anyNumber(r))
	scaleAtoms(p, math.Pow(10, 5+4*r.Float64()))
	return p
}

// smallAtoms has atoms, or limits and all that they limit, of 2^-20 to 2^-40 beside ordinary costs.
func smallAtoms(r *rand.Rand) *problem {
	factor := math.Pow(2, -20-20*r.Float64())
	if r.IntN(2) == 0 {
		p := linear(r, anyNumber(r))
		scaleAtoms(p, factor)
		return p
	}
	p := constrained(r, anyNumber(r))
	for k := range p.Constraints {
		c := &p.Constraints[k]
		c.Limit *= factor
		for j := range c.Nominal {
			c.Nominal[j] *= factor
		}
		for _, line := range c.Map {
			for j := range line {
				line[j] *= factor
			}
		}
		for j := range c.Shift {
			c.Shift[j] *= factor
		}
	}
	return p
}

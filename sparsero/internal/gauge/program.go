package gauge

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/sparsero/directions/sparsero/internal/kernel"
	"gonum.org/v1/gonum/floats"
)

// Atoms are the columns that may be generated.
type Atoms interface {
	// Size is how many there are.
	Size() int
	// Atom returns the coordinates of atom k.
	Atom(k int) []float64
	// Alignments sets dst[k] to ⟨d_k,y⟩ for all of them.
	Alignments(dst, y []float64)
}

const (
	// wholePool is the number of atoms up to which all of them are generated at once.
	wholePool = 256
	// nearShare times p, and a part in nearPart of all, is how many atoms near a point are asked before all others.
	nearShare, nearPart = 10, 50
	// seeds times p is how many of these become columns at once.
	seeds = 2
	// nearSteps is how often their level is halved.
	nearSteps = 8
	// farthestUnit is the exponent of a unit beyond which multipliers in the units of the atoms may leave float64.
	farthestUnit = 300
)

// Program is the linear program of a gauge, where all atoms are columns with the basis of the last point. It belongs to
// one goroutine.
//
// It works in units of its own, powers of two: coordinate j in 2^units[j], an atom in the power of two that brings its
// largest coordinate to about 1, and the point likewise.
type Program struct {
	atoms Atoms
	dim   int
	units []int
	whole bool // all atoms are in the pool

	pool     []column
	data     []float64 // their coordinates
	all      []int32   // 0, 1, ... for the kernel
	inPool   []bool    // by atom
	reduced  []float64 // costs of the pool
	moves    []float64 // of the pool, see alpha
	prices   []float64 // alignments of all atoms
	near     []int     // atoms near the point
	basis    *basis
	y        []float64 // multipliers
	point    []float64
	unit     int  // of the point
	lossy    bool // the point loses digits in these units
	Pivots   int  // changes of basis so far
	Columns  int  // columns generated so far
	Pricings int  // looks at all atoms so far
}

type column struct {
	atom     int
	exponent int     // the coordinates are those of the atom times 2^-exponent
	cost     float64 // 2^-exponent
	shift    float64 // added to the cost for the time being, so that the multipliers stay feasible
	row      int     // of the basis; none outside it
	lossy    bool    // it loses digits in these units
}

// New opens the program of atoms of dimension p.
func New(atoms Atoms, p int) *Program {
	n := atoms.Size()
	g := &Program{atoms: atoms, dim: p, units: make([]int, p), inPool: make([]bool, n), basis: newBasis(p), y: make([]float64, p), point: make([]float64, p)}
	reach, farthest := make([]float64, p), 0
	for k := range n {
		for j, v := range atoms.Atom(k) {
			reach[j] = math.Max(reach[j], math.Abs(v))
		}
	}
	for j, v := range reach {
		_, g.units[j] = math.Frexp(v)
		farthest = max(farthest, g.units[j], -g.units[j])
	}
	if g.whole = n <= max(wholePool, 4*p) || farthest > farthestUnit; g.whole {
		for k := range n {
			g.add(k)
		}
	} else {
		g.prices = make([]float64, n)
	}
	return g
}

// add puts an atom that is not 0 into the pool.
func (g *Program) add(k int) {
	g.inPool[k] = true
	scaled := make([]float64, g.dim)
	exponent, lossy := g.scale(scaled, g.atoms.Atom(k))
	if exponent == math.MinInt {
		return
	}
	cost := math.Ldexp(1, -exponent)
	g.pool = append(g.pool, column{atom: k, exponent: exponent, cost: cost, row: none, lossy: lossy})
	g.data = append(g.data, scaled...)
	g.all = append(g.all, int32(len(g.all)))
	price := cost - floats.Dot(scaled, g.y)
	g.reduced, g.moves = append(g.reduced, price), append(g.moves, price) // the moves are computed where they are needed
	g.Columns++
}

// scale writes a vector into dst in the units of the coordinates and one of its own, the power of two that brings the largest of
// them to about 1, and returns its exponent, math.MinInt for zeros, and whether digits are lost.
func (g *Program) scale(dst, v []float64) (exponent int, lossy bool) {
	exponent = math.MinInt
	for j, x := range v {
		if _, e := math.Frexp(x); x != 0 {
			exponent = max(exponent, e-g.units[j])
		}
	}
	for j, x := range v {
		dst[j] = math.Ldexp(x, -g.units[j]-exponent)
		lossy = lossy || math.Ldexp(dst[j], g.units[j]+exponent) != x
	}
	return exponent, lossy
}

// alpha sets moves[k] to the inner product of every column of the pool with a vector.
func (g *Program) alpha(vector []float64) {
	if len(g.pool) > 0 {
		kernel.Best().Alignments(g.moves, vector, g.data, g.all)
	}
}

// reprice computes multipliers and reduced costs anew.
func (g *Program) reprice() {
	clear(g.y)
	for r, k := range g.basis.columns {
		if k >= 0 {
			cost := g.pool[k].cost + g.pool[k].shift
			floats.AddScaled(g.y, cost, g.basis.row(r))
		}
	}
	g.alpha(g.y)
	for k := range g.pool {
		g.reduced[k] = g.pool[k].cost + g.pool[k].shift - g.moves[k] // of the basis, where nobody reads them, about 0
	}
}

// unscaled returns a vector of multipliers in the units of the atoms.
func (g *Program) unscaled(y []float64) []float64 {
	out := make([]float64, len(y))
	for j, v := range y {
		out[j] = math.Ldexp(v, -g.units[j])
	}
	return out
}

// generate adds up to p atoms whose alignments with a vector exceed a level most, and tells whether there were any. Those near
// the point are asked first, which decides mostly.
func (g *Program) generate(vector []float64, level float64) bool {
	if g.whole {
		return false
	}
	unscaled := g.unscaled(vector)
	var found []int
	for _, k := range g.near {
		if g.prices[k] = floats.Dot(g.atoms.Atom(k), unscaled); g.prices[k] > level && !g.inPool[k] {
			found = append(found, k)
		}
	}
	if len(found) == 0 {
		g.Pricings++
		g.atoms.Alignments(g.prices, unscaled)
		for k, v := range g.prices {
			if v > level && !g.inPool[k] {
				found = append(found, k)
			}
		}
	}
	slices.SortFunc(found, func(a, b int) int { return cmp.Or(cmp.Compare(g.prices[b], g.prices[a]), a-b) })
	for _, k := range found[:min(g.dim, len(found))] {
		g.add(k)
	}
	return len(found) > 0
}

// approach finds the atoms that are best aligned with the point.
func (g *Program) approach() {
	g.Pricings++
	g.atoms.Alignments(g.prices, g.unscaled(g.point))
	low, high := 0.0, slices.Max(g.prices)
	for range nearSteps { // a level that about so many atoms reach
		level, count := (low+high)/2, 0
		for _, v := range g.prices {
			if v > level {
				count++
			}
		}
		if count > max(nearShare*g.dim, len(g.prices)/nearPart) {
			low = level
		} else {
			high = level
		}
	}
	g.near = g.near[:0]
	for k, v := range g.prices {
		if v > high {
			g.near = append(g.near, k)
		}
	}
}

// Solve looks for the least sum of weights that give u, which is not 0. It ends early with the context, and gives up after
// more pivots than the method takes unless it cycles.
func (g *Program) Solve(ctx context.Context, u []float64) Answer {
	g.unit, g.lossy = g.scale(g.point, u)
	if !g.whole {
		g.begin()
	}
	g.reprice()
	s := &search{Program: g, left: giveUp * (g.dim + 10), x: make([]float64, g.dim), step: make([]float64, g.dim)}
	return s.run(ctx)
}

// begin fills the pool with atoms near the point: few of these lead there in fewer pivots than the columns and the
// basis of another one.
func (g *Program) begin() {
	g.restart()
	for _, c := range g.pool {
		g.inPool[c.atom] = false
	}
	g.pool, g.data, g.all, g.reduced, g.moves = g.pool[:0], g.data[:0], g.all[:0], g.reduced[:0], g.moves[:0]
	g.approach()
	for range seeds {
		g.generate(g.point, 0)
	}
}

// restart begins again with the basis of unit vectors.
func (g *Program) restart() {
	for k := range g.pool {
		g.pool[k].row = none
	}
	g.basis = newBasis(g.dim)
	clear(g.y)
}

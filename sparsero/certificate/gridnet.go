package certificate

import (
	"context"
	"errors"
	"math"
	"slices"
	"sort"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/proof/directed"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/internal/input"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/combin"
)

// GridNet returns the image under an affine q of a regular grid over the polyhedron X, an ε-net of q(X) with radius at
// most epsilon, or the least that MaxPoints allows for epsilon 0; [Net.Radius] adds to it what rounding may have done,
// some 1e-14 of the alignments. The grid consists of the centres of equal cells that cover the bounding box of X, cubes
// or as flat as the atoms ask for, whichever are fewer; cells that a row of X excludes are left out, and axes that no
// atom sees are not cut. For an affine q the atoms themselves give the constant,
//
//	ε = max_i Σ_j (h_j/2) |(M d_i)_j|,   q(x) = Mᵀx + c,
//
// which is never larger than ‖D‖_* L_q times the covering radius in any norm. The number of points grows like (1/ε)^n;
// when it exceeds MaxPoints the error is a *NetTooLargeError that names a radius that fits.
func GridNet(ctx context.Context, d *sparsero.Dictionary, region *solver.Model, q sparsero.AffineMap, epsilon float64, o *Options) (*Net, error) {
	ctx = input.Context(ctx)
	if err := checkEpsilon(epsilon); err != nil {
		return nil, err
	}
	options, err := o.filled()
	if err != nil {
		return nil, err
	}
	p, err := newPartition(ctx, d, region, q, options.Solver)
	if err != nil {
		return nil, err
	}
	g := grid{p.box, p.reach, p.shapes()}
	half, whole, err := g.cells(epsilon, options.MaxPoints)
	if err != nil {
		return nil, err
	}
	var centres [][]float64
	covering := g.covering(half, whole)
	g.visit(half, whole, func(centre []float64) {
		if !p.misses(centre, covering) {
			centres = append(centres, append([]float64(nil), centre...))
		}
	})
	if len(centres) == 0 {
		return nil, errEmptyRegion
	}
	return p.net(centres, covering), nil
}

// grid is a regular grid over a box.
type grid struct {
	box box
	// reach bounds how far q moves from the centre of a cell with the given half-widths to its
	// farthest point; it grows with them in proportion.
	reach func(half []float64) float64
	// shapes are the proportions of steps to choose from; an axis of 0 is not cut.
	shapes [][]float64
}

// shapes returns the proportions of cubes, and of cells in which every axis can matter equally; axes
// that no atom sees, and fixed columns, are 0.
func (p *partition) shapes() [][]float64 {
	n := p.region.Columns()
	cube, flat := make([]float64, n), make([]float64, n)
	for j := range n {
		most := 0.0
		for i := range p.pull {
			most = math.Max(most, p.pull.size(i, j))
		}
		if most > 0 && p.box.Lower[j] < p.box.Upper[j] {
			cube[j], flat[j] = 1, 1/most
		}
	}
	return [][]float64{cube, flat}
}

// counts returns the number of cells per axis that reach epsilon, in the shape that needs the
// fewest: steps in proportions v are h_j = 2ε v_j / reach(v).
func (g grid) counts(epsilon float64) []float64 {
	var fewest []float64
	for _, v := range g.shapes {
		counts, largest := make([]float64, len(v)), g.reach(v)
		for j := range counts {
			side := g.box.Upper[j] - g.box.Lower[j]
			if counts[j] = 1; v[j] > 0 && largest > 0 && side*largest != 0 {
				counts[j] = math.Max(1, math.Ceil(side*largest/(2*epsilon*v[j])))
			}
		}
		if fewest == nil || floats.Prod(counts) < floats.Prod(fewest) {
			fewest = counts
		}
	}
	return fewest
}

// cells returns the half-widths and the numbers of cells that reach epsilon, the least that the limit
// allows for 0, or the error that names a radius with at most limit cells.
func (g grid) cells(epsilon float64, limit int) (half []float64, whole []int, err error) {
	if epsilon == 0 {
		epsilon = g.finest(limit)
	}
	counts := g.counts(epsilon)
	if !g.fits(epsilon, limit) {
		reachable := g.finest(limit)
		if math.IsInf(reachable, 1) {
			return nil, nil, errors.New("certificate: how far q(x) moves over the box, as the atoms see it, is beyond float64; measure the atoms or the columns in larger units")
		}
		return nil, nil, &NetTooLargeError{Epsilon: epsilon, Points: math.Min(floats.Prod(counts), math.MaxFloat64), Limit: limit, Reachable: reachable}
	}
	for j, c := range counts {
		half, whole = append(half, math.Max(0, g.box.Upper[j]/2-g.box.Lower[j]/2)/c), append(whole, int(c))
	}
	return half, whole, nil
}

// fits tells whether at most limit cells reach epsilon, which they do not where their number overflows.
func (g grid) fits(epsilon float64, limit int) bool {
	return floats.Prod(g.counts(epsilon)) <= float64(limit)
}

// finest returns the least epsilon that at most limit cells reach, 0 where q does not move.
func (g grid) finest(limit int) float64 {
	epsilon := func(k int) float64 { return math.Float64frombits(uint64(k)) } // in rising order
	return epsilon(sort.Search(int(math.Float64bits(math.Inf(1))), func(k int) bool { return g.fits(epsilon(k), limit) }))
}

// visit passes the centre of every cell, the first axis fastest; the slice passed on is reused.
func (g grid) visit(half []float64, counts []int, visit func(centre []float64)) {
	centre := make([]float64, len(counts))
	backwards := slices.Clone(counts) // the last axis of a product is the fastest
	slices.Reverse(backwards)
	for cells := combin.NewCartesianGenerator(backwards); cells.Next(); {
		position := cells.Product(nil)
		slices.Reverse(position)
		for j, k := range position {
			centre[j] = math.Min(g.box.Lower[j]+half[j]*float64(2*k+1), g.box.Upper[j])
		}
		visit(centre)
	}
}

// covering returns the half-widths with which the cells around the rounded centres cover the box: a half below
// all floats is missed once for each cell.
func (g grid) covering(half []float64, counts []int) []float64 {
	covering := make([]float64, len(half))
	for j, h := range half {
		rounding := 0x1p-50*math.Max(math.Abs(g.box.Lower[j]), math.Abs(g.box.Upper[j])) + float64(counts[j]+4)*math.SmallestNonzeroFloat64
		covering[j] = directed.SumUpper(h, rounding)
	}
	return covering
}

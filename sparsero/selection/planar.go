package selection

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"

	"github.com/sparsero/directions/solver/proof/directed"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/internal/input"
	"github.com/sparsero/directions/sparsero/internal/parallel"
)

// maxCorners bounds the corners of the planar program, whose table takes 8·maxCorners² bytes.
const maxCorners = 4000

// ExactPlanar finds a set of B atoms with the largest coverage when the atoms
// have dimension 1 or 2. NP-hard in general (Theorem 4.2), the problem is easy
// in the plane. Only the corners of conv(D ∪ {0}) matter, and around them alignments with a
// direction s rise to the best corner and fall on its other side, so that s is served by
// one of the two chosen corners next to its best one. The optimum is
//
//	max over at most B corners of  sum over neighbours i, k of w(i,k),
//	w(i,k) = sum over the s whose best corner lies after i, up to k, of max(0, <d_i,s>, <d_k,s>),
//
// which dynamic programming finds in O(V²(|T| + BV)) time for V corners.
//
// The last prefix of the selection is optimal. The prefixes before it order the
// same atoms by gain, and their Bounds are the exact optima of their sizes. Fewer
// than B atoms are returned if fewer reach the optimum. A cancelled run returns
// the best set found.
type ExactPlanar struct{}

// Select implements [Policy]. It is an error if the atoms have a dimension above
// 2, or if their hull has more than 4000 corners.
func (ExactPlanar) Select(ctx context.Context, c *Coverage, budget int) (*Selection, error) {
	ctx = input.Context(ctx)
	p, err := newPath("exact planar", c, budget)
	if err != nil {
		return nil, err
	}
	if dim := c.atoms.Dim(); dim > 2 {
		return nil, fmt.Errorf("selection: the planar program needs atoms of dimension at most 2, got %d; use Exact", dim)
	}
	program, err := newPlanarProgram(ctx, c, budget)
	if err != nil {
		return nil, err
	}
	p.takeByGain(program.solve(ctx, p))
	if p.selection.Partial {
		return p.finish(ctx)
	}
	return p.finish(ctx, program.bounds(c)...)
}

// takeByGain takes a set of atoms in the order of greedy, without those that add
// nothing to the others.
func (p *path) takeByGain(atoms []int) {
	gains := make([]float64, len(p.chosen))
	for range atoms {
		for _, i := range atoms {
			gains[i] = p.state.Gain(i)
		}
		i := best(gains, func(i int) bool { return gains[i] > 0 })
		if i == nothing {
			return
		}
		p.take(i)
	}
}

// planarProgram holds the corners and what pairs of them cover.
type planarProgram struct {
	corners []int       // atoms, counter-clockwise, without the origin
	pairs   [][]float64 // pairs[i][l] is w of corner i and the l-th corner after it, itself for l = V
	optimum []float64   // |T| times the optimum of at most b atoms
}

func newPlanarProgram(ctx context.Context, c *Coverage, budget int) (*planarProgram, error) {
	rows, err := c.atoms.Rows(make([]float64, c.Size()*c.atoms.Dim()), 0, c.Size())
	if err != nil {
		return nil, fmt.Errorf("selection: %w", err)
	}
	p := c.atoms.Dim()
	x, y := make([]float64, c.Size()+1), make([]float64, c.Size()+1) // the origin comes last
	for i := range c.Size() {
		if x[i] = rows[i*p]; p > 1 {
			y[i] = rows[i*p+1]
		}
	}
	corners := slices.DeleteFunc(sparsero.PlanarHull(x, y), func(k int) bool { return k == c.Size() })
	n := len(corners)
	if n > maxCorners {
		return nil, fmt.Errorf("selection: the planar program is limited to %d corners of the hull of the atoms, got %d; use Exact or fewer atoms", maxCorners, n)
	}
	alignments, best := make([][]float64, n), make([][]int, n) // best[i] are the directions of which corner i is the best
	for i, atom := range corners {
		if alignments[i], err = c.screen.Row(make([]float64, c.probes()), atom); err != nil {
			return nil, fmt.Errorf("selection: %w", err)
		}
	}
	for j := range c.probes() {
		most, at := 0.0, nothing
		for i, row := range alignments {
			if row[j] > most {
				most, at = row[j], i
			}
		}
		if at != nothing {
			best[at] = append(best[at], j)
		}
	}
	program := &planarProgram{corners: corners, pairs: make([][]float64, n), optimum: make([]float64, budget+1)}
	err = parallel.Blocks(ctx, runtime.GOMAXPROCS(0), n, 1, func(_, i, _ int) error {
		program.pairs[i] = make([]float64, n+1)
		var between []int
		for l := 1; l <= n; l++ {
			between = append(between, best[(i+l)%n]...)
			for _, j := range between {
				program.pairs[i][l] += max(0, alignments[i][j], alignments[(i+l)%n][j])
			}
		}
		return nil
	})
	if err != nil { // the context has ended; without corners the best set is empty
		program.corners = nil
	}
	return program, nil
}

// solve tries every corner as the first one and returns the atoms of the best set.
func (p *planarProgram) solve(ctx context.Context, path *path) (atoms []int) {
	best := 0.0
	for first := range p.corners {
		if path.stopped(ctx) {
			break
		}
		totals, last, before := p.table(first)
		for b, value := range totals {
			p.optimum[b] = max(p.optimum[b], value)
			if value <= best {
				continue
			}
			best, atoms = value, nil
			for k, size := last[b], b; size > 0; size-- {
				atoms = append(atoms, p.corners[k])
				k = before[size][k]
			}
		}
	}
	path.stopped(ctx)
	return atoms
}

// table runs the dynamic program over the corners from first on. For b = 1, ..., B it returns
// the most that b corners cover of which first is the first, the last one of them, and for
// each corner the one before it where it is the b-th.
func (p *planarProgram) table(first int) (totals []float64, last []int, before [][]int) {
	n, budget := len(p.corners), len(p.optimum)-1
	totals, last, before = make([]float64, budget+1), make([]int, budget+1), make([][]int, budget+1)
	previous, current := slices.Repeat([]float64{math.Inf(-1)}, n), make([]float64, n)
	previous[first], totals[1], last[1], before[1] = 0, p.pairs[first][n], first, make([]int, n)
	for b := 2; b <= min(budget, n-first); b++ {
		before[b] = make([]int, n)
		for k := first + b - 1; k < n; k++ {
			current[k] = math.Inf(-1)
			for i := first + b - 2; i < k; i++ {
				if value := previous[i] + p.pairs[i][k-i]; value > current[k] {
					current[k], before[b][k] = value, i
				}
			}
			if total := current[k] + p.pairs[k][first+n-k]; total > totals[b] {
				totals[b], last[b] = total, k
			}
		}
		previous, current = current, previous
	}
	return totals, last, before
}

// bounds returns for b = 1, 2, ... an upper bound of the optimum, with what may have been
// lost: a sum has at most twice as many terms as there are directions, and where alignments
// err, so may the choice of the best corner.
func (p *planarProgram) bounds(c *Coverage) []float64 {
	const errors = 4 // of an alignment, in the choice of a corner and in the sum
	rounding := c.screen.Rounding
	bounds := make([]float64, len(p.optimum)-1)
	for b := range bounds {
		p.optimum[b+1] = math.Max(p.optimum[b], p.optimum[b+1]) // more atoms do no harm
		value := rounding.GainAtMost(rounding.GainAtMost(p.optimum[b+1] / float64(c.probes())))
		bounds[b] = directed.SumUpper(value, errors*rounding.Absolute)
	}
	return bounds
}

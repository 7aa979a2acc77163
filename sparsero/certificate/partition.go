package certificate

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/directed"
	"github.com/sparsero/directions/sparsero"
)

// defaultMaxPoints is the largest net that is built unless the options say otherwise.
const defaultMaxPoints = 200_000

// NetOptions are the settings of [GridNet], [LipschitzNet], [AdaptiveNet] and
// [ProbeSet.Prove]. The zero value works.
type NetOptions struct {
	// Directions (M×p) belong to the net of AdaptiveNet from the beginning, such as
	// the q(x_t) of Algorithm 1; no point is added where they suffice. Nil means none.
	Directions mat.Matrix
	// MaxPoints bounds the directions of a net and the cells that ProbeSet.Prove
	// examines. Zero means 200000.
	MaxPoints int
	// Solver is passed to the solver, which finds the box around X; nil means its defaults.
	Solver *solver.Options
}

func (o *NetOptions) limit() (int, error) {
	switch {
	case o == nil || o.MaxPoints == 0:
		return defaultMaxPoints, nil
	case o.MaxPoints < 0:
		return 0, fmt.Errorf("certificate: MaxPoints %d is negative; use 0 for the default %d", o.MaxPoints, defaultMaxPoints)
	}
	return o.MaxPoints, nil
}

func (o *NetOptions) solverOptions() *solver.Options {
	if o == nil {
		return nil
	}
	return o.Solver
}

// prepare checks the arguments of a net of radius epsilon and starts a partition.
func prepare(ctx context.Context, d *sparsero.Dictionary, region *solver.Model, q sparsero.AffineMap, epsilon float64, o *NetOptions) (p *partition, limit int, err error) {
	if err := checkEpsilon(epsilon); err != nil {
		return nil, 0, err
	}
	if limit, err = o.limit(); err != nil {
		return nil, 0, err
	}
	p, err = newPartition(ctx, d, region, q, o.solverOptions())
	return p, limit, err
}

// partition cuts the bounding box of X into axis-parallel cells and knows how far
// q can move within a cell, in the pseudometric of the dictionary.
type partition struct {
	dictionary *sparsero.Dictionary
	region     *solver.Model
	q          sparsero.AffineMap
	pull       *pulledBack
	box        Box
	columnMax  []float64 // max_i |rows[i][j]|: how much axis j can matter
	shapes     map[string]*shape
	rounding   float64 // bounds what rounding can add to any distance in q(box)
}

// shape is the size of a cell and what follows from it, whatever its centre.
type shape struct {
	half   []float64 // half-widths
	radius float64   // max_i Σ_j half_j |rows[i][j]|: d_D from the centre to the farthest point
	width  float64   // max_{i,k} Σ_j half_j |rows[i][j] - rows[k][j]|, see Net.Width
	axis   int       // the axis that contributes most
}

// cell is one box of the partition.
type cell struct {
	centre []float64
	cuts   []uint8 // how often each axis was halved
	shape  *shape
}

func newPartition(ctx context.Context, d *sparsero.Dictionary, region *solver.Model, q sparsero.AffineMap, o *solver.Options) (*partition, error) {
	if err := checkDictionary(d); err != nil {
		return nil, err
	}
	if err := checkRegion(d, region, q); err != nil {
		return nil, err
	}
	box, err := BoundingBox(ctx, region, o)
	if err != nil {
		return nil, err
	}
	p := &partition{
		dictionary: d, region: region, q: q, pull: newPulledBack(d, q), box: box,
		columnMax: make([]float64, region.Columns()), shapes: make(map[string]*shape),
	}
	for _, row := range p.pull.low {
		for j, v := range row {
			p.columnMax[j] = math.Max(p.columnMax[j], math.Abs(v))
		}
	}
	p.rounding = p.boundRounding()
	return p, nil
}

// roundedSteps is far more than the halvings and additions that make a centre and a
// radius, besides the sums over coordinates and columns.
const roundedSteps = 128

// boundRounding returns (p + n + roundedSteps) 2^-52 max_i Σ_k |d_ik| max_{x in box} |q_k(x)|
// with every product counted for its size. It covers the rounding of cells, centres,
// their images under q, alignments and radii, each of which stays within as many units
// of the same terms.
func (p *partition) boundRounding() float64 {
	rows, n := p.q.Dims()
	size := make([]float64, rows)
	for k := range size {
		size[k] = math.Abs(constantOf(p.q, k))
		for j := range n {
			size[k] += math.Abs(p.q.Matrix.At(k, j)) * math.Max(math.Abs(p.box.Lower[j]), math.Abs(p.box.Upper[j]))
		}
	}
	largest := 0.0
	for i := range p.dictionary.Size() {
		sum := 0.0
		for k, v := range p.dictionary.RawRowView(i) {
			sum += math.Abs(v) * size[k]
		}
		largest = math.Max(largest, sum)
	}
	return float64(rows+n+roundedSteps) * 0x1p-52 * largest
}

// side returns the length of the box along an axis.
func (p *partition) side(j int) float64 { return math.Max(0, p.box.Upper[j]-p.box.Lower[j]) }

// root is the whole box.
func (p *partition) root() cell {
	n := len(p.columnMax)
	c := cell{centre: make([]float64, n), cuts: make([]uint8, n)}
	for j := range n {
		c.centre[j] = (p.box.Lower[j] + p.box.Upper[j]) / 2
	}
	c.shape = p.shapeOf(c.cuts)
	return c
}

// shapeOf returns the shape after halving each axis the given number of times.
func (p *partition) shapeOf(cuts []uint8) *shape {
	if known, ok := p.shapes[string(cuts)]; ok {
		return known
	}
	half := make([]float64, len(cuts))
	for j := range half {
		half[j] = math.Ldexp(p.side(j)/2, -int(cuts[j]))
	}
	s := p.measure(half)
	p.shapes[string(cuts)] = s
	return s
}

// pairwiseLimit is the number of coefficient comparisons up to which the exact
// width over all pairs of atoms is computed; beyond it that is twice the radius.
const pairwiseLimit = 50_000_000

// measure computes radius and width of a cell with the given half-widths.
func (p *partition) measure(half []float64) *shape {
	s := &shape{half: half}
	most := -1.0
	for j, h := range half {
		if reach := h * p.columnMax[j]; reach > most {
			most, s.axis = reach, j
		}
	}
	for _, row := range p.pull.low {
		reach := 0.0
		for j, v := range row {
			reach += half[j] * math.Abs(v)
		}
		s.radius = math.Max(s.radius, reach)
	}
	s.width = 2 * s.radius
	if atoms := len(p.pull.low); atoms*atoms*len(half)/2 <= pairwiseLimit {
		s.width = p.pairwiseWidth(half, s.radius)
	}
	return s
}

// pairwiseWidth is the width over all pairs of atoms; at least the radius, which is the
// pair with the null atom.
func (p *partition) pairwiseWidth(half []float64, radius float64) float64 {
	width := radius
	for i, a := range p.pull.low {
		for _, b := range p.pull.low[:i] {
			reach := 0.0
			for j, h := range half {
				reach += h * math.Abs(a[j]-b[j])
			}
			width = math.Max(width, reach)
		}
	}
	return width
}

// halves cuts a cell in two along the axis that matters most.
func (p *partition) halves(c cell) [2]cell {
	axis := c.shape.axis
	cuts := append([]uint8(nil), c.cuts...)
	cuts[axis]++
	smaller := p.shapeOf(cuts)
	var parts [2]cell
	for k, sign := range []float64{-1, 1} {
		centre := append([]float64(nil), c.centre...)
		centre[axis] += sign * smaller.half[axis]
		parts[k] = cell{centre: centre, cuts: cuts, shape: smaller}
	}
	return parts
}

// missTolerance is the margin, relative to the size of the terms of a row, by which a
// cell must violate it before it counts as disjoint from X.
const missTolerance = 1e-9

// misses reports that a box around a centre has no point of X because it violates some row.
func (p *partition) misses(centre, half []float64) bool {
	for i := range p.region.Rows() {
		columns, values := p.region.RowTerms(i)
		middle, reach, size := 0.0, 0.0, 0.0
		for k, j := range columns {
			middle += values[k] * centre[j]
			reach += math.Abs(values[k]) * half[j]
			size += math.Abs(values[k]) * (math.Abs(centre[j]) + half[j])
		}
		limits := p.region.RowBounds(i)
		margin := missTolerance * size
		if middle-reach > limits.Upper()+margin || middle+reach < limits.Lower()-margin {
			return true
		}
	}
	return false
}

// net builds the net from centres and the shape that each stands for.
func (p *partition) net(centres [][]float64, shapes []*shape, method string) *Net {
	directions := mat.NewDense(len(centres), p.dictionary.Dim(), nil)
	n := &Net{directionSet: directionSet{p.dictionary, directions}, widths: make([]float64, len(centres)), method: method}
	for t, centre := range centres {
		directions.SetRow(t, p.q.Apply(centre))
		n.radius = math.Max(n.radius, directed.SumUpper(shapes[t].radius, p.rounding))
		n.widths[t] = directed.SumUpper(shapes[t].width, 2*p.rounding)
	}
	return n
}

func checkEpsilon(epsilon float64) error {
	if math.IsNaN(epsilon) || math.IsInf(epsilon, 0) || epsilon <= 0 {
		return fmt.Errorf("certificate: epsilon %v is not a finite number > 0; it has the unit of the alignments ⟨d_i, q(x)⟩", epsilon)
	}
	return nil
}

package certificate

import (
	"context"
	"fmt"
	"math"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/solver/proof/directed"
	"github.com/sparsero/directions/sparsero"
	"gonum.org/v1/gonum/mat"
)

// partition cuts the bounding box of X into axis-parallel cells and knows how far
// q can move within a cell, in the pseudometric of the dictionary.
type partition struct {
	dictionary *sparsero.Dictionary
	region     *solver.Model
	q          sparsero.AffineMap
	pull       pullback
	box        box
	rounding   float64 // bounds what the rounding of q can add to any distance in q(box)
}

func newPartition(ctx context.Context, d *sparsero.Dictionary, region *solver.Model, q sparsero.AffineMap, o *solver.Options) (*partition, error) {
	if err := checkDictionary(d); err != nil {
		return nil, err
	}
	if err := checkRegion(d, region, q); err != nil {
		return nil, err
	}
	lower, upper, err := BoundingBox(ctx, region, o)
	if err != nil {
		return nil, err
	}
	p := &partition{dictionary: d, region: region, q: q, pull: newPullback(d, q), box: box{lower, upper}}
	p.rounding = p.boundRounding()
	return p, nil
}

// boundRounding bounds what the rounding of q(centre) can do to an alignment, and so to a distance in q(box),
//
//	max_i Σ_k |d_ik| ((n + 2) 2^-52 max_{x in box} |q_k(x)| + (n + 2) 2^-1074),
//
// with every product counted for its size. The second term is for products below all floats.
func (p *partition) boundRounding() float64 {
	rows, n := p.q.Dims()
	moved, farthest := make([]float64, rows), make([]float64, n)
	for j := range farthest {
		farthest[j] = math.Max(math.Abs(p.box.Lower[j]), math.Abs(p.box.Upper[j]))
	}
	for k := range moved {
		var size directed.Sum
		size.Add(math.Abs(constantOf(p.q, k)))
		for j, x := range farthest {
			size.AddProduct(math.Abs(p.q.Matrix.At(k, j)), x)
		}
		terms := float64(n + 2)
		moved[k] = directed.SumUpper(directed.ProductUpper(terms*0x1p-52, size.Upper()), terms*math.SmallestNonzeroFloat64)
	}
	largest := 0.0
	for i := range p.dictionary.Size() {
		var sum directed.Sum
		for k, v := range p.dictionary.RawRowView(i) {
			sum.AddProduct(math.Abs(v), moved[k])
		}
		largest = math.Max(largest, sum.Upper())
	}
	return largest
}

// reach returns max_i Σ_j half_j |rows[i][j]| up to rounding, which is d_D from the centre of a cell with the
// given half-widths to its farthest point.
func (p *partition) reach(half []float64) float64 {
	largest := 0.0
	for i := range p.pull {
		reach := 0.0
		for j, h := range half {
			reach += h * p.pull.size(i, j)
		}
		largest = math.Max(largest, reach)
	}
	return largest
}

// pairwiseLimit is twice the number of coefficient comparisons up to which the exact
// width over all pairs of atoms is computed; beyond it that is twice the radius.
const pairwiseLimit = 100_000_000

// width returns max_{i,k} Σ_j half_j |rows[i][j] - rows[k][j]| up to rounding for a cell with the given half-widths, see
// [Net.Width]: at least its radius, which is the pair with the null atom.
func (p *partition) width(half []float64, radius float64) float64 {
	if atoms := len(p.pull); atoms*atoms*len(half) > pairwiseLimit {
		return 2 * radius
	}
	width := radius
	for a, one := range p.pull {
		for _, other := range p.pull[:a] {
			reach := 0.0
			for j, h := range half {
				reach += h * max(one.High[j]-other.Low[j], other.High[j]-one.Low[j])
			}
			width = math.Max(width, reach)
		}
	}
	return width
}

// proven returns what an exact sum of products of numbers >= 0 does not exceed that was added up to a value.
func proven(value float64, terms int) float64 {
	return directed.SumUpper(directed.ProductUpper(value, 1+float64(terms+4)*0x1p-52), float64(terms)*math.SmallestNonzeroFloat64)
}

// missTolerance is the margin, relative to the size of the terms of a row, by which a
// cell must violate it before it counts as disjoint from X; terms below all floats come on top.
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
		margin := missTolerance*size + float64(4*len(columns))*math.SmallestNonzeroFloat64
		if middle-reach > limits.Upper()+margin || middle+reach < limits.Lower()-margin {
			return true
		}
	}
	return false
}

// net builds the net from the centres of cells that half-widths cover, whatever rounding did to them.
func (p *partition) net(centres [][]float64, half []float64) *Net {
	directions := mat.NewDense(len(centres), p.dictionary.Dim(), nil)
	for t, centre := range centres {
		directions.SetRow(t, p.q.Apply(centre))
	}
	radius := p.reach(half)
	width := p.width(half, radius)
	return &Net{
		directionSet: directionSet{p.dictionary, directions}, method: "grid",
		radius: proof.AtMost(directed.SumUpper(proven(radius, len(half)), p.rounding)),
		width:  proof.AtMost(directed.SumUpper(proven(width, len(half)), 2*p.rounding)),
	}
}

func checkEpsilon(epsilon float64) error {
	if math.IsNaN(epsilon) || math.IsInf(epsilon, 0) || epsilon < 0 {
		return fmt.Errorf("certificate: epsilon %v is not a finite number >= 0; it has the unit of the alignments ⟨d_i, q(x)⟩, and 0 asks for the finest net that MaxPoints allows", epsilon)
	}
	return nil
}

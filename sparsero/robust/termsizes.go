package robust

import (
	"math"

	"github.com/sparsero/directions/solver/proof/directed"
	"github.com/sparsero/directions/sparsero"
)

// nominal returns the certain part of an exposure at x, b(x) or ⟨Nominal, x⟩, and the size of its terms.
func (p *Problem) nominal(exposure int, x []float64) (sum directed.Sum, size float64) {
	add := func(factor, v float64) {
		sum.AddProduct(factor, v)
		size += math.Abs(factor * v)
	}
	if exposure != objectiveExposure {
		for j, v := range p.constraints[exposure].Nominal {
			add(v, x[j])
		}
		return sum, size
	}
	add(p.region.Offset(), 1)
	for j := range x {
		add(p.region.Column(j).Cost, x[j])
	}
	for _, q := range p.region.Quadratic() {
		var product directed.Sum
		product.AddProduct(q.Value, x[q.I])
		sum.AddMultiple(x[q.J], product)
		size += math.Abs(q.Value * x[q.I] * x[q.J])
	}
	return sum, size
}

// scaled is r M for a support M that may overflow.
func scaled(radius, support float64) float64 {
	if radius == 0 {
		return 0
	}
	return radius * support
}

// alignmentSize is the size of the terms of ⟨d_i, s⟩ for a direction of an exposure, 0 for an atom that is null there.
func (p *Problem) alignmentSize(exposure int, direction []float64, atom int) float64 {
	size := 0.0
	for k, d := range p.dictionary.row(exposure, atom) {
		size += math.Abs(d * direction[k])
	}
	return size
}

// alignmentCeiling is a number that no alignment ⟨d_i, q(x)⟩ of the atoms of a dictionary over X reaches, from the
// column bounds, or +Inf if one of them is infinite where it matters. As an upper bound on
// t it never binds, but quadratic codes that meet a column without one may give up.
func (p *Problem) alignmentCeiling(d *sparsero.Dictionary) float64 {
	farthest := make([]float64, p.region.Columns())
	for j := range farthest {
		c := p.region.Column(j)
		farthest[j] = math.Max(math.Abs(c.Lower()), math.Abs(c.Upper()))
	}
	sizes := termSizes(p.q, farthest)
	ceiling := 2 * d.AlignmentReach(sizes)
	if ceiling >= leastCeiling {
		return ceiling
	}
	for k, size := range sizes {
		sizes[k] = math.Min(1, size/math.SmallestNonzeroFloat64)
	}
	if d.AlignmentReach(sizes) == 0 { // no atom has a coordinate in which q(x) has one
		return 0
	}
	return math.Inf(1)
}

// termSizes returns the sizes of the terms of each coordinate of q(x), |c_k| + Σ_j |a_kj x_j|, where a term below float64 counts.
func termSizes(q sparsero.AffineMap, x []float64) []float64 {
	rows, _ := q.Dims()
	sizes := make([]float64, rows)
	for k := range sizes {
		if q.Constant != nil {
			sizes[k] = math.Abs(q.Constant[k])
		}
		for j, a := range q.Matrix.RawRowView(k) {
			if a != 0 && x[j] != 0 { // x_j may be infinite
				sizes[k] += math.Max(math.Abs(a*x[j]), math.SmallestNonzeroFloat64)
			}
		}
	}
	return sizes
}

// objectiveReach is the size of the terms of b(x) + r M_[N](q(x)) over the bounds of the columns. A direction that leads
// nowhere may still have a length of some rounding errors, whose terms are no measure.
func (p *Problem) objectiveReach(radius float64) float64 {
	reach := 0.0
	if p.q.Matrix != nil {
		reach = radius * p.ceiling
	}
	for j := range p.region.Columns() {
		column := p.region.Column(j)
		reach += math.Abs(column.Cost) * math.Max(math.Abs(column.Lower()), math.Abs(column.Upper()))
	}
	return reach
}

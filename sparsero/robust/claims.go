package robust

import (
	"math"
	"math/big"
	"slices"
	"sync"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/directed"
	"github.com/sparsero/directions/solver/exact"
	"github.com/sparsero/directions/sparsero"
)

// direction is q(x) in float64 with bounds on the errors of its coordinates.
func direction(q sparsero.AffineMap, x []float64) (middle, errors []float64) {
	p, _ := q.Dims()
	middle, errors = make([]float64, p), make([]float64, p)
	for k := range middle {
		var sum directed.Sum
		if q.Constant != nil {
			sum.Add(q.Constant[k])
		}
		for j, a := range q.Matrix.RawRowView(k) {
			if a != 0 && x[j] != 0 {
				sum.AddProduct(a, x[j])
			}
		}
		middle[k], errors[k] = sum.Rounded()
	}
	return middle, errors
}

// uncertainUpper returns a number that r M_[N](q(x)) does not exceed, in O(Np + pn), and the atom of which it is a bound,
// ties to the lowest index; NullAtom and 0 where no atom does harm. For a pool it holds against all atoms whose blocks
// verified x, and the atom is that of the pool.
func (p *Problem) uncertainUpper(radius float64, q sparsero.AffineMap, x []float64) (upper float64, atom int) {
	at := p.at(q, x)
	if p.set != nil {
		upper = directed.SumUpper(p.set.Support(at.middle), 2*p.dictionary.AlignmentReach(at.errors))
		return directed.ProductUpper(radius, upper), sparsero.NullAtom
	}
	alignments := p.dictionary.Alignments(nil, at.middle)
	doubt := p.dictionary.AlignmentError(at.middle) + 2*p.dictionary.AlignmentReach(at.errors)
	largest := math.Max(0, slices.Max(alignments))
	atom = sparsero.NullAtom
	for i, v := range alignments {
		if v < largest-2*doubt {
			continue // farther from the largest than both can be wrong
		}
		if _, harm := at.harm(p.dictionary.RawRowView(i)); harm > upper {
			upper, atom = harm, i
		}
	}
	if p.part {
		upper = math.Max(upper, p.outsideUpper(q.Apply(x), at.middle, at.errors))
	}
	return directed.ProductUpper(radius, upper), atom
}

// outsideUpper returns a number that no ⟨d, s⟩ exceeds for s within errors of middle and the atoms d outside a pool, of
// which in float64 none has a larger alignment with a direction near by than the pool.
func (p *Problem) outsideUpper(direction, middle, errors []float64) float64 {
	for k, v := range middle {
		errors[k] = directed.SumUpper(errors[k], math.Abs(direction[k]-v))
	}
	doubt := directed.SumUpper(p.dictionary.AlignmentError(direction), 2*p.dictionary.AlignmentReach(errors))
	return directed.SumUpper(p.dictionary.Support(direction), doubt)
}

// harm is ⟨u, middle⟩ and a multiple, 1 or -1, of the doubt about it: its Upper or Lower bounds ⟨u, s⟩ for all s within
// errors of middle.
func harm(u, middle, errors []float64, doubt float64) *directed.Sum {
	sum := &directed.Sum{}
	for k, v := range u {
		sum.AddProduct(v, middle[k])
		sum.AddProduct(doubt*math.Abs(v), errors[k])
	}
	return sum
}

// pointed is q(x) in float64 with bounds on the errors of its coordinates, and exactly where it is asked for.
type pointed struct {
	middle, errors []float64
	exact          func() []*big.Rat
}

func (p *Problem) at(q sparsero.AffineMap, x []float64) *pointed {
	middle, errors := direction(q, x)
	return &pointed{middle, errors, sync.OnceValue(func() []*big.Rat { return newExactProblem(p, 0, x).direction(q) })}
}

// harm returns ⟨u, q(x)⟩, and the same rounded up, which is positive exactly where it is. What float64 leaves open, an
// overflow among it, fractions decide.
func (s *pointed) harm(u []float64) (value, upper float64) {
	sum := harm(u, s.middle, s.errors, 1)
	value, upper = sum.Value(), sum.Upper()
	if upper <= 0 || harm(u, s.middle, s.errors, -1).Lower() > 0 {
		return value, upper
	}
	truth := new(big.Rat)
	for k, v := range s.exact() {
		addProduct(truth, rational(u[k]), v)
	}
	value, _ = truth.Float64()
	return value, -exact.RoundedDown(truth.Neg(truth))
}

// fullUpper returns a number that Φ_N(x) does not exceed.
func (p *Problem) fullUpper(radius float64, x []float64) float64 {
	uncertain := 0.0
	if p.q.Matrix != nil {
		uncertain, _ = p.uncertainUpper(radius, p.q, x)
	}
	return p.levelOf(objectiveExposure, x, uncertain).Value
}

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
		product := q.Value * x[q.I]
		add(product, x[q.J])
		sum.AddProduct(math.FMA(q.Value, x[q.I], -product), x[q.J])
	}
	return sum, size
}

const (
	// pointNoise is what rounding leaves of a row that a solver satisfies, relative to the
	// terms that the bounds of the columns allow.
	pointNoise = 1e-12
	// farTerm is how many times larger than the median a term may be to count as allowed:
	// a bound can stand for none.
	farTerm = 0x1p20
)

// rowReach is the sum of the terms that a row of an upper bound has over the bounds of the columns, those of open columns
// left out.
func (p *Problem) rowReach(row solver.Row) float64 {
	terms := []float64{math.Abs(row.Upper())}
	for k, j := range row.Columns {
		bounds := p.region.Column(j)
		if size := math.Max(math.Abs(bounds.Lower()), math.Abs(bounds.Upper())); !math.IsInf(size, 1) {
			terms = append(terms, math.Abs(row.Values[k])*size)
		}
	}
	terms = slices.DeleteFunc(terms, func(v float64) bool { return v == 0 })
	slices.Sort(terms)
	reach := 0.0
	for _, v := range terms {
		if v <= farTerm*terms[(len(terms)-1)/2] {
			reach += v
		}
	}
	return reach
}

// scaled is r M for a support M that may overflow.
func scaled(radius, support float64) float64 {
	if radius == 0 {
		return 0
	}
	return radius * support
}

// alignmentSize is the size of the terms of ⟨d_i, s⟩, 0 for the null atom.
func (p *Problem) alignmentSize(direction []float64, atom int) float64 {
	if atom == sparsero.NullAtom {
		return 0
	}
	size := 0.0
	for k, d := range p.dictionary.RawRowView(atom) {
		size += math.Abs(d * direction[k])
	}
	return size
}

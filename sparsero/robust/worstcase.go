package robust

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"sync"

	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/solver/proof/directed"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/internal/lifted"
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

// checkUnderflow is an error where products below float64 that q(x) has lost may add to what an atom does at a radius
// more than counts beside a size.
func (p *Problem) checkUnderflow(exposure int, radius float64, x, direction []float64, size float64) error {
	const unit, smallest = math.SmallestNonzeroFloat64, 0x1p-900 // beside which a unit is nothing
	lost, any := make([]float64, len(direction)), false
	for k, s := range direction {
		if math.Abs(s) >= smallest {
			continue
		}
		q := &p.pullbacks[exposure+1]
		for _, j := range q.columns[k] {
			if a := q.Matrix.At(k, j); math.Abs(a*x[j]) < smallest && directed.ProductUpper(a, x[j]) != directed.ProductLower(a, x[j]) {
				lost[k], any = lost[k]+unit, true
			}
		}
	}
	if !any {
		return nil
	}
	if most := radius * p.dictionary.at(exposure).dictionary.AlignmentReach(lost); most > limitTolerance*size {
		return fmt.Errorf("its terms below float64 may add up to %.3g to what an atom does; give map and atoms in other units", most)
	}
	return nil
}

// exactDirection is q(x), or the sizes of its terms where numbers are read without their signs.
func exactDirection(q sparsero.AffineMap, x []float64, read func(float64) *big.Rat) []*big.Rat {
	p, _ := q.Dims()
	s, point := lifted.Zeros(p), rationals(x, read)
	for k := range s {
		if q.Constant != nil {
			s[k] = read(q.Constant[k])
		}
		for j, a := range q.Matrix.RawRowView(k) {
			lifted.AddProduct(s[k], read(a), point[j])
		}
	}
	return s
}

func exactAlignment(u []float64, s []*big.Rat, read func(float64) *big.Rat) *big.Rat {
	sum := new(big.Rat)
	for k, v := range s {
		lifted.AddProduct(sum, read(u[k]), v)
	}
	return sum
}

func magnitude(v float64) *big.Rat { return lifted.Rational(math.Abs(v)) }

// uncertainUpper returns a number that r M_[N](q(x)) does not exceed, in O(Np + pn), and the atom of which it is a bound,
// ties to the lowest index; NullAtom and 0 where no atom does harm.
func (p *Problem) uncertainUpper(radius float64, exposure int, x []float64) (upper float64, atom int) {
	at, set := p.at(exposure, x), p.dictionary.at(exposure)
	alignments := set.dictionary.Alignments(nil, at.middle)
	doubt := set.dictionary.AlignmentError(at.middle) + 2*set.dictionary.AlignmentReach(at.errors)
	largest := math.Max(0, slices.Max(alignments))
	atom = sparsero.NullAtom
	for i, v := range alignments {
		if v < largest-2*doubt {
			continue // farther from the largest than both can be wrong
		}
		if _, harm := at.harm(set.dictionary.RawRowView(i)); harm > upper {
			upper, atom = harm, set.place(i)
		}
	}
	return directed.ProductUpper(radius, upper), atom
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

func (p *Problem) at(exposure int, x []float64) *pointed {
	q := p.exposureMap(exposure)
	middle, errors := direction(q, x)
	return &pointed{middle, errors, sync.OnceValue(func() []*big.Rat { return exactDirection(q, x, lifted.Rational) })}
}

// harm returns ⟨u, q(x)⟩, and the same rounded up, which is positive exactly where it is. What float64 leaves open, an
// overflow among it, fractions decide.
func (s *pointed) harm(u []float64) (value, upper float64) {
	sum := harm(u, s.middle, s.errors, 1)
	value, upper = sum.Value(), sum.Upper()
	if upper <= 0 || !math.IsInf(upper, 1) && harm(u, s.middle, s.errors, -1).Lower() > 0 {
		return value, upper
	}
	truth := exactAlignment(u, s.exact(), lifted.Rational)
	value, _ = truth.Float64()
	return value, proof.UpperOf(truth).Float()
}

func rationals(values []float64, read func(float64) *big.Rat) []*big.Rat {
	list := make([]*big.Rat, len(values))
	for k, v := range values {
		list[k] = read(v)
	}
	return list
}

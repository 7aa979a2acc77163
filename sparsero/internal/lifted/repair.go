package lifted

import (
	"math"
	"math/big"
	"slices"

	"github.com/sparsero/directions/solver/proof/exact"
)

const (
	// repairRounds is how often the set of columns grows whose reduced costs are made 0.
	repairRounds = 6
	// leastShare is the share of the largest term of each reduced cost below which an unknown stands for more than its
	// multiplier: what rounding left of one that is next to nothing may have to be several times as large.
	leastShare = 0x1p-20
	// exactColumns bounds the columns whose squares, or whose multipliers, are sought in fractions, which grow with them.
	exactColumns = 40
)

// repaired returns a leaf whose multipliers are corrected, by about their rounding errors, so that the reduced costs
// of columns without a bound are exactly 0 where they have the wrong sign. It returns the leaf itself where this fails.
func (l *program) repaired(leaf *Leaf) *Leaf {
	var tight []int
	mended := leaf
	for range repairRounds {
		open := l.open(mended)
		if len(open) == 0 {
			return mended
		}
		if tight = append(tight, open...); len(tight) > exactColumns {
			break
		}
		if mended = l.corrected(leaf, tight); mended == nil {
			break
		}
	}
	return leaf
}

// corrected scales each multiplier by 1 + ρ w, with its weight w, so that the reduced costs of some columns are 0. Where b
// is quadratic, the coordinates of the point of its tangent move, too, by multiples σ of their sizes. It returns nil if
// there is no such leaf.
func (l *program) corrected(leaf *Leaf, tight []int) *Leaf {
	var curved []int // an empty leaf has no b
	if l.curvature != nil && !leaf.Empty {
		curved = l.curvature.Columns
	}
	scaled := leaf.clone()
	numbers, values := scaled.multipliers(), []*big.Rat(nil)
	system := l.corrections(leaf, tight, curved)
	weights := weigh(system, len(numbers))
	shares := exact.Equations(system)
	if shares == nil {
		return nil
	}
	for k, n := range numbers {
		factor := Rational(1)
		AddProduct(factor, shares[k], weights[k])
		if factor.Sign() < 0 {
			return nil // a multiplier changes its sign
		}
		values = append(values, factor.Mul(factor, fraction(n.float())))
	}
	if len(curved) > 0 {
		scaled.Tangent = make([]Number, len(l.point))
		for j := range scaled.Tangent {
			numbers, values = append(numbers, &scaled.Tangent[j]), append(values, fraction(l.point[j]))
		}
		for k, j := range curved {
			AddProduct(values[len(shares)-len(curved)+j], shares[len(shares)-len(curved)+k], l.extent(j))
		}
	}
	scaled.Scale = write(numbers, values)
	return scaled
}

// corrections are the equations for the ρ and σ, an equation for each tight column: what they change its reduced cost by
// is what it is, with the other sign.
func (l *program) corrections(leaf *Leaf, tight, curved []int) [][]*big.Rat {
	multipliers := leaf.multipliers()
	system := make([][]*big.Rat, len(tight))
	for row, reduced := range l.reduced(leaf, tight) {
		system[row] = Zeros(len(multipliers) + len(curved) + 1)
		system[row][len(system[row])-1].Neg(reduced)
	}
	for k := range multipliers {
		for row, share := range l.reduced(leaf.alone(k), tight) {
			system[row][k] = share
		}
	}
	q := &l.problem.Model.Quadratic // the gradient of b moves in proportion to a coordinate
	for k, v := range q.Values {
		for _, pair := range [2][2]int{{q.I[k], q.J[k]}, {q.J[k], q.I[k]}} {
			row, column := slices.Index(tight, pair[0]), slices.Index(curved, pair[1])
			if row >= 0 && column >= 0 {
				AddProduct(system[row][len(multipliers)+column], Rational(v), l.extent(pair[1]))
			}
		}
	}
	return system
}

// weigh multiplies the first unknowns of equations by weights, which it returns: 1, and more for those that are below the
// least share of every equation.
func weigh(system [][]*big.Rat, unknowns int) []*big.Rat {
	shares, weights := make([]float64, unknowns), make([]*big.Rat, unknowns)
	for _, equation := range system {
		largest := new(big.Rat)
		for _, v := range equation[:len(equation)-1] {
			if size := new(big.Rat).Abs(v); size.Cmp(largest) > 0 {
				largest = size
			}
		}
		for k := range shares {
			if largest.Sign() != 0 {
				share, _ := new(big.Rat).Quo(equation[k], largest).Float64()
				shares[k] = math.Max(shares[k], math.Abs(share))
			}
		}
	}
	for k, share := range shares {
		weights[k] = Rational(math.Max(1, math.Min(leastShare/share, math.MaxFloat64)))
		for _, equation := range system {
			equation[k].Mul(equation[k], weights[k])
		}
	}
	return weights
}

// extent is the size of a coordinate of the decision, 1 for 0.
func (l *program) extent(j int) *big.Rat {
	if l.point[j].Sign() == 0 {
		return Rational(1)
	}
	return new(big.Rat).Abs(fraction(l.point[j]))
}

// Zeros returns n fractions of their own, all 0.
func Zeros(n int) []*big.Rat {
	list := make([]*big.Rat, n)
	for k := range list {
		list[k] = new(big.Rat)
	}
	return list
}

// AddProduct adds a b to a sum.
func AddProduct(sum, a, b *big.Rat) {
	if a.Sign() != 0 && b.Sign() != 0 {
		sum.Add(sum, new(big.Rat).Mul(a, b))
	}
}

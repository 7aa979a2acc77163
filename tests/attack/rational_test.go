package attack

import (
	"math"
	"math/big"
)

func integer(v int64) *big.Rat { return big.NewRat(v, 1) }

// rational is a float64 as it is; infinities become nil.
func rational(v float64) *big.Rat {
	if math.IsInf(v, 0) {
		return nil
	}
	return new(big.Rat).SetFloat64(v)
}

func rationals(v []float64) []*big.Rat {
	list := make([]*big.Rat, len(v))
	for j := range v {
		list[j] = rational(v[j])
	}
	return list
}

func zeros(n int) []*big.Rat {
	list := make([]*big.Rat, n)
	for j := range list {
		list[j] = new(big.Rat)
	}
	return list
}

func unit(n, j int) []*big.Rat {
	list := zeros(n)
	list[j].SetInt64(1)
	return list
}

func names(first, count int) []int {
	list := make([]int, count)
	for k := range list {
		list[k] = first + k
	}
	return list
}

func product(a, b *big.Rat) *big.Rat {
	if a.Sign() == 0 || b.Sign() == 0 {
		return new(big.Rat)
	}
	return new(big.Rat).Mul(a, b)
}

func sum(a, b *big.Rat) *big.Rat        { return new(big.Rat).Add(a, b) }
func difference(a, b *big.Rat) *big.Rat { return new(big.Rat).Sub(a, b) }
func negative(a *big.Rat) *big.Rat      { return new(big.Rat).Neg(a) }

func inner(a, b []*big.Rat) *big.Rat {
	total := new(big.Rat)
	for j := range a {
		if a[j].Sign() != 0 && b[j].Sign() != 0 {
			total.Add(total, product(a[j], b[j]))
		}
	}
	return total
}

func scaled(factor *big.Rat, v []*big.Rat) []*big.Rat {
	list := make([]*big.Rat, len(v))
	for j := range v {
		list[j] = product(factor, v[j])
	}
	return list
}

func larger(a, b *big.Rat) *big.Rat {
	if a.Cmp(b) >= 0 {
		return a
	}
	return b
}

// largestTerm is max_j |a_j b_j|.
func largestTerm(a, b []*big.Rat) *big.Rat {
	largest := new(big.Rat)
	for j := range a {
		largest = larger(largest, new(big.Rat).Abs(product(a[j], b[j])))
	}
	return largest
}

// ratio is a/b as a float64, +Inf for b = 0 < a.
func ratio(a, b *big.Rat) float64 {
	if b.Sign() == 0 {
		if a.Sign() == 0 {
			return 0
		}
		return math.Inf(a.Sign())
	}
	quotient, _ := new(big.Rat).Quo(a, b).Float64()
	return quotient
}

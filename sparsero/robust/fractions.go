package robust

import "math/big"

func rational(v float64) *big.Rat {
	if v == 0 {
		return new(big.Rat) // SetFloat64 tries a thousand shifts of a zero
	}
	return new(big.Rat).SetFloat64(v)
}

func rationals(values []float64) []*big.Rat {
	list := make([]*big.Rat, len(values))
	for k, v := range values {
		list[k] = rational(v)
	}
	return list
}

func zeros(n int) []*big.Rat { return rationals(make([]float64, n)) }

// addProduct adds a b to a sum.
func addProduct(sum, a, b *big.Rat) {
	if a.Sign() != 0 && b.Sign() != 0 {
		sum.Add(sum, new(big.Rat).Mul(a, b))
	}
}

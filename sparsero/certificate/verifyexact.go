package certificate

import "math/big"

func exactly(v float64) *big.Rat { return new(big.Rat).SetFloat64(v) }

// dyadic is exact too: a float64 is a whole number over a power of two, and so are sums and products of such. A
// big.Float of the largest precision holds them without ever rounding, as its mantissa has as many digits as they need.
func dyadic(v float64) *big.Float { return new(big.Float).SetPrec(big.MaxPrec).SetFloat64(v) }

func dyadics(values []float64) []*big.Float {
	result := make([]*big.Float, len(values))
	for i, v := range values {
		result[i] = dyadic(v)
	}
	return result
}

// addDot adds <a, x> to a sum and returns it; a has an entry for each of some columns, or for all of them for nil.
func addDot(sum *big.Float, columns []int, a []float64, x []*big.Float) *big.Float {
	factor, product := dyadic(0), dyadic(0)
	for k, v := range a {
		j := k
		if columns != nil {
			j = columns[k]
		}
		if v != 0 && x[j].Sign() != 0 {
			sum.Add(sum, product.Mul(factor.SetFloat64(v), x[j]))
		}
	}
	return sum
}

func asFraction(v *big.Float) *big.Rat {
	fraction, _ := v.Rat(nil)
	return fraction
}

// objectives returns Φ_S(X) and Φ_N(X).
func (f *designFile) objectives(x []*big.Float) (restricted, full *big.Rat) {
	cost := addDot(dyadic(f.offset), nil, f.costs, x)
	for _, q := range f.quadratic {
		product := dyadic(0).Mul(x[q.i], x[q.j])
		cost.Add(cost, product.Mul(product, dyadic(q.value)))
	}
	if f.objective == nil {
		return asFraction(cost), asFraction(cost)
	}
	chosen := make([][]float64, len(f.chosen))
	for k, i := range f.chosen {
		chosen[k] = f.table[i]
	}
	return f.robustly(cost, f.objective, chosen, x), f.robustly(cost, f.objective, f.table, x)
}

// robustly returns a cost and r M(q(x)) for some atoms.
func (f *designFile) robustly(cost *big.Float, q *designMap, atoms [][]float64, x []*big.Float) *big.Rat {
	s := make([]*big.Float, len(q.matrix))
	for k, row := range q.matrix {
		s[k] = dyadic(0)
		if len(q.constant) > 0 {
			s[k].SetFloat64(q.constant[k])
		}
		addDot(s[k], nil, row, x)
	}
	most := dyadic(0)
	for _, atom := range atoms {
		if sum := addDot(dyadic(0), nil, atom, s); sum.Cmp(most) > 0 {
			most = sum
		}
	}
	most.Mul(most, dyadic(f.radius))
	return asFraction(most.Add(most, cost))
}

// position is where the decision is: its columns, the rows and the robust constraints.
func (f *designFile) position(x []*big.Float) []*big.Rat {
	var values []*big.Rat
	for _, v := range x {
		values = append(values, asFraction(v))
	}
	for _, row := range f.rows {
		values = append(values, asFraction(addDot(dyadic(0), row.columns, row.values, x)))
	}
	for k := range f.constraints {
		c := &f.constraints[k]
		values = append(values, f.robustly(addDot(dyadic(0), nil, c.nominal, x), c, f.table, x))
	}
	return values
}

// hessian is the matrix of second derivatives over the columns with quadratic terms, times a number that makes it whole.
func (f *designFile) hessian() [][]*big.Int {
	places, scale := map[int]int{}, big.NewInt(1)
	for _, q := range f.quadratic {
		for _, j := range []int{q.i, q.j} {
			if _, found := places[j]; !found {
				places[j] = len(places)
			}
		}
		if denominator := exactly(q.value).Denom(); denominator.Cmp(scale) > 0 { // all are powers of two
			scale = denominator
		}
	}
	need(len(places) <= mostCurved, "more than %d columns have quadratic terms, too many to test whether it is convex", mostCurved)
	matrix := make([][]*big.Int, len(places))
	for i := range matrix {
		matrix[i] = make([]*big.Int, len(places))
		for j := range matrix[i] {
			matrix[i][j] = new(big.Int)
		}
	}
	for _, q := range f.quadratic {
		i, j, whole := places[q.i], places[q.j], new(big.Rat).SetInt(scale)
		whole.Mul(whole, exactly(q.value))
		matrix[i][j].Add(matrix[i][j], whole.Num())
		matrix[j][i].Add(matrix[j][i], whole.Num()) // on the diagonal once more: the second derivative of v x^2 is 2 v
	}
	return matrix
}

// mostCurved bounds the columns with quadratic terms, so that the exact test of convexity ends soon.
const mostCurved = 100

// semidefinite tells whether a symmetric matrix is positive semidefinite, by elimination in whole numbers (Bareiss
// 1968): all pivots must be 0 or more, and a row with the pivot 0 must be 0. It overwrites the matrix.
func semidefinite(matrix [][]*big.Int) bool {
	previous := big.NewInt(1)
	for k, row := range matrix {
		pivot := row[k]
		if pivot.Sign() < 0 {
			return false
		}
		for i := k + 1; i < len(matrix); i++ {
			if pivot.Sign() == 0 && row[i].Sign() != 0 {
				return false
			}
			for j := i; j < len(matrix) && pivot.Sign() > 0; j++ {
				product := new(big.Int).Mul(row[i], row[j])
				entry := matrix[i][j]
				entry.Sub(entry.Mul(entry, pivot), product).Quo(entry, previous)
			}
		}
		if pivot.Sign() > 0 {
			previous = pivot
		}
	}
	return true
}

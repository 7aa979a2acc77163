package robust

import (
	"math"
	"math/big"
	"math/bits"
)

// liftingPrime is the largest prime below 2^62.
const liftingPrime = 1<<62 - 57

// solve solves equations, whose last entry is the right-hand side; unknowns that are not needed are 0. It returns nil if
// there is no solution. Elimination modulo a prime finds which unknowns are needed, and Dixon's lifting their values: a
// digit to the base of the prime at a time, so that only the answer has many digits (Dixon 1982). What the prime hides by
// bad luck makes a wrong answer, which is for the caller to check.
func solve(system [][]*big.Rat) []*big.Rat {
	s := newWholeSystem(system)
	rows, columns := s.pivots()
	solution := zeros(len(system[0]) - 1)
	if len(rows) == 0 {
		return solution
	}
	inverse := s.inverse(rows, columns)
	if inverse == nil {
		return nil
	}
	for k, value := range s.lift(rows, columns, inverse) {
		j := columns[k]
		solution[j].Quo(value, s.units[j])
		solution[j].Quo(solution[j], s.sideUnit)
	}
	return solution
}

// wholeSystem is a system of equations in whole numbers for unknowns in units of their own.
type wholeSystem struct {
	entries  [][]*big.Int // nil for 0
	sides    []*big.Int
	units    []*big.Rat // an unknown times its unit is an unknown of this system, but for sideUnit
	sideUnit *big.Rat   // what the sides are multiplied by besides
	sizes    [][]float64
}

// newWholeSystem scales each equation and each unknown so that the entries are small whole numbers.
func newWholeSystem(system [][]*big.Rat) *wholeSystem {
	last := len(system[0]) - 1
	s := &wholeSystem{units: zeros(last)}
	common := big.NewInt(1)
	var sides []*big.Rat
	for _, equation := range system {
		scale := big.NewInt(1)
		for _, v := range equation[:last] {
			scale = leastCommonMultiple(scale, v.Denom())
		}
		entries, sizes := make([]*big.Int, last), make([]float64, last)
		for j, v := range equation[:last] {
			if v.Sign() != 0 {
				entries[j] = new(big.Int).Mul(v.Num(), new(big.Int).Quo(scale, v.Denom()))
				sizes[j], _ = v.Float64()
			}
		}
		side := new(big.Rat).Mul(equation[last], new(big.Rat).SetInt(scale))
		common = leastCommonMultiple(common, side.Denom())
		s.entries, s.sizes, sides = append(s.entries, entries), append(s.sizes, sizes), append(sides, side)
	}
	for j := range last {
		unit := new(big.Int)
		for _, entries := range s.entries {
			if entries[j] != nil {
				unit.GCD(nil, nil, unit, new(big.Int).Abs(entries[j]))
			}
		}
		if unit.Sign() == 0 {
			unit.SetInt64(1)
		}
		for _, entries := range s.entries {
			if entries[j] != nil {
				entries[j].Quo(entries[j], unit)
			}
		}
		s.units[j].SetInt(unit)
	}
	s.sideUnit = new(big.Rat).SetInt(common)
	for _, side := range sides {
		s.sides = append(s.sides, new(big.Int).Set(side.Mul(side, s.sideUnit).Num()))
	}
	return s
}

func leastCommonMultiple(a, b *big.Int) *big.Int {
	divisor := new(big.Int).GCD(nil, nil, a, b)
	return divisor.Mul(a, divisor.Quo(b, divisor))
}

// pivots lists equations that are independent modulo the prime, and an unknown for each. Among those that are possible it
// is the one of the largest entry, so that no unknown becomes large.
func (s *wholeSystem) pivots() (rows, columns []int) {
	residues, sizes := s.residues(nil, nil), make([][]float64, len(s.sizes))
	for i := range sizes {
		sizes[i] = append([]float64(nil), s.sizes[i]...)
	}
	for i, row := range residues {
		pivot := -1
		for j, v := range row {
			if v != 0 && (pivot < 0 || math.Abs(sizes[i][j]) > math.Abs(sizes[i][pivot])) {
				pivot = j
			}
		}
		if pivot < 0 {
			continue
		}
		rows, columns = append(rows, i), append(columns, pivot)
		inverse := invertedModulo(row[pivot])
		for other := i + 1; other < len(residues); other++ {
			if residues[other][pivot] == 0 {
				continue
			}
			subtractModulo(residues[other], row, timesModulo(residues[other][pivot], inverse))
			factor := sizes[other][pivot] / sizes[i][pivot]
			for j, v := range sizes[i] {
				sizes[other][j] -= factor * v
			}
		}
	}
	return rows, columns
}

// residues are the entries of some equations and unknowns modulo the prime, of all where both are nil.
func (s *wholeSystem) residues(rows, columns []int) [][]uint64 {
	if rows == nil {
		for i := range s.entries {
			rows = append(rows, i)
		}
		for j := range s.units {
			columns = append(columns, j)
		}
	}
	prime, rest := big.NewInt(liftingPrime), new(big.Int)
	residues := make([][]uint64, len(rows))
	for k, i := range rows {
		residues[k] = make([]uint64, len(columns))
		for l, j := range columns {
			if v := s.entries[i][j]; v != nil {
				residues[k][l] = rest.Mod(v, prime).Uint64()
			}
		}
	}
	return residues
}

// inverse inverts the square matrix of some equations and unknowns modulo the prime, nil if it is singular there.
func (s *wholeSystem) inverse(rows, columns []int) [][]uint64 {
	n := len(rows)
	matrix := s.residues(rows, columns)
	for k := range matrix {
		matrix[k] = append(matrix[k], make([]uint64, n)...)
		matrix[k][n+k] = 1
	}
	for k := range n {
		pivot := k
		for pivot < n && matrix[pivot][k] == 0 {
			pivot++
		}
		if pivot == n {
			return nil
		}
		matrix[k], matrix[pivot] = matrix[pivot], matrix[k]
		inverse := invertedModulo(matrix[k][k])
		for j, v := range matrix[k] {
			matrix[k][j] = timesModulo(v, inverse)
		}
		for i := range matrix {
			if i != k && matrix[i][k] != 0 {
				subtractModulo(matrix[i], matrix[k], matrix[i][k])
			}
		}
	}
	for k := range matrix {
		matrix[k] = matrix[k][n:]
	}
	return matrix
}

// lift returns the values of some unknowns from some equations, given the inverse of their matrix modulo the prime.
func (s *wholeSystem) lift(rows, columns []int, inverse [][]uint64) []*big.Rat {
	n := len(rows)
	prime := big.NewInt(liftingPrime)
	left := make([]*big.Int, n) // the sides, less what the digits so far account for
	for k, i := range rows {
		left[k] = new(big.Int).Set(s.sides[i])
	}
	numerators, denominators := s.answerBits(rows, columns)
	values, power := make([]*big.Int, n), big.NewInt(1)
	for k := range values {
		values[k] = new(big.Int)
	}
	residues, digits, digit, product := make([]uint64, n), make([]uint64, n), new(big.Int), new(big.Int)
	for power.BitLen() <= numerators+denominators+2 {
		for k := range left {
			residues[k] = product.Mod(left[k], prime).Uint64()
		}
		for k := range digits {
			digits[k] = dotModulo(inverse[k], residues)
			values[k].Add(values[k], product.Mul(power, digit.SetUint64(digits[k])))
		}
		for k, i := range rows {
			for l, j := range columns {
				if v := s.entries[i][j]; v != nil && digits[l] != 0 {
					left[k].Sub(left[k], product.Mul(v, digit.SetUint64(digits[l])))
				}
			}
			left[k].Quo(left[k], prime) // without remainder
		}
		power.Mul(power, prime)
	}
	return fractions(values, power, numerators)
}

// answerBits bounds the bits of the numerators and of the denominators of the answer: they are determinants by Cramer's rule,
// which Hadamard bounds by the norms of their columns.
func (s *wholeSystem) answerBits(rows, columns []int) (numerators, denominators int) {
	normBits := func(entry func(i int) *big.Int) int {
		square := new(big.Int)
		for _, i := range rows {
			if v := entry(i); v != nil {
				square.Add(square, new(big.Int).Mul(v, v))
			}
		}
		return square.BitLen()/2 + 1
	}
	for _, j := range columns {
		denominators += normBits(func(i int) *big.Int { return s.entries[i][j] })
	}
	return denominators + normBits(func(i int) *big.Int { return s.sides[i] }), denominators
}

// fractions returns the fractions, with numerators of so many bits and small denominators, that values stand for modulo a
// number. Most have one denominator.
func fractions(values []*big.Int, modulus *big.Int, numerators int) []*big.Rat {
	limit := new(big.Int).Lsh(big.NewInt(1), uint(numerators))
	denominator := big.NewInt(1)
	answer := make([]*big.Rat, len(values))
	for k, v := range values {
		numerator := new(big.Int).Mul(v, denominator)
		numerator.Mod(numerator, modulus)
		if opposite := new(big.Int).Sub(modulus, numerator); opposite.Cmp(numerator) < 0 {
			numerator = opposite.Neg(opposite)
		}
		if numerator.CmpAbs(limit) > 0 {
			var further *big.Int
			numerator, further = fraction(numerator.Mod(numerator, modulus), modulus, limit)
			denominator = new(big.Int).Mul(denominator, further)
		}
		answer[k] = new(big.Rat).SetFrac(numerator, denominator)
	}
	return answer
}

// fraction returns the numerator, up to a limit, and the least denominator that a value stands for modulo a number.
func fraction(value, modulus, limit *big.Int) (numerator, denominator *big.Int) {
	before, now := new(big.Int).Set(modulus), new(big.Int).Set(value)
	factorBefore, factor := new(big.Int), big.NewInt(1)
	quotient, rest, product := new(big.Int), new(big.Int), new(big.Int)
	for now.CmpAbs(limit) > 0 {
		quotient.QuoRem(before, now, rest)
		before, now, rest = now, rest, before
		product.Mul(quotient, factor)
		factorBefore.Sub(factorBefore, product)
		factorBefore, factor = factor, factorBefore
	}
	if factor.Sign() < 0 {
		return now.Neg(now), factor.Neg(factor)
	}
	return now, factor
}

// timesModulo is a b modulo the prime.
func timesModulo(a, b uint64) uint64 {
	high, low := bits.Mul64(a, b)
	return bits.Rem64(high, low, liftingPrime)
}

// subtractModulo subtracts a multiple of a row from another one, modulo the prime.
func subtractModulo(from, row []uint64, factor uint64) {
	factor = liftingPrime - factor
	for j, v := range row {
		if v != 0 {
			high, low := bits.Mul64(factor, v)
			low, carry := bits.Add64(low, from[j], 0)
			from[j] = bits.Rem64(high+carry, low, liftingPrime)
		}
	}
}

// dotModulo is the inner product modulo the prime.
func dotModulo(a, b []uint64) uint64 {
	var high, low uint64
	for k, v := range a {
		h, l := bits.Mul64(v, b[k])
		var carry uint64
		low, carry = bits.Add64(low, l, 0)
		if high += h + carry; high >= 1<<62 { // room for one more product, which is below 2^124
			high %= liftingPrime
		}
	}
	return bits.Rem64(high, low, liftingPrime)
}

// invertedModulo is 1/a modulo the prime, by Fermat's little theorem.
func invertedModulo(a uint64) uint64 {
	inverse := uint64(1)
	for exponent := uint64(liftingPrime - 2); exponent > 0; exponent >>= 1 {
		if exponent&1 == 1 {
			inverse = timesModulo(inverse, a)
		}
		a = timesModulo(a, a)
	}
	return inverse
}

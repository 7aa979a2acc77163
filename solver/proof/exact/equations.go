package exact

import (
	"fmt"
	"math"
	"math/big"
	"slices"
)

// cancelled is the size of a sum, relative to its terms, at or below which it is their rounding error.
const cancelled = 1e-10

// Equations solves equations, whose last entry is the right-hand side; unknowns that are not needed are 0. It returns
// nil if there is no equation, or float64 chose some that depend on each other. Float64 chooses the unknowns and the
// equations, fractions give their values. What float64 chooses badly makes a wrong answer, which is for the caller to
// check; so does a system without a solution. O(m³) products of whole numbers for m equations. It panics if the
// equations are not equally long, or a number is nil.
func Equations(system [][]*big.Rat) []*big.Rat {
	if len(system) == 0 {
		return nil
	}
	for i, equation := range system {
		if len(equation) == 0 || len(equation) != len(system[0]) || slices.Contains(equation, nil) {
			panic(fmt.Sprintf("exact: equation %d is not a right-hand side after as many numbers as the others have", i))
		}
	}
	rows, columns := pivots(system)
	square := make([][]*big.Int, len(rows))
	for k, i := range rows {
		square[k] = wholeEquation(system[i], columns)
	}
	values := eliminate(square)
	if values == nil {
		return nil
	}
	solution := zeros(len(system[0]) - 1)
	for k, j := range columns {
		solution[j] = values[k]
	}
	return solution
}

// pivots lists equations that are independent, as far as float64 tells, and an unknown for each: the one of the largest
// entry, so that no unknown becomes large.
func pivots(system [][]*big.Rat) (rows, columns []int) {
	entries, sizes := make([][]float64, len(system)), make([]float64, len(system))
	for i, equation := range system {
		for _, v := range equation[:len(equation)-1] {
			entry, _ := v.Float64()
			entries[i], sizes[i] = append(entries[i], entry), math.Max(sizes[i], math.Abs(entry))
		}
	}
	for i, row := range entries {
		pivot, largest := -1, cancelled*sizes[i]
		for j, v := range row {
			if math.Abs(v) > largest {
				pivot, largest = j, math.Abs(v)
			}
		}
		if pivot < 0 {
			continue
		}
		rows, columns = append(rows, i), append(columns, pivot)
		for _, other := range entries[i+1:] {
			if factor := other[pivot] / row[pivot]; factor != 0 {
				for j, v := range row {
					other[j] -= factor * v
				}
			}
		}
	}
	return rows, columns
}

// wholeEquation is the part of an equation in some unknowns, with its right-hand side, times a common denominator.
func wholeEquation(equation []*big.Rat, columns []int) []*big.Int {
	var kept []*big.Rat
	for _, j := range append(slices.Clone(columns), len(equation)-1) {
		kept = append(kept, equation[j])
	}
	common, whole := CommonDenominator(kept), make([]*big.Int, len(kept))
	for k, v := range kept {
		whole[k] = new(big.Int).Mul(v.Num(), new(big.Int).Quo(common, v.Denom()))
	}
	return whole
}

// eliminate solves a square system of whole numbers, whose last column is the right-hand side, without fractions on the way
// (Bareiss 1968); nil where an entry of its diagonal, which float64 chose, becomes 0.
func eliminate(square [][]*big.Int) []*big.Rat {
	n, before := len(square), big.NewInt(1)
	for k := range n {
		if square[k][k].Sign() == 0 {
			return nil
		}
		for _, row := range square[k+1:] {
			for j := k + 1; j <= n; j++ {
				value := new(big.Int).Mul(row[j], square[k][k])
				value.Sub(value, new(big.Int).Mul(row[k], square[k][j]))
				row[j] = value.Quo(value, before) // without remainder
			}
		}
		before = square[k][k]
	}
	values := zeros(n)
	for k := n - 1; k >= 0; k-- {
		rest := new(big.Rat).SetInt(square[k][n])
		for j := k + 1; j < n; j++ {
			rest.Sub(rest, new(big.Rat).Mul(new(big.Rat).SetInt(square[k][j]), values[j]))
		}
		values[k] = rest.Quo(rest, new(big.Rat).SetInt(square[k][k]))
	}
	return values
}

func zeros(n int) []*big.Rat {
	list := make([]*big.Rat, n)
	for k := range list {
		list[k] = new(big.Rat)
	}
	return list
}

// CommonDenominator is the least common multiple of the denominators of fractions. It panics if one is nil.
func CommonDenominator(values []*big.Rat) *big.Int {
	common := big.NewInt(1)
	for _, v := range values {
		b := v.Denom()
		common.Mul(common, new(big.Int).Quo(b, new(big.Int).GCD(nil, nil, common, b)))
	}
	return common
}

// Squares eliminates in fractions: a symmetric matrix of so many rows is positive semidefinite if and only if it is
// Σ_k (Σ_{j>=k} rows[k][j] x_j)² / rows[k][k] with rows[k][k] > 0, where rows of 0 count for nothing. It panics
// for fewer than no rows or more than 2^20, which no memory holds, or without a function.
func Squares(n int, at func(i, j int) float64) (rows [][]*big.Rat, semidefinite bool) {
	if n < 0 || n > 1<<20 || at == nil {
		panic(fmt.Sprintf("exact: a matrix of %d rows by a function that may be nil; give 0 to 2^20 rows and a function", n))
	}
	rows = make([][]*big.Rat, n)
	for i := range rows {
		for j := range n {
			rows[i] = append(rows[i], rational(at(i, j)))
		}
	}
	for k, row := range rows {
		pivot := row[k]
		others := slices.ContainsFunc(row[k+1:], func(v *big.Rat) bool { return v.Sign() != 0 })
		if pivot.Sign() < 0 || pivot.Sign() == 0 && others {
			return nil, false
		}
		for i := k + 1; i < n && others; i++ {
			share := new(big.Rat).Quo(row[i], pivot)
			for j := k + 1; j < n && share.Sign() != 0; j++ {
				rows[i][j].Sub(rows[i][j], new(big.Rat).Mul(share, row[j]))
			}
		}
	}
	return rows, true
}

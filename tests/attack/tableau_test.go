package attack

import "math/big"

// tableau is a dictionary of the simplex method in integers with one common denominator (Edmonds): basic variable i is
//
//	(cells[i][0] + sum_j cells[i][j] nonbasic_j) / denominator.
//
// All divisions of a pivot are exact, so no fraction is ever reduced.
type tableau struct {
	cells           [][]big.Int
	denominator     big.Int // > 0
	basic, nonbasic []int   // names of the variables; nonbasic[0] is the constant
}

func newTableau(rows [][]*big.Int, basic, nonbasic []int) *tableau {
	t := &tableau{basic: basic, nonbasic: append([]int{-1}, nonbasic...)}
	t.denominator.SetInt64(1)
	for _, row := range rows {
		t.cells = append(t.cells, make([]big.Int, len(row)))
		for j, v := range row {
			t.cells[len(t.cells)-1][j].Set(v)
		}
	}
	return t
}

// pivot exchanges the basic variable of row r with the nonbasic variable of column s.
func (t *tableau) pivot(r, s int) {
	var pivot, old, product big.Int
	pivot.Set(&t.cells[r][s])
	old.Set(&t.denominator)
	negative := pivot.Sign() < 0
	for i := range t.cells {
		if i == r {
			continue
		}
		row, factor := t.cells[i], new(big.Int).Set(&t.cells[i][s])
		for j := range row {
			if j == s {
				continue
			}
			if row[j].Sign() != 0 {
				row[j].Mul(&row[j], &pivot)
			}
			if factor.Sign() != 0 && t.cells[r][j].Sign() != 0 {
				row[j].Sub(&row[j], product.Mul(factor, &t.cells[r][j]))
			}
			if row[j].Sign() != 0 {
				row[j].Quo(&row[j], &old)
			}
		}
		negate(row, negative)
	}
	for j := range t.cells[r] {
		if j != s {
			t.cells[r][j].Neg(&t.cells[r][j])
		}
	}
	t.cells[r][s].Set(&old)
	negate(t.cells[r], negative)
	t.denominator.Abs(&pivot)
	t.basic[r], t.nonbasic[s] = t.nonbasic[s], t.basic[r]
}

func negate(row []big.Int, do bool) {
	for j := range row {
		if do {
			row[j].Neg(&row[j])
		}
	}
}

// value returns the value of the basic variable of a row.
func (t *tableau) value(row int) *big.Rat {
	return new(big.Rat).SetFrac(&t.cells[row][0], &t.denominator)
}

// appendRow adds a row given by integer coefficients of the variables that were nonbasic at the start, by name, and a
// constant.
func (t *tableau) appendRow(constant *big.Int, coefficients map[int]*big.Int, name int) {
	row := make([]big.Int, len(t.nonbasic))
	var product big.Int
	row[0].Mul(constant, &t.denominator)
	for j, variable := range t.nonbasic[1:] {
		if c := coefficients[variable]; c != nil {
			row[j+1].Mul(c, &t.denominator)
		}
	}
	for i, variable := range t.basic {
		if c := coefficients[variable]; c != nil {
			for j := range row {
				row[j].Add(&row[j], product.Mul(c, &t.cells[i][j]))
			}
		}
	}
	t.cells, t.basic = append(t.cells, row), append(t.basic, name)
}

// dropLast removes the last row.
func (t *tableau) dropLast() {
	t.cells, t.basic = t.cells[:len(t.cells)-1], t.basic[:len(t.basic)-1]
}

// integers multiplies a matrix of rationals by positive factors, one a row and a power of two a column, so that all
// entries are small whole numbers. Column 0 keeps its factor 1. It returns the factors of the columns.
func integers(matrix [][]*big.Rat) (whole [][]*big.Int, columns []*big.Rat) {
	exponents := equilibrium(matrix)
	columns = make([]*big.Rat, len(exponents))
	for j, e := range exponents {
		columns[j] = powerOfTwo(e)
	}
	for _, row := range matrix {
		scaled := make([]*big.Rat, len(row))
		for j, v := range row {
			scaled[j] = new(big.Rat).Mul(v, columns[j])
		}
		numbers, _ := wholeNumbers(scaled)
		whole = append(whole, numbers)
	}
	return whole, columns
}

// wholeNumbers multiplies rationals by the least positive factor that makes them whole and coprime.
func wholeNumbers(values []*big.Rat) (whole []*big.Int, factor *big.Rat) {
	multiple, divisor := big.NewInt(1), new(big.Int)
	for _, v := range values {
		if v.Sign() != 0 && v.Denom().Cmp(multiple) != 0 {
			common := new(big.Int).GCD(nil, nil, multiple, v.Denom())
			multiple.Mul(multiple, new(big.Int).Quo(v.Denom(), common))
		}
	}
	for _, v := range values {
		n := new(big.Int).Mul(v.Num(), new(big.Int).Quo(multiple, greatestCommonDivisor(multiple, v.Denom())))
		whole = append(whole, n)
		if n.Sign() != 0 {
			divisor.GCD(nil, nil, divisor, new(big.Int).Abs(n))
		}
	}
	if divisor.Sign() == 0 {
		return whole, big.NewRat(1, 1)
	}
	for _, n := range whole {
		n.Quo(n, divisor)
	}
	return whole, new(big.Rat).SetFrac(multiple, divisor)
}

func greatestCommonDivisor(a, b *big.Int) *big.Int { return new(big.Int).GCD(nil, nil, a, b) }

// equilibriumRounds is the number of sweeps over rows and columns; two settle nearly all that scaling can.
const equilibriumRounds = 3

// equilibrium returns the exponents of powers of two that bring the entries of each column, after each row has had the
// same done, to a geometric mean of about 1; 0 for column 0.
func equilibrium(matrix [][]*big.Rat) []int {
	columns, rows := make([]int, len(matrix[0])), make([]int, len(matrix))
	for range equilibriumRounds {
		for i, row := range matrix {
			sum, count := 0, 0
			for j, v := range row[1:] {
				if v.Sign() != 0 {
					sum, count = sum+magnitude(v)+columns[j+1], count+1
				}
			}
			if count > 0 {
				rows[i] = -sum / count
			}
		}
		for j := 1; j < len(columns); j++ {
			sum, count := 0, 0
			for i, row := range matrix {
				if row[j].Sign() != 0 {
					sum, count = sum+magnitude(row[j])+rows[i], count+1
				}
			}
			if count > 0 {
				columns[j] = -sum / count
			}
		}
	}
	return columns
}

// magnitude is about the binary logarithm of a nonzero rational.
func magnitude(v *big.Rat) int { return v.Num().BitLen() - v.Denom().BitLen() }

func powerOfTwo(exponent int) *big.Rat {
	one := big.NewInt(1)
	if exponent >= 0 {
		return new(big.Rat).SetInt(one.Lsh(one, uint(exponent)))
	}
	return new(big.Rat).SetFrac(big.NewInt(1), one.Lsh(one, uint(-exponent)))
}

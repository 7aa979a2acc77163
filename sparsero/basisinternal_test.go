package sparsero

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// drawBasis draws a diagonally dominant system B a = u with coefficients a between 1 and 9.
func drawBasis(t *rapid.T) (atoms [][]float64, u, coefficients []float64) {
	p := rapid.IntRange(1, 5).Draw(t, "p")
	u, coefficients = make([]float64, p), make([]float64, p)
	for k := range p {
		atom := make([]float64, p)
		for j := range atom {
			atom[j] = rapid.Float64Range(-0.1, 0.1).Draw(t, "entry")
		}
		atom[k] += rapid.SampledFrom([]float64{-1, 1}).Draw(t, "sign")
		coefficients[k] = rapid.Float64Range(1, 9).Draw(t, "coefficient")
		for j := range u {
			u[j] += coefficients[k] * atom[j]
		}
		atoms = append(atoms, atom)
	}
	return atoms, u, coefficients
}

func rational(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }

// The residual has its sign and is never smaller than the exact one, whichever side it is on.
func TestResidualOfABasis(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		atoms, u, coefficients := drawBasis(t)
		s := newBasisSystem(atoms, u, coefficients)
		p := len(u)
		high, low, r := make([]float64, p), make([]float64, p), make([]float64, p)
		for k := range high {
			high[k] = rapid.Float64Range(-2, 2).Draw(t, "high")
			low[k] = 0x1p-60 * high[k]
		}
		s.residual(r, high, low)
		for j := range r {
			exact := rational(s.right[j])
			for k, v := range s.matrix.RawRowView(j) {
				a := new(big.Rat).Add(rational(high[k]), rational(low[k]))
				exact.Sub(exact, a.Mul(a, rational(v)))
			}
			size := new(big.Rat).Abs(exact)
			if rational(math.Abs(r[j])).Cmp(size) < 0 || exact.Sign()*rational(r[j]).Sign() < 0 {
				t.Fatalf("row %d: residual %g, exactly %v", j, r[j], exact.FloatString(30))
			}
		}
	})
}

// A system far from singular is solved without rational arithmetic, unless the sum of its coefficients all but is a
// float64: the sum is proven, not below the exact one, and above it by rounding alone.
func TestBasisIsProven(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		atoms, u, near := drawBasis(t)
		total, coefficients, proven := newBasisSystem(atoms, u, near).solve()
		exact := exactTotal(atoms, u)
		if nearest, _ := exact.Float64(); !proven {
			if off, _ := new(big.Rat).Sub(exact, rational(nearest)).Float64(); math.Abs(off) > 0x1p-74 {
				t.Fatalf("not proven, %g from a float64", off)
			}
			return
		}
		if total != roundUp(exact) {
			t.Fatalf("sum %v, exactly %s", total, exact.FloatString(30))
		}
		sum := 0.0
		for k, a := range near {
			sum += a
			if math.Abs(coefficients[k]-a) > 1e-13 {
				t.Fatalf("coefficient %d is %g, near %g", k, coefficients[k], a)
			}
		}
		if math.Abs(total-sum) > 1e-13*sum {
			t.Fatalf("sum %g, near %g", total, sum)
		}
	})
}

// exactTotal returns the sum of the coefficients that give u from the atoms, in rational arithmetic.
func exactTotal(atoms [][]float64, u []float64) *big.Rat {
	p := len(u)
	rows := make([][]*big.Rat, p)
	for j := range rows {
		rows[j] = make([]*big.Rat, p+1)
		for k := range p {
			rows[j][k] = rational(atoms[k][j])
		}
		rows[j][p] = rational(u[j])
	}
	for k := range p {
		pivot := k
		for rows[pivot][k].Sign() == 0 {
			pivot++
		}
		rows[k], rows[pivot] = rows[pivot], rows[k]
		for j := range p {
			if j == k || rows[j][k].Sign() == 0 {
				continue
			}
			factor := new(big.Rat).Quo(rows[j][k], rows[k][k])
			for c := k; c <= p; c++ {
				rows[j][c] = new(big.Rat).Sub(rows[j][c], new(big.Rat).Mul(factor, rows[k][c]))
			}
		}
	}
	total := new(big.Rat)
	for k := range p {
		total.Add(total, new(big.Rat).Quo(rows[k][p], rows[k][k]))
	}
	return total
}

// Where the exact sum is above a float64 by less than twice the precision can tell, the proven
// one is above it too.
func TestProvenSumsCoverWhatTwoWordsMiss(t *testing.T) {
	for m := 3.0; m < 200; m += 2 {
		// m a_0 - 2^-112 a_1 = 1 and m a_1 = m - 1, whose sum is 1 and a little more.
		atoms, u := [][]float64{{m, 0}, {-0x1p-112, m}}, []float64{1, m - 1}
		total, _, proven := newBasisSystem(atoms, u, []float64{1 / m, (m - 1) / m}).solve()
		if proven && rational(total).Cmp(exactTotal(atoms, u)) < 0 {
			t.Errorf("m = %g: sum %v is below the exact one", m, total)
		}
	}
}

// Of an ill-conditioned system the sum is proven or refused, not wrong.
func TestIllConditionedBases(t *testing.T) {
	refused := 0
	for digits := 30; digits < 50; digits++ { // that the rows 3, 5 and 6.3, 10.5 share
		near := []float64{1. / 3, 1. / 7}
		atoms := [][]float64{{3, 6.3}, {5, 10.5 + math.Ldexp(1, -digits)}}
		u := []float64{near[0]*3 + near[1]*5, near[0]*atoms[0][1] + near[1]*atoms[1][1]}
		exact := exactTotal(atoms, u)
		total, _, proven := newBasisSystem(atoms, u, near).solve()
		if !proven {
			refused++
			continue
		}
		if rational(total).Cmp(exact) < 0 || rational(total*(1-0x1p-50)).Cmp(exact) > 0 {
			t.Errorf("%d digits: sum %v, exactly %s", digits, total, exact.FloatString(20))
		}
	}
	if refused == 0 {
		t.Error("every system was proven")
	}
}

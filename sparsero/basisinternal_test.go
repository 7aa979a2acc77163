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

// A system far from singular is solved without rational arithmetic: the sum of its coefficients is proven, not below the
// exact one, and above it by rounding alone.
func TestBasisIsProven(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		atoms, u, near := drawBasis(t)
		total, coefficients, proven := newBasisSystem(atoms, u, near).solve()
		if !proven {
			t.Fatal("not proven")
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

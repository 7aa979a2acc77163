package convex

import (
	"math"
	"math/big"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

func rational(v float64) *big.Rat { return new(big.Rat).SetFloat64(v) }

func dot(a, b []float64) *big.Rat {
	sum := new(big.Rat)
	for k, v := range a {
		sum.Add(sum, new(big.Rat).Mul(rational(v), rational(b[k])))
	}
	return sum
}

// What an ellipsoid knows of its own rounding bounds it in fractions, and says something: products with the factor, the
// distance of its inverse from the true one, and the gauge of a box.
func TestRoundingOfEllipsoidsIsBounded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.IntRange(1, 4).Draw(t, "p")
		factor, sizes := mat.NewDense(p, p, nil), make([]float64, p)
		for i := range p {
			for j := range i + 1 {
				factor.Set(i, j, rapid.Float64Range(-1, 1).Draw(t, "entry"))
			}
			factor.Set(i, i, rapid.Float64Range(0.5, 3).Draw(t, "diagonal"))
			sizes[i] = rapid.Float64Range(0, 2).Draw(t, "size")
		}
		e, err := ellipsoidOfFactor(factor, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range []mat.Matrix{factor, factor.T()} {
			values, errors := image(a, sizes)
			for k := range p {
				exact := dot(mat.Row(nil, k, a), sizes)
				if off := new(big.Rat).Sub(exact, rational(values[k])); off.Abs(off).Cmp(rational(errors[k])) > 0 || errors[k] > 1e-15*(math.Abs(values[k])+1e-30) {
					t.Fatalf("coordinate %d: %v within %v, exactly %s", k, values[k], errors[k], exact.FloatString(30))
				}
			}
		}
		missed := new(big.Rat) // ‖RA-I‖² in the Frobenius norm
		for i := range p {
			for j := range p {
				entry := dot(e.inverse.RawRowView(i), mat.Col(nil, j, factor))
				if i == j {
					entry.Sub(entry, rational(1))
				}
				missed.Add(missed, entry.Mul(entry, entry))
			}
		}
		share := new(big.Rat).Sub(rational(1), new(big.Rat).Inv(rational(e.farther)))
		most := new(big.Rat).Add(new(big.Rat).Mul(missed, rational(2)), rational(0x1p-97))
		if share.Mul(share, share); share.Cmp(missed) < 0 || share.Cmp(most) > 0 {
			t.Fatalf("%v for an inverse that misses %s", e.farther, missed.FloatString(40))
		}
		// A box around 0 of these sizes, by its corner with the signs of each row of the inverse.
		gauge := 0.0
		for k := range p {
			sum := 0.0
			for j, v := range e.inverse.RawRowView(k) {
				sum += math.Abs(v) * sizes[j]
			}
			gauge = math.Hypot(gauge, sum) // whose squares may be below float64
		}
		if got := e.gaugeUpper(sizes); got < gauge*(1-1e-14) || got > gauge*(1+1e-12)+1e-300 {
			t.Fatalf("the gauge of a box is %v, want %v", got, gauge)
		}
	})
}

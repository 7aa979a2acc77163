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

// Where rounding has moved the inverse by a share that shows, the gauge of a box still bounds the true one, which here is that
// of its far corner.
func TestGaugesOfThinEllipsoidsAreBounded(t *testing.T) {
	for _, thin := range []float64{1e-6, 1e-9, 3e-11, 7e-13} {
		factor := mat.NewDense(2, 2, []float64{3, 0, -0.7, thin})
		e, err := ellipsoidOfFactor(factor, 0)
		if err != nil {
			t.Fatal(err)
		}
		u := []float64{1, 2.3}
		first := new(big.Rat).Quo(rational(u[0]), rational(factor.At(0, 0)))
		second := new(big.Rat).Mul(first, rational(-factor.At(1, 0)))
		second.Quo(second.Add(second, rational(u[1])), rational(thin))
		squares := new(big.Rat).Add(first.Mul(first, first), second.Mul(second, second))
		bound := e.gaugeUpper(u)
		if square := new(big.Rat).Mul(rational(bound), rational(bound)); square.Cmp(squares) < 0 {
			t.Errorf("thin by %v: bounded by %v, too little", thin, bound)
		}
	}
}

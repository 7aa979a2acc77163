package certificate_test

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/certificate"
)

// Norms are never below the exact ones.
func TestNormsAreRoundedUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.SliceOfN(rapid.Float64Range(-3, 3), 1, 6).Draw(t, "v")
		sum, squares := new(big.Rat), new(big.Rat)
		for _, x := range v {
			sum.Add(sum, new(big.Rat).Abs(rational(x)))
			squares.Add(squares, new(big.Rat).Mul(rational(x), rational(x)))
		}
		norm := rational(certificate.Euclidean.Of(v))
		if norm.Mul(norm, norm).Cmp(squares) < 0 || rational(certificate.Taxicab.Of(v)).Cmp(sum) < 0 {
			t.Fatalf("norms %v and %v of %v", certificate.Euclidean.Of(v), certificate.Taxicab.Of(v), v)
		}
	})
}

// The probes at 1, 2 and 6 from the only direction: their mean distance is 3.
func TestMeanDistanceOfProbes(t *testing.T) {
	d := must(sparsero.NewDictionary(matrix([]float64{1}), nil))(t)
	probes := must(certificate.NewProbeSet(d, matrix([]float64{1}, []float64{-2}, []float64{6})))(t)
	estimate := must(probes.EstimateRadius(matrix([]float64{0})))(t)
	if !near(estimate.Mean, 3) || !near(estimate.AtLeast, 6) || estimate.AtLeast > 6 {
		t.Errorf("estimate %+v", estimate)
	}
}

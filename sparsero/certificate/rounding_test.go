package certificate_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/certificate"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// The probes at 1, 2 and 6 from the only direction: their mean distance is 3.
func TestMeanDistanceOfProbes(t *testing.T) {
	d := must(sparsero.NewDictionary(matrix([]float64{1}), nil))(t)
	probes := must(certificate.NewProbeSet(d, matrix([]float64{1}, []float64{-2}, []float64{6})))(t)
	estimate := must(probes.EstimateRadius(matrix([]float64{0})))(t)
	if !near(estimate.Mean, 3) || !near(estimate.AtLeast.Float(), 6) || estimate.AtLeast.Float() > 6 {
		t.Errorf("estimate %+v", estimate)
	}
}

// exactDistance returns the exact d_D of a direction from the nearest row of a net, and the exact M_[N] of the direction.
func exactDistance(d *sparsero.Dictionary, direction []*big.Rat, directions *mat.Dense) (distance, support *big.Rat) {
	support = new(big.Rat)
	rows, _ := directions.Dims()
	for t := range rows {
		farthest := new(big.Rat)
		for i := range d.Size() {
			alignment, moved := new(big.Rat), new(big.Rat)
			for k, v := range d.RawRowView(i) {
				difference := new(big.Rat).Sub(direction[k], rational(directions.At(t, k)))
				moved.Add(moved, difference.Mul(difference, rational(v)))
				alignment.Add(alignment, new(big.Rat).Mul(direction[k], rational(v)))
			}
			if moved.Abs(moved).Cmp(farthest) > 0 {
				farthest = moved
			}
			if alignment.Cmp(support) > 0 {
				support = alignment
			}
		}
		if distance == nil || farthest.Cmp(distance) < 0 {
			distance = farthest
		}
	}
	return distance, support
}

// A net holds at the ends of X in units in which products of atoms, q and X are below all floats.
func TestNetsHoldInEveryUnit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scaled := func(label string, count int) []float64 {
			v, unit := make([]float64, count), rapid.SampledFrom([]int{0, 0, -40, -1074, -1060, 1000}).Draw(t, label)
			for k := range v {
				v[k] = math.Ldexp(float64(rapid.IntRange(-8, 8).Draw(t, label))/3, unit)
			}
			return v
		}
		n, p := rapid.IntRange(1, 2).Draw(t, "n"), rapid.IntRange(1, 2).Draw(t, "p")
		d := get(sparsero.NewDictionary(matrix(scaled("atom", p), scaled("atom", p)), nil))(t)
		q := get(sparsero.NewAffineMap(mat.NewDense(p, n, scaled("q", p*n)), nil))(t)
		side := rapid.SampledFrom([]float64{1, 0.25, 1.0 / 3}).Draw(t, "side")
		epsilon := rapid.SampledFrom([]float64{0x1p-75, 0x1p-30, 1, 0x1p1000}).Draw(t, "epsilon")
		o := &certificate.Options{MaxPoints: 50}
		net, err := certificate.GridNet(ctx, d, box(n, 0, side), q, epsilon, o)
		if n == 1 && p == 1 && rapid.Bool().Draw(t, "Lipschitz") { // the identity, which is computed without errors
			q = sparsero.Identity(1)
			side = math.Ldexp(side, rapid.SampledFrom([]int{0, -1074, -1060}).Draw(t, "unit of X"))
			short := interval{Lower: []float64{0}, Upper: []float64{side}}
			net, err = lipschitzNet(d, short, certificate.LipschitzMap{Apply: q.Apply, Constant: 1}, epsilon, o)
		}
		if err != nil {
			return // too many points, or alignments beyond float64
		}
		bound, err := certificate.NewNetBound(get(sparsero.NewAtomicSet(d, nil, 1))(t), net)
		if err != nil || math.IsInf(net.Radius().Float(), 1) || math.IsInf(bound.Upper.Float(), 1) {
			return
		}
		direction := make([]*big.Rat, p)
		for k := range direction {
			direction[k] = new(big.Rat)
		}
		for j := range n {
			if x := rapid.SampledFrom([]float64{0, side}).Draw(t, "x"); x != 0 {
				for k, sum := range direction {
					sum.Add(sum, new(big.Rat).Mul(rational(q.Matrix.At(k, j)), rational(x)))
				}
			}
		}
		distance, support := exactDistance(d, direction, net.Directions())
		if distance.Cmp(rational(net.Radius().Float())) > 0 || support.Cmp(rational(bound.Upper.Float())) > 0 {
			away, _ := distance.Float64()
			value, _ := support.Float64()
			t.Fatalf("%v: a direction is %v away and has the support %v, bound %v", net, away, value, bound.Upper)
		}
	})
}

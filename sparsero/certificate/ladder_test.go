package certificate_test

import (
	"math"
	"testing"

	"github.com/sparsero/directions/sparsero/certificate"
	"pgregory.net/rapid"
)

// The ladder over random polytopes: every deficit on q(X) <= U <= net bound <= the
// theorem's form, and no rung exceeds the trivial bound.
func TestCertificatesFormALadder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		set, region := drawSet(t), drawRegion(t)
		q := drawMap(t, set.Dictionary().Dim(), region.Columns())
		net, err := certificate.GridNet(ctx, set.Dictionary(), region, q, 3, &certificate.Options{MaxPoints: smallNet})
		if err != nil {
			return
		}
		pointwise := get(certificate.NewPointwise(set, q.Apply(drawPoint(t, region))))(t)
		uniform := get(certificate.SolveUniform(ctx, set, region, q, nil))(t)
		onNet := get(certificate.NewNetBound(set, net))(t)
		printed := math.Min(onNet.Printed.Float(), onNet.Trivial.Float()) * set.Radius()
		rungs := []float64{pointwise.Bound.Float(), uniform.Bound.Float(), onNet.Bound.Float(), printed}
		for k := 1; k < len(rungs); k++ {
			if rungs[k-1] > rungs[k]+tolerance*(1+rungs[k]) {
				t.Fatalf("rung %d of %v is above the next", k-1, rungs)
			}
		}
		norm := get(certificate.DirectionNorm(ctx, region, q, nil))(t).Float()
		hausdorff := get(certificate.MeasureHausdorff(ctx, set, norm))(t)
		if uniform.Bound.Float() > hausdorff.Bound.Float()+tolerance*(1+hausdorff.Bound.Float()) {
			t.Fatalf("uniform bound %v above the Hausdorff bound %v", uniform.Bound, hausdorff.Bound)
		}
		if onNet.Upper.Float() > onNet.Trivial.Float() {
			t.Fatalf("the bound exceeds the trivial one: %+v", onNet)
		}
	})
}

package certificate_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/certificate"
)

// occupancyByCounting is n_η(T) from the definition.
func occupancyByCounting(d *sparsero.Dictionary, directions *mat.Dense, eta float64) int {
	rows, _ := directions.Dims()
	least := rows
	for s := range rows {
		count := 0
		for t := range rows {
			if d.Pseudometric(directions.RawRowView(s), directions.RawRowView(t)) <= eta {
				count++
			}
		}
		least = min(least, count)
	}
	return least
}

// Proposition C.1 for every η, and the infimum over η found by brute force over
// all pairwise distances.
func TestAverageToWorstIsTheInfimumOverEta(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		set := drawSet(t)
		d := set.Dictionary()
		m := rapid.IntRange(1, 8).Draw(t, "|T|")
		directions := mat.NewDense(m, d.Dim(), nil)
		for s := range m {
			directions.SetRow(s, numbers(t, d.Dim(), "s"))
		}
		b := get(certificate.NewAverageToWorst(ctx, set, directions))(t)
		deficits := get(set.AlignmentDeficits(directions))(t)
		average, worst, ceiling := 0.0, 0.0, 0.0
		for s, deficit := range deficits {
			average += deficit / float64(m)
			worst = math.Max(worst, deficit)
			ceiling = math.Max(ceiling, d.Support(directions.RawRowView(s)))
		}
		if !near(b.Average.Float(), average) || !near(b.MaxDeficit.Float(), worst) {
			t.Fatalf("average %v, worst %v; the definition says %v, %v", b.Average, b.MaxDeficit, average, worst)
		}
		infimum, radii := ceiling, get(certificate.OccupancyRadii(ctx, d, directions))(t)
		for s := range m {
			for u := range m {
				eta := d.Pseudometric(directions.RawRowView(s), directions.RawRowView(u))
				occupancy := occupancyByCounting(d, directions, eta)
				value := float64(m)/float64(occupancy)*average + 2*eta
				if value < worst-tolerance {
					t.Fatalf("Proposition C.1 fails at η = %v: %v < %v", eta, value, worst)
				}
				infimum = math.Min(infimum, value)
				if radii[occupancy-1] > eta+1e-9 {
					t.Fatalf("%d see as many at %v, counting says at %v", occupancy, radii[occupancy-1], eta)
				}
			}
		}
		for k, eta := range radii {
			if got := occupancyByCounting(d, directions, eta+1e-9); got < k+1 || len(radii) != m {
				t.Fatalf("occupancy %d at radius %v of %v", got, eta, radii)
			}
		}
		if !near(b.Upper.Float(), infimum) || b.Upper.Float() < worst-tolerance {
			t.Fatalf("bound %v, brute force %v, worst deficit %v", b.Upper, infimum, worst)
		}
	})
}

// clusters draws groups of directions of different sizes and spreads, the kind of
// T on which the occupancy matters.
func clusters(t *rapid.T, source *rand.Rand, p int) *mat.Dense {
	var rows [][]float64
	for range rapid.IntRange(2, 5).Draw(t, "groups") {
		centre, spread := gaussian(source, 1, p), rapid.SampledFrom([]float64{0.01, 0.1, 0.4}).Draw(t, "spread")
		for range rapid.IntRange(3, 40).Draw(t, "size") {
			row := make([]float64, p)
			for j := range row {
				row[j] = centre.At(0, j) + spread*source.NormFloat64()
			}
			rows = append(rows, row)
		}
	}
	return matrix(rows...)
}

// The search that avoids most distances finds the same infimum as the complete
// list of occupancy radii, on sets large enough to need several rounds.
func TestAverageToWorstSearchIsExact(t *testing.T) {
	below := 0
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.IntRange(1, 3).Draw(t, "p")
		source := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		d := get(sparsero.NewDictionary(gaussian(source, 12, p), nil))(t)
		directions := clusters(t, source, p)
		m, _ := directions.Dims()
		indices := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}[:rapid.IntRange(3, 11).Draw(t, "|S|")]
		set := get(sparsero.NewAtomicSet(d, indices, 1))(t)
		b := get(certificate.NewAverageToWorst(ctx, set, directions))(t)
		want := 0.0
		for s := range m {
			want = math.Max(want, d.Support(directions.RawRowView(s)))
		}
		switch {
		case b.Capped && (b.Eta != 0 || b.Occupancy != 0 || !near(b.Upper.Float(), want)):
			t.Fatalf("capped at %v with η %v and occupancy %d; the trivial bound is %v", b.Upper, b.Eta, b.Occupancy, want)
		case !b.Capped && (b.Occupancy < 1 || !near(b.Upper.Float(), float64(m)/float64(b.Occupancy)*b.Average.Float()+2*b.Eta)):
			t.Fatalf("bound %v is not attained by η %v with occupancy %d", b.Upper, b.Eta, b.Occupancy)
		}
		for k, eta := range get(certificate.OccupancyRadii(ctx, d, directions))(t) {
			want = math.Min(want, float64(m)/float64(k+1)*b.Average.Float()+2*eta)
		}
		if !near(b.Upper.Float(), want) {
			t.Fatalf("bound %v, all radii give %v", b.Upper, want)
		}
		if !b.Capped && b.Average.Float() > 0 {
			below++
		}
	})
	if below == 0 && !testing.Short() { // short runs draw too few cases to count on one
		t.Fatal("the trivial bound was the better one every time")
	}
}

// The ladder over random polytopes: every deficit on q(X) <= U <= net bound <= the
// theorem's form <= bridge, and no rung exceeds the trivial bound.
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
		bridge := get(certificate.NewBridge(ctx, set, net))(t)
		printed := math.Min(onNet.Printed.Float(), onNet.Trivial.Float()) * set.Radius()
		rungs := []float64{pointwise.Bound.Float(), uniform.Bound.Float(), onNet.Bound.Float(), printed, bridge.Bound.Float()}
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
		if bridge.Upper.Float() > bridge.Trivial.Float() || onNet.Upper.Float() > onNet.Trivial.Float() {
			t.Fatalf("a bound exceeds the trivial one: %+v %+v", bridge, onNet)
		}
	})
}

// The paper's stopping rule implies the certificate; the certificate alone is
// weaker to ask for; the advice is right.
func TestCertifiedStopping(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		set, region := drawSet(t), drawRegion(t)
		q := drawMap(t, set.Dictionary().Dim(), region.Columns())
		net, err := certificate.GridNet(ctx, set.Dictionary(), region, q, 3, &certificate.Options{MaxPoints: smallNet})
		if err != nil {
			return
		}
		bound := get(certificate.NewNetBound(set, net))(t)
		threshold := rapid.Float64Range(0.01, 40).Draw(t, "tau")
		stop := get(bound.Stop(threshold))(t)
		if stop.Printed && !stop.Certified {
			t.Fatalf("the printed rule stops at bound %v > %v", bound.Bound, threshold)
		}
		if stop.Certified != (bound.Bound.Float() <= threshold) {
			t.Fatalf("certified %v at bound %v", stop.Certified, bound.Bound)
		}
		if stop.MoreAtoms && set.Radius()*bound.MaxDeficit.Float() < threshold-tolerance {
			t.Fatalf("asks for atoms although the deficits on T are below the threshold: %+v", stop)
		}
		if !stop.MoreAtoms && set.Radius()*bound.MaxDeficit.Float() > threshold+tolerance {
			t.Fatalf("asks for no atoms although the deficits on T exceed the threshold: %+v", stop)
		}
	})
}

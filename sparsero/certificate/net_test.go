package certificate_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/certificate"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// drawPoint draws a point of the region, the origin if nothing better is found.
func drawPoint(t *rapid.T, region *solver.Model) []float64 {
	for range 10 {
		x := make([]float64, region.Columns())
		for j := range x {
			c := region.Column(j)
			x[j] = rapid.Float64Range(c.Lower(), c.Upper()).Draw(t, "x")
		}
		if worst, _ := region.Violation(x); worst == 0 {
			return x
		}
	}
	return make([]float64, region.Columns())
}

// checkNet verifies the definition at points of X: a direction of T within the
// proven radius, and the deficit bound of Theorem 3.1.
func checkNet(t *rapid.T, set *sparsero.AtomicSet, net *certificate.Net, region *solver.Model, q sparsero.AffineMap) {
	t.Helper()
	d, directions := set.Dictionary(), net.Directions()
	bound := get(certificate.NewNetBound(set, net))(t)
	for range 10 {
		s := q.Apply(drawPoint(t, region))
		nearest := math.Inf(1)
		for k := range net.Size() {
			nearest = math.Min(nearest, d.Pseudometric(s, directions.RawRowView(k)))
		}
		if nearest > net.Radius().Float()+tolerance {
			t.Fatalf("%v: a direction of q(X) is %v away", net, nearest)
		}
		if deficit := set.AlignmentDeficit(s); deficit > bound.Upper.Float()+tolerance {
			t.Fatalf("%v: deficit %v above the bound %v", net, deficit, bound.Upper)
		}
	}
	if net.Width().Float() > 2*net.Radius().Float()+1e-12 {
		t.Fatalf("width %v exceeds twice the radius %v", net.Width(), net.Radius())
	}
}

const smallNet = 3000 // points that the property tests allow a net

// tooLarge skips instances whose net would be large, after checking that the
// radius that the error recommends does fit.
func tooLarge(t *rapid.T, err error, build func(epsilon float64) (*certificate.Net, error)) bool {
	var large *certificate.NetTooLargeError
	if !errors.As(err, &large) {
		return false
	}
	net, err := build(large.Reachable)
	if err != nil || net.Size() > smallNet || net.Radius().Float() > large.Reachable*(1+1e-9) {
		t.Fatalf("recommended radius %v: net %v, error %v", large.Reachable, net, err)
	}
	return true
}

func TestGridNetIsANet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		set, region := drawSet(t), drawRegion(t)
		q := drawMap(t, set.Dictionary().Dim(), region.Columns())
		epsilon := rapid.Float64Range(0.5, 5).Draw(t, "epsilon")
		build := func(epsilon float64) (*certificate.Net, error) {
			return certificate.GridNet(ctx, set.Dictionary(), region, q, epsilon, &certificate.Options{MaxPoints: smallNet})
		}
		net, err := build(epsilon)
		if tooLarge(t, err, build) {
			return
		}
		if net = get(net, err)(t); net.Radius().Float() > epsilon*(1+1e-9) {
			t.Fatalf("radius %v, asked for %v", net.Radius(), epsilon)
		}
		checkNet(t, set, net, region, q)
	})
}

// The three norms: the grid of the corrected step is a net of the whole box.
// TestFixedColumnsAreNotCut: a column with equal bounds does not move q, so the net has no more points than without it.
func TestFixedColumnsAreNotCut(t *testing.T) {
	without := must(sparsero.NewDictionary(mat.NewDense(3, 2, []float64{1, 0, 0, 1, -1, -1}), nil))(t)
	with := must(sparsero.NewDictionary(mat.NewDense(3, 3, []float64{1, 0, 5, 0, 1, 7, -1, -1, 9}), nil))(t)
	fixed := box(3, 0, 1)
	fixed.SetColumnBounds(2, solver.Between(0.5, 0.5))
	want := must(certificate.GridNet(ctx, without, box(2, 0, 1), sparsero.Identity(2), 0.1, nil))(t)
	got := must(certificate.GridNet(ctx, with, fixed, sparsero.Identity(3), 0.1, nil))(t)
	if got.Size() != want.Size() {
		t.Errorf("%d points, %d without the fixed column", got.Size(), want.Size())
	}
}

func TestLipschitzNetIsANet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		set := drawSet(t)
		d := set.Dictionary()
		n := rapid.IntRange(1, 3).Draw(t, "n")
		q := drawMap(t, d.Dim(), n)
		region := box(n, -1, 1)
		f := certificate.LipschitzMap{Apply: q.Apply, Constant: mat.Norm(q.Matrix, 2)} // the Frobenius norm bounds that of the operator
		whole := interval{Lower: make([]float64, n), Upper: make([]float64, n)}
		for j := range n {
			whole.Lower[j], whole.Upper[j] = -1, 1
		}
		epsilon := rapid.Float64Range(2, 20).Draw(t, "epsilon")
		build := func(epsilon float64) (*certificate.Net, error) {
			return lipschitzNet(d, whole, f, epsilon, &certificate.Options{MaxPoints: smallNet})
		}
		net, err := build(epsilon)
		if tooLarge(t, err, build) {
			return
		}
		if net = get(net, err)(t); net.Radius().Float() > epsilon*(1+1e-9) {
			t.Fatalf("radius %v, asked for %v", net.Radius(), epsilon)
		}
		checkNet(t, set, net, region, q)
		sharper := get(certificate.GridNet(ctx, d, region, q, epsilon, nil))(t)
		if sharper.Size() > net.Size() {
			t.Fatalf("the atom-wise constant needs %d points, the Lipschitz constant %d", sharper.Size(), net.Size())
		}
	})
}

// The printed step fails from dimension 5 on: for D = (±1)^n/√n, q = id, ε = h = 1
// the corner of a cell is √n/2 away from the grid: 1.118 for n = 5, 1.5 for n = 9.
func TestPrintedGridStepMissesItsEpsilon(t *testing.T) {
	for n, want := range map[int]float64{2: 0.7071, 4: 1, 5: 1.1180, 9: 1.5} {
		atoms := make([][]float64, 1<<n)
		for i := range atoms {
			atoms[i] = make([]float64, n)
			for j := range n {
				atoms[i][j] = float64(1-2*(i>>j&1)) / math.Sqrt(float64(n))
			}
		}
		d := must(sparsero.NewDictionary(matrix(atoms...), nil))(t)
		step := 1.0 // the printed ε/(‖D‖_* L)
		centre, corner := make([]float64, n), make([]float64, n)
		for j := range n {
			corner[j] = step / 2
		}
		if got := d.Pseudometric(centre, corner); math.Abs(got-want) > 1e-4 {
			t.Errorf("n = %d: corner at distance %v, want %v", n, got, want)
		}
		corrected := 2 / math.Sqrt(float64(n)) // the covering radius is 1
		for j := range n {
			corner[j] = corrected / 2
		}
		if got := d.Pseudometric(centre, corner); got > 1+1e-12 {
			t.Errorf("n = %d: the corrected step leaves the corner at %v > 1", n, got)
		}
	}
}

// Cover makes a net of other directions by the triangle inequality.
func TestDirectionsBecomeANetOnlyByProof(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		set := drawSet(t)
		d := set.Dictionary()
		n := rapid.IntRange(1, 2).Draw(t, "n")
		q, region := drawMap(t, d.Dim(), n), box(n, -1, 1)
		grid := get(certificate.GridNet(ctx, d, region, q, 2, nil))(t)
		again := get(grid.Cover(grid.Directions()))(t)
		if again.Radius().Float() > grid.Radius().Float()*1.02+1e-9 {
			t.Fatalf("proven radius %v, the grid's own proof gives %v", again.Radius(), grid.Radius())
		}
		checkNet(t, set, again, region, q)
		checkNet(t, set, get(grid.Cover(matrix(q.Apply(make([]float64, n)))))(t), region, q)
	})
}

// A probe estimate is not an upper bound: two clusters of directions whose probes
// all fall into them say nothing about the directions in between.
func TestProbeEstimateIsNoNetRadius(t *testing.T) {
	d := must(sparsero.NewDictionary(matrix([]float64{1, 0}, []float64{0, 1}, []float64{-1, 0}, []float64{0, -1}), nil))(t)
	clusters := matrix([]float64{1, 0}, []float64{-1, 0})
	probes := must(certificate.NewProbeSet(d, matrix([]float64{1, 0.01}, []float64{-1, 0.01}, []float64{0.99, 0})))(t)
	estimate := must(probes.EstimateRadius(clusters))(t)
	if !near(estimate.AtLeast.Float(), 0.01) || estimate.Probes != 3 {
		t.Fatalf("estimate %+v, want 0.01 from three probes", estimate)
	}
	square := box(2, -1, 1)
	fine := must(certificate.GridNet(ctx, d, square, sparsero.Identity(2), 0.02, nil))(t)
	net := must(fine.Cover(clusters))(t)
	// The farthest points of the square are (0, ±1) and the corners, all at distance 1.
	if net.Radius().Float() < 1 || net.Radius().Float() > 1.02 {
		t.Fatalf("proven radius %v, want 1 up to two per cent", net.Radius())
	}
	mass := must(estimate.UncoveredMass(0.05))(t).Float()
	if want := math.Log(20) / 3; !near(mass, math.Min(1, want)) {
		t.Fatalf("uncovered mass %v, want %v", mass, want)
	}
	if mass := must(estimate.UncoveredMass(0.001))(t).Float(); mass != 1 {
		t.Fatalf("uncovered mass %v, want 1, that of all directions", mass)
	}
	// With 4000 probes and δ = 1e-5 the mass is ln(1e5)/4000 = 0.0029.
	mass = must(certificate.RadiusEstimate{Probes: 4000}.UncoveredMass(1e-5))(t).Float()
	if math.Abs(mass-0.0029) > 5e-5 {
		t.Fatalf("uncovered mass %v, want 0.0029", mass)
	}
}

// TestUncoveredMassIsRoundedUp: ln 2^k = k ln 2, and -ln(1-x) is more than x + x²/2 + x³/3.
func TestUncoveredMassIsRoundedUp(t *testing.T) {
	ln2, _ := new(big.Rat).SetString("0.693147180559945309417232121458176568075500134360255254120680009")
	rapid.Check(t, func(t *rapid.T) {
		probes, k := int64(rapid.IntRange(1, 1000).Draw(t, "M")), rapid.IntRange(1, 50).Draw(t, "k")
		least, delta := new(big.Rat).Mul(big.NewRat(int64(k), 1), ln2), math.Ldexp(1, -k)
		if rapid.Bool().Draw(t, "near 1") {
			least, delta = new(big.Rat), 1-delta
			for power := range 3 {
				least.Add(least, big.NewRat(1, int64(power+1)).Mul(big.NewRat(1, int64(power+1)), new(big.Rat).SetFloat64(math.Ldexp(1, -k*(power+1)))))
			}
		}
		least.Mul(least, big.NewRat(1, probes))
		mass := get(certificate.RadiusEstimate{Probes: int(probes)}.UncoveredMass(delta))(t)
		if new(big.Rat).SetFloat64(mass.Float()).Cmp(least) < 0 && mass.Float() < 1 {
			t.Fatalf("%v for delta %v and %d probes; want at least %v", mass, delta, probes, least.FloatString(20))
		}
	})
}

// Where all directions have one distance none is farther than that, so the number that UncoveredMass speaks of must not be
// below it by rounding.
func TestUncoveredMassOfEqualDistances(t *testing.T) {
	d := must(sparsero.NewDictionary(matrix([]float64{0.1, 0.2}, []float64{0.3, -0.7}), nil))(t)
	direction, origin := []float64{1.0 / 3, 1.0 / 7}, []float64{0, 0}
	probes := must(certificate.NewProbeSet(d, matrix(direction, direction, direction)))(t)
	estimate := must(probes.EstimateRadius(matrix(origin)))(t)
	distance := new(big.Rat) // of d_0, the larger one
	for j, v := range direction {
		distance.Add(distance, new(big.Rat).Mul(new(big.Rat).SetFloat64(v), new(big.Rat).SetFloat64(d.Atom(0)[j])))
	}
	if new(big.Rat).SetFloat64(estimate.AtMost.Float()).Cmp(distance) < 0 || new(big.Rat).SetFloat64(estimate.AtLeast.Float()).Cmp(distance) > 0 {
		t.Errorf("the distance %s is not in [%v, %v]", distance.FloatString(20), estimate.AtLeast, estimate.AtMost)
	}
}

// The printed radius of a net is not below the proven one, and the radius that an error asks for is enough.
func TestNetsPrintOnTheSafeSide(t *testing.T) {
	for k := range 200 {
		d := must(sparsero.NewDictionary(matrix([]float64{1, float64(k) / 7}), nil))(t)
		o := &certificate.Options{MaxPoints: 5 + k}
		net := must(certificate.GridNet(ctx, d, box(2, -1, 1), sparsero.Identity(2), 0, o))(t)
		var printed, enough float64
		if _, err := fmt.Sscanf(net.String()[strings.Index(net.String(), "radius"):], "radius %g", &printed); err != nil || printed < net.Radius().Float() {
			t.Fatalf("%v has the radius %v, %v", net, net.Radius(), err)
		}
		_, err := certificate.GridNet(ctx, d, box(2, -1, 1), sparsero.Identity(2), net.Radius().Float()/3, o)
		_, text, _ := strings.Cut(fmt.Sprint(err), "epsilon >= ")
		if _, err := fmt.Sscanf(text, "%g", &enough); err != nil {
			t.Fatal(text, err)
		}
		if _, err := certificate.GridNet(ctx, d, box(2, -1, 1), sparsero.Identity(2), enough, o); err != nil {
			t.Fatalf("%v, as was asked for: %v", enough, err)
		}
	}
}

// Epsilon 0 is the least radius that the number of points allows: the one that the error of a smaller one names.
func TestFinestNet(t *testing.T) {
	d := must(sparsero.NewDictionary(matrix([]float64{1, 0}, []float64{0, 3}), nil))(t)
	q, square := sparsero.Identity(2), box(2, -1, 1)
	whole := interval{Lower: []float64{-1, -1}, Upper: []float64{1, 1}}
	for points, radius := range map[int]float64{1: 3, 2: 1.5, 3: 1, 12: 0.5} { // n cells of side 2 / n in the second coordinate
		o := &certificate.Options{MaxPoints: points}
		net := must(certificate.GridNet(ctx, d, square, q, 0, o))(t)
		if net.Size() > points || math.Abs(net.Radius().Float()-radius) > 1e-5*radius {
			t.Errorf("%d points: %v", points, net)
		}
		var large *certificate.NetTooLargeError
		if _, err := certificate.GridNet(ctx, d, square, q, radius/2, o); !errors.As(err, &large) || math.Abs(large.Reachable-radius) > 1e-12*radius {
			t.Errorf("%d points: %v", points, err)
		}
		covering := must(lipschitzNet(d, whole, certificate.LipschitzMap{Apply: q.Apply, Constant: 1}, 0, o))(t)
		if side := math.Floor(math.Sqrt(float64(points))); covering.Size() != int(side*side) || math.Abs(covering.Radius().Float()-d.MaxNorm()*math.Sqrt2/side) > 1e-5 {
			t.Errorf("%d points: %v", points, covering)
		}
	}
	still := must(certificate.GridNet(ctx, d, square, sparsero.AffineMap{Matrix: mat.NewDense(2, 2, nil)}, 0, nil))(t)
	if still.Size() != 1 || still.Radius().Float() > 1e-12 {
		t.Errorf("a map that does not move: %v", still)
	}
}

// Alignments beyond the range of float64 prove nothing: neither a deficit of 0 nor a distance of 0.
func TestNetsBeyondTheRangeOfFloatsProveNothing(t *testing.T) {
	set := atomicSet(t, 1, []int{0}, []float64{0x1p1000}, []float64{0x1p1001})
	unit := interval{Lower: []float64{0}, Upper: []float64{1}}
	far := func([]float64) []float64 { return []float64{0x1p100} }
	net := must(lipschitzNet(set.Dictionary(), unit, certificate.LipschitzMap{Apply: far}, 1, nil))(t)
	b := must(certificate.NewNetBound(set, net))(t)
	if !math.IsInf(b.Bound.Float(), 1) || !math.IsInf(b.MaxDeficit.Float(), 1) {
		t.Errorf("net bound %v, worst deficit %v", b.Bound, b.MaxDeficit)
	}
	for name, attempt := range map[string]func() error{
		"cover": func() error { _, err := net.Cover(matrix([]float64{-0x1p100})); return err },
		"estimate": func() error {
			probes := must(certificate.NewProbeSet(set.Dictionary(), net.Directions()))(t)
			_, err := probes.EstimateRadius(net.Directions())
			return err
		},
		"Lipschitz constant": func() error {
			point := interval{Lower: []float64{1}, Upper: []float64{1}}
			_, err := lipschitzNet(set.Dictionary(), point, certificate.LipschitzMap{Apply: far, Constant: 0x1p100}, 1, nil)
			return err
		},
	} {
		if err := attempt(); err == nil || !strings.HasPrefix(err.Error(), "certificate: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A distance beyond float64 is at least the largest float64, not infinite.
func TestProbesFartherThanFloat64(t *testing.T) {
	d := must(sparsero.NewDictionary(matrix([]float64{1}), nil))(t)
	probes := must(certificate.NewProbeSet(d, matrix([]float64{1.5e308})))(t)
	estimate := must(probes.EstimateRadius(matrix([]float64{-1.5e308})))(t)
	if math.IsInf(estimate.AtLeast.Float(), 1) || !math.IsInf(estimate.AtMost.Float(), 1) {
		t.Errorf("the distance 3e308 is between %v and %v", estimate.AtLeast, estimate.AtMost)
	}
}

// More cells than float64 counts are not infinitely many, and a q that does not move needs one in a box of any width.
func TestCellsThatFloat64DoesNotCount(t *testing.T) {
	cube := interval{[]float64{-1, -1, -1}, []float64{1, 1, 1}}
	var large *certificate.NetTooLargeError
	if _, err := lipschitzNet(must(sparsero.NewDictionary(matrix([]float64{1, 0, 0}), nil))(t), cube, certificate.LipschitzMap{Apply: slices.Clone[[]float64], Constant: 1}, 1e-200, nil); !errors.As(err, &large) || math.IsInf(large.Points, 1) {
		t.Errorf("1e600 cells: %v", err)
	}
	d := must(sparsero.NewDictionary(matrix([]float64{1}), nil))(t)
	wide := interval{[]float64{-math.MaxFloat64}, []float64{math.MaxFloat64}}
	for constant, beyond := range map[float64]bool{0: false, 1: true} {
		net, err := lipschitzNet(d, wide, certificate.LipschitzMap{Apply: func([]float64) []float64 { return []float64{0} }, Constant: constant}, 0, nil)
		if beyond && (err == nil || !strings.Contains(err.Error(), "beyond float64")) || !beyond && (err != nil || net.Size() != 1) {
			t.Errorf("constant %v: %v, %v", constant, net, err)
		}
	}
}

// Cells narrower than the least float64 cover a region all the same: x + y >= 2 of these in [0, 5]² is not empty.
func TestCellsNarrowerThanFloat64(t *testing.T) {
	d := must(sparsero.NewDictionary(matrix([]float64{1e300, 0}, []float64{0, 1e300}), nil))(t)
	region := box(2, 0, 5*math.SmallestNonzeroFloat64)
	region.AddRow(solver.Row{Bounds: solver.AtLeast(0x1p-473), Columns: []int{0, 1}, Values: []float64{0x1p600, 0x1p600}})
	if net, err := certificate.GridNet(ctx, d, region, sparsero.Identity(2), 0, &certificate.Options{MaxPoints: 30}); err != nil {
		t.Errorf("%v, %v", net, err)
	}
}

func TestCancelledBoundsGiveTheContextError(t *testing.T) {
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	set := atomicSet(t, 1, []int{0}, []float64{1, 0}, []float64{0, 1})
	if _, err := certificate.SolveInflation(cancelled, set); !errors.Is(err, context.Canceled) {
		t.Errorf("inflation factor: %v", err)
	}
}

func TestNetsRejectBadInput(t *testing.T) {
	d := must(sparsero.NewDictionary(matrix([]float64{1, 0}, []float64{0, 1}), nil))(t)
	other := must(sparsero.NewDictionary(matrix([]float64{1, 0}), nil))(t)
	q, square := sparsero.Identity(2), box(2, -1, 1)
	set := must(sparsero.NewAtomicSet(d, []int{0}, 1))(t)
	net := must(certificate.GridNet(ctx, d, square, q, 1, nil))(t)
	foreign := must(certificate.GridNet(ctx, other, square, q, 1, nil))(t)
	probes := must(certificate.NewProbeSet(d, matrix([]float64{1, 1})))(t)
	whole := interval{Lower: []float64{0, 0}, Upper: []float64{1, 1}}
	lipschitz := certificate.LipschitzMap{Apply: q.Apply, Constant: 1}
	empty := box(2, 0, 1)
	empty.AddRow(solver.Row{Bounds: solver.AtLeast(3), Columns: []int{0, 1}, Values: []float64{1, 1}})
	for name, attempt := range map[string]func() error{
		"epsilon Lipschitz": func() error {
			identity := certificate.LipschitzMap{Apply: q.Apply, Constant: 1}
			_, err := lipschitzNet(d, interval{Lower: []float64{0, 0}, Upper: []float64{1, 1}}, identity, -1, nil)
			return err
		},
		"epsilon negative": func() error { _, err := certificate.GridNet(ctx, d, square, q, -1, nil); return err },
		"MaxPoints negative": func() error {
			_, err := certificate.GridNet(ctx, d, square, q, 1, &certificate.Options{MaxPoints: -1})
			return err
		},
		"nil dictionary":     func() error { _, err := certificate.GridNet(ctx, nil, square, q, 1, nil); return err },
		"epsilon NaN":        func() error { _, err := certificate.GridNet(ctx, d, square, q, math.NaN(), nil); return err },
		"nil region":         func() error { _, err := certificate.GridNet(ctx, d, nil, q, 1, nil); return err },
		"q of another shape": func() error { _, err := certificate.GridNet(ctx, d, box(3, 0, 1), q, 1, nil); return err },
		"empty region":       func() error { _, err := certificate.GridNet(ctx, d, empty, q, 1, nil); return err },
		"unbounded region":   func() error { _, err := certificate.GridNet(ctx, d, box(2, 0, math.Inf(1)), q, 1, nil); return err },
		"probes of p = 3":    func() error { _, err := certificate.NewProbeSet(d, mat.NewDense(1, 3, nil)); return err },
		"no probes":          func() error { _, err := certificate.NewProbeSet(d, nil); return err },
		"estimate of p = 3":  func() error { _, err := probes.EstimateRadius(mat.NewDense(1, 3, nil)); return err },
		"delta 0":            func() error { _, err := certificate.RadiusEstimate{Probes: 3}.UncoveredMass(0); return err },
		"delta 1":            func() error { _, err := certificate.RadiusEstimate{Probes: 3}.UncoveredMass(1); return err },
		"cover of p = 3":     func() error { _, err := net.Cover(mat.NewDense(1, 3, nil)); return err },
		"no net":             func() error { _, err := certificate.NewNetBound(set, nil); return err },
		"net without a set":  func() error { _, err := certificate.NewNetBound(nil, net); return err },
		"foreign net":        func() error { _, err := certificate.NewNetBound(set, foreign); return err },
		"no Lipschitz map": func() error {
			_, err := lipschitzNet(d, whole, certificate.LipschitzMap{}, 1, nil)
			return err
		},
		"Lipschitz NaN": func() error {
			_, err := lipschitzNet(d, whole, certificate.LipschitzMap{Apply: q.Apply, Constant: math.NaN()}, 1, nil)
			return err
		},
		"box empty": func() error { _, err := lipschitzNet(d, interval{}, lipschitz, 1, nil); return err },
		"box reversed": func() error {
			_, err := lipschitzNet(d, interval{Lower: []float64{2, 0}, Upper: []float64{1, 1}}, lipschitz, 1, nil)
			return err
		},
		"Lipschitz, too large": func() error { _, err := lipschitzNet(d, whole, lipschitz, 1e-9, nil); return err },
		"grid too large":       func() error { _, err := certificate.GridNet(ctx, d, square, q, 1e-9, nil); return err },
	} {
		err := attempt()
		if err == nil {
			t.Errorf("%s: no error", name)
			continue
		}
		if !strings.HasPrefix(err.Error(), "certificate: ") {
			t.Errorf("%s: error %q does not name the package", name, err)
		}
	}
}

// For a dictionary symmetric about 0 the width of a cell is exactly twice its
// radius; in general it is between one and two radii.
func TestWidthIsTwiceTheRadiusForSymmetricDictionaries(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawSet(t).Dictionary()
		n := rapid.IntRange(1, 2).Draw(t, "n")
		q := drawMap(t, d.Dim(), n)
		closure := d.AntipodalClosure()
		for _, dictionary := range []*sparsero.Dictionary{d, closure} {
			net := get(certificate.GridNet(ctx, dictionary, box(n, -1, 1), q, 3, nil))(t)
			width, radius := net.Width().Float(), net.Radius().Float()
			if width < radius-tolerance || width > 2*radius+tolerance {
				t.Fatalf("width %v outside [ε, 2ε], ε = %v", width, radius)
			}
			if dictionary == closure && !near(width, 2*radius) {
				t.Fatalf("symmetric dictionary: width %v, twice the radius is %v", width, 2*radius)
			}
		}
	})
}

// TestNetOfNoAtoms: an empty dictionary, which nobody built, has no net.
func TestNetOfNoAtoms(t *testing.T) {
	_, err := lipschitzNet(new(sparsero.Dictionary), interval{[]float64{0}, []float64{1}}, certificate.LipschitzMap{Apply: slices.Clone[[]float64], Constant: 1}, 0.5, nil)
	if err == nil || !strings.Contains(err.Error(), "dictionary is nil or empty") {
		t.Errorf("got %v", err)
	}
}

// The least distances of 40 probes are 1 to 40: 95 in 100 are at most 38.
func TestSummaryOfProbes(t *testing.T) {
	d := must(sparsero.NewDictionary(matrix([]float64{1}, []float64{-1}), nil))(t)
	rows := make([][]float64, 40)
	for k := range rows {
		rows[k] = []float64{float64(1 + 7*k%40)}
	}
	estimate := must(must(certificate.NewProbeSet(d, matrix(rows...)))(t).EstimateRadius(matrix([]float64{0})))(t)
	if estimate.Quantile95 != 38 || estimate.Probes != 40 {
		t.Errorf("%+v", estimate)
	}
}

// A Lipschitz constant is a finite number of at least 0, and a box has finite sides in order.
func TestLipschitzNetsRefuse(t *testing.T) {
	d := must(sparsero.NewDictionary(matrix([]float64{1}), nil))(t)
	identity := func(x []float64) []float64 { return x }
	for _, constant := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), -1} {
		if _, err := lipschitzNet(d, interval{[]float64{0}, []float64{1}}, certificate.LipschitzMap{Apply: identity, Constant: constant}, 1, nil); err == nil || !strings.Contains(err.Error(), "Lipschitz constant") {
			t.Errorf("constant %v: %v", constant, err)
		}
	}
	for _, b := range []interval{{nil, nil}, {[]float64{0, 0}, []float64{1}}, {[]float64{1}, []float64{0}}, {[]float64{math.NaN()}, []float64{0}}, {[]float64{math.Inf(-1)}, []float64{0}}, {[]float64{0}, []float64{math.Inf(1)}}} {
		if _, err := lipschitzNet(d, b, certificate.LipschitzMap{Apply: identity, Constant: 1}, 1, nil); err == nil || !strings.Contains(err.Error(), "box has") {
			t.Errorf("box %v: %v", b, err)
		}
	}
	for _, values := range [][]float64{nil, {1, 2}, {math.NaN()}, {math.Inf(1)}} {
		wrong := func([]float64) []float64 { return values }
		if _, err := lipschitzNet(d, interval{[]float64{0}, []float64{1}}, certificate.LipschitzMap{Apply: wrong, Constant: 1}, 1, nil); err == nil || !strings.Contains(err.Error(), "q(x)") {
			t.Errorf("q(x) = %v: %v", values, err)
		}
	}
	point := must(lipschitzNet(d, interval{[]float64{1}, []float64{1}}, certificate.LipschitzMap{Apply: identity}, 0, nil))(t)
	if point.Size() != 1 {
		t.Errorf("a point has %v", point)
	}
}

// The radius of a Lipschitz net of one cell is L ‖D‖ times half its diagonal, here 7√2 ‖D‖, however small the atoms are.
func TestRadiusOfALipschitzNet(t *testing.T) {
	identity := func(x []float64) []float64 { return x }
	for k := -8; k <= 8; k++ {
		norm := math.Ldexp(1, k)
		d := must(sparsero.NewDictionary(matrix([]float64{norm, 0}, []float64{0, norm / 2}), nil))(t)
		net := must(lipschitzNet(d, interval{[]float64{0, 0}, []float64{7, 7}}, certificate.LipschitzMap{Apply: identity, Constant: 2}, 7*math.Sqrt2*norm*(1+1e-12), nil))(t)
		if radius := net.Radius().Float() / norm; net.Size() != 1 || radius < 9.8 || radius > 9.9 {
			t.Errorf("atoms of norm %v: %d points, radius %v times it", norm, net.Size(), radius)
		}
	}
}

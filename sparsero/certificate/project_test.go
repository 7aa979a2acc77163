package certificate_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/sparsero/directions/solver/proof/directed"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/certificate"
	"pgregory.net/rapid"
)

// The projection satisfies its optimality condition: the residual separates the
// target from every vertex of the hull.
func TestProjectionIsOptimal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		set := drawSet(t)
		d := set.Dictionary()
		target := numbers(t, d.Dim(), "target")
		p := get(project(set, target))(t)
		point, total := make([]float64, d.Dim()), new(big.Rat)
		for k, i := range set.Atoms() {
			if p.Weights[k] < 0 {
				t.Fatalf("weight %v", p.Weights[k])
			}
			total.Add(total, new(big.Rat).SetFloat64(p.Weights[k]))
			for j, v := range d.RawRowView(i) {
				point[j] += p.Weights[k] * v
			}
		}
		if total.Cmp(big.NewRat(1, 1)) > 0 {
			t.Fatalf("weights %v sum to more than 1 by %v", p.Weights, total.Sub(total, big.NewRat(1, 1)))
		}
		at := inner(point, p.Residual)
		for _, i := range append(set.Atoms(), sparsero.NullAtom) {
			if excess := inner(d.Atom(i), p.Residual) - at; excess > 1e-8*(1+p.Distance) {
				t.Fatalf("atom %d is nearer by %v: weights %v", i, excess, p.Weights)
			}
		}
		for j := range point {
			if math.Abs(target[j]-point[j]-p.Residual[j]) > 1e-12 {
				t.Fatalf("residual %v, target %v, point %v", p.Residual, target, point)
			}
		}
	})
}

func inner(a, b []float64) float64 {
	sum := 0.0
	for j, v := range a {
		sum += v * b[j]
	}
	return sum
}

// In the plane the distance from a hull is the least distance from a segment
// between two of its points, or zero inside.
func TestProjectionInThePlane(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 5).Draw(t, "N")
		rows := make([][]float64, n)
		indices := make([]int, n)
		for i := range rows {
			rows[i], indices[i] = numbers(t, 2, "atom"), i
		}
		target := numbers(t, 2, "target")
		d := get(sparsero.NewDictionary(matrix(rows...), nil))(t)
		set := get(sparsero.NewAtomicSet(d, indices, 1))(t)
		points := append(rows, []float64{0, 0})
		want := math.Inf(1)
		for i := range points {
			for j := range points {
				want = math.Min(want, toSegment(target, points[i], points[j]))
			}
		}
		if insideHull(target, points) {
			want = 0
		}
		if got := get(project(set, target))(t).Distance; math.Abs(got-want) > 1e-7 {
			t.Fatalf("distance %v, segments say %v", got, want)
		}
	})
}

func toSegment(target, a, b []float64) float64 {
	direction := []float64{b[0] - a[0], b[1] - a[1]}
	fraction := 0.0
	if length := inner(direction, direction); length > 0 {
		fraction = inner([]float64{target[0] - a[0], target[1] - a[1]}, direction) / length
	}
	fraction = math.Max(0, math.Min(1, fraction))
	return math.Hypot(target[0]-a[0]-fraction*direction[0], target[1]-a[1]-fraction*direction[1])
}

// insideHull tests all triangles of the points (Carathéodory).
func insideHull(target []float64, points [][]float64) bool {
	cross := func(a, b []float64) float64 {
		return (b[0]-a[0])*(target[1]-a[1]) - (b[1]-a[1])*(target[0]-a[0])
	}
	area := func(a, b, c []float64) float64 {
		return (b[0]-a[0])*(c[1]-a[1]) - (b[1]-a[1])*(c[0]-a[0])
	}
	for _, a := range points {
		for _, b := range points {
			for _, c := range points {
				if area(a, b, c) > 0 && cross(a, b) >= 0 && cross(b, c) >= 0 && cross(c, a) >= 0 {
					return true
				}
			}
		}
	}
	return false
}

// The Hausdorff bound holds for every direction, and on the unit circle it is
// attained: sup over directions of Δ_S equals the distance of the hulls.
func TestHausdorffBoundHoldsAndIsTightOnTheCircle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		set := drawSet(t)
		d := set.Dictionary()
		h := get(certificate.MeasureHausdorff(ctx, set, 1))(t)
		s := numbers(t, d.Dim(), "s")
		norm := directed.NormUpper(s)
		if deficit := set.AlignmentDeficit(s); deficit > h.Distance.Float()*norm+1e-8*(1+norm) {
			t.Fatalf("deficit %v exceeds %v times %v", deficit, h.Distance, norm)
		}
		if h.Bound.Float() != directed.ProductUpper(set.Radius(), h.Distance.Float()) {
			t.Fatalf("bound %v", h.Bound)
		}
		if h.Atom == sparsero.NullAtom {
			return
		}
		p := get(project(set, d.RawRowView(h.Atom)))(t)
		for j := range p.Residual {
			p.Residual[j] /= p.Distance
		}
		if deficit := set.AlignmentDeficit(p.Residual); math.Abs(deficit-h.Distance.Float()) > 1e-7*(1+h.Distance.Float()) {
			t.Fatalf("the separating unit direction has deficit %v, the hulls have distance %v", deficit, h.Distance)
		}
	})
}

func TestProjectionRejectsBadInput(t *testing.T) {
	set := atomicSet(t, 1, []int{0}, []float64{1, 0}, []float64{0, 1})
	if _, err := project(nil, []float64{1, 0}); err == nil {
		t.Error("nil set: no error")
	}
	if _, err := project(set, []float64{1}); err == nil {
		t.Error("short target: no error")
	}
	if _, err := project(set, []float64{1, math.Inf(1)}); err == nil {
		t.Error("infinite target: no error")
	}
	for _, norm := range []float64{-1, math.NaN(), math.Inf(1)} {
		if _, err := certificate.MeasureHausdorff(ctx, set, norm); err == nil {
			t.Errorf("direction norm %v: no error", norm)
		}
	}
	if _, err := certificate.MeasureHausdorff(ctx, nil, 1); err == nil {
		t.Error("nil set: no error from MeasureHausdorff")
	}
	if _, err := certificate.DirectionNorm(ctx, nil, sparsero.Identity(2), nil); err == nil {
		t.Error("nil region: no error from DirectionNorm")
	}
	if _, err := certificate.DirectionNorm(ctx, box(2, 0, 1), sparsero.Identity(3), nil); err == nil {
		t.Error("q of another shape: no error from DirectionNorm")
	}
}

// On a box with the identity the bound on ‖q(x)‖ is exact.
func TestDirectionNormOfABox(t *testing.T) {
	got := must(certificate.DirectionNorm(ctx, box(2, -3, 4), sparsero.Identity(2), nil))(t).Float()
	if want := 4 * math.Sqrt2; math.Abs(got-want) > 1e-9 {
		t.Fatalf("‖q‖ <= %v, want %v", got, want)
	}
}

// Units of the atoms scale distances and bounds exactly.
func TestHausdorffInOtherUnits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		set := hardSet(t)
		unit := rapid.IntRange(-900, 900).Draw(t, "unit")
		atoms := set.Dictionary().Matrix()
		atoms.Apply(func(_, _ int, v float64) float64 { return math.Ldexp(v, unit) }, atoms)
		other := get(sparsero.NewAtomicSet(get(sparsero.NewDictionary(atoms, nil))(t), set.Atoms(), 1))(t)
		h, k := get(certificate.MeasureHausdorff(ctx, set, 3))(t), get(certificate.MeasureHausdorff(ctx, other, 3))(t)
		if k.Bound.Float() != math.Ldexp(h.Bound.Float(), unit) || k.Atom != h.Atom {
			t.Fatalf("bound %v of atom %d becomes %v of atom %d in units of 2^%d", h.Bound, h.Atom, k.Bound, k.Atom, unit)
		}
		for i, distance := range h.Distances {
			if k.Distances[i].Float() != math.Ldexp(distance.Float(), unit) {
				t.Fatalf("distances %v become %v", h.Distances, k.Distances)
			}
		}
	})
}

package sparsero

import (
	"context"
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero/internal/gauge"
	"gonum.org/v1/gonum/mat"
)

// normalGauge opens the gauge of all of n atoms with normal coordinates.
func normalGauge(t *testing.T, n, p int, seed uint64) (*Gauge, *rand.Rand) {
	t.Helper()
	source := rand.New(rand.NewPCG(seed, 1))
	return gaugeOf(t, p, normalPoint(source, n*p)...), source
}

func normalPoint(source *rand.Rand, p int) []float64 {
	u := make([]float64, p)
	for j := range u {
		u[j] = source.NormFloat64()
	}
	return u
}

// A share of an atom, and a point between two, are inside whatever the size of the set, and nothing exact is needed for it.
func TestRoundedPointsBetweenAtomsAreInside(t *testing.T) {
	atoms := 30
	if testing.Short() {
		atoms = 3
	}
	for _, size := range [][2]int{{500, 10}, {60, 30}, {200, 30}, {300, 64}} {
		n, p := size[0], size[1]
		g, _ := normalGauge(t, n, p, uint64(n))
		for k := range atoms {
			first, second := g.set.dictionary.RawRowView(k), g.set.dictionary.RawRowView(k+1)
			share, between := make([]float64, p), make([]float64, p)
			for j := range p {
				share[j], between[j] = first[j]/10, (first[j]+2*second[j])/3
			}
			for _, u := range [][]float64{share, between} {
				if value, _, err := g.Of(context.Background(), u); err != nil || value > 1+1e-9 {
					t.Errorf("%d atoms, p = %d, atom %d: gauge %v, %v", n, p, k, value, err)
				}
			}
			outside, err := g.set.Outside(context.Background(), []int{k})
			if err != nil || len(outside) > 0 {
				t.Errorf("%d atoms, p = %d: atom %d of the set is outside, %v", n, p, k, err)
			}
		}
		if g.exact > 0 {
			t.Errorf("%d atoms, p = %d: %d programs were solved in exact arithmetic", n, p, g.exact)
		}
	}
}

// A direction that is moved away from the atoms it touches proves that a point is outside.
func TestPointsOutsideTheConeNeedNoExactArithmetic(t *testing.T) {
	const points = 1000
	g, source := normalGauge(t, 30, 20, 7)
	outside := 0
	for range points {
		value, _, err := g.Of(context.Background(), normalPoint(source, 20))
		if err != nil {
			t.Fatal(err)
		}
		if math.IsInf(value, 1) {
			outside++
		}
	}
	if inside := points - outside; outside < points/2 || g.exact > inside/4 {
		t.Errorf("%d of %d points outside, %d programs in exact arithmetic", outside, points, g.exact)
	}
	if most := 30 * points; g.program.Pivots > most {
		t.Errorf("%d pivots for %d points, want at most %d", g.program.Pivots, points, most)
	}
}

// A point that rounding moves out of the span of the atoms is told to be outside by a direction of two words.
func TestPointsRoundedOutOfASpanNeedNoExactArithmetic(t *testing.T) {
	const p = 12
	g, _ := normalGauge(t, p-1, p, 4)
	for k := range p - 2 {
		u := make([]float64, p)
		for i := range k + 2 {
			for j, v := range g.set.dictionary.RawRowView(i) {
				u[j] += v / 3
			}
		}
		if value, _, err := g.Of(context.Background(), u); err != nil || !math.IsInf(value, 1) {
			t.Errorf("of %d atoms: gauge %v, %v", k+2, value, err)
		}
	}
	if g.exact > 0 {
		t.Errorf("%d programs were solved in exact arithmetic", g.exact)
	}
}

// TestOnlySeparationIsEvidence: no atom is left exactly where ⟨u,y⟩ > 0 and ⟨d_i,y⟩ <= 0 for all of them.
func TestOnlySeparationIsEvidence(t *testing.T) {
	separated := 0
	for seed := range uint64(200) {
		g, source := normalGauge(t, 3, 2, seed)
		u, y, separates := []float64{source.NormFloat64(), source.NormFloat64()}, make([]*big.Rat, 2), true
		for j := range y {
			y[j] = new(big.Rat).SetFloat64(source.NormFloat64())
		}
		for i := range 3 {
			separates = separates && exactProduct(g.set.dictionary.RawRowView(i), y).Sign() <= 0
		}
		separates = separates && exactProduct(u, y).Sign() > 0
		if left := g.notSeparated(u, y); (len(left) == 0) != separates {
			t.Errorf("seed %d: atoms %v are left, separated %v", seed, left, separates)
		}
		if separates {
			separated++
		}
	}
	if separated == 0 || separated == 200 {
		t.Errorf("%d of 200 points are separated; this test sees too little", separated)
	}
}

// Of many atoms few become columns.
func TestColumnsAreGenerated(t *testing.T) {
	const n, p, points = 6000, 24, 20
	g, source := normalGauge(t, n, p, 11)
	for range points {
		if value, _, err := g.Of(context.Background(), normalPoint(source, p)); err != nil || !(value > 0 && value < 10) {
			t.Fatal(value, err)
		}
	}
	for _, count := range []struct {
		name      string
		got, most int
	}{
		{"columns", g.program.Columns, 12 * p * points}, {"pivots", g.program.Pivots, 20 * p * points},
		{"looks at all atoms", g.program.Pricings, 16 * points}, {"programs in exact arithmetic", g.exact, points / 4},
	} {
		if count.got > count.most {
			t.Errorf("%d %s for %d points, want at most %d", count.got, count.name, points, count.most)
		}
	}
}

// An integer point on a face of many dimensions is decided, in exact arithmetic if need be, or unknown: never outside.
func TestPointsOnFacesAreNeverOutside(t *testing.T) {
	source := rand.New(rand.NewPCG(5, 5))
	for _, p := range []int{12, 40, 70} {
		atoms := mat.NewDense(2*p, p, nil)
		atoms.Apply(func(_, _ int, _ float64) float64 { return float64(source.IntN(7) - 3) }, atoms)
		d, err := NewDictionary(atoms, nil)
		if err != nil {
			t.Fatal(err)
		}
		set, err := FullSet(d, 1)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		for k := range 5 {
			g, err := NewGauge(set)
			if err != nil {
				t.Fatal(err)
			}
			u, sum := make([]float64, p), 0.0
			for i := range 1 + k*p/10 {
				weight := float64(1 + source.IntN(3))
				sum += weight
				for j, v := range d.RawRowView(i) {
					u[j] += weight * v
				}
			}
			value, _, err := g.Of(ctx, u)
			if errors.Is(err, solver.ErrUnproven) && p > 40 {
				continue
			}
			if err != nil || !(value <= sum) {
				t.Errorf("p = %d, %d atoms: gauge %v, at most %v, %v", p, 1+k*p/10, value, sum, err)
			}
		}
	}
}

// A gauge that is cancelled ends within a second and says so.
func TestGaugeEndsWithItsContext(t *testing.T) {
	g, source := normalGauge(t, 3000, 100, 3)
	for trial := range 6 {
		ctx, cancel := context.WithTimeout(context.Background(), time.Duration(source.IntN(40))*time.Millisecond)
		for err := error(nil); err == nil; {
			_, _, err = g.Of(ctx, normalPoint(source, 100))
			if err != nil && !errors.Is(err, context.DeadlineExceeded) {
				t.Fatalf("trial %d: %v", trial, err)
			}
		}
		cancel()
	}
}

// TestExactGaugesGenerateAtoms: from the basis of another point the exact method finds the atoms that it needs among many.
func TestExactGaugesGenerateAtoms(t *testing.T) {
	const n, p = 5000, 3
	g, source := normalGauge(t, n, p, 7)
	if n*p*p <= wholeWork {
		t.Fatal("all atoms are taken at once")
	}
	for range 5 {
		u, other := normalPoint(source, p), normalPoint(source, p)
		want, err := g.of(context.Background(), u)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := g.of(context.Background(), other); err != nil {
			t.Fatal(err)
		}
		got, err := g.decide(context.Background(), u)
		if err != nil || !got.closed() || got.lower > want.upper || want.lower > got.upper {
			t.Fatalf("%v in [%v, %v], exactly in [%v, %v], %v", u, want.lower, want.upper, got.lower, got.upper, err)
		}
	}
}

// gaugeOf opens the gauge of all atoms of dimension p.
func gaugeOf(t *testing.T, p int, atoms ...float64) *Gauge {
	t.Helper()
	d, err := NewDictionary(mat.NewDense(len(atoms)/p, p, atoms), nil)
	if err != nil {
		t.Fatal(err)
	}
	set, err := FullSet(d, 1)
	if err != nil {
		t.Fatal(err)
	}
	g, err := NewGauge(set)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestADirectionOfTwoWordsCountsBoth, whatever their sizes: the first alone keeps the atom away from u, their sum not.
func TestADirectionOfTwoWordsCountsBoth(t *testing.T) {
	g := gaugeOf(t, 2, 1, 0)
	for _, test := range []struct {
		high, low float64
		want      bool
	}{{-1, 0, true}, {-1, 0.5, true}, {-1, 2, false}, {-1, 64, false}, {1, 0, false}} {
		w := gauge.Pair{High: []float64{test.high, 1}, Low: []float64{test.low, 0}}
		if got := g.separates([]float64{0, 1}, w); got != test.want {
			t.Errorf("%v separates u: %t", w, got)
		}
	}
}

// TestEvidenceBelowFloat64Counts: 2^100 y_0 exceeds what y_1 takes away, though y_0 = 2^-1100 is 0 in float64.
func TestEvidenceBelowFloat64Counts(t *testing.T) {
	g := gaugeOf(t, 2, 0x1p100, 0x1p-150)
	small := new(big.Rat).SetFloat64(0x1p-550)
	small.Mul(small, small)
	for _, negative := range []float64{-0x1p-900, -0x1p-901} {
		if left := g.notSeparated([]float64{1, 0}, []*big.Rat{small, new(big.Rat).SetFloat64(negative)}); len(left) != 1 {
			t.Errorf("the atoms %v are left, not the one that there is", left)
		}
	}
}

// TestADirectionAwayFromThePointBoundsBy0 and never by less.
func TestADirectionAwayFromThePointBoundsBy0(t *testing.T) {
	g := gaugeOf(t, 2, 1, 0, 0, 2)
	for y, want := range map[[2]float64]float64{{1, 0.5}: 3, {0.25, 0}: 3, {0, 1}: 0, {-1, 1}: 0, {-1, -1}: 0} {
		if got := g.polar([]float64{3, 0}, y[:]); got != want {
			t.Errorf("the direction %v proves %v, not %v", y, got, want)
		}
	}
}

// TestFewAtomsAreCombinedExactly where float64 leaves the sum of their weights open, in a dimension in which all atoms of a
// basis would be too many: u is three times an atom and next to nothing of another one.
func TestFewAtomsAreCombinedExactly(t *testing.T) {
	const p = 70
	if p*p*p <= exactWork {
		t.Fatal("a basis is not too large")
	}
	atoms, u := make([]float64, p*p), make([]float64, p)
	for k := range p {
		atoms[k*p+k] = 1
	}
	atoms[1], atoms[2*p+1], u[0], u[1] = 0.1, 0.5, 3, math.Nextafter(0.3, 1)
	g := gaugeOf(t, p, atoms...)
	if answer := g.program.Solve(context.Background(), u); answer.Outcome != gauge.Inside {
		t.Fatalf("the point is not inside: %+v", answer)
	}
	claim, proven := g.combine(context.Background(), u)
	if !proven || claim.upper != math.Nextafter(3, 4) || g.exact != 1 {
		t.Errorf("%v, proven %t, %d programs in exact arithmetic", claim.upper, proven, g.exact)
	}
}

// TestExactGaugesEndWhereNoAtomIsLeft: a multiplier beyond float64 proves nothing, and asks for no other atom.
func TestExactGaugesEndWhereNoAtomIsLeft(t *testing.T) {
	atoms := make([]float64, 2*wholeWork)
	for k := range atoms {
		atoms[k] = -1
	}
	atoms[0], atoms[1] = math.SmallestNonzeroFloat64, 0
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	claim, err := gaugeOf(t, 2, atoms...).decide(ctx, []float64{math.SmallestNonzeroFloat64, 0})
	if !errors.Is(err, solver.ErrUnproven) {
		t.Errorf("%+v, %v", claim, err)
	}
}

package certificate

import (
	"context"
	"errors"
	"math"
	"math/big"
	"slices"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/sparsero"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// on makes a dictionary of atoms on a line or in the plane.
func on(t *testing.T, dimension int, atoms ...float64) *sparsero.Dictionary {
	t.Helper()
	d, err := sparsero.NewDictionary(mat.NewDense(len(atoms)/dimension, dimension, atoms), nil)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// within is the box [lower, upper] in every coordinate.
func within(dimension int, lower, upper float64) *solver.Model {
	m := solver.NewModel("box")
	for range dimension {
		m.AddColumn(solver.Column{Bounds: solver.Between(lower, upper)})
	}
	return m
}

func rat(v float64) *big.Rat { return new(big.Rat).SetFloat64(v) }

// Radius and width of a cell are the largest ⟨g_i, h⟩ and ⟨g_i - g_k, h⟩ in size, the null atom included.
func TestWidthOfACell(t *testing.T) {
	d := on(t, 2, 1, 0.5, 0.75, -0.25, -0.5, 0.125)
	p, err := newPartition(context.Background(), d, within(2, -0.25, 0.25), sparsero.Identity(2), nil)
	if err != nil {
		t.Fatal(err)
	}
	// |0.25 * 1| + |0.125 * 0.5| = 0.3125; atoms 0 and 2 differ by (1.5, 0.375): 0.421875.
	half := []float64{0.25, 0.125}
	if radius, width := p.reach(half), p.width(half, p.reach(half)); radius != 0.3125 || width != 0.421875 {
		t.Errorf("radius %v, width %v", radius, width)
	}
}

// Up to a hundred million coefficients the width is exact, beyond them twice the radius: comparing all pairs would take too long.
func TestWidthAmongManyAtoms(t *testing.T) {
	for size, want := range map[[2]int]float64{{7071, 2}: 0.5, {7072, 2}: 1, {10_000, 1}: 0.5, {10_001, 1}: 1} {
		n, dimension := size[0], size[1]
		atoms, half := make([]float64, dimension*n), slices.Repeat([]float64{0.5}, dimension)
		for i := range n {
			atoms[dimension*i] = float64(i) / float64(n-1)
		}
		d, region, q := on(t, dimension, atoms...), within(dimension, -1, 1), sparsero.Identity(dimension)
		p, err := newPartition(context.Background(), d, region, q, nil)
		if err != nil {
			t.Fatal(err)
		}
		if radius, width := p.reach(half), p.width(half, p.reach(half)); radius != 0.5 || width != want {
			t.Errorf("%d atoms: radius %v, width %v, want %v", n, radius, width, want)
		}
	}
}

// What rounding may do to distances grows with the constant of q and with its matrix.
func TestRoundingOfAPartition(t *testing.T) {
	at := func(matrix, constant float64) float64 {
		q := sparsero.AffineMap{Matrix: mat.NewDense(1, 1, []float64{matrix}), Constant: []float64{constant}}
		p, err := newPartition(context.Background(), on(t, 1, 3), within(1, -2, 1), q, nil)
		if err != nil {
			t.Fatal(err)
		}
		units := p.rounding / (3 * 0x1p-52) // of the last place of an alignment of size 1
		if exact := 3 * (2*matrix + math.Abs(constant)); units < exact || units > exact*(1+1e-9) {
			t.Errorf("%v x + %v: %v units, want 1 + 2 times the size on [-2,1], %v", matrix, constant, units, exact)
		}
		return units
	}
	if matrix, constant := at(1, 0), at(0, -8); matrix < 2 || constant < 8 || at(1, 8) < matrix+constant {
		t.Errorf("units of rounding: %v, %v, %v", matrix, constant, at(1, 8))
	}
}

// A region without a point is told so, whatever is asked of it.
func TestExtremesOfNothing(t *testing.T) {
	region := within(2, 0, 1)
	region.AddRow(solver.Row{Bounds: solver.AtLeast(3), Columns: []int{0, 1}, Values: []float64{1, 1}})
	e, err := newExtremes(region, nil)
	if err != nil {
		t.Fatal(err)
	}
	if result, err := e.maximise(context.Background(), []float64{1, -1}, "anything"); !errors.Is(err, errEmptyRegion) {
		t.Errorf("%v, %v", result, err)
	}
	if _, _, err := e.extent(context.Background(), []float64{1, -1}, "anything"); !errors.Is(err, errEmptyRegion) {
		t.Error(err)
	}
}

// A step of a net is a finite number, 0 for the finest one.
func TestStepsOfANet(t *testing.T) {
	for epsilon, good := range map[float64]bool{0: true, 0x1p-1074: true, math.MaxFloat64: true, -0x1p-1074: false, math.Inf(1): false, math.Inf(-1): false, math.NaN(): false} {
		if err := checkEpsilon(epsilon); (err == nil) != good {
			t.Errorf("epsilon %v: %v", epsilon, err)
		}
	}
}

// An axis that no atom sees is not cut, whatever its length.
func TestGridLeavesUnseenAxesWhole(t *testing.T) {
	d := on(t, 2, 1, 0, -1, 0)
	region := within(1, 0, 1)
	region.AddColumn(solver.Column{Bounds: solver.Between(-1000, 1000)})
	net, err := GridNet(context.Background(), d, region, sparsero.Identity(2), 0.125, nil)
	if err != nil || net.Size() != 4 {
		t.Errorf("%v, error %v; want 4 directions", net, err)
	}
}

// Cells are as flat as the atoms ask for where cubes would be more.
func TestGridCellsAreAsFlatAsTheAtoms(t *testing.T) {
	d := on(t, 2, 8, 0, 0, 1)
	net, err := GridNet(context.Background(), d, within(2, 0, 1), sparsero.Identity(2), 0.5, nil)
	if err != nil || net.Size() != 8 || net.Radius().Float() > 0.5*(1+1e-12) {
		t.Errorf("%v, error %v; want 8 directions", net, err)
	}
}

// Bounds hold for any multipliers, those included that are no weights of a convex combination.
func TestAnyMultipliersGiveABound(t *testing.T) {
	set, err := sparsero.NewAtomicSet(on(t, 1, 1, 2), []int{0}, 1)
	if err != nil {
		t.Fatal(err)
	}
	s, err := newUniformSearch(context.Background(), set, within(1, 1, 2), sparsero.Identity(1), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, weight := range []float64{5, 1.5, 1, 0.5, 0, -3} {
		duals := make([]float64, s.region.Rows()+1)
		duals[s.region.Rows()] = -weight
		s.upper = []proof.Upper{proof.AtMost(10), proof.AtMost(10)}
		s.boundByDuals(duals)
		if s.upper[1].Float() < 2 { // 2x - x at x = 2
			t.Errorf("weight %v: the bound %v is below the deficit 2", weight, s.upper[1])
		}
	}
}

// An atom outside conv(S_0) keeps its bound, however small; one inside needs none.
func TestInnerAtomsAreDropped(t *testing.T) {
	for _, test := range []struct{ atom, want float64 }{{1.5, 1e-17}, {0.5, 0}} {
		set, err := sparsero.NewAtomicSet(on(t, 1, 1, test.atom), []int{0}, 1)
		if err != nil {
			t.Fatal(err)
		}
		s, err := newUniformSearch(context.Background(), set, within(1, -2, -1), sparsero.Identity(1), Options{})
		if err != nil {
			t.Fatal(err)
		}
		s.upper, s.found.Upper = []proof.Upper{proof.AtMost(0), proof.AtMost(1e-17)}, proof.AtMost(1e-17)
		if err := s.dropInner(context.Background()); err != nil || s.found.Upper.Float() != test.want {
			t.Errorf("atom %v: upper %v, error %v; want %v", test.atom, s.found.Upper, err, test.want)
		}
	}
}

// A cell misses X only if no point of it satisfies some row.
func TestCellsThatMissTheRegion(t *testing.T) {
	region := within(1, -9, 9)
	region.AddRow(solver.Row{Bounds: solver.Between(-1, 1), Columns: []int{0}, Values: []float64{2}})
	p := &partition{region: region}
	for _, test := range []struct {
		centre, half float64
		want         bool
	}{{1.2, 0.5, true}, {-1.2, 0.5, true}, {2, 2, false}, {-2, 2, false}, {0, 0.1, false}, {1, 0.5, false}} {
		if got := p.misses([]float64{test.centre}, []float64{test.half}); got != test.want {
			t.Errorf("cell %v ± %v: misses = %v", test.centre, test.half, got)
		}
	}
}

// The coefficients of an atom as a function of x are enclosed, and where rounding matters by two numbers.
func TestPullbacksAreEnclosed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func() float64 { return rapid.Float64Range(-1, 1).Draw(t, "number") }
		atom, matrix := []float64{draw(), draw(), draw()}, []float64{draw(), draw(), draw()}
		d, err := sparsero.NewDictionary(mat.NewDense(1, 3, atom), nil)
		if err != nil {
			t.Fatal(err)
		}
		pull := newPullback(d, sparsero.AffineMap{Matrix: mat.NewDense(3, 1, matrix)})
		exact := new(big.Rat)
		for k, v := range atom {
			exact.Add(exact, new(big.Rat).Mul(rat(v), rat(matrix[k])))
		}
		if rat(pull[0].Low[0]).Cmp(exact) > 0 || rat(pull[0].High[0]).Cmp(exact) < 0 {
			t.Fatalf("%s is not in [%v, %v]", exact.FloatString(30), pull[0].Low[0], pull[0].High[0])
		}
	})
}

// The distance of a projection is never below that of its weights, and that of a chosen atom is 0.
func TestDistancesAreNeverTooSmall(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func() float64 { return rapid.Float64Range(-1, 1).Draw(t, "number") }
		atoms := make([]float64, 12)
		for k := range atoms {
			atoms[k] = draw()
		}
		d, err := sparsero.NewDictionary(mat.NewDense(4, 3, atoms), nil)
		if err != nil {
			t.Fatal(err)
		}
		set, err := sparsero.NewAtomicSet(d, []int{0, 1, 2}, 1)
		if err != nil {
			t.Fatal(err)
		}
		target := d.Atom(3)
		weights, _, distance, err := Project(set, target)
		if err != nil {
			t.Fatal(err)
		}
		square := new(big.Rat)
		for c, v := range target {
			exact := rat(v)
			for k, w := range weights {
				exact.Sub(exact, new(big.Rat).Mul(rat(w), rat(d.Atom(k)[c])))
			}
			square.Add(square, exact.Mul(exact, exact))
		}
		allowed := rat(distance.Float())
		if allowed.Mul(allowed, allowed).Cmp(square) < 0 {
			t.Fatalf("distance %v is too small", distance)
		}
		hull, err := MeasureHausdorff(context.Background(), set, 1)
		if err != nil || slices.ContainsFunc(hull.Distances[:3], func(u proof.Upper) bool { return u.Float() != 0 }) {
			t.Fatalf("distances %v, error %v", hull.Distances, err)
		}
	})
}

// Distances between directions are the largest differences of their scores, wherever in the list the atom stands.
func TestDistancesLookAtEveryAtom(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		atoms := rapid.SampledFrom([]int{1, 2, 16, 17, 40}).Draw(t, "atoms")
		scores := mat.NewDense(atoms, 2, nil)
		scores.Apply(func(int, int, float64) float64 { return float64(rapid.IntRange(-3, 3).Draw(t, "score")) }, scores)
		largest := 0.0
		for i := range atoms {
			largest = math.Max(largest, math.Abs(scores.At(i, 0)-scores.At(i, 1)))
		}
		d := &pseudometric{scores: [][]float64{mat.Col(nil, 0, scores), mat.Col(nil, 1, scores)}}
		if got, ok := d.within(0, 1, 100); got != largest || !ok {
			t.Fatalf("distance %v, want %v", got, largest)
		}
		for _, limit := range []float64{max(0, largest-0.5), largest, largest + 0.5} {
			if _, got := d.within(0, 1, limit); got != (largest <= limit) {
				t.Fatalf("distance %v within %v: %v", largest, limit, got)
			}
		}
	})
}

// Where the first atoms are exactly at the limit, later ones may still be beyond it.
func TestDistancesBeyondALimitThatIsAttained(t *testing.T) {
	scores := [][]float64{make([]float64, 3*metricBlock), make([]float64, 3*metricBlock)}
	scores[0][1], scores[0][2*metricBlock+1] = 1, 3
	d := &pseudometric{scores: scores}
	if distance, ok := d.within(0, 1, 1); ok || distance != 3 {
		t.Errorf("distance %v within 1: %v", distance, ok)
	}
	if distance, ok := d.within(0, 1, 0.5); ok || distance <= 0.5 {
		t.Errorf("distance %v within 0.5: %v", distance, ok)
	}
}

// A cell that is left out has no point of X, also where products are below all floats and where a row has no terms.
func TestCellsThatAreLeftOutAreEmpty(t *testing.T) {
	left := 0
	rapid.Check(t, func(t *rapid.T) {
		n, unit := rapid.IntRange(0, 6).Draw(t, "n"), rapid.SampledFrom([]float64{1, 0x1p-537, 0x1p300}).Draw(t, "unit")
		numbers := func(label string) []float64 {
			return rapid.SliceOfN(rapid.Map(rapid.IntRange(-8, 8), func(k int) float64 { return unit * float64(k) / 7 }), n, n).Draw(t, label)
		}
		row, centre, half := solver.Row{Values: numbers("row")}, numbers("centre"), numbers("half")
		middle, reach := new(big.Rat), new(big.Rat)
		for j := range n {
			half[j] = math.Abs(half[j])
			row.Columns = append(row.Columns, j)
			middle.Add(middle, new(big.Rat).Mul(rat(row.Values[j]), rat(centre[j])))
			reach.Add(reach, new(big.Rat).Mul(rat(math.Abs(row.Values[j])), rat(half[j])))
		}
		limit := unit * unit * float64(rapid.IntRange(-20, 20).Draw(t, "limit"))
		if rapid.Bool().Draw(t, "at the border") {
			limit, _ = new(big.Rat).Sub(middle, reach).Float64()
		}
		row.Bounds = solver.AtMost(limit)
		empty := new(big.Rat).Sub(middle, reach).Cmp(rat(limit)) > 0
		if rapid.Bool().Draw(t, "lower") {
			row.Bounds, empty = solver.AtLeast(-limit), new(big.Rat).Add(middle, reach).Cmp(rat(-limit)) < 0
		}
		region := within(n, -9, 9)
		region.AddRow(row)
		if (&partition{region: region}).misses(centre, half) {
			if left++; !empty {
				t.Fatalf("the cell %v ± %v has points of %+v", centre, half, row)
			}
		}
	})
	if left == 0 {
		t.Error("no cell is left out")
	}
}

// Cells around the rounded centres of a grid, far from 0 and of any number, leave no gap in the box.
func TestGridCellsLeaveNoGap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lower := math.Ldexp(rapid.Float64Range(-1, 1).Draw(t, "lower"), rapid.IntRange(-1074, 40).Draw(t, "exponent"))
		upper := lower + math.Ldexp(rapid.Float64Range(0, 1).Draw(t, "side"), rapid.IntRange(-1074, 40).Draw(t, "exponent"))
		g := grid{box: box{[]float64{lower}, []float64{upper}}}
		count := rapid.IntRange(1, 30).Draw(t, "cells")
		half := []float64{max(0, upper/2-lower/2) / float64(count)}
		covering := rat(g.covering(half, []int{count})[0])
		to := rat(lower) // all up to here is covered
		g.visit(half, []int{count}, func(centre []float64) {
			if new(big.Rat).Sub(rat(centre[0]), covering).Cmp(to) > 0 {
				t.Fatalf("a gap before %v in [%v, %v], half-width %v", centre[0], lower, upper, half[0])
			}
			to = new(big.Rat).Add(rat(centre[0]), covering)
		})
		if to.Cmp(rat(upper)) < 0 {
			t.Fatalf("%d cells do not cover [%v, %v]", count, lower, upper)
		}
	})
}

// What products that were added up in float64 are proven not to exceed is not below their exact sum, and near it.
func TestProvenSums(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sum, truth := 0.0, new(big.Rat)
		terms := rapid.IntRange(1, 9).Draw(t, "terms")
		unit := rapid.SampledFrom([]float64{1, 0x1p-537}).Draw(t, "unit")
		for range terms {
			a, b := unit*rapid.Float64Range(0, 1).Draw(t, "a"), unit*rapid.Float64Range(0, 1).Draw(t, "b")
			sum += a * b
			truth.Add(truth, new(big.Rat).Mul(rat(a), rat(b)))
		}
		bound := proven(sum, terms)
		if rat(bound).Cmp(truth) < 0 || bound > sum*(1+float64(terms+6)*0x1p-52)+float64(terms+2)*math.SmallestNonzeroFloat64 {
			t.Fatalf("%v is proven for %v, which is %s exactly", bound, sum, truth.FloatString(330))
		}
		if proven(1, terms) <= 1 {
			t.Fatal("1 has no room for rounding")
		}
	})
}

// Cells beyond a row of X are left out: of k² those are left that touch the triangle x + y <= 1.
func TestNetOfATriangle(t *testing.T) {
	region := within(2, 0, 1)
	region.AddRow(solver.Row{Bounds: solver.AtMost(1), Columns: []int{0, 1}, Values: []float64{1, 1}})
	for k := 1; k <= 9; k++ {
		want := 0
		for i := range k {
			for j := range k {
				if i+j <= k {
					want++
				}
			}
		}
		net, err := GridNet(context.Background(), on(t, 2, 1, 0, 0, 1), region, sparsero.Identity(2), 0.5/float64(k)*(1+1e-9), nil)
		if err != nil || net.Size() != want {
			t.Errorf("%d cells a side: %v, %v; want %d directions", k, net, err, want)
		}
	}
}

package robust

import (
	"context"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/internal/lifted"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// boxed is a problem over columns between bounds, with an atom and q(x) = x.
func boxed(t *testing.T, region *solver.Model) *Problem {
	t.Helper()
	n := region.Columns()
	d, err := sparsero.NewDictionary(mat.NewDense(1, n, slices.Repeat([]float64{1}, n)), nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewProblem(d, region, sparsero.Identity(n))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// The reach of a row adds up what its terms can be over the bounds, in any order: none of an open column, none that is what
// cancellation left of a coefficient or of a term, and none that is beyond all measure of the usual one.
func TestRowReach(t *testing.T) {
	region := solver.NewModel("X")
	for _, b := range []solver.Bounds{
		solver.Between(-2, 1), solver.Between(0, 3), solver.AtMost(math.Inf(1)), solver.Between(-1, 1), solver.Between(0, 5), solver.Between(0, 0x1p30), solver.AtLeast(0),
	} {
		region.AddColumn(solver.Column{Bounds: b})
	}
	p := boxed(t, region)
	for _, test := range []struct {
		limit   float64
		columns []int
		values  []float64
		want    float64
	}{
		{8, nil, nil, 8},
		{-8, []int{0, 1}, []float64{3, -1}, 8 + 6 + 3},
		{0, []int{1, 0, 4}, []float64{7, 1, 1}, 21 + 2 + 5},
		{1, []int{2, 0, 6}, []float64{100, 1, 100}, 1 + 2},           // open columns
		{4, []int{0, 3}, []float64{1, 1e-12}, 4 + 2},                 // what is left of a coefficient
		{4, []int{0, 3, 1}, []float64{1, 1e-9, 1}, 4 + 2 + 1e-9 + 3}, // a small one
		{1, []int{5, 0, 1}, []float64{1, 1, 1}, 1 + 2 + 3},           // a bound without meaning
		{1, []int{5}, []float64{1}, 1},
		{0x1p30, []int{5, 0}, []float64{1, 1}, 0x1p31 + 2},
	} {
		got := p.rowReach(solver.Row{Bounds: solver.AtMost(test.limit), Columns: test.columns, Values: test.values})
		if math.Abs(got-test.want) > 1e-12*test.want {
			t.Errorf("%v x%v at most %v: reach %v, want %v", test.values, test.columns, test.limit, got, test.want)
		}
	}
}

// Whether an atom does harm is told by the sign of its exact alignment with q(x), however much cancels, and what is rounded
// up is no less.
func TestHarmHasTheSignOfTheTruth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.SampledFrom([]float64{0, 1, -1, 3, 1e16, -1e16, 1e-16, 0.1, -0.3, 1e200, -1e200, 0x1p-1074})
		p := rapid.IntRange(1, 4).Draw(t, "p")
		values := rapid.SliceOfN(number, p, p)
		matrix := mat.NewDense(p, 2, rapid.SliceOfN(number, 2*p, 2*p).Draw(t, "matrix"))
		q := sparsero.AffineMap{Matrix: matrix, Constant: values.Draw(t, "constant")}
		u, x := values.Draw(t, "u"), rapid.SliceOfN(number, 2, 2).Draw(t, "x")
		middle, errors := direction(q, x)
		at := &pointed{middle, errors, func() []*big.Rat { return exactDirection(q, x, lifted.Rational) }}
		value, upper := at.harm(u)
		truth := exactAlignment(u, at.exact(), lifted.Rational)
		if (upper > 0) != (truth.Sign() > 0) {
			t.Fatalf("harm %v, at most %v, in truth %v", value, upper, truth.FloatString(30))
		}
		if !math.IsInf(upper, 1) && lifted.Rational(upper).Cmp(truth) < 0 {
			t.Fatalf("harm at most %v, in truth %v", upper, truth.FloatString(30))
		}
	})
}

// The bound on the worst harm of all atoms holds in fractions, however much cancels in q(x) and in alignments.
func TestWorstHarmIsBounded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.SampledFrom([]float64{0, 1, -1, 3, 1e16, -1e16, 0.1, -0.3, 1 + 0x1p-50, -1 - 0x1p-40})
		n, p := rapid.IntRange(1, 5).Draw(t, "N"), rapid.IntRange(1, 4).Draw(t, "p")
		d, err := sparsero.NewDictionary(mat.NewDense(n, p, rapid.SliceOfN(number, n*p, n*p).Draw(t, "atoms")), nil)
		if err != nil {
			t.Fatal(err)
		}
		region := solver.NewModel("X")
		for range 2 {
			region.AddColumn(solver.Column{Bounds: solver.Between(-1e20, 1e20)})
		}
		q := sparsero.AffineMap{Matrix: mat.NewDense(p, 2, rapid.SliceOfN(number, 2*p, 2*p).Draw(t, "matrix")), Constant: rapid.SliceOfN(number, p, p).Draw(t, "constant")}
		problem, err := NewProblem(d, region, q)
		if err != nil {
			t.Fatal(err)
		}
		x, largest := rapid.SliceOfN(number, 2, 2).Draw(t, "x"), new(big.Rat)
		for i := range n {
			if truth := exactAlignment(d.RawRowView(i), exactDirection(q, x, lifted.Rational), lifted.Rational); truth.Cmp(largest) > 0 {
				largest = truth
			}
		}
		radius := rapid.SampledFrom([]float64{1, 0.1, 3}).Draw(t, "radius")
		upper, atom := problem.uncertainUpper(radius, objectiveExposure, x)
		truth := new(big.Rat).Mul(largest, lifted.Rational(radius))
		if !math.IsInf(upper, 1) && lifted.Rational(upper).Cmp(truth) < 0 {
			t.Fatalf("harm of at most %v, in truth %v", upper, truth.FloatString(30))
		}
		if (atom == sparsero.NullAtom) != (truth.Sign() == 0) && upper == 0 {
			t.Fatalf("atom %d, harm %v, in truth %v", atom, upper, truth.FloatString(30))
		}
	})
}

// A problem needs the matrix of q(x), and a solve no context.
func TestProblemsWithoutAMatrixOrAContext(t *testing.T) {
	region := solver.NewModel("X")
	region.AddColumn(solver.Column{Bounds: solver.Between(0, 1), Cost: -1})
	p := boxed(t, region)
	bare := Constraint{Name: "c", Nominal: []float64{1}, Limit: 1}
	if _, err := NewProblem(p.Dictionary(), region, sparsero.Identity(1), bare); err == nil || !strings.Contains(err.Error(), "has no matrix") {
		t.Errorf("no matrix: %v", err)
	}
	var none context.Context
	if s, err := p.Solve(none, []int{0}, 0.5, nil); err != nil || math.Abs(s.Value+0.5) > 1e-9 {
		t.Errorf("no context: %v, %v", s, err)
	}
}

// A demand that is met is missed by nothing, one that is not by a share of its terms, and harm alone by a share of its own.
func TestWhatADemandMisses(t *testing.T) {
	region := solver.NewModel("X")
	region.AddColumn(solver.Column{Bounds: solver.Between(-9, 9)})
	p := boxed(t, region)
	p, err := NewProblem(p.Dictionary(), region, sparsero.Identity(1), Constraint{Name: "c", Nominal: []float64{2}, Map: sparsero.Identity(1), Limit: 4})
	if err != nil {
		t.Fatal(err)
	}
	x := &feasibility{problem: p}
	for _, test := range []struct {
		point  float64
		atom   int
		radius float64
		want   float64
	}{
		{1, sparsero.NullAtom, 0, 0}, {2, sparsero.NullAtom, 0, 0}, {3, sparsero.NullAtom, 0, 2. / 10}, // 2x <= 4
		{1, 0, 2, 0}, {1, 0, 3, 1. / 9}, {2, 0, 0, 0}, {2, 0, 1, 2. / 10}, // 2x + r x <= 4
		{5, 0, math.Inf(1), 1}, {-5, 0, math.Inf(1), 0}, // x alone
	} {
		if got := x.at(0, []float64{test.point}).missed(test.atom, test.radius); math.Abs(got-test.want) > 1e-15 {
			t.Errorf("%+v: missed by %v", test, got)
		}
	}
}

// Of steps that miss the demands alike the first one is the nearest, among those of few enough atoms.
func TestTheFirstOfEqualStepsIsNearest(t *testing.T) {
	step := func(radius, value float64, atoms ...int) TuneStep {
		return TuneStep{Atoms: atoms, Radius: radius, Value: proof.AtMost(value), Gap: proof.AtMost(1), RelativeGap: proof.AtMost(1), Violation: proof.AtMost(0.01)}
	}
	tuned := &Tuned{Demands: Demands{Gap: 2, Violation: 0.05, Delta: 0.1}, Steps: []TuneStep{step(1, 5, 0, 1, 2), step(2, 7, 0), step(3, 6, 0, 1), step(4, 6, 1)}}
	for atoms, want := range map[int]float64{3: 1, 2: 3, 1: 4} {
		if best := tuned.nearest(atoms); best == nil || best.Radius != want {
			t.Errorf("of at most %d atoms: %+v, want the step at radius %v", atoms, best, want)
		}
	}
	if best := tuned.nearest(0); best != nil {
		t.Errorf("of no atoms: %+v", best)
	}
}

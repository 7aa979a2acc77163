package selection

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/sparsero"
	"gonum.org/v1/gonum/mat"
)

// TestDescentSteps: a step is as long as its bound is above what is attained, for the mean square of its direction,
// which keeps half of the one before and pushes no multiplier below its floor.
func TestDescentSteps(t *testing.T) {
	d := newDescent(4)
	for k, step := range []struct {
		u, floors, slope []float64
		bound            float64
		next, direction  []float64
	}{
		{[]float64{4, 0, 8, 0}, make([]float64, 4), []float64{-2, 0, 0, -2}, 3, []float64{8, 0, 4, 4}, []float64{-1, 0, 1, -1}},
		{[]float64{7, 0, 5, 1}, make([]float64, 4), []float64{-.5, 0, -3.5, -.5}, 1, []float64{7, 0, 7, 1}, []float64{0, 0, -2, 0}},
		{[]float64{7, 2, 6, 2}, []float64{7, 1, 6, 0}, []float64{0, 0, 0, -1}, 1, []float64{7, 1, 6, 2}, []float64{0, 1, 0, 0}},
		{[]float64{0, 1, 1, 0}, []float64{0, 1, 1, 0}, make([]float64, 4), 1, nil, nil},
	} {
		next := d.step(step.u, step.floors, step.slope, step.bound, 0)
		if !slices.Equal(next, step.next) || next != nil && !slices.Equal(d.direction, step.direction) {
			t.Errorf("step %d leads to %v along %v, want %v along %v", k+1, next, d.direction, step.next, step.direction)
		}
	}
	if next := newDescent(1).step([]float64{1}, []float64{0}, []float64{0}, 2, 2); math.Abs(1-next[0]-2*aim) > 1e-12 {
		t.Errorf("a step from a bound that is attained leads to %v", next)
	}
}

// TestStepsAreHalvedAfterFourInVain: steps without a bound that is lower by a share of 1e-5 than the least before.
func TestStepsAreHalvedAfterFourInVain(t *testing.T) {
	const little = 0x1p-18
	d := newDescent(1)
	for k, step := range []struct{ bound, factor float64 }{
		{4, 1}, {4, 1}, {4 - little, 1}, {4 - 2*little, 1}, {5, .5}, {4.5, .5}, {4, .5}, {4, .5}, {3.5, .5}, {3.5, .5}, {3.75, .5}, {3.5, .5}, {3.5, .25},
	} {
		slope := []float64{-2 - d.direction[0]/2}
		if next := d.step([]float64{8}, []float64{0}, slope, step.bound, 0); next[0] != 8+step.factor*step.bound || d.factor != step.factor {
			t.Errorf("step %d with the bound %v has the factor %v, want %v, and leads to %v", k+1, step.bound, d.factor, step.factor, next)
		}
	}
}

// wholeCoverage is the coverage of whole numbers, of which all sums are exact.
func wholeCoverage(t *testing.T, p int, atoms ...float64) *Coverage {
	t.Helper()
	identity := mat.NewDense(p, p, nil)
	for k := range p {
		identity.Set(k, k, 1)
	}
	return coverageOf(t, mat.NewDense(len(atoms)/p, p, atoms), identity)
}

// TestTheShortestOfEqualPrefixesCounts: an atom that adds nothing makes a prefix with the bounds of the one before.
func TestTheShortestOfEqualPrefixesCounts(t *testing.T) {
	c := wholeCoverage(t, 8,
		1, 1, 1, 0, 0, 0, 0, 0,
		1, 1, 1, 0, 0, 0, 0, 0,
		1, 1, 0, 1, 0, 0, 0, 0,
		1, 1, 0, 0, 1, 0, 0, 0,
		1, 1, 0, 0, 0, 1, 0, 0,
		1, 1, 0, 0, 0, 0, 1, 0,
		1, 1, 0, 0, 0, 0, 0, 1)
	s, err := Greedy{Start: []int{0, 1}, SkipBounds: true}.Select(t.Context(), c, 2)
	if err != nil {
		t.Fatal(err)
	}
	b := newBounding(c, s, c.screen.NewLagrangian())
	if err := b.covers(t.Context(), c); err != nil || !slices.Equal(b.bounds, []float64{3. / 8, 5. / 8}) || !slices.Equal(b.prefixes, []int{0, 1}) {
		t.Errorf("bounds %v at the prefixes %v, %v", b.bounds, b.prefixes, err)
	}
}

// TestNothingIsLookedAtWhereABoundIsAttained: of many atoms no draft is made then.
func TestNothingIsLookedAtWhereABoundIsAttained(t *testing.T) {
	c := wholeCoverage(t, 2, 1, 0, 0, 1, 1, 0)
	s, err := Greedy{SkipBounds: true}.Select(t.Context(), c, 2)
	if err != nil {
		t.Fatal(err)
	}
	b := newBounding(c, s, c.screen.NewLagrangian())
	b.many = true
	if err := b.covers(t.Context(), c); err != nil || b.bounds[1] != 1 {
		t.Fatalf("bounds %v, %v", b.bounds, err)
	}
	before := c.screen.Cost()
	if err := b.usual(t.Context(), c); err != nil || c.screen.Cost() != before {
		t.Errorf("costs %+v after %+v, %v", c.screen.Cost(), before, err)
	}
}

// TestSomeAtomsProveNothing: the bounds are those of all atoms, whatever some of them say.
func TestSomeAtomsProveNothing(t *testing.T) {
	c := wholeCoverage(t, 2, 3, 0, 0, 2, 1, 0)
	for _, rule := range []Policy{Greedy{SkipBounds: true}, Knapsack{Costs: []float64{1, 1, 1}, Capacity: 2}} {
		s, err := rule.Select(t.Context(), c, 2)
		if err != nil {
			t.Fatal(err)
		}
		b := newBounding(c, s, c.screen.NewLagrangian())
		b.among = []int32{2}
		before := slices.Clone(b.bounds)
		if atoms, bound, err := b.look(t.Context(), len(b.bounds)-1, make([]float64, 2), b.rounding); err != nil || !slices.Equal(atoms, []int32{2}) || bound != 0.5 {
			t.Errorf("%T: the atoms %v give %v, %v", rule, atoms, bound, err)
		}
		if !slices.Equal(b.bounds, before) {
			t.Errorf("%T: the bounds fell to %v", rule, b.bounds)
		}
	}
}

// TestTightenEndsWhereTheOptimumIsProven: at the first step.
func TestTightenEndsWhereTheOptimumIsProven(t *testing.T) {
	s, err := Greedy{}.Select(t.Context(), wholeCoverage(t, 2, 3, 0, 0, 2, 1, 0), 1)
	if err != nil || s.OptimalityRatio(1).Float() != 1 {
		t.Fatalf("%+v, %v", s, err)
	}
	steps := 0
	note := func(int, proof.Lower) { steps++ }
	if err := s.Tighten(t.Context(), wholeCoverage(t, 2, 3, 0, 0, 2, 1, 0), &BoundOptions{Progress: note}); err != nil || steps != 1 {
		t.Errorf("%d steps, %v", steps, err)
	}
}

// TestARuleTakesStepsAsFarAsTheUsualWorkGoes: for the whole set first, and for the longest prefixes with what is left.
func TestARuleTakesStepsAsFarAsTheUsualWorkGoes(t *testing.T) {
	for _, test := range []struct {
		n, m  int
		steps []int // of the whole set, the prefix before, and so on
	}{
		{1130, 900, []int{32}},
		{600, 450, []int{100, 24}},
		{600, 553, []int{100, 1}},
		{600, 372, []int{100, 25, 25}},
	} {
		source, points := rand.New(rand.NewPCG(7, 5)), mat.NewDense(test.n+test.m, 6, nil)
		points.Apply(func(int, int, float64) float64 { return source.NormFloat64() }, points)
		c := costCoverage(t, points, test.n)
		s, err := Greedy{SkipBounds: true}.Select(t.Context(), c, 5)
		if err != nil {
			t.Fatal(err)
		}
		usual, told := newBounding(c, s, c.screen.NewLagrangian()), newBounding(c, s, c.screen.NewLagrangian())
		if err := errors.Join(usual.covers(t.Context(), c), usual.usual(t.Context(), c), told.covers(t.Context(), c)); err != nil {
			t.Fatal(err)
		}
		for k, most := range test.steps {
			taken := 0
			if _, err := told.descend(t.Context(), 4-k, most, func() bool { taken++; return false }); err != nil || taken != most {
				t.Fatalf("%d steps of %d, %v", taken, most, err)
			}
		}
		if !slices.Equal(usual.bounds, told.bounds) {
			t.Errorf("%d alignments: bounds %v, after %v steps %v", test.n*test.m, usual.bounds, test.steps, told.bounds)
		}
	}
}

// failing are atoms of which one read fails, after so many others.
type failing struct {
	Source
	left int
}

func (f *failing) Rows(buffer []float64, from, to int) ([]float64, error) {
	if f.left--; f.left == -1 {
		return nil, errFragile
	}
	return f.Source.Rows(buffer, from, to)
}

// failingCase is greedy's choice without bounds from atoms that are recomputed whenever they are needed.
func failingCase(t *testing.T) (*failing, *Coverage, *Selection) {
	t.Helper()
	source, points := rand.New(rand.NewPCG(5, 5)), mat.NewDense(50, 4, nil)
	points.Apply(func(int, int, float64) float64 { return source.NormFloat64() }, points)
	d, err := sparsero.NewDictionary(points.Slice(0, 30, 0, 4), nil)
	if err != nil {
		t.Fatal(err)
	}
	atoms := &failing{d, math.MaxInt}
	c, err := NewCoverage(atoms, points.Slice(30, 50, 0, 4), &CoverageOptions{Storage: Streamed, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	s, err := Greedy{SkipBounds: true}.Select(t.Context(), c, 4)
	if err != nil {
		t.Fatal(err)
	}
	return atoms, c, s
}

// TestBoundsOfAReadThatFails: whichever read fails while bounds are found, of few or of many atoms, its error is told.
func TestBoundsOfAReadThatFails(t *testing.T) {
	atoms, c, s := failingCase(t)
	for name, find := range map[string]func() error{
		"many atoms": func() error {
			b := newBounding(c, s, c.screen.NewLagrangian())
			b.many = true
			return errors.Join(b.covers(t.Context(), c), b.draft(t.Context()), b.draft(t.Context()))
		},
		"tightening": func() error {
			s.multipliers = nil
			return s.Tighten(t.Context(), c, &BoundOptions{Steps: 3})
		},
	} {
		for reads := range 2000 {
			atoms.left = reads
			err := find()
			if atoms.left >= 0 {
				if err != nil || reads < 3 {
					t.Errorf("%s: %d reads, %v", name, reads, err)
				}
				break
			}
			if !errors.Is(err, errFragile) {
				t.Errorf("%s: read %d fails, and the error is %v", name, reads+1, err)
			}
		}
	}
}

// endsAfter is a context that ends after it was asked so many times.
type endsAfter struct {
	context.Context
	left int
}

func (c *endsAfter) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// TestBoundsFoundBeforeTheEndStay: whenever the context ends, the bounds are between those before and those of a whole
// run, and those of the first multipliers stay where it ends before the others are looked at.
func TestBoundsFoundBeforeTheEndStay(t *testing.T) {
	_, c, s := failingCase(t)
	whole := *s
	whole.Bounds = slices.Clone(s.Bounds)
	if err := whole.Tighten(t.Context(), c, &BoundOptions{Steps: 3}); err != nil {
		t.Fatal(err)
	}
	last, falls, before := 0, 0, s.Bounds // falls before the first step
	for calls := 0; last < 3 && calls < 500; calls++ {
		cut := *s
		cut.Bounds, last = slices.Clone(s.Bounds), 0
		note := func(step int, _ proof.Lower) { last = step }
		if err := cut.Tighten(&endsAfter{t.Context(), calls}, c, &BoundOptions{Steps: 3, Progress: note}); err != nil {
			t.Fatal(err)
		}
		for k, bound := range cut.Bounds {
			if bound.Float() > before[k].Float() || bound.Float() < whole.Bounds[k].Float() {
				t.Errorf("after %d calls the bounds are %v, before %v, in the end %v", calls, cut.Bounds, before, whole.Bounds)
			}
		}
		if last == 0 && !slices.Equal(cut.Bounds, before) {
			falls++
		}
		before = cut.Bounds
	}
	if last < 3 || falls < 2 {
		t.Errorf("%d steps, the bounds fell %d times before the first", last, falls)
	}
}

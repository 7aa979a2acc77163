package robust_test

import (
	"context"
	"errors"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/robust"
	"pgregory.net/rapid"
)

// lattice calls visit with every integer point of [-1,2]^n.
func lattice(n int, visit func(x []float64)) {
	for code := range int(math.Pow(4, float64(n))) {
		x := make([]float64, n)
		for j := range n {
			x[j] = float64(code%4) - 1
			code /= 4
		}
		visit(x)
	}
}

// TestLargestRadiusOfALimitOfZero: without nominal terms, which say of what size radii are, a row that an atom breaks at any radius
// above 0 has the largest radius 0.
func TestLargestRadiusOfALimitOfZero(t *testing.T) {
	p := must(robust.NewProblem(dictionary(t, []float64{1}, []float64{3}), box(0.5, 1, 1), sparsero.AffineMap{}, robust.Constraint{Map: sparsero.Identity(1)}))(t)
	for _, asked := range []float64{0, 2} {
		e := must(p.Explain(ctx, []int{0, 1}, asked, nil))(t)
		if e.LargestRadius.Float() != 0 || !(e.UnattainedRadius.Float() < 1e-6) {
			t.Errorf("asked for %v: %v, unattained from %v on", asked, e, e.UnattainedRadius)
		}
	}
}

// TestLargestRadiusOfZeroItself: x = 0 alone keeps to the second row beyond 4/9, and to the first one, r (8 + 6x) <= 5
// + 4x there, up to 5/8 exactly, which a point beside it does not.
func TestLargestRadiusOfZeroItself(t *testing.T) {
	region := solver.NewModel("X")
	region.AddColumn(solver.Column{Bounds: solver.Between(-2, 2), Cost: -3})
	first := sparsero.AffineMap{Matrix: matrix([]float64{-2}, []float64{0}), Constant: []float64{-2, -1}}
	p := must(robust.NewProblem(nil, region, sparsero.AffineMap{},
		robust.Constraint{Nominal: []float64{-4}, Map: first, Limit: 5, Dictionary: dictionary(t, []float64{-3, -2})},
		robust.Constraint{Nominal: []float64{-2}, Map: sparsero.AffineMap{Matrix: matrix([]float64{-3})}, Dictionary: dictionary(t, []float64{-3}), Radius: 0.5}))(t)
	e := must(p.ExplainFull(ctx, 0, nil))(t)
	if largest := e.LargestRadius.Float(); !(largest <= 0.625 && largest > 0.624999) || strings.Contains(e.String(), "for certain") {
		t.Error(e)
	}
}

// A point that breaks a limit without any uncertainty allows no radius, although no atom does harm there: x = 1 and 2 break
// 0.5 x <= 0.25, and at x = 0 the atoms allow 0.130612.
func TestLargestRadiusKeepsToTheNominalLimit(t *testing.T) {
	if !solvesIntegers {
		t.Skip("needs HiGHS")
	}
	region := solver.NewModel("X")
	region.AddColumn(solver.Column{Bounds: solver.Between(-1, 2), Integer: true})
	atom := []float64{0.25, 0.25, -1.75, 1.75}
	var atoms [][]float64
	for _, factor := range []float64{1, 1.25, 2.1875} {
		row := make([]float64, len(atom))
		for k, v := range atom {
			row[k] = factor * v
		}
		atoms = append(atoms, row)
	}
	q := sparsero.AffineMap{Matrix: matrix([]float64{-2}, []float64{-2}, []float64{0.25}, []float64{-2}), Constant: []float64{0.75, 1, -1.25, -1}}
	p := must(robust.NewProblem(dictionary(t, atoms...), region, sparsero.AffineMap{}, robust.Constraint{Nominal: []float64{0.5}, Map: q, Limit: 0.25}))(t)
	want := 0.0
	for x := -1.0; x <= 0; x++ {
		harm := 2.1875 * (0.25*(0.75-2*x) + 0.25*(1-2*x) - 1.75*(-1.25+0.25*x) + 1.75*(-1-2*x))
		want = math.Max(want, (0.25-0.5*x)/harm)
	}
	if e := must(p.Explain(ctx, everyAtom(p.Dictionary()), 1, nil))(t); math.Abs(e.LargestRadius.Float()-want) > 1e-5*want {
		t.Errorf("%v, want the largest radius %v", e, want)
	}
}

// At a radius of 2/7 the nominal part and an atom cancel in two of three coefficients. What rounding leaves of them is no measure of
// the row, whose slack once counted 2e-16 for that reason, so that the solver dropped it and found the rest infeasible.
func TestLargestRadiusWhereCoefficientsCancel(t *testing.T) {
	if !solvesIntegers {
		t.Skip("needs HiGHS")
	}
	region := solver.NewModel("X")
	for range 3 {
		region.AddColumn(solver.Column{Bounds: solver.Between(-1, 2), Integer: true})
	}
	d := dictionary(t, []float64{0, -1.75}, []float64{-0.5, 0.25}, []float64{0.25, 0.5}, []float64{-0.25, 1}, []float64{-1.25, -1})
	q := sparsero.AffineMap{Matrix: matrix([]float64{-0.25, 2, -1.25}, []float64{-0.75, -0.5, 0.5})}
	p := must(robust.NewProblem(d, region, sparsero.AffineMap{}, robust.Constraint{Nominal: []float64{-2, -0.75, 0.75}, Map: q, Limit: -2}))(t)
	want, all := 0.0, must(sparsero.FullSet(d, 1))(t)
	lattice(3, func(x []float64) {
		if room := -2 - inner([]float64{-2, -0.75, 0.75}, x); room >= 0 {
			want = math.Max(want, room/all.Support(q.Apply(x)))
		}
	})
	for name, explain := range explanations(p, 1) {
		if e := must(explain())(t); math.Abs(e.LargestRadius.Float()-want) > 1e-5*want {
			t.Errorf("%s: %v, want the largest radius %v", name, e, want)
		}
	}
}

// TestNoRadiusIsTooLargeOnceNominalPartsAreLost: far out along x + y = 1 the nominal part outweighs the harm of any radius, but
// from some 1e16 on float64 has no room for it in a row.
func TestNoRadiusIsTooLargeOnceNominalPartsAreLost(t *testing.T) {
	region := solver.NewModel("a line")
	region.AddColumn(solver.Column{Bounds: solver.AtLeast(0)})
	region.AddColumn(solver.Column{})
	region.AddRow(solver.Row{Bounds: solver.Equal(1), Columns: []int{0, 1}, Values: []float64{1, 1}})
	d := dictionary(t, []float64{-0.1, -0.1, 0.2}, []float64{1.1, 1.1, 0.7})
	q := sparsero.AffineMap{Matrix: matrix([]float64{1, 0}, []float64{0, 1}, []float64{0, 0}), Constant: []float64{0.1, 1, -1}}
	c := robust.Constraint{Nominal: []float64{-0.1, 0.7}, Map: q, Limit: 12.5}
	p := must(robust.NewProblem(d, region, sparsero.AffineMap{}, c))(t)
	for _, radius := range []float64{1, 1e10, 1e15} {
		e := must(p.Explain(ctx, []int{0, 1}, radius, nil))(t)
		if !e.Feasible || !math.IsInf(e.UnattainedRadius.Float(), 1) || !math.IsInf(e.LargestRadius.Float(), 1) && !errors.Is(e.Unknown, solver.ErrUnproven) {
			t.Errorf("radius %g: %v (too large: %v, unknown: %v)", radius, e, e.UnattainedRadius.Float(), e.Unknown)
		}
	}
}

// TestLargestRadiusIsRoundedDown: the one decision x = 3 attains k/3 and no radius above. Rounded to the nearest, every other one was above.
func TestLargestRadiusIsRoundedDown(t *testing.T) {
	region := box(3, 3, 1)
	for k := 1.0; k <= 16; k++ {
		p := must(robust.NewProblem(dictionary(t, []float64{1}), region, sparsero.AffineMap{}, robust.Constraint{Map: sparsero.Identity(1), Limit: k}))(t)
		for name, explain := range explanations(p, 10) {
			largest := must(explain())(t).LargestRadius.Float()
			if harm := new(big.Rat).Mul(big.NewRat(3, 1), new(big.Rat).SetFloat64(largest)); harm.Cmp(big.NewRat(int64(k), 1)) > 0 || 3*largest < k*(1-1e-9) {
				t.Errorf("%s: largest radius %v of %v / 3", name, largest, k)
			}
		}
	}
}

// explanations are the two ways to ask about all atoms.
func explanations(p *robust.Problem, radius float64) map[string]func() (*robust.Explanation, error) {
	all := everyAtom(p.Dictionary())
	return map[string]func() (*robust.Explanation, error){
		"Explain":     func() (*robust.Explanation, error) { return p.Explain(ctx, all, radius, nil) },
		"ExplainFull": func() (*robust.Explanation, error) { return p.ExplainFull(ctx, radius, nil) },
	}
}

// A solver may leave 4e-17 where 0 is meant. That is no reason to grow the radius without end, unless the bounds forbid 0.
func TestLargestRadiusOfAPointBesideZero(t *testing.T) {
	for bounds, beside := range map[solver.Bounds]float64{
		solver.Between(-1, 1): 4e-17, solver.Between(-1.5, 1): -4e-17, solver.Between(0, 1): 4e-17, solver.Between(-1, 0): -4e-17,
	} {
		region := solver.NewModel("X")
		region.AddColumn(solver.Column{Bounds: bounds})
		region.AddRow(solver.Row{Bounds: solver.Equal(beside), Columns: []int{0}, Values: []float64{1}})
		d := dictionary(t, []float64{1}, []float64{-1})
		p := must(robust.NewProblem(d, region, sparsero.AffineMap{}, robust.Constraint{Map: sparsero.Identity(1), Limit: 1}))(t)
		for name, explain := range explanations(p, 1) {
			if e, err := explain(); err != nil || !e.Feasible || !math.IsInf(e.LargestRadius.Float(), 1) {
				t.Errorf("%s of %v: %v, %v, want every radius", name, beside, e, err)
			}
		}
	}
}

// TestLargestRadiusBesideFarBounds: x >= 1 by a row, and by bounds up to 1e20, beside which 1 once counted as 0 and every radius
// as feasible.
func TestLargestRadiusBesideFarBounds(t *testing.T) {
	region := box(-1e20, 1e20, 0)
	region.AddRow(solver.Row{Bounds: solver.AtLeast(1), Columns: []int{0}, Values: []float64{1}})
	p := must(robust.NewProblem(dictionary(t, []float64{1}), region, sparsero.AffineMap{}, robust.Constraint{Map: sparsero.Identity(1), Limit: 2}))(t)
	for name, explain := range explanations(p, 3) {
		if e := must(explain())(t); e.Feasible || !near(e.LargestRadius.Float(), 2) || !near(e.UnattainedRadius.Float(), 2) {
			t.Errorf("%s: %v, want the largest radius 2", name, e)
		}
	}
}

// TestLargestRadiusBesideTwoFarBounds: x + 0.9 y >= 0.5 by a row, beside two bounds of 1e15 of which the terms of the
// row are none.
func TestLargestRadiusBesideTwoFarBounds(t *testing.T) {
	region := box(-1e15, 1e15, 0, 0)
	region.AddRow(solver.Row{Bounds: solver.AtLeast(0.5), Columns: []int{0, 1}, Values: []float64{1, 0.9}})
	d := dictionary(t, []float64{1, 0}, []float64{-1, 0}, []float64{0, 1}, []float64{0, -1})
	p := must(robust.NewProblem(d, region, sparsero.AffineMap{}, robust.Constraint{Map: sparsero.Identity(2), Limit: 2}))(t)
	for name, explain := range explanations(p, 1000) {
		if e := must(explain())(t); e.Feasible || e.LargestRadius.Float() > 7.6 {
			t.Errorf("%s: %v, want at most the radius 7.6", name, e)
		}
	}
}

// TestHarmlessPointsKeepToLimits: x >= 1/2 by the limit of a constraint, which allows the other one the radius 6. At 0,
// where a point beside a bound of 3e16 seems to be, no atom does harm.
func TestHarmlessPointsKeepToLimits(t *testing.T) {
	q := sparsero.AffineMap{Matrix: matrix([]float64{-5})}
	p := must(robust.NewProblem(nil, box(0, 3e16, 1), sparsero.AffineMap{},
		robust.Constraint{Nominal: []float64{5}, Map: q, Limit: 4, Dictionary: dictionary(t, []float64{-0.1})},
		robust.Constraint{Nominal: []float64{-4}, Map: q, Limit: -2, Dictionary: dictionary(t, []float64{1})}))(t)
	for name, explain := range explanations(p, 3) {
		if e := must(explain())(t); !e.Feasible || e.LargestRadius.Float() > 6 {
			t.Errorf("%s: %v, want at most the radius 6", name, e)
		}
	}
}

// TestSlackBesideFarBounds: r 5 max(0, x + 3) <= 3 x at r = 3, which holds at no x, is missed by 45 at 0: little beside
// 10^13.
func TestSlackBesideFarBounds(t *testing.T) {
	q := sparsero.AffineMap{Matrix: matrix([]float64{1}), Constant: []float64{3}}
	p := must(robust.NewProblem(dictionary(t, []float64{5. / 3}, []float64{5}), box(-3e13, 1e13, 1), sparsero.AffineMap{}, robust.Constraint{Nominal: []float64{-3}, Map: q}))(t)
	for name, explain := range explanations(p, 3) {
		if e := must(explain())(t); e.Feasible || e.LargestRadius.Float() > 0.6 {
			t.Errorf("%s: %v, want a radius below 0.6", name, e)
		}
	}
}

// TestLargestRadiusBesideALimitThatIsMet: no room of 0 counts where no atom does harm, and the other limit allows 1/2.
func TestLargestRadiusBesideALimitThatIsMet(t *testing.T) {
	region := solver.NewModel("X")
	region.AddColumn(solver.Column{Bounds: solver.Equal(0)})
	region.AddColumn(solver.Column{Bounds: solver.Equal(1)})
	met := robust.Constraint{Map: sparsero.AffineMap{Matrix: matrix([]float64{1, 0})}}
	other := robust.Constraint{Map: sparsero.AffineMap{Matrix: matrix([]float64{0, 1})}, Limit: 0.5}
	p := must(robust.NewProblem(dictionary(t, []float64{1}), region, sparsero.AffineMap{}, met, other))(t)
	for name, explain := range explanations(p, 0.25) {
		if e := must(explain())(t); e.LargestRadius.Float() != 0.5 {
			t.Errorf("%s: %v, want the largest radius 0.5", name, e)
		}
	}
}

// stalling is a backend that ends without an answer from one of its solves on, for some solves.
type stalling struct{ from, until, solves *int }

type stallingEngine struct {
	solver.Engine
	stalling
}

func (s stalling) Open(m *solver.Model, o *solver.Options) (solver.Engine, error) {
	engine, err := solver.PureGo.Open(m, o)
	return stallingEngine{engine, s}, err
}

func (e stallingEngine) Solve(ctx context.Context) (*solver.Result, error) {
	if *e.solves++; *e.solves > *e.from && *e.solves <= *e.until {
		return &solver.Result{Status: solver.Limit, Objective: math.NaN()}, nil
	}
	return e.Engine.Solve(ctx)
}

// TestLargestRadiusUnderDoubt: whatever solve ends without an answer, the largest radius is between those that an explanation
// names, and these are near each other or the explanation says why not. One such solve alone does not keep it from the answer,
// unless it is that of the model itself.
func TestLargestRadiusUnderDoubt(t *testing.T) {
	region := box(0, 4, 1, 1)
	region.AddRow(solver.Row{Bounds: solver.AtLeast(4), Columns: []int{0, 1}, Values: []float64{1, 1}})
	load := robust.Constraint{Nominal: []float64{1, 1}, Map: sparsero.Identity(2), Limit: 5}
	p := must(robust.NewProblem(dictionary(t, []float64{1, 0.2}, []float64{0.3, 1}), region, sparsero.AffineMap{}, load))(t)
	explained, doubted := 0, 0
	for _, radius := range []float64{0.1, 0.25, 3} {
		want := must(p.ExplainFull(ctx, radius, nil))(t)
		for _, stalls := range []int{1, 2, 1000} {
			for from := range 30 {
				until, solves := from+stalls, 0
				e, err := p.ExplainFull(ctx, radius, &robust.Options{Solver: &solver.Options{Backend: stalling{&from, &until, &solves}}})
				if err != nil {
					if !errors.Is(err, solver.ErrLimit) {
						t.Fatal(err)
					}
					continue
				}
				explained++
				if e.Feasible != want.Feasible || e.LargestRadius.Float() > want.LargestRadius.Float()*(1+1e-6) || e.UnattainedRadius.Float() < want.LargestRadius.Float() {
					t.Errorf("radius %v, no answer from solve %d to %d: %+v, want %+v", radius, from, until, e, want)
				}
				near := e.LargestRadius.Float() >= e.UnattainedRadius.Float()*(1-3e-6)
				if e.Unknown != nil {
					doubted++
					checkMessage(t, "a doubt", errors.New(e.String()), "limit reached")
					if strings.Contains(e.String(), "Inf") { // no radius is below that
						t.Error(e)
					}
				}
				if !near && (e.Unknown == nil || stalls == 1) {
					t.Errorf("radius %v, no answer from solve %d to %d: %v", radius, from, until, e)
				}
			}
		}
	}
	if explained < 100 || doubted < 10 {
		t.Errorf("%d explanations, %d with a doubt", explained, doubted)
	}
}

// TestHarmBeyondFloat64IsNoneAllowed: the one decision does harm of 1e320 to a limit of 0.5. The size of the terms overflows with the harm, beside
// which any violation once counted as none, and ExplainFull called the model feasible at every radius.
func TestHarmBeyondFloat64IsNoneAllowed(t *testing.T) {
	region := box(1e160, 1e160, 1)
	p := must(robust.NewProblem(dictionary(t, []float64{1e160}), region, sparsero.AffineMap{}, robust.Constraint{Map: sparsero.Identity(1), Limit: 0.5}))(t)
	s := must(p.Evaluate([]int{0}, 1, []float64{1e160}))(t)
	if _, err := s.GapBound(); s.FullFeasible() || !errors.Is(err, robust.ErrNotCertified) {
		t.Errorf("feasible %v, %v: %+v", s.FullFeasible(), err, s.Constraints)
	}
	for name, explain := range explanations(p, 1) {
		if e, err := explain(); err == nil {
			t.Errorf("%s: %v", name, e)
		}
	}
}

// TestSmallAtomBesideALargeOne: the search begins where the large atom counts, 1e-208, and has to reach where the small one
// does. It once ended before, and called every radius feasible.
func TestSmallAtomBesideALargeOne(t *testing.T) {
	region := solver.NewModel("two columns")
	region.AddColumn(solver.Column{Bounds: solver.Between(-2, -1)})
	region.AddColumn(solver.Column{Bounds: solver.Between(3, 5)})
	q := sparsero.AffineMap{Matrix: matrix([]float64{-2, -3}, []float64{-3, -2}), Constant: []float64{-3, 1}}
	row := robust.Constraint{Nominal: []float64{-3, -3}, Map: q, Limit: -12}
	p := must(robust.NewProblem(dictionary(t, []float64{1e208, 3.1e208}, []float64{1, -3}), region, sparsero.AffineMap{}, row))(t)
	for name, explain := range explanations(p, 0) {
		if e := must(explain())(t); !e.Feasible || e.LargestRadius.Float() >= 1 {
			t.Errorf("%s: feasible up to %v; radius 1 is not", name, e.LargestRadius)
		}
	}
}

// TestSmallHarmBesideRoundingOfALargeOne: where two atoms of 1e200 meet at x = 0.8, what rounding leaves of their harm is larger
// than the harm of 2 that the third does there, which ends at 15.6. It once hid that, and every radius was called feasible.
func TestSmallHarmBesideRoundingOfALargeOne(t *testing.T) {
	q := sparsero.AffineMap{Matrix: matrix([]float64{-2}, []float64{1.0000000000000005e+200}, []float64{1}), Constant: []float64{3, -8.000000000000004e199, 4}}
	row := robust.Constraint{Nominal: []float64{1}, Map: q, Limit: 32}
	p := must(robust.NewProblem(dictionary(t, []float64{-1, -2, 0}, []float64{2, 1, 2}, []float64{-2, 0, 1}), box(-1, 1, 0), sparsero.AffineMap{}, row))(t)
	if e := must(p.ExplainFull(ctx, 1, nil))(t); !e.Feasible || !(e.UnattainedRadius.Float() < 15.601) {
		t.Errorf("feasible %t, unattained radius %v, want about 15.6", e.Feasible, e.UnattainedRadius.Float())
	}
}

// TestSmallHarmBesideABenefitWithinRounding: two atoms meet a coordinate of 1e188 that vanishes on a plane, and the second does
// harm of at least 7 everywhere. On the plane the sign of the others is what rounding leaves: an atom that seemed the worst was
// none at all to the last bit, which hid the second, and every radius was called feasible.
func TestSmallHarmBesideABenefitWithinRounding(t *testing.T) {
	region := solver.NewModel("three columns")
	region.AddColumn(solver.Column{Bounds: solver.Between(-0.6, 1.6)})
	region.AddColumn(solver.Column{Bounds: solver.Between(0.7, 2.5999999999999996)})
	region.AddColumn(solver.Column{Bounds: solver.Between(0.4, 1.3)})
	far := []float64{-9.050251469282309e+187, 7.309818494420327e+187, -4.8732123296135505e+187}
	q := sparsero.AffineMap{Matrix: matrix([]float64{-1.3, -0.5, -2.3}, []float64{1.7, 0.9, -0.3}, far, []float64{2.6, 0.5, 1.4}), Constant: []float64{-2.3, 1.6, -2.8, 0.3}}
	d := dictionary(t, []float64{2.2, 2.1, -2.2, 1.2}, []float64{-2.2, 1.7, 0, 0.4}, []float64{3, -1.3, 3, 0.4})
	p := must(robust.NewProblem(d, region, sparsero.AffineMap{}, robust.Constraint{Nominal: []float64{-1.2, 2.3, -3}, Map: q, Limit: 2.4446853500785695}))(t)
	for name, explain := range explanations(p, 0) {
		if e := must(explain())(t); !e.Feasible || !(e.UnattainedRadius.Float() < 1) {
			t.Errorf("%s: feasible %t, unattained radius %v; radius 1 is not feasible", name, e.Feasible, e.UnattainedRadius.Float())
		}
	}
}

// TestBenefitBeyondFloat64HidesNoHarm: the first atom lowers the left-hand side by more than a float64 holds, the second raises
// it above the limit. ExplainFull once asked for the first alone.
func TestBenefitBeyondFloat64HidesNoHarm(t *testing.T) {
	row := robust.Constraint{Nominal: []float64{-0.5}, Map: sparsero.AffineMap{Matrix: matrix([]float64{-2})}, Limit: 0.4}
	p := must(robust.NewProblem(dictionary(t, []float64{math.MaxFloat64}, []float64{-1}), box(1, 2, 0), sparsero.AffineMap{}, row))(t)
	if e, err := p.ExplainFull(ctx, 1, nil); err == nil && (e.Feasible || e.LargestRadius.Float() > 0.45) {
		t.Errorf("feasible up to %v; every decision misses the limit at 0.45", e.LargestRadius.Float())
	}
}

// TestBenefitBeyondFloat64IsNoConflict: the atom lowers the left-hand side by more than a float64 holds. A 0 in the place of that
// coefficient once left 0 <= -0.7, and the model was called infeasible.
func TestBenefitBeyondFloat64IsNoConflict(t *testing.T) {
	row := robust.Constraint{Nominal: []float64{-2}, Map: sparsero.AffineMap{Matrix: matrix([]float64{math.MaxFloat64})}, Limit: -0.7}
	p := must(robust.NewProblem(dictionary(t, []float64{-3}), box(1, 2, 0), sparsero.AffineMap{}, row))(t)
	if _, err := p.Solve(ctx, []int{0}, 1, nil); err == nil || errors.Is(err, solver.ErrInfeasible) {
		t.Errorf("a model with a point: %v", err)
	}
}

// TestExcessOfARowWithoutTerms: an excess where neither the decision nor the atoms have terms is a number as any other.
func TestExcessOfARowWithoutTerms(t *testing.T) {
	q := sparsero.AffineMap{Matrix: matrix([]float64{1}), Constant: []float64{1}}
	p := must(robust.NewProblem(dictionary(t, []float64{-1}), box(0, 0, 1), q))(t)
	rows := must(must(p.Solve(ctx, []int{0}, 1, nil))(t).RowSamples(matrix([]float64{1})))(t)
	if rows[0].Excess[0] != 1 || rows[1].Excess[0] != 1 {
		t.Errorf("excess %v, want 1 in the row and over all rows", rows)
	}
}

// TestValuesThatFitFloat64: a full value is a number where its terms leave float64, or are rounded to the largest one.
func TestValuesThatFitFloat64(t *testing.T) {
	below := must(robust.NewProblem(dictionary(t, []float64{3, 2}), box(1, 4, 0), sparsero.AffineMap{Matrix: matrix([]float64{-1}, []float64{-math.MaxFloat64})}))(t)
	if s := must(below.SolveFull(ctx, 0.1, nil))(t); s.FullValue() != 0 {
		t.Errorf("value %v of benefits beyond float64, want 0", s.FullValue())
	}
	largest := must(robust.NewProblem(dictionary(t, []float64{-math.MaxFloat64, 0}), box(-1, -1, 0), sparsero.AffineMap{Matrix: matrix([]float64{1}, []float64{3})}))(t)
	if s := must(largest.Solve(ctx, nil, 1, nil))(t); s.FullValue() != math.MaxFloat64 {
		t.Errorf("value %v, want %v", s.FullValue(), math.MaxFloat64)
	}
}

// TestDirectionsBeyondFloat64: a coordinate of q(x) that leaves float64 harms where an atom has it, as little as that is, and
// nowhere else. It once counted as none at every radius, and as some at each.
func TestDirectionsBeyondFloat64(t *testing.T) {
	beyond := sparsero.AffineMap{Matrix: matrix([]float64{0.4}, []float64{math.MaxFloat64}), Constant: []float64{-1.5, 0.4}}
	row := robust.Constraint{Nominal: []float64{-1.8}, Map: beyond, Limit: -1.8}
	harmed := must(robust.NewProblem(dictionary(t, []float64{7e-200, 3e-200}), box(0.6, 1.1, 0), sparsero.AffineMap{}, row))(t)
	if e, err := harmed.ExplainFull(ctx, 1, nil); err == nil && (e.Feasible || math.IsInf(e.LargestRadius.Float(), 1)) {
		t.Errorf("feasible %t up to %v, with a harm of 5e108", e.Feasible, e.LargestRadius)
	}
	row = robust.Constraint{Nominal: []float64{-1}, Map: beyond, Limit: 0}
	spared := must(robust.NewProblem(dictionary(t, []float64{-1, 0}), box(1.1, 1.2, 0), sparsero.AffineMap{}, row))(t)
	if e := must(spared.ExplainFull(ctx, 1, nil))(t); !e.Feasible || !(e.UnattainedRadius.Float() > 1.16) {
		t.Errorf("feasible %t, unattained radius %v, and 1.2 / 1.02 is attained", e.Feasible, e.UnattainedRadius)
	}
}

// TestRadiiBeyondCoefficients: an open column makes up for the harm at every radius. Where it is too large for a model,
// the search ends with what is attained; Explain once had no answer then.
func TestRadiiBeyondCoefficients(t *testing.T) {
	region := solver.NewModel("an open column")
	region.AddColumn(solver.Column{Bounds: solver.Between(-1063, 0)})
	region.AddColumn(solver.Column{Bounds: solver.AtLeast(-1.87e6)})
	q := sparsero.AffineMap{Matrix: matrix([]float64{8, 0}), Constant: []float64{-3}}
	row := robust.Constraint{Nominal: []float64{4, -3}, Map: q, Limit: -2}
	p := must(robust.NewProblem(dictionary(t, []float64{-2.5}), region, sparsero.AffineMap{}, row))(t)
	for name, explain := range explanations(p, 0) {
		if e := must(explain())(t); !e.Feasible || !(e.LargestRadius.Float() > 1e100) || !math.IsInf(e.UnattainedRadius.Float(), 1) {
			t.Errorf("%s: %v", name, e)
		}
	}
}

// TestTermsBelowFloat64OfOtherAtoms: q(x) is below float64, where atoms that are not asked for, or none, do no harm.
// Explain was refused for the harm that the second atom may do.
func TestTermsBelowFloat64OfOtherAtoms(t *testing.T) {
	row := robust.Constraint{Map: sparsero.AffineMap{Matrix: matrix([]float64{3e-315})}, Limit: 1e-12}
	p := must(robust.NewProblem(dictionary(t, []float64{1}, []float64{1e308}), box(1e-9, 3e-9, 0), sparsero.AffineMap{}, row))(t)
	for _, atoms := range [][]int{nil, {0}} {
		if e := must(p.Explain(ctx, atoms, 1, nil))(t); !e.Feasible || !math.IsInf(e.LargestRadius.Float(), 1) {
			t.Errorf("atoms %v: %v, want every radius", atoms, e)
		}
	}
	if _, err := p.ExplainFull(ctx, 1, nil); err == nil || !strings.Contains(err.Error(), "below float64") {
		t.Errorf("all atoms: %v", err)
	}
}

// TestFeasibilityBesideFarBounds: a problem of one column with bounds up to 10^16 is feasible if a bound, 0, or a point
// at which a demand is met exactly keeps to all demands, and only if one does up to a share of the terms that they have
// there.
func TestFeasibilityBesideFarBounds(t *testing.T) {
	type demand struct{ slope, side, terms float64 }
	rapid.Check(t, func(t *rapid.T) {
		small := func(name string) float64 { return float64(rapid.IntRange(-5, 5).Draw(t, name)) }
		far := func(name string) float64 { return math.Pow(10, rapid.Float64Range(0, 16).Draw(t, name)) }
		lower, upper, radius := -far("lower"), far("upper"), math.Abs(small("radius"))
		atoms := []float64{small("atom") - 0.5, small("atom") + 0.5}
		d := get(sparsero.NewDictionary(matrix(atoms[:1], atoms[1:]), nil))(t)
		region := solver.NewModel("X")
		region.AddColumn(solver.Column{Bounds: solver.Between(lower, upper)})
		var rows []robust.Constraint
		var demands []demand
		points := []float64{lower, upper, 0}
		for range 2 {
			nominal, slope, constant, limit := small("nominal"), small("slope"), small("constant"), small("limit")
			q := sparsero.AffineMap{Matrix: matrix([]float64{slope}), Constant: []float64{constant}}
			rows = append(rows, robust.Constraint{Nominal: []float64{nominal}, Map: q, Limit: limit})
			for _, level := range []float64{0, radius * atoms[0], radius * atoms[1]} {
				row := demand{nominal + level*slope, limit - level*constant, math.Abs(nominal) + math.Abs(level*slope)}
				demands, points = append(demands, row), append(points, row.side/row.slope)
			}
		}
		kept := func(share float64) bool {
			return slices.ContainsFunc(points, func(x float64) bool {
				return x >= lower && x <= upper && !slices.ContainsFunc(demands, func(r demand) bool {
					return r.slope*x-r.side > share*(r.terms*math.Abs(x)+math.Abs(r.side))
				})
			})
		}
		p := get(robust.NewProblem(d, region, sparsero.AffineMap{}, rows...))(t)
		for name, explain := range explanations(p, radius) {
			e := get(explain())(t)
			if e.Feasible && !kept(1e-8) || !e.Feasible && kept(0) || e.LargestRadius.Float() > radius && !kept(1e-8) {
				t.Fatalf("%s: %v", name, e)
			}
		}
	})
}

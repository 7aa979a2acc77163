package robust_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/robust"
	"pgregory.net/rapid"
)

// Proposition D.2: strong duality with feasible multipliers, complementary
// slackness, and the worst-case perturbation alone has the full value.
func TestDualOfTheRobustProgram(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, radius := drawProblem(t), drawRadius(t)
		dual := get(get(p.SolveFull(ctx, radius, nil))(t).Dual())(t)
		full := get(p.SolveFull(ctx, radius, nil))(t)
		if !near(dual.Value.Float(), full.Value) {
			t.Fatalf("dual value %v, primal value %v", dual.Value, full.Value)
		}
		sum := dual.NullMu
		for k, i := range dual.Relevant {
			sum += dual.Mu[k]
			aligned := inner(p.Dictionary().RawRowView(i), dual.Primal.Direction)
			if dual.Mu[k] <= 0 || !near(aligned, dual.Primal.Certificate.Full) {
				t.Fatalf("atom %d with multiplier %v has alignment %v, the worst is %v", i, dual.Mu[k], aligned, dual.Primal.Certificate.Full)
			}
		}
		if !near(sum, radius) {
			t.Fatalf("multipliers sum to %v, radius %v", sum, radius)
		}
		if (dual.WorstCase == nil) != (radius == 0) {
			t.Fatalf("worst case %v at radius %v", dual.WorstCase, radius)
		}
		for c, v := range dual.WorstCase {
			if !near(radius*v, dual.Perturbation[c]) {
				t.Fatalf("worst case %v times the radius %v is not the perturbation %v", dual.WorstCase, radius, dual.Perturbation)
			}
		}
		if value := against(t, p, dual.Perturbation); !near(value, full.Value) {
			t.Fatalf("value against u* alone %v, robust value %v", value, full.Value)
		}
	})
}

// against is min b(x) + ⟨u, q(x)⟩ over X.
func against(t *rapid.T, p *robust.Problem, u []float64) float64 {
	region, _, err := robust.Around(u, p.Region(), p.Map())
	return get(solver.Solve(ctx, get(region, err)(t), nil))(t).Objective
}

func inner(a, b []float64) float64 {
	sum := 0.0
	for j, v := range a {
		sum += v * b[j]
	}
	return sum
}

// Weak duality: no perturbation of the set makes the problem worse than the
// robust value.
func TestNoPerturbationExceedsTheRobustValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, radius := drawProblem(t), drawRadius(t)
		n := p.Dictionary().Size()
		u, left := make([]float64, p.Dictionary().Dim()), radius
		for i := range n {
			share := left * float64(rapid.IntRange(0, 4).Draw(t, "share")) / 4
			left -= share
			for j, v := range p.Dictionary().RawRowView(i) {
				u[j] += share * v
			}
		}
		value := against(t, p, u)
		if full := get(p.SolveFull(ctx, radius, nil))(t); value > full.Value+tolerance*(1+math.Abs(full.Value)) {
			t.Fatalf("against u = %v the value is %v, the robust value is %v", u, value, full.Value)
		}
	})
}

// At most rank [M' c] <= min(p, n+1) atoms of the dual support give the full value.
func TestFewAtomsSuffice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, radius := drawProblem(t), drawRadius(t)
		dual := get(get(p.SolveFull(ctx, radius, nil))(t).Dual())(t)
		reduced, multipliers := dual.Reduce()
		dimension, n := p.Map().Dims()
		if rank := rankOf(p.Map()); len(reduced) > rank {
			t.Fatalf("%d atoms at rank %d, p = %d, n = %d", len(reduced), rank, dimension, n)
		}
		total := 0.0
		for k, mu := range multipliers {
			total += mu
			if mu <= 0 || !slices.Contains(dual.Relevant, reduced[k]) {
				t.Fatalf("atom %d with multiplier %v", reduced[k], mu)
			}
		}
		if total > radius+tolerance {
			t.Fatalf("multipliers sum to %v > %v", total, radius)
		}
		few := get(p.Solve(ctx, reduced, radius, nil))(t)
		if !near(few.Value, dual.Value.Float()) {
			t.Fatalf("%d atoms give %v, all give %v", len(reduced), few.Value, dual.Value)
		}
	})
}

// Convexity is needed: minimise the worst alignment over the N vertices of a
// regular polygon with the vertices as atoms; every vertex is needed. As a
// continuous problem over their hull two atoms suffice. The discrete values are
// evaluated by hand: Φ_S(x) = max_{i in S} ⟨d_i, x⟩ over the N points.
func TestFewAtomsDoNotSufficeOverADiscreteRegion(t *testing.T) {
	const n = 8
	atoms := make([][]float64, n)
	for i := range atoms {
		angle := 2 * math.Pi * float64(i) / n
		atoms[i] = []float64{math.Cos(angle), math.Sin(angle)}
	}
	value := func(without int) float64 {
		best := math.Inf(1)
		for _, x := range atoms {
			worst := 0.0
			for i, d := range atoms {
				if i != without {
					worst = math.Max(worst, inner(d, x))
				}
			}
			best = math.Min(best, worst)
		}
		return best
	}
	for i := range n {
		if value(i) >= value(-1)-1e-9 {
			t.Errorf("without atom %d the value is still %v", i, value(i))
		}
	}
	d := dictionary(t, atoms...)
	p := must(robust.NewProblem(d, box(-1, 1, 0.3, 0.1), sparsero.Identity(2)))(t)
	dual := must(must(p.SolveFull(ctx, 1, nil))(t).Dual())(t)
	if reduced, _ := dual.Reduce(); len(reduced) > 2 {
		t.Errorf("convex problem in the plane needs %d atoms", len(reduced))
	}
}

// A solve that was cut short leaves no multipliers, which is an error even where there are no
// rows to have any, or those of a round whose atoms do not suffice.
// TestLargeAtomsHaveSmallMultipliers: an atom of 1e20 that decides has a multiplier of 2e-21, which is no rounding error.
func TestLargeAtomsHaveSmallMultipliers(t *testing.T) {
	p := must(robust.NewProblem(dictionary(t, []float64{-1e20}), box(math.Inf(-1), math.Inf(1), 0.2), sparsero.Identity(1)))(t)
	s := must(p.SolveFull(ctx, 1, nil))(t)
	if d := must(s.Dual())(t); len(d.Relevant) != 1 || !near(d.Value.Float(), 0) {
		t.Errorf("relevant atoms %v, value %v", d.Relevant, d.Value)
	}
}

// TestReduceRefusesAnotherDual: one that Dual did not return has no atoms to move, or multipliers of none.
func TestReduceRefusesAnotherDual(t *testing.T) {
	d := dictionary(t, []float64{1, 0}, []float64{0, 1})
	p := must(robust.NewProblem(d, box(1, 2, 1, 1), sparsero.Identity(2)))(t)
	longer := *must(must(p.SolveFull(ctx, 1, nil))(t).Dual())(t)
	longer.Mu = append(longer.Mu, 0)
	for name, d := range map[string]*robust.Dual{
		"nothing": {}, "no problem": {Primal: new(robust.Solution)}, "one multiplier too many": &longer,
	} {
		func() {
			defer func() {
				if _, said := recover().(string); !said {
					t.Errorf("%s: no panic that says what to use", name)
				}
			}()
			d.Reduce()
		}()
	}
}

func TestDualOfALimitedSolve(t *testing.T) {
	region := solver.NewModel("X")
	region.AddColumn(solver.Column{Bounds: solver.Between(-2, -1)})
	region.AddColumn(solver.Column{Bounds: solver.Between(3, 5), Cost: -1})
	region.AddQuadratic(0, 0, 1)
	q := sparsero.AffineMap{Matrix: matrix([]float64{-2, -3})}
	p := must(robust.NewProblem(dictionary(t, []float64{2}), region, q))(t)
	options := &robust.Options{Solver: &solver.Options{IterationLimit: 1}}
	if d, err := dualOf(p.Solve(ctx, nil, 1, options)); err == nil {
		t.Errorf("multipliers %v of a solve that was cut short", d.Mu)
	}
	p = must(robust.NewProblem(dictionary(t, []float64{1, 0}, []float64{0, 1}), box(1, 2, 0, 0), sparsero.Identity(2)))(t)
	first := must(p.SolveFull(ctx, 1, &robust.Options{MaxRounds: 1}))(t)
	if _, err := first.Dual(); !first.Partial || !errors.Is(err, robust.ErrNoDual) {
		t.Errorf("%v after one round: dual solution with error %v", first, err)
	}
}

func TestDualNeedsAContinuousRobustObjective(t *testing.T) {
	d := dictionary(t, []float64{1, 0}, []float64{0, 1})
	integer := solver.NewModel("integer")
	for range 2 {
		integer.AddColumn(solver.Column{Bounds: solver.Between(0, 1), Integer: true})
	}
	constraint := robust.Constraint{Map: sparsero.Identity(2), Limit: 1}
	for name, p := range map[string]*robust.Problem{
		"integer region":    must(robust.NewProblem(d, integer, sparsero.Identity(2)))(t),
		"certain objective": must(robust.NewProblem(d, box(0, 1, 1, 1), sparsero.AffineMap{}, constraint))(t),
		"robust constraint": must(robust.NewProblem(d, box(0, 1, 1, 1), sparsero.Identity(2), constraint))(t),
	} {
		_, err := dualOf(p.Solve(ctx, nil, 1, nil))
		if p.Region().IsInteger() && errors.Is(err, solver.ErrUnsupported) {
			continue // this build has no HiGHS, and nothing to ask the dual of
		}
		if !errors.Is(err, robust.ErrNoDual) {
			t.Errorf("%s: error %v", name, err)
		}
		if name == "robust constraint" {
			checkMessage(t, name, err, "1 robust constraint;")
		}
		if _, err = dualOf(p.SolveFull(ctx, 1, nil)); !errors.Is(err, robust.ErrNoDual) {
			t.Errorf("%s, full: error %v", name, err)
		}
	}
}

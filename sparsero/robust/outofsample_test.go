package robust_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/calibration"
	"github.com/sparsero/directions/sparsero/robust"
	"pgregory.net/rapid"
)

// mostViolated asks for the rule whose choice has the preference property.
var mostViolated = &robust.DesignOptions{Rule: robust.MostViolated}

// drawSampled is drawProblem, with atoms that are declared to be a sample and sometimes robust constraints.
func drawSampled(t *rapid.T) (problem *robust.Problem, with func(atoms []int) *robust.Problem) {
	d, region := drawDictionary(t), drawRegion(t)
	q := drawMap(t, d.Dim(), region.Columns())
	var constraints []robust.Constraint
	for range rapid.IntRange(0, 2).Draw(t, "constraints") {
		constraints = append(constraints, robust.Constraint{
			Nominal: numbers(t, region.Columns(), "nominal"), Map: drawMap(t, d.Dim(), region.Columns()), Limit: math.Abs(number(t, "limit")) + 1,
		})
	}
	with = func(atoms []int) *robust.Problem {
		part := get(get(d.Subset(atoms))(t).AsSampled())(t)
		return get(robust.NewProblem(part, region, q, constraints...))(t)
	}
	return with(everyAtom(d)), with
}

// TestChoiceIsThatOfEveryPart is the preference property: what most violated atoms choose from all is
// chosen, with the same decision to the last bit, from every part of the atoms that holds it, ties, repeated atoms and
// budgets included.
func TestChoiceIsThatOfEveryPart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		problem, with := drawSampled(t)
		budget := rapid.IntRange(1, 9).Draw(t, "budget")
		radius := drawRadius(t)
		whole := promiseOf(t, problem, budget, radius)
		if whole == nil {
			return
		}
		part := slices.Clone(whole.Atoms)
		for i := range problem.Dictionary().Size() {
			if !slices.Contains(part, i) && rapid.Bool().Draw(t, "kept") {
				part = append(part, i)
			}
		}
		if len(part) == 0 {
			return
		}
		slices.Sort(part)
		again := promiseOf(t, with(part), budget, radius)
		if again == nil {
			t.Fatal("no design of the part")
			return
		}
		for k, atom := range again.Atoms {
			again.Atoms[k] = part[atom]
		}
		for k, level := range again.Levels {
			if level.Atom != sparsero.NullAtom {
				again.Levels[k].Atom = part[level.Atom]
			}
		}
		if !slices.Equal(again.Atoms, whole.Atoms) {
			t.Fatalf("all %d atoms choose %v, the part %v chooses %v", whole.Samples, whole.Atoms, part, again.Atoms)
		}
		for j, x := range whole.X {
			if math.Float64bits(x) != math.Float64bits(again.X[j]) {
				t.Fatalf("decision %v from all atoms, %v from the part %v", whole.X, again.X, part)
			}
		}
		if !slices.Equal(whole.Levels, again.Levels) {
			t.Fatalf("levels %v from all atoms, %v from the part %v", whole.Levels, again.Levels, part)
		}
	})
}

// promiseOf designs and asks for the promise; nil where the robust constraints have no solution.
func promiseOf(t *rapid.T, problem *robust.Problem, budget int, radius float64) *robust.Promise {
	design, err := problem.Design(ctx, min(budget, problem.Dictionary().Size()), radius, mostViolated)
	if errors.Is(err, solver.ErrInfeasible) {
		return nil
	}
	promise, err := get(design, err)(t).Solution.OutOfSample(ctx, 1e-3)
	if errors.Is(err, solver.ErrInfeasible) {
		return nil
	}
	return get(promise, err)(t)
}

// TestLevelsHoldForAllAtoms: no sampled atom exceeds a level, and the level is that of the atom it names.
func TestLevelsHoldForAllAtoms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		problem, _ := drawSampled(t)
		radius := drawRadius(t)
		solution, err := problem.Solve(ctx, drawSubset(t, problem.Dictionary().Size()), radius, nil)
		if errors.Is(err, solver.ErrInfeasible) {
			return
		}
		promise := get(get(solution, err)(t).OutOfSample(ctx, 1e-3))(t)
		if promise.Preference {
			t.Fatal("any atoms may be asked for, which no preference explains")
		}
		d, constraints := problem.Dictionary(), problem.Constraints()
		if want := len(constraints) + 1; len(promise.Levels) != want {
			t.Fatalf("%d levels for an objective and %d constraints", len(promise.Levels), len(constraints))
		}
		for k, level := range promise.Levels {
			nominal, q := problem.Region().Objective(promise.X), problem.Map()
			if k > 0 {
				c := constraints[k-1]
				nominal, q = 0, c.Map
				for j, v := range c.Nominal {
					nominal += v * promise.X[j]
				}
				if level.Name != c.Name || level.Limit != c.Limit {
					t.Fatalf("level %d is %+v, the constraint %+v", k, level, c)
				}
			}
			direction, counted := q.Apply(promise.X), nominal
			rounding := 1e-12 * (1 + math.Abs(level.Value.Float()))
			for i, alignment := range d.Alignments(nil, direction) {
				value := nominal + radius*alignment
				if value > level.Value.Float()+rounding {
					t.Fatalf("atom %d puts %s at %g, above the level %g", i, level.Name, value, level.Value)
				}
				if i == level.Atom {
					counted = math.Max(counted, value)
				}
			}
			if counted < level.Value.Float()-rounding {
				t.Fatalf("atom %d puts %s at %g, the level is %g", level.Atom, level.Name, counted, level.Value)
			}
		}
	})
}

// TestLevelsAreRoundedUp: a level is not below what the worst atom reaches, which is not always the worst one in float64.
func TestLevelsAreRoundedUp(t *testing.T) {
	for _, atoms := range [][][]float64{{{1e16, 1, -1e16}, {0, 0.5, 0}}, {{1e16, 1, -1e16}, {0, 0, 0}}} {
		problem := sampledProblem(t, box(1, 1, 0, 0, 0), atoms...)
		promise := must(must(problem.Solve(ctx, []int{1}, 1, nil))(t).OutOfSample(ctx, 0.01))(t)
		if level := promise.Levels[0]; level.Value.Float() < 1 || level.Value.Float() > 1+1e-15 || level.Atom != 0 {
			t.Errorf("atoms %v: level %+v, want 1 by atom 0", atoms, level)
		}
	}
}

// sampledProblem has q(x) = x and atoms that are declared to be a sample.
func sampledProblem(t testing.TB, region *solver.Model, atoms ...[]float64) *robust.Problem {
	t.Helper()
	d := must(dictionary(t, atoms...).AsSampled())(t)
	return must(robust.NewProblem(d, region, sparsero.Identity(region.Columns())))(t)
}

// TestWarmStartIsNoFunctionOfTheAtoms is the counterexample to counting the atoms of a solve that has seen others: where
// the optimum is not unique, a design from which an atom is missing that it did not choose is left with another decision.
// The promise is made for the decision that the chosen atoms give alone.
func TestWarmStartIsNoFunctionOfTheAtoms(t *testing.T) {
	atoms := [][]float64{{1, 3}, {-4, -2}, {0, -2}, {-2, 0}, {-3, -4}, {-3, -1}}
	of := func(atoms ...[]float64) (design *robust.Design, promise *robust.Promise) {
		problem := sampledProblem(t, box(-1, 1, 0, -3), atoms...)
		design = must(problem.Design(ctx, len(atoms), 1, nil))(t)
		return design, must(must(problem.Solve(ctx, design.Atoms, 1, nil))(t).OutOfSample(ctx, 0.1))(t)
	}
	all, promised := of(atoms...)
	solved := must(sampledProblem(t, box(-1, 1, 0, -3), atoms[0]).Solve(ctx, []int{0}, 1, nil))(t)
	if !slices.Equal(all.Atoms, []int{0}) || closeTo(all.Solution.X, solved.X) {
		t.Fatalf("the design of six atoms chooses %v and %v, its atom alone gives %v: no counterexample", all.Atoms, all.Solution.X, solved.X)
	}
	if _, alone := of(atoms[0]); !slices.Equal(promised.X, alone.X) {
		t.Errorf("the promise of six atoms is about %v, that of the chosen one about %v", promised.X, alone.X)
	}
}

func closeTo(a, b []float64) bool {
	for j := range a {
		if math.Abs(a[j]-b[j]) > tolerance {
			return false
		}
	}
	return true
}

// TestDeficitsHaveNoPreference is the counterexample to the preference property where directions were revealed before: the rule
// SmallestDeficit measures against all atoms, so that one which is not chosen decides which are. The union
// covers it.
func TestDeficitsHaveNoPreference(t *testing.T) {
	options := &robust.DesignOptions{Rule: robust.SmallestDeficit, Directions: matrix([]float64{1, 1}, []float64{-1, 2})}
	atoms := [][]float64{{0, 0}, {1, 1}, {0, 1}, {-1, 1}}
	whole := must(sampledProblem(t, box(-1, 1, -9, -9), atoms...).Design(ctx, 3, 1, options))(t)
	part := must(sampledProblem(t, box(-1, 1, -9, -9), atoms[:3]...).Design(ctx, 3, 1, options))(t)
	if !slices.Equal(whole.Atoms, []int{2, 1}) || !slices.Equal(part.Atoms, []int{1}) {
		t.Errorf("four atoms choose %v, without the last, which was not chosen, %v: no counterexample", whole.Atoms, part.Atoms)
	}
	if must(whole.Solution.OutOfSample(ctx, 0.1))(t).Preference {
		t.Error("the union alone covers this choice")
	}
}

// TestEveryRuleTakesTheMostViolated: without robust constraints and from nothing, directions that were revealed before are
// served by their worst atoms, so that every rule chooses the same, ties up to rounding aside.
func TestEveryRuleTakesTheMostViolated(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		problem, radius := drawProblem(t), drawRadius(t)
		n := problem.Dictionary().Size()
		want := get(problem.Design(ctx, n, radius, mostViolated))(t)
		for _, rule := range []robust.AtomRule{robust.CoverageGain, robust.SmallestDeficit} {
			got := get(problem.Design(ctx, n, radius, &robust.DesignOptions{Rule: rule}))(t)
			both, k := min(len(got.Atoms), len(want.Atoms)), 0
			for k < both && got.Atoms[k] == want.Atoms[k] {
				k++
			}
			if k < both {
				alignments := problem.Dictionary().Alignments(nil, want.Directions.RawRowView(k))
				if a, b := alignments[got.Atoms[k]], alignments[want.Atoms[k]]; math.Abs(a-b) < 1e-12*(1+math.Abs(b)) {
					continue
				}
			}
			if len(got.Atoms) != len(want.Atoms) || k < both {
				t.Fatalf("%v chooses %v, most violated %v", rule, got.Atoms, want.Atoms)
			}
		}
	})
}

// TestPromiseCountsTheWorstAtom: a budget that ends early costs one more atom and says the level it leaves.
func TestPromiseCountsTheWorstAtom(t *testing.T) {
	problem := sampledProblem(t, box(-1, 1, -3, -2), []float64{4, 0}, []float64{0, 5}, []float64{1, 1}, []float64{0.5, 2})
	short := must(must(problem.Design(ctx, 1, 1, mostViolated))(t).Solution.OutOfSample(ctx, 0.1))(t)
	if len(short.Atoms) != 2 {
		t.Errorf("one atom and the worst of the others are counted as %v", short.Atoms)
	}
	whole := must(must(problem.Design(ctx, 4, 1, mostViolated))(t).Solution.OutOfSample(ctx, 0.1))(t)
	if len(whole.Atoms) != 2 || whole.Levels[0].Value.Float() >= short.Levels[0].Value.Float() {
		t.Errorf("the certified design counts %v at level %g, the short one %v at %g", whole.Atoms, whole.Levels[0].Value, short.Atoms, short.Levels[0].Value)
	}
	double := must(must(problem.Design(ctx, 1, 2, mostViolated))(t).Solution.OutOfSample(ctx, 0.1))(t)
	if text := double.String(); !strings.HasPrefix(text, "2 times a new draw puts objective above") {
		t.Errorf("a radius multiplies what the guarantee is about: %q", text)
	}
	text := whole.String()
	for _, part := range []string{"objective", "4 sampled atoms", "0.1", "2 of them"} {
		if !strings.Contains(text, part) {
			t.Errorf("%q does not say %q", text, part)
		}
	}
}

// TestUnionKnowsNoRoles: which of the atoms determine the decision and which only set levels cannot be told from the set
// of all of them, so that a union over such sets would count too few choices; the atoms of the decision alone are
// counted, and the levels by their number.
func TestUnionKnowsNoRoles(t *testing.T) {
	q := sparsero.Identity(2)
	atoms := [][]float64{{4, 0}, {0, 5}, {1, 1}, {0.5, 2}, {-1, 0.5}}
	problem := must(robust.NewProblem(must(dictionary(t, atoms...).AsSampled())(t), box(-1, 1, -3, -2), q,
		robust.Constraint{Map: q, Limit: 9}))(t)
	for _, chosen := range [][]int{nil, {0}, {2, 3}} {
		promise := must(must(problem.Solve(ctx, chosen, 1, nil))(t).OutOfSample(ctx, 0.1))(t)
		want := must(calibration.Compression{Delta: 0.1, Levels: 2}.Violation(len(atoms), len(chosen)))(t).Float()
		if !slices.Equal(promise.Atoms, chosen) || promise.Violation.Float() != want {
			t.Errorf("%v: atoms %v with %v, want %v", chosen, promise.Atoms, promise.Violation, want)
		}
	}
}

// TestPromiseRefuses where a hypothesis fails.
func TestPromiseRefuses(t *testing.T) {
	atoms := [][]float64{{4, 0}, {0, 5}, {1, 1}}
	sampled := sampledProblem(t, box(-1, 1, -3, -2), atoms...)
	undeclared := must(robust.NewProblem(dictionary(t, atoms...), box(-1, 1, -3, -2), sparsero.Identity(2)))(t)
	part := must(robust.NewProblem(must(sampled.Dictionary().Subset([]int{0, 1}))(t), box(-1, 1, -3, -2), sparsero.Identity(2)))(t)
	closure := must(robust.NewProblem(sampled.Dictionary().AntipodalClosure(), box(-1, 1, -3, -2), sparsero.Identity(2)))(t)
	calibrated := &robust.DesignOptions{Calibrate: always(2)}
	for name, c := range map[string]struct {
		problem *robust.Problem
		options *robust.DesignOptions
	}{
		"undeclared":        {undeclared, nil},
		"undeclared, rule":  {undeclared, mostViolated},
		"selected":          {part, nil},
		"antipodal closure": {closure, nil},
		"calibrated":        {sampled, calibrated},
	} {
		design := must(c.problem.Design(ctx, 2, 1, c.options))(t)
		if _, err := design.Solution.OutOfSample(ctx, 0.1); !errors.Is(err, robust.ErrNoPromise) {
			t.Errorf("%s: %v; want a refusal", name, err)
		}
	}
	draws := normals(rand.New(rand.NewPCG(1, 5)), 60, 2)
	surrounded := sampledProblem(t, box(-1, 1, -3, -2), []float64{4, 0}, []float64{0, 5}, []float64{-4, -4})
	tuned := must(surrounded.Tune(ctx, draws, robust.Demands{Gap: 0.9, Violation: 0.5, Delta: 0.1}, nil))(t)
	if _, err := tuned.Solution.OutOfSample(ctx, 0.1); !errors.Is(err, robust.ErrNoPromise) {
		t.Errorf("radius of Tune: %v", err)
	}
	if _, err := sampled.Dictionary().AntipodalClosure().AsSampled(); err == nil {
		t.Error("an antipodal closure passes for a sample")
	}
	for _, err := range []error{
		second(new(robust.Design).Solution.OutOfSample(ctx, 0.1)), second(new(robust.Solution).OutOfSample(ctx, 0.1)),
	} {
		if !errors.Is(err, robust.ErrNoPromise) {
			t.Errorf("an empty value promises something: %v", err)
		}
	}
	design := must(sampled.Design(ctx, 2, 1, mostViolated))(t)
	if _, err := design.Solution.OutOfSample(ctx, 0); err == nil {
		t.Error("delta 0 is accepted")
	}
	ended, stop := context.WithCancel(ctx)
	stop()
	for name, s := range map[string]*robust.Solution{"design": design.Solution, "given atoms": must(sampled.Solve(ctx, []int{1}, 1, nil))(t)} {
		if promise, err := s.OutOfSample(ended, 0.1); !errors.Is(err, context.Canceled) || promise != nil {
			t.Errorf("%s: under a context that has ended: %v", name, err)
		}
	}
}

func second[T any](_ T, err error) error { return err }

// TestStartGetsTheUnion: a start set and revealed directions may have seen the atoms; the union covers every way to choose.
func TestStartGetsTheUnion(t *testing.T) {
	problem := sampledProblem(t, box(-1, 1, -3, -2), []float64{4, 0}, []float64{0, 5}, []float64{1, 1})
	free := must(must(problem.Design(ctx, 3, 1, mostViolated))(t).Solution.OutOfSample(ctx, 0.1))(t)
	for name, o := range map[string]*robust.DesignOptions{
		"start":      {Rule: robust.MostViolated, Start: []int{1}},
		"directions": {Rule: robust.MostViolated, Directions: matrix([]float64{1, 0})},
		"validate":   {Rule: robust.MostViolated, Validate: func(x []float64) (float64, error) { return -x[0], nil }},
	} {
		promise := must(must(problem.Design(ctx, 3, 1, o))(t).Solution.OutOfSample(ctx, 0.1))(t)
		if promise.Preference || !free.Preference {
			t.Errorf("%s: preference %v, without it %v", name, promise.Preference, free.Preference)
		}
	}
	limited := must(robust.NewProblem(problem.Dictionary(), box(-1, 1, -3, -2), sparsero.AffineMap{},
		robust.Constraint{Map: sparsero.Identity(2), Limit: 1}))(t)
	for rule, want := range map[robust.AtomRule]bool{robust.CoverageGain: false, robust.SmallestDeficit: false, robust.MostViolated: true} {
		promise := must(must(limited.Design(ctx, 3, 1, &robust.DesignOptions{Rule: rule}))(t).Solution.OutOfSample(ctx, 0.1))(t)
		if promise.Preference != want {
			t.Errorf("%v with a robust constraint: preference %v", rule, promise.Preference)
		}
	}
}

// TestOtherAtomsTakeNoPart: an atom that does no harm over X, however large, changes no bit of the decision of a promise.
func TestOtherAtomsTakeNoPart(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 9))
	for range 20 {
		atoms := rowsOf(normals(random, 12, 2))
		region := box(0.25, 1, random.NormFloat64(), random.NormFloat64())
		region.AddQuadratic(0, 0, 1)
		region.AddQuadratic(1, 1, random.Float64())
		few := sampledProblem(t, region, atoms...)
		more := sampledProblem(t, region, append(atoms, []float64{-1e7, -3e6})...)
		for _, solve := range []func(*robust.Problem) (*robust.Solution, error){
			func(p *robust.Problem) (*robust.Solution, error) { return p.SolveFull(ctx, 1, nil) },
			func(p *robust.Problem) (*robust.Solution, error) { return p.Solve(ctx, []int{3, 5}, 1, nil) },
		} {
			x := must(must(solve(few))(t).OutOfSample(ctx, 0.1))(t).X
			if got := must(must(solve(more))(t).OutOfSample(ctx, 0.1))(t).X; !slices.Equal(got, x) {
				t.Fatalf("%v, and %v with an atom that does no harm", x, got)
			}
		}
	}
}

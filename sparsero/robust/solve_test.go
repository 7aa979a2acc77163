package robust_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/certificate"
	"github.com/sparsero/directions/sparsero/robust"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// Φ_S evaluated from the definition at the returned point equals the optimum of
// the epigraph model with one row per atom, and the point lies in X.
func TestSolveAgreesWithTheModelInOnePiece(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(t)
		indices, radius := drawSubset(t, p.Dictionary().Size()), drawRadius(t)
		solution := get(p.Solve(ctx, indices, radius, nil))(t)
		model := get(p.Model(indices, radius))(t)
		result := get(solver.Solve(ctx, model, nil))(t)
		if err := result.Check(); err != nil {
			t.Fatal(err)
		}
		if !near(solution.Value, result.Objective) {
			t.Fatalf("Φ_S(x_S) = %v, epigraph model says %v", solution.Value, result.Objective)
		}
		if worst, where := p.Region().Violation(solution.X); worst > tolerance {
			t.Fatalf("x leaves X by %v at %s", worst, where)
		}
		want := 0
		for _, i := range indices {
			if counts(p.Map(), p.Dictionary().Atom(i)) {
				want++
			}
		}
		if solution.Rows != want {
			t.Fatalf("%d robust rows for %d atoms that count", solution.Rows, want)
		}
	})
}

// counts tells whether ⟨atom, q(x)⟩ has a term.
func counts(q sparsero.AffineMap, atom []float64) bool {
	for k, v := range atom {
		if v != 0 && (floats.Norm(q.Matrix.RawRowView(k), 1) > 0 || q.Constant != nil && q.Constant[k] != 0) {
			return true
		}
	}
	return false
}

// Cutting planes and the model with all N rows have the same value; what the
// solution reports about itself is consistent and certified.
func TestFullModelByCuttingPlanesEqualsAllRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, radius := drawProblem(t), drawRadius(t)
		options := &robust.Options{CutsPerRound: rapid.IntRange(1, 3).Draw(t, "k"), Start: drawSubset(t, p.Dictionary().Size())}
		full := get(p.SolveFull(ctx, radius, options))(t)
		whole := get(p.Solve(ctx, everyAtom(p.Dictionary()), radius, nil))(t)
		if !near(full.Value, whole.Value) {
			t.Fatalf("cutting planes %v, all rows %v", full.Value, whole.Value)
		}
		if !near(full.LowerBound.Float(), full.Value) || full.LowerBound.Float() > full.Value {
			t.Fatalf("lower bound %v for value %v", full.LowerBound.Float(), full.Value)
		}
		if !full.Full || full.Partial || !certified(full, tolerance*(1+radius)) {
			t.Fatalf("full model not certified: %+v", full.Certificate)
		}
		if full.Rounds > p.Dictionary().Size()+1 {
			t.Fatalf("%d rounds for %d atoms", full.Rounds, p.Dictionary().Size())
		}
	})
}

// Proposition 2.3 and its sharper form: the value gap and the regret of x_S add
// up to r Δ_S(q(x_S)), and r Δ_S(q(x_N)) bounds the gap from below.
func TestGapPlusRegretIsTheCertificate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, radius := drawProblem(t), drawRadius(t)
		indices := drawSubset(t, p.Dictionary().Size())
		restricted := get(p.Solve(ctx, indices, radius, nil))(t)
		full := get(p.SolveFull(ctx, radius, nil))(t)
		gap := full.Value - restricted.Value
		regret := restricted.FullValue() - full.Value
		if gap < -tolerance || regret < -tolerance {
			t.Fatalf("gap %v, regret %v: both must be at least 0", gap, regret)
		}
		if !near(gap+regret, restricted.Certificate.Bound.Float()) {
			t.Fatalf("gap %v + regret %v != certificate %v", gap, regret, restricted.Certificate.Bound)
		}
		set := get(sparsero.NewAtomicSet(p.Dictionary(), indices, radius))(t)
		least, most := get(certificate.NewPointwise(set, full.Direction))(t), get(certificate.NewPointwise(set, restricted.Direction))(t)
		if gap < least.Bound.Float()-tolerance || gap > most.Bound.Float()+tolerance {
			t.Fatalf("gap %v outside [%v, %v]", gap, least.Bound, most.Bound)
		}
		bound := get(restricted.GapBound())(t).Float()
		if gap > bound+tolerance || regret > bound+tolerance {
			t.Fatalf("gap %v or regret %v above the proven bound %v", gap, regret, bound)
		}
	})
}

// Corollary 2.4 in its exact form: the values coincide if and only if some
// minimiser of Φ_S has no deficit; the full minimiser is then one.
func TestValuesCoincideIffSomeMinimiserHasNoDeficit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, radius := drawProblem(t), drawRadius(t)
		indices := drawSubset(t, p.Dictionary().Size())
		restricted := get(p.Solve(ctx, indices, radius, nil))(t)
		full := get(p.SolveFull(ctx, radius, nil))(t)
		set := get(sparsero.NewAtomicSet(p.Dictionary(), indices, radius))(t)
		atFull := get(certificate.NewPointwise(set, full.Direction))(t)
		minimises := near(p.Objective(set, full.X), restricted.Value)
		equal := near(full.Value, restricted.Value)
		if equal && !(minimises && atFull.Bound.Float() <= 10*tolerance*(1+radius)) {
			t.Fatalf("equal values, but x_N has deficit %v and Φ_S %v against %v", atFull.Bound, p.Objective(set, full.X), restricted.Value)
		}
		if restricted.Certificate.Bound.Float() == 0 && !equal {
			t.Fatalf("no deficit at x_S, but values %v and %v", restricted.Value, full.Value)
		}
	})
}

// Interrupted cutting planes return the best point, marked Partial, with a lower
// bound that still holds.
func TestInterruptedCuttingPlanesKeepTheirBounds(t *testing.T) {
	interrupted := 0
	rapid.Check(t, func(t *rapid.T) {
		p, radius := drawProblem(t), drawRadius(t)
		exact := get(p.SolveFull(ctx, radius, nil))(t)
		limited, cancel := context.WithCancel(ctx)
		defer cancel()
		options, best := &robust.Options{CutsPerRound: 1}, math.Inf(1)
		rounds := rapid.IntRange(1, 3).Draw(t, "rounds")
		byContext := rapid.Bool().Draw(t, "by context")
		if !byContext {
			options.MaxRounds = rounds
		}
		options.Progress = func(r robust.Round) {
			if r.Best > best {
				t.Errorf("round %d has the value %v after %v", r.Number, r.Best, best)
			}
			if best = r.Best; byContext && r.Number == rounds {
				cancel()
			}
		}
		s := get(p.SolveFull(limited, radius, options))(t)
		if s.LowerBound.Float() > exact.Value+tolerance*(1+math.Abs(exact.Value)) || s.Value < exact.Value-tolerance*(1+math.Abs(exact.Value)) {
			t.Fatalf("exact value %v outside [%v, %v]", exact.Value, s.LowerBound.Float(), s.Value)
		}
		if s.Rounds > rounds {
			t.Fatalf("%d rounds, allowed %d", s.Rounds, rounds)
		}
		if s.Partial {
			interrupted++
		} else if !near(s.Value, exact.Value) {
			t.Fatalf("value %v is not the exact %v, but is not marked Partial", s.Value, exact.Value)
		}
	})
	if interrupted == 0 && !testing.Short() { // short runs draw too few cases to count on one
		t.Fatal("nothing was interrupted")
	}
}

// TestCutOffsKeepPointAndBound: over a dictionary, a convex set and an oracle, a run that rounds, the context or a limit of the solver end
// says Partial, and its point and bound hold against the whole run.
func TestCutOffsKeepPointAndBound(t *testing.T) {
	infeasible := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		problem, kind := drawLimited(t)
		full, err := problem.SolveFull(ctx, 1, nil)
		if errors.Is(err, solver.ErrInfeasible) {
			return
		}
		get(full, err)(t)
		within, cancel := context.WithCancel(ctx)
		defer cancel()
		options := &robust.Options{CutsPerRound: 1}
		switch rapid.SampledFrom([]string{"rounds", "context", "limit"}).Draw(t, "end") {
		case "rounds":
			options.MaxRounds = rapid.IntRange(1, 3).Draw(t, "rounds")
		case "context":
			options.Progress = func(robust.Round) { cancel() }
		default:
			options.Solver = &solver.Options{NodeLimit: 1}
		}
		cut, err := problem.SolveFull(within, 1, options)
		if errors.Is(err, solver.ErrLimit) && options.Solver != nil { // no point at all
			return
		}
		get(cut, err)(t)
		noise := 1e-6 * (1 + math.Abs(full.Value))
		if cut.LowerBound.Float() > full.Value+noise || cut.FullFeasible() && cut.Value < full.LowerBound.Float()-noise {
			t.Fatalf("%v [%v, %v], whole %v", cut, cut.LowerBound, cut.Value, full)
		}
		if gap, err := cut.GapBound(); !cut.Partial && options.Solver == nil && (err != nil || gap.Float() > noise) {
			t.Fatalf("%v is not Partial", cut)
		}
		if !cut.FullFeasible() {
			infeasible[kind]++
		}
	})
	if len(infeasible) < 3 && !testing.Short() { // short runs draw too few cases to count on one
		t.Errorf("runs that were cut off before a feasible point: %v", infeasible)
	}
}

// solvable is a problem over a dictionary, a convex set or an oracle.
type solvable interface {
	SolveFull(context.Context, float64, *robust.Options) (*robust.Solution, error)
}

// drawLimited returns a problem with a robust row, over integers too.
func drawLimited(t *rapid.T) (problem solvable, kind string) {
	set, region := drawConvex(t), drawRegion(t)
	region.SetInteger(0, rapid.Bool().Draw(t, "integer") && solvesIntegers)
	q := drawMap(t, set.Dim(), region.Columns())
	row := robust.Constraint{Name: "row", Nominal: numbers(t, region.Columns(), "nominal"), Map: drawMap(t, set.Dim(), region.Columns()), Limit: 1 + math.Abs(number(t, "limit"))}
	kind = rapid.SampledFrom([]string{"dictionary", "convex set", "oracle"}).Draw(t, "kind")
	if kind == "convex set" {
		return get(robust.NewConvex(set, region, q, row))(t), kind
	}
	atoms := mat.NewDense(rapid.IntRange(1, 12).Draw(t, "N"), set.Dim(), nil)
	for i := range atoms.RawMatrix().Rows {
		atoms.SetRow(i, numbers(t, set.Dim(), "atom"))
	}
	d := get(sparsero.NewDictionary(atoms, nil))(t)
	if kind == "oracle" {
		return get(over(elsewhere{d, 100}, get(robust.NewProblem(d, region, q, row))(t)))(t), kind
	}
	return get(robust.NewProblem(d, region, q, row))(t), kind
}

// What a round reports of the full model: an atom that does good counts as the null atom, and a constraint that is met with
// nothing to spare counts as met.
func TestRoundsReportTheFullModel(t *testing.T) {
	upper := math.Inf(-1)
	note := &robust.Options{CutsPerRound: 1, Progress: func(r robust.Round) {
		if r.Number == 1 {
			upper = r.Best
		}
	}}
	good := must(robust.NewProblem(dictionary(t, []float64{-1}), box(1, 2, 1), sparsero.Identity(1)))(t)
	must(good.SolveFull(ctx, 1, note))(t)
	if upper != 1 {
		t.Errorf("an atom that does good: upper bound %v, want 1", upper)
	}
	tight := robust.Constraint{Map: sparsero.AffineMap{Matrix: matrix([]float64{0})}}
	met := must(robust.NewProblem(dictionary(t, []float64{1}), box(1, 2, -1), sparsero.Identity(1), tight))(t)
	must(met.SolveFull(ctx, 0.5, note))(t)
	if upper != -1 {
		t.Errorf("a constraint with nothing to spare: upper bound %v, want -1", upper)
	}
}

// Coefficients that are not exact, 0.1 times 0.3, protect also where a column has no bound.
func TestInexactRowsBindWithoutBounds(t *testing.T) {
	region := solver.NewModel("half-line")
	region.AddColumn(solver.Column{Bounds: solver.AtLeast(0), Cost: -1})
	limit := robust.Constraint{Map: sparsero.AffineMap{Matrix: matrix([]float64{0.3})}, Limit: 1}
	p := must(robust.NewProblem(dictionary(t, []float64{0.1}), region, sparsero.AffineMap{}, limit))(t)
	if s := must(p.Solve(ctx, []int{0}, 1, nil))(t); !near(s.X[0], 1/0.03) {
		t.Errorf("x = %v, want 33.3", s.X)
	}
}

// A constraint that is missed by less than 1e-6 of its terms, here 1e-3 beside 1000 and 1000, counts as met.
func TestSmallMissesBesideLargeTermsCountAsMet(t *testing.T) {
	region := solver.NewModel("one point")
	region.AddColumn(solver.Column{Bounds: solver.Equal(1000)})
	balance := robust.Constraint{Map: sparsero.AffineMap{Matrix: matrix([]float64{1}, []float64{0}), Constant: []float64{0, -1000}}}
	p := must(robust.NewProblem(dictionary(t, []float64{1, 1}, []float64{1 + 1e-6, 1}), region, sparsero.AffineMap{}, balance))(t)
	if s := must(p.SolveFull(ctx, 1, nil))(t); !s.FullFeasible() || len(s.Atoms) != 0 {
		t.Errorf("atoms %v, constraint %+v", s.Atoms, s.Constraints[0])
	}
}

// A direction q(x) beyond float64 is an error, not a certificate.
func TestDirectionsBeyondFloat64AreRefused(t *testing.T) {
	q := sparsero.AffineMap{Matrix: matrix([]float64{1e308})}
	p := must(robust.NewProblem(dictionary(t, []float64{1e-300}), box(10, 10, 1), q))(t)
	_, err := p.Solve(ctx, nil, 1, nil)
	checkMessage(t, "Solve", err, "q(x)")
	_, err = p.SolveFull(ctx, 1, nil)
	checkMessage(t, "SolveFull", err, "q(x)")
	_, err = p.Evaluate(nil, 1, []float64{10})
	checkMessage(t, "Evaluate", err, "q(x)")
}

// What a problem returns are copies: writing to them changes no problem.
func TestProblemsDoNotChange(t *testing.T) {
	q := must(sparsero.NewAffineMap(matrix([]float64{1}), []float64{2}))(t)
	p := must(robust.NewProblem(dictionary(t, []float64{1}), box(0, 1, 1), q, robust.Constraint{Nominal: []float64{1}, Map: q, Limit: 10}))(t)
	for _, c := range append(p.Constraints(), robust.Constraint{Map: p.Map(), Nominal: []float64{0}}) {
		c.Nominal[0], c.Map.Constant[0] = 77, 55
		c.Map.Matrix.Set(0, 0, 33)
	}
	p.Region().SetCost(0, 22)
	c := p.Constraints()[0]
	for name, kept := range map[string]sparsero.AffineMap{"q": p.Map(), "q of the constraint": c.Map} {
		if kept.Matrix.At(0, 0) != 1 || kept.Constant[0] != 2 {
			t.Errorf("%s is now %v x + %v", name, kept.Matrix.At(0, 0), kept.Constant)
		}
	}
	if c.Nominal[0] != 1 || p.Region().Column(0).Cost != 1 {
		t.Errorf("nominal part %v, cost %v", c.Nominal, p.Region().Column(0).Cost)
	}
}

// TestTermsBelowFloat64AreTerms: the worst alignment is 1e-350, which a radius of 1e200 makes count. The column for it once ended at
// 0, and the model was called infeasible.
func TestTermsBelowFloat64AreTerms(t *testing.T) {
	p := must(robust.NewProblem(dictionary(t, []float64{1e-250}), box(1e-100, 2e-100, -1), sparsero.Identity(1)))(t)
	s := must(p.Solve(ctx, []int{0}, 1e200, nil))(t)
	if bound := s.LowerBound.Float(); !near(bound/1e-100, -2) || bound > -2e-100 {
		t.Errorf("%v, lower bound %v, want about -2e-100", s, bound)
	}
}

// TestHarmBelowFloat64IsRefused: every decision does harm of 1e50 to a limit of 1, by terms of q(x) of 1e-350, which once counted as none:
// the full model had a decision, certified, at every radius.
func TestHarmBelowFloat64IsRefused(t *testing.T) {
	q := sparsero.AffineMap{Matrix: matrix([]float64{1e-200})}
	p := must(robust.NewProblem(dictionary(t, []float64{1e200}), box(1e-150, 2e-150, 0), sparsero.AffineMap{}, robust.Constraint{Map: q, Limit: 1}))(t)
	objective := must(robust.NewProblem(dictionary(t, []float64{1e200}), box(1e-150, 2e-150, 0), q))(t)
	_, solved := p.SolveFull(ctx, 1e200, nil)
	_, explained := p.ExplainFull(ctx, 1e200, nil)
	_, designed := objective.Design(ctx, 1, 1e200, nil)
	for name, err := range map[string]error{"SolveFull": solved, "ExplainFull": explained, "Design": designed} {
		if err == nil || !strings.Contains(err.Error(), "other units") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestALimitThatIsReachedAsksForNoRow: at x = 1 the row is met to the last digit, as far as it may go.
func TestALimitThatIsReachedAsksForNoRow(t *testing.T) {
	var rows []int
	for _, limit := range []float64{1, 9} {
		p := must(robust.NewProblem(dictionary(t, []float64{1}), box(0, 1, -2), sparsero.Identity(1),
			robust.Constraint{Name: "load", Map: sparsero.Identity(1), Limit: limit}))(t)
		s := must(p.SolveFull(ctx, 1, nil))(t)
		if s.Value != -1 || !s.FullFeasible() {
			t.Errorf("limit %v: %v", limit, s)
		}
		rows = append(rows, s.Rows)
	}
	if rows[0] != rows[1] {
		t.Errorf("%d rows with a limit that is reached, %d with one that is not", rows[0], rows[1])
	}
}

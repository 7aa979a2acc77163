package robust_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/certificate"
	"github.com/sparsero/directions/sparsero/convex"
	"github.com/sparsero/directions/sparsero/robust"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

func drawConvex(t *rapid.T) convex.Set {
	p := rapid.IntRange(1, 3).Draw(t, "p")
	radius := float64(rapid.IntRange(1, 8).Draw(t, "4ρ")) / 4
	switch rapid.IntRange(0, 8).Draw(t, "set") {
	case 0:
		return get(convex.NewBall(p, 1, radius))(t)
	case 1:
		return get(convex.NewBall(p, math.Inf(1), radius))(t)
	case 2:
		return get(convex.NewBall(p, 2, radius))(t)
	case 3:
		m := solver.NewModel("set")
		for range p {
			m.AddColumn(solver.Column{Bounds: solver.Between(-radius, 1)})
		}
		m.AddRow(solver.Row{Bounds: solver.AtMost(1), Columns: []int{0, p - 1}[:min(p, 2)], Values: []float64{1, 1}[:min(p, 2)]})
		return get(convex.NewPolyhedron(ctx, m, nil))(t)
	case 4:
		widths := rapid.SliceOfN(rapid.Float64Range(0, 2), p, p).Draw(t, "widths")
		return get(convex.NewBudget(widths, float64(rapid.IntRange(1, 4*p).Draw(t, "4Γ"))/4))(t)
	case 5:
		root, covariance := mat.NewDense(p, p, numbers(t, p*p, "root")), mat.NewSymDense(p, nil)
		covariance.SymOuterK(1, root)
		for k := range p {
			covariance.SetSym(k, k, covariance.At(k, k)+1)
		}
		return get(convex.NewEllipsoid(covariance, radius))(t)
	case 6:
		_, ball, err := convex.NewWasserstein(mat.NewDense(2, p, numbers(t, 2*p, "samples")), 1, radius)
		return get(ball, err)(t)
	case 7:
		return drawCVaR(t, p)
	}
	return get(convex.NewBudget(make([]float64, p), 1))(t) // {0}
}

func drawCVaR(t *rapid.T, scenarios int) convex.Set {
	probabilities, sum := []float64(nil), 0.0
	if rapid.Bool().Draw(t, "weighted") {
		for range scenarios {
			probabilities = append(probabilities, float64(rapid.IntRange(1, 9).Draw(t, "p")))
			sum += probabilities[len(probabilities)-1]
		}
		for i := range probabilities {
			probabilities[i] /= sum
		}
	}
	_, set, err := convex.NewCVaR(scenarios, probabilities, float64(rapid.IntRange(0, 99).Draw(t, "100α"))/100)
	return get(set, err)(t)
}

// TestGapPlusRegretOverConvexSets: gap + regret = r (h_U(q(x_S)) - h_S(q(x_S))) for the few points of a design, GapBound is
// not below it, and a certified design has the value of the full model.
func TestGapPlusRegretOverConvexSets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		set, region, radius := drawConvex(t), drawRegion(t), drawRadius(t)
		q := drawMap(t, set.Dim(), region.Columns())
		s := get(robust.NewConvex(set, region, q))(t)
		full := get(s.SolveFull(ctx, radius, nil))(t)
		bound := get(full.GapBound())(t).Float()
		if bound > 1e-5*(1+math.Abs(full.Value)+radius) {
			t.Fatalf("%v leaves %v open", full, bound)
		}
		budget := rapid.IntRange(1, 6).Draw(t, "B")
		design := get(s.Design(ctx, budget, radius, &robust.DesignOptions{Rule: robust.MostViolated}))(t)
		few := design.Solution
		atomic := get(sparsero.NewAtomicSet(few.Problem().Dictionary(), few.Atoms, radius))(t)
		truth := region.Objective(few.X) + radius*set.Support(q.Apply(few.X))
		gap, regret := full.Value-few.Value, truth-full.Value
		missing := radius*set.Support(q.Apply(few.X)) - atomic.Support(q.Apply(few.X))
		if !near(gap+regret, missing) {
			t.Fatalf("gap %v + regret %v is not %v", gap, regret, missing)
		}
		noise := 1e-12 * (1 + math.Abs(truth) + radius) // of truth, which is not rounded outwards
		if open := get(few.GapBound())(t).Float(); full.LowerBound.Float()-few.Value > open || regret > open+noise {
			t.Fatalf("gap %v, regret %v above the bound %v", gap, regret, open)
		}
		if design.Certified && !near(few.Value, full.Value) {
			t.Fatalf("certified %v, full %v", few, full)
		}
		if len(design.Atoms) > budget {
			t.Fatalf("%d points for a budget of %d", len(design.Atoms), budget)
		}
	})
}

// TestClaimsOverConvexSetsInAnyUnit: value, certificate and feasibility are those of the set, by its support, and not those of
// the points that came, in whatever units the coordinates are.
func TestClaimsOverConvexSetsInAnyUnit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.IntRange(2, 3).Draw(t, "p")
		root, covariance := mat.NewDense(p, p, numbers(t, p*p, "root")), mat.NewSymDense(p, nil)
		covariance.SymOuterK(1, root)
		region := solver.NewModel("units")
		units := make([]float64, p)
		for k := range units {
			units[k] = math.Ldexp(1, rapid.IntRange(-40, 40).Draw(t, "unit"))
		}
		for k, unit := range units {
			for j := range k + 1 {
				v := covariance.At(j, k)
				if j == k {
					v++
				}
				covariance.SetSym(j, k, v*units[j]*unit)
			}
			region.AddColumn(solver.Column{Bounds: solver.Between(0.25/unit, 8/unit), Cost: number(t, "cost") * unit})
		}
		set, q, radius := get(convex.NewEllipsoid(covariance, 1))(t), sparsero.Identity(p), 0.25+math.Abs(number(t, "r"))
		covers := func(name string, c certificate.Pointwise, s *robust.Solution) {
			chosen := get(sparsero.NewAtomicSet(s.Problem().Dictionary(), s.Atoms, 1))(t).Support(s.X)
			if missed := radius * (set.Support(s.X) - chosen); c.Bound.Float() < missed-1e-15*radius*chosen {
				t.Fatalf("%s: certificate %v, missed %v", name, c.Bound, missed)
			}
		}
		objective := get(robust.NewConvex(set, region, q))(t)
		full := get(objective.SolveFull(ctx, radius, nil))(t)
		few := get(objective.Design(ctx, rapid.IntRange(1, 3).Draw(t, "B"), radius, &robust.DesignOptions{Rule: robust.MostViolated}))(t).Solution
		for name, s := range map[string]*robust.Solution{"full": full, "few": few} {
			covers(name, s.Certificate, s)
			if truth := region.Objective(s.X) + radius*set.Support(s.X); s.FullValue() < truth-1e-14*(1+math.Abs(truth)) {
				t.Fatalf("%s: full value %v, truth %v", name, s.FullValue(), truth)
			}
		}
		limit := radius * set.Support(full.X)
		row := robust.Constraint{Name: "row", Map: q, Limit: limit}
		s := get(get(robust.NewConvex(set, region, sparsero.AffineMap{}, row))(t).SolveFull(ctx, radius, nil))(t)
		covers("row", s.Constraints[0].Certificate, s)
		if truth := radius * set.Support(s.X); s.Constraints[0].Full < truth*(1-1e-15) || !s.FullFeasible() || truth > limit*(1+2e-6) {
			t.Fatalf("row: %v of %v, truth %v", s.Constraints[0].Full, limit, truth)
		}
	})
}

// budgetCounterpart is that of Bertsimas and Sim: min c'x + r (Γ z + Σ p_k), z + p_k >= w_k |q_k(x)|, z, p >= 0.
func budgetCounterpart(region *solver.Model, q sparsero.AffineMap, widths []float64, gamma, radius float64) *solver.Model {
	m := region.Clone()
	n := m.Columns()
	z := m.AddColumn(solver.Column{Bounds: solver.AtLeast(0), Cost: radius * gamma})
	for k, w := range widths {
		part := m.AddColumn(solver.Column{Bounds: solver.AtLeast(0), Cost: radius})
		for _, sign := range []float64{1, -1} {
			row := solver.Row{Columns: []int{z, part}, Values: []float64{1, 1}}
			for j := range n {
				row.Columns, row.Values = append(row.Columns, j), append(row.Values, -sign*w*q.Matrix.At(k, j))
			}
			limit := 0.0
			if q.Constant != nil {
				limit = sign * w * q.Constant[k]
			}
			row.Bounds = solver.AtLeast(limit)
			m.AddRow(row)
		}
	}
	return m
}

// TestBudgetEqualsItsCounterpart, with boxes and 1-norm balls among the budgets, in the objective and as a constraint.
func TestBudgetEqualsItsCounterpart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		region, radius := drawRegion(t), drawRadius(t)
		p := rapid.IntRange(1, 3).Draw(t, "p")
		q, widths := drawMap(t, p, region.Columns()), make([]float64, p)
		for k := range widths {
			widths[k] = math.Abs(number(t, "width"))
		}
		gamma := float64(rapid.IntRange(1, 4*p).Draw(t, "4Γ")) / 4
		set := get(convex.NewBudget(widths, gamma))(t)
		want := get(solver.Solve(ctx, budgetCounterpart(region, q, widths, gamma, radius), nil))(t)
		full := get(get(robust.NewConvex(set, region, q))(t).SolveFull(ctx, radius, nil))(t)
		if !near(full.Value, want.Objective) {
			t.Fatalf("value %v, counterpart %v", full.Value, want.Objective)
		}
		// The same as a constraint: t >= c'x + worst case is minimised, t the last column.
		epigraph := region.WithoutObjective()
		top := epigraph.AddColumn(solver.Column{Bounds: solver.Between(-1000, 1000), Cost: 1})
		nominal, wide := make([]float64, top+1), mat.NewDense(p, top+1, nil)
		for j := range top {
			nominal[j] = region.Column(j).Cost
		}
		nominal[top] = -1
		wide.Slice(0, p, 0, top).(*mat.Dense).Copy(q.Matrix)
		row := robust.Constraint{Name: "cost", Nominal: nominal, Map: sparsero.AffineMap{Matrix: wide, Constant: q.Constant}, Limit: -region.Offset()}
		again := get(get(robust.NewConvex(set, epigraph, sparsero.AffineMap{}, row))(t).SolveFull(ctx, radius, nil))(t)
		if !near(again.Value, want.Objective) {
			t.Fatalf("as a constraint %v, counterpart %v", again.Value, want.Objective)
		}
	})
}

// TestEllipsoidEqualsItsQuadraticCounterpart: with b = 0 the robust value is ρ √(min x'Σx), a quadratic program.
func TestEllipsoidEqualsItsQuadraticCounterpart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 4).Draw(t, "n")
		root := mat.NewDense(n, n, numbers(t, n*n, "root"))
		covariance := mat.NewDense(n, n, nil)
		covariance.Mul(root, root.T())
		region := solver.NewModel("portfolio")
		row := solver.Row{Bounds: solver.Equal(1)}
		for j := range n {
			covariance.Set(j, j, covariance.At(j, j)+0.5)
			row.Columns, row.Values = append(row.Columns, region.AddColumn(solver.Column{Bounds: solver.Between(0, 1)})), append(row.Values, 1)
		}
		region.AddRow(row)
		quadratic := region.Clone()
		for i := range n {
			for j := range i + 1 {
				value := covariance.At(i, j)
				if i != j {
					value *= 2
				}
				quadratic.AddQuadratic(i, j, value)
			}
		}
		want := get(solver.Solve(ctx, quadratic, nil))(t)
		set := get(convex.NewEllipsoid(covariance, 2))(t)
		full := get(get(robust.NewConvex(set, region, sparsero.Identity(n)))(t).SolveFull(ctx, 1, nil))(t)
		if value := 2 * math.Sqrt(want.Objective); math.Abs(full.Value-value) > 1e-5*(1+value) {
			t.Fatalf("value %v, quadratic program %v", full.Value, value)
		}
	})
}

// TestAround: a mean in the nominal part has the value of a set that is moved by it.
func TestAround(t *testing.T) {
	region := box(0, 1, 1, -1)
	region.AddRow(solver.Row{Bounds: solver.Equal(1), Columns: []int{0, 1}, Values: []float64{1, 1}})
	q := sparsero.Identity(2)
	moved, rows, err := robust.Around([]float64{-1, 3}, region, q, robust.Constraint{Map: sparsero.AffineMap{Matrix: q.Matrix, Constant: []float64{1, 1}}, Limit: 5})
	if err != nil {
		t.Fatal(err)
	}
	if moved.Column(0).Cost != 0 || moved.Column(1).Cost != 2 || rows[0].Limit != 3 || rows[0].Nominal[1] != 3 {
		t.Errorf("%v %+v", moved, rows)
	}
	given := []float64{10, 20}
	if _, rows, err = robust.Around([]float64{-1, 3}, region, q, robust.Constraint{Map: q, Nominal: given}); err != nil || !slices.Equal(rows[0].Nominal, []float64{9, 23}) || given[0] != 10 {
		t.Errorf("the nominal part is %v, and %v was given: %v", rows[0].Nominal, given, err)
	}
	own := robust.Constraint{Map: q, Limit: 5, Dictionary: must(sparsero.NewDictionary(mat.NewDense(1, 2, []float64{1, 2}), nil))(t)}
	if _, rows, err = robust.Around([]float64{-1, 3}, region, q, own); err != nil || rows[0].Limit != 5 || rows[0].Nominal != nil {
		t.Errorf("atoms of another perturbation are moved: %+v, %v", rows, err)
	}
	for name, c := range map[string]robust.Constraint{
		"short":        {Name: "short", Map: q, Nominal: []float64{1}},
		"constraint 0": {Map: q, Nominal: []float64{1}},
		"long":         {Name: "long", Map: q, Nominal: []float64{1, 1, 1}},
		"constant":     {Name: "constant", Map: sparsero.AffineMap{Matrix: q.Matrix, Constant: []float64{1}}},
	} {
		if _, _, err := robust.Around([]float64{-1, 3}, region, q, c); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, of := range []sparsero.AffineMap{q, {}} {
		if _, _, err := robust.Around([]float64{-1, 3}, nil, of); err == nil || !strings.Contains(err.Error(), "region is nil") {
			t.Errorf("without a region: %v", err)
		}
	}
	if _, _, err := robust.Around([]float64{1}, region, q); err == nil || !strings.Contains(err.Error(), "mean") {
		t.Error(err)
	}
}

// foreign is a set that no file has a form for.
type foreign struct{ convex.Set }

// nowhere is a set that has no bound.
type nowhere struct{ convex.Set }

func (nowhere) Dim() int                      { return 1 }
func (nowhere) Support(s []float64) float64   { return math.Inf(1) }
func (nowhere) WorstCase([]float64) []float64 { return []float64{math.NaN()} }

func TestConvexRefuses(t *testing.T) {
	ball, _ := convex.NewBall(2, 2, 1)
	region, q := box(0, 1, 1, 1), sparsero.Identity(2)
	s := must(robust.NewConvex(ball, region, q))(t)
	failed := func(_ any, err error) error { return err }
	for want, err := range map[string]error{
		"set":          failed(robust.NewConvex(nil, region, q)),
		"coordinate 0": failed(robust.NewConvex(nowhere{}, region, sparsero.AffineMap{Matrix: matrix([]float64{1, 1})})),
		"q":            failed(robust.NewConvex(ball, region, sparsero.Identity(1))),
		"rule":         failed(s.Design(ctx, 1, 1, &robust.DesignOptions{Rule: robust.CoverageGain})),
		"file":         must(must(robust.NewConvex(foreign{ball}, region, q))(t).SolveFull(ctx, 1, nil))(t).Save(t.TempDir()+"/x.json", nil),
		"dictionary":   failed(robust.NewConvex(ball, region, q, robust.Constraint{Dictionary: dictionary(t, []float64{1})})),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want an error with %q, got %v", want, err)
		}
	}
}

// A tolerance counts for robust constraints, too: a finer one leaves less of a violation, and less of a gap.
func TestToleranceOfRobustConstraints(t *testing.T) {
	const n = 12
	random := rand.New(rand.NewPCG(3, 1))
	factor, covariance := mat.NewDense(n, n, nil), mat.NewDense(n, n, nil)
	factor.Apply(func(_, _ int, _ float64) float64 { return random.NormFloat64() / 4 }, factor)
	covariance.Mul(factor, factor.T())
	region, nominal := solver.NewModel("mix"), make([]float64, n)
	for j := range n {
		region.AddColumn(solver.Column{Bounds: solver.Between(0, 10), Cost: -1 - random.Float64()})
		nominal[j] = 1 + random.Float64()
	}
	c := robust.Constraint{Nominal: nominal, Map: sparsero.Identity(n), Limit: 10}
	p := must(robust.NewConvex(must(convex.NewEllipsoid(covariance, 1))(t), region, sparsero.AffineMap{}, c))(t)
	for _, tolerance := range []float64{1e-5, 1e-7, 1e-9} {
		s := must(p.SolveFull(ctx, 1, &robust.Options{Tolerance: tolerance}))(t)
		row, gap := s.Constraints[0], must(s.GapBound())(t).Float()
		terms := row.Size
		if violation := math.Max(0, row.Full-row.Limit); violation > math.Max(math.Min(tolerance, 1e-6), 2e-9)*terms || gap > 10*violation+1e-7 {
			t.Errorf("tolerance %g: violation %g of terms of %g, gap %g", tolerance, violation, terms, gap)
		}
	}
}

// TestCostsThatAreTiny: the program of the whole set has the minimum 0, which costs of 1e-9 leave open by their rounding, and without atoms
// there is none. The campaign of seed 1, problem 7317, found it called unbounded.
func TestCostsThatAreTiny(t *testing.T) {
	region := solver.NewModel("tiny")
	region.AddColumn(solver.Column{Bounds: solver.AtMost(5), Cost: 7e-10})
	region.AddColumn(solver.Column{Bounds: solver.Between(-0.6, 2), Cost: 2e-9})
	for _, gamma := range []float64{1, 2} {
		set := must(convex.NewBudget([]float64{0.6, 2}, gamma))(t)
		s := must(must(robust.NewConvex(set, region, sparsero.Identity(2)))(t).SolveFull(ctx, 1, nil))(t)
		if bound := must(s.GapBound())(t); math.Abs(s.Value) > 1e-12 || bound.Float() > 1e-12 {
			t.Errorf("Γ=%v: %v, gap at most %v", gamma, s, bound)
		}
	}
}

// TestNothingIsBestOverAnEllipsoid: where the harm of a step outweighs what it saves, 0 is the optimum, which a solver
// meets up to what the bounds of the columns leave of rounding.
func TestNothingIsBestOverAnEllipsoid(t *testing.T) {
	for seed := range uint64(60) {
		random := rand.New(rand.NewPCG(seed, 9))
		n := 1 + random.IntN(3)
		root, covariance, q := mat.NewDense(n, n, nil), mat.NewSymDense(n, nil), mat.NewDense(n, n, nil)
		region := solver.NewModel("better not to begin")
		for k := range n {
			for j := range n {
				root.Set(k, j, math.Round(40*random.NormFloat64())/10)
				q.Set(k, j, math.Round(random.NormFloat64()*10)/10)
			}
			root.Set(k, k, root.At(k, k)+20)
			q.Set(k, k, q.At(k, k)+5)
			region.AddColumn(solver.Column{Bounds: solver.Between(-2, 1.5), Cost: math.Round(random.NormFloat64()*100) / 100})
		}
		covariance.SymOuterK(1, root)
		set := must(convex.NewEllipsoid(covariance, 1))(t)
		s, err := must(robust.NewConvex(set, region, sparsero.AffineMap{Matrix: q}))(t).SolveFull(ctx, 1, nil)
		if err != nil {
			t.Fatal(err)
		}
		if bound, err := s.GapBound(); s.Partial || s.Value != 0 || err != nil || bound.Float() > 1e-13 {
			t.Errorf("seed %d: %v at %v, %v", seed, s, s.X, err)
		}
	}
}

// TestNothingIsOutOfX: a row keeps X from 0, which is beside the point of a solver where the bounds are wide.
func TestNothingIsOutOfX(t *testing.T) {
	d := dictionary(t, []float64{5, 0}, []float64{-5, 1}, []float64{0, 5}, []float64{1, -5}, []float64{3, 3})
	for _, c := range []struct {
		wide, least float64
		costs, row  []float64
		q           *mat.Dense
	}{
		{1e15, 0.5, []float64{4, 4}, []float64{3, 1.5}, matrix([]float64{3, -3}, []float64{-2, 2})},
		{1e7, 1e-9, []float64{-2, -3}, []float64{1, 0.5}, matrix([]float64{3, 3}, []float64{2, 2})},
	} {
		region := box(-c.wide, c.wide, c.costs...)
		region.AddRow(solver.Row{Bounds: solver.AtLeast(c.least), Columns: []int{0, 1}, Values: c.row})
		s := must(must(robust.NewProblem(d, region, sparsero.AffineMap{Matrix: c.q}))(t).SolveFull(ctx, 1, nil))(t)
		if missed, where := region.Violation(s.X); missed > c.least/1000 {
			t.Errorf("%v: %s", s, where)
		}
	}
}

// TestFarBoundsHideNoViolation: no x in X keeps to the constraint, as it asks for y >= 0.05 and 21 x + 244 y <= -2.
// Beside the terms that bounds of 10^14 allow, a violation of 12 once counted as none.
func TestFarBoundsHideNoViolation(t *testing.T) {
	region := solver.NewModel("far")
	region.AddColumn(solver.Column{Bounds: solver.Between(0, 1e13)})
	region.AddColumn(solver.Column{Bounds: solver.Between(-1e14, 1e14)})
	region.AddRow(solver.Row{Bounds: solver.AtLeast(-1), Columns: []int{0, 1}, Values: []float64{-2, -4. / 3}})
	q := sparsero.AffineMap{Matrix: matrix([]float64{-3, 4}, []float64{3, 100})}
	row := robust.Constraint{Nominal: []float64{0, -40}, Map: q, Limit: -2}
	p := must(robust.NewProblem(dictionary(t, []float64{-2, -4}, []float64{-4, 3}), region, q, row))(t)
	if s, err := p.SolveFull(ctx, 1, nil); !errors.Is(err, solver.ErrInfeasible) {
		t.Errorf("%v, %v", s, err)
	}
}

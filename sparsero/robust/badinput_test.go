package robust_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/robust"
	"gonum.org/v1/gonum/mat"
)

func TestNewProblemRejectsBadInput(t *testing.T) {
	d := dictionary(t, []float64{1, 0}, []float64{0, 1})
	q := sparsero.Identity(2)
	maximised := box(0, 1, 1, 1)
	maximised.SetMaximize(true)
	broken := box(0, 1, 1, 1)
	broken.AddColumn(solver.Column{Bounds: solver.Between(math.NaN(), 1)})
	constraint := robust.Constraint{Map: q, Limit: 1}
	with := func(change func(*robust.Constraint)) []robust.Constraint {
		c := constraint
		change(&c)
		return []robust.Constraint{c}
	}
	for _, test := range []struct {
		name        string
		dictionary  *sparsero.Dictionary
		region      *solver.Model
		q           sparsero.AffineMap
		constraints []robust.Constraint
		want        string
	}{
		{"nil dictionary", nil, box(0, 1, 1, 1), q, nil, "dictionary"},
		{"nil region", d, nil, q, nil, "region"},
		{"no columns", d, solver.NewModel("empty"), q, nil, "region"},
		{"invalid region", d, broken, q, nil, "region"},
		{"maximised region", d, maximised, q, nil, "region"},
		{"nothing uncertain", d, box(0, 1, 1, 1), sparsero.AffineMap{}, nil, "uncertain"},
		{"q with too few columns", d, box(0, 1, 1, 1, 1), q, nil, "q"},
		{"q with too many rows", d, box(0, 1, 1, 1, 1), sparsero.Identity(3), nil, "q"},
		{"q not finite", d, box(0, 1, 1, 1), sparsero.AffineMap{Matrix: mat.NewDense(2, 2, []float64{1, math.NaN(), 0, 1})}, nil, "q"},
		{"q with a short constant", d, box(0, 1, 1, 1), sparsero.AffineMap{Matrix: mat.NewDense(2, 2, nil), Constant: []float64{1}}, nil, "constant"},
		{"constraint without q", d, box(0, 1, 1, 1), q, with(func(c *robust.Constraint) { c.Map = sparsero.AffineMap{} }), "constraint 0"},
		{"short nominal", d, box(0, 1, 1, 1), q, with(func(c *robust.Constraint) { c.Nominal = []float64{1} }), "Nominal"},
		{"nominal not finite", d, box(0, 1, 1, 1), q, with(func(c *robust.Constraint) { c.Nominal = []float64{1, math.Inf(1)} }), "Nominal"},
		{"limit not finite", d, box(0, 1, 1, 1), q, with(func(c *robust.Constraint) { c.Limit = math.Inf(1) }), "Limit"},
	} {
		_, err := robust.NewProblem(test.dictionary, test.region, test.q, test.constraints...)
		checkMessage(t, test.name, err, test.want)
	}
}

// TestNilContexts: a nil context stands for context.Background() in every method.
func TestNilContexts(t *testing.T) {
	sampled := must(dictionary(t, []float64{1, 0}, []float64{0, 1}, []float64{-1, 0}, []float64{0, -1}).AsSampled())(t)
	p := must(robust.NewProblem(sampled, box(-1, 1, -0.3, -0.2), sparsero.Identity(2)))(t)
	limited := must(robust.NewProblem(sampled, box(-1, 1, -0.3, -0.2), sparsero.Identity(2), robust.Constraint{Name: "row", Map: sparsero.Identity(2), Limit: 1}))(t)
	behind := must(over(elsewhere{sampled, 4}, p))(t)
	few, all := []int{0, 1}, everyAtom(sampled)
	for name, call := range map[string]func(ctx context.Context) (any, error){
		"Solve":     func(ctx context.Context) (any, error) { return p.Solve(ctx, few, 1, nil) },
		"SolveFull": func(ctx context.Context) (any, error) { return p.SolveFull(ctx, 1, nil) },
		"Design":    func(ctx context.Context) (any, error) { return p.Design(ctx, 4, 1, nil) },
		"Tune": func(ctx context.Context) (any, error) {
			return p.Tune(ctx, nil, robust.Demands{Violation: 0.99, Delta: 0.9, Gap: 0.9}, nil)
		},
		"SolveSafe":   func(ctx context.Context) (any, error) { return p.SolveSafe(ctx, all, 1, nil) },
		"Ladder":      func(ctx context.Context) (any, error) { return p.Ladder(ctx, few, 1, nil) },
		"OutOfSample": func(ctx context.Context) (any, error) { return must(p.SolveFull(ctx, 1, nil))(t).OutOfSample(ctx, 0.1) },
		"Explain":     func(ctx context.Context) (any, error) { return limited.Explain(ctx, few, 9, nil) },
		"ExplainFull": func(ctx context.Context) (any, error) { return limited.ExplainFull(ctx, 9, nil) },
		"NewOracleProblem": func(ctx context.Context) (any, error) {
			return robust.NewOracleProblem(ctx, elsewhere{sampled, 4}, box(-1, 1, -0.3, -0.2), sparsero.Identity(2))
		},
		"over an oracle":        func(ctx context.Context) (any, error) { return behind.SolveFull(ctx, 1, nil) },
		"design over an oracle": func(ctx context.Context) (any, error) { return behind.Design(ctx, 4, 1, nil) },
	} {
		if _, err := call(nil); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestZeroSolutionsClaimNothing: what no method returned is neither feasible nor bounded nor saved.
func TestZeroSolutionsClaimNothing(t *testing.T) {
	s := &robust.Solution{}
	if gap, err := s.GapBound(); err == nil && !math.IsInf(gap.Float(), 1) || s.FullFeasible() || !math.IsInf(s.FullValue(), 1) || !math.IsInf(s.LowerBound.Float(), -1) {
		t.Errorf("gap %v, feasible %v, value %v, lower bound %v", gap, s.FullFeasible(), s.FullValue(), s.LowerBound)
	}
	if s.Problem() != nil || s.Labels() != nil {
		t.Errorf("problem %v, labels %v", s.Problem(), s.Labels())
	}
	_, noDual := s.Dual()
	_, noPromise := s.OutOfSample(ctx, 0.1)
	_, noRadii := s.RequiredRadii(mat.NewDense(1, 1, nil))
	checkMessage(t, "dual", noDual, "no method of Problem")
	checkMessage(t, "promise", noPromise, "no method of Problem")
	checkMessage(t, "radii", noRadii, "no method of Problem")
	checkMessage(t, "file", s.Save("none.json", nil), "no method of Problem")
	for _, words := range []string{s.String(), (&robust.Tuned{}).String()} {
		if !strings.Contains(words, "at most +Inf") {
			t.Errorf("a zero value says %q", words)
		}
	}
}

func checkMessage(t *testing.T, name string, err error, want string) {
	t.Helper()
	if err == nil {
		t.Errorf("%s: no error", name)
		return
	}
	if !strings.Contains(err.Error(), want) {
		t.Errorf("%s: %q does not mention %q", name, err, want)
	}
}

func TestSolveRejectsBadInput(t *testing.T) {
	p := must(robust.NewProblem(dictionary(t, []float64{1, 0}, []float64{0, 1}), box(-1, 1, 0, 0), sparsero.Identity(2)))(t)
	for _, test := range []struct {
		name    string
		indices []int
		radius  float64
		options *robust.Options
		want    string
	}{
		{"negative radius", nil, -1, nil, "radius"},
		{"NaN radius", nil, math.NaN(), nil, "radius"},
		{"infinite radius", nil, math.Inf(1), nil, "radius"},
		{"index too large", []int{2}, 1, nil, "indices"},
		{"null atom as index", []int{sparsero.NullAtom}, 1, nil, "indices"},
		{"repeated index", []int{1, 1}, 1, nil, "indices"},
		{"tolerance", nil, 1, &robust.Options{Tolerance: 2}, "Tolerance"},
		{"cuts", nil, 1, &robust.Options{CutsPerRound: -1}, "CutsPerRound"},
		{"rounds", nil, 1, &robust.Options{MaxRounds: -1}, "MaxRounds"},
		{"solver options", nil, 1, &robust.Options{Solver: &solver.Options{Seed: -1}}, "Seed"},
	} {
		_, err := p.Solve(ctx, test.indices, test.radius, test.options)
		checkMessage(t, "Solve: "+test.name, err, test.want)
		options := test.options
		if len(test.indices) > 0 {
			options = &robust.Options{Start: test.indices}
		}
		_, err = p.SolveFull(ctx, test.radius, options)
		checkMessage(t, "SolveFull: "+test.name, err, test.want)
		if test.indices == nil && strings.Contains(err.Error(), "Start") {
			t.Errorf("SolveFull: %s: %v blames Start", test.name, err)
		}
		if test.options == nil || test.options.Solver != nil {
			_, err = p.Design(ctx, 2, test.radius, &robust.DesignOptions{Start: test.indices, Solver: solverOf(test.options)})
			checkMessage(t, "Design: "+test.name, err, test.want)
		}
	}
}

func TestDesignRejectsBadInput(t *testing.T) {
	p := must(robust.NewProblem(dictionary(t, []float64{1, 0}, []float64{0, 1}), box(-1, 1, 0, 0), sparsero.Identity(2)))(t)
	for _, test := range []struct {
		name    string
		budget  int
		options robust.DesignOptions
		want    string
	}{
		{"budget 0", 0, robust.DesignOptions{}, "budget"},
		{"budget above N", 3, robust.DesignOptions{}, "budget"},
		{"start above budget", 1, robust.DesignOptions{Start: []int{0, 1}}, "Start"},
		{"tolerance", 1, robust.DesignOptions{Tolerance: -1}, "Tolerance"},
		{"rule", 1, robust.DesignOptions{Rule: 9}, "Rule"},
		{"directions of another dimension", 1, robust.DesignOptions{Directions: mat.NewDense(1, 3, nil)}, "Directions"},
		{"calibrated radius", 1, robust.DesignOptions{Calibrate: always(math.Inf(1))}, "Calibrate"},
		{"risk", 1, robust.DesignOptions{
			Validate: func([]float64) (float64, error) { return math.NaN(), nil }, Directions: matrix([]float64{1, 1}),
		}, "Validate"},
	} {
		if test.name == "risk" {
			p = must(robust.NewProblem(dictionary(t, []float64{1, 0}, []float64{0, 1}), box(0.5, 1, 0, 0), sparsero.Identity(2)))(t)
		}
		_, err := p.Design(ctx, test.budget, 1, &test.options)
		checkMessage(t, test.name, err, test.want)
	}
	_, err := p.Design(ctx, 1, 1, &robust.DesignOptions{AsPrinted: true, Rule: robust.MostViolated})
	checkMessage(t, "printed rule", err, "Rule")
	_, err = p.Design(ctx, 1, 1, &robust.DesignOptions{AsPrinted: true, RowBudgets: map[string]int{"objective": 0}})
	checkMessage(t, "printed with row budgets", err, "RowBudgets")
}

func TestEmptyAndUnboundedRegions(t *testing.T) {
	d := dictionary(t, []float64{1, 0}, []float64{0, 1})
	empty := box(0, 1, 1, 1)
	empty.AddRow(solver.Row{Bounds: solver.AtLeast(3), Columns: []int{0, 1}, Values: []float64{1, 1}})
	p := must(robust.NewProblem(d, empty, sparsero.Identity(2)))(t)
	_, err := p.Solve(ctx, []int{0}, 1, nil)
	if !errors.Is(err, solver.ErrInfeasible) {
		t.Fatalf("empty region: %v", err)
	}
	checkMessage(t, "empty region", err, "X")
	why := must(p.Explain(ctx, []int{0}, 1, nil))(t)
	if !why.RegionEmpty || !strings.Contains(why.String(), "ask solver.Explain") {
		t.Errorf("empty region, explained: %v", why)
	}
	if _, err = p.SolveFull(ctx, 1, nil); !errors.Is(err, solver.ErrInfeasible) {
		t.Fatalf("empty region, full model: %v", err)
	}

	open := solver.NewModel("half-line")
	open.AddColumn(solver.Column{Name: "cash", Bounds: solver.AtMost(0), Cost: 1})
	open.AddColumn(solver.Column{Name: "stock", Bounds: solver.Between(0, 1)})
	p = must(robust.NewProblem(d, open, sparsero.Identity(2)))(t)
	_, err = p.Solve(ctx, nil, 1, nil)
	if !errors.Is(err, solver.ErrUnbounded) {
		t.Fatalf("unbounded region: %v", err)
	}
	checkMessage(t, "unbounded region", err, "cash")
}

// A solution that violates a robust constraint of the full model refuses to give
// a bound on the value gap and names the atom to add.
// TestInfeasibleUpToRoundedCoefficients: the coefficient -2^-208 of a column without a bound is 0 in float64, and the
// point 2^210 is feasible.
func TestInfeasibleUpToRoundedCoefficients(t *testing.T) {
	const e = 0x1p-52
	far := func(upper float64) error {
		region := solver.NewModel("x")
		region.AddColumn(solver.Column{Bounds: solver.Between(0, upper)})
		row := robust.Constraint{Name: "c", Nominal: []float64{-1}, Map: sparsero.AffineMap{Matrix: mat.NewDense(2, 1, []float64{1 - e, 1 - e})}, Limit: -1}
		problem := must(robust.NewProblem(dictionary(t, []float64{1 + e, 0x1p-104 * (1 + e)}), region, sparsero.AffineMap{}, row))(t)
		return second(problem.Solve(ctx, []int{0}, 1, nil))
	}
	if err := far(math.Inf(1)); !errors.Is(err, solver.ErrInfeasible) {
		t.Errorf("without a bound: %v", err)
	}
	if err := far(100); !errors.Is(err, solver.ErrInfeasible) || !strings.Contains(err.Error(), "1 robust constraint (") {
		t.Errorf("with a bound: %v", err)
	}
}

func TestGapBoundNeedsFullFeasibility(t *testing.T) {
	d := dictionary(t, []float64{1, 0}, []float64{0, 1})
	p := must(robust.NewProblem(d, box(0, 1, -1, -1), sparsero.AffineMap{}, robust.Constraint{Name: "load", Map: sparsero.Identity(2), Limit: 0.5}))(t)
	solution := must(p.Solve(ctx, []int{0}, 1, nil))(t)
	if solution.FullFeasible() || !near(solution.Value, -1.5) {
		t.Fatalf("value %v, full-feasible %v", solution.Value, solution.FullFeasible())
	}
	_, err := solution.GapBound()
	if !errors.Is(err, robust.ErrNotCertified) {
		t.Fatalf("error %v", err)
	}
	checkMessage(t, "violated constraint", err, "atom 1")
	nominal := robust.Constraint{Name: "cover", Nominal: []float64{-1, -1}, Map: sparsero.Identity(2), Limit: -3}
	broken := must(must(robust.NewProblem(d, box(-1, 1, -1, -1), sparsero.AffineMap{}, nominal))(t).Evaluate(nil, 1, []float64{-1, -1}))(t)
	_, err = broken.GapBound()
	checkMessage(t, "constraint that no atom breaks", err, "without any uncertainty")
	against := must(p.Evaluate([]int{1}, 1, []float64{0, 1}))(t)
	_, err = against.GapBound()
	checkMessage(t, "an atom that is chosen already", err, "against the chosen atom 1")
	stopped := must(p.SolveFull(ctx, 1, &robust.Options{MaxRounds: 1}))(t)
	_, err = stopped.GapBound()
	checkMessage(t, "a full model, which has all atoms", err, "give it more time")
	full := must(p.SolveFull(ctx, 1, nil))(t)
	if !near(full.Value, -1) || !certified(full, tolerance) {
		t.Fatalf("full model: value %v", full.Value)
	}
	design := must(p.Design(ctx, 2, 1, nil))(t)
	if !design.Certified || !near(design.Solution.Value, -1) {
		t.Fatalf("design: %+v", design.Solution)
	}
}

// Five open columns are named, and of six the sixth is counted.
func TestUnboundedErrorNamesOpenColumns(t *testing.T) {
	d := dictionary(t, []float64{1, 0, 0, 0, 0, 0, 0})
	for open, want := range map[int]string{5: "to x0, x1, x2, x3, x4", 6: "to x0, x1, x2, x3, x4 and 1 more"} {
		m := box(math.Inf(-1), 0, 1, 1, 1, 1, 1, 1, 1)
		for j := open; j < m.Columns(); j++ {
			m.SetColumnBounds(j, solver.Between(0, 1))
		}
		p := must(robust.NewProblem(d, m, sparsero.Identity(m.Columns())))(t)
		_, err := p.Solve(ctx, nil, 1, nil)
		if err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%d columns: %v", open, err)
		}
	}
}

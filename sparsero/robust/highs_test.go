//go:build cgo

package robust_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sparsero/directions/solver"
	_ "github.com/sparsero/directions/solver/highs" // integer and quadratic models; becomes the default backend
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/certificate"
	"github.com/sparsero/directions/sparsero/robust"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

func init() { solvesIntegers = true }

func init() {
	integralities = append(integralities, true)
	problemKinds = append(problemKinds, drawIntegerProblem)
}

// drawIntegerProblem draws a problem over a small box of integers.
func drawIntegerProblem(t *rapid.T) *robust.Problem {
	d := drawDictionary(t)
	n := rapid.IntRange(1, 3).Draw(t, "n")
	region := solver.NewModel("lattice")
	for range n {
		region.AddColumn(solver.Column{Bounds: solver.Between(-1, 2), Cost: number(t, "cost"), Integer: true})
	}
	return get(robust.NewProblem(d, region, drawMap(t, d.Dim(), n)))(t)
}

// TestOptimumWithAGap: a solver that may leave a gap is not cut short by it; GapBound says what it leaves.
func TestOptimumWithAGap(t *testing.T) {
	source := rand.New(rand.NewPCG(3, 5))
	region, row := solver.NewModel("knapsack"), solver.Row{Bounds: solver.AtMost(40)}
	atoms := mat.NewDense(20, 40, nil)
	for j := range 40 {
		row.Columns = append(row.Columns, region.AddColumn(solver.Column{Bounds: solver.Between(0, 1), Cost: -5 - 10*source.Float64(), Integer: true}))
		row.Values = append(row.Values, 2+8*source.Float64())
		for i := range 20 {
			atoms.Set(i, j, 3*source.Float64())
		}
	}
	region.AddRow(row)
	p := must(robust.NewProblem(must(sparsero.NewDictionary(atoms, nil))(t), region, sparsero.Identity(40)))(t)
	for _, gap := range []float64{0, 0.3} {
		s := must(p.SolveFull(ctx, 1, &robust.Options{Solver: &solver.Options{RelativeGap: gap}}))(t)
		bound := must(s.GapBound())(t).Float()
		if s.Partial || (bound > 1e-3*math.Abs(s.Value)) != (gap > 0) {
			t.Errorf("at RelativeGap %v the gap is %v of %v, partial %v", gap, bound, s.Value, s.Partial)
		}
	}
}

// Integer variables: restricted and full models against enumeration, and the
// identity of gap and regret, which needs no convexity.
func TestIntegerModelsAgainstEnumeration(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, radius := drawIntegerProblem(t), drawRadius(t)
		indices := drawSubset(t, p.Dictionary().Size())
		set := get(sparsero.NewAtomicSet(p.Dictionary(), indices, radius))(t)
		all := get(sparsero.FullSet(p.Dictionary(), radius))(t)
		least, leastFull := math.Inf(1), math.Inf(1)
		lattice(p.Region().Columns(), func(x []float64) {
			least = math.Min(least, p.Objective(set, x))
			leastFull = math.Min(leastFull, p.Objective(all, x))
		})
		restricted := get(p.Solve(ctx, indices, radius, nil))(t)
		full := get(p.SolveFull(ctx, radius, &robust.Options{CutsPerRound: 2}))(t)
		if !near(restricted.Value, least) || !near(full.Value, leastFull) {
			t.Fatalf("restricted %v, full %v; enumeration %v, %v", restricted.Value, full.Value, least, leastFull)
		}
		gap, regret := leastFull-least, restricted.FullValue()-leastFull
		if !near(gap+regret, restricted.Certificate.Bound.Float()) {
			t.Fatalf("gap %v + regret %v != certificate %v", gap, regret, restricted.Certificate.Bound)
		}
		design := get(p.Design(ctx, p.Dictionary().Size(), radius, nil))(t)
		if !design.Certified || !near(design.Solution.FullValue(), leastFull) {
			t.Fatalf("design %v, enumeration %v", design.Solution.FullValue(), leastFull)
		}
	})
}

// The calibration counterexample over X = {0,1}: gap 0 at r = 1, gap 1.5 and
// regret 1.5 at r = 3.
func TestCalibrationCounterexampleOverIntegers(t *testing.T) {
	region := solver.NewModel("X = {0,1}")
	region.AddColumn(solver.Column{Name: "x", Bounds: solver.Between(0, 1), Cost: 1.5, Integer: true})
	p := calibrationCounterexample(t, region)
	for _, test := range []struct{ radius, gap, bound float64 }{{1, 0, 0}, {3, 1.5, 3}} {
		restricted := must(p.Solve(ctx, []int{0}, test.radius, nil))(t)
		full := must(p.SolveFull(ctx, test.radius, nil))(t)
		if gap := full.Value - restricted.Value; !near(gap, test.gap) || !near(restricted.Certificate.Bound.Float(), test.bound) {
			t.Errorf("r = %v: gap %v, certificate %v; want %v, %v", test.radius, gap, restricted.Certificate.Bound, test.gap, test.bound)
		}
	}
	calibrate := always(3)
	design := must(p.Design(ctx, 2, 1, &robust.DesignOptions{Calibrate: calibrate}))(t)
	if !design.Certified || !near(design.Solution.Value, 3) {
		t.Fatalf("design after calibration: value %v, certified %v; want 3", design.Solution.Value, design.Certified)
	}
}

// Over a discrete X the theorem on min(p, n+1) atoms fails: X = the N vertices of a
// regular polygon, atoms the same, b = 0: without any one atom the value drops.
func TestDiscreteRegionNeedsAllAtoms(t *testing.T) {
	const n = 8
	atoms := make([][]float64, n)
	q := make([][]float64, 2)
	region := solver.NewModel("polygon")
	choice := solver.Row{Bounds: solver.Equal(1)}
	for i := range atoms {
		angle := 2 * math.Pi * float64(i) / n
		atoms[i] = []float64{math.Cos(angle), math.Sin(angle)}
		q[0], q[1] = append(q[0], atoms[i][0]), append(q[1], atoms[i][1])
		choice.Columns = append(choice.Columns, region.AddColumn(solver.Column{Bounds: solver.Between(0, 1), Integer: true}))
		choice.Values = append(choice.Values, 1)
	}
	region.AddRow(choice)
	p := must(robust.NewProblem(dictionary(t, atoms...), region, must(sparsero.NewAffineMap(matrix(q...), nil))(t)))(t)
	full := must(p.SolveFull(ctx, 1, nil))(t)
	for i := range n {
		var rest []int
		for k := range n {
			if k != i {
				rest = append(rest, k)
			}
		}
		if s := must(p.Solve(ctx, rest, 1, nil))(t); s.Value > full.Value-1e-3 {
			t.Errorf("without atom %d the value is %v, with all %v", i, s.Value, full.Value)
		}
	}
}

// A T that grows spoils the approximation guarantee: the loop collects one atom per
// revealed direction and reaches B(1+e) of the 2B-1 that B other atoms cover on the
// final T: ratio 2/3 for B = 2, 5/9 for B = 5, 10/19 for B = 10, towards 1/2.
func TestGrowingDirectionsLoseTheGreedyGuarantee(t *testing.T) {
	const e = 1e-3
	for _, b := range []int{2, 5, 10} {
		unit := func(k int, scale float64) []float64 {
			v := make([]float64, 2*b)
			v[k] = scale
			return v
		}
		var atoms, pool [][]float64
		region, q := solver.NewModel("one of B"), make([][]float64, 2*b)
		choice, joint := solver.Row{Bounds: solver.Equal(1)}, make([]float64, 2*b)
		for k := range b {
			atoms = append(atoms, unit(k, 1+e))
			pool = append(pool, unit(b+k, 1))
			joint[k] = 1
			choice.Columns = append(choice.Columns, region.AddColumn(solver.Column{Bounds: solver.Between(0, 1), Integer: true, Cost: float64(k) * 1e-2}))
			choice.Values = append(choice.Values, 1)
		}
		region.AddRow(choice)
		for k := range q {
			q[k] = make([]float64, b)
			if k < b {
				q[k][k] = 1
			}
		}
		atoms = append(append(atoms, joint), pool...)
		d := dictionary(t, atoms...)
		p := must(robust.NewProblem(d, region, must(sparsero.NewAffineMap(matrix(q...), nil))(t)))(t)
		design := must(p.Design(ctx, b, 1, &robust.DesignOptions{Directions: matrix(pool...)}))(t)
		better := []int{b}
		for k := range b - 1 {
			better = append(better, b+1+k)
		}
		coverage := func(indices []int) float64 {
			set := must(sparsero.NewAtomicSet(d, indices, 1))(t)
			sum := 0.0
			rows, _ := design.Directions.Dims()
			for s := range rows {
				sum += set.Support(design.Directions.RawRowView(s))
			}
			return sum
		}
		want := float64(b) / float64(2*b-1)
		if ratio := coverage(design.Atoms) / coverage(better); math.Abs(ratio-want) > 2*e {
			t.Errorf("B = %d: ratio %v, want %v; atoms %v", b, ratio, want, design.Atoms)
		}
	}
}

// Convex quadratic b: dual value, reduction to min(p, n+1) atoms, the identity. Codes
// for quadratic programs give up now and then on degenerate data (repeated and
// zero atoms); that must be a typed error, and rare.
func TestQuadraticObjectives(t *testing.T) {
	draws, refused := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		d, region := drawDictionary(t), drawRegion(t)
		for j := range region.Columns() {
			region.AddQuadratic(j, j, 0.25+math.Abs(number(t, "curvature")))
		}
		p := get(robust.NewProblem(d, region, drawMap(t, d.Dim(), region.Columns())))(t)
		indices, radius := drawSubset(t, d.Size()), drawRadius(t)
		draws++
		if err := checkQuadratic(t, p, indices, radius); errors.Is(err, solver.ErrNumericalTrouble) {
			refused++
		} else if err != nil {
			t.Fatal(err)
		}
	})
	if refused > 1+draws/20 {
		t.Errorf("%d of %d quadratic problems were refused", refused, draws)
	}
}

// checkQuadratic compares the roads to the value of a quadratic problem, to the
// accuracy of quadratic codes.
func checkQuadratic(t *rapid.T, p *robust.Problem, indices []int, radius float64) error {
	restricted, err1 := p.Solve(ctx, indices, radius, nil)
	full, err2 := p.SolveFull(ctx, radius, nil)
	whole, err3 := p.Solve(ctx, everyAtom(p.Dictionary()), radius, nil)
	dual, err4 := dualOf(p.SolveFull(ctx, radius, nil))
	if err := errors.Join(err1, err2, err3, err4); err != nil {
		return err
	}
	const loose = 1e-4 // quadratic codes stop at about 1e-6 in the duals
	close := func(a, b float64) bool { return math.Abs(a-b) <= loose*(1+math.Abs(a)+math.Abs(b)) }
	if !close(full.Value, whole.Value) {
		t.Fatalf("cutting planes %v, all rows %v", full.Value, whole.Value)
	}
	gap, regret := full.Value-restricted.Value, restricted.FullValue()-full.Value
	if gap < -loose || regret < -loose || !close(gap+regret, restricted.Certificate.Bound.Float()) {
		t.Fatalf("gap %v + regret %v != certificate %v", gap, regret, restricted.Certificate.Bound)
	}
	if !close(dual.Value.Float(), full.Value) {
		t.Fatalf("dual %v, primal %v", dual.Value, full.Value)
	}
	reduced, _ := dual.Reduce()
	few, err := p.Solve(ctx, reduced, radius, nil)
	if err != nil {
		return err
	}
	if rank := rankOf(p.Map()); len(reduced) > rank || !close(few.Value, full.Value) {
		t.Fatalf("%d atoms at rank %d give %v, all give %v", len(reduced), rank, few.Value, full.Value)
	}
	return nil
}

// integerAccuracy is the accuracy of a largest radius over integers: mixed-integer
// codes accept rows that are violated by 1e-6.
const integerAccuracy = 1e-4

// Integer regions with robust constraints: the explanation finds the largest
// radius that enumeration finds.
func TestExplainOverIntegers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawDictionary(t)
		n := rapid.IntRange(1, 3).Draw(t, "n")
		region := solver.NewModel("lattice")
		for range n {
			region.AddColumn(solver.Column{Bounds: solver.Between(-1, 2), Integer: true})
		}
		c := robust.Constraint{Nominal: numbers(t, n, "a"), Limit: number(t, "limit"), Map: drawMap(t, d.Dim(), n)}
		p := get(robust.NewProblem(d, region, sparsero.AffineMap{}, c))(t)
		all := get(sparsero.FullSet(d, 1))(t)
		want := math.NaN()
		lattice(n, func(x []float64) {
			room, worst := c.Limit-inner(c.Nominal, x), all.Support(c.Map.Apply(x))
			switch {
			case room < 0:
			case worst == 0:
				want = math.Inf(1)
			case math.IsNaN(want) || room/worst > want:
				want = room / worst
			}
		})
		e := get(p.Explain(ctx, everyAtom(d), 1, nil))(t)
		if math.IsNaN(want) != math.IsInf(e.LargestRadius.Float(), -1) || !math.IsNaN(want) && want != e.LargestRadius.Float() && math.Abs(want-e.LargestRadius.Float()) > integerAccuracy*(1+want) {
			t.Fatalf("largest radius %v, enumeration %v", e.LargestRadius.Float(), want)
		}
	})
}

// The uniform certificate holds for integer regions, whose columns it relaxes.
func TestUniformCertificateOverIntegers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawIntegerProblem(t)
		set := get(sparsero.NewAtomicSet(p.Dictionary(), drawSubset(t, p.Dictionary().Size()), 1))(t)
		worst := 0.0
		lattice(p.Region().Columns(), func(x []float64) { worst = math.Max(worst, set.AlignmentDeficit(p.Map().Apply(x))) })
		relaxed := get(certificate.SolveUniform(ctx, set, p.Region(), p.Map(), nil))(t)
		if relaxed.Upper.Float() < worst {
			t.Fatalf("enumeration %v, relaxation %v", worst, relaxed.Upper)
		}
	})
}

// Without HiGHS an integer model is refused with a typed error.
func TestPureGoBackendRefusesIntegers(t *testing.T) {
	region := solver.NewModel("X = {0,1}")
	region.AddColumn(solver.Column{Name: "x", Bounds: solver.Between(0, 1), Integer: true})
	p := calibrationCounterexample(t, region)
	_, err := p.Solve(ctx, nil, 1, &robust.Options{Solver: &solver.Options{Backend: solver.Exact}})
	if !errors.Is(err, solver.ErrUnsupported) {
		t.Fatalf("error %v", err)
	}
}

// However early a context ends and however loose the solver is, an explanation comes back: with the
// context's error, or with what is true: without atoms all radii are feasible. The solve that finds
// this, cut short, once left a search for the largest radius that had no end.
func TestExplainUnderEveryFuse(t *testing.T) {
	region := solver.NewModel("lattice")
	region.AddColumn(solver.Column{Bounds: solver.Between(2, 4), Integer: true})
	region.AddColumn(solver.Column{Bounds: solver.Between(3, 7), Integer: true})
	for _, r := range []solver.Row{
		{Bounds: solver.Between(-5, 0), Values: []float64{2, -2}}, {Bounds: solver.AtLeast(-15), Values: []float64{-2, -2}},
		{Bounds: solver.Between(4, 9), Values: []float64{1, 1}},
	} {
		r.Columns = []int{0, 1}
		region.AddRow(r)
	}
	demands := []robust.Constraint{
		{Name: "first", Nominal: []float64{0, 2e-7}, Limit: 6.614866506076878e-7,
			Map: must(sparsero.NewAffineMap(matrix([]float64{0, 1}, []float64{-3, 3}, []float64{3, -2}), []float64{-3, 1, -1}))(t)},
		{Name: "second", Nominal: []float64{-3e-7, 1e-7}, Limit: -3.127273169717931e-7,
			Map: must(sparsero.NewAffineMap(matrix([]float64{2, 3}, []float64{-3, 1}, []float64{3, -3}), nil))(t)},
	}
	p := must(robust.NewProblem(dictionary(t, []float64{-1e-7, 3e-7, 3e-7}), region, sparsero.AffineMap{}, demands...))(t)
	loose := &robust.Options{Solver: &solver.Options{RelativeGap: 0.5}}
	for questions := range 100 {
		inner, cancel := context.WithCancel(ctx)
		e, err := p.Explain(&fuse{Context: inner, cancel: cancel, left: questions}, nil, 0, loose)
		cancel()
		if err == nil && (!e.Feasible || !math.IsInf(e.LargestRadius.Float(), 1)) {
			t.Errorf("%d questions: feasible %v, largest radius %v", questions, e.Feasible, e.LargestRadius.Float())
		}
	}
}

// TestLargestRadiusOfAFreeBalance: a free column pays for any harm. From 1e9 on HiGHS finds no such point beside a whole number, and
// proves nothing; that radius was once called too large.
func TestLargestRadiusOfAFreeBalance(t *testing.T) {
	region := solver.NewModel("pieces and a balance")
	region.AddColumn(solver.Column{Bounds: solver.Between(1, 3), Integer: true})
	region.AddColumn(solver.Column{})
	row := robust.Constraint{Nominal: []float64{-0.7, 1}, Map: sparsero.AffineMap{Matrix: matrix([]float64{-0.1, 0}), Constant: []float64{6}}, Limit: 10}
	p := must(robust.NewProblem(dictionary(t, []float64{5}), region, sparsero.AffineMap{}, row))(t)
	if e := must(p.ExplainFull(ctx, 1, nil))(t); !math.IsInf(e.UnattainedRadius.Float(), 1) {
		t.Errorf("%v", e)
	}
}

// A limit of the solver changes no answer without a word: an explanation under it is that without it, or an error.
func TestExplainUnderLimits(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	const n = 12
	answered := 0
	problems := 60
	if testing.Short() {
		problems = 15
	}
	for range problems {
		region, row, sum := solver.NewModel("one equation"), solver.Row{}, 0.0
		for j := range n {
			region.AddColumn(solver.Column{Bounds: solver.Between(0, 1), Integer: true})
			row.Columns, row.Values = append(row.Columns, j), append(row.Values, float64(1+random.IntN(40)))
			sum += row.Values[j] * float64(1-j%2)
		}
		row.Bounds = solver.Equal(sum)
		region.AddRow(row)
		q := mat.NewDense(2, n, nil)
		for j := range n {
			q.SetCol(j, []float64{random.NormFloat64(), random.NormFloat64()})
		}
		c := robust.Constraint{Map: sparsero.AffineMap{Matrix: q}, Limit: 0.8}
		p := must(robust.NewProblem(dictionary(t, []float64{1, 0.3}, []float64{-0.2, 1}), region, sparsero.AffineMap{}, c))(t)
		want := must(p.Explain(ctx, []int{0, 1}, 1, nil))(t)
		for _, limits := range []*solver.Options{{NodeLimit: 1}, {IterationLimit: 5}} {
			got, err := p.Explain(ctx, []int{0, 1}, 1, &robust.Options{Solver: limits})
			if err != nil {
				if !errors.Is(err, solver.ErrLimit) && !errors.Is(err, solver.ErrNumericalTrouble) && !errors.Is(err, solver.ErrUnproven) { // a limit keeps it from proving a conflict
					t.Errorf("%+v: %v", limits, err)
				}
				continue
			}
			answered++
			if got.Feasible != want.Feasible || got.LargestRadius.Float() != want.LargestRadius.Float() && math.Abs(got.LargestRadius.Float()-want.LargestRadius.Float()) > integerAccuracy*(1+want.LargestRadius.Float()) {
				t.Errorf("%+v: %v, without limits %v", limits, got, want)
			}
		}
	}
	if answered < 3*problems/2 {
		t.Errorf("%d explanations of %d", answered, 2*problems)
	}
}

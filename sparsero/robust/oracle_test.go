package robust_test

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/proof/directed"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/certificate"
	"github.com/sparsero/directions/sparsero/robust"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// elsewhere is a dictionary behind the seam: it tells the atoms that are asked for, at most so many, and a bound on the others.
type elsewhere struct {
	*sparsero.Dictionary
	most int
}

func (e elsewhere) Worst(ctx context.Context, directions *mat.Dense, count int) (atoms []robust.Atom, beyond []float64, err error) {
	for k := range directions.RawMatrix().Rows {
		s := directions.RawRowView(k)
		alignments, order := e.Alignments(nil, s), everyAtom(e.Dictionary)
		slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(alignments[j], alignments[i]) })
		told := 0
		for told < min(count, e.most, len(order)) {
			atoms = append(atoms, robust.Atom{Label: e.Label(order[told]), Values: e.Atom(order[told])})
			told++
		}
		most := math.Inf(-1)
		for _, i := range order[told:] {
			_, upper := directed.Dot(e.RawRowView(i), s)
			most = math.Max(most, upper)
		}
		beyond = append(beyond, most)
	}
	return atoms, beyond, ctx.Err()
}

// over is the problem with its atoms behind an oracle.
func over(oracle robust.Oracle, p *robust.Problem) (*robust.OracleProblem, error) {
	return robust.NewOracleProblem(ctx, oracle, p.Region(), p.Map(), p.Constraints()...)
}

// positions returns where the atoms of a solution over an oracle stand in the dictionary behind it.
func positions(d *sparsero.Dictionary, s *robust.Solution, atoms []int) []int {
	labels, found := d.Labels(), make([]int, len(atoms))
	for k, atom := range atoms {
		found[k] = slices.Index(labels, s.Problem().Dictionary().Label(atom))
	}
	return found
}

// drawAny draws a problem of one of the given kinds.
func drawAny(t *rapid.T) *robust.Problem {
	return rapid.SampledFrom(problemKinds).Draw(t, "kind")(t)
}

// problemKinds draw problems; with HiGHS there are integer ones.
var problemKinds = []func(*rapid.T) *robust.Problem{drawProblem, drawConstrained}

// However few atoms come at a time, the full model over an oracle has the value of the one in memory, its bounds hold
// there, and what it says of its decision is what the whole dictionary says.
func TestFullModelOverAnOracle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, radius := drawAny(t), drawRadius(t)
		o := get(over(elsewhere{p.Dictionary(), rapid.IntRange(1, 3).Draw(t, "most")}, p))(t)
		options := &robust.Options{CutsPerRound: rapid.IntRange(0, 2).Draw(t, "cuts")}
		want, err := p.SolveFull(ctx, radius, options)
		got, oracleErr := o.SolveFull(ctx, radius, options)
		if err != nil || oracleErr != nil {
			if !errors.Is(oracleErr, solver.ErrInfeasible) || !errors.Is(err, solver.ErrInfeasible) {
				t.Fatalf("in memory %v, over the oracle %v", err, oracleErr)
			}
			if text := oracleErr.Error(); strings.Contains(text, "Problem.Explain") {
				t.Fatalf("an oracle's problem has no method Explain: %s", text)
			}
			return
		}
		if !near(got.Value, want.Value) || got.Partial {
			t.Fatalf("over the oracle %v, in memory %v", got, want)
		}
		checkAgainstAll(t, p, got, want)
	})
}

// checkAgainstAll compares what a solution over an oracle says of its decision with the whole dictionary in memory.
func checkAgainstAll(t interface{ Fatalf(string, ...any) }, p *robust.Problem, got, full *robust.Solution) {
	here, err := p.Evaluate(positions(p.Dictionary(), got, got.Atoms), got.Radius, got.X)
	if err != nil {
		t.Fatalf("%v", err)
	}
	close := func(what string, claimed, truth float64) {
		if math.Abs(claimed-truth) > 1e-12*(1+math.Abs(truth)) {
			t.Fatalf("%s: over the oracle %v, against all atoms %v", what, claimed, truth)
		}
	}
	covers := func(q sparsero.AffineMap, c certificate.Pointwise) {
		missed := exactSupport(p.Dictionary(), everyAtom(p.Dictionary()), q, got.X)
		missed.Sub(missed, exactSupport(got.Problem().Dictionary(), got.Atoms, q, got.X))
		if missed.Mul(missed, exactly(got.Radius)).Cmp(exactly(c.Bound.Float())) > 0 {
			t.Fatalf("a certificate of %v over the oracle, exactly %v is missed", c.Bound, missed.FloatString(30))
		}
	}
	close("value", got.FullValue(), here.FullValue())
	if q := p.Map(); q.Matrix != nil {
		covers(q, got.Certificate)
	}
	for k, c := range here.Constraints {
		close(c.Name, got.Constraints[k].Full, c.Full)
		covers(p.Constraints()[k].Map, got.Constraints[k].Certificate)
	}
	if got.FullFeasible() && !here.FullFeasible() {
		t.Fatalf("feasible over the oracle, but not against all atoms")
	}
	if got.LowerBound.Float() > full.Value+tolerance*(1+math.Abs(full.Value)) {
		t.Fatalf("lower bound %v above the optimum %v", got.LowerBound.Float(), full.Value)
	}
	if bound, err := got.GapBound(); err == nil && bound.Float() < here.FullValue()-full.Value-tolerance {
		t.Fatalf("gap bound %v below the regret %v", bound, here.FullValue()-full.Value)
	}
}

func exactly(v float64) *big.Rat { return new(big.Rat).SetFloat64(v) }

// exactSupport is max(0, max_i ⟨d_i, q(x)⟩) over the given atoms.
func exactSupport(d *sparsero.Dictionary, atoms []int, q sparsero.AffineMap, x []float64) *big.Rat {
	p, most := d.Dim(), new(big.Rat)
	direction := make([]*big.Rat, p)
	for k := range direction {
		direction[k] = new(big.Rat)
		if q.Constant != nil {
			direction[k] = exactly(q.Constant[k])
		}
		for j, v := range x {
			direction[k].Add(direction[k], new(big.Rat).Mul(exactly(q.Matrix.At(k, j)), exactly(v)))
		}
	}
	for _, i := range atoms {
		sum := new(big.Rat)
		for k, v := range d.Atom(i) {
			sum.Add(sum, new(big.Rat).Mul(exactly(v), direction[k]))
		}
		if sum.Cmp(most) > 0 {
			most = sum
		}
	}
	return most
}

// A design over an oracle picks the atoms of the design in memory, and is certified when that is.
func TestDesignOverAnOracle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, radius := drawAny(t), drawRadius(t)
		d := p.Dictionary()
		o := get(over(elsewhere{d, rapid.IntRange(1, 3).Draw(t, "most")}, p))(t)
		budget := rapid.IntRange(1, d.Size()).Draw(t, "B")
		options := &robust.DesignOptions{Rule: robust.MostViolated}
		full, fullErr := p.SolveFull(ctx, radius, nil)
		want, err := p.Design(ctx, budget, radius, options)
		got, oracleErr := o.Design(ctx, budget, radius, options)
		if err != nil || oracleErr != nil {
			if !errors.Is(fullErr, solver.ErrInfeasible) || !errors.Is(errors.Join(err, oracleErr), solver.ErrInfeasible) {
				t.Fatalf("in memory %v, over the oracle %v", err, oracleErr)
			}
			return
		}
		same := slices.EqualFunc(want.Atoms, got.Solution.Labels(), func(atom int, label string) bool { return d.Label(atom) == label })
		if !same || !slices.Equal(want.Solution.X, got.Solution.X) || want.Certified != got.Certified || want.Stop != got.Stop || want.OracleCalls != got.OracleCalls {
			t.Fatalf("in memory atoms %v, %v, certified %v; over the oracle %v, %v, %v", want.Atoms, want.Stop, want.Certified, got.Solution.Labels(), got.Stop, got.Certified)
		}
		if fullErr == nil {
			checkAgainstAll(t, p, got.Solution, full)
		}
	})
}

// circle is the problem of the directions 0 to N-1 on a circle, whose design needs several of them.
func circle(t testing.TB, n int, constraints ...robust.Constraint) *robust.Problem {
	rows := make([][]float64, n)
	for i := range rows {
		angle := 2 * math.Pi * float64(i) / float64(n)
		rows[i] = []float64{math.Cos(angle), 2 * math.Sin(angle), math.Sin(3 * angle)}
	}
	return must(robust.NewProblem(dictionary(t, rows...), box(-1, 1, 0.5, -0.25, 0.125), sparsero.Identity(3), constraints...))(t)
}

// loaded is a circle with a robust constraint.
func loaded(t testing.TB, n int) *robust.Problem {
	return circle(t, n, robust.Constraint{Name: "load", Map: sparsero.AffineMap{Matrix: matrix([]float64{1, 0, 0}, []float64{0, 1, 0}, []float64{0, 0, 1})}, Limit: 1.5})
}

// fickle is an oracle that fails from a question on, or changes its answers.
type fickle struct {
	robust.Oracle
	fails  int
	before func()
	change func(atoms []robust.Atom, beyond []float64) []float64
	asked  int
}

var errGone = errors.New("the atoms are gone")

func (f *fickle) Worst(ctx context.Context, directions *mat.Dense, count int) (atoms []robust.Atom, beyond []float64, err error) {
	if f.asked++; f.asked == f.fails {
		if f.before == nil {
			return nil, nil, errGone
		}
		f.before()
	}
	atoms, beyond, err = f.Oracle.Worst(ctx, directions, count)
	if err == nil && f.change != nil && count > 0 {
		beyond = f.change(atoms, beyond)
	}
	return atoms, beyond, err
}

// However many rounds are allowed, and after whichever question the context ends, what comes back is true of all atoms.
func TestEarlyEndOverAnOracle(t *testing.T) {
	solutions, designs := map[bool]int{}, map[bool]int{} // by Partial
	for _, p := range []*robust.Problem{circle(t, 60), loaded(t, 60)} {
		full := must(p.SolveFull(ctx, 1, nil))(t)
		whole := elsewhere{p.Dictionary(), 1}
		for rounds := 1; rounds <= 30; rounds += 1 + rounds/4 {
			solution, err := must(over(whole, p))(t).SolveFull(ctx, 1, &robust.Options{CutsPerRound: 1, MaxRounds: rounds})
			if err == nil {
				checkAgainstAll(t, p, solution, full)
				solutions[solution.Partial]++
			} else if !strings.Contains(err.Error(), "MaxRounds") {
				t.Error(err)
			}
			within, cancel := context.WithCancel(ctx)
			solution, err = must(over(&fickle{Oracle: whole, fails: rounds + 1, before: cancel}, p))(t).SolveFull(within, 1, &robust.Options{CutsPerRound: 1})
			if err == nil {
				checkAgainstAll(t, p, solution, full)
				solutions[solution.Partial]++
			} else if !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
			within, cancel = context.WithCancel(ctx)
			design, err := must(over(&fickle{Oracle: whole, fails: rounds + 2, before: cancel}, p))(t).Design(within, 9, 1, &robust.DesignOptions{Rule: robust.MostViolated})
			if err != nil {
				t.Fatal(err)
			}
			checkAgainstAll(t, p, design.Solution, full)
			designs[design.Partial]++
			cancel()
		}
	}
	if min(solutions[true], designs[true], solutions[false], designs[false]) < 2 {
		t.Errorf("solutions %v, designs %v; this test sees too little", solutions, designs)
	}
}

// Oracles that fail or answer in another form are found out, and bad input is named.
func TestOraclesThatCannotBeTrusted(t *testing.T) {
	p := circle(t, 20)
	whole := elsewhere{p.Dictionary(), 20}
	mostViolated := robust.DesignOptions{Rule: robust.MostViolated}
	for name, test := range map[string]struct {
		oracle *fickle
		want   string
	}{
		"failure":       {&fickle{Oracle: whole, fails: 2}, errGone.Error()},
		"later failure": {&fickle{Oracle: whole, fails: 3}, errGone.Error()},
		"no bounds":     {&fickle{Oracle: whole, change: func(atoms []robust.Atom, beyond []float64) []float64 { return nil }}, "beyond"},
		"no number":     {&fickle{Oracle: whole, change: func(atoms []robust.Atom, beyond []float64) []float64 { beyond[0] = math.NaN(); return beyond }}, "beyond"},
		"short atoms":   {&fickle{Oracle: whole, change: func(atoms []robust.Atom, beyond []float64) []float64 { atoms[0].Values = nil; return beyond }}, "atom d"},
		"infinite":      {&fickle{Oracle: whole, change: func(atoms []robust.Atom, beyond []float64) []float64 { atoms[0].Values[1] = math.Inf(1); return beyond }}, "atom d"},
	} {
		o := must(over(test.oracle, p))(t)
		_, err := o.SolveFull(ctx, 1, &robust.Options{CutsPerRound: 1})
		checkMessage(t, "SolveFull: "+name, err, test.want)
		test.oracle.asked = 1
		_, err = o.Design(ctx, 9, 1, &mostViolated)
		checkMessage(t, "Design: "+name, err, test.want)
	}
	_, err := over(&fickle{Oracle: whole, fails: 1}, p)
	checkMessage(t, "failure at once", err, errGone.Error())
	_, err = over(nil, p)
	checkMessage(t, "no oracle", err, "oracle")
	_, err = new(robust.OracleProblem).SolveFull(ctx, 1, nil)
	checkMessage(t, "empty", err, "problem")
	_, err = new(robust.OracleProblem).Design(ctx, 1, 1, &mostViolated)
	checkMessage(t, "empty", err, "problem")
	o := must(over(whole, p))(t)
	_, err = o.SolveFull(ctx, 1, &robust.Options{Start: []int{1}})
	checkMessage(t, "Start", err, "Start")
	_, err = o.SolveFull(ctx, -1, nil)
	checkMessage(t, "radius", err, "radius")
	for want, options := range map[string]*robust.DesignOptions{
		"coverage gain":    {Rule: robust.CoverageGain},
		"smallest deficit": {Rule: robust.SmallestDeficit},
		"Start":            {Rule: robust.MostViolated, Start: []int{1}},
		"RowBudgets":       {Rule: robust.MostViolated, RowBudgets: map[string]int{}},
		"Directions":       {Rule: robust.MostViolated, Directions: matrix([]float64{1, 0, 0})},
		"Calibrate":        {Rule: robust.MostViolated, Calibrate: always(1)},
		"AsPrinted":        {Rule: robust.MostViolated, AsPrinted: true},
	} {
		_, err = o.Design(ctx, 3, 1, options)
		checkMessage(t, want, err, want)
	}
}

// What may lie beyond the atoms that come counts in every claim, even if none of them comes: the set is a box of which the
// oracle tells the origin alone.
func TestWhatDoesNotComeCounts(t *testing.T) {
	row := robust.Constraint{Name: "row", Map: sparsero.Identity(2), Limit: 1}
	_, err := must(robust.NewOracleProblem(ctx, silent{}, box(1, 2, -1, -1), sparsero.AffineMap{}, row))(t).SolveFull(ctx, 1, nil)
	if !errors.Is(err, solver.ErrLimit) {
		t.Errorf("a point that the oracle does not rule out was called feasible: %v", err)
	}
	o := must(robust.NewOracleProblem(ctx, silent{}, box(1, 2, -1, -1), sparsero.Identity(2)))(t)
	s := must(o.SolveFull(ctx, 1, nil))(t)
	if truth := -4.0 + 2*2; s.Value < truth || !s.Partial || certified(s, 3.9) {
		t.Errorf("value %v, partial %v: the oracle allows %v", s.Value, s.Partial, truth)
	}
	d := must(o.Design(ctx, 3, 1, &robust.DesignOptions{Rule: robust.MostViolated}))(t)
	if d.Certified || d.Stop != "no gain" || d.Solution.Certificate.Bound.Float() < 4 {
		t.Errorf("%v with a certificate of %v: the oracle allows 4", d.Stop, d.Solution.Certificate.Bound)
	}
}

// silent is the box [-1,1]^2 that tells no atom.
type silent struct{}

func (silent) Dim() int { return 2 }

func (silent) Worst(_ context.Context, directions *mat.Dense, _ int) (_ []robust.Atom, beyond []float64, _ error) {
	for k := range directions.RawMatrix().Rows {
		s := directions.RawRowView(k)
		beyond = append(beyond, math.Abs(s[0])+math.Abs(s[1]))
	}
	return nil, beyond, nil
}

// A file has no form for what lies beyond its atoms; the program over these alone has one.
func TestFileOfASolutionOverAnOracle(t *testing.T) {
	p := circle(t, 40)
	s := must(must(over(elsewhere{p.Dictionary(), 5}, p))(t).SolveFull(ctx, 1, nil))(t)
	path := t.TempDir() + "/solution.json"
	checkMessage(t, "file", s.Save(path, nil), "oracle")
	alone := must(s.Problem().Solve(ctx, s.Atoms, 1, nil))(t)
	if err := alone.Save(path, nil); err != nil || !near(alone.Value, s.Value) {
		t.Errorf("%v, %v over the atoms that came, %v over all", err, alone.Value, s.Value)
	}
}

// Atom 1 has the larger alignment with (1,1), but not in float64, so that it stays away; the claims know that it may.
func TestClaimsCountWhatAnOracleRounds(t *testing.T) {
	const lost = 0x1p-60
	p := must(robust.NewProblem(dictionary(t, []float64{1, 0}, []float64{1, lost}), box(1, 1, 0, 0), sparsero.Identity(2)))(t)
	s := must(must(over(elsewhere{p.Dictionary(), 1}, p))(t).SolveFull(ctx, 1, &robust.Options{CutsPerRound: 1}))(t)
	bound := must(s.GapBound())(t).Float()
	if !slices.Equal(s.Labels(), []string{"d0"}) || bound < lost || bound > 1e-12 || s.Certificate.Bound.Float() < lost {
		t.Errorf("atoms %v, bound %g, certificate %g; want [d0] and at least %g", s.Labels(), bound, s.Certificate.Bound, lost)
	}
}

// TestNoAtomOfAnOracleHarms: where the whole set does no harm the null atom is the worst, not the one that harms least.
func TestNoAtomOfAnOracleHarms(t *testing.T) {
	d := dictionary(t, []float64{1, 0}, []float64{0, 1}, []float64{2, 3})
	p := must(robust.NewProblem(d, box(-1, -0.5, 1, 1), sparsero.Identity(2)))(t)
	s := must(must(over(elsewhere{d, 1}, p))(t).SolveFull(ctx, 1, nil))(t)
	if c := s.Certificate; c.WorstAtom != sparsero.NullAtom || c.Full != 0 || c.Bound.Float() != 0 {
		t.Errorf("%+v", c)
	}
}

package robust_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/calibration"
	"github.com/sparsero/directions/sparsero/certificate"
	"github.com/sparsero/directions/sparsero/robust"
	"github.com/sparsero/directions/sparsero/selection"
	"gonum.org/v1/gonum/mat"
)

// What is printed of a bound and parsed again is on the safe side of it, in every form.
func TestBoundsPrintOnTheSafeSide(t *testing.T) {
	problems := 3000
	if testing.Short() {
		problems = 30
	}
	random := rand.New(rand.NewPCG(11, 3))
	draw := func(n int) []float64 {
		values := make([]float64, n)
		for k := range values {
			values[k] = random.NormFloat64()
		}
		return values
	}
	printed := 0
	for range problems {
		n, p, atoms := 1+random.IntN(3), 1+random.IntN(3), 3+random.IntN(6)
		unit := math.Exp(8 * random.NormFloat64())
		region := solver.NewModel("box")
		for range n {
			region.AddColumn(solver.Column{Bounds: solver.Between(-1, 1+random.Float64()), Cost: unit * random.NormFloat64()})
		}
		d := must(sparsero.NewDictionary(mat.NewDense(atoms, p, draw(atoms*p)), nil))(t)
		q := mat.NewDense(p, n, draw(p*n))
		q.Scale(unit, q)
		problem := must(robust.NewProblem(d, region, sparsero.AffineMap{Matrix: q}))(t)
		s := must(problem.Solve(ctx, []int{0}, 1, nil))(t)
		gap := must(s.GapBound())(t)
		_, text, found := strings.Cut(s.String(), "value gap and regret at most ")
		if !found { // said only of a gap that is lost in the terms of the value
			if text = fmt.Sprint(gap); !strings.Contains(s.String(), "regret 0 up to rounding") || gap.Float() > 1e-12*s.Size {
				t.Errorf("%v of terms %v: %s", gap, s.Size, s)
			}
		}
		texts := []string{text, fmt.Sprint(gap), fmt.Sprintf("%.4f", gap), fmt.Sprintf("%.2e", gap), fmt.Sprintf("%g", gap)}
		checkSide(t, texts, gap.Float(), 1)
		data := must(json.Marshal(map[string]any{"lower": s.LowerBound}))(t)
		lower := strings.Trim(strings.TrimSuffix(strings.TrimPrefix(string(data), `{"lower":`), "}"), `"`)
		checkSide(t, []string{lower, fmt.Sprint(s.LowerBound), fmt.Sprintf("%.3g", s.LowerBound), fmt.Sprintf("%.1f", s.LowerBound)}, s.LowerBound.Float(), -1)
		printed += len(texts) + 4
		uppers, lowers := chosenBounds(t, random, d, draw(4*p))
		counted, atLeast := countedBounds(t, random)
		for _, upper := range slices.Concat(upperBounds(t, problem, s), uppers, counted) {
			printed += checkPrinted(t, upper, upper.Float(), 1)
		}
		for _, lower := range slices.Concat(lowers, atLeast) {
			printed += checkPrinted(t, lower, lower.Float(), -1)
		}
	}
	t.Log(printed, "texts")
}

// checkPrinted prints a bound in several ways, and returns in how many.
func checkPrinted(t *testing.T, bound any, value float64, side int) int {
	t.Helper()
	texts := []string{fmt.Sprint(bound), fmt.Sprintf("%.4f", bound), fmt.Sprintf("%.2e", bound), fmt.Sprintf("%.3g", bound), string(must(json.Marshal(bound))(t))}
	checkSide(t, texts, value, side)
	return len(texts)
}

// chosenBounds lists every kind of bound that a choice of atoms has, and looks at those of its frame.
func chosenBounds(t *testing.T, random *rand.Rand, d *sparsero.Dictionary, directions []float64) (uppers []proof.Upper, lowers []proof.Lower) {
	t.Helper()
	coverage := must(selection.NewCoverage(d, mat.NewDense(len(directions)/d.Dim(), d.Dim(), directions), nil))(t)
	path := must(selection.Greedy{}.Select(ctx, coverage, 2))(t)
	factor, loss, err := selection.InexactGuarantee(random.Float64(), []float64{random.ExpFloat64(), random.ExpFloat64()})
	if err != nil {
		t.Fatal(err)
	}
	bounds, ratios := path.Frame().Col("bound").Records(), path.Frame().Col("optimality_ratio").Records()
	for k, bound := range path.Bounds {
		lowers = append(lowers, path.OptimalityRatio(k+1))
		checkSide(t, bounds[k:k+1], bound.Float(), 1)
		checkSide(t, ratios[k:k+1], lowers[k].Float(), -1)
	}
	return append(path.Bounds, loss), append(lowers, factor, selection.GreedyGuarantee(1+random.IntN(50)))
}

// countedBounds lists every kind of bound that samples give, and looks at those of the text of a share.
func countedBounds(t *testing.T, random *rand.Rand) (uppers []proof.Upper, lowers []proof.Lower) {
	t.Helper()
	m, delta := 2+random.IntN(500), random.Float64()
	outcomes := make([]float64, m)
	for j := range outcomes {
		outcomes[j] = random.NormFloat64()
	}
	v := must(calibration.CountViolations(outcomes, random.NormFloat64(), 1-delta))(t)
	var low, high string
	if _, err := fmt.Sscanf(v.String()[strings.LastIndex(v.String(), "interval"):], "interval %s to %s", &low, &high); err != nil {
		t.Fatal(v, err)
	}
	checkSide(t, []string{low}, v.Lower.Float(), -1)
	checkSide(t, []string{strings.TrimSuffix(high, ")")}, v.Upper.Float(), 1)
	state := must((&calibration.Monitor{Alpha: 0.1, Delta: delta}).Next(random.IntN(2) == 0))(t)
	return []proof.Upper{
		v.Upper,
		must(calibration.LargestShare(v.Violations, m, delta))(t),
		must(calibration.FailureProbability(m, 1+random.IntN(m), delta))(t),
		must(calibration.Compression{Delta: delta}.Violation(m, random.IntN(m)))(t),
		must(calibration.Adaptive{Alpha: delta, Gamma: random.ExpFloat64()}.Bound(m))(t),
		must(calibration.WeightedConformal{Alpha: delta, Weights: []float64{random.Float64(), 1}}.Shortfall([]float64{random.Float64(), random.Float64()}))(t),
	}, []proof.Lower{v.Lower, state.Wealth}
}

// upperBounds lists every kind of upper bound for a solution.
func upperBounds(t *testing.T, p *robust.Problem, s *robust.Solution) []proof.Upper {
	t.Helper()
	set := must(sparsero.NewAtomicSet(p.Dictionary(), s.Atoms, s.Radius))(t)
	uniform := must(certificate.SolveUniform(ctx, set, p.Region(), p.Map(), nil))(t)
	net := must(certificate.GridNet(ctx, p.Dictionary(), p.Region(), p.Map(), 0, &certificate.Options{MaxPoints: 10}))(t)
	onNet := must(certificate.NewNetBound(set, net))(t)
	hausdorff := must(certificate.MeasureHausdorff(ctx, set, must(certificate.DirectionNorm(ctx, p.Region(), p.Map(), nil))(t).Float()))(t)
	design := must(p.Design(ctx, 1, s.Radius, nil))(t)
	return []proof.Upper{
		s.Certificate.Bound, design.Iterations[0].Bound, uniform.Bound, uniform.Upper, hausdorff.Bound,
		onNet.Bound, onNet.Upper, onNet.Printed, onNet.Trivial, onNet.MaxDeficit,
	}
}

// A frame has texts of six digits, which are not below the bounds of a ladder and of the log of a design.
func TestFramesRoundBoundsUp(t *testing.T) {
	for _, unit := range []float64{1e-9, 1e-3, 1, 1e5} {
		region := solver.NewModel("box")
		region.AddColumn(solver.Column{Bounds: solver.Between(-1, 1), Cost: unit / 3})
		d := must(sparsero.NewDictionary(mat.NewDense(3, 1, []float64{1, -1, -4. / 3}), nil))(t)
		problem := must(robust.NewProblem(d, region, sparsero.AffineMap{Matrix: mat.NewDense(1, 1, []float64{unit})}))(t)
		ladder := must(problem.Ladder(ctx, []int{1}, 1, nil))(t)
		for i, text := range ladder.Frame().Col("bound").Records() {
			if bound := ladder.Rungs[i].Bound; bound != (proof.Upper{}) {
				checkSide(t, []string{text}, bound.Float(), 1)
			}
		}
		design := must(problem.Design(ctx, 2, 1, nil))(t)
		for i, text := range design.Frame().Col("certificate").Records() {
			checkSide(t, []string{text}, design.Iterations[i].Bound.Float(), 1)
		}
	}
}

// Bounds in the details of a ladder are printed rounded up.
func TestDetailsOfALadderRoundUp(t *testing.T) {
	for k := range 40 {
		width := 1 + float64(k)/7
		region := solver.NewModel("box")
		region.AddColumn(solver.Column{Bounds: solver.Between(-1, width), Cost: 1})
		problem := must(robust.NewProblem(dictionary(t, []float64{1}, []float64{-2}, []float64{-7. / 3}), region, sparsero.Identity(1)))(t)
		ladder := must(problem.Ladder(ctx, []int{0, 1}, 1, &robust.LadderOptions{MaxPoints: 7}))(t)
		for _, rung := range ladder.Rungs {
			if _, text, found := strings.Cut(rung.Detail, "|q| <= "); found {
				checkSide(t, []string{text}, width, 1)
			}
			if _, text, found := strings.Cut(rung.Detail, "epsilon "); found {
				text, _, _ = strings.Cut(text, ",")
				checkSide(t, []string{text}, ladder.Net.Radius().Float(), 1)
			}
		}
	}
}

// What Tune and promises say of levels, gaps and probabilities is not below what is proven.
func TestPromisesPrintOnTheSafeSide(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	number := func(text, before string) string {
		_, text, found := strings.Cut(text, before)
		if !found {
			t.Fatalf("%q lacks %q", text, before)
		}
		return strings.TrimRight(strings.Fields(text)[0], ",")
	}
	for n := 60; n < 100; n++ {
		problem := sampledProblem(t, box(0, 1, random.NormFloat64(), random.NormFloat64()), rowsOf(normals(random, n, 2))...)
		tuned := must(problem.Tune(ctx, nil, robust.Demands{Gap: 0.5, Violation: 0.9, Delta: 0.1}, nil))(t)
		promise := must(tuned.Solution.OutOfSample(ctx, 0.1))(t)
		for text, violation := range map[string]proof.Upper{tuned.String(): tuned.TuneStep.Violation, promise.String(): promise.Violation} {
			checkSide(t, []string{number(text, "probability at most ")}, violation.Float(), 1)
		}
		checkSide(t, []string{number(tuned.String(), "objective above ")}, tuned.Levels[0].Value.Float(), 1)
		checkSide(t, []string{number(promise.String(), "objective above ")}, promise.Levels[0].Value.Float(), 1)
		if strings.Contains(tuned.String(), ", up to rounding the optimum") {
			atMost(t, tuned.String(), 1e-12*tuned.Solution.Size, tuned.Gap.Float())
			continue
		}
		checkSide(t, []string{number(tuned.String(), ", at most ")}, tuned.Gap.Float(), 1)
	}
}

// rowsOf lists the rows of a matrix.
func rowsOf(m *mat.Dense) (rows [][]float64) {
	for i := range m.RawMatrix().Rows {
		rows = append(rows, m.RawRowView(i))
	}
	return rows
}

// checkSide compares decimal numbers with a bound, an upper one for side 1, a lower one for -1.
func checkSide(t *testing.T, texts []string, bound float64, side int) {
	t.Helper()
	exact := new(big.Rat).SetFloat64(bound)
	for _, text := range texts {
		if decimal, fits := new(big.Rat).SetString(text); !fits || decimal.Cmp(exact)*side < 0 {
			t.Fatalf("%q stands for a bound of %v", text, bound)
		}
	}
}

package book

import (
	"context"
	"fmt"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/sparsero/directions/datasets"
	"github.com/sparsero/directions/solver"
	_ "github.com/sparsero/directions/solver/highs"
	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/calibration"
	"github.com/sparsero/directions/sparsero/certificate"
	"github.com/sparsero/directions/sparsero/robust"
	"github.com/sparsero/directions/sparsero/selection"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/combin"
)

// answerLine is a line of the table of answers: question, number.
var answerLine = regexp.MustCompile(`(?m)^\| (\d[a-d]) \| ([\d.]+) \|`)

// TestExam computes every number among the answers of TEACHING.md from the data of its question.
func TestExam(t *testing.T) {
	text, err := os.ReadFile(teaching)
	if err != nil {
		t.Fatal(err)
	}
	printed := map[string]string{}
	for _, line := range answerLine.FindAllStringSubmatch(string(text), -1) {
		printed[line[1]] = line[2]
	}
	computed := map[string]float64{}
	for _, question := range []func(*testing.T, map[string]float64){deficits, gapAndRegret, certificates, coverages, sampleSizes, scores, pairs} {
		question(t, computed)
	}
	for name, value := range computed {
		decimals := 0
		if _, after, found := strings.Cut(printed[name], "."); found {
			decimals = len(after)
		}
		if want := strconv.FormatFloat(value, 'f', decimals, 64); printed[name] != want || decimals < 3 && math.Abs(value*1e4-math.Round(value*1e4)) > 1e-3 {
			t.Errorf("question %s: TEACHING.md says %q, the library %v", name, printed[name], value)
		}
	}
	if len(printed) != len(computed) {
		t.Errorf("%d answers are printed, %d are computed", len(printed), len(computed))
	}
}

// must is a value of the library whose data are fixed.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func dictionary(width int, values ...float64) *sparsero.Dictionary {
	return must(sparsero.NewDictionary(mat.NewDense(len(values)/width, width, values), nil))
}

func deficits(_ *testing.T, answers map[string]float64) {
	d := dictionary(2, 2, 0, 0, 1, 1, 1)
	s, few, all := []float64{1, 2}, must(sparsero.NewAtomicSet(d, []int{0, 1}, 1)), must(sparsero.FullSet(d, 1))
	answers["1a"] = few.Support(s)
	answers["1b"] = all.Support(s) - few.Support(s)
	products := mat.NewVecDense(3, nil)
	products.MulVec(mat.NewDense(3, 2, []float64{2, 0, 0, 1, 1, 1}), mat.NewVecDense(2, s))
	for i := range 3 {
		if products.AtVec(i) == all.Support(s) {
			answers["1c"] = float64(i + 1)
		}
	}
	answers["1d"] = all.Support([]float64{1, 0}) - few.Support([]float64{1, 0})
}

// onALine is the problem of questions 2 and 3.
func onALine() *robust.Problem {
	region := solver.NewModel("line")
	region.AddColumn(solver.Column{Name: "tau", Bounds: solver.Between(0, 2), Cost: -0.5})
	q := must(sparsero.NewAffineMap(mat.NewDense(2, 1, []float64{1, -1}), []float64{0, 2}))
	return must(robust.NewProblem(dictionary(2, 1, 0, 0, 1, 1, 1), region, q))
}

func gapAndRegret(_ *testing.T, answers map[string]float64) {
	problem, ctx := onALine(), context.Background()
	few, all := must(problem.Solve(ctx, []int{0, 1}, 1, nil)), must(problem.SolveFull(ctx, 1, nil))
	answers["2a"], answers["2b"] = few.Value, all.Value
	answers["2c"], answers["2d"] = few.Certificate.Bound.Float(), few.FullValue()-all.Value
}

func certificates(t *testing.T, answers map[string]float64) {
	ladder := must(onALine().Ladder(context.Background(), []int{0, 1}, 1, nil))
	for _, rung := range ladder.Rungs {
		if rung.Name == "exact uniform" {
			answers["3a"] = rung.Bound.Float()
		}
	}
	d := dictionary(2, 1, 0, 0, 1, 1, 1)
	few, all := must(sparsero.NewAtomicSet(d, []int{0, 1}, 1)), must(sparsero.FullSet(d, 1))
	net, worst, epsilon, trivial := []float64{0, 1, 2}, 0.0, 0.0, 0.0
	direction := func(tau float64) []float64 { return []float64{tau, 2 - tau} }
	for _, tau := range net {
		worst = max(worst, must(certificate.NewPointwise(few, direction(tau))).Bound.Float())
	}
	for tau := 0.0; tau <= 2; tau += 1.0 / 64 {
		nearest := math.Inf(1)
		for _, point := range net {
			nearest = min(nearest, d.Pseudometric(direction(tau), direction(point)))
		}
		epsilon, trivial = max(epsilon, nearest), max(trivial, all.Support(direction(tau)))
	}
	answers["3b"], answers["3c"] = worst+2*epsilon, trivial
	if answers["3b"] < answers["3c"] {
		t.Errorf("3d: the bound %v is of use, it is below %v", answers["3b"], answers["3c"])
	}
}

func coverages(_ *testing.T, answers map[string]float64) {
	probes := mat.NewDiagDense(4, []float64{1, 1, 1, 1})
	coverage := must(selection.NewCoverage(dictionary(4, 1, 1, 0, 0, 0, 0, 1, 1, 1, 0, 1, .5), mat.DenseCopyOf(probes), nil))
	greedy := must(selection.Greedy{}.Select(context.Background(), coverage, 2))
	best := must(selection.Exact{}.Select(context.Background(), coverage, 2))
	answers["4a"], answers["4b"] = coverage.Value(greedy.Atoms), coverage.Value(best.Atoms)
	answers["4c"], answers["4d"] = selection.GreedyGuarantee(2).Float(), greedy.OptimalityRatio(2).Float()
}

func sampleSizes(_ *testing.T, answers map[string]float64) {
	exact := calibration.OrderStatistic{Alpha: 0.1, Delta: 0.01}
	answers["5a"] = float64(must(exact.MinSamples()))
	answers["5b"] = float64(must(calibration.DKW{Alpha: 0.1, Delta: 0.01}.MinSamples()))
	answers["5c"] = float64(must(exact.Rank(100)))
}

func scores(t *testing.T, answers map[string]float64) {
	corners := must(datasets.Hypercube(4))
	set := must(sparsero.FullSet(must(datasets.CrossPolytope(4)), 1))
	z, gauges := must(calibration.DirectionalScores(set, corners)), must(calibration.GaugeScores(context.Background(), set, corners))
	for i := range z {
		if z[i] != z[0] || math.Abs(gauges[i]-gauges[0]) > 1e-9 {
			t.Errorf("corner %d has the scores %v and %v", i, z[i], gauges[i])
		}
	}
	answers["6a"], answers["6b"] = z[0], gauges[0]
	q := []float64{1, 1, 1, 1}
	outcomes := must(calibration.Outcomes(0, q, corners))
	answers["6c"] = must(calibration.CountViolations(outcomes, z[0]*set.Support(q), 0.95)).Rate
}

func pairs(_ *testing.T, answers map[string]float64) {
	answers["8a"] = float64(combin.Binomial(100, 2))
	bound := fmt.Sprintf("%.3f", proof.AtMost(answers["8a"]*math.Pow(0.9, 98))) // rounded up
	answers["8b"] = must(strconv.ParseFloat(bound, 64))
}

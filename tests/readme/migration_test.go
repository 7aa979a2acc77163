package readme

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sparsero/directions/solver"
	_ "github.com/sparsero/directions/solver/highs"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/calibration"
	"github.com/sparsero/directions/sparsero/convex"
	"github.com/sparsero/directions/sparsero/formula"
	"github.com/sparsero/directions/sparsero/robust"
	"github.com/sparsero/directions/sparsero/selection"
	"gonum.org/v1/gonum/mat"
)

// similarities of two crowds of three points and a point between them.
func similarities() *mat.Dense {
	return mat.NewDense(7, 7, []float64{
		1.0, 0.9, 0.8, 0.1, 0.1, 0.0, 0.4,
		0.9, 1.0, 0.9, 0.0, 0.1, 0.1, 0.4,
		0.8, 0.9, 1.0, 0.1, 0.0, 0.1, 0.5,
		0.1, 0.0, 0.1, 1.0, 0.8, 0.7, 0.5,
		0.1, 0.1, 0.0, 0.8, 1.0, 0.9, 0.4,
		0.0, 0.1, 0.1, 0.7, 0.9, 1.0, 0.3,
		0.4, 0.4, 0.5, 0.5, 0.4, 0.3, 1.0,
	})
}

func Example_selection() {
	ctx, similarity := context.Background(), similarities()

	items := must(sparsero.NewDictionary(similarity, nil)) // row i: how well i represents each item
	each := sparsero.Identity(7).Matrix                    // one direction per item
	coverage := must(selection.NewCoverage(items, each, nil))
	path := must(selection.Greedy{}.Select(ctx, coverage, 3))
	for b, item := range path.Atoms {
		fmt.Printf("item %d, gain %.1f, proven share of the optimum %.2f\n", item, 7*path.Gains[b], path.OptimalityRatio(b+1))
	}
	// Output:
	// item 6, gain 3.5, proven share of the optimum 0.99
	// item 4, gain 1.5, proven share of the optimum 0.84
	// item 1, gain 1.5, proven share of the optimum 0.99
}

// lossesUnderStress are the losses of three assets in four scenarios.
func lossesUnderStress() *mat.Dense {
	return mat.NewDense(4, 3, []float64{
		0.30, 0.10, 0.02,
		0.05, 0.25, 0.02,
		0.20, 0.20, 0.01,
		0.02, 0.03, 0.05,
	})
}

func Example_formulas() {
	ctx, gain, hours := context.Background(), []float64{3, 5}, mat.NewDense(2, 2, []float64{1, 2, 2, 1})

	m := formula.NewModel("two goods")
	x := m.Vector(2, solver.Column{Name: "x", Bounds: solver.Between(0, 10), Integer: true})
	m.Maximize(x.Dot(gain))
	m.Add(x.Map(hours).AtMost([]float64{8, 10}), x.At(0).AtLeast(x.At(1).Times(2).Minus(5)))
	result := must(solver.Solve(ctx, must(m.Model()), nil))
	fmt.Println(result.Objective, x.Value(result.X))
	// Output:
	// 22 [4 2]
}

func Example_robustModel() {
	ctx, losses := context.Background(), lossesUnderStress()

	m := formula.NewModel("portfolio")
	x, u := m.Vector(3, solver.Column{Name: "x", Bounds: solver.Between(0, 1)}), m.Uncertain(must(sparsero.NewDictionary(losses, nil)))
	m.Minimize(u.Dot(x).Minus(x.Dot([]float64{0.05, 0.03, 0.01}))) // the expected returns
	m.Add(x.Sum().Equals(1))
	problem := must(m.Problem())
	full := must(problem.SolveFull(ctx, 0.5, nil))
	few := must(problem.Design(ctx, 3, 0.5, nil))
	fmt.Printf("all scenarios: %.4f with weights %.2f\n", full.Value, full.X)
	fmt.Printf("scenarios %v alone lose at most %.4f\n", few.Atoms, must(few.Solution.GapBound()))
	// Output:
	// all scenarios: 0.0084 with weights [0.06 0.10 0.83]
	// scenarios [0 3 1] alone lose at most 0.0001
}

func Example_ownModel() {
	ctx := context.Background()

	m := formula.NewModel("factory")
	x := m.Vector(2, solver.Column{Name: "lots", Bounds: solver.Between(0, 100), Integer: true}) // of chairs and tables
	saw := m.Uncertain(must(sparsero.NewDictionary(mat.NewDense(2, 2, []float64{0.4, 0, 0.2, 0.5}), nil)))
	order := m.Uncertain(must(sparsero.NewDictionary(mat.NewDense(2, 1, []float64{4, 7}), nil)))
	m.Minimize(x.Dot([]float64{3, 5}))
	m.Add(x.Dot([]float64{1, 2}).Plus(saw.Dot(x)).AtMost(80).Named("hours"), x.Sum().AtLeast(order.Plus(40)).Named("demand"))
	plan := must(must(m.Problem()).SolveFull(ctx, 1, nil))
	fmt.Printf("lots %v at cost %v, because of %q\n", plan.X, plan.Value, plan.Labels())

	portfolio := solver.NewModel("portfolio")
	for _, loss := range []float64{-0.05, -0.03, -0.01} {
		portfolio.AddColumn(solver.Column{Bounds: solver.Between(0, 1), Cost: loss})
	}
	portfolio.AddRow(solver.Row{Bounds: solver.Equal(1), Columns: []int{0, 1, 2}, Values: []float64{1, 1, 1}})
	budget := must(convex.NewBudget([]float64{0.2, 0.1, 0.02}, 1.5)) // Bertsimas and Sim
	over := must(robust.NewConvex(budget, portfolio, sparsero.Identity(3)))
	safe := must(over.SolveFull(ctx, 1, nil))
	fmt.Printf("worst loss %.4f with weights %.2f\n", safe.Value, safe.X)
	// Output:
	// lots [47 0] at cost 141, because of ["demand: d1" "demand: d0"]
	// worst loss 0.0069 with weights [0.08 0.15 0.77]
}

func Example_calibration() {
	residuals := make([]float64, 500)
	for i := range residuals {
		residuals[i] = math.Abs(math.Sin(float64(i * i)))
	}

	split := must(calibration.SplitConformal{Alpha: 0.1}.Calibrate(residuals)) // |y - prediction| on calibration data
	exact := must(calibration.OrderStatistic{Alpha: 0.1, Delta: 0.01}.Calibrate(residuals))
	fmt.Printf("prediction ± %.4f: 90 %% on average over calibration samples (rank %d)\n", split.Value, split.Rank)
	fmt.Printf("prediction ± %.4f: 90 %% for this sample, with probability 99 %% (rank %d)\n", exact.Value, exact.Rank)
	// Output:
	// prediction ± 0.9881: 90 % on average over calibration samples (rank 451)
	// prediction ± 0.9944: 90 % for this sample, with probability 99 % (rank 466)
}

// TestMigrationShowsTheseExamples fails when code or output in the migration
// page differs from the examples above.
func TestMigrationShowsTheseExamples(t *testing.T) {
	source := read(t, "migration_test.go")
	page := read(t, filepath.Join("..", "..", "sparsero", "MIGRATION.md"))
	for _, name := range []string{"selection", "formulas", "robustModel", "ownModel", "calibration"} {
		body := between(t, source, "func Example_"+name+"() {\n", "\n}\n")
		_, shown, _ := strings.Cut(body, "\n\n") // what stands before the first blank line makes the data
		code, output, _ := strings.Cut(shown, "\t// Output:\n")
		for _, want := range []string{unindent(code, "\t"), unindent(output, "\t// ")} {
			if !strings.Contains(page, strings.TrimSpace(want)) {
				t.Errorf("MIGRATION.md does not hold this part of Example_%s:\n%s", name, want)
			}
		}
	}
}

package robust_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/convex"
	"github.com/sparsero/directions/sparsero/robust"
	"gonum.org/v1/gonum/mat"
)

// isotropic is a robust portfolio of n assets with N Gaussian atoms.
func isotropic(b *testing.B, atoms, n int) *robust.Problem {
	source := rand.New(rand.NewPCG(7, 8))
	m := mat.NewDense(atoms, n, nil)
	for i := range atoms {
		for j := range n {
			m.Set(i, j, source.NormFloat64())
		}
	}
	region := solver.NewModel("portfolio")
	budget := solver.Row{Bounds: solver.Equal(1)}
	for range n {
		budget.Columns = append(budget.Columns, region.AddColumn(solver.Column{Bounds: solver.Between(0, 1), Cost: source.NormFloat64()}))
		budget.Values = append(budget.Values, 1)
	}
	region.AddRow(budget)
	d := must(sparsero.NewDictionary(m, nil))(b)
	return must(robust.NewProblem(d, region, sparsero.Identity(n)))(b)
}

// The full model by cutting planes against all rows at once.
func BenchmarkFull(b *testing.B) {
	p := isotropic(b, 2000, 50)
	for _, cuts := range []int{1, 10, 50} {
		b.Run(fmt.Sprintf("cutting planes, %d a round", cuts), func(b *testing.B) {
			for b.Loop() {
				s := must(p.SolveFull(ctx, 1, &robust.Options{CutsPerRound: cuts}))(b)
				b.ReportMetric(float64(s.Rounds), "rounds")
				b.ReportMetric(float64(s.Rows), "rows")
			}
		})
	}
	b.Run("all rows", func(b *testing.B) {
		for b.Loop() {
			must(p.Solve(ctx, everyAtom(p.Dictionary()), 1, nil))(b)
		}
	})
}

// Algorithm 1 with every rule on the same problem.
func BenchmarkDesign(b *testing.B) {
	p := isotropic(b, 2000, 50)
	for _, rule := range []robust.AtomRule{robust.CoverageGain, robust.SmallestDeficit, robust.MostViolated} {
		b.Run(rule.String(), func(b *testing.B) {
			for b.Loop() {
				design := must(p.Design(ctx, 100, 1, &robust.DesignOptions{Rule: rule}))(b)
				b.ReportMetric(float64(len(design.Atoms)), "atoms")
			}
		})
	}
}

// clusteredBox is a box of 512 columns with 15,000 atoms around 200 centres.
func clusteredBox(b *testing.B) *robust.Problem {
	const atoms, n, centres = 15_000, 512, 200
	source := rand.New(rand.NewPCG(7, 8))
	m, centre := mat.NewDense(atoms, n, nil), gaussianRows(centres, n)
	for i := range atoms {
		around := centre.RawRowView(source.IntN(centres))
		for j := range n {
			m.Set(i, j, around[j]+source.NormFloat64()/2)
		}
	}
	cost := make([]float64, n)
	for j := range cost {
		cost[j] = source.NormFloat64()
	}
	return must(robust.NewProblem(must(sparsero.NewDictionary(m, nil))(b), box(-1, 1, cost...), sparsero.Identity(n)))(b)
}

// designCertified runs a design that must be certified, and returns how long that took.
func designCertified(b *testing.B, p *robust.Problem, o *robust.DesignOptions) (*robust.Design, time.Duration) {
	begin := time.Now()
	design := must(p.Design(ctx, p.Dictionary().Size(), 4, o))(b)
	if !design.Certified {
		b.Fatal(design)
	}
	return design, time.Since(begin)
}

// BenchmarkSave saves a certified design, and tells which share of the design's time that takes.
func BenchmarkSave(b *testing.B) {
	design, took := designCertified(b, clusteredBox(b), nil)
	path := filepath.Join(b.TempDir(), "design.json")
	for b.Loop() {
		if err := design.Solution.Save(path, nil); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(100*b.Elapsed().Seconds()/float64(b.N)/took.Seconds(), "%-of-design")
}

// BenchmarkFullModelThenDesign certifies a design from the atoms of the full model, and tells how many times as long as
// the full model both take.
func BenchmarkFullModelThenDesign(b *testing.B) {
	p, alone := clusteredBox(b), time.Duration(0)
	for b.Loop() {
		begin := time.Now()
		full := must(p.SolveFull(ctx, 4, nil))(b)
		alone += time.Since(begin)
		design, _ := designCertified(b, p, &robust.DesignOptions{Start: full.Atoms})
		b.ReportMetric(float64(len(design.Atoms)), "atoms")
	}
	b.ReportMetric(b.Elapsed().Seconds()/alone.Seconds(), "times-the-full-model")
}

// The full model and a design over an ellipsoid, which answers with a point for each decision.
func BenchmarkEllipsoid(b *testing.B) {
	const n = 40
	p := isotropic(b, 1, n)
	covariance := mat.NewDense(n, n, nil)
	for i := range n {
		for j := range n {
			covariance.Set(i, j, math.Exp(-math.Abs(float64(i-j))/4))
		}
	}
	over := must(robust.NewConvex(must(convex.NewEllipsoid(covariance, 1))(b), p.Region(), p.Map()))(b)
	b.Run("full", func(b *testing.B) {
		for b.Loop() {
			s := must(over.SolveFull(ctx, 10, nil))(b)
			b.ReportMetric(float64(s.Rounds), "rounds")
			b.ReportMetric(float64(len(s.Atoms)), "atoms")
		}
	})
	b.Run("design", func(b *testing.B) {
		for b.Loop() {
			must(over.Design(ctx, 20, 10, &robust.DesignOptions{Rule: robust.MostViolated}))(b)
		}
	})
}

// BenchmarkPortfolioOfABudget solves the portfolio of TestPortfolioOfTheBudget.
func BenchmarkPortfolioOfABudget(b *testing.B) {
	problem := budgetPortfolio(b)
	for b.Loop() {
		must(problem.SolveFull(ctx, 1, nil))(b)
	}
}

// A day of a rolling window beside the program of a window from nothing.
func BenchmarkDay(b *testing.B) {
	const n, p, days = 1000, 30, 1000
	all, region := gaussianRows(n+days, p), simplex(p)
	cold := func() *robust.Solution {
		window := must(sparsero.NewDictionary(all.Slice(0, n, 0, p), nil))(b)
		return must(must(robust.NewProblem(window, region, sparsero.Identity(p)))(b).SolveFull(ctx, 1, nil))(b)
	}
	b.Run("cold", func(b *testing.B) {
		for b.Loop() {
			cold()
		}
	})
	b.Run("rolled", func(b *testing.B) {
		s, later := cold(), must(sparsero.NewDictionary(all.Slice(n, n+days, 0, p), nil))(b)
		for day := 0; b.Loop(); day++ {
			rolled, start, err := s.Problem().Roll(must(later.Subset([]int{day % days}))(b), []int{0}, s.Atoms)
			if err != nil {
				b.Fatal(err)
			}
			s = must(rolled.SolveFull(ctx, 1, &robust.Options{Start: start}))(b)
		}
	})
}

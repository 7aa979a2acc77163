package robust_test

import (
	"math"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/convex"
	"github.com/sparsero/directions/sparsero/robust"
	"pgregory.net/rapid"
)

// rowless hides that a set enters a program by rows.
type rowless struct{ convex.Set }

// TestOneProgramEqualsCuttingPlanes solves over sets that enter by rows of their own and over the same sets by cutting planes: values
// agree, and the bound of either is not above the value of the other.
func TestOneProgramEqualsCuttingPlanes(t *testing.T) {
	seen := 0
	rapid.Check(t, func(t *rapid.T) {
		set, region, radius := drawConvex(t), drawRegion(t), drawRadius(t)
		if _, compact := set.(convex.Compact); !compact {
			return
		}
		seen++
		if rapid.Bool().Draw(t, "integer") {
			region.SetInteger(0, true)
		}
		q := drawMap(t, set.Dim(), region.Columns())
		// With a limit of 0, the tolerance of a row decides about widths near 0.
		constraint := robust.Constraint{Map: drawMap(t, set.Dim(), region.Columns()), Limit: float64(rapid.IntRange(1, 30).Draw(t, "limit"))}
		one := get(robust.NewConvex(set, region, q, constraint))(t)
		many := get(robust.NewConvex(rowless{set}, region, q, constraint))(t)
		s, err := one.SolveFull(ctx, radius, nil)
		other, otherErr := many.SolveFull(ctx, radius, nil)
		if (err == nil) != (otherErr == nil) {
			t.Fatalf("one program: %v; cutting planes: %v", err, otherErr)
		}
		if err != nil {
			return
		}
		slack := 1e-6 * (1 + math.Abs(s.Value))
		if s.LowerBound.Float() > other.FullValue()+slack || other.LowerBound.Float() > s.FullValue()+slack {
			t.Errorf("one program [%v, %v], cutting planes [%v, %v]", s.LowerBound.Float(), s.FullValue(), other.LowerBound.Float(), other.FullValue())
		}
		if !s.Partial && !other.Partial && math.Abs(s.FullValue()-other.FullValue()) > slack {
			t.Errorf("one program %v, cutting planes %v", s.FullValue(), other.FullValue())
		}
	})
	if seen == 0 {
		t.Error("no set entered by rows")
	}
}

// budgetPortfolio is the portfolio of Bertsimas and Sim (2004) with 150 stocks and Γ = 5.
func budgetPortfolio(t testing.TB) *robust.OracleProblem {
	const n = 150
	widths, region := make([]float64, n), solver.NewModel("portfolio")
	total := solver.Row{Bounds: solver.Equal(1)}
	for i := range n {
		widths[i] = 0.05 / 450 * math.Sqrt(2*float64(i+1)*n*(n+1))
		region.AddColumn(solver.Column{Bounds: solver.Between(0, 1), Cost: -(1.15 + 0.05*float64(i+1)/n)})
		total.Columns, total.Values = append(total.Columns, i), append(total.Values, 1)
	}
	region.AddRow(total)
	return must(robust.NewConvex(must(convex.NewBudget(widths, 5))(t), region, sparsero.Identity(n)))(t)
}

// TestPortfolioOfTheBudget takes one round to the return that Bertsimas and Sim print, 1.17089.
func TestPortfolioOfTheBudget(t *testing.T) {
	s := must(budgetPortfolio(t).SolveFull(ctx, 1, nil))(t)
	if s.Rounds != 1 || math.Abs(-s.FullValue()-1.17089) > 5e-6 || s.FullValue()-s.LowerBound.Float() > 1e-9 {
		t.Errorf("%d rounds, value in [%v, %v]; want 1.17089 in one", s.Rounds, -s.FullValue(), -s.LowerBound.Float())
	}
}

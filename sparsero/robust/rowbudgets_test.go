package robust_test

import (
	"strings"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/internal/input"
	"github.com/sparsero/directions/sparsero/robust"
)

// TestRowBudgetsEndTheDesign: max x_1 + x_2 + x_3 against three atoms each of which the row needs ends with as many as
// its budget allows, by every rule, and says that the budget is the reason where they are too few. The solution prints
// their number.
func TestRowBudgetsEndTheDesign(t *testing.T) {
	for budget := range 5 {
		for _, rule := range []robust.AtomRule{robust.CoverageGain, robust.MostViolated, robust.SmallestDeficit} {
			region := solver.NewModel("three")
			for range 3 {
				region.AddColumn(solver.Column{Bounds: solver.Between(0, 10), Cost: -1})
			}
			p := must(robust.NewProblem(dictionary(t, []float64{1, 0, 0}, []float64{0, 1, 0}, []float64{0, 0, 1}), region, sparsero.AffineMap{},
				robust.Constraint{Name: "row", Map: sparsero.Identity(3), Limit: 5}))(t)
			design := must(p.Design(ctx, 3, 1, &robust.DesignOptions{Rule: rule, RowBudgets: map[string]int{"row": budget}}))(t)
			want, stop := min(budget, 3), "budget exhausted"
			if want == 3 {
				stop = "certified"
			}
			if len(design.Atoms) != want || !strings.HasPrefix(design.Solution.String(), input.Count(want, "atom")+" at radius 1: ") {
				t.Errorf("rule %v, budget %d: atoms %v, %v", rule, budget, design.Atoms, design.Solution)
			}
			if string(design.Stop) != stop {
				t.Errorf("rule %v, budget %d: stopped by %v, want %v", rule, budget, design.Stop, stop)
			}
		}
	}
}

// TestFullModelsPrintTheirAtoms although there is one alone.
func TestFullModelsPrintTheirAtoms(t *testing.T) {
	p := must(robust.NewProblem(dictionary(t, []float64{1, 0}), box(1, 2, 1, 1), sparsero.Identity(2)))(t)
	if s := must(p.SolveFull(ctx, 1, nil))(t); !strings.Contains(s.String(), "with 1 atom") {
		t.Error(s)
	}
}

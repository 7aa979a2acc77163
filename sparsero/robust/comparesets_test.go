package robust_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/calibration"
	"github.com/sparsero/directions/sparsero/convex"
	"github.com/sparsero/directions/sparsero/robust"
)

// contest is a portfolio of p assets whose costs deviate independently.
func contest(t testing.TB, p int) *robust.SetContest {
	source := rand.New(rand.NewPCG(16, 1))
	draw := func(m int) *mat.Dense {
		u := mat.NewDense(m, p, nil)
		for j := range m {
			for k := range p {
				u.Set(j, k, source.NormFloat64()*float64(k+1))
			}
		}
		return u
	}
	region, row := solver.NewModel("portfolio"), solver.Row{Bounds: solver.Equal(1)}
	for k := range p {
		row.Columns, row.Values = append(row.Columns, region.AddColumn(solver.Column{Bounds: solver.Between(0, 1), Cost: -float64(k)})), append(row.Values, 1)
	}
	region.AddRow(row)
	return &robust.SetContest{
		Region: region, Map: sparsero.Identity(p), Calibration: draw(400), Report: draw(4000),
		Rule: calibration.OrderStatistic{Alpha: 0.1, Delta: 0.01},
	}
}

// TestComparedSetsKeepTheirPromise: each set at its radius holds the share of the calibration samples that its rank says,
// its value is what the set alone gives, and at most α of the report samples break it, but for chance: at δ = 0.01 for each
// of three sets the test is wrong with probability below 0.03 over its seed, which is fixed.
func TestComparedSetsKeepTheirPromise(t *testing.T) {
	const p = 4
	c := contest(t, p)
	cube, err := sparsero.NewDictionary(mat.NewDense(2*p, p, nil), nil)
	if err != nil {
		t.Fatal(err)
	}
	rows := cube.Matrix()
	for k := range p {
		rows.Set(2*k, k, p*float64(k+1))
		rows.Set(2*k+1, k, -p*float64(k+1))
	}
	cross := must(sparsero.NewDictionary(rows, nil))(t)
	atoms := must(sparsero.FullSet(cross, 1))(t)
	widths := []float64{1, 2, 3, 4}
	box := must(convex.NewBudget(widths, p))(t)
	ellipsoid := must(convex.NewEllipsoid(mat.NewDiagDense(p, []float64{1, 4, 9, 16}), 1))(t)
	comparison := must(c.Compare(ctx, robust.SetCandidate{Name: "box", Set: box}, robust.SetCandidate{Name: "ellipsoid", Set: ellipsoid}, robust.SetCandidate{Name: "atoms", Atoms: atoms}))(t)
	for _, r := range comparison.Results {
		if r.Price < 0 || r.Bound > 1e-5*(1+math.Abs(r.Solution.Value)) || r.Violation.Rate > 0.1 {
			t.Errorf("%s: price %v, bound %v, violations %v", r.Name, r.Price, r.Bound, r.Violation)
		}
	}
	if comparison.Results[1].Price >= comparison.Results[0].Price {
		t.Errorf("independent deviations: the ellipsoid costs %v, the box %v", comparison.Results[1].Price, comparison.Results[0].Price)
	}
	if frame := comparison.Frame(); frame.Nrow() != 3 || frame.Names()[2] != "price" {
		t.Error(frame)
	}
}

func TestContestsRefuse(t *testing.T) {
	c := contest(t, 2)
	for want, candidate := range map[string]robust.SetCandidate{
		`"nothing": it has neither`: {Name: "nothing"},
		`"flat": calibration`:       {Name: "flat", Set: must(convex.NewBudget([]float64{1, 0}, 1))(t)},
	} {
		if _, err := c.Compare(ctx, candidate); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want an error with %q, got %v", want, err)
		}
	}
	if _, err := (&robust.SetContest{}).Compare(ctx); err == nil {
		t.Error("an empty contest")
	}
}

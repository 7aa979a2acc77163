package solver

import (
	"context"
	"math"
	"slices"
	"testing"
)

// strip is -1 <= x - y <= 2 with x >= 0, y >= 0 and the costs given.
func strip(costs ...float64) *Model {
	m := NewModel("strip")
	for _, cost := range costs {
		m.AddColumn(Column{Bounds: AtLeast(0), Cost: cost})
	}
	m.AddRow(Row{Bounds: Between(-1, 2), Columns: []int{0, 1}, Values: []float64{1, -1}})
	return m
}

// TestRaysAreChecked: a ray proves that a model is unbounded if it keeps to every row and
// bound and improves the objective, and not otherwise.
func TestRaysAreChecked(t *testing.T) {
	above := strip(-1, -1)
	above.SetColumnBounds(0, AtMost(5))
	below := strip(1, 1)
	below.SetColumnBounds(0, Bounds{})
	below.SetColumnBounds(1, Bounds{})
	upward := strip(-1, -1)
	upward.SetSense(Maximize)
	for _, test := range []struct {
		name  string
		model *Model
		ray   []float64
		want  bool
	}{
		{"along the strip", strip(-1, -1), []float64{1, 1}, true},
		{"downwards without bounds", below, []float64{-1, -1}, true},
		{"out of the strip by a rounding error", strip(-1, -1), []float64{1, 1 - 0x1p-53}, false},
		{"out of the upper side of the row", strip(-1, -1), []float64{1, 0}, false},
		{"out of the lower side of the row", strip(-1, -1), []float64{0, 1}, false},
		{"out of a lower bound", strip(1, 1), []float64{-1, -1}, false},
		{"out of an upper bound", above, []float64{1, 1}, false},
		{"without a gain", strip(1, -1), []float64{1, 1}, false},
		{"in the wrong sense", upward, []float64{1, 1}, false},
		{"none", strip(-1, -1), []float64{0, 0}, false},
	} {
		if got := test.model.Recession().falling(-0.1).keeps(test.ray); got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

// TestFarkasMultipliersAreChecked: multipliers of either sign prove that a model is infeasible
// exactly when their bound is above 0.
func TestFarkasMultipliersAreChecked(t *testing.T) {
	m := strip(0, 0)
	m.AddRow(Row{Bounds: AtMost(-1), Columns: []int{0, 1}, Values: []float64{1, 1}}) // x + y >= 0
	for _, test := range []struct {
		y    []float64
		want bool
	}{
		{[]float64{0, -1}, true}, {[]float64{0, 1}, true}, {[]float64{0, 0}, false}, {[]float64{1, 0}, false},
		{[]float64{2, -1}, false}, {nil, false},
	} {
		if got := m.provesInfeasible(slices.Clone(test.y)); got != test.want {
			t.Errorf("%v: %v, want %v", test.y, got, test.want)
		}
	}
}

// TestExactDecisionThatIsStopped leaves what was known.
func TestExactDecisionThatIsStopped(t *testing.T) {
	session, err := Open(strip(1, 1), nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r := newResult(session.model, "test")
	r.Status, r.Detail = Infeasible, "as the backend says"
	if session.decideExactly(ctx, r) || r.Status != Infeasible || r.Detail != "as the backend says" {
		t.Errorf("decided after its end: %v", r)
	}
	if !session.decideExactly(context.Background(), r) || r.Status != Optimal || r.Objective != 0 || r.Bound != 0 {
		t.Errorf("not decided: %v", r)
	}
}

// TestRoundedGradientsAreNotRepaired: a column with a quadratic term, alone or with another
// one, has a gradient that is rounded.
func TestRoundedGradientsAreNotRepaired(t *testing.T) {
	m := strip(1, 1)
	m.AddColumn(Column{})
	m.AddColumn(Column{})
	m.AddQuadratic(1, 1, 1)
	m.AddQuadratic(0, 2, 1)
	c := newClaim(m, make([]float64, 4))
	for j, want := range []bool{true, true, true, false} {
		if c.hasSquare(j) != want {
			t.Errorf("column %d: %v", j, !want)
		}
		if newZeroClaim(m).hasSquare(j) {
			t.Errorf("column %d has a square in the objective 0", j)
		}
	}
}

// TestRepairedMultipliers: columns without a bound get reduced costs that are 0 to the last bit,
// and with them a bound at the optimum, in any units.
func TestRepairedMultipliers(t *testing.T) {
	for _, exponent := range []int{0, -200, 300} {
		m := NewModel("quarters")
		for range 3 {
			m.AddColumn(Column{Cost: math.Ldexp(1, exponent)})
		}
		for i, values := range [][]float64{{3, 1, 0}, {0, 3, 1}, {1, 0, 3}} {
			m.AddRow(Row{Bounds: AtLeast(float64(i)), Columns: []int{0, 1, 2}, Values: values})
		}
		for _, off := range []float64{0x1p-52, -0x1p-52, 0x1p-40, -0x1p-40} {
			quarter := math.Ldexp(0.25*(1+off), exponent)
			bound, _ := newClaim(m, nil).bound([]float64{quarter, quarter, quarter})
			if want := math.Ldexp(0.75, exponent); bound > want || bound < want*(1-1e-15) {
				t.Errorf("2^%d, %g off: bound %v, want %v", exponent, off, bound, want)
			}
		}
	}
}

// TestMultipliersOfMissingSides: a multiplier that leans on a side which a row does not have
// counts for nothing.
func TestMultipliersOfMissingSides(t *testing.T) {
	m := NewModel("one side")
	m.AddColumn(Column{Bounds: Between(-3, 3), Cost: 1})
	m.AddRow(Row{Bounds: AtMost(2), Columns: []int{0}, Values: []float64{1}})
	m.AddRow(Row{Bounds: AtLeast(-2), Columns: []int{0}, Values: []float64{1}})
	for _, y := range [][]float64{{0, 1}, {0.5, 1}} {
		if bound, _ := newClaim(m, nil).bound(y); bound != -2 {
			t.Errorf("multipliers %v: bound %v, want -2", y, bound)
		}
	}
	if bound, _ := newClaim(m, nil).bound([]float64{0, -1}); bound != -3 {
		t.Errorf("multiplier of a missing upper side: bound %v, want -3", bound)
	}
}

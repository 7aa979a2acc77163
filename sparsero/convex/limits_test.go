package convex_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero/convex"
	"github.com/sparsero/directions/sparsero/internal/lifted"
	"gonum.org/v1/gonum/mat"
)

// What no ellipsoid is made of is named.
func TestWhatAnEllipsoidNeeds(t *testing.T) {
	unit := mat.NewDiagDense(2, []float64{1, 1})
	for name, test := range map[string]struct {
		covariance mat.Matrix
		radius     float64
		want       string
	}{
		"nothing":         {nil, 1, "covariance is nil"},
		"no number":       {mat.NewDense(1, 1, []float64{math.NaN()}), 1, "the value NaN in row 0, column 0"},
		"no square":       {mat.NewDense(1, 2, nil), 1, "is 1×2"},
		"no radius":       {unit, 0, "a finite radius > 0"},
		"negative radius": {unit, -1, "a finite radius > 0"},
		"infinite radius": {unit, math.Inf(1), "a finite radius > 0"},
		"singular":        {mat.NewDense(2, 2, []float64{1, 1, 1, 1}), 1, "not positive definite"},
	} {
		if _, err := convex.NewEllipsoid(test.covariance, test.radius); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, _, err := convex.FitEllipsoid(mat.NewDense(2, 2, []float64{1, 0, 0, 1}), 1); err == nil || !strings.Contains(err.Error(), "2 samples cannot determine") {
		t.Errorf("as many samples as coordinates: %v", err)
	}
	if gauge := (&convex.Ellipsoid{}).Gauge(nil); gauge != 0 {
		t.Errorf("the gauge of no coordinates is %v", gauge)
	}
}

// A coordinate that is constant up to the rounding of its mean has no ellipsoid, in any unit.
func TestConstantCoordinatesHaveNoEllipsoid(t *testing.T) {
	for _, constant := range []float64{0.1, 1e200 / 3, 0} {
		samples := mat.NewDense(7, 2, nil)
		for k := range 7 {
			samples.SetRow(k, []float64{constant, float64(k * k)})
		}
		if _, _, err := convex.FitEllipsoid(samples, 1); err == nil || !strings.Contains(err.Error(), "drop coordinates that are constant") {
			t.Errorf("%v: %v", constant, err)
		}
	}
}

// The worst case depends on the direction alone, not on its length.
func TestWorstCasesOfLongDirections(t *testing.T) {
	e, err := convex.NewEllipsoid(mat.NewDense(2, 2, []float64{2, 1, 1, 3}), 1.5)
	if err != nil {
		t.Fatal(err)
	}
	want := e.WorstCase([]float64{1, -3})
	for _, size := range []float64{0x1p1000, 0x1p-1000, 0x1p-1060} {
		if got := e.WorstCase([]float64{size, -3 * size}); !slices.Equal(got, want) {
			t.Errorf("in direction (1, -3) times %v: %v, want %v", size, got, want)
		}
	}
}

// The gauge of a budget is the larger of the largest share and the sum of the shares by the budget.
func TestGaugeOfBudgetsByHand(t *testing.T) {
	b, err := convex.NewBudget([]float64{2, 4, 0}, 1.5)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		u    []float64
		want float64
	}{
		{[]float64{1, 0, 0}, 0.5}, {[]float64{0.25, 0, 0}, 0.125}, {[]float64{1, 1, 0}, 0.5}, {[]float64{2, -4, 0}, 4. / 3}, {[]float64{0, 0, 0}, 0},
		{[]float64{0, 0, 1}, math.Inf(1)}, {[]float64{0, 1, 0}, 0.25}, {[]float64{-8, 0, 0}, 4},
	} {
		if got := b.Gauge(test.u); math.Abs(got-test.want) > 1e-15 && got != test.want {
			t.Errorf("%v: gauge %v, want %v", test.u, got, test.want)
		}
	}
}

// In a file a budget that is not spent has no price, and its parts have one bound each.
func TestBudgetsInFilesByHand(t *testing.T) {
	b, err := convex.NewBudget([]float64{2, 1, 3}, 1.5)
	if err != nil {
		t.Fatal(err)
	}
	filed := b.(interface {
		InFile(points, directions [][]float64) (*lifted.Set, [][]float64)
	})
	set, z := filed.InFile([][]float64{{-1, 0.5, 0}}, [][]float64{{0, 5, 0}, {1, -1, 1}, {}, {1, 0, 1}})
	if len(set.Lower) != 6 || len(set.Upper) != 6 || len(set.Rows) != 1 || *set.Rows[0].Upper != 1.5 {
		t.Errorf("%+v", set)
	}
	for k, want := range []float64{0, 2, 0, 2} {
		if !slices.Equal(set.Support[k], []float64{want}) {
			t.Errorf("direction %d: the budget has the price %v, want %v", k, set.Support[k], want)
		}
	}
	if want := []float64{0, 0.5, 0, 0.5, 0, 0}; !slices.Equal(z[0], want) {
		t.Errorf("the point is %v, want %v", z[0], want)
	}
}

// A polyhedron needs no context, has no integer columns, and no bound of the box around it is a negative zero.
func TestPolyhedraAtZero(t *testing.T) {
	model := solver.NewModel("corner")
	for range 2 {
		model.AddColumn(solver.Column{Bounds: solver.Between(0, 1)})
	}
	var none context.Context
	set, err := convex.NewPolyhedron(none, model, nil)
	if err != nil {
		t.Fatal(err)
	}
	filed, _ := set.(interface {
		InFile(points, directions [][]float64) (*lifted.Set, [][]float64)
	}).InFile(nil, nil)
	for _, lower := range filed.Lower {
		if math.Signbit(lower) {
			t.Errorf("the box is %v to %v", filed.Lower, filed.Upper)
		}
	}
	model.SetInteger(1, true)
	if _, err := convex.NewPolyhedron(t.Context(), model, nil); err == nil || !strings.Contains(err.Error(), "integer columns") {
		t.Errorf("an integer column: %v", err)
	}
}

// The multipliers of a polyhedron are those of the sides that bound a direction: above 0 for an upper one, below for a lower.
func TestMultipliersOfBothSides(t *testing.T) {
	model := solver.NewModel("sides")
	for range 2 {
		model.AddColumn(solver.Column{Bounds: solver.Between(-10, 10)})
	}
	model.AddRow(solver.Row{Bounds: solver.AtLeast(-1), Columns: []int{0, 1}, Values: []float64{1, 1}})
	model.AddRow(solver.Row{Bounds: solver.AtMost(2), Columns: []int{0, 1}, Values: []float64{1, -1}})
	set, err := convex.NewPolyhedron(t.Context(), model, nil)
	if err != nil {
		t.Fatal(err)
	}
	filed, _ := set.(interface {
		InFile(points, directions [][]float64) (*lifted.Set, [][]float64)
	}).InFile(nil, [][]float64{{-1, -1}, {1, -1}, {1, 1}})
	for k, want := range [][]float64{{-1, 0}, {0, 1}, {0, 0}} {
		for i, multiplier := range filed.Support[k] {
			if math.Abs(multiplier-want[i]) > 1e-9 {
				t.Errorf("direction %d has the multipliers %v, want %v", k, filed.Support[k], want)
			}
		}
	}
}

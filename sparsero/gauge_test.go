package sparsero_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// lpTolerance is the accuracy expected of numbers that come out of a linear
// program with tolerances of 1e-7.
const lpTolerance = 1e-5

func closeToLP(a, b float64) bool {
	return a == b || math.Abs(a-b) <= lpTolerance*(1+math.Abs(a)+math.Abs(b))
}

// The closed form of the support function, equation (2), against the linear
// program sup { <u,s> : u = sum a_i d_i, a >= 0, sum a_i <= r }.
func TestSupportFunctionMatchesLinearProgram(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawDictionary(t, 6, 4)
		set := drawSet(t, d)
		s := drawDirection(t, d)
		model := solver.NewModel("support")
		model.SetMaximize(true)
		budget := solver.Row{Bounds: solver.AtMost(set.Radius())}
		for k, i := range set.Atoms() {
			model.AddColumn(solver.Column{Bounds: solver.AtLeast(0), Cost: dot(d.Atom(i), s)})
			budget.Columns, budget.Values = append(budget.Columns, k), append(budget.Values, 1)
		}
		if set.Size() == 0 {
			if set.Support(s) != 0 {
				t.Fatal("the support of {0} is not zero")
			}
			return
		}
		model.AddRow(budget)
		result, err := solver.Solve(context.Background(), model, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := result.Check(); err != nil {
			t.Fatal(err)
		}
		if !closeToLP(result.Objective, set.Support(s)) {
			t.Fatalf("linear program %v, closed form %v", result.Objective, set.Support(s))
		}
	})
}

// The gauge of a point made of known coefficients is at most their sum, its own
// coefficients give the point back, and no direction separates: <u,s> is at most
// g_S(u) times the support at radius 1 (weak duality).
func TestGaugeOfPointsInTheCone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawDictionary(t, 6, 4)
		set := drawSet(t, d)
		u, total := make([]float64, d.Dim()), 0.0
		for _, i := range set.Atoms() {
			weight := float64(rapid.IntRange(0, 3072).Draw(t, "weight")) / 1024 // so that u is exactly in the cone
			total += weight
			for j, v := range d.Atom(i) {
				u[j] += weight * v
			}
		}
		value, coefficients, err := set.Gauge(u)
		if err != nil {
			t.Fatal(err)
		}
		if value > total+lpTolerance*(1+total) {
			t.Fatalf("gauge %v of a point with weight %v", value, total)
		}
		back, sum := make([]float64, d.Dim()), 0.0
		for k, i := range set.Atoms() {
			if coefficients[k] < 0 {
				t.Fatalf("negative coefficient %v", coefficients[k])
			}
			sum += coefficients[k]
			for j, v := range d.Atom(i) {
				back[j] += coefficients[k] * v
			}
		}
		for j := range u {
			if math.Abs(back[j]-u[j]) > lpTolerance*(1+math.Abs(u[j])+total*d.MaxNorm()) {
				t.Fatalf("coefficients give %v, want %v", back, u)
			}
		}
		if !closeTo(sum, value) {
			t.Fatalf("coefficients sum to %v, gauge %v", sum, value)
		}
		s := drawDirection(t, d)
		_, alignment := set.WorstAtom(s)
		if excess := dot(u, s) - value*alignment; excess > lpTolerance*(1+math.Abs(dot(u, s))) {
			t.Fatalf("direction %v separates by %v", s, excess)
		}
	})
}

// Strong duality: g_S(u) = max { <u,y> : <d_i,y> <= 1 for i in S }, the support
// function of the polar; an unbounded dual means u is outside the cone.
func TestGaugeMatchesPolarProgram(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawDictionary(t, 6, 3)
		set := drawSet(t, d)
		u := drawVector(t, "u", d.Dim(), true)
		value, _, err := set.Gauge(u)
		if err != nil {
			t.Fatal(err)
		}
		model := solver.NewModel("polar")
		model.SetMaximize(true)
		columns := make([]int, d.Dim())
		for j := range columns {
			columns[j] = model.AddColumn(solver.Column{Cost: u[j]})
		}
		for _, i := range set.Atoms() {
			model.AddRow(solver.Row{Bounds: solver.AtMost(1), Columns: columns, Values: d.Atom(i)})
		}
		result, err := solver.Solve(context.Background(), model, nil)
		if err != nil {
			t.Fatal(err)
		}
		if math.IsInf(value, 1) {
			if result.Status != solver.Unbounded && result.Status != solver.InfeasibleOrUnbounded {
				t.Fatalf("gauge is infinite, polar program is %v with %v", result.Status, result.Objective)
			}
			return
		}
		if err := result.Check(); err != nil {
			t.Fatal(err)
		}
		if !closeToLP(result.Objective, value) {
			t.Fatalf("gauge %v, polar program %v", value, result.Objective)
		}
	})
}

// The gauge is homogeneous in u and inversely so in the atoms, at scales far
// from the solver's tolerances.
func TestGaugeIsScaleConsistent(t *testing.T) {
	atoms := mat.NewDense(3, 2, []float64{1, 0, 0, 1, -1, -1})
	u := []float64{0.3, -0.4}
	base, _, err := newSet(t, newDictionary(t, 3, 2, atoms.RawMatrix().Data...), []int{0, 1, 2}, 1).Gauge(u)
	if err != nil {
		t.Fatal(err)
	}
	if !closeToLP(base, 1.1) { // u = .7 (1,0) + .4 (-1,-1)
		t.Fatalf("gauge %v, want 1.1", base)
	}
	for _, scale := range []float64{1e-9, 1e-4, 1e6} {
		var scaled mat.Dense
		scaled.Scale(scale, atoms)
		d, err := sparsero.NewDictionary(&scaled, nil)
		if err != nil {
			t.Fatal(err)
		}
		set := newSet(t, d, []int{0, 1, 2}, 1)
		value, _, err := set.Gauge(u)
		if err != nil || !closeToLP(value*scale, base) {
			t.Errorf("atoms times %v: gauge %v (%v), want %v", scale, value, err, base/scale)
		}
		value, _, err = set.Gauge([]float64{scale * u[0], scale * u[1]})
		if err != nil || !closeToLP(value, base) {
			t.Errorf("atoms and point times %v: gauge %v (%v), want %v", scale, value, err, base)
		}
	}
}

func TestGaugeDegenerateCases(t *testing.T) {
	d := newDictionary(t, 4, 2, 0, 0, 1, 0, 1, 0, 2, 0) // zero, repeated and collinear atoms
	for _, test := range []struct {
		name    string
		indices []int
		u       []float64
		want    float64
	}{
		{"origin, empty set", nil, []float64{0, 0}, 0},
		{"point, empty set", nil, []float64{1, 0}, math.Inf(1)},
		{"origin, zero atom", []int{0}, []float64{0, 0}, 0},
		{"point, zero atom", []int{0}, []float64{1e-9, 0}, math.Inf(1)},
		{"on the ray", []int{1, 2}, []float64{3, 0}, 3},
		{"longest atom is cheapest", []int{0, 1, 3}, []float64{3, 0}, 1.5},
		{"opposite ray", []int{1, 2, 3}, []float64{-1, 0}, math.Inf(1)},
		{"off the ray", []int{1, 2, 3}, []float64{1, 1e-3}, math.Inf(1)},
	} {
		value, coefficients, err := newSet(t, d, test.indices, 1).Gauge(test.u)
		if err != nil || !closeToLP(value, test.want) {
			t.Errorf("%s: gauge %v (%v), want %v", test.name, value, err, test.want)
		}
		if math.IsInf(test.want, 1) != (coefficients == nil) {
			t.Errorf("%s: coefficients %v for gauge %v", test.name, coefficients, value)
		}
	}
}

// A point beyond the set by half the tolerance is inside, by twice the tolerance outside, in every unit.
func TestContainsUpToItsTolerance(t *testing.T) {
	for _, unit := range []float64{1, 0x1p-200, 0x1p200} {
		set, err := sparsero.FullSet(newDictionary(t, 2, 1, unit, -unit), 3)
		if err != nil {
			t.Fatal(err)
		}
		for excess, want := range map[float64]bool{0: true, 0.5e-12: true, 2e-12: false, 1: false} {
			if inside, _, err := set.Contains([]float64{3 * unit * (1 + excess)}); err != nil || inside != want {
				t.Errorf("unit %g, beyond by %g: inside is %v, %v", unit, excess, inside, err)
			}
		}
	}
}

// The middle of two atoms is in their hull, also beside an atom with which the value is 4e-12 above its gauge of 1.
func TestContainsTheMiddleOfTwoAtoms(t *testing.T) {
	const near = 1 - 8e-12
	set := newSet(t, newDictionary(t, 3, 2, 1.75, 0.25, 1.75*near, 0.25*near, -2.25, 0), []int{0, 1, 2}, 1)
	if inside, coefficients, err := set.Contains([]float64{-0.25, 0.125}); !inside || coefficients == nil || err != nil {
		t.Errorf("inside %t with %v, error %v", inside, coefficients, err)
	}
}

// A gauge counts weights that are below float64, of a basis that another point has left, too.
func TestGaugeCountsTheLeastWeights(t *testing.T) {
	gauge, err := sparsero.NewGauge(newSet(t, newDictionary(t, 4, 4, 1, 0, 0, 0, 0, 0x1p100, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1), []int{0, 1, 2, 3}, 1))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		u    []float64
		want float64
	}{{[]float64{1, 0x1p100, 1, 1}, 4}, {[]float64{0x1p-890, 0x1p-1074, 0x1p-890, 0x1p-890}, math.Nextafter(0x3p-890, 1)}} {
		if value, _, err := gauge.Of(context.Background(), test.u); err != nil || value != test.want {
			t.Errorf("gauge %x at %x, %v, want %x", value, test.u, err, test.want)
		}
	}
}

// A point outside of the cone is in no set, whatever its radius.
func TestContainsNothingOutsideTheCone(t *testing.T) {
	d, err := sparsero.NewDictionary(mat.NewDense(1, 2, []float64{1, 0}), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, radius := range []float64{0, 1, 1e300, math.MaxFloat64} {
		set, err := sparsero.NewAtomicSet(d, []int{0}, radius)
		if err != nil {
			t.Fatal(err)
		}
		if inside, coefficients, err := set.Contains([]float64{-1, 5}); inside || coefficients != nil || err != nil {
			t.Errorf("radius %v: inside %t with %v, error %v", radius, inside, coefficients, err)
		}
	}
}

// Membership in U_S(r) against the definition, and the gauges of one program against those of
// programs of their own.
func TestContainsAndGauges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawDictionary(t, 5, 3)
		set := drawSet(t, d)
		m := rapid.IntRange(1, 4).Draw(t, "M")
		points := mat.NewDense(m, d.Dim(), drawVector(t, "points", m*d.Dim(), true))
		gauge, err := sparsero.NewGauge(set)
		if err != nil {
			t.Fatal(err)
		}
		for k := range m {
			u := points.RawRowView(k)
			value, _, err := gauge.Of(context.Background(), u)
			if err != nil {
				t.Fatal(err)
			}
			alone, _, err := set.Gauge(u)
			if err != nil {
				t.Fatal(err)
			}
			if !closeToLP(value, alone) {
				t.Fatalf("row %d: gauge %v, alone %v", k, value, alone)
			}
			inside, coefficients, err := set.Contains(u)
			if err != nil {
				t.Fatal(err)
			}
			if math.Abs(value-set.Radius()) > lpTolerance && inside != (value < set.Radius()) {
				t.Fatalf("inside is %v at gauge %v and radius %v", inside, value, set.Radius())
			}
			if inside != (coefficients != nil) {
				t.Fatalf("inside is %v with coefficients %v", inside, coefficients)
			}
		}
	})
}

func TestGaugeRejectsBadInput(t *testing.T) {
	set := newSet(t, newDictionary(t, 2, 2, 1, 0, 0, 1), []int{0, 1}, 1)
	_, _, err := set.Gauge([]float64{1})
	wantError(t, err, "u has length 1 but needs 2")
	_, _, err = set.Gauge([]float64{1, math.NaN()})
	wantError(t, err, "u has the value NaN at position 1")
	_, _, err = set.Contains([]float64{math.Inf(1), 0})
	wantError(t, err, "u has the value +Inf at position 0")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	gauge, err := sparsero.NewGauge(set)
	if err != nil {
		t.Fatal(err)
	}
	for _, closed := range []*sparsero.Gauge{nil, {}} {
		value, _, err := closed.Of(context.Background(), []float64{1, 1})
		if wantError(t, err, "the gauge was not opened"); !math.IsNaN(value) {
			t.Errorf("the gauge that was not opened is %v", value)
		}
	}
	if _, _, err := gauge.Of(ctx, []float64{1, 1}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled gauge: %v", err)
	}
}

func ExampleAtomicSet_Gauge() {
	d, _ := sparsero.NewDictionary(mat.NewDense(3, 2, []float64{1, 0, 0, 1, 1, 1}), nil)
	set, _ := sparsero.NewAtomicSet(d, []int{0, 1, 2}, 1)
	for _, u := range [][]float64{{0.5, 1.25}, {-1, 0}} {
		value, coefficients, err := set.Gauge(u)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("u = %v: gauge %.2f, coefficients %.2f\n", u, value, coefficients)
	}
	inside, _, _ := set.Contains([]float64{0.5, 0.75})
	fmt.Println("(0.5, 0.75) is inside:", inside)
	// Output:
	// u = [0.5 1.25]: gauge 1.25, coefficients [0.00 0.75 0.50]
	// u = [-1 0]: gauge +Inf, coefficients []
	// (0.5, 0.75) is inside: true
}

// Beyond the size that is solved exactly as a whole a gauge rests on the atoms that the solver
// proposes: they give the point, and no direction proves that fewer would do.
func TestGaugeOfALargeSet(t *testing.T) {
	const n, p = 150, 20
	d, err := sparsero.NewDictionary(gaussian(n, p, 3), nil)
	if err != nil {
		t.Fatal(err)
	}
	set, err := sparsero.FullSet(d, 1)
	if err != nil {
		t.Fatal(err)
	}
	points := gaussian(3, p, 4)
	for k := range 3 {
		value, coefficients, err := set.Gauge(points.RawRowView(k))
		if err != nil || math.IsInf(value, 1) {
			t.Fatalf("gauge %v, %v", value, err)
		}
		for first := 0; first+100 <= n; first += 10 { // a hundred atoms, which are solved exactly, do no better
			hundred := make([]int, 100)
			for i := range hundred {
				hundred[i] = first + i
			}
			if few, _, err := newSet(t, d, hundred, 1).Gauge(points.RawRowView(k)); err != nil || few < value*(1-1e-9) {
				t.Errorf("atoms from %d: gauge %v, %v, of all %v", first, few, err, value)
			}
		}
		sum := 0.0
		back := make([]float64, p)
		for i, a := range coefficients {
			sum += a
			for j, v := range d.Atom(i) {
				back[j] += a * v
			}
		}
		for j, v := range points.RawRowView(k) {
			if !closeTo(back[j], v) {
				t.Errorf("coordinate %d: %v, want %v", j, back[j], v)
			}
		}
		if !closeTo(sum, value) {
			t.Errorf("coefficients add up to %v, gauge %v", sum, value)
		}
	}
}

package robust_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/calibration"
	"github.com/sparsero/directions/sparsero/robust"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// TestRequiredRadiusIsTheThreshold compares the closed form with the objective
// itself: just below the radius f(x,u) exceeds the robust value, at it it does not.
func TestRequiredRadiusIsTheThreshold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.IntRange(1, 4).Draw(t, "p")
		value := rapid.Map(rapid.IntRange(-16, 16), func(k int) float64 { return float64(k) / 8 })
		d, err := sparsero.NewDictionary(mat.NewDense(3, p, rapid.SliceOfN(value, 3*p, 3*p).Draw(t, "atoms")), nil)
		if err != nil {
			t.Fatal(err)
		}
		region := solver.NewModel("box")
		for range p {
			region.AddColumn(solver.Column{Bounds: solver.Between(-1, 1), Cost: value.Draw(t, "cost")})
		}
		problem, err := robust.NewProblem(d, region, sparsero.Identity(p))
		if err != nil {
			t.Fatal(err)
		}
		solution, err := problem.Solve(context.Background(), []int{0, 2}, 0.5, nil)
		if err != nil {
			t.Fatal(err)
		}
		u := rapid.SliceOfN(value, p, p).Draw(t, "u")
		radii, err := solution.RequiredRadii(calibration.Fresh(mat.NewDense(1, p, u)))
		if err != nil {
			t.Fatal(err)
		}
		set, err := sparsero.NewAtomicSet(d, []int{0, 2}, 1)
		if err != nil {
			t.Fatal(err)
		}
		harm, covered := mat.Dot(mat.NewVecDense(p, u), mat.NewVecDense(p, solution.Direction)), set.Support(solution.Direction)
		const tolerance = 1e-12 // rounding of one inner product of length at most 4
		if covered < tolerance {
			return // what is covered is a rounding error, and so is what it says of a radius
		}
		switch radius := radii[0]; {
		case math.IsInf(radius, 1):
			t.Fatalf("radius +Inf although the atoms cover %g of the harm %g", covered, harm)
		case harm > radius*covered+tolerance:
			t.Fatalf("radius %g covers %g, less than the harm %g", radius, radius*covered, harm)
		case radius > 0 && harm <= 0.999*radius*covered-tolerance:
			t.Fatalf("a smaller radius than %g covers the harm %g", radius, harm)
		}
	})
}

func TestRequiredRadiiRejectBadArguments(t *testing.T) {
	d := must(sparsero.NewDictionary(mat.NewDense(1, 1, []float64{1}), nil))(t)
	p := must(robust.NewProblem(d, box(0, 1, 1), sparsero.Identity(1)))(t)
	solution := must(p.Solve(ctx, []int{0}, 1, nil))(t)
	_, literal := (&robust.Solution{Direction: []float64{1}}).RequiredRadii(mat.NewDense(1, 1, nil))
	_, wrongWidth := solution.RequiredRadii(mat.NewDense(1, 2, nil))
	for want, err := range map[string]error{
		"solution": literal, "samples": wrongWidth,
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one that contains %q", err, want)
		}
	}
}

// Without atoms no radius is enough for a sample that does harm, and none is needed for one that does not.
func TestRequiredRadiusWithoutAtoms(t *testing.T) {
	d := must(sparsero.NewDictionary(mat.NewDense(1, 1, []float64{1}), nil))(t)
	region := solver.NewModel("one point")
	region.AddColumn(solver.Column{Bounds: solver.Equal(2)})
	p := must(robust.NewProblem(d, region, sparsero.Identity(1)))(t)
	radii := must(must(p.Solve(ctx, nil, 1, nil))(t).RequiredRadii(mat.NewDense(2, 1, []float64{3, -3})))(t)
	if !math.IsInf(radii[0], 1) || radii[1] != 0 {
		t.Errorf("radii %v, want +Inf and 0", radii)
	}
}

// A radius is 0 exactly where a perturbation does no harm, and none of its harm is lost where twice the precision has no
// digit of it, or no float64.
func TestHarmIsDecidedExactly(t *testing.T) {
	for _, test := range []struct {
		name    string
		x, u    []float64
		atoms   []int
		radius  float64
		excess  float64
		atLeast bool // the radius
	}{
		{"cancels but for 2^-120", []float64{1, 1, 1, 1, 1}, []float64{1, 0x1p-60, 0x1p-120, -1, -0x1p-60}, nil, math.Inf(1), 0, false},
		{"cancels", []float64{1, 1, 1, 1, 1}, []float64{1, 0x1p-60, 0, -1, -0x1p-60}, nil, 0, 0, false},
		{"cancels beyond", []float64{1, 1, 1, 1, 1}, []float64{1, 0x1p-60, -0x1p-120, -1, -0x1p-60}, nil, 0, 0, false},
		{"underflows", []float64{0x1p-600}, []float64{0x1p-600}, nil, math.Inf(1), 0, false},
		{"underflows below 0", []float64{0x1p-600}, []float64{-0x1p-600}, nil, 0, 0, false},
		{"overflows", []float64{1e200}, []float64{1e200}, []int{0}, math.Inf(1), math.Inf(1), false},
		{"is large", []float64{1e200}, []float64{1e100}, []int{0}, 1e100, 1e300, true},
		{"overflows below 0", []float64{1e200}, []float64{-1e200}, []int{0}, 0, 0, false},
	} {
		first := make([]float64, len(test.x))
		first[0] = 1
		p := must(robust.NewProblem(dictionary(t, first), box(0, 1e200, make([]float64, len(test.x))...), sparsero.Identity(len(test.x))))(t)
		s := must(p.Evaluate(test.atoms, 1, test.x))(t)
		rows := must(s.RowSamples(matrix(test.u)))(t)
		got, all := rows[0], rows[1]
		if radius := got.Radii[0]; radius != test.radius && !(test.atLeast && radius > test.radius && radius < test.radius*(1+1e-12)) {
			t.Errorf("%s: radius %v, want %v", test.name, radius, test.radius)
		}
		if excess := got.Excess[0]; excess != test.excess || (all.Excess[0] > 0) != (excess > 0) {
			t.Errorf("%s: excess %v, of all rows %v, want %v", test.name, excess, all.Excess[0], test.excess)
		}
	}
}

// TestExcessBeyondFloat64: value and draw are both beyond float64, which once was no excess.
func TestExcessBeyondFloat64(t *testing.T) {
	p := must(robust.NewProblem(dictionary(t, []float64{1e200}), box(0, 1e200, 0), sparsero.Identity(1)))(t)
	s := must(p.Evaluate([]int{0}, 1, []float64{1e200}))(t)
	if rows := must(s.RowSamples(matrix([]float64{2e200})))(t); !math.IsInf(rows[0].Excess[0], 1) || !math.IsInf(rows[1].Excess[0], 1) {
		t.Errorf("%+v, want an excess of +Inf", rows)
	}
}

// TestRadiiOfTheFullProblemCountEveryAtom: those of a solution by cutting planes, which holds few atoms, are those of the model of all.
func TestRadiiOfTheFullProblemCountEveryAtom(t *testing.T) {
	d := must(sparsero.NewDictionary(matrix([]float64{1, 0}, []float64{0, 1}, []float64{0.5, 0.75}), nil))(t)
	p := must(robust.NewProblem(d, box(-1, 1, -2, -3), sparsero.AffineMap{}, robust.Constraint{Map: sparsero.Identity(2), Limit: 100}))(t)
	samples := calibration.Fresh(matrix([]float64{0.3, 0.4}, []float64{2, -1}, []float64{5, 5}))
	few, all := must(p.SolveFull(ctx, 1, nil))(t), must(p.Solve(ctx, everyAtom(d), 1, nil))(t)
	got, want := must(few.RequiredRadii(samples))(t), must(all.RequiredRadii(samples))(t)
	if len(few.Atoms) == d.Size() || !slices.Equal(got, want) || want[0] <= 0 || math.IsInf(want[0], 1) {
		t.Errorf("%v with the atoms %v, %v with all", got, few.Atoms, want)
	}
}

// TestRadiiOfFullModelsCountEveryAtom, those too that a model of radius 0 has no need of.
func TestRadiiOfFullModelsCountEveryAtom(t *testing.T) {
	for k := range 3 {
		atoms := [][]float64{{-1}, {-1}, {-1}}
		atoms[k][0] = 2
		p := must(robust.NewProblem(dictionary(t, atoms...), box(1, 1, 1), sparsero.Identity(1)))(t)
		radii := must(must(p.SolveFull(ctx, 0, nil))(t).RequiredRadii(matrix([]float64{3}, []float64{-0.5})))(t)
		if math.Abs(radii[0]-1.5) > 1e-12 || radii[1] != 0 {
			t.Errorf("atom %d reaches 2: radii %v, want 1.5 and 0", k, radii)
		}
	}
}

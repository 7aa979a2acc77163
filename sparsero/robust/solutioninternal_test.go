package robust

import (
	"math"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"gonum.org/v1/gonum/mat"
)

// TestAllowance is the share of |Φ_N(X)| that Φ_N(X) itself may differ from Φ_S(X) by, where the two cancel that of the terms.
func TestAllowance(t *testing.T) {
	for _, test := range []struct{ value, size, tolerance, want float64 }{
		{1, 0, 0.5, 0.5}, {-1.5, 0, 0.5, 0.5}, {-3, 0, 1.0 / 2, 1}, {0, 0, 0.5, 0}, {2, 1, 0.25, 0.5},
		{0, 2, 0.5, 2 * solutionTolerance}, {0, 2, 0x1p-30, 0x1p-29}, {0x1p-30, 1, 0x1p-30, 0x1p-30},
	} {
		s := &Solution{Value: test.value, Size: test.size}
		got := s.allowance(test.tolerance)
		if got != test.want {
			t.Errorf("%+v: %v", test, got)
		}
		if test.size == 0 && test.value <= 0 && got != test.tolerance*math.Abs(test.value+got) {
			t.Errorf("%+v: %v is not the share of what the value may be", test, got)
		}
	}
}

// TestSharesOfMultipliers add up to the radius or less: those of the objective shrink by what they are too large, and those of
// constraints, which have no sum, never do.
func TestSharesOfMultipliers(t *testing.T) {
	of := func(exposure int, value float64) robustMultiplier { return robustMultiplier{exposure, 0, value} }
	for _, test := range []struct {
		robust []robustMultiplier
		radius float64
		want   float64
	}{
		{nil, 1, 1}, {nil, 0, 1},
		{[]robustMultiplier{of(objectiveExposure, 1), of(objectiveExposure, 1)}, 2, 1},
		{[]robustMultiplier{of(objectiveExposure, 1), of(objectiveExposure, 1+0x1p-52)}, 2, 1 * unitReserve},
		{[]robustMultiplier{of(objectiveExposure, 3), of(objectiveExposure, 1)}, 2, 0.5 * unitReserve},
		{[]robustMultiplier{of(0, 3), of(objectiveExposure, 1)}, 2, 1}, {[]robustMultiplier{of(0, 3), of(1, 4)}, 0, 1},
		{[]robustMultiplier{of(objectiveExposure, 1)}, 0, 0},
	} {
		if got := (multipliers{Robust: test.robust}).share(test.radius); math.Abs(got-test.want) > 0x1p-52 || test.want == 1 && got != 1 {
			t.Errorf("%+v: %v", test, got)
		}
	}
}

// TestTheBestPoint of cutting planes misses constraints least, up to what counts as none, and of those that keep to them it has the
// smallest value: of points that are as good it is the first.
func TestTheBestPoint(t *testing.T) {
	region := solver.NewModel("box")
	region.AddColumn(solver.Column{Bounds: solver.Between(-9, 9), Cost: -1})
	region.AddColumn(solver.Column{Bounds: solver.Between(-9, 9)})
	d, err := sparsero.NewDictionary(mat.NewDense(1, 1, []float64{1}), nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewProblem(d, region, sparsero.AffineMap{}, Constraint{Map: sparsero.AffineMap{Matrix: mat.NewDense(1, 2, []float64{1, 0})}, Limit: 4})
	if err != nil {
		t.Fatal(err)
	}
	options, err := (*Options)(nil).withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	m, err := p.newMaster(nil, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	run := &cuttingPlanes{master: m, options: options}
	for k, step := range [][4]float64{ // a point, and the best one from then on
		{8, 0, 8, 0}, {9, 0, 8, 0}, {7, 0, 7, 0}, {7, 1, 7, 0}, {2, 0, 2, 0}, {1, 0, 2, 0}, {5, 0, 2, 0}, {3, 1, 3, 1}, {3, 2, 3, 1}, {4, 0, 4, 0},
	} {
		missing, err := run.separate(t.Context(), step[:2])
		if err != nil || run.best.X[0] != step[2] || run.best.X[1] != step[3] {
			t.Fatalf("step %d: the best point is %v (%v), want %v", k, run.best.X, err, step[2:])
		}
		if (len(missing) == 1) != (step[0] > 4) {
			t.Errorf("step %d: %d rows are missing at x = %v, whose limit is 4", k, len(missing), step[0])
		}
	}
}

package robust

import (
	"math"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"gonum.org/v1/gonum/mat"
)

// TestWhatIsNoNumberMissesItsLimit: a difference of terms beyond float64 is no reason to call a row kept.
func TestWhatIsNoNumberMissesItsLimit(t *testing.T) {
	e := &encounter{problem: &Problem{dictionary: &directSum{of: []int{0, 0}, summands: []summand{{}}}}, nominal: math.NaN(), size: math.Inf(1)}
	if missed := e.missed(sparsero.NullAtom, 1); !math.IsInf(missed, 1) {
		t.Errorf("misses %v", missed)
	}
}

// TestPointsWithoutNoiseKeepToX: a coordinate beside 0 is taken for 0 only where no row of X misses it.
func TestPointsWithoutNoiseKeepToX(t *testing.T) {
	const noise = 0x1p-52
	for _, c := range []struct {
		value float64 // of the row with the noise
		sides solver.Bounds
		want  int
	}{
		{1, solver.Bounds{}, 2}, {1, solver.AtMost(2), 2}, {1, solver.AtLeast(-2), 2},
		{1, solver.AtLeast(0.5), 1}, {-1, solver.AtMost(-0.5), 1}, {1, solver.Between(0.5, 2), 1}, {-1, solver.Between(-2, -0.5), 1},
	} {
		region := solver.NewModel("strip")
		region.AddColumn(solver.Column{})
		region.AddColumn(solver.Column{})
		region.AddRow(solver.Row{Bounds: c.sides, Columns: []int{1}, Values: []float64{c.value / noise}})
		if points := (&Problem{region: region}).points([]float64{1, noise}); len(points) != c.want || points[0][1] != noise {
			t.Errorf("%+v: %v", c, points)
		}
	}
	for sides, want := range map[solver.Bounds]int{
		solver.AtLeast(0.5): 2, solver.AtMost(1.5): 2, solver.Between(0.5, 1.5): 2,
		solver.AtLeast(1.5): 1, solver.AtMost(0.5): 1, solver.AtLeast(1 + noise): 2, // by a rounding error of the terms
	} { // what the other coordinate adds to the row
		region := solver.NewModel("strip")
		region.AddColumn(solver.Column{})
		region.AddColumn(solver.Column{})
		region.AddRow(solver.Row{Bounds: sides, Columns: []int{0, 1}, Values: []float64{1, 1}})
		if points := (&Problem{region: region}).points([]float64{1, noise}); len(points) != want {
			t.Errorf("%+v: %v", sides, points)
		}
	}
}

// TestNoiseBetweenBoundsIsTakenForZero: a coordinate beside 0 stays where its bounds do not admit 0, however wide they
// are.
func TestNoiseBetweenBoundsIsTakenForZero(t *testing.T) {
	for _, c := range []struct {
		bounds      solver.Bounds
		value, want float64
	}{
		{solver.Between(0, 0x1p60), 0.5, 0}, {solver.Between(-0x1p60, 0), -0.5, 0},
		{solver.Between(-0x1p60, 1), 0.5, 0}, {solver.Between(0, 1), 0.5, 0.5},
		{solver.Between(0.5, 0x1p60), 0.5, 0.5}, {solver.Between(-0x1p60, -0.5), -0.5, -0.5},
	} {
		region := solver.NewModel("one column")
		region.AddColumn(solver.Column{Bounds: c.bounds})
		if clean := (&Problem{region: region}).withoutNoise([]float64{c.value}); clean[0] != c.want {
			t.Errorf("%v within %+v became %v, want %v", c.value, c.bounds, clean[0], c.want)
		}
	}
}

// TestRaysThatImproveNothing: -x + r x over x >= 0 falls along x where r is less than 1, though the model of no atoms falls always.
func TestRaysThatImproveNothing(t *testing.T) {
	d, err := sparsero.NewDictionary(mat.NewDense(1, 1, []float64{1}), nil)
	if err != nil {
		t.Fatal(err)
	}
	region := solver.NewModel("ray")
	region.AddColumn(solver.Column{Bounds: solver.AtLeast(0), Cost: -1})
	p, err := NewProblem(d, region, sparsero.Identity(1))
	if err != nil {
		t.Fatal(err)
	}
	for radius, want := range map[float64]bool{0.5: true, 1: false, 2: false} {
		m, err := p.newMaster(nil, radius, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := m.falls(t.Context()); got != want {
			t.Errorf("at radius %v: %t", radius, got)
		}
	}
}

// TestCutsAreAddedOnce: one that is there already, since the model was opened or since then, adds no row.
func TestCutsAreAddedOnce(t *testing.T) {
	d, err := sparsero.NewDictionary(mat.NewDense(3, 1, []float64{1, 2, 3}), nil)
	if err != nil {
		t.Fatal(err)
	}
	region := solver.NewModel("box")
	region.AddColumn(solver.Column{Bounds: solver.Between(-1, 1), Cost: -1})
	p, err := NewProblem(d, region, sparsero.Identity(1))
	if err != nil {
		t.Fatal(err)
	}
	m, err := p.newMaster([]int{0}, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	rows := m.model.Rows()
	for k, atom := range []int{0, 1, 1, 2, 1, 2, 0} {
		m.addAtom(atom)
		if want := []int{1, 2, 2, 3, 3, 3, 3}[k]; len(m.cuts) != want || m.model.Rows() != rows+want-1 || len(m.atoms) != want {
			t.Fatalf("%d cuts, %d rows and %d atoms after %d, want %d atoms", len(m.cuts), m.model.Rows(), len(m.atoms), k+1, want)
		}
	}
}

// TestTermsBelowFloat64CountByTheirReach: what a third of 2^-1074 loses is nothing for atoms of ordinary size, and more
// than the size of the row for an atom of 2^1000 beside terms of 2^-100.
func TestTermsBelowFloat64CountByTheirReach(t *testing.T) {
	for atom, lost := range map[float64]bool{1: false, 0x1p1000: true} {
		d, err := sparsero.NewDictionary(mat.NewDense(1, 1, []float64{atom}), nil)
		if err != nil {
			t.Fatal(err)
		}
		region := solver.NewModel("small")
		region.AddColumn(solver.Column{Bounds: solver.Between(0, 1)})
		p, err := NewProblem(d, region, sparsero.AffineMap{Matrix: mat.NewDense(1, 1, []float64{0x1p-600})})
		if err != nil {
			t.Fatal(err)
		}
		x := []float64{0x1p-474 / 3}
		if err := p.checkUnderflow(objectiveExposure, 1, x, p.Map().Apply(x), 0x1p-100); (err != nil) != lost {
			t.Errorf("atom %g: %v", atom, err)
		}
	}
}

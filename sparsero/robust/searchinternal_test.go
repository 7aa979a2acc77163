package robust

import (
	"math"
	"slices"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"gonum.org/v1/gonum/mat"
)

// TestHalfway lies between two radii, in the middle where they are near and at the geometric mean where they are not.
func TestHalfway(t *testing.T) {
	for _, c := range [][3]float64{{1, math.Inf(1), 2}, {0, math.Inf(1), 0}, {0, 8, 4}, {1, 16, 4}, {2, 8, 5}, {3, 16, math.Sqrt(3) * 4}, {4, 16, 10}, {6, 6, 6}} {
		if got := halfway(c[0], c[1]); got != c[2] {
			t.Errorf("halfway from %v to %v is %v, want %v", c[0], c[1], got, c[2])
		}
	}
}

// searched is a problem over |x_j| <= 1 with rows whose nominal parts have terms of 6, 1 and 0, against atoms of the sizes
// 2, 3 and 0 in the first row, four times these in the second one and none in the third.
func searched(t *testing.T, limits ...float64) *Problem {
	t.Helper()
	d, err := sparsero.NewDictionary(mat.NewDense(3, 2, []float64{2, 0, 0, -3, 0, 0}), nil)
	if err != nil {
		t.Fatal(err)
	}
	region := solver.NewModel("box")
	region.AddColumn(solver.Column{Bounds: solver.Between(-1, 1)})
	region.AddColumn(solver.Column{Bounds: solver.Between(-1, 1)})
	scaled := func(factor float64) sparsero.AffineMap {
		return sparsero.AffineMap{Matrix: mat.NewDense(2, 2, []float64{factor, 0, 0, factor})}
	}
	constraints := []Constraint{{Map: scaled(1), Nominal: []float64{2, -4}}, {Map: scaled(4), Nominal: []float64{0, 1}}, {Map: scaled(0)}}
	for k, limit := range limits {
		constraints[k].Limit = limit
	}
	p, err := NewProblem(d, region, sparsero.AffineMap{}, constraints...)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestNaturalRadii are those at which the largest and the smallest atom of some row have as large terms as its nominal part.
func TestNaturalRadii(t *testing.T) {
	for _, c := range []struct {
		atoms              []int
		first, last, least float64
	}{
		{[]int{0, 1, 2}, 2, 3, 1.0 / 8}, {[]int{0}, 3, 3, 1.0 / 8}, {[]int{2}, 1, 0, math.Inf(1)}, {nil, 1, 0, math.Inf(1)}, {[]int{1}, 2, 2, 1.0 / 12},
	} {
		first, last, clear := (&feasibility{problem: searched(t), indices: c.atoms}).naturalRadii()
		if first != c.first || last != c.last || clear != c.least/swallowed {
			t.Errorf("atoms %v: %v, %v and %v, want %v, %v and %v", c.atoms, first, last, clear, c.first, c.last, c.least/swallowed)
		}
	}
	d, err := sparsero.NewDictionary(mat.NewDense(1, 2, []float64{5e-324, 0}), nil)
	if err != nil {
		t.Fatal(err)
	}
	p := searched(t)
	p, err = NewProblem(d, p.region, sparsero.AffineMap{}, p.constraints[0])
	if err != nil {
		t.Fatal(err)
	}
	if first, last, _ := (&feasibility{problem: p, indices: []int{0}}).naturalRadii(); first != 1 || last != 1 {
		t.Errorf("radii of an atom next to 0: %v and %v", first, last)
	}
}

// TestAllowedRadius of a point is where the first of its rows meets its limit: 2 x - 4 y + r max(2 x, -3 y, 0) <= 12, and so on.
func TestAllowedRadius(t *testing.T) {
	p := searched(t, 12, 20, 0)
	for _, c := range []struct {
		point []float64
		atoms []int
		want  float64
	}{
		{[]float64{1, 0}, []int{0}, 2.5}, {[]float64{1, 0}, []int{1, 2}, math.Inf(1)}, {[]float64{0, -1}, []int{0, 1}, 1.75},
		{[]float64{0.5, 0.5}, []int{0, 1}, 19.5 / 4}, {[]float64{0, -4}, []int{0, 1}, 0}, {[]float64{6, 0}, []int{0}, 0},
	} {
		for _, x := range []*feasibility{{problem: p, indices: c.atoms}, {problem: p, full: true}} {
			got := x.allowedRadius(c.point)
			if got > c.want || got < c.want*(1-1e-12) && (!x.full || len(c.atoms) == 2 && c.atoms[0] == 0) {
				t.Errorf("%v allows %v against the atoms %v, full %t, want %v", c.point, got, c.atoms, x.full, c.want)
			}
		}
	}
}

// TestPointsMissTheWorstAtomAlone of each row, and none that is known or where the point without noise misses none.
func TestPointsMissTheWorstAtomAlone(t *testing.T) {
	p := searched(t, 1, 1, 1)
	for _, c := range []struct {
		point []float64
		known []int
		want  []int
	}{
		{[]float64{1, -1}, nil, []int{1}}, {[]float64{1, -0.5}, nil, []int{0}}, {[]float64{1, -1}, []int{1}, nil},
		{[]float64{0, 0}, nil, nil}, {[]float64{0, 0x1p-60}, nil, nil},
	} {
		if got := (&feasibility{problem: p, indices: c.known}).missedAtoms(c.point, 4); !slices.Equal(got, c.want) {
			t.Errorf("%v misses %v, want %v", c.point, got, c.want)
		}
	}
}

// TestWhatHides: an atom at its limit hides none where all have as large terms, and may where the harm alone counts.
func TestWhatHides(t *testing.T) {
	p := searched(t, 10, 1, 1)
	for _, c := range []struct {
		point  []float64
		radius float64
		want   bool
	}{{[]float64{1, 0}, 4, false}, {[]float64{0, 1}, 4, false}, {[]float64{0, 1}, math.Inf(1), true}} {
		if got := (&feasibility{problem: p}).at(0, c.point).hides(0, c.radius); got != c.want {
			t.Errorf("at %v and radius %v: %t", c.point, c.radius, got)
		}
	}
}

// TestReachOfTheObjective has each column at the farther of its bounds, and the atoms at their ceiling.
func TestReachOfTheObjective(t *testing.T) {
	region := solver.NewModel("box")
	region.AddColumn(solver.Column{Bounds: solver.Between(-1, 3), Cost: -2})
	region.AddColumn(solver.Column{Bounds: solver.Between(-5, 1), Cost: 1})
	for _, c := range []struct {
		q    sparsero.AffineMap
		want float64
	}{{want: 11}, {sparsero.Identity(2), 25}} {
		if got := (&Problem{region: region, q: c.q, ceiling: 7}).objectiveReach(2); got != c.want {
			t.Errorf("reach %v, want %v", got, c.want)
		}
	}
}

// TestAlignmentsOfOtherSets are 0: an exposure meets the atoms of its own set alone.
func TestAlignmentsOfOtherSets(t *testing.T) {
	e := exposed{atom: 2, alignments: []float64{3, 4}}
	for atom, want := range []float64{0, 0, 3, 4, 0} {
		if got := e.alignment(atom); got != want {
			t.Errorf("atom %d: %v, want %v", atom, got, want)
		}
	}
}

// TestHarmfulAtoms are those outside of the solution that are the worst of a row and put it above its limit.
func TestHarmfulAtoms(t *testing.T) {
	for _, c := range []struct {
		x, limit float64
		of       []int // the solution
		want     []int
	}{
		{1, 0.5, nil, []int{0}}, {1, 0.5, []int{1}, []int{0}}, {1, 0.5, []int{0, 1}, nil},
		{1, 5, nil, nil}, {-1, 0.5, nil, []int{1}},
		{0, -1, nil, nil}, // no atom puts it there
	} {
		d, err := sparsero.NewDictionary(mat.NewDense(2, 1, []float64{1, -1}), nil)
		if err != nil {
			t.Fatal(err)
		}
		region := solver.NewModel("interval")
		region.AddColumn(solver.Column{Bounds: solver.Between(-1, 1)})
		p, err := NewProblem(d, region, sparsero.AffineMap{}, Constraint{Map: sparsero.Identity(1), Limit: c.limit})
		if err != nil {
			t.Fatal(err)
		}
		s := &Solution{problem: p, Radius: 1, X: []float64{c.x}, Atoms: c.of, Constraints: make([]ConstraintReport, 1)}
		if atoms := s.harmful(); !slices.Equal(atoms, c.want) {
			t.Errorf("%+v: %v", c, atoms)
		}
	}
}

package robust

import (
	"math"
	"slices"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"gonum.org/v1/gonum/mat"
)

// small is a problem over -2 <= x <= 3 and -4 <= y <= 1 with the cost 5 - x + 2y + 2x² + 3xy + 4y², the map
// (x - 1, 2y, 0), and one constraint with the map (0, x + y, 4), over two atoms.
func small(t *testing.T) *Problem {
	t.Helper()
	region := solver.NewModel("small")
	region.AddColumn(solver.Column{Bounds: solver.Between(-2, 3), Cost: -1})
	region.AddColumn(solver.Column{Bounds: solver.Between(-4, 1), Cost: 2})
	region.AddQuadratic(0, 0, 2)
	region.AddQuadratic(0, 1, 3)
	region.AddQuadratic(1, 1, 4)
	region.SetOffset(5)
	d, err := sparsero.NewDictionary(mat.NewDense(2, 3, []float64{1, -2, 0.5, 0, 1, -3}), nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewProblem(d, region, sparsero.AffineMap{Matrix: mat.NewDense(3, 2, []float64{1, 0, 0, 2, 0, 0}), Constant: []float64{-1, 0, 0}},
		Constraint{Nominal: []float64{-3, 1}, Map: sparsero.AffineMap{Matrix: mat.NewDense(3, 2, []float64{0, 0, 1, 1, 0, 0}), Constant: []float64{0, 0, 4}}, Limit: 7})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestSizesOfTerms are sums of the sizes of all terms, where values are the sums of the terms.
func TestSizesOfTerms(t *testing.T) {
	p, x := small(t), []float64{-2, 3}
	if sum, size := p.nominal(objectiveExposure, x); sum.Value() != 5+2+6+8-18+36 || size != 5+2+6+8+18+36 {
		t.Errorf("the cost is %v of terms of %v", sum.Value(), size)
	}
	if sum, size := p.nominal(0, x); sum.Value() != 6+3 || size != 6+3 {
		t.Errorf("the nominal part is %v of terms of %v", sum.Value(), size)
	}
	if sizes := termSizes(p.q, x); !slices.Equal(sizes, []float64{1 + 2, 6, 0}) {
		t.Errorf("the terms of q(x) have the sizes %v", sizes)
	}
	if sizes := termSizes(p.constraints[0].Map, x); !slices.Equal(sizes, []float64{0, 2 + 3, 4}) {
		t.Errorf("the terms of the constraint's q(x) have the sizes %v", sizes)
	}
	if sizes := termSizes(p.q, []float64{math.Inf(-1), 0}); !slices.Equal(sizes, []float64{math.Inf(1), 0, 0}) {
		t.Errorf("the terms of q(x) at infinity have the sizes %v", sizes)
	}
	if sizes := termSizes(p.q, []float64{5e-324, -5e-324}); sizes[1] != 1e-323 {
		t.Errorf("the terms of q(x) next to 0 have the sizes %v", sizes)
	}
	below := sparsero.AffineMap{Matrix: mat.NewDense(1, 2, []float64{0x1p-600, -0x1p-700})}
	if sizes := termSizes(below, []float64{0x1p-600, 0x1p-600}); sizes[0] != 2*5e-324 {
		t.Errorf("two terms below float64 have the size %v", sizes)
	}
	for atom, want := range map[int]float64{0: 3 + 12 + 1, 1: 6 + 6, sparsero.NullAtom: 0} {
		if size := p.alignmentSize(0, []float64{-3, 6, 2}, atom); size != want {
			t.Errorf("the terms of the alignment of atom %d have the size %v, not %v", atom, size, want)
		}
	}
	for _, c := range [][3]float64{{0, math.Inf(1), 0}, {0, 3, 0}, {2, 3, 6}, {1, math.Inf(1), math.Inf(1)}} {
		if got := scaled(c[0], c[1]); got != c[2] {
			t.Errorf("%v times %v is %v", c[0], c[1], got)
		}
	}
}

// TestCeilings are above every alignment over X: twice the reach of the farther bounds, infinite where a bound that counts is, or
// where float64 does not tell it from 0.
func TestCeilings(t *testing.T) {
	p := small(t)
	if p.ceiling != 2*(1*(1+3)+2*8+0.5*0) {
		t.Errorf("the ceiling is %v", p.ceiling)
	}
	for _, c := range []struct {
		bounds     solver.Bounds
		unit, want float64
	}{
		{solver.Between(-2, 3), 1, 6}, {solver.Between(-3, 2), 1, 6}, {solver.Bounds{}, 1, math.Inf(1)}, {solver.Bounds{}, 0, 0}, {solver.AtLeast(0), 1, math.Inf(1)},
		{solver.Between(0, 0), 1, 0}, {solver.Between(0, 0x1p-901), 1, leastCeiling}, {solver.Between(0, 0x1p-902), 1, math.Inf(1)},
		{solver.Between(0, 0x1p-1000), 0x1p-500, math.Inf(1)}, {solver.Between(-0x1p-1000, 0), 0, 0},
	} {
		region := solver.NewModel("one column")
		region.AddColumn(solver.Column{Bounds: c.bounds})
		d, err := sparsero.NewDictionary(mat.NewDense(1, 1, []float64{1}), nil)
		if err != nil {
			t.Fatal(err)
		}
		p := &Problem{region: region, q: sparsero.AffineMap{Matrix: mat.NewDense(1, 1, []float64{c.unit})}}
		if got := p.alignmentCeiling(d); got != c.want {
			t.Errorf("%+v: the ceiling is %v", c, got)
		}
	}
}

// TestMapsInFiles leave coordinates out at the ends where fewer than half are left, and say the same of every coordinate.
func TestMapsInFiles(t *testing.T) {
	for _, c := range []struct {
		matrix, constant []float64 // of p coordinates
		first, rows      int       // -1 for all coordinates
	}{
		{[]float64{0, 0, 5, 0}, nil, 2, 1}, {[]float64{0, 0, 0, 5}, nil, 3, 1}, {[]float64{5, 0, 0, 0}, nil, 0, 1}, {[]float64{0, 5, 5, 0}, nil, -1, 4},
		{[]float64{0, 5, 0, 5, 0, 0}, nil, -1, 6}, {[]float64{0, 0, 5, 6, 0, 0}, nil, 2, 2}, {[]float64{0, 0, 0, 0}, nil, -1, 4}, {[]float64{5}, nil, -1, 1}, {[]float64{0, 5}, nil, -1, 2},
		{[]float64{0, 0, 0, 0}, []float64{0, 0, 3, 0}, 2, 1}, {[]float64{0, 0, 0, 5, 0, 0}, []float64{0, 0, 3, 0, 0, 0}, 2, 2}, {[]float64{0, 0, 5, 0, 0, 0}, []float64{0, 0, 0, -3, 0, 0}, 2, 2},
		{[]float64{5, 0, 0, 0}, []float64{0, 0, 0, 1}, -1, 4}, {[]float64{0, 0, 0, 5}, []float64{0, 0, 0, 0}, 3, 1},
	} {
		p := len(c.matrix)
		region := solver.NewModel("one column")
		region.AddColumn(solver.Column{})
		d, err := sparsero.NewDictionary(mat.NewDense(1, p, nil), nil)
		if err != nil {
			t.Fatal(err)
		}
		problem, err := NewProblem(d, region, sparsero.AffineMap{Matrix: mat.NewDense(p, 1, c.matrix), Constant: c.constant})
		if err != nil {
			t.Fatal(err)
		}
		written := problem.fileMap(objectiveExposure)
		if len(written.Matrix) != c.rows || (written.First == nil) != (c.first < 0) || written.First != nil && *written.First != c.first || (written.Constant == nil) != (c.constant == nil) {
			t.Errorf("%+v is written as %+v", c, written)
		}
		read := readMap(&written, p, 1)
		for k, v := range c.matrix {
			if read.Matrix.At(k, 0) != v || c.constant != nil && read.Constant[k] != c.constant[k] {
				t.Errorf("%+v is read with %v and %v in coordinate %d", c, read.Matrix.At(k, 0), read.Constant[k], k)
			}
		}
	}
}

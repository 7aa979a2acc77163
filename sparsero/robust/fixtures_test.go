package robust_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/calibration"
	"github.com/sparsero/directions/sparsero/robust"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// tolerance is the accuracy asked of values that two different roads must share:
// well above the 1e-7 of the solvers on data of size one.
const tolerance = 1e-5

// must returns the value or fails the test.
func must[T any](value T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

// get is must for use inside property tests.
func get[T any](value T, err error) func(*rapid.T) T {
	return func(t *rapid.T) T {
		t.Helper()
		if err != nil {
			t.Fatalf("%v", err)
		}
		return value
	}
}

var ctx = context.Background()

// unpromised is a Calibrate of radii that promise nothing.
func unpromised(radius func(atoms []int) float64) func([]int) (calibration.Radius, error) {
	return func(atoms []int) (calibration.Radius, error) {
		return calibration.Radius{Value: proof.AtMost(radius(atoms))}, nil
	}
}

// always is the same radius for all atoms.
func always(radius float64) func([]int) (calibration.Radius, error) {
	return unpromised(func([]int) float64 { return radius })
}

// box returns the region lower <= x <= upper with the given linear costs.
func box(lower, upper float64, costs ...float64) *solver.Model {
	m := solver.NewModel("box")
	for j, c := range costs {
		m.AddColumn(solver.Column{Name: fmt.Sprintf("x%d", j), Bounds: solver.Between(lower, upper), Cost: c})
	}
	return m
}

func matrix(rows ...[]float64) *mat.Dense {
	m := mat.NewDense(len(rows), len(rows[0]), nil)
	for i, row := range rows {
		m.SetRow(i, row)
	}
	return m
}

func dictionary(t testing.TB, atoms ...[]float64) *sparsero.Dictionary {
	t.Helper()
	return must(sparsero.NewDictionary(matrix(atoms...), nil))(t)
}

// number draws a small multiple of 1/4, so that ties, zeros and duplicates are frequent.
func number(t *rapid.T, label string) float64 {
	return float64(rapid.IntRange(-8, 8).Draw(t, label)) / 4
}

func numbers(t *rapid.T, n int, label string) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = number(t, label)
	}
	return v
}

// drawDictionary includes N = 1, p = 1, zero, repeated and collinear atoms.
func drawDictionary(t *rapid.T) *sparsero.Dictionary {
	n, p := rapid.IntRange(1, 9).Draw(t, "N"), rapid.IntRange(1, 4).Draw(t, "p")
	rows := make([][]float64, n)
	for i := range rows {
		switch kind := rapid.IntRange(0, 9).Draw(t, "kind"); {
		case kind == 0:
			rows[i] = make([]float64, p)
		case kind <= 2 && i > 0:
			scale := number(t, "scale")
			rows[i] = make([]float64, p)
			for j, v := range rows[i-1] {
				rows[i][j] = scale * v
			}
		default:
			rows[i] = numbers(t, p, "atom")
		}
	}
	return get(sparsero.NewDictionary(matrix(rows...), nil))(t)
}

// drawRegion is a box around the origin cut by a few rows that keep the origin.
func drawRegion(t *rapid.T) *solver.Model {
	n := rapid.IntRange(1, 4).Draw(t, "n")
	m := solver.NewModel("random polytope")
	columns := make([]int, n)
	for j := range n {
		columns[j] = m.AddColumn(solver.Column{Bounds: solver.Between(-1, 1+float64(j)), Cost: number(t, "cost")})
	}
	for range rapid.IntRange(0, 3).Draw(t, "rows") {
		m.AddRow(solver.Row{
			Bounds: solver.AtMost(math.Abs(number(t, "limit"))), Columns: columns, Values: numbers(t, n, "row"),
		})
	}
	m.SetOffset(number(t, "offset"))
	return m
}

// drawMap draws an affine map, whose coordinates may be columns as they are, also the same one twice.
func drawMap(t *rapid.T, p, n int) sparsero.AffineMap {
	var constant []float64
	selects := rapid.IntRange(0, 3).Draw(t, "selects") == 0
	if rapid.Bool().Draw(t, "affine") {
		constant = numbers(t, p, "constant")
	}
	rows := make([][]float64, p)
	for i := range rows {
		if selects {
			rows[i] = make([]float64, n)
			rows[i][rapid.IntRange(0, n-1).Draw(t, "column")] = 1
		} else {
			rows[i] = numbers(t, n, "q")
		}
	}
	return get(sparsero.NewAffineMap(matrix(rows...), constant))(t)
}

func drawProblem(t *rapid.T) *robust.Problem {
	d, region := drawDictionary(t), drawRegion(t)
	return get(robust.NewProblem(d, region, drawMap(t, d.Dim(), region.Columns())))(t)
}

// drawSubset draws a subset of [0,n), the empty one included.
func drawSubset(t *rapid.T, n int) []int {
	var subset []int
	for i := range n {
		if rapid.Bool().Draw(t, "in S") {
			subset = append(subset, i)
		}
	}
	return subset
}

func drawRadius(t *rapid.T) float64 { return float64(rapid.IntRange(0, 12).Draw(t, "4r")) / 4 }

func everyAtom(d *sparsero.Dictionary) []int {
	all := make([]int, d.Size())
	for i := range all {
		all[i] = i
	}
	return all
}

func near(a, b float64) bool { return math.Abs(a-b) <= tolerance*(1+math.Abs(a)+math.Abs(b)) }

// columns builds a matrix of the given width from its values, row by row.
func columns(width int, values ...float64) *mat.Dense {
	return mat.NewDense(len(values)/width, width, values)
}

// rankOf is the rank of [M' c] for q(x) = M'x + c.
func rankOf(q sparsero.AffineMap) int {
	var svd mat.SVD
	p, n := q.Dims()
	whole := mat.NewDense(p, n+1, nil)
	whole.Copy(q.Matrix)
	if q.Constant != nil {
		whole.SetCol(n, q.Constant)
	}
	svd.Factorize(whole, mat.SVDNone)
	return svd.Rank(1e-10)
}

// certified tells whether value gap and regret are proven to be at most a tolerance.
func certified(s *robust.Solution, tolerance float64) bool {
	bound, err := s.GapBound()
	return err == nil && bound.Float() <= tolerance
}

// dualOf is the dual of a solution that was found.
func dualOf(s *robust.Solution, err error) (*robust.Dual, error) {
	if err != nil {
		return nil, err
	}
	return s.Dual()
}

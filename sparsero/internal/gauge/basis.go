package gauge

import (
	"math"

	"github.com/sparsero/directions/solver/proof/directed"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// basis is a p×p matrix of columns with its inverse. A row whose column is negative holds the unit vector of its own
// coordinate, which stands for what no atom has taken over yet.
type basis struct {
	columns []int // of the pool, by row; negative for a unit vector
	inverse *mat.Dense
	pivots  int // since the inverse was computed
}

func newBasis(p int) *basis {
	b := &basis{columns: make([]int, p), inverse: mat.NewDense(p, p, nil)}
	for r := range p {
		b.columns[r] = -1 - r
		b.inverse.Set(r, r, 1)
	}
	return b
}

// row returns row r of the inverse.
func (b *basis) row(r int) []float64 { return b.inverse.RawRowView(r) }

// times returns the inverse times a column.
func (b *basis) times(dst, column []float64) {
	for r := range dst {
		dst[r] = floats.Dot(b.row(r), column)
	}
}

// exchange puts a column into row r; step is the inverse times that column.
func (b *basis) exchange(r, column int, step []float64) {
	pivot := b.row(r)
	floats.Scale(1/step[r], pivot)
	for i, v := range step {
		if i != r && v != 0 {
			floats.AddScaled(b.row(i), -v, pivot)
		}
	}
	b.columns[r] = column
	b.pivots++
}

// column returns the column of row r.
func (g *Program) column(r int) []float64 {
	if k := g.basis.columns[r]; k >= 0 {
		return g.data[k*g.dim:][:g.dim]
	}
	unit := make([]float64, g.dim)
	unit[-1-g.basis.columns[r]] = 1
	return unit
}

// matrix returns the basis, its columns side by side.
func (g *Program) matrix() *mat.Dense {
	m := mat.NewDense(g.dim, g.dim, nil)
	for r := range g.dim {
		m.SetCol(r, g.column(r))
	}
	return m
}

// refresh computes the inverse anew and tells whether there is one.
func (g *Program) refresh() bool {
	var inverse mat.Dense
	if condition, _ := inverse.Inverse(g.matrix()).(mat.Condition); math.IsInf(float64(condition), 1) {
		return false
	}
	g.basis.inverse, g.basis.pivots = &inverse, 0
	return true
}

// Pair is a vector in twice the precision: the sum of the two.
type Pair struct{ High, Low []float64 }

func newPair(n int) Pair { return Pair{make([]float64, n), make([]float64, n)} }

// add adds a correction to number k.
func (v Pair) add(k int, correction float64) {
	var sum directed.Sum
	sum.Add(v.High[k])
	sum.Add(v.Low[k])
	sum.Add(correction)
	v.High[k] = sum.Value()
	sum.Add(-v.High[k])
	v.Low[k] = sum.Value()
}

// corrections is how often a solution is corrected by its residual; each gains some forty bits.
const corrections = 3

// weights solves B x = u in twice the precision and returns x and bounds on the sizes of what is left of u.
func (g *Program) weights() (x Pair, residual []float64) {
	x, residual = newPair(g.dim), make([]float64, g.dim)
	step, columns := make([]float64, g.dim), g.matrix()
	measure := func() {
		for j := range residual {
			residual[j] = rest(g.point[j], columns.RawRowView(j), x)
		}
	}
	measure()
	for range corrections {
		g.basis.times(step, residual)
		for k, v := range step {
			x.add(k, v)
		}
		measure()
	}
	return x, residual
}

// direction solves w B = e_r in twice the precision.
func (g *Program) direction(r int) Pair {
	w, residual := newPair(g.dim), make([]float64, g.dim)
	step := mat.NewVecDense(g.dim, nil)
	for range corrections {
		for k := range residual {
			want := 0.0
			if k == r {
				want = 1
			}
			residual[k] = rest(want, g.column(k), w)
		}
		step.MulVec(g.basis.inverse.T(), mat.NewVecDense(g.dim, residual))
		for j := range w.High {
			w.add(j, step.AtVec(j))
		}
	}
	return w
}

// rest returns the larger bound of want - row·x in size, with its sign.
func rest(want float64, row []float64, x Pair) float64 {
	var sum directed.Sum
	sum.Add(want)
	for k, v := range row {
		sum.AddProduct(-v, x.High[k])
		sum.AddProduct(-v, x.Low[k])
	}
	upper := sum.Upper()
	if lower := sum.Lower(); -lower > upper {
		return lower
	}
	return upper
}

package solver

import (
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize/convex/lp"
)

// tableau is the coefficient matrix as gonum sees it. As every iteration of
// gonum's simplex reads one column of it, it also counts iterations and ends a
// run that is out of time, which gonum has no way to do.
type tableau struct {
	run        *run
	rows, cols int
	data       []float64 // by columns
	reads      int       // reads of the last row, after set-up one per pricing
	setup      int
}

// runStopped is the panic with which a tableau ends a simplex run.
type runStopped struct{}

// tableau gathers columns over the kept equations, followed by one unit column
// per artificial variable (whose index is a position among the kept).
func (s *standard) tableau(run *run, kept, columns []int, artificial []entry) *tableau {
	t := &tableau{run: run, rows: len(kept), cols: len(columns) + len(artificial)}
	t.data = make([]float64, t.rows*t.cols)
	position := make([]int, s.size)
	for i := range position {
		position[i] = -1
	}
	for k, i := range kept {
		position[i] = k
	}
	for c, column := range columns {
		for _, e := range s.columns[column] {
			if k := position[e.index]; k >= 0 {
				t.data[c*t.rows+k] = e.value
			}
		}
	}
	for k, e := range artificial {
		t.data[(len(columns)+k)*t.rows+e.index] = e.value
	}
	return t
}

// Dims returns the shape.
func (t *tableau) Dims() (int, int) { return t.rows, t.cols }

// T returns the transpose.
func (t *tableau) T() mat.Matrix { return mat.Transpose{Matrix: t} }

// At returns an entry, counts iterations, and panics when the run must end.
func (t *tableau) At(i, j int) float64 {
	if i == t.rows-1 {
		t.reads++
		if t.reads > t.setup {
			t.run.iterations++
		}
		if t.run.exhausted() {
			panic(runStopped{})
		}
	}
	return t.data[j*t.rows+i]
}

// countSetup foresees how often gonum reads the last row before its first
// iteration: while it looks for a zero row, once per column whose other entries
// are all zero, and once per column when it splits basic from nonbasic.
func (t *tableau) countSetup() {
	t.setup = t.cols
	last := t.rows - 1
	for j := range t.cols {
		t.setup++
		if t.data[j*t.rows+last] != 0 {
			break
		}
	}
	for j := range t.cols {
		only := true
		for i := range last {
			only = only && t.data[j*t.rows+i] == 0
		}
		if only {
			t.setup++
		}
	}
}

// simplex runs gonum's simplex from a feasible basis.
func (t *tableau) simplex(cost, rhs []float64, basis []int) (values []float64, result outcome) {
	if t.rows == t.cols {
		return t.onlyPoint(rhs)
	}
	t.countSetup()
	defer func() {
		// gonum panics when it finds the starting basis infeasible.
		if p := recover(); p != nil {
			values, result = nil, failed
			if _, ended := p.(runStopped); ended {
				result = stopped
			}
		}
	}()
	_, values, err := lp.Simplex(cost, t, rhs, priceTolerance, basis)
	switch err {
	case nil:
		return values, solved
	case lp.ErrUnbounded, lp.ErrInfeasible:
		return nil, noOptimum
	}
	return nil, failed
}

// onlyPoint solves a square system, which has a single candidate.
func (t *tableau) onlyPoint(rhs []float64) ([]float64, outcome) {
	matrix := mat.NewDense(t.cols, t.rows, t.data)
	var point mat.VecDense
	if point.SolveVec(matrix.T(), mat.NewVecDense(len(rhs), rhs)) != nil {
		return nil, failed
	}
	t.run.iterations++
	return point.RawVector().Data, solved
}

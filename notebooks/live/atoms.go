package live

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/sparsero/directions/datasets"
	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/robust"
	"github.com/sparsero/directions/sparsero/selection"
	"gonum.org/v1/gonum/mat"
)

// largestRequest bounds the numbers of a table and of drawn samples, so that a page stays able to answer.
const largestRequest = 1_000_000

// atoms names a dictionary: one of the tutorials by its name, rows, or a table, with single atoms moved elsewhere.
type atoms struct {
	Data   string // "x" of tutorial 02, "small" of tutorial 06
	CSV    string // a header line, then one atom per line
	Rows   [][]float64
	Labels []string
	Moved  map[int][]float64
}

// xShape is the data of tutorial 02 with few of its samples, which no panel shows.
var xShape = sync.OnceValue(func() *datasets.XShape {
	return must(datasets.NewXShape(datasets.XShapeOptions{Seed: 26, Probes: 1, Calibration: 1, Test: 1}))
})

func (a *atoms) dictionary() *sparsero.Dictionary {
	var d *sparsero.Dictionary
	switch {
	case a.Data == "x":
		d = xShape().Dictionary
	case a.Data == "small":
		d = must(sparsero.NewDictionary(must(datasets.Gaussian(12, 2, 4)), nil))
	case a.Data != "":
		panic(fmt.Sprintf("live: no tutorial has data %q", a.Data))
	case a.CSV != "":
		d = must(sparsero.ReadCSV(strings.NewReader(a.CSV), ""))
	default:
		d = must(sparsero.NewDictionary(matrixOf(a.Rows), &sparsero.DictionaryOptions{Labels: a.Labels}))
	}
	if len(a.Moved) == 0 {
		return d
	}
	moved := d.Matrix()
	for i, atom := range a.Moved {
		if i < 0 || i >= d.Size() || len(atom) != d.Dim() {
			panic(fmt.Sprintf("live: atom %d of %d moves to %v; give %d numbers", i, d.Size(), atom, d.Dim()))
		}
		moved.SetRow(i, atom)
	}
	return must(sparsero.NewDictionary(moved, &sparsero.DictionaryOptions{Labels: d.Labels(), Columns: d.Columns()}))
}

// matrixOf makes a matrix of rows.
func matrixOf(rows [][]float64) *mat.Dense {
	if len(rows) == 0 || len(rows[0]) == 0 {
		panic("live: there are no numbers; give rows")
	}
	m := mat.NewDense(len(rows), len(rows[0]), nil)
	for i, row := range rows {
		if len(row) != len(rows[0]) {
			panic(fmt.Sprintf("live: row %d has %d numbers and the first has %d", i, len(row), len(rows[0])))
		}
		m.SetRow(i, row)
	}
	return m
}

// shown is a dictionary as a page draws it.
type shown struct {
	Rows            [][]float64
	Labels, Columns []string
}

func showAtoms(a *atoms) any {
	d := a.dictionary()
	return shown{slices.Collect(slices.Chunk(d.Matrix().RawMatrix().Data, d.Dim())), d.Labels(), d.Columns()}
}

// probes are directions for a selection: those of the data, or as many as are asked for, around the circle in the plane and
// drawn from a normal law elsewhere.
func (a *atoms) probes(count, dimension int) *mat.Dense {
	switch {
	case count == 0 && a.Data == "x":
		return xShape().Directions
	case count < 1 || count*dimension > largestRequest:
		panic(fmt.Sprintf("live: %d probe directions in dimension %d; give 1 to %d", count, dimension, largestRequest/dimension))
	case dimension == 2:
		return must(datasets.Circle(count))
	}
	return must(datasets.Gaussian(count, dimension, 1))
}

// candidates are the atoms among which greedy finds its choice: in the plane the corners of their hull with 0 (notebook 19,
// section 1), which a page can afford while an atom is moved.
func candidates(d *sparsero.Dictionary) (indices []int, kept selection.Source) {
	if d.Dim() != 2 {
		return nil, d
	}
	if indices = must(d.SupportVertices(background)); len(indices) == 0 {
		return nil, d
	}
	return indices, must(d.Subset(indices))
}

// task is a robust problem. The model has the form of solver.Model in JSON; without a matrix q(x) = x.
type task struct {
	atoms
	Model    *solver.Model
	Matrix   [][]float64
	Constant []float64
	Radius   float64
}

func (t *task) problem() *robust.Problem {
	if t.Model == nil {
		panic("live: there is no model; give its columns")
	}
	q := sparsero.Identity(max(1, t.Model.Columns()))
	if len(t.Matrix) > 0 {
		q = must(sparsero.NewAffineMap(matrixOf(t.Matrix), t.Constant))
	}
	return must(robust.NewProblem(t.dictionary(), t.Model, q))
}

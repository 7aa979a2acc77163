package integer

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/datasets"
	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/robust"
)

// Tolerance is how much a row of at most 1 may be exceeded and still count as
// satisfied; mixed-integer codes accept points that are off by this much.
const Tolerance = 1e-6

// Problem states an instance as a robust problem with m robust constraints
// and a certain objective, for the solver: the road to the optimum that does
// not depend on the enumeration.
func Problem(i *datasets.IntegerInstance) (*robust.Problem, error) {
	if err := i.Validate(); err != nil {
		return nil, err
	}
	n := len(i.Cost)
	region := solver.NewModel("integer instance")
	cover := solver.Row{Name: "cardinality", Bounds: solver.AtLeast(float64(i.Cardinality))}
	for j, cost := range i.Cost {
		region.AddColumn(solver.Column{Name: fmt.Sprintf("x%d", j), Bounds: solver.Between(0, 1), Cost: cost, Integer: true})
		cover.Columns = append(cover.Columns, j)
		cover.Values = append(cover.Values, 1)
	}
	region.AddRow(cover)
	var constraints []robust.Constraint
	for k := range i.Rows() {
		q, err := sparsero.NewAffineMap(mat.NewDiagDense(n, mat.Row(nil, k, i.Extra)), nil)
		if err != nil {
			return nil, err
		}
		constraints = append(constraints, robust.Constraint{
			Name: fmt.Sprintf("row %d", k), Nominal: mat.Row(nil, k, i.Base), Map: q, Limit: 1,
		})
	}
	return robust.NewProblem(i.Dictionary, region, sparsero.AffineMap{}, constraints...)
}

// Decision is a set of chosen items with its cost.
type Decision struct {
	// Items are the chosen columns, increasing.
	Items []int
	// Value is the cost c'x.
	Value float64
}

// X returns the decision as a 0-1 vector of length n.
func (d Decision) X(n int) []float64 {
	x := make([]float64, n)
	for _, j := range d.Items {
		x[j] = 1
	}
	return x
}

// loads are the alignments of some vectors v_i with the directions of single
// items: byItem[j][i*rows+k] = <v_i, q_k(e_j)> = v_ij h_kj. Those of a decision
// are sums over its items.
type loads struct {
	rows, vectors int
	byItem        [][]float64
}

func newLoads(extra, vectors *mat.Dense) *loads {
	rows, n := extra.Dims()
	count, _ := vectors.Dims()
	l := &loads{rows: rows, vectors: count, byItem: make([][]float64, n)}
	for j := range n {
		l.byItem[j] = make([]float64, count*rows)
		for i := range count {
			for k := range rows {
				l.byItem[j][i*rows+k] = vectors.At(i, j) * extra.At(k, j)
			}
		}
	}
	return l
}

// of writes the loads of a decision to sum, length vectors*rows.
func (l *loads) of(items []int, sum []float64) {
	clear(sum)
	for _, j := range items {
		for i, v := range l.byItem[j] {
			sum[i] += v
		}
	}
}

// baseUse writes a_k'x of a decision to sum, length m.
func baseUse(i *datasets.IntegerInstance, items []int, sum []float64) {
	clear(sum)
	for k := range sum {
		row := i.Base.RawRowView(k)
		for _, j := range items {
			sum[k] += row[j]
		}
	}
}

// overflows reports whether some row exceeds 1 for some of the vectors at
// radius 1: a_k'x + <v_i, q_k(x)> > 1.
func overflows(i *datasets.IntegerInstance, l *loads, items []int) bool {
	base, sum := make([]float64, l.rows), make([]float64, l.vectors*l.rows)
	baseUse(i, items, base)
	l.of(items, sum)
	for position, load := range sum {
		if base[position%l.rows]+load > 1+Tolerance {
			return true
		}
	}
	return false
}

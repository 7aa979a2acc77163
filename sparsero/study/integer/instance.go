package integer

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/robust"
)

// Tolerance is how much a row of at most 1 may be exceeded and still count as
// satisfied; mixed-integer codes accept points that are off by this much.
const Tolerance = 1e-6

// Instance is a robust integer program: choose K of n items at least cost so
// that no row overflows for any atom,
//
//	min  c'x
//	s.t. sum_j x_j >= K,  x in {0,1}^n,
//	     a_k'x + r max_{i in S or i = 0} <d_i, q_k(x)> <= 1,  k = 1, ..., m,
//	     q_k(x) = (h_kj x_j)_j.
//
// Costs, rows and atoms are not negative, so that some optimum chooses exactly K items.
type Instance struct {
	// Cost is c, length n, not negative.
	Cost []float64
	// Cardinality is K, 1 <= K <= n.
	Cardinality int
	// Base (m×n) holds the rows a_k, Extra (m×n) the rows h_k, not negative,
	// in units of the capacity of the row.
	Base, Extra *mat.Dense
	// Dictionary holds the atoms, N×n, not negative.
	Dictionary *sparsero.Dictionary
	// HeldOut are scenarios u (M×n, not negative) that a decision is tested on.
	HeldOut *mat.Dense
}

// Source produces instances from seeds.
type Source interface {
	// Instance returns the instance of a seed; the same seed always gives the
	// same instance. It is called from several goroutines.
	Instance(seed uint64) (*Instance, error)
	// String describes the family of instances completely: sources with the
	// same description give the same instances. It enters the configuration
	// hash of a study.
	String() string
}

// Validate reports the first part of the instance that is missing, does not
// fit the others, is not finite or is negative.
func (i *Instance) Validate() error {
	switch {
	case i.Base == nil || i.Extra == nil:
		return errors.New("integer: Base or Extra is nil; give both as m×n matrices")
	case i.Dictionary == nil:
		return errors.New("integer: Dictionary is nil; build one with sparsero.NewDictionary")
	case i.HeldOut == nil:
		return errors.New("integer: HeldOut is nil; give the scenarios to test decisions on, one per row")
	case len(i.Cost) == 0:
		return errors.New("integer: Cost is empty; give one cost per item")
	}
	n := len(i.Cost)
	if i.Cardinality < 1 || i.Cardinality > n {
		return fmt.Errorf("integer: Cardinality = %d is outside [1,%d]; it is the number of items to choose", i.Cardinality, n)
	}
	rows, _ := i.Base.Dims()
	if extra, _ := i.Extra.Dims(); extra != rows {
		return fmt.Errorf("integer: Extra has %d rows but Base has %d; give one of each per constraint", extra, rows)
	}
	for _, part := range []struct {
		name   string
		matrix mat.Matrix
	}{
		{"Cost", mat.NewDense(1, n, i.Cost)}, {"Base", i.Base}, {"Extra", i.Extra},
		{"Dictionary", i.Dictionary.Matrix()}, {"HeldOut", i.HeldOut},
	} {
		if err := checkPart(part.name, part.matrix, n); err != nil {
			return err
		}
	}
	return nil
}

func checkPart(name string, matrix mat.Matrix, n int) error {
	rows, columns := matrix.Dims()
	if rows == 0 || columns != n {
		return fmt.Errorf("integer: %s is %d×%d but there are %d costs; give at least one row with %d columns", name, rows, columns, n, n)
	}
	for row := range rows {
		for column := range columns {
			if v := matrix.At(row, column); !(v >= 0) || math.IsInf(v, 1) {
				return fmt.Errorf("integer: %s has the value %v in row %d, column %d; values must be finite and not negative", name, v, row, column)
			}
		}
	}
	return nil
}

// Rows returns m, the number of robust rows.
func (i *Instance) Rows() int { m, _ := i.Base.Dims(); return m }

// Problem states the instance as a robust problem with m robust constraints
// and a certain objective, for the solver: the road to the optimum that does
// not depend on the enumeration.
func (i *Instance) Problem() (*robust.Problem, error) {
	if err := i.Validate(); err != nil {
		return nil, err
	}
	n := len(i.Cost)
	region := solver.NewModel("integer instance")
	cover := solver.Row{Name: "cardinality", Lower: float64(i.Cardinality), Upper: math.Inf(1)}
	for j, cost := range i.Cost {
		region.AddColumn(solver.Column{Name: fmt.Sprintf("x%d", j), Upper: 1, Cost: cost, Integer: true})
		cover.Columns = append(cover.Columns, j)
		cover.Values = append(cover.Values, 1)
	}
	region.AddRow(cover)
	var constraints []robust.Constraint
	for k := range i.Rows() {
		exposure := mat.NewDense(n, n, nil)
		for j := range n {
			exposure.Set(j, j, i.Extra.At(k, j))
		}
		q, err := sparsero.NewAffineMap(exposure, nil)
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

// base writes a_k'x of a decision to sum, length m.
func (i *Instance) base(items []int, sum []float64) {
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
func (i *Instance) overflows(l *loads, items []int) bool {
	base, sum := make([]float64, l.rows), make([]float64, l.vectors*l.rows)
	i.base(items, base)
	l.of(items, sum)
	for position, load := range sum {
		if base[position%l.rows]+load > 1+Tolerance {
			return true
		}
	}
	return false
}

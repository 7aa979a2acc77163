package datasets

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/sparsero"
)

// IntegerInstance is a robust integer program: choose K of n items at least cost so
// that no row overflows for any atom,
//
//	min  c'x
//	s.t. sum_j x_j >= K,  x in {0,1}^n,
//	     a_k'x + r max_{i in S or i = 0} <d_i, q_k(x)> <= 1,  k = 1, ..., m,
//	     q_k(x) = (h_kj x_j)_j.
//
// Costs, rows and atoms are not negative, so that some optimum chooses exactly K items.
type IntegerInstance struct {
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

// Validate reports the first part of the instance that is missing, does not
// fit the others, is not finite or is negative.
func (i *IntegerInstance) Validate() error {
	switch {
	case i.Base == nil || i.Extra == nil:
		return errors.New("datasets: IntegerInstance.Base or Extra is nil; give both as m×n matrices")
	case i.Dictionary == nil:
		return errors.New("datasets: IntegerInstance.Dictionary is nil; build one with sparsero.NewDictionary")
	case i.HeldOut == nil:
		return errors.New("datasets: IntegerInstance.HeldOut is nil; give the scenarios to test decisions on, one per row")
	case len(i.Cost) == 0:
		return errors.New("datasets: IntegerInstance.Cost is empty; give one cost per item")
	}
	n := len(i.Cost)
	if i.Cardinality < 1 || i.Cardinality > n {
		return fmt.Errorf("datasets: IntegerInstance.Cardinality = %d is outside [1,%d]; it is the number of items to choose", i.Cardinality, n)
	}
	rows, _ := i.Base.Dims()
	if extra, _ := i.Extra.Dims(); extra != rows {
		return fmt.Errorf("datasets: IntegerInstance.Extra has %d rows but Base has %d; give one of each per constraint", extra, rows)
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

// checkPart reports a part of an integer instance whose shape or values are wrong.
func checkPart(name string, matrix mat.Matrix, n int) error {
	rows, columns := matrix.Dims()
	if rows == 0 || columns != n {
		return fmt.Errorf("datasets: IntegerInstance.%s is %d×%d but there are %d costs; give at least one row with %d columns", name, rows, columns, n, n)
	}
	for row := range rows {
		for column := range columns {
			if v := matrix.At(row, column); !(v >= 0) || math.IsInf(v, 1) {
				return fmt.Errorf("datasets: IntegerInstance.%s has the value %v in row %d, column %d; use finite values of at least 0", name, v, row, column)
			}
		}
	}
	return nil
}

// Rows returns m, the number of robust rows, 0 without Base.
func (i *IntegerInstance) Rows() int {
	if i.Base == nil {
		return 0
	}
	m, _ := i.Base.Dims()
	return m
}

package datasets

import (
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/sparsero"
)

// IntegerInstance is a robust integer program: choose K of n items at least cost so that no row overflows for any atom,
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
	// Base (m×n) holds the rows a_k, Extra (m×n) the rows h_k, not negative, in units of the capacity of the row.
	Base, Extra *mat.Dense
	// Dictionary holds the atoms, N×n, not negative.
	Dictionary *sparsero.Dictionary
	// HeldOut are scenarios u (M×n, not negative) that a decision is tested on.
	HeldOut *mat.Dense
}

// Validate reports the first part of the instance that is missing, does not
// fit the others, is not finite or is negative.
func (i *IntegerInstance) Validate() error {
	n := len(i.Cost)
	switch {
	case i.Dictionary == nil:
		return errors.New("datasets: IntegerInstance.Dictionary is nil; build one with sparsero.NewDictionary")
	case n == 0:
		return errors.New("datasets: IntegerInstance.Cost is empty; give one cost per item")
	case i.Cardinality < 1 || i.Cardinality > n:
		return fmt.Errorf("datasets: IntegerInstance.Cardinality = %d is outside [1,%d]; it is the number of items to choose", i.Cardinality, n)
	}
	for _, part := range []struct {
		name   string
		matrix *mat.Dense
	}{
		{"Cost", mat.NewDense(1, n, i.Cost)}, {"Base", i.Base}, {"Extra", i.Extra},
		{"Dictionary", i.Dictionary.Matrix()}, {"HeldOut", i.HeldOut},
	} {
		if err := checkPart(part.name, part.matrix, n); err != nil {
			return err
		}
	}
	if extra, _ := i.Extra.Dims(); extra != i.Rows() {
		return fmt.Errorf("datasets: IntegerInstance.Extra has %d rows but Base has %d; give one of each per constraint", extra, i.Rows())
	}
	return nil
}

func checkPart(name string, matrix *mat.Dense, n int) error {
	name = "datasets: IntegerInstance." + name
	if _, err := sparsero.NewDictionary(matrix, nil); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if rows, columns := matrix.Dims(); columns != n {
		return fmt.Errorf("%s is %d×%d but there are %d costs; give rows with %d columns", name, rows, columns, n, n)
	}
	if least := mat.Min(matrix); least < 0 {
		return fmt.Errorf("%s has the value %v; use values of at least 0", name, least)
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

package sparsero

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// AffineMap is q(x) = Matrix x + Constant, the direction in which the decision
// x exposes the objective to uncertainty: f(x,u) = b(x) + <u, q(x)>.
type AffineMap struct {
	// Matrix is p×n: p is the dimension of the atoms, n that of the decision.
	Matrix *mat.Dense
	// Constant has length p; nil means zero.
	Constant []float64
}

// NewAffineMap builds q(x) = matrix x + constant from a p×n matrix and a vector
// of length p (nil for zero). Both are copied. It is an error if the matrix is
// nil or empty, if the lengths differ, or if a value is NaN or Inf.
func NewAffineMap(matrix mat.Matrix, constant []float64) (AffineMap, error) {
	if isNilMatrix(matrix) {
		return AffineMap{}, errors.New("sparsero: matrix is nil; give a p×n matrix that maps decisions to directions")
	}
	p, n := matrix.Dims()
	if p == 0 || n == 0 {
		return AffineMap{}, fmt.Errorf("sparsero: matrix is empty (%d×%d); give a p×n matrix with p, n >= 1", p, n)
	}
	if constant != nil && len(constant) != p {
		return AffineMap{}, fmt.Errorf("sparsero: constant has length %d but matrix has %d rows; give %d values or nil", len(constant), p, p)
	}
	if i, j, ok := firstNotFinite(matrix); ok {
		return AffineMap{}, fmt.Errorf("sparsero: matrix has the value %v in row %d, column %d; use finite values", matrix.At(i, j), i, j)
	}
	for i, v := range constant {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return AffineMap{}, fmt.Errorf("sparsero: constant has the value %v at position %d; use finite values", v, i)
		}
	}
	return AffineMap{Matrix: mat.DenseCopyOf(matrix), Constant: slices.Clone(constant)}, nil
}

// Identity returns the map q(x) = x on R^n. It panics if n < 1.
func Identity(n int) AffineMap {
	if n < 1 {
		panic(fmt.Sprintf("sparsero: the identity needs a dimension of at least 1, got %d", n))
	}
	matrix := mat.NewDense(n, n, nil)
	for i := range n {
		matrix.Set(i, i, 1)
	}
	return AffineMap{Matrix: matrix}
}

// Dims returns the dimension p of the directions and n of the decisions.
func (q AffineMap) Dims() (p, n int) { return q.Matrix.Dims() }

// Apply returns q(x), a new vector of length p. It panics if x does not have
// length n.
func (q AffineMap) Apply(x []float64) []float64 {
	p, n := q.Dims()
	if len(x) != n {
		panic(fmt.Sprintf("sparsero: x has length %d but the affine map takes %d values", len(x), n))
	}
	direction := make([]float64, p)
	mat.NewVecDense(p, direction).MulVec(q.Matrix, mat.NewVecDense(n, x))
	for i, v := range q.Constant {
		direction[i] += v
	}
	return direction
}

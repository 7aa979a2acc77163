package sparsero

import (
	"fmt"
	"slices"

	"github.com/sparsero/directions/sparsero/internal/input"
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

// NewAffineMap builds q(x) = matrix x + constant from a p×n matrix and a vector of length p (nil for zero). Both are
// copied. It is an error if the matrix is nil or empty, if the lengths differ, or if a value is NaN or Inf.
func NewAffineMap(matrix mat.Matrix, constant []float64) (AffineMap, error) {
	if err := input.CheckRows("matrix", "coordinate of q(x)", matrix, input.AnyColumns); err != nil {
		return AffineMap{}, fmt.Errorf("sparsero: %w", err)
	}
	if p, _ := matrix.Dims(); constant != nil {
		if err := input.CheckVector("constant", constant, p); err != nil {
			return AffineMap{}, fmt.Errorf("sparsero: %w", err)
		}
	}
	return AffineMap{Matrix: input.Owned(matrix), Constant: slices.Clone(constant)}, nil
}

// Identity returns the map q(x) = x on R^n. It panics if n < 1, or so large that no memory holds the matrix.
func Identity(n int) AffineMap {
	if n < 1 {
		panic(fmt.Sprintf("sparsero: the identity needs a dimension of at least 1, got %d", n))
	}
	if err := input.CheckSize("sparsero: the identity", n, n); err != nil {
		panic(err)
	}
	matrix := mat.NewDense(n, n, nil)
	for i := range n {
		matrix.Set(i, i, 1)
	}
	return AffineMap{Matrix: matrix}
}

// Dims returns the dimension p of the directions and n of the decisions, 0 without Matrix.
func (q AffineMap) Dims() (p, n int) {
	if q.Matrix == nil {
		return 0, 0
	}
	return q.Matrix.Dims()
}

// Apply returns q(x), a new vector of length p. It panics if x does not have
// length n, or if Constant does not have length p.
func (q AffineMap) Apply(x []float64) []float64 {
	p, n := q.Dims()
	if len(x) != n {
		panic(fmt.Sprintf("sparsero: x has length %d but the affine map takes %d values", len(x), n))
	}
	if q.Constant != nil && len(q.Constant) != p || p == 0 {
		panic(fmt.Sprintf("sparsero: the matrix of the affine map is %d×%d and its constant has length %d; make one with NewAffineMap", p, n, len(q.Constant)))
	}
	direction := make([]float64, p)
	mat.NewVecDense(p, direction).MulVec(q.Matrix, mat.NewVecDense(n, x))
	for i, v := range q.Constant {
		direction[i] += v
	}
	return direction
}

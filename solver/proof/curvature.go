package proof

import (
	"math"

	"github.com/sparsero/directions/solver/internal/program"
	"github.com/sparsero/directions/solver/proof/directed"
	"github.com/sparsero/directions/solver/proof/exact"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// NotConvex tells whether the objective curves downwards by more than rounding errors: whether, in units in which the
// diagonal of the Hessian is about 1, an eigenvalue is below -tolerance times the largest entry; a tolerance within
// rounding errors counts as those. False proves nothing: what an objective that is convex up to rounding errors costs a
// bound is counted there. It panics if the program does not fit together.
func NotConvex(p *Program, tolerance float64) bool {
	if program.Check("proof", p); len(p.Quadratic) == 0 {
		return false
	}
	hessian, _ := scaledHessian(p)
	largest := floats.Norm(hessian.RawSymmetric().Data, math.Inf(1)) // infinite where a product is beyond its squares
	if largest == 0 {
		return false
	}
	return !(largest < math.Inf(1)) || !shiftedCholesky(hessian, math.Max(tolerance*largest, choleskyNoise(hessian)))
}

// curvatureLoss is what a tangent at x may lie above the objective within the bounds, as a Hessian counts as convex
// that is so up to rounding errors: half the most negative curvature times the squared distance to the farthest corner,
// 0 for a Hessian that is proven to be positive semidefinite.
func curvatureLoss(p *Program, x []float64) float64 {
	if len(p.Quadratic) == 0 {
		return 0
	}
	hessian, columns := scaledHessian(p)
	loss := negativeCurvature(p, hessian)
	if loss == 0 {
		return 0
	}
	squares := 0.0
	for k, j := range columns.index {
		reach := math.Max(directed.SumUpper(p.Upper[j], -x[j]), directed.SumUpper(x[j], -p.Lower[j]))
		reach = directed.ScaleUpper(reach, columns.exponent[k])
		squares = directed.SumUpper(squares, directed.ProductUpper(reach, reach))
	}
	return directed.ProductUpper(loss, squares) // half of it would do
}

// hessianColumns are the columns of a Hessian, x_index = 2^-exponent of its variable.
type hessianColumns struct{ index, exponent []int }

// scaledHessian returns the Hessian of the objective over the columns that have quadratic terms, in units in which the
// diagonal is about 1.
func scaledHessian(p *Program) (*mat.SymDense, hessianColumns) {
	hessian, columns := program.Hessian(p)
	scaled := hessianColumns{index: columns}
	for k := range columns {
		e := 0
		if v := hessian.At(k, k); v != 0 {
			_, e = math.Frexp(v)
			e >>= 1
		}
		scaled.exponent = append(scaled.exponent, e)
	}
	for a := range columns {
		for b := a; b < len(columns); b++ {
			hessian.SetSym(a, b, math.Ldexp(hessian.At(a, b), -scaled.exponent[a]-scaled.exponent[b]))
		}
	}
	return hessian, scaled
}

// exactHessian is the size up to which semidefiniteness is decided in rational numbers.
const exactHessian = 32

// negativeCurvature returns a number v >= 0 such that H + v I is positive semidefinite. Small entries of H may have vanished
// in its units; the Hessian of the program itself has them all.
func negativeCurvature(p *Program, hessian *mat.SymDense) float64 {
	n, noise := hessian.SymmetricDim(), choleskyNoise(hessian)
	if shiftedCholesky(hessian, -noise) {
		return 0
	}
	if n <= exactHessian {
		unscaled, _ := program.Hessian(p)
		if _, semidefinite := exact.Squares(n, unscaled.At); semidefinite {
			return 0
		}
	}
	if shiftedCholesky(hessian, noise) {
		return 2 * noise
	}
	return 2 * mat.Norm(hessian, 1) // a bound on every eigenvalue (Gershgorin)
}

// curvatureSteps are the shares of the mean curvature that are tried as a lower bound.
var curvatureSteps = [...]float64{0x1p-2, 0x1p-6, 0x1p-12, 0x1p-20, 0x1p-28}

// leastCurvature returns a number per column such that the objective, minimised, minus half of these numbers times the
// squares of the columns is still convex; 0 for columns without quadratic terms, and for all where none is proven.
func leastCurvature(p *Program) []float64 {
	curvature := make([]float64, len(p.Cost))
	hessian, columns := scaledHessian(p)
	noise, mean := choleskyNoise(hessian), diagonalSize(hessian)/float64(hessian.SymmetricDim())
	for _, share := range curvatureSteps {
		least := share * mean
		if !shiftedCholesky(hessian, -least-noise) {
			continue
		}
		for k, j := range columns.index {
			curvature[j] = math.Ldexp(least, 2*columns.exponent[k])
		}
		break
	}
	return curvature
}

// choleskyNoise bounds what a Cholesky factor in floating point misses: it proves that
// the matrix plus this multiple of the identity is positive semidefinite (Rump 2006).
func choleskyNoise(hessian *mat.SymDense) float64 {
	return 4 * float64(hessian.SymmetricDim()+2) * program.Epsilon * diagonalSize(hessian)
}

// diagonalSize is the sum of the magnitudes on the diagonal.
func diagonalSize(hessian *mat.SymDense) (size float64) {
	for k := range hessian.SymmetricDim() {
		size += math.Abs(hessian.At(k, k))
	}
	return size
}

func shiftedCholesky(hessian *mat.SymDense, shift float64) bool {
	shifted := mat.NewSymDense(hessian.SymmetricDim(), nil)
	shifted.CopySym(hessian)
	for k := range hessian.SymmetricDim() {
		shifted.SetSym(k, k, shifted.At(k, k)+shift)
	}
	var factor mat.Cholesky
	return factor.Factorize(shifted)
}

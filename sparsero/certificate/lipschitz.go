package certificate

import (
	"errors"
	"fmt"
	"math"

	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/solver/proof/directed"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/internal/input"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// LipschitzMap is a continuous map q with a known Lipschitz constant,
//
//	‖q(x) - q(y)‖ <= Constant ‖x - y‖,
//
// for the net of a q that is not affine, in the Euclidean norm.
type LipschitzMap struct {
	// Apply is q, from R^n to R^p. Its own rounding errors nobody covers.
	Apply func(x []float64) []float64
	// Constant is L >= 0, finite.
	Constant float64
}

// LipschitzNet returns the image of a regular grid over a box from lower to upper that contains X, an
// ε-net of q(X) with radius at most epsilon in the pseudometric of the dictionary, or, for
// epsilon 0, with the least that MaxPoints allows,
//
//	ε = ‖D‖ L √n h/2,
//
// where ‖D‖ is the largest norm of an atom and h the grid step; [Net.Radius] adds to it what rounding may have done to the
// grid. The covering radius √n h/2 of the grid enters, not its step, as the paper prints: with D = (±1)^n/√n and q the identity
// a grid of that step misses its ε for every n >= 5. When the number of points exceeds MaxPoints the error is a *NetTooLargeError.
func LipschitzNet(d *sparsero.Dictionary, lower, upper []float64, q LipschitzMap, epsilon float64, o *Options) (*Net, error) {
	if err := checkLipschitz(d, lower, upper, q); err != nil {
		return nil, err
	}
	if err := checkEpsilon(epsilon); err != nil {
		return nil, err
	}
	options, err := o.filled()
	if err != nil {
		return nil, err
	}
	dictionaryNorm := 0.0
	for i := range d.Size() {
		dictionaryNorm = math.Max(dictionaryNorm, directed.NormUpper(d.RawRowView(i)))
	}
	cube := make([]float64, len(lower))
	floats.AddConst(1, cube)
	g := grid{box{lower, upper}, func(half []float64) float64 {
		return directed.ProductUpper(directed.ProductUpper(dictionaryNorm, q.Constant), directed.NormUpper(half))
	}, [][]float64{cube}}
	half, whole, err := g.cells(epsilon, options.MaxPoints)
	if err != nil {
		return nil, err
	}
	var directions []float64
	var shapeErr error
	g.visit(half, whole, func(centre []float64) {
		direction := q.Apply(centre)
		if err := input.CheckVector("q(x)", direction, d.Dim()); err != nil && shapeErr == nil {
			shapeErr = fmt.Errorf("certificate: %w", err)
		}
		directions = append(directions, direction...)
	})
	if shapeErr != nil {
		return nil, shapeErr
	}
	rows := len(directions) / d.Dim()
	return newNet(d, mat.NewDense(rows, d.Dim(), directions), proof.AtMost(g.reach(g.covering(half, whole))), "Lipschitz grid"), nil
}

func checkLipschitz(d *sparsero.Dictionary, lower, upper []float64, q LipschitzMap) error {
	if err := checkDictionary(d); err != nil {
		return err
	}
	switch {
	case q.Apply == nil:
		return errors.New("certificate: LipschitzMap.Apply is nil; give the function q")
	case math.IsNaN(q.Constant) || math.IsInf(q.Constant, 0) || q.Constant < 0:
		return fmt.Errorf("certificate: Lipschitz constant %v is not a finite number >= 0; give a bound on |q(x)-q(y)|/|x-y|", q.Constant)
	case len(lower) == 0 || len(lower) != len(upper):
		return fmt.Errorf("certificate: box has %d lower and %d upper bounds; give n >= 1 of each", len(lower), len(upper))
	}
	for j := range lower {
		if !(lower[j] <= upper[j]) || math.IsInf(lower[j], 0) || math.IsInf(upper[j], 0) {
			return fmt.Errorf("certificate: box has the range [%v, %v] on axis %d; give finite bounds, lower <= upper", lower[j], upper[j], j)
		}
	}
	return nil
}

package solver_test

import (
	"math"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/proof"
)

// provenOf is the bound that a result proves of the optimal value, NaN for none.
func provenOf(r *solver.Result) float64 {
	switch {
	case r.Lower != proof.Lower{}:
		return r.Lower.Float()
	case r.Upper != proof.Upper{}:
		return r.Upper.Float()
	}
	return math.NaN()
}

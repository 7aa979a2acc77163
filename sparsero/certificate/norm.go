package certificate

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/solver/proof/directed"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/internal/input"
)

// Norm names one of the three norms in which grids and Lipschitz constants are measured.
type Norm int

// The three norms. The zero value is the Euclidean one.
const (
	Euclidean Norm = iota // ‖v‖₂ = (Σ v²)^½, its own dual
	Taxicab               // ‖v‖₁ = Σ|v|, dual to Maximum
	Maximum               // ‖v‖∞ = max|v|, dual to Taxicab
)

// of returns the norm of v, rounded up.
func (n Norm) of(v []float64) float64 {
	switch n {
	case Maximum:
		return floats.Norm(v, math.Inf(1))
	case Taxicab:
		var sum directed.Sum
		for _, x := range v {
			sum.Add(math.Abs(x))
		}
		return sum.Upper()
	}
	return directed.NormUpper(v)
}

// dual returns the norm with |⟨u,v⟩| <= ‖u‖ ‖v‖_dual, tight for every v.
func (n Norm) dual() Norm {
	switch n {
	case Taxicab:
		return Maximum
	case Maximum:
		return Taxicab
	}
	return n
}

// GridStep returns, up to rounding, the largest step of a grid in R^dimension whose image under an
// L-Lipschitz map is an ε-net in the dictionary pseudometric,
//
//	c step / 2 <= ε / (‖D‖_* L),   c = √n (l_2), n (l_1), 1 (l_inf),
//
// the covering radius c step / 2 being the largest distance of a point from the nearest
// centre of the cells that tile R^n. It is this radius, not the step, that makes a grid an
// ε-net: for the Euclidean norm the step itself suffices only up to dimension 4, for l_1
// only up to 2. dictionaryNorm is ‖D‖_* = max_i ‖d_i‖_*, measured in the dual norm, and
// lipschitz is L. It is +Inf when either of them is 0. This is the corrected form
// of the paper's remark on constructing T, which prints the step ε/(‖D‖_* L): with D = (±1)^n/√n, q the identity and the
// Euclidean norm that grid misses its ε for every n >= 5.
func (n Norm) GridStep(epsilon, dictionaryNorm, lipschitz float64, dimension int) float64 {
	radius := math.Sqrt(float64(dimension)) / 2 // of cells of side 1
	switch n {
	case Taxicab:
		radius = float64(dimension) / 2
	case Maximum:
		radius = 0.5
	}
	return epsilon / (dictionaryNorm * lipschitz * radius)
}

func (n Norm) valid() bool { return n >= Euclidean && n <= Maximum }

// DirectionNorm returns a bound on ‖q(x)‖₂ over a polyhedron X,
//
//	(Σ_k max_x q_k(x)²)^½,
//
// by two linear programs per coordinate of q. It is proven like BoundingBox, and exact up
// to the accuracy of the solver when the extremes of all coordinates are attained
// together, as on a box with a diagonal q. The errors are those of BoundingBox and of a
// q that does not fit the region.
func DirectionNorm(ctx context.Context, region *solver.Model, q sparsero.AffineMap, o *solver.Options) (proof.Upper, error) {
	ctx = input.Context(ctx)
	if err := checkRegion(nil, region, q); err != nil {
		return proof.Upper{}, err
	}
	e, err := newExtremes(polyhedron(region, false), o)
	if err != nil {
		return proof.Upper{}, err
	}
	p, _ := q.Dims()
	largest := make([]float64, p)
	for k := range p {
		lower, upper, err := e.extent(ctx, mat.Row(nil, k, q.Matrix), fmt.Sprintf("coordinate %d of q", k))
		if err != nil {
			return proof.Upper{}, err
		}
		constant := constantOf(q, k)
		largest[k] = max(0, directed.SumUpper(upper, constant), directed.SumUpper(-lower, -constant))
	}
	return proof.AtMost(Euclidean.of(largest)), nil
}

func constantOf(q sparsero.AffineMap, k int) float64 {
	if q.Constant == nil {
		return 0
	}
	return q.Constant[k]
}

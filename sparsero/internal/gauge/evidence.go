package gauge

import (
	"math"

	"github.com/sparsero/directions/solver/proof/directed"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

const (
	// defectLimit bounds ‖I - R B‖ for an inverse R of a basis B that floating point found, so that R can measure errors.
	defectLimit = 0x1p-10
	// nearShift and farShift are the sizes of the move of a direction away from the atoms that it touches, relative to its own:
	// more than the rounding of one word, and of two.
	nearShift, farShift = 0x1p-30, 0x1p-84
)

// Combination is how the basis gives the point: weight k of Atoms[k] is High[k] + Low[k] up to Error[k], where 0 is exact.
type Combination struct {
	Atoms []int
	Pair
	Error []float64
}

// Combination encloses the weights of the basis: with an approximate inverse R and a residual r = u - B ã that is summed in
// twice the precision,
//
//	|a_k - ã_k| <= |R r|_k + δ ‖R r‖ / (1 - δ),  δ = ‖I - R B‖
//
// in the maximum norm (Krawczyk 1969, Rump 1983), so that ã is exact where r is 0. It is false where that says nothing: the
// basis is near a singular one, leaves the range of float64, as its weights do in the units of the atoms, or holds a unit vector
// whose weight is not exactly 0.
func (g *Program) Combination() (*Combination, bool) {
	defect := g.defect()
	if g.lossy || !(defect <= defectLimit) {
		return nil, false
	}
	x, residual := g.weights()
	missed, most := make([]float64, g.dim), 0.0
	for r := range missed {
		for j, v := range g.basis.row(r) {
			missed[r] += math.Abs(v * residual[j])
		}
		most = math.Max(most, missed[r])
	}
	for r := range missed {
		missed[r] = 2 * (missed[r] + defect*most/(1-defectLimit)) // twice, with room for the rounding of the rows
	}
	c := &Combination{}
	for r, k := range g.basis.columns {
		if k < 0 {
			if x.High[r] != 0 || missed[r] != 0 {
				return nil, false
			}
			continue
		}
		unit := g.unit - g.pool[k].exponent
		high, low := math.Ldexp(x.High[r], unit), math.Ldexp(x.Low[r], unit)
		if g.pool[k].lossy || math.Ldexp(high, -unit) != x.High[r] || math.Ldexp(low, -unit) != x.Low[r] {
			return nil, false
		}
		c.Atoms, c.High, c.Low = append(c.Atoms, g.pool[k].atom), append(c.High, high), append(c.Low, low)
		c.Error = append(c.Error, directed.ScaleUpper(missed[r], unit))
	}
	return c, true
}

// defect bounds ‖I - R B‖ in the maximum norm.
func (g *Program) defect() float64 {
	inverse, columns := g.basis.inverse, g.matrix()
	var product, sizes, inverseSize, columnSize mat.Dense
	product.Mul(inverse, columns)
	size := func(_, _ int, v float64) float64 { return math.Abs(v) }
	inverseSize.Apply(size, inverse)
	columnSize.Apply(size, columns)
	sizes.Mul(&inverseSize, &columnSize)
	rounding := float64(2*g.dim+4) * 0x1p-53
	largest := 0.0
	for i := range g.dim {
		row := 0.0
		for j, entry := range product.RawRowView(i) {
			if i == j {
				entry--
			}
			row += math.Abs(entry) + rounding*sizes.At(i, j)
		}
		largest = math.Max(largest, row)
	}
	return 2 * largest
}

// Positive returns the atoms whose weights are not taken for 0.
func (g *Program) Positive() []int {
	var atoms []int
	x, _ := g.weights()
	for r, k := range g.basis.columns {
		if k >= 0 && x.High[r] > fineViolation {
			atoms = append(atoms, g.pool[k].atom)
		}
	}
	return atoms
}

// Basis returns the atoms of the basis.
func (g *Program) Basis() []int {
	var atoms []int
	for _, k := range g.basis.columns {
		if k >= 0 {
			atoms = append(atoms, g.pool[k].atom)
		}
	}
	return atoms
}

// Multipliers returns those of the basis, in the units of the atoms.
func (g *Program) Multipliers() []float64 { return g.unscaled(g.y) }

// Direction returns, in the units of the atoms, the direction that an answer Outside stands for, in one word or in two. Atoms of
// the basis are orthogonal to it, up to rounding; so it is moved against the multipliers, with which they all have positive
// products, by more than rounding and not so far that the point is lost.
func (g *Program) Direction(a Answer, twoWords bool) Pair {
	w, share := newPair(g.dim), nearShift
	copy(w.High, g.basis.row(a.Row))
	height := math.Abs(floats.Dot(w.High, g.point))
	if twoWords {
		x, _ := g.weights()
		w, share, height = g.direction(a.Row), farShift, math.Abs(x.High[a.Row])
	}
	shift := share * floats.Norm(w.High, math.Inf(1)) / math.Max(floats.Norm(g.y, math.Inf(1)), math.SmallestNonzeroFloat64)
	shift = math.Min(shift, height/2/math.Abs(floats.Dot(g.y, g.point)))
	if floats.Norm(g.y, 1) == 0 {
		shift = 0
	}
	for j, y := range g.y {
		w.High[j], w.Low[j] = a.Sign*w.High[j], a.Sign*w.Low[j]
		w.add(j, -shift*y)
	}
	if !twoWords {
		clear(w.Low)
	}
	return Pair{g.unscaled(w.High), g.unscaled(w.Low)}
}

package certificate

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

const (
	// nearestTolerance stops the projection once no vertex improves the squared
	// distance by more than this fraction of the squared largest vertex norm.
	nearestTolerance = 1e-14
	// dropWeight is the convex weight at or below which a vertex leaves the active set.
	dropWeight = 1e-13
	// nearestRounds bounds the projection: this many active-set changes per vertex,
	// far above what is seen, so that rounding can never make it run forever.
	nearestRounds = 50
	// dependentCondition is the condition number from which on points count as affinely
	// dependent: the weights would have no correct digits.
	dependentCondition = 1e13
)

// minimumNorm holds Wolfe's active-set search for the point of smallest
// Euclidean norm in the convex hull of a list of points (Wolfe 1976).
type minimumNorm struct {
	points  [][]float64
	weights []float64 // convex weights, one per point
	active  []int     // affinely independent points that carry the weight
	point   []float64 // Σ weights[j] points[j]
	scale   float64   // largest squared norm of a point
}

// nearestToOrigin returns convex weights of the point of conv(points) that is nearest to the origin. Whatever rounding
// does, the weights are non-negative and sum to one, so the distance they give is never an underestimate.
func nearestToOrigin(points [][]float64) []float64 {
	m := newMinimumNorm(points)
	for range nearestRounds * len(points) {
		entering, nearer := m.steepest()
		if !nearer {
			break
		}
		m.active = append(m.active, entering)
		if !m.shrink() {
			break
		}
	}
	return m.weights
}

func newMinimumNorm(points [][]float64) *minimumNorm {
	m := &minimumNorm{points: points, weights: make([]float64, len(points))}
	norms := make([]float64, len(points))
	for j, p := range points {
		norms[j] = floats.Dot(p, p)
	}
	first := floats.MinIdx(norms)
	m.scale = floats.Max(norms)
	m.weights[first] = 1
	m.active = []int{first}
	m.point = append([]float64(nil), points[first]...)
	return m
}

// steepest returns the point with the smallest inner product with the current one, and whether it leads nearer.
func (m *minimumNorm) steepest() (best int, nearer bool) {
	value := floats.Dot(m.point, m.point) - nearestTolerance*m.scale
	for j, p := range m.points {
		if v := floats.Dot(p, m.point); v < value {
			best, value, nearer = j, v, true
		}
	}
	return best, nearer && !slices.Contains(m.active, best)
}

// shrink moves to the nearest point of the affine hull of the active set, dropping points until it lies inside their
// convex hull. It reports false when the active set is numerically affinely dependent; the last weights then stand.
func (m *minimumNorm) shrink() bool {
	for {
		affine, ok := m.affineWeights()
		if !ok {
			return false
		}
		step, inside := 1.0, true
		for k, j := range m.active {
			if affine[k] > dropWeight {
				continue
			}
			inside = false
			step = math.Min(step, m.weights[j]/math.Max(m.weights[j]-affine[k], math.SmallestNonzeroFloat64))
		}
		m.moveTo(affine, step)
		if inside {
			return true
		}
	}
}

// moveTo steps from the current weights towards the affine ones and drops the
// points whose weight vanishes: at least one whenever the step was cut short, as rounding leaves less than dropWeight.
func (m *minimumNorm) moveTo(affine []float64, step float64) {
	kept, total := m.active[:0], 0.0
	for k, j := range m.active {
		m.weights[j] += step * (affine[k] - m.weights[j])
		if m.weights[j] <= dropWeight && affine[k] <= dropWeight {
			m.weights[j] = 0
			continue
		}
		kept = append(kept, j)
		total += m.weights[j]
	}
	m.active = kept
	clear(m.point)
	for _, j := range m.active {
		m.weights[j] /= total
		floats.AddScaled(m.point, m.weights[j], m.points[j])
	}
}

// affineWeights solves min ‖Σ α_k p_k‖ over Σ α = 1 on the active set: with the
// Gram matrix G it is (11' + G) u = 1, α = u/Σu.
func (m *minimumNorm) affineWeights() ([]float64, bool) {
	k := len(m.active)
	gram, ones := mat.NewSymDense(k, nil), mat.NewVecDense(k, nil)
	for a, i := range m.active {
		ones.SetVec(a, 1)
		for b, j := range m.active[:a+1] {
			gram.SetSym(a, b, 1+floats.Dot(m.points[i], m.points[j])/m.scale)
		}
	}
	var factors mat.Cholesky
	var solution mat.VecDense
	if !factors.Factorize(gram) || factors.Cond() > dependentCondition || factors.SolveVecTo(&solution, ones) != nil {
		return nil, false
	}
	solution.ScaleVec(1/mat.Sum(&solution), &solution)
	return solution.RawVector().Data, true
}

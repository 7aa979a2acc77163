package certificate

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/solver/directed"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/input"
	"github.com/sparsero/directions/sparsero/internal/parallel"
)

// Projection is the point of conv(S_0) = conv({d_i : i in S} ∪ {0}) that is
// nearest to a target in the Euclidean norm.
type Projection struct {
	// Weights are convex weights, one per index of the set in its order; what is
	// missing to 1 lies on the null atom.
	Weights []float64
	// Residual is target - Σ Weights[j] d_j, length p, rounded. Of a target outside conv(S_0) it separates up to
	// rounding, ⟨target, Residual⟩ > max_{S_0} ⟨d_i, Residual⟩; of one inside it is 0 up to rounding, so that only this
	// inequality tells them apart.
	Residual []float64
	// Distance is ‖target - Σ Weights[j] d_j‖₂, rounded up: the distance of the target from
	// conv(S_0) is never larger.
	Distance float64
}

// Project returns the point of conv(S_0) nearest to a target, by Wolfe's
// active-set method; the radius of the set does not matter. Work O(|S| p) per
// step, with a few steps per dimension. It is an error if the set is nil or the target
// has another length than the atoms or a value that is not finite.
func Project(set *sparsero.AtomicSet, target []float64) (Projection, error) {
	if err := checkSet(set); err != nil {
		return Projection{}, err
	}
	if err := input.CheckVector("target", target, set.Dictionary().Dim()); err != nil {
		return Projection{}, fmt.Errorf("certificate: %w", err)
	}
	return project(atomsOf(set), target), nil
}

// atomsOf lists the chosen atoms.
func atomsOf(set *sparsero.AtomicSet) [][]float64 {
	atoms := make([][]float64, 0, set.Size())
	for _, i := range set.Atoms() {
		atoms = append(atoms, set.Dictionary().RawRowView(i))
	}
	return atoms
}

// project works in units in which the largest number is about 1.
func project(atoms [][]float64, target []float64) Projection {
	largest := Maximum.Of(target)
	for _, atom := range atoms {
		largest = max(largest, Maximum.Of(atom))
	}
	_, exponent := math.Frexp(largest)
	points := make([][]float64, len(atoms)+1)
	for k := range points {
		points[k] = make([]float64, len(target))
		for c, v := range target {
			if points[k][c] = -v; k < len(atoms) {
				points[k][c] += atoms[k][c]
			}
			points[k][c] = math.Ldexp(points[k][c], -exponent)
		}
	}
	weights := nearestToOrigin(points)[:len(atoms)]
	makeConvex(weights)
	residual, reach := make([]float64, len(target)), make([]float64, len(target))
	for c, v := range target {
		var sum directed.Sum
		sum.Add(v)
		for k, w := range weights {
			if w != 0 {
				sum.AddProduct(-w, atoms[k][c])
			}
		}
		residual[c], reach[c] = sum.Value(), max(sum.Upper(), -sum.Lower())
	}
	return Projection{Weights: weights, Residual: residual, Distance: Euclidean.Of(reach)}
}

// Hausdorff bounds the value gap by how far the dictionary's hull sticks out of
// that of the chosen atoms,
//
//	r Δ_S(q(x)) <= r max_i dist₂(d_i, conv(S_0)) ‖q(x)‖₂,
//
// for any q and any X. It needs no net, but is not comparable with the net bound
// in general; it is tight when q(X) is a Euclidean ball around 0.
type Hausdorff struct {
	// Distance is the Hausdorff distance max_i dist₂(d_i, conv(S_0)) of the hulls, never
	// below it.
	Distance float64
	// Atom attains it; sparsero.NullAtom if the distance is 0.
	Atom int
	// Distances has one entry per atom of the dictionary, 0 for the chosen ones.
	Distances []float64
	// Bound is r Distance times the bound on ‖q(x)‖₂, rounded up, in units of the objective.
	Bound float64
}

// MeasureHausdorff computes the bound with one projection per atom, O(N |S| p) per
// step of the projections. The directionNorm is a bound on max_x ‖q(x)‖₂, for instance from
// [DirectionNorm]; it is an error if that is not finite and at least 0, or the set nil.
func MeasureHausdorff(set *sparsero.AtomicSet, directionNorm float64) (Hausdorff, error) {
	if err := checkSet(set); err != nil {
		return Hausdorff{}, err
	}
	if math.IsNaN(directionNorm) || math.IsInf(directionNorm, 0) || directionNorm < 0 {
		return Hausdorff{}, fmt.Errorf("certificate: directionNorm %v is not a finite number >= 0; use certificate.DirectionNorm for a polyhedron", directionNorm)
	}
	d, atoms := set.Dictionary(), atomsOf(set)
	h := Hausdorff{Atom: sparsero.NullAtom, Distances: make([]float64, d.Size())}
	chosen := set.Atoms()
	parallel.Each(d.Size(), func(i int) {
		if !slices.Contains(chosen, i) {
			h.Distances[i] = project(atoms, d.RawRowView(i)).Distance
		}
	})
	for i, distance := range h.Distances {
		if distance > h.Distance {
			h.Distance, h.Atom = distance, i
		}
	}
	h.Bound = directed.ProductUpper(directed.ProductUpper(set.Radius(), h.Distance), directionNorm)
	return h, nil
}

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

// nearestToOrigin returns convex weights of the point of conv(points) that is
// nearest to the origin. Whatever rounding does, the weights are non-negative
// and sum to one, so the distance they give is never an underestimate.
func nearestToOrigin(points [][]float64) []float64 {
	m := newMinimumNorm(points)
	if m.scale == 0 {
		return m.weights
	}
	for range nearestRounds * (len(points) + 1) {
		entering := m.steepest()
		if entering < 0 {
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

// steepest returns the point with the smallest inner product with the current
// one, or -1 if the current point is optimal.
func (m *minimumNorm) steepest() int {
	best, value := -1, floats.Dot(m.point, m.point)-nearestTolerance*m.scale
	for j, p := range m.points {
		if v := floats.Dot(p, m.point); v < value {
			best, value = j, v
		}
	}
	if slices.Contains(m.active, best) {
		return -1
	}
	return best
}

// shrink moves to the nearest point of the affine hull of the active set,
// dropping points until it lies inside their convex hull. It reports false when
// the active set is numerically affinely dependent; the last weights then stand.
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
			if gap := m.weights[j] - affine[k]; gap > 0 {
				step = math.Min(step, m.weights[j]/gap)
			} else {
				step = 0
			}
		}
		m.moveTo(affine, step)
		if inside || len(m.active) <= 1 {
			return true
		}
	}
}

// moveTo steps from the current weights towards the affine ones and drops the
// points whose weight vanishes: at least one whenever the step was cut short.
func (m *minimumNorm) moveTo(affine []float64, step float64) {
	least, leastAt := math.Inf(1), -1
	for k, j := range m.active {
		m.weights[j] += step * (affine[k] - m.weights[j])
		if affine[k] <= dropWeight && m.weights[j] < least {
			least, leastAt = m.weights[j], k
		}
	}
	kept, total := m.active[:0:0], 0.0
	for k, j := range m.active {
		if m.weights[j] <= dropWeight && affine[k] <= dropWeight || k == leastAt {
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
	total := mat.Sum(&solution)
	if !(total > 0) || math.IsInf(total, 0) {
		return nil, false
	}
	solution.ScaleVec(1/total, &solution)
	return solution.RawVector().Data, true
}

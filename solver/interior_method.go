package solver

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// Constants of the interior point method.
const (
	// interiorIterations bounds the iterations; 10 to 30 are usual.
	interiorIterations = 200
	// interiorTarget is the relative size of residuals and gap to stop at.
	interiorTarget = 1e-11
	// interiorPatience is the number of steps without progress to stop at.
	interiorPatience = 20
	// interiorStep is the share of the way to the boundary that is walked.
	interiorStep = 0.995
	// regularisation is added to the diagonal of the scaled Newton matrix;
	// refinement steps remove its effect.
	regularisation = 1e-11
	// refinements is the number of refinement steps of each Newton system.
	refinements = 3
	// polishings is the number of times the active set may be corrected.
	polishings = 10
)

// optimum runs the method and the polishing, and returns a point that satisfies
// the optimality conditions, if one was found, and otherwise the closest one.
func (p *interiorProgram) optimum(run *run, o *Options) (interiorPoint, bool) {
	iterate := p.start()
	best, found := interiorPoint{}, false
	accept := func(x, y, z []float64) bool {
		point := p.original(x, y, z)
		if p.model.CheckOptimality(point.x, point.rowDuals, point.columnDuals, o.FeasibilityTolerance, o.OptimalityTolerance) != nil {
			return false
		}
		best, found = point, true
		return true
	}
	closest, stalled := iterate.copy(), 0
	for range interiorIterations {
		if run.exhausted() {
			return best, found
		}
		run.iterations++
		if !iterate.step() {
			break
		}
		// Past the accuracy of the arithmetic, iterates drift away again.
		if stalled++; iterate.error() < closest.error() {
			closest, stalled = iterate.copy(), 0
		}
		if closest.error() <= interiorTarget || stalled > interiorPatience {
			break
		}
	}
	iterate = closest
	accept(iterate.x, iterate.y, iterate.z)
	if x, y, z, ok := p.polish(iterate); ok {
		accept(x, y, z)
	}
	if !found {
		best = p.original(closest.x, closest.y, closest.z)
	}
	return best, found
}

// iterate is the state of the method: s = Cx - d up to a residual, s, z > 0.
type iterate struct {
	p          *interiorProgram
	x, y, s, z []float64
	residuals
	newton newton
}

// residuals of the optimality conditions; complementarity is s'z / len(s).
type residuals struct {
	dual, equal, above []float64
	complementarity    float64
}

func (p *interiorProgram) start() *iterate {
	it := &iterate{p: p, x: make([]float64, len(p.gradient)), y: make([]float64, len(p.equal.rhs))}
	d := p.rhsC()
	it.s, it.z = make([]float64, len(d)), make([]float64, len(d))
	for k := range d {
		it.s[k], it.z[k] = math.Max(1, math.Abs(d[k])), 1
	}
	it.update()
	return it
}

// copy returns an iterate that later steps do not change.
func (it *iterate) copy() *iterate {
	c := *it
	c.x, c.y = append([]float64(nil), it.x...), append([]float64(nil), it.y...)
	c.s, c.z = append([]float64(nil), it.s...), append([]float64(nil), it.z...)
	return &c
}

// update recomputes the residuals.
func (it *iterate) update() {
	p := it.p
	it.dual = p.timesH(it.x)
	for j := range it.dual {
		it.dual[j] += p.gradient[j]
	}
	p.equal.addTransposed(it.dual, -1, it.y)
	p.addTransposedC(it.dual, -1, it.z)
	it.equal = p.equal.times(it.x)
	for k := range it.equal {
		it.equal[k] -= p.equal.rhs[k]
	}
	it.above = p.timesC(it.x)
	it.complementarity = 0
	for k, d := range p.rhsC() {
		it.above[k] -= it.s[k] + d
		it.complementarity += it.s[k] * it.z[k] / float64(len(it.s))
	}
}

// error is the largest residual relative to the size of the iterate.
func (it *iterate) error() float64 {
	scaleX := 1 + maxAbs(it.x)
	scaleZ := 1 + maxAbs(it.z) + maxAbs(it.y)
	return math.Max(math.Max(maxAbs(it.dual)/scaleZ, maxAbs(it.equal)/scaleX),
		math.Max(maxAbs(it.above)/scaleX, it.complementarity/(scaleX*scaleZ)))
}

// step makes one predictor-corrector step. It returns false when the Newton
// system breaks down or the step has become useless.
func (it *iterate) step() bool {
	if !it.newton.factorise(it) {
		return false
	}
	target := make([]float64, len(it.s))
	for k := range target {
		target[k] = it.s[k] * it.z[k]
	}
	predictor := it.direction(target)
	affine := it.longest(predictor)
	mean := 0.0
	for k := range it.s {
		mean += (it.s[k] + affine*predictor.s[k]) * (it.z[k] + affine*predictor.z[k]) / float64(len(it.s))
	}
	centring := 0.0
	if it.complementarity > 0 {
		centring = math.Pow(mean/it.complementarity, 3)
	}
	for k := range target {
		target[k] += predictor.s[k]*predictor.z[k] - centring*it.complementarity
	}
	corrector := it.direction(target)
	length := math.Min(1, interiorStep*it.longest(corrector))
	if !(length > 1e-12) {
		return false
	}
	advance(it.x, length, corrector.x)
	advance(it.y, length, corrector.y)
	advance(it.s, length, corrector.s)
	advance(it.z, length, corrector.z)
	it.update()
	return true
}

func advance(v []float64, length float64, by []float64) {
	for k := range v {
		v[k] += length * by[k]
	}
}

// direction is a step in all variables.
type direction struct{ x, y, s, z []float64 }

// direction solves the Newton system with target in place of the products s z:
//
//	H dx - E'dy - C'dz = -dual,  E dx = -equal,  C dx - ds = -above,
//	z ds + s dz = -target.
func (it *iterate) direction(target []float64) direction {
	rhs := make([]float64, len(it.x))
	weighted := make([]float64, len(it.s))
	for k := range weighted {
		weighted[k] = (target[k] + it.z[k]*it.above[k]) / it.s[k]
	}
	for j := range rhs {
		rhs[j] = -it.dual[j]
	}
	it.p.addTransposedC(rhs, -1, weighted)
	equal := make([]float64, len(it.equal))
	for k := range equal {
		equal[k] = -it.equal[k]
	}
	d := direction{}
	d.x, d.y = it.newton.solve(rhs, equal)
	d.s = it.p.timesC(d.x)
	d.z = make([]float64, len(d.s))
	for k := range d.s {
		d.s[k] += it.above[k]
		d.z[k] = -(target[k] + it.z[k]*d.s[k]) / it.s[k]
	}
	return d
}

// longest returns the step, up to 1/interiorStep, at which s or z reaches 0.
func (it *iterate) longest(d direction) float64 {
	length := 1 / interiorStep
	for k := range it.s {
		if d.s[k] < 0 {
			length = math.Min(length, -it.s[k]/d.s[k])
		}
		if d.z[k] < 0 {
			length = math.Min(length, -it.z[k]/d.z[k])
		}
	}
	return length
}

// newton solves
//
//	M dx - E'dy = r1,  E dx = r2,  M = H + C'WC,  W = z/s,
//
// by the Cholesky factors of M + gamma E'E (which has the same solutions once
// r1 is moved by gamma E'r2) and of the Schur complement of E.
type newton struct {
	p          *interiorProgram
	matrix     *mat.SymDense // M
	gamma      float64
	factor     mat.Cholesky // of M + gamma E'E, regularised
	schur      mat.Cholesky // of E (...)^-1 E', regularised
	transposed mat.Dense    // (...)^-1 E'
}

// factorise prepares the system of an iterate.
func (w *newton) factorise(it *iterate) bool {
	weights := make([]float64, len(it.s))
	for k := range weights {
		weights[k] = it.z[k] / it.s[k]
	}
	w.p = it.p
	return w.prepare(weights)
}

// prepare builds and factorises the matrices for the given weights.
func (w *newton) prepare(weights []float64) bool {
	p, n := w.p, len(w.p.gradient)
	w.matrix = mat.NewSymDense(n, nil)
	rows := len(p.above.rhs)
	if rows > 0 {
		var scaled mat.Dense
		scaled.Apply(func(i, _ int, v float64) float64 { return v * math.Sqrt(weights[i]) }, p.above.matrix)
		w.matrix.SymOuterK(1, scaled.T())
	}
	w.matrix.AddSym(w.matrix, p.hessian)
	for k, b := range p.bounds {
		w.matrix.SetSym(b.column, b.column, w.matrix.At(b.column, b.column)+weights[rows+k])
	}
	largest := 1.0
	for j := range n {
		largest = math.Max(largest, w.matrix.At(j, j))
	}
	w.gamma = 1
	shifted := mat.NewSymDense(n, nil)
	if p.equal.matrix != nil {
		shifted.SymOuterK(w.gamma, p.equal.matrix.T())
	}
	shifted.AddSym(shifted, w.matrix)
	for j := range n {
		shifted.SetSym(j, j, shifted.At(j, j)+regularisation*(1+shifted.At(j, j)))
	}
	if !w.factor.Factorize(shifted) {
		return false
	}
	if p.equal.matrix == nil {
		return true
	}
	if err := w.factor.SolveTo(&w.transposed, p.equal.matrix.T()); err != nil && !isCondition(err) {
		return false
	}
	var product mat.Dense
	product.Mul(p.equal.matrix, &w.transposed)
	size, _ := product.Dims()
	schur := mat.NewSymDense(size, nil)
	for i := range size {
		for j := range i + 1 {
			schur.SetSym(i, j, (product.At(i, j)+product.At(j, i))/2)
		}
		schur.SetSym(i, i, schur.At(i, i)*(1+regularisation)+regularisation)
	}
	return w.schur.Factorize(schur)
}

// isCondition reports whether err only warns of a large condition number.
func isCondition(err error) bool {
	_, ok := err.(mat.Condition)
	return ok
}

// solve solves and refines.
func (w *newton) solve(r1, r2 []float64) (dx, dy []float64) {
	dx, dy = w.once(r1, r2)
	for range refinements {
		e1, e2 := w.residual(r1, r2, dx, dy)
		before := math.Max(maxAbs(e1), maxAbs(e2))
		cx, cy := w.once(e1, e2)
		tx, ty := append([]float64(nil), dx...), append([]float64(nil), dy...)
		advance(tx, 1, cx)
		advance(ty, 1, cy)
		if e1, e2 = w.residual(r1, r2, tx, ty); !(math.Max(maxAbs(e1), maxAbs(e2)) < before) {
			break
		}
		dx, dy = tx, ty
	}
	return dx, dy
}

// residual returns what (dx, dy) leaves of the system.
func (w *newton) residual(r1, r2, dx, dy []float64) (e1, e2 []float64) {
	e1, e2 = append([]float64(nil), r1...), append([]float64(nil), r2...)
	var product mat.VecDense
	product.MulVec(w.matrix, mat.NewVecDense(len(dx), dx))
	for j := range e1 {
		e1[j] -= product.AtVec(j)
	}
	w.p.equal.addTransposed(e1, 1, dy)
	for k, v := range w.p.equal.times(dx) {
		e2[k] -= v
	}
	return e1, e2
}

// once solves the regularised system.
func (w *newton) once(r1, r2 []float64) (dx, dy []float64) {
	moved := append([]float64(nil), r1...)
	w.p.equal.addTransposed(moved, w.gamma, r2)
	var base mat.VecDense
	// A large condition number is no failure here: residuals are refined.
	_ = w.factor.SolveVecTo(&base, mat.NewVecDense(len(moved), moved))
	dx = base.RawVector().Data
	if w.p.equal.matrix == nil {
		return dx, nil
	}
	right := append([]float64(nil), r2...)
	for k, v := range w.p.equal.times(dx) {
		right[k] -= v
	}
	var multipliers mat.VecDense
	_ = w.schur.SolveVecTo(&multipliers, mat.NewVecDense(len(right), right))
	dy = multipliers.RawVector().Data
	var correction mat.VecDense
	correction.MulVec(&w.transposed, &multipliers)
	for j := range dx {
		dx[j] += correction.AtVec(j)
	}
	return dx, dy
}

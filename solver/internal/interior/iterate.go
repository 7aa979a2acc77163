package interior

import (
	"math"
	"slices"

	"github.com/sparsero/directions/solver/internal/program"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// iterate is the state of the method: s = Cx - d up to a residual, s, z > 0.
type iterate struct {
	f          *form
	x, y, s, z []float64
	residuals
}

// residuals of the optimality conditions; complementarity is s'z / len(s).
type residuals struct {
	dual, equal, above []float64
	complementarity    float64
}

func (f *form) start() *iterate {
	it := &iterate{f: f, x: make([]float64, len(f.gradient)), y: make([]float64, len(f.equal))}
	for _, c := range f.above {
		it.s, it.z = append(it.s, math.Max(1, math.Abs(c.rhs))), append(it.z, 1)
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
	f := it.f
	it.dual = make([]float64, len(it.x))
	mat.NewVecDense(len(it.x), it.dual).MulVec(f.hessian, mat.NewVecDense(len(it.x), it.x))
	floats.Add(it.dual, f.gradient)
	addTransposed(it.dual, -1, f.equal, it.y)
	addTransposed(it.dual, -1, f.above, it.z)
	it.equal, it.above = times(f.equal, it.x), times(f.above, it.x)
	for k, e := range f.equal {
		it.equal[k] -= e.rhs
	}
	it.complementarity = 0
	for k, c := range f.above {
		it.above[k] -= it.s[k] + c.rhs
		it.complementarity += it.s[k] * it.z[k] / float64(len(it.s))
	}
}

// error is the largest residual relative to the size of the iterate.
func (it *iterate) error() float64 {
	scaleX := 1 + program.MaxAbs(it.x)
	scaleZ := 1 + program.MaxAbs(it.z) + program.MaxAbs(it.y)
	return math.Max(math.Max(program.MaxAbs(it.dual)/scaleZ, program.MaxAbs(it.equal)/scaleX),
		math.Max(program.MaxAbs(it.above)/scaleX, it.complementarity/(scaleX*scaleZ)))
}

// step makes one predictor-corrector step. It returns false when the step has become useless.
func (it *iterate) step() bool {
	target := floats.MulTo(make([]float64, len(it.s)), it.s, it.z)
	system := it.f.newNewton(floats.DivTo(make([]float64, len(it.s)), it.z, it.s))
	predictor := it.direction(system, target)
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
	corrector := it.direction(system, target)
	length := math.Min(1, stepShare*it.longest(corrector))
	if !(length > leastStep) || floats.HasNaN(corrector.x) {
		return false
	}
	floats.AddScaled(it.x, length, corrector.x)
	floats.AddScaled(it.y, length, corrector.y)
	floats.AddScaled(it.s, length, corrector.s)
	floats.AddScaled(it.z, length, corrector.z)
	it.update()
	return true
}

// direction is a step in all variables.
type direction struct{ x, y, s, z []float64 }

// direction solves the Newton system with target in place of the products s z:
//
//	H dx - E'dy - C'dz = -dual,  E dx = -equal,  C dx - ds = -above,
//	z ds + s dz = -target.
func (it *iterate) direction(system *newton, target []float64) direction {
	weighted := make([]float64, len(it.s))
	for k := range weighted {
		weighted[k] = (target[k] + it.z[k]*it.above[k]) / it.s[k]
	}
	rhs := floats.ScaleTo(make([]float64, len(it.dual)), -1, it.dual)
	addTransposed(rhs, -1, it.f.above, weighted)
	d := direction{}
	d.x, d.y = system.solve(rhs, floats.ScaleTo(make([]float64, len(it.equal)), -1, it.equal))
	d.s = times(it.f.above, d.x)
	d.z = make([]float64, len(d.s))
	for k := range d.s {
		d.s[k] += it.above[k]
		d.z[k] = -(target[k] + it.z[k]*d.s[k]) / it.s[k]
	}
	return d
}

// longest returns the step, up to 1/stepShare, at which s or z reaches 0.
func (it *iterate) longest(d direction) float64 {
	length := 1 / stepShare
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

// polished returns the optimum on the active set that an iterate suggests, in which the constraints
// with z > s are equations and the others are left out: its last digits are right. It starts from the
// iterate, so that a singular system moves that as little as possible.
func (it *iterate) polished() *iterate {
	fixed := &form{hessian: it.f.hessian, gradient: it.f.gradient, equal: slices.Clone(it.f.equal)}
	at := &iterate{f: fixed, x: slices.Clone(it.x), y: slices.Clone(it.y)}
	for k, c := range it.f.above {
		if it.z[k] > it.s[k] {
			fixed.equal, at.y = append(fixed.equal, c), append(at.y, it.z[k])
		}
	}
	system := fixed.newNewton(nil)
	for range 2 { // the second step takes what rounding left
		at.update()
		floats.Scale(-1, at.dual)
		floats.Scale(-1, at.equal)
		dx, dy := system.solve(at.dual, at.equal)
		floats.Add(at.x, dx)
		floats.Add(at.y, dy)
	}
	return at
}

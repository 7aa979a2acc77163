package solver

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// polish solves for the optimum on the active set that an iterate suggests
// (constraint k is active when z_k > s_k), with the multipliers of all others
// zero. Constraints that come out violated join the active set, and those whose
// multiplier comes out negative leave it. It reports whether the active set
// settled.
func (p *interiorProgram) polish(it *iterate) (x, y, z []float64, ok bool) {
	active := make([]bool, len(it.s))
	for k := range active {
		active[k] = it.z[k] > it.s[k]
	}
	for range polishings {
		if x, y, z, ok = p.onActiveSet(it, active); !ok {
			return nil, nil, nil, false
		}
		changed := false
		value, d := p.timesC(x), p.rhsC()
		for k := range active {
			switch {
			case !active[k] && value[k] < d[k]-polishTolerance*math.Max(1, math.Abs(d[k])):
				active[k], changed = true, true
			case active[k] && z[k] < -polishTolerance:
				active[k], changed = false, true
			}
		}
		if !changed {
			for k := range z {
				z[k] = math.Max(0, z[k])
			}
			return x, y, z, true
		}
	}
	return nil, nil, nil, false
}

// polishTolerance is the violation or negative multiplier, in scaled units,
// that counts as rounding error.
const polishTolerance = 1e-9

// onActiveSet solves the equality-constrained program of an active set, starting
// from the iterate so that a singular system moves it as little as possible.
func (p *interiorProgram) onActiveSet(it *iterate, active []bool) (x, y, z []float64, ok bool) {
	fixed := &interiorProgram{hessian: p.hessian, gradient: p.gradient}
	fixed.equal.rhs = append([]float64(nil), p.equal.rhs...)
	var lines [][]float64
	for k := range p.equal.rhs {
		lines = append(lines, mat.Row(nil, k, p.equal.matrix))
	}
	start := append([]float64(nil), it.y...)
	d, rows := p.rhsC(), len(p.above.rhs)
	for k, on := range active {
		if !on {
			continue
		}
		line := make([]float64, len(it.x))
		if k < rows {
			copy(line, mat.Row(nil, k, p.above.matrix))
		} else {
			line[p.bounds[k-rows].column] = p.bounds[k-rows].sign
		}
		lines = append(lines, line)
		fixed.equal.rhs = append(fixed.equal.rhs, d[k])
		start = append(start, it.z[k])
	}
	if len(lines) > 0 {
		fixed.equal.matrix = mat.NewDense(len(lines), len(it.x), nil)
		for k, line := range lines {
			fixed.equal.matrix.SetRow(k, line)
		}
	}
	w := newton{p: fixed}
	if !w.prepare(nil) {
		return nil, nil, nil, false
	}
	at := &iterate{p: fixed, x: append([]float64(nil), it.x...), y: start}
	for range 2 {
		at.update()
		negate(at.dual)
		negate(at.equal)
		dx, dy := w.solve(at.dual, at.equal)
		advance(at.x, 1, dx)
		advance(at.y, 1, dy)
	}
	y, z = at.y[:len(p.equal.rhs)], make([]float64, len(active))
	next := len(p.equal.rhs)
	for k, on := range active {
		if on {
			z[k] = at.y[next]
			next++
		}
	}
	return at.x, y, z, true
}

package interior

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// polish solves for the optimum on the active set that an iterate suggests
// (constraint k is active when z_k > s_k), with the multipliers of all others
// zero. Constraints that come out violated join the active set, and those whose
// multiplier comes out negative leave it. It reports whether the active set
// settled.
func (f *form) polish(it *iterate) (x, y, z []float64, ok bool) {
	active := make([]bool, len(it.s))
	for k := range active {
		active[k] = it.z[k] > it.s[k]
	}
	for range polishings {
		x, y, z = f.onActiveSet(it, active)
		changed := false
		value, d := f.timesC(x), f.rhsC()
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
func (f *form) onActiveSet(it *iterate, active []bool) (x, y, z []float64) {
	fixed, start := &form{hessian: f.hessian, gradient: f.gradient}, []float64(nil)
	add := func(line []float64, rhs, multiplier float64) {
		fixed.equal.lines, fixed.equal.rhs = append(fixed.equal.lines, line...), append(fixed.equal.rhs, rhs)
		start = append(start, multiplier)
	}
	for k, rhs := range f.equal.rhs {
		add(f.equal.matrix.RawRowView(k), rhs, it.y[k])
	}
	d, rows := f.rhsC(), len(f.above.rhs)
	for k, on := range active {
		switch {
		case !on:
		case k < rows:
			add(f.above.matrix.RawRowView(k), d[k], it.z[k])
		default:
			line := make([]float64, len(it.x))
			line[f.bounds[k-rows].column] = f.bounds[k-rows].sign
			add(line, d[k], it.z[k])
		}
	}
	fixed.equal.close(len(it.x))
	system := fixed.newNewton(nil)
	at := &iterate{f: fixed, x: append([]float64(nil), it.x...), y: start}
	for range 2 {
		at.update()
		floats.Scale(-1, at.dual)
		floats.Scale(-1, at.equal)
		dx, dy := system.solve(at.dual, at.equal)
		floats.AddScaled(at.x, 1, dx)
		floats.AddScaled(at.y, 1, dy)
	}
	y, z = at.y[:len(f.equal.rhs)], make([]float64, len(active))
	next := len(f.equal.rhs)
	for k, on := range active {
		if on {
			z[k] = at.y[next]
			next++
		}
	}
	return at.x, y, z
}

package dualsimplex

import "math"

// breakpoint is a nonbasic variable whose reduced cost reaches 0 after a dual step of length ratio.
type breakpoint struct {
	position    int
	ratio, size float64 // size is the magnitude of its entry in the row
}

// before orders breakpoints by their ratio, then position.
func (p breakpoint) before(other breakpoint) bool {
	return p.ratio < other.ratio || p.ratio == other.ratio && p.position < other.position
}

// breakpoints are those of a row. Most steps pass few of them, so that only these are put in order.
type breakpoints struct {
	passed []breakpoint // in order
	ahead  []breakpoint // a heap, the first in order at its root
}

// start takes over breakpoints in any order, none of them passed.
func (b *breakpoints) start(found []breakpoint) {
	b.passed, b.ahead = b.passed[:0], found
	for at := len(found)/2 - 1; at >= 0; at-- {
		b.sink(at)
	}
}

// pass passes the next breakpoint, of which there must be one, and returns it.
func (b *breakpoints) pass() breakpoint {
	next, last := b.ahead[0], len(b.ahead)-1
	b.ahead[0], b.ahead = b.ahead[last], b.ahead[:last]
	b.sink(0)
	b.passed = append(b.passed, next)
	return next
}

// sink moves an element of the heap down to where it belongs.
func (b *breakpoints) sink(at int) {
	for {
		child := 2*at + 1
		if child+1 < len(b.ahead) && b.ahead[child+1].before(b.ahead[child]) {
			child++
		}
		if child >= len(b.ahead) || !b.ahead[child].before(b.ahead[at]) {
			return
		}
		b.ahead[at], b.ahead[child] = b.ahead[child], b.ahead[at]
		at = child
	}
}

// stablest returns the breakpoint with the largest entry among those whose ratio equals that of the last one passed
// within the tolerance, which it passes, or an earlier one if all of these are small.
func (b *breakpoints) stablest() breakpoint {
	last := len(b.passed) - 1
	reach := b.passed[last].relaxed()
	for _, point := range b.ahead {
		reach = math.Min(reach, point.relaxed())
	}
	for len(b.ahead) > 0 && b.ahead[0].ratio <= reach {
		b.pass()
	}
	best := b.passed[last]
	for _, point := range b.passed[last:] {
		if point.size > best.size {
			best = point
		}
	}
	for c := last - 1; c >= 0 && best.size < goodPivot; c-- {
		if b.passed[c].size > best.size {
			best = b.passed[c]
		}
	}
	return best
}

// relaxed is the ratio at which the reduced cost has the wrong sign by the tolerance.
func (p breakpoint) relaxed() float64 { return (p.ratio*p.size + dualTolerance) / p.size }

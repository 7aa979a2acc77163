package solver

import "math"

// Bounds is the range that a row or a column must keep to. The zero value is no bound at all; Equal, AtMost, AtLeast and
// Between make the others. In JSON it is {"lower": number or null, "upper": number or null}; null is no bound.
type Bounds struct{ sides }

// sides has exported fields for package encoding/json alone, which so writes them among those of columns and rows.
type sides struct {
	Low  side `json:"lower"`
	High side `json:"upper"`
}

// side is one end of a range.
type side struct {
	value float64
	some  bool
}

// Equal is the range [value, value].
func Equal(value float64) Bounds { return Between(value, value) }

// AtMost is the range (-Inf, upper].
func AtMost(upper float64) Bounds { return Between(math.Inf(-1), upper) }

// AtLeast is the range [lower, +Inf).
func AtLeast(lower float64) Bounds { return Between(lower, math.Inf(1)) }

// Between is the range [lower, upper]; a lower bound of -Inf and an upper one of +Inf are
// none. Lower > upper is not an error: it makes a model infeasible.
func Between(lower, upper float64) Bounds {
	var b Bounds
	if !math.IsInf(lower, -1) {
		b.Low = side{lower, true}
	}
	if !math.IsInf(upper, 1) {
		b.High = side{upper, true}
	}
	return b
}

// Lower returns the lower bound, -Inf for none.
func (b Bounds) Lower() float64 {
	if b.Low.some {
		return b.Low.value
	}
	return math.Inf(-1)
}

// Upper returns the upper bound, +Inf for none.
func (b Bounds) Upper() float64 {
	if b.High.some {
		return b.High.value
	}
	return math.Inf(1)
}

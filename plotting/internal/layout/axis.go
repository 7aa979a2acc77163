package layout

import (
	"fmt"
	"math"

	"github.com/sparsero/directions/plotting/chart"
)

// Axis is an axis whose range, Min to Max, is settled.
type Axis struct {
	chart.Axis
	// Whole says that the axis counts: ticks between whole numbers would mean nothing.
	Whole bool
	onX   bool
}

// extents are the lists of all layers on an axis, of which it must show each value with the room around it.
func extents(layers []chart.Layer, onX bool) (lists []chart.List) {
	for _, l := range layers {
		for _, list := range chart.Lists(l) {
			if list.OnX == onX {
				lists = append(lists, list)
			}
		}
	}
	return lists
}

func axis(c *chart.Chart, onX bool) (Axis, error) {
	name, a := "y", Axis{Axis: c.Y, onX: onX}
	if onX {
		name, a.Axis = "x", c.X
	}
	lists := extents(c.Layers, onX)
	a.Whole = a.Scale == 0 && len(a.Categories) == 0 && !a.Hidden && !c.Equal && counts(lists)
	if problem := a.settle(lists); problem != nil {
		return a, fmt.Errorf("chart: %s axis of %q %w", name, c.Title, problem)
	}
	return a, nil
}

// settle sets the range of an axis: what its categories need, what is asked for, or that of the data with room beside them.
func (a *Axis) settle(lists []chart.List) error {
	switch n := len(a.Categories); {
	case n > 0:
		a.Min, a.Max = -0.5, float64(n)-0.5
		return nil
	case a.Min == 0 && a.Max == 0:
		return a.fit(lists)
	case !(a.Min < a.Max) || math.IsInf(a.Max-a.Min, 0) || a.Scale == chart.Log && a.Min <= 0:
		return fmt.Errorf("cannot run from %g to %g; give a finite range, positive on a logarithmic axis", a.Min, a.Max)
	}
	return nil
}

// fit sets the range of an axis to that of the data, with room beside them.
func (a *Axis) fit(lists []chart.List) error {
	low, high := math.Inf(1), math.Inf(-1)
	for _, list := range lists {
		for _, v := range list.Values {
			for _, end := range []float64{v - list.Room, v + list.Room} {
				if a.Has(end) && !math.IsInf(end, 0) {
					low, high = min(low, end), max(high, end)
				}
			}
		}
	}
	if a.Zero && a.Scale != chart.Log {
		low, high = min(low, 0), max(high, 0)
	}
	switch {
	case low <= high:
	case a.Scale == chart.Log:
		return fmt.Errorf("is logarithmic and no value is positive: %w; use a linear axis", chart.ErrNoData)
	default:
		return fmt.Errorf("has no finite value: %w", chart.ErrNoData)
	}
	a.Min, a.Max = a.padded(low, high)
	if math.IsInf(a.Max-a.Min, 0) || a.Scale == chart.Log && !(a.Min > 0) {
		return fmt.Errorf("cannot run from %g to %g; use smaller units", low, high)
	}
	return nil
}

// Room left between the data and the ends of an axis, as a fraction of its range, and the
// factor by which a range of one value is widened on a logarithmic axis.
const (
	rangePadding = 0.04
	singleFactor = 3
)

// padded leaves room around the data; an end at zero that the axis must include stays put.
func (a *Axis) padded(low, high float64) (float64, float64) {
	switch {
	case a.Scale == chart.Log && low == high:
		return low / singleFactor, high * singleFactor
	case a.Scale == chart.Log:
		ratio := math.Pow(high/low, rangePadding)
		return low / ratio, high * ratio
	case low == high:
		half := max(math.Abs(low)*0.1, 0.5)
		return low - half, high + half
	}
	below, above := (high-low)*rangePadding, (high-low)*rangePadding
	if a.Zero && low == 0 {
		below = 0
	}
	if a.Zero && high == 0 {
		above = 0
	}
	return low - below, high + above
}

// leastCounts is the range from which an axis of whole numbers has no ticks between them; on a
// shorter one they help the eye.
const leastCounts = 2

// counts tells whether values are whole numbers over a range.
func counts(lists []chart.List) bool {
	low, high := math.Inf(1), math.Inf(-1)
	for _, list := range lists {
		for _, v := range list.Values {
			if end := v + list.Room; end != math.Trunc(end) && !math.IsNaN(end) {
				return false
			}
			if !math.IsNaN(v) && !math.IsInf(v, 0) {
				low, high = min(low, v), max(high, v)
			}
		}
	}
	return high-low >= leastCounts
}

// Has tells whether an axis can show a value: numbers, and on a logarithmic axis positive ones.
func (a *Axis) Has(v float64) bool { return !math.IsNaN(v) && (a.Scale != chart.Log || v > 0) }

// Fraction is the place of a value along an axis: 0 where it begins, 1 where it ends, and beyond for values outside of it.
func (a *Axis) Fraction(v float64) float64 {
	low, high := a.Min, a.Max
	if a.Reverse {
		low, high = high, low
	}
	if a.Scale == chart.Log {
		return (math.Log(v) - math.Log(low)) / (math.Log(high) - math.Log(low))
	}
	return (v - low) / (high - low)
}

func (a *Axis) valueAt(f float64) float64 {
	if a.Reverse {
		f = 1 - f
	}
	if a.Scale == chart.Log {
		return a.Min * math.Pow(a.Max/a.Min, f)
	}
	return a.Min + f*(a.Max-a.Min)
}

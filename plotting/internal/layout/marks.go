package layout

import (
	"cmp"
	"math"
	"slices"

	"github.com/sparsero/directions/plotting/chart"
	"gonum.org/v1/gonum/spatial/r2"
)

// Corners are those of a diamond or a star of a radius around 0, clockwise from the upper one; other shapes have none.
func Corners(shape chart.Shape, radius float64) []r2.Vec {
	switch shape {
	case chart.Diamond:
		return around(4, 1.25*radius, 1.25*radius)
	case chart.Star:
		return around(10, 1.5*radius, 0.62*radius)
	}
	return nil
}

// around returns n points in equal angles, clockwise from the upper one, at two distances in turn.
func around(n int, odd, even float64) []r2.Vec {
	out := make([]r2.Vec, n)
	for i := range out {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		out[i] = r2.Vec{X: odd * sin, Y: odd * cos}
		odd, even = even, odd
	}
	return out
}

// Limits are the ends of a band, both missing where the axis cannot show one of them.
func (f *Chart) Limits(l *chart.Band) (low, high []float64) {
	low, high = slices.Clone(l.Low), slices.Clone(l.High)
	for i := range low {
		if !f.Y.Has(low[i]) || !f.Y.Has(high[i]) {
			low[i], high[i] = math.NaN(), math.NaN()
		}
	}
	return low, high
}

// Extents are the places of bars, from low to high on one axis, and from one end to the other on that of the values; bars of
// infinite length end with the axis.
func (f *Chart) Extents(l *chart.Bars) (low, high, from, to []float64) {
	half, axis, start := cmp.Or(l.Thickness, BarRoom)/2, f.Axis(l.Horizontal), 0.0
	if axis.Scale == chart.Log {
		start = axis.Min
	}
	for i, at := range l.At {
		end := l.To[i]
		if math.IsInf(end, 1) {
			end = axis.Max
		}
		low, high, from, to = append(low, at-half), append(high, at+half), append(from, start), append(to, end)
	}
	return low, high, from, to
}

// BarEnds writes ∞ and an arrow into the ends of infinite bars.
func (f *Chart) BarEnds(l *chart.Bars) *chart.Text {
	text := &chart.Text{Look: chart.Look{NoTooltip: true, Only: l.Only}, Dy: -10}
	arrow, end := "∞ ▲", f.Axis(l.Horizontal).Max
	if l.Horizontal {
		arrow = "∞ ──►"
		text.Align, text.Dx, text.Dy = -1, -4, 0
	}
	for i, v := range l.To {
		if math.IsInf(v, 1) {
			text.X, text.Y, text.Labels = append(text.X, l.At[i]), append(text.Y, end), append(text.Labels, arrow)
		}
	}
	if l.Horizontal {
		text.X, text.Y = text.Y, text.X
	}
	return text
}

// Joined returns the uninterrupted parts of a line in the units of the axes, with a corner before each step: without gaps,
// and without what the axes cannot show.
func (f *Chart) Joined(x, y []float64, step bool) (lines [][]r2.Vec) {
	var line []r2.Vec
	for i := range x {
		if shown := f.X.Has(x[i]) && f.Y.Has(y[i]); shown {
			if step && line != nil {
				line = append(line, r2.Vec{X: x[i], Y: y[i-1]})
			}
			line = append(line, r2.Vec{X: x[i], Y: y[i]})
		} else if line != nil {
			lines, line = append(lines, line), nil
		}
	}
	if line != nil {
		lines = append(lines, line)
	}
	return lines
}

// ThinLine returns about n rows of a line that keep its look: in each of n/4 stretches of points the first, lowest,
// highest and last one, in their order. Interruptions (NaN) are kept. Lines of up to n points are kept as they are.
func ThinLine(y []float64, n int) []int {
	if len(y) <= max(n, 8) {
		return EvenRows(len(y), len(y))
	}
	stretches := max(n/4, 2)
	keep := make([]int, 0, 4*stretches)
	for k := range stretches {
		from, to := k*len(y)/stretches, (k+1)*len(y)/stretches
		low, high, missing := from, from, -1
		for i := from; i < to; i++ {
			switch {
			case math.IsNaN(y[i]):
				missing = i
			case math.IsNaN(y[low]) || y[i] < y[low]:
				low = i
			}
			if !math.IsNaN(y[i]) && (math.IsNaN(y[high]) || y[i] > y[high]) {
				high = i
			}
		}
		stretch := []int{from, low, high, to - 1}
		if missing >= 0 {
			stretch = append(stretch, missing)
		}
		slices.Sort(stretch)
		keep = append(keep, slices.Compact(stretch)...)
	}
	return keep
}

// ThinBand returns about n rows that keep the look of both limits of a band.
func ThinBand(low, high []float64, n int) []int {
	if len(low) <= n {
		return EvenRows(len(low), n)
	}
	rows := append(ThinLine(low, n/2), ThinLine(high, n/2)...)
	slices.Sort(rows)
	return slices.Compact(rows)
}

// EvenRows returns n rows out of total at even distances, or all of them.
func EvenRows(total, n int) []int {
	keep := make([]int, min(n, total))
	for k := range keep {
		keep[k] = k * total / len(keep)
	}
	return keep
}

// Pick returns the values at the given rows.
func Pick[T any](values []T, rows []int) []T {
	out := make([]T, len(rows))
	for k, r := range rows {
		out[k] = values[r]
	}
	return out
}

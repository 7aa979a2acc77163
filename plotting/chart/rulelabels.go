package chart

import (
	"math"
	"unicode/utf8"

	"github.com/sparsero/directions/plotting/style"
)

// spot is where the label of a rule stands: along the rule as a fraction of the data area, and
// on which side of it.
type spot struct {
	// along is the fraction at which the label is anchored; it extends from there to higher
	// fractions (align 1), to lower ones (-1), or to both sides (0).
	along float64
	align int
	// side is 1 above a horizontal or right of a vertical rule, and -1 on the other side.
	side int
}

// spots are the places along a rule in the order in which they are tried; the one with least data
// in the way is taken.
var spots = []spot{{1, -1, 1}, {1, -1, -1}, {0, 1, 1}, {0, 1, -1}, {0.7, 0, 1}, {0.7, 0, -1}, {0.3, 0, 1}, {0.3, 0, -1}}

// uv is a point of the data area, as fractions of its width and height.
type uv struct{ u, v float64 }

// box is a part of the data area.
type box struct{ low, high uv }

func (b box) holds(p uv) bool {
	return b.low.u <= p.u && p.u <= b.high.u && b.low.v <= p.v && p.v <= b.high.v
}

// labelSpots returns the place of the label of each rule, by layer.
func (f *prepared) labelSpots() map[Layer]spot {
	out := map[Layer]spot{}
	var taken []uv
	width, height := (&spec{p: f}).size()
	for _, l := range f.Layers {
		rule, ok := l.(*Rule)
		if !ok || rule.Label == "" || math.IsInf(rule.Value, 0) {
			continue
		}
		if taken == nil {
			taken = f.dataPlaces()
		}
		best, least, where := spot{}, math.Inf(1), box{}
		for _, s := range spots {
			b := f.labelBox(rule, s, width, height)
			cost := 0.0
			for _, t := range taken {
				if b.holds(t) {
					cost++
				}
			}
			if b.low.u < 0 || b.high.u > 1 || b.low.v < 0 || b.high.v > 1 {
				cost += float64(len(taken)) + 1 // leaving the data area is worse than anything
			}
			if cost < least {
				best, least, where = s, cost, b
			}
		}
		out[l] = best
		taken = append(taken, uv{(where.low.u + where.high.u) / 2, (where.low.v + where.high.v) / 2}) // the next label goes elsewhere
	}
	return out
}

// Size of a label in pixels, with the gap between it and its rule.
const (
	labelHeight = 15.0
	labelGap    = 4.0
	labelInset  = 2
)

// labelBox is the room of a label at a spot, in a data area of a size in pixels.
func (f *prepared) labelBox(l *Rule, s spot, width, height float64) box {
	extent := func(anchor, size float64, align int) (low, high float64) {
		low = anchor - size*float64(1-align)/2
		return low, low + size
	}
	w, h := charWidth*float64(utf8.RuneCountInString(style.Unicode(l.Label)))/width, labelHeight/height
	var b box
	if l.Vertical {
		b.low.u, b.high.u = extent(fractionOf(l.Value, f.X, f.x)+float64(s.side)*labelGap/width, w, s.side)
		b.low.v, b.high.v = extent(s.along, h, s.align)
		return b
	}
	b.low.u, b.high.u = extent(s.along, w, s.align)
	b.low.v, b.high.v = extent(fractionOf(l.Value, f.Y, f.y)+float64(s.side)*labelGap/2/height, h, s.side)
	return b
}

func fractionOf(v float64, a Axis, s span) float64 {
	if a.Scale == Log {
		v, s = math.Log(v), span{math.Log(s.min), math.Log(s.max)}
	}
	f := (v - s.min) / (s.max - s.min)
	if a.Reverse {
		return 1 - f
	}
	return f
}

// valueAt is the value at a fraction of an axis.
func valueAt(f float64, a Axis, s span) float64 {
	if a.Reverse {
		f = 1 - f
	}
	if a.Scale == Log {
		return s.min * math.Pow(s.max/s.min, f)
	}
	return s.min + f*(s.max-s.min)
}

// Numbers of points of a layer that are looked at, and of places on a line over the whole width.
const (
	mostPoints = 500
	lineSteps  = 100
)

// dataPlaces are places that the data and the rules take, those of lines, bands and bars close to
// each other. In a polygon a label can be read.
func (f *prepared) dataPlaces() (out []uv) {
	at := func(x, y float64) uv { return uv{fractionOf(x, f.X, f.x), fractionOf(y, f.Y, f.y)} }
	walk := func(from, to uv) {
		steps := math.Ceil(lineSteps * math.Hypot(to.u-from.u, to.v-from.v))
		for k := 1.0; k < min(steps, 4*lineSteps); k++ { // none where an end is missing
			out = append(out, uv{from.u + (to.u-from.u)*k/steps, from.v + (to.v-from.v)*k/steps})
		}
	}
	for _, l := range f.Layers {
		if l.look().Only == LiveOnly {
			continue
		}
		switch l := l.(type) {
		case *Line:
			x, y := thinLine(l.X, l.Y, mostPoints)
			for i := range x {
				out = append(out, at(x[i], y[i]))
				if i > 0 {
					walk(at(x[i-1], y[i-1]), at(x[i], y[i]))
				}
			}
		case *Points:
			keep := evenRows(len(l.X), mostPoints)
			x, y := pick(l.X, keep), pick(l.Y, keep)
			for i := range x {
				out = append(out, at(x[i], y[i]))
			}
		case *Band:
			keep := evenRows(len(l.X), mostPoints)
			x, low, high := pick(l.X, keep), pick(l.Low, keep), pick(l.High, keep)
			for i := range x {
				walk(at(x[i], low[i]), at(x[i], high[i]))
			}
		case *Bars:
			for i, position := range l.At {
				for _, side := range []float64{-barRoom / 2, 0, barRoom / 2} {
					from, to := at(position+side, f.y.min), at(position+side, l.To[i])
					if l.Horizontal {
						from, to = at(f.x.min, position+side), at(l.To[i], position+side)
					}
					walk(from, to)
				}
			}
		case *Text:
			for i, text := range l.Labels {
				from := at(l.X[i], l.Y[i])
				walk(from, uv{from.u + float64(l.Align*utf8.RuneCountInString(text))*charWidth/f.width, from.v})
			}
		case *Rule:
			if f := at(l.Value, l.Value); l.Vertical {
				walk(uv{f.u, 0}, uv{f.u, 1})
			} else {
				walk(uv{0, f.v}, uv{1, f.v})
			}
		}
	}
	return out
}

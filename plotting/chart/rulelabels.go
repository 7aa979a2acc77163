package chart

import (
	"cmp"
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

// Places along a rule in the order in which they are tried; the first one without data in the
// way is taken, else the one with least.
var (
	levelSpots   = []spot{{1, -1, 1}, {0, 1, 1}, {1, -1, -1}, {0, 1, -1}, {0.5, 0, 1}, {0.5, 0, -1}, {0.75, 0, 1}, {0.25, 0, 1}, {0.75, 0, -1}, {0.25, 0, -1}}
	uprightSpots = []spot{{1, -1, 1}, {1, -1, -1}, {0, 1, 1}, {0, 1, -1}, {0.7, 0, 1}, {0.7, 0, -1}, {0.3, 0, 1}, {0.3, 0, -1}}
	lowSpots     = []spot{{0, 1, 1}, {0, 1, -1}, {1, -1, 1}, {1, -1, -1}, {0.3, 0, 1}, {0.3, 0, -1}, {0.7, 0, 1}, {0.7, 0, -1}}
)

// Size of the grid on which the data area is searched for room.
const (
	gridColumns = 120
	gridRows    = 80
)

// room is a data area with the cells that data take.
type room struct {
	p             *prepared
	width, height float64 // of the data area in pixels, about
	taken         [gridRows][gridColumns]bool
}

// labelSpots returns the place of the label of each rule, by layer.
func (p *prepared) labelSpots() map[Layer]spot {
	spots := map[Layer]spot{}
	var r *room
	for _, l := range p.Layers {
		rule, ok := l.(*Rule)
		if !ok || rule.Label == "" || math.IsInf(rule.Value, 0) {
			continue
		}
		if r == nil {
			r = p.newRoom()
		}
		spots[l] = r.place(rule)
	}
	return spots
}

func (p *prepared) newRoom() *room {
	r := &room{p: p}
	r.width, r.height = (&spec{p: p}).size()
	for _, l := range p.Layers {
		if l.look().Only == LiveOnly {
			continue
		}
		switch l := l.(type) {
		case *Line:
			r.line(l.X, l.Y)
		case *Points:
			r.points(l.X, l.Y)
		case *Text:
			r.points(l.X, l.Y)
		case *Bars:
			r.bars(l)
		case *Segments:
			for i := range l.X {
				r.line([]float64{l.X[i], l.X2[i]}, []float64{l.Y[i], l.Y2[i]})
			}
		case *Polygon:
			r.line(l.X, l.Y)
		}
	}
	return r
}

// mostPoints is the number of points of a layer that are looked at; the grid is coarse.
const mostPoints = 2000

func (r *room) line(x, y []float64) {
	x, y = thinLine(x, y, mostPoints)
	for i := range x {
		r.take(r.at(x[i], y[i]))
		if i == 0 {
			continue
		}
		u, v := r.at(x[i-1], y[i-1])
		u2, v2 := r.at(x[i], y[i])
		steps := math.Hypot((u2-u)*gridColumns, (v2-v)*gridRows)
		if !(steps < 4*gridColumns) { // missing, or far outside
			continue
		}
		for k := 0.0; k < steps; k++ {
			r.take(u+(u2-u)*k/steps, v+(v2-v)*k/steps)
		}
	}
}

func (r *room) points(x, y []float64) {
	keep := evenRows(len(x), mostPoints)
	x, y = pick(x, keep), pick(y, keep)
	for i := range x {
		r.take(r.at(x[i], y[i]))
	}
}

func (r *room) bars(l *Bars) {
	half := cmp.Or(l.Thickness, barRoom) / 2
	for i := range l.At {
		from := 0.0
		if l.From != nil {
			from = l.From[i]
		}
		for k := 0.0; k <= 1; k += 0.25 {
			at := l.At[i] + half*(2*k-1)
			if l.Horizontal {
				r.line([]float64{from, l.To[i]}, []float64{at, at})
			} else {
				r.line([]float64{at, at}, []float64{from, l.To[i]})
			}
		}
	}
}

// at returns a place as fractions of the data area.
func (r *room) at(x, y float64) (u, v float64) {
	return fractionOf(x, r.p.X, r.p.x), fractionOf(y, r.p.Y, r.p.y)
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

func (r *room) take(u, v float64) {
	if u >= 0 && u < 1 && v >= 0 && v < 1 { // false for NaN
		r.taken[int(v*gridRows)][int(u*gridColumns)] = true
	}
}

// Size of a label in pixels, with the gap between it and its rule.
const (
	labelHeight = 15.0
	labelGap    = 4.0
)

// place finds room for the label of a rule and takes it.
func (r *room) place(l *Rule) spot {
	width := charWidth * float64(utf8.RuneCountInString(style.Unicode(l.Label))) / r.width
	height := labelHeight / r.height
	spots, at := levelSpots, fractionOf(l.Value, r.p.Y, r.p.y)
	if l.Vertical {
		spots, at = uprightSpots, fractionOf(l.Value, r.p.X, r.p.x)
		if l.LabelLow {
			spots = lowSpots
		}
	}
	best, least := spots[0], math.Inf(1)
	var taken [4]float64
	for _, s := range spots {
		box := r.box(l.Vertical, s, at, width, height)
		if cost := r.cost(box); cost < least {
			best, least, taken = s, cost, box
		}
	}
	for v := taken[2]; v < taken[3]; v += 0.5 / gridRows { // the next label goes elsewhere
		for u := taken[0]; u < taken[1]; u += 0.5 / gridColumns {
			r.take(u, v)
		}
	}
	return best
}

// box returns left, right, low and high of a label at a spot.
func (r *room) box(vertical bool, s spot, at, width, height float64) [4]float64 {
	extent := func(anchor, size float64, align int) (from, to float64) {
		from = anchor - size*float64(1-align)/2
		return from, from + size
	}
	if vertical {
		left, right := extent(at+float64(s.side)*labelGap/r.width, width, s.side)
		low, high := extent(s.along, height, s.align)
		return [4]float64{left, right, low, high}
	}
	left, right := extent(s.along, width, s.align)
	low, high := extent(at+float64(s.side)*labelGap/2/r.height, height, s.side)
	return [4]float64{left, right, low, high}
}

// cost counts the cells of a box that data take; a box that leaves the data area costs more
// than any other.
func (r *room) cost(box [4]float64) float64 {
	const outside = 1e-6
	cost := 0.0
	if box[0] < -outside || box[1] > 1+outside || box[2] < -outside || box[3] > 1+outside {
		cost = gridRows * gridColumns
	}
	for row := max(0, int(box[2]*gridRows)); row < gridRows && float64(row) < box[3]*gridRows; row++ {
		for column := max(0, int(box[0]*gridColumns)); column < gridColumns && float64(column) < box[1]*gridColumns; column++ {
			if r.taken[row][column] {
				cost++
			}
		}
	}
	return cost
}

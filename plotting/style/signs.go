package style

import (
	"math"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// sign is a mathematical sign that the font lacks, drawn as strokes. Lengths are in units of
// the font size, measured from the left end of the baseline.
type sign struct {
	width   float64
	strokes [][]point
}

type point struct{ x, y float64 }

// Width of the strokes of a sign, in units of the font size.
const (
	signStroke     = 0.07
	boldSignStroke = 0.11
)

// signs are the signs of sets, brackets, logic and arrows.
var signs = map[rune]sign{
	'∪': {0.7, [][]point{cup(0.66)}},
	'⊂': {0.7, [][]point{horseshoe(0.06, 0.6)}},
	'⊃': {0.7, mirrored(0.7, horseshoe(0.06, 0.6))},
	'⊆': {0.7, [][]point{horseshoe(0.16, 0.66), {{0.1, 0}, {0.6, 0}}}},
	'⊇': {0.7, mirrored(0.7, horseshoe(0.16, 0.66), []point{{0.1, 0}, {0.6, 0}})},
	'⊊': {0.7, [][]point{horseshoe(0.2, 0.68), {{0.1, 0.04}, {0.6, 0.04}}, {{0.26, -0.08}, {0.44, 0.16}}}},
	'∈': {0.68, [][]point{horseshoe(0.06, 0.6), {{0.1, 0.33}, {0.52, 0.33}}}},
	'∉': {0.68, [][]point{horseshoe(0.06, 0.6), {{0.1, 0.33}, {0.52, 0.33}}, {{0.2, -0.06}, {0.46, 0.72}}}},
	'∋': {0.68, mirrored(0.68, horseshoe(0.06, 0.6), []point{{0.1, 0.33}, {0.52, 0.33}})},
	'∅': {0.7, [][]point{circle(0.35, 0.33, 0.26), {{0.12, 0}, {0.58, 0.66}}}},
	'∘': {0.4, [][]point{circle(0.2, 0.33, 0.12)}},
	'⟨': {0.36, [][]point{{{0.28, 0.76}, {0.1, 0.28}, {0.28, -0.2}}}},
	'⟩': {0.36, [][]point{{{0.08, 0.76}, {0.26, 0.28}, {0.08, -0.2}}}},
	'⌈': {0.36, [][]point{{{0.3, 0.74}, {0.12, 0.74}, {0.12, -0.18}}}},
	'⌉': {0.36, [][]point{{{0.06, 0.74}, {0.24, 0.74}, {0.24, -0.18}}}},
	'⌊': {0.36, [][]point{{{0.12, 0.74}, {0.12, -0.18}, {0.3, -0.18}}}},
	'⌋': {0.36, [][]point{{{0.24, 0.74}, {0.24, -0.18}, {0.06, -0.18}}}},
	'∧': {0.62, [][]point{{{0.08, 0.02}, {0.31, 0.62}, {0.54, 0.02}}}},
	'∨': {0.62, [][]point{{{0.08, 0.62}, {0.31, 0.02}, {0.54, 0.62}}}},
	'∀': {0.66, [][]point{{{0.05, 0.7}, {0.33, 0}, {0.61, 0.7}}, {{0.17, 0.42}, {0.49, 0.42}}}},
	'∃': {0.62, [][]point{{{0.1, 0.7}, {0.52, 0.7}, {0.52, 0}, {0.1, 0}}, {{0.16, 0.36}, {0.52, 0.36}}}},
	'∇': {0.7, [][]point{{{0.06, 0.68}, {0.64, 0.68}, {0.35, 0}, {0.06, 0.68}, {0.64, 0.68}}}},
	'⊥': {0.68, [][]point{{{0.08, 0.02}, {0.6, 0.02}}, {{0.34, 0.02}, {0.34, 0.68}}}},
	'∥': {0.4, [][]point{{{0.12, 0.74}, {0.12, -0.18}}, {{0.28, 0.74}, {0.28, -0.18}}}},
	'∖': {0.5, [][]point{{{0.08, 0.7}, {0.42, -0.06}}}},
	'≪': {0.9, [][]point{{{0.48, 0.58}, {0.1, 0.32}, {0.48, 0.06}}, {{0.8, 0.58}, {0.42, 0.32}, {0.8, 0.06}}}},
	'≫': {0.9, [][]point{{{0.1, 0.58}, {0.48, 0.32}, {0.1, 0.06}}, {{0.42, 0.58}, {0.8, 0.32}, {0.42, 0.06}}}},
	'⇒': {1, [][]point{{{0.06, 0.42}, {0.8, 0.42}}, {{0.06, 0.24}, {0.8, 0.24}}, {{0.66, 0.6}, {0.94, 0.33}, {0.66, 0.06}}}},
	'↦': {1, [][]point{{{0.08, 0.48}, {0.08, 0.18}}, {{0.08, 0.33}, {0.92, 0.33}}, {{0.7, 0.5}, {0.92, 0.33}, {0.7, 0.16}}}},
	'∼': {0.64, [][]point{wave()}},
	'✓': {0.7, [][]point{{{0.08, 0.34}, {0.28, 0.08}, {0.62, 0.66}}}},
	'✗': {0.66, [][]point{{{0.1, 0.08}, {0.56, 0.62}}, {{0.1, 0.62}, {0.56, 0.08}}}},
}

// arc returns points of a circle around (x, y) between two angles in degrees.
func arc(x, y, r, from, to float64) []point {
	const steps = 16
	out := make([]point, steps+1)
	for k := range out {
		sin, cos := math.Sincos((from + (to-from)*float64(k)/steps) * math.Pi / 180)
		out[k] = point{x + r*cos, y + r*sin}
	}
	return out
}

func circle(x, y, r float64) []point {
	out := append(arc(x, y, r, 0, 180), arc(x, y, r, 180, 360)...)
	return append(out, out[1])
}

// cup is the sign of a union, open at the top.
func cup(top float64) []point {
	const left, right, r = 0.1, 0.6, 0.25
	out := append([]point{{left, top}}, arc((left+right)/2, r, r, 180, 360)...)
	return append(out, point{right, top})
}

// horseshoe is the sign of a subset between two heights, open at the right.
func horseshoe(low, high float64) []point {
	r := (high - low) / 2
	out := append([]point{{0.6, high}}, arc(0.1+r, low+r, r, 90, 270)...)
	return append(out, point{0.6, low})
}

func wave() []point {
	var out []point
	for k := range 17 {
		x := float64(k) / 16
		out = append(out, point{0.06 + 0.52*x, 0.33 + 0.1*math.Sin(2*math.Pi*x)})
	}
	return out
}

// mirrored turns strokes of a sign of the given width round.
func mirrored(width float64, strokes ...[]point) [][]point {
	out := make([][]point, len(strokes))
	for i, s := range strokes {
		for _, p := range s {
			out[i] = append(out[i], point{width - p.x, p.y})
		}
	}
	return out
}

// draw strokes the sign at a point of a canvas whose colour is set.
func (g sign) draw(c vg.Canvas, at vg.Point, f font.Font) {
	width := signStroke
	if f.Weight >= bold {
		width = boldSignStroke
	}
	c.SetLineWidth(vg.Length(width) * f.Size)
	c.SetLineDash(nil, 0)
	for _, stroke := range g.strokes {
		var path vg.Path
		for k, p := range stroke {
			to := at.Add(vg.Point{X: vg.Length(p.x) * f.Size, Y: vg.Length(p.y) * f.Size})
			if k == 0 {
				path.Move(to)
				continue
			}
			path.Line(to)
		}
		c.Stroke(path)
	}
}

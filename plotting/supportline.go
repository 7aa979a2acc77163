package plotting

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/sparsero/directions/plotting/chart"
	"github.com/sparsero/directions/plotting/internal/label"
	"github.com/sparsero/directions/plotting/style"
	"github.com/sparsero/directions/sparsero"
)

// farAway is the half length of a support line in units of the reach of the set: longer than the diagonal of the frame.
const farAway = 4

// support draws the direction, the support lines of the chosen and of the full set, and the
// deficit, fixed in the static picture and moved by the sliders in the interactive one.
func (v *setView) support() []chart.Layer {
	chosen := chart.Look{Name: "support line, chosen", Color: style.Vermillion, Width: 1.6}
	full := chart.Look{Name: "support line, full", Color: style.Grey, Width: 1.3, Dash: []float64{2, 2}}
	label := fmt.Sprintf("s at %.4g°: h = %.4g, r Δ = %.4g", v.degrees(), v.set.Support(v.direction), v.radius*v.set.AlignmentDeficit(v.direction))
	corner := []float64{-0.96 * v.extent} // the lower left of the frame, below the probe directions
	layers := []chart.Layer{
		v.line(full, v.radius*v.dict.Support(v.direction), false),
		v.line(chosen, v.set.Support(v.direction), true),
		v.arrow(),
		&chart.Text{Look: chart.Look{Color: style.Black, Only: chart.StaticOnly}, X: corner, Y: corner, Labels: []string{label}, Align: 1},
	}
	return append(layers, v.liveLabels()...)
}

// arrowLength is the length of the drawn direction in units of the reach of the set.
const arrowLength = 0.5

// arrow draws the direction; in the interactive view it turns with the slider.
func (v *setView) arrow() chart.Layer {
	length := arrowLength * v.reach * cmp.Or(v.radius, 1)
	look := chart.Look{Name: "direction s", Color: style.Black, NoTooltip: true, Transform: []map[string]any{
		{"calculate": fmt.Sprintf("%g*%s", length, liveCos), "as": "x2"}, {"calculate": fmt.Sprintf("%g*%s", length, liveSin), "as": "y2"},
	}}
	zero := []float64{0}
	return &chart.Segments{Look: look, X: zero, Y: zero, X2: []float64{length * v.direction[0]}, Y2: []float64{length * v.direction[1]}, Arrow: true}
}

// Expressions of the direction at the angle of the slider.
const (
	liveCos = "cos(angle*PI/180)"
	liveSin = "sin(angle*PI/180)"
)

// scored are rows of atoms and the null atom among which the best aligned one is found in any
// direction, and the transform that gives each its alignment with the direction of the
// slider. Corners of the hull are enough: a linear function is largest at one of them.
func (v *setView) scored(onlyChosen bool) (columns []chart.Column, transform []map[string]any) {
	indices := v.corners(v.chosen)
	if !onlyChosen {
		indices = append(indices, v.corners(v.all)...)
	}
	x, y := v.points(indices, 1)
	names := make([]string, len(indices))
	member := make([]float64, len(indices))
	for k, i := range indices {
		names[k] = v.dict.Label(i)
		if i == sparsero.NullAtom || v.isChosen[i] {
			member[k] = 1
		}
	}
	columns = append(unscaled(x, y), chart.Column{Name: "atom", Text: names}, chart.Column{Name: "member", Numbers: member, Hidden: true})
	return columns, []map[string]any{{"calculate": "datum.ux*" + liveCos + "+datum.uy*" + liveSin, "as": "alignment"}}
}

// best keeps one row with the largest alignment.
func best() []map[string]any {
	return []map[string]any{
		{"window": []map[string]any{{"op": "row_number", "as": "rank"}}, "sort": []map[string]any{{"field": "alignment", "order": "descending"}}},
		{"filter": "datum.rank==1"},
	}
}

// first are the coordinates of rows of which the static picture draws the first; the places of
// the others are computed by the interactive view.
func first(value float64, rows int) []float64 {
	out := slices.Repeat([]float64{math.NaN()}, rows)
	out[0] = value
	return out
}

// line draws {u : <u,s> = value}, the support line of the chosen or the full set.
func (v *setView) line(look chart.Look, value float64, onlyChosen bool) chart.Layer {
	columns, transform := v.scored(onlyChosen)
	l := farAway * v.reach * max(v.maxRadius, 1)
	at := func(coordinate, sign, slope string) string {
		return fmt.Sprintf("datum.alignment*radius*%s%s%g*%s", coordinate, sign, l, slope)
	}
	look.NoTooltip, look.Columns = true, columns
	look.Transform = append(append(transform, best()...),
		map[string]any{"calculate": at(liveCos, "-", liveSin), "as": "x"}, map[string]any{"calculate": at(liveSin, "+", liveCos), "as": "y"},
		map[string]any{"calculate": at(liveCos, "+", liveSin), "as": "x2"}, map[string]any{"calculate": at(liveSin, "-", liveCos), "as": "y2"})
	s, n := v.direction, len(columns[0].Numbers)
	return &chart.Segments{Look: look,
		X: first(value*s[0]-l*s[1], n), Y: first(value*s[1]+l*s[0], n),
		X2: first(value*s[0]+l*s[1], n), Y2: first(value*s[1]-l*s[0], n),
	}
}

// worst marks the atom of the set that is worst in the direction.
func (v *setView) worst() chart.Layer {
	columns, transform := v.scored(true)
	look := chart.Look{Name: "worst atom", Color: style.Vermillion, Width: 4.5, Columns: columns}
	look.Transform = append(append(transform, best()...), atRadius()...)
	atom, _ := v.set.WorstAtom(v.direction)
	x, y := v.points([]int{atom}, v.radius)
	n := len(columns[0].Numbers)
	return &chart.Points{Look: look, Shape: chart.Star, X: first(x[0], n), Y: first(y[0], n)}
}

// liveLabels write support and deficit at the angle and radius of the sliders.
func (v *setView) liveLabels() []chart.Layer {
	columns, transform := v.scored(false)
	transform = append(transform,
		map[string]any{"calculate": "datum.member*datum.alignment", "as": "reached"},
		map[string]any{"aggregate": []map[string]any{{"op": "max", "field": "alignment", "as": "full"}, {"op": "max", "field": "reached", "as": "chosen"}}})
	zero := make([]float64, len(columns[0].Numbers))
	var layers []chart.Layer
	for k, text := range []string{
		"'at '+angle+'°, r = '+radius",
		"'support h = '+" + label.Formatted("datum.chosen*radius"),
		"'deficit Δ = '+" + label.Formatted("datum.full-datum.chosen"),
		"'r Δ = '+" + label.Formatted("(datum.full-datum.chosen)*radius"),
	} {
		look := chart.Look{Color: style.Black, Only: chart.LiveOnly, Columns: columns}
		look.Transform = append(append([]map[string]any{}, transform...), map[string]any{"calculate": text, "as": "label"})
		layers = append(layers, &chart.Text{Look: look, X: zero, Y: zero, Labels: make([]string, len(zero)), Panel: k + 1})
	}
	return layers
}

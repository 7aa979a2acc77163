package plotting

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/sparsero/directions/plotting/chart"
	"github.com/sparsero/directions/plotting/style"
	"github.com/sparsero/directions/sparsero"
	"gonum.org/v1/gonum/mat"
)

// SketchOptions describe a sketch; nil gives the defaults.
type SketchOptions struct {
	// Title stands above the picture; default |S| and N.
	Title string
	// Kinds are beginnings of the atoms' labels: the atoms of each have a colour and an entry in
	// the legend. Default: all atoms are of one kind.
	Kinds []string
}

// Sketch draws three pictures side by side: a 2-D dictionary; the chosen atoms as arrows among
// some of the directions; the polytope of the chosen atoms inside that of all, at radius 1.
//
// It is an error if the dictionary or the directions do not have two columns, or an index is out of range.
func Sketch(d *sparsero.Dictionary, chosen []int, directions mat.Matrix, o *SketchOptions) (*Figure, error) {
	set, err := sparsero.NewAtomicSet(d, chosen, 1)
	if err != nil {
		return nil, fmt.Errorf("plotting: %w", err)
	}
	v, err := newSetView(set, &AtomicSetOptions{})
	if err != nil {
		return nil, err
	}
	if directions != nil {
		if _, err := d.Scores(directions); err != nil {
			return nil, fmt.Errorf("plotting: %w", err)
		}
	}
	o = given(o)
	var layers []chart.Layer
	if o.Kinds == nil {
		layers = append(layers, v.cloud("atoms", "", 0))
	}
	for _, kind := range o.Kinds {
		layers = append(layers, v.cloud(kind, kind, 0))
	}
	step := 2.2 * v.reach
	layers = append(layers, v.cloud("", "", step), v.cloud("", "", 2*step))
	if directions != nil {
		x, y := someRows(directions)
		layers = append(layers, arrows("directions", 0.6, step, x, y))
	}
	x, y := v.points(chosen, 1)
	layers = append(layers, arrows("chosen atoms", 1.4, step, x, y),
		v.polytope("full set", v.all, -1, 2*step), v.polytope("chosen set", chosen, 0.3, 2*step),
		&chart.Text{X: []float64{0, step, 2 * step}, Y: []float64{1.12 * v.reach, 1.12 * v.reach, 1.12 * v.reach},
			Labels: []string{"the dictionary", "the chosen atoms", "what they span"}})
	title := cmp.Or(o.Title, fmt.Sprintf("%d of %d atoms", len(chosen), d.Size()))
	return NewFigure(&chart.Chart{
		Title: title, Equal: true, Width: 900, Height: 380, X: chart.Axis{Hidden: true}, Y: chart.Axis{Hidden: true}, Layers: layers,
	}, title+". Left the dictionary, in the middle the chosen atoms as arrows, right the polytope of the chosen atoms inside that of all.")
}

// cloud draws the atoms whose labels begin with a prefix, moved to the right.
func (v *setView) cloud(name, prefix string, right float64) chart.Layer {
	p := &chart.Points{Look: chart.Look{Name: name, Width: 1.2, NoTooltip: true}}
	if name == "" {
		p.Color = style.Fade(style.Grey, 0.5)
	}
	for i := range v.dict.Size() {
		if atom := v.dict.Atom(i); strings.HasPrefix(v.dict.Label(i), prefix) {
			p.X, p.Y = append(p.X, atom[0]+right), append(p.Y, atom[1])
		}
	}
	return p
}

// polytope draws the hull of the listed atoms and 0, moved to the right.
func (v *setView) polytope(name string, indices []int, fill, right float64) chart.Layer {
	shape := &chart.Polygon{Look: chart.Look{Name: name, NoTooltip: true, Color: style.Blue}, Fill: fill}
	if fill < 0 {
		shape.Color = style.Grey
	}
	shape.X, shape.Y = v.points(v.corners(indices), 1)
	for k := range shape.X {
		shape.X[k] += right
	}
	return shape
}

// mostArrows is the number of directions above which a sketch draws a part of them.
const mostArrows = 40

// someRows returns the rows of a matrix with two columns, of many those at even distances.
func someRows(m mat.Matrix) (x, y []float64) {
	count, _ := m.Dims()
	for j := 0; j < count; j += 1 + count/(mostArrows+1) {
		x, y = append(x, m.At(j, 0)), append(y, m.At(j, 1))
	}
	return x, y
}

// arrows draws arrows from a point on the axis.
func arrows(name string, width, from float64, x, y []float64) chart.Layer {
	s := &chart.Segments{Look: chart.Look{Name: name, Width: width, NoTooltip: true}, Arrow: true}
	for k := range x {
		s.X, s.Y = append(s.X, from), append(s.Y, 0)
		s.X2, s.Y2 = append(s.X2, from+x[k]), append(s.Y2, y[k])
	}
	return s
}

package plotting

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/sparsero/directions/plotting/chart"
	"github.com/sparsero/directions/plotting/internal/label"
	"github.com/sparsero/directions/plotting/style"
	"github.com/sparsero/directions/sparsero"
	"gonum.org/v1/gonum/floats"
)

// AtomicSetOptions describe a picture of a 2-D atomic set; nil gives the defaults.
type AtomicSetOptions struct {
	// Title stands above the picture; default |S|, N and r.
	Title string
	// Direction is the direction whose support line, active atom and deficit are drawn, of
	// any length but zero; default (1, 1).
	Direction []float64
	// Layers are drawn above the set and below its atoms, such as another set for comparison; what leaves the frame,
	// a quarter wider than the set, is clipped. Default none.
	Layers []chart.Layer
	// LabelAtoms writes the labels of the chosen atoms; default false.
	LabelAtoms bool
}

// AtomicSet draws a 2-D atomic set U_S(r) inside the full set U_[N](r): atoms, chosen atoms,
// the null atom, and in a direction s the support line {u : <u,s> = h_{U_S(r)}(s)}, the worst
// atom, and the support line of the full dictionary, whose distance is r Δ_S(s)/‖s‖. The
// interactive view has sliders for the angle of s and the radius, up to twice that of the set.
//
// It is an error if the dictionary does not have two columns, if a direction is zero, not
// finite or of another dimension, or if a layer cannot be drawn.
func AtomicSet(set *sparsero.AtomicSet, o *AtomicSetOptions) (*Figure, error) {
	if set == nil {
		return nil, fmt.Errorf("plotting: set is nil; build one with sparsero.NewAtomicSet")
	}
	o = given(o)
	v, err := newSetView(set, o)
	if err != nil {
		return nil, err
	}
	c := &chart.Chart{
		Title: cmp.Or(o.Title, v.title()), Equal: true, Height: 470,
		X: chart.Axis{Label: v.columns[0], Min: -v.extent, Max: v.extent}, Y: chart.Axis{Label: v.columns[1], Min: -v.extent, Max: v.extent},
		Sliders: []chart.Slider{
			{Name: "angle", Label: "angle of s [degrees]", Min: 0, Max: 359, Step: 1, Value: math.Mod(math.Round(v.degrees()), 360)},
			{Name: "radius", Label: "radius r", Min: 0, Max: v.maxRadius, Step: v.maxRadius / 100, Value: v.radius},
		},
	}
	sets := v.sets()
	c.Layers = append(c.Layers, sets[0], v.others(), sets[1]) // many atoms must not hide the chosen set
	c.Layers = append(c.Layers, o.Layers...)
	c.Layers = append(c.Layers, v.support()...)
	c.Layers = append(c.Layers, v.atoms(o.LabelAtoms)...)
	return NewFigure(c, v.alt())
}

type setView struct {
	set       *sparsero.AtomicSet
	dict      *sparsero.Dictionary
	columns   []string
	radius    float64
	maxRadius float64
	direction []float64 // unit length
	reach     float64   // largest norm of an atom
	all       []int
	chosen    []int
	isChosen  []bool
	extent    float64 // half width of the frame; what the slider moves out of it is clipped
}

func newSetView(set *sparsero.AtomicSet, o *AtomicSetOptions) (*setView, error) {
	d := set.Dictionary()
	if d.Dim() != 2 {
		return nil, fmt.Errorf("plotting: the dictionary has dimension %d; AtomicSet draws 2, choose columns first", d.Dim())
	}
	v := &setView{set: set, dict: d, columns: d.Columns(), radius: set.Radius(), reach: cmp.Or(d.MaxNorm(), 1), chosen: set.Atoms(), isChosen: make([]bool, d.Size())}
	for _, i := range v.chosen {
		v.isChosen[i] = true
	}
	for i := range d.Size() {
		v.all = append(v.all, i)
	}
	v.maxRadius = cmp.Or(2*v.radius, 2)
	direction := o.Direction
	if direction == nil {
		direction = []float64{1, 1}
	}
	norm := floats.Norm(direction, 2)
	if len(direction) != 2 || !(norm > 0) || math.IsInf(norm, 1) {
		return nil, fmt.Errorf("plotting: Direction is %v; give two finite numbers that are not both 0", direction)
	}
	v.direction = []float64{direction[0] / norm, direction[1] / norm}
	v.extent = closeFrame * v.reach * cmp.Or(v.radius, 1)
	if o.LabelAtoms {
		v.makeRoom()
	}
	return v, nil
}

// makeRoom widens the frame until the labels of the chosen atoms fit beside them.
func (v *setView) makeRoom() {
	for _, i := range v.chosen {
		x, y := v.points([]int{i}, v.radius)
		if !besideAtom(x[0], y[0]) {
			continue
		}
		share := 2 * (labelGap + labelChar*float64(utf8.RuneCountInString(v.dict.Label(i)))) / labelFrame
		v.extent = max(v.extent, math.Abs(x[0])/(1-min(share, 0.6)))
	}
}

// besideAtom says whether the label of the atom at (x, y) stands to its left or right, and not above or below.
func besideAtom(x, y float64) bool { return math.Abs(x) > 0.35*math.Hypot(x, y) }

func (v *setView) title() string {
	return fmt.Sprintf("Atomic set of %d of %d atoms, r = %.4g", len(v.chosen), v.dict.Size(), v.radius)
}

func (v *setView) degrees() float64 {
	return math.Mod(360+math.Atan2(v.direction[1], v.direction[0])*180/math.Pi, 360)
}

func (v *setView) alt() string {
	worst, _ := v.set.WorstAtom(v.direction)
	full, _ := v.dict.ActiveAtom(v.direction)
	return fmt.Sprintf("%s. In the direction at %.4g° the support is %.4g, reached by %s; the full dictionary reaches %.4g with %s; r times the deficit is %.4g.",
		v.title(), v.degrees(), v.set.Support(v.direction), v.dict.Label(worst),
		v.radius*v.dict.Support(v.direction), v.dict.Label(full), v.radius*v.set.AlignmentDeficit(v.direction))
}

// closeFrame is half the width of the frame in units of the reach of the set.
const closeFrame = 1.25

// Pixels between an atom and its label, of a letter, and of the frame where it is narrow: in a page of the book.
const (
	labelGap   = 8
	labelChar  = 7
	labelFrame = 390
)

func (v *setView) points(indices []int, scale float64) (x, y []float64) {
	x, y = make([]float64, len(indices)), make([]float64, len(indices))
	for k, i := range indices {
		atom := v.dict.Atom(i)
		x[k], y[k] = scale*atom[0], scale*atom[1]
	}
	return x, y
}

// corners returns the corners of the hull of the listed atoms and the null atom.
func (v *setView) corners(indices []int) []int {
	indices = append([]int{sparsero.NullAtom}, indices...)
	x, y := v.points(indices, 1)
	corners := sparsero.PlanarHull(x, y)
	for k, c := range corners {
		corners[k] = indices[c]
	}
	return corners
}

// unscaled are the columns from which the interactive view computes positions at the radius of the slider.
func unscaled(x, y []float64) []chart.Column {
	return []chart.Column{{Name: "ux", Numbers: x, Hidden: true}, {Name: "uy", Numbers: y, Hidden: true}}
}

func atRadius() []map[string]any {
	return []map[string]any{{"calculate": "datum.ux*radius", "as": "x"}, {"calculate": "datum.uy*radius", "as": "y"}}
}

func (v *setView) sets() []chart.Layer {
	polygon := func(name string, indices []int, look chart.Look, fill float64) chart.Layer {
		corners := v.corners(indices)
		ux, uy := v.points(corners, 1)
		look.Name, look.Columns, look.Transform = name, unscaled(ux, uy), atRadius()
		x, y := v.points(corners, v.radius)
		return &chart.Polygon{Look: look, X: x, Y: y, Fill: fill}
	}
	return []chart.Layer{
		polygon("full set", v.all, chart.Look{Color: style.Grey, Dash: []float64{4, 3}}, 0.06),
		polygon("chosen set", v.chosen, chart.Look{Color: style.Blue}, 0.18),
	}
}

// crowd is the number of atoms above which those not chosen are drawn small and light.
const crowd = 200

func (v *setView) others() chart.Layer {
	rest := slices.DeleteFunc(slices.Clone(v.all), func(i int) bool { return v.isChosen[i] })
	look := chart.Look{Color: style.Grey, Width: 2}
	if len(rest) > crowd {
		look.Color, look.Width = style.LightGrey, 1.6
	}
	return v.marked("other atoms", rest, chart.Points{Look: look})
}

// marked draws a mark at each listed atom, at the radius of the set or of the slider.
func (v *setView) marked(name string, indices []int, c chart.Points) chart.Layer {
	ux, uy := v.points(indices, 1)
	c.X, c.Y = v.points(indices, v.radius)
	labels := make([]string, len(indices))
	for k, i := range indices {
		labels[k] = label.Unicode(v.dict.Label(i))
	}
	c.Name, c.Columns, c.Transform = name, append(unscaled(ux, uy), chart.Column{Name: "atom", Text: labels}), atRadius()
	return &c
}

func (v *setView) atoms(labels bool) []chart.Layer {
	layers := []chart.Layer{
		v.marked("chosen atoms", v.chosen, chart.Points{Look: chart.Look{Color: style.Blue, Width: 3.4}}),
		v.marked("null atom", []int{sparsero.NullAtom}, chart.Points{Look: chart.Look{Color: style.Black, Width: 3.4}, Shape: chart.Ring}),
		v.worst(),
	}
	if labels {
		layers = append(layers, v.labels()...)
	}
	return layers
}

// labels writes the labels of the chosen atoms on the side away from the origin.
func (v *setView) labels() []chart.Layer {
	var layers []chart.Layer
	for _, i := range v.chosen {
		x, y := v.points([]int{i}, v.radius)
		ux, uy := v.points([]int{i}, 1)
		norm := math.Max(math.Hypot(ux[0], uy[0]), 1e-300)
		text := &chart.Text{
			Look: chart.Look{Color: style.Black, Columns: unscaled(ux, uy), Transform: atRadius()},
			X:    x, Y: y, Labels: []string{v.dict.Label(i)},
			Dx: 11 * ux[0] / norm, Dy: 11 * uy[0] / norm,
		}
		if besideAtom(ux[0], uy[0]) {
			text.Align = int(math.Copysign(1, ux[0]))
			text.Dx = math.Copysign(labelGap, ux[0])
		}
		layers = append(layers, text)
	}
	return layers
}

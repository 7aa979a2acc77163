package plotting

import (
	"cmp"
	"fmt"
	"math"

	"github.com/sparsero/directions/plotting/chart"
	"github.com/sparsero/directions/plotting/style"
	"github.com/sparsero/directions/plotting/vega"
	"github.com/sparsero/directions/sparsero"
	"gonum.org/v1/gonum/mat"
)

// NetOptions describe a picture of a net; nil gives the defaults.
type NetOptions struct {
	// Title and Subtitle stand above the picture; default a title with the number of points
	// and the radius.
	Title, Subtitle string
	// Dictionary, N×2, measures distances by its pseudometric d_D(s,t) = max_i |⟨d_i, s-t⟩|,
	// whose balls are polygons; default nil, the Euclidean distance.
	Dictionary *sparsero.Dictionary
	// Width and Height are the size in CSS pixels; default 640 × 470.
	Width, Height float64
}

// netSteps is the number of directions of the circle that are tested for being covered.
const netSteps = 720

// Net draws unit directions T (the rows of an M×2 matrix, scaled to length 1) on the circle
// with their balls of radius epsilon, and the part of the circle that no ball covers. T is an
// ε-net of the circle exactly when nothing is left. The interactive view has a slider for ε.
// It costs O(M h) with the h corners of the dictionary's symmetric hull.
//
// It is an error if there are no directions, if one is zero or not finite, if epsilon is not
// positive, or if the atoms of the dictionary lie on one line through the origin, so that its
// balls are strips without end.
func Net(directions mat.Matrix, epsilon float64, o *NetOptions) (*Figure, error) {
	if o == nil {
		o = &NetOptions{}
	}
	if !(epsilon > 0) || math.IsInf(epsilon, 1) {
		return nil, fmt.Errorf("plotting: epsilon %g must be positive and finite", epsilon)
	}
	v, err := newNetView(directions, epsilon, o)
	if err != nil {
		return nil, err
	}
	worst, open := v.worst()
	reach := 1.08 + min(epsilon*v.metric.reach(), 1)
	c := &chart.Chart{
		Title:    cmp.Or(o.Title, fmt.Sprintf("Net of %d directions, ε = %.4g%s", len(v.points), epsilon, v.metric.title)),
		Subtitle: o.Subtitle, Equal: true,
		Width: cmp.Or(o.Width, style.DefaultWidth), Height: cmp.Or(o.Height, 470),
		X: chart.Axis{Label: "s_{0}", Min: -reach, Max: reach}, Y: chart.Axis{Label: "s_{1}", Min: -reach, Max: reach},
		Sliders: []chart.Slider{v.slider(worst)},
	}
	c.Layers = []chart.Layer{
		&chart.Polygon{Look: chart.Look{Name: "unit circle", Color: style.Grey, Width: 0.9}, X: circle(0, 1), Y: circle(1, 1), Fill: -1},
		v.balls(), v.uncovered(), v.net(),
	}
	c.Layers = append(c.Layers, v.readout()...)
	alt := fmt.Sprintf("Net of %d directions with balls of radius %.4g%s: %.4g %% of the circle is covered; the farthest direction is %.4g away from the net.",
		len(v.points), epsilon, style.Unicode(v.metric.title), 100*(1-float64(open)/netSteps), worst)
	return NewFigure(c, alt)
}

// circle returns one coordinate of a circle of radius r around the origin.
func circle(coordinate int, r float64) []float64 {
	out := make([]float64, 0, landscapeSteps/2)
	for k := 0; k < landscapeSteps; k += 2 {
		out = append(out, r*direction(k)[coordinate])
	}
	return out
}

// planeMetric measures distances in the plane.
type planeMetric struct {
	distance func(dx, dy float64) float64
	ball     [][2]float64 // corners of the ball of radius 1 around the origin
	title    string
}

// ballCorners is the number of corners by which a round ball is drawn.
const ballCorners = 48

func euclidean() planeMetric {
	m := planeMetric{distance: math.Hypot}
	for k := range ballCorners {
		sin, cos := math.Sincos(2 * math.Pi * float64(k) / ballCorners)
		m.ball = append(m.ball, [2]float64{cos, sin})
	}
	return m
}

// pseudometric is d_D. Its ball of radius 1 is the polar of conv(D ∪ -D): to each edge of that
// hull, on the line {u : ⟨v,u⟩ = 1}, belongs the corner v.
func pseudometric(d *sparsero.Dictionary) (planeMetric, error) {
	if d.Dim() != 2 {
		return planeMetric{}, fmt.Errorf("plotting: the dictionary has dimension %d; a net on the circle needs 2", d.Dim())
	}
	var x, y []float64
	for i := range d.Size() {
		a := d.RawRowView(i)
		x, y = append(x, a[0], -a[0]), append(y, a[1], -a[1])
	}
	corners := sparsero.PlanarHull(x, y)
	if len(corners) < 3 {
		return planeMetric{}, fmt.Errorf("plotting: all atoms of the dictionary lie on one line through the origin, so that balls of d_D have no end; leave Dictionary nil for Euclidean balls")
	}
	m := planeMetric{title: " in d_{D}", distance: func(dx, dy float64) float64 {
		most := 0.0
		for _, c := range corners {
			most = max(most, x[c]*dx+y[c]*dy) // the hull has -c too
		}
		return most
	}}
	for k, a := range corners {
		b := corners[(k+1)%len(corners)]
		det := x[a]*y[b] - y[a]*x[b] // of the equations ⟨a,v⟩ = ⟨b,v⟩ = 1
		m.ball = append(m.ball, [2]float64{(y[b] - y[a]) / det, (x[a] - x[b]) / det})
	}
	return m, nil
}

// reach is the largest Euclidean norm in the ball of radius 1.
func (m planeMetric) reach() (most float64) {
	for _, c := range m.ball {
		most = max(most, math.Hypot(c[0], c[1]))
	}
	return most
}

// netView is a net with the distances of the circle to it.
type netView struct {
	points  [][2]float64
	epsilon float64
	metric  planeMetric
	near    []float64 // distance of each tested direction to the net
}

func newNetView(directions mat.Matrix, epsilon float64, o *NetOptions) (*netView, error) {
	points, err := unitRows(directions)
	if err != nil {
		return nil, err
	}
	v := &netView{points: points, epsilon: epsilon, metric: euclidean(), near: make([]float64, netSteps)}
	if o.Dictionary != nil {
		if v.metric, err = pseudometric(o.Dictionary); err != nil {
			return nil, err
		}
	}
	for k := range v.near {
		sin, cos := math.Sincos(2 * math.Pi * float64(k) / netSteps)
		v.near[k] = math.Inf(1)
		for _, p := range points {
			v.near[k] = min(v.near[k], v.metric.distance(cos-p[0], sin-p[1]))
		}
	}
	return v, nil
}

func unitRows(directions mat.Matrix) ([][2]float64, error) {
	if dense, ok := directions.(*mat.Dense); directions == nil || ok && dense == nil {
		return nil, fmt.Errorf("plotting: directions is nil; give an M×2 matrix")
	}
	m, p := directions.Dims()
	if m == 0 || p != 2 {
		return nil, fmt.Errorf("plotting: directions is %d×%d; give at least one row and 2 columns", m, p)
	}
	out := make([][2]float64, m)
	for j := range out {
		x, y := directions.At(j, 0), directions.At(j, 1)
		norm := math.Hypot(x, y)
		if !(norm > 0) || math.IsInf(norm, 1) {
			return nil, fmt.Errorf("plotting: row %d of directions is (%g, %g); give finite directions of positive length", j, x, y)
		}
		out[j] = [2]float64{x / norm, y / norm}
	}
	return out, nil
}

// worst returns the largest distance to the net and the number of directions not covered.
func (v *netView) worst() (worst float64, open int) {
	for _, d := range v.near {
		worst = max(worst, d)
		if d > v.epsilon {
			open++
		}
	}
	return worst, open
}

// slider sets ε between 0 and about twice what covers the circle.
func (v *netView) slider(worst float64) chart.Slider {
	highest := max(2*worst, 2*v.epsilon)
	step := niceStep(highest / 200)
	return chart.Slider{Name: "epsilon", Label: "radius ε of the balls", Min: 0, Max: math.Ceil(highest/step) * step, Step: step, Value: v.epsilon}
}

func (v *netView) balls() chart.Layer {
	layer := &chart.Polygon{Look: chart.Look{Name: "balls of radius ε" + v.metric.title, Color: style.SkyBlue, Width: 0.6}, Fill: 0.18}
	var cx, cy, dx, dy []float64
	for j, p := range v.points {
		for _, c := range v.metric.ball {
			layer.X, layer.Y = append(layer.X, p[0]+v.epsilon*c[0]), append(layer.Y, p[1]+v.epsilon*c[1])
			layer.Groups = append(layer.Groups, j)
			cx, cy, dx, dy = append(cx, p[0]), append(cy, p[1]), append(dx, c[0]), append(dy, c[1])
		}
	}
	layer.Columns = []chart.Column{{Name: "cx", Numbers: cx}, {Name: "cy", Numbers: cy}, {Name: "dx", Numbers: dx}, {Name: "dy", Numbers: dy}}
	layer.Transform = []vega.Object{{"calculate": "datum.cx+epsilon*datum.dx", "as": "x"}, {"calculate": "datum.cy+epsilon*datum.dy", "as": "y"}}
	return layer
}

// uncovered marks the directions farther than ε from the net.
func (v *netView) uncovered() chart.Layer {
	layer := &chart.Points{Look: chart.Look{Name: "not covered", Color: style.Vermillion, Width: 1.6}}
	all := *layer
	for k, d := range v.near {
		sin, cos := math.Sincos(2 * math.Pi * float64(k) / netSteps)
		all.X, all.Y = append(all.X, cos), append(all.Y, sin)
		if d <= v.epsilon {
			cos, sin = math.NaN(), math.NaN()
		}
		layer.X, layer.Y = append(layer.X, cos), append(layer.Y, sin)
	}
	layer.Columns = []chart.Column{{Name: "distance", Numbers: v.near}, {Name: "sx", Numbers: all.X, Hidden: true}, {Name: "sy", Numbers: all.Y, Hidden: true}}
	layer.Transform = []vega.Object{{"filter": "datum.distance>epsilon"}, {"calculate": "datum.sx", "as": "x"}, {"calculate": "datum.sy", "as": "y"}}
	return layer
}

func (v *netView) net() chart.Layer {
	layer := &chart.Points{Look: chart.Look{Name: "net T", Color: style.Blue, Width: 3}}
	for _, p := range v.points {
		layer.X, layer.Y = append(layer.X, p[0]), append(layer.Y, p[1])
	}
	return layer
}

// readout writes the covered share of the circle at the ε of the slider.
func (v *netView) readout() []chart.Layer {
	zero := make([]float64, len(v.near))
	line := func(panel int, text string) chart.Layer {
		look := chart.Look{Color: style.Black, Only: chart.LiveOnly, Columns: []chart.Column{{Name: "distance", Numbers: v.near}}, Transform: []vega.Object{
			{"calculate": "datum.distance<=epsilon?1:0", "as": "covered"},
			{"aggregate": []vega.Object{{"op": "mean", "field": "covered", "as": "share"}}},
			{"calculate": text, "as": "label"},
		}}
		return &chart.Text{Look: look, X: zero, Y: zero, Labels: make([]string, len(zero)), Panel: panel}
	}
	return []chart.Layer{line(1, "'at ε = '+format(epsilon,'.3~f')"), line(2, "'covered: '+format(datum.share,'.1%')")}
}

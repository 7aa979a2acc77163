package plotting

import (
	"fmt"
	"math"

	"github.com/sparsero/directions/plotting/chart"
	"github.com/sparsero/directions/plotting/style"
	"github.com/sparsero/directions/plotting/vega"
	"gonum.org/v1/gonum/mat"
)

// NetOptions describe a picture of a net; nil gives the defaults.
type NetOptions struct {
	// Title and Subtitle stand above the picture; default a title with the number of points
	// and the radius.
	Title, Subtitle string
	// Width and Height are the size in CSS pixels; default 640 × 470.
	Width, Height float64
}

// netSteps is the number of directions of the circle that are tested for being covered.
const netSteps = 720

// Net draws unit directions T (the rows of an M×2 matrix, scaled to length 1) on the circle
// with their balls of radius epsilon, and the part of the circle that no ball covers. T is an
// ε-net of the circle exactly when nothing is left. The interactive view has a slider for ε.
//
// It is an error if there are no directions, if one is zero or not finite, or if epsilon is
// not positive.
func Net(directions mat.Matrix, epsilon float64, o *NetOptions) (*Figure, error) {
	if o == nil {
		o = &NetOptions{}
	}
	if !(epsilon > 0) || math.IsInf(epsilon, 1) {
		return nil, fmt.Errorf("plotting: epsilon %g must be positive and finite", epsilon)
	}
	points, err := unitRows(directions)
	if err != nil {
		return nil, err
	}
	near := nearestDistances(points)
	worst, open := 0.0, 0
	for _, v := range near {
		worst = max(worst, v)
		if v > epsilon {
			open++
		}
	}
	reach := 1.08 + min(epsilon, 1)
	c := &chart.Chart{
		Title:    orText(o.Title, fmt.Sprintf("Net of %d directions, ε = %.4g", len(points), epsilon)),
		Subtitle: o.Subtitle, Equal: true,
		Width: orNumber(o.Width, style.DefaultWidth), Height: orNumber(o.Height, 470),
		X: chart.Axis{Label: "s_{0}", Min: -reach, Max: reach}, Y: chart.Axis{Label: "s_{1}", Min: -reach, Max: reach},
		Sliders: []chart.Slider{{Name: "epsilon", Label: "radius ε of the balls", Min: 0, Max: max(math.Ceil(20*max(worst, epsilon))/10, 0.1), Step: 0.005, Value: epsilon}},
	}
	c.Layers = []chart.Layer{
		&chart.Polygon{Look: chart.Look{Name: "unit circle", Color: style.Grey, Width: 0.9}, X: circle(0, 1), Y: circle(1, 1), Fill: -1},
		balls(points, epsilon), uncovered(near, epsilon), netPoints(points),
	}
	c.Layers = append(c.Layers, netReadout(near)...)
	alt := fmt.Sprintf("Net of %d directions with balls of radius %.4g: %.4g %% of the circle is covered; the farthest direction is %.4g away from the net.",
		len(points), epsilon, 100*(1-float64(open)/netSteps), worst)
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

func unitRows(directions mat.Matrix) ([][2]float64, error) {
	if directions == nil {
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

// nearestDistances returns for netSteps directions of the circle the distance to the net.
func nearestDistances(points [][2]float64) []float64 {
	out := make([]float64, netSteps)
	for k := range out {
		sin, cos := math.Sincos(2 * math.Pi * float64(k) / netSteps)
		out[k] = math.Inf(1)
		for _, p := range points {
			out[k] = min(out[k], math.Hypot(cos-p[0], sin-p[1]))
		}
	}
	return out
}

// ballCorners is the number of corners by which the circle of a ball is drawn.
const ballCorners = 48

func balls(points [][2]float64, epsilon float64) chart.Layer {
	layer := &chart.Polygon{Look: chart.Look{Name: "balls of radius ε", Color: style.SkyBlue, Width: 0.6}, Fill: 0.18}
	var cx, cy, dx, dy []float64
	for j, p := range points {
		for k := range ballCorners {
			sin, cos := math.Sincos(2 * math.Pi * float64(k) / ballCorners)
			layer.X, layer.Y = append(layer.X, p[0]+epsilon*cos), append(layer.Y, p[1]+epsilon*sin)
			layer.Groups = append(layer.Groups, j)
			cx, cy, dx, dy = append(cx, p[0]), append(cy, p[1]), append(dx, cos), append(dy, sin)
		}
	}
	layer.Columns = []chart.Column{{Name: "cx", Numbers: cx}, {Name: "cy", Numbers: cy}, {Name: "dx", Numbers: dx}, {Name: "dy", Numbers: dy}}
	layer.Transform = []vega.Object{{"calculate": "datum.cx+epsilon*datum.dx", "as": "x"}, {"calculate": "datum.cy+epsilon*datum.dy", "as": "y"}}
	return layer
}

// uncovered marks the directions farther than ε from the net.
func uncovered(near []float64, epsilon float64) chart.Layer {
	layer := &chart.Points{Look: chart.Look{Name: "not covered", Color: style.Vermillion, Width: 1.6}}
	all := *layer
	for k, v := range near {
		sin, cos := math.Sincos(2 * math.Pi * float64(k) / netSteps)
		all.X, all.Y = append(all.X, cos), append(all.Y, sin)
		if v <= epsilon {
			cos, sin = math.NaN(), math.NaN()
		}
		layer.X, layer.Y = append(layer.X, cos), append(layer.Y, sin)
	}
	layer.Columns = []chart.Column{{Name: "distance", Numbers: near}, {Name: "sx", Numbers: all.X, Hidden: true}, {Name: "sy", Numbers: all.Y, Hidden: true}}
	layer.Transform = []vega.Object{{"filter": "datum.distance>epsilon"}, {"calculate": "datum.sx", "as": "x"}, {"calculate": "datum.sy", "as": "y"}}
	return layer
}

func netPoints(points [][2]float64) chart.Layer {
	layer := &chart.Points{Look: chart.Look{Name: "net T", Color: style.Blue, Width: 3}}
	for _, p := range points {
		layer.X, layer.Y = append(layer.X, p[0]), append(layer.Y, p[1])
	}
	return layer
}

// netReadout writes the covered share of the circle at the ε of the slider.
func netReadout(near []float64) []chart.Layer {
	zero := make([]float64, len(near))
	line := func(panel int, text string) chart.Layer {
		look := chart.Look{Color: style.Black, Only: chart.LiveOnly, Columns: []chart.Column{{Name: "distance", Numbers: near}}, Transform: []vega.Object{
			{"calculate": "datum.distance<=epsilon?1:0", "as": "covered"},
			{"aggregate": []vega.Object{{"op": "mean", "field": "covered", "as": "share"}}},
			{"calculate": text, "as": "label"},
		}}
		return &chart.Text{Look: look, X: zero, Y: zero, Labels: make([]string, len(zero)), Panel: panel}
	}
	return []chart.Layer{line(1, "'at ε = '+format(epsilon,'.3f')"), line(2, "'covered: '+format(datum.share,'.1%')")}
}

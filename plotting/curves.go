package plotting

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sparsero/directions/plotting/chart"
	"github.com/sparsero/directions/plotting/internal/label"
	"github.com/sparsero/directions/plotting/style"
	"gonum.org/v1/gonum/stat"
)

// Series is one curve, with a band around it if Low and High are given. NaN interrupts it.
type Series struct {
	// Name is the legend entry; default none.
	Name string
	// X and Y are the points in the order in which they are joined, of one length; in the units
	// that the labels of the axes name.
	X, Y []float64
	// Low and High are the ends of the band at each X, as many as there are points; both nil draw no band.
	Low, High []float64
}

// Mark is a straight line at one value of an axis, with a label; an infinite value is drawn as an arrow.
type Mark struct {
	// Value is where the line crosses its axis, in the unit of that axis.
	Value float64
	// Label is written at the line; default none.
	Label string
	// Vertical marks a value of the x axis; default one of the y axis.
	Vertical bool
}

// CurveOptions describe a line chart; nil gives the defaults.
type CurveOptions struct {
	// Title and Subtitle stand above the picture; default none.
	Title, Subtitle string
	// XLabel and YLabel name the axes, with units in brackets; default "x" and "y".
	XLabel, YLabel string
	// LogX and LogY make an axis logarithmic; values that are not positive are left out.
	LogX, LogY bool
	// Time reads X as seconds since 1970 and labels the axis with dates.
	Time bool
	// Step draws steps, each value lasting until the next point.
	Step bool
	// Markers draws the points on the lines.
	Markers bool
	// Zero includes 0 on the y axis.
	Zero bool
	// Marks are reference lines; default none.
	Marks []Mark
	// BandNote says in the text line what the bands are, such as "10 to 90 % of 50 runs".
	BandNote string
	// Height is the height in CSS pixels; default 400.
	Height float64
}

// Curves draws series as lines with their bands: price paths, onset and success curves, anything that depends on one
// number. It is an error if there are no series, if the lists of a series differ in length, or if a value is infinite.
func Curves(series []Series, o *CurveOptions) (*Figure, error) {
	o = given(o)
	if len(series) == 0 {
		return nil, fmt.Errorf("plotting: series is empty: %w; give at least one", chart.ErrNoData)
	}
	c := &chart.Chart{
		Title: o.Title, Subtitle: o.Subtitle, Height: o.Height,
		X: chart.Axis{Label: o.XLabel},
		Y: chart.Axis{Label: cmp.Or(o.YLabel, "y"), Zero: o.Zero},
	}
	switch {
	case o.Time:
		c.X.Scale, c.X.Label = chart.Time, cmp.Or(o.XLabel, "date")
	case o.LogX:
		c.X.Scale = chart.Log
	}
	c.X.Label = cmp.Or(c.X.Label, "x")
	if o.LogY {
		c.Y.Scale = chart.Log
	}
	for _, s := range series {
		if (s.Low == nil) != (s.High == nil) {
			return nil, fmt.Errorf("plotting: series %q has only one limit of its band; give Low and High, or neither", s.Name)
		}
	}
	c.Layers = seriesLayers(series, o.Step, o.Markers)
	for _, m := range o.Marks {
		c.Layers = append(c.Layers, m.layer())
	}
	return NewFigure(c, curveAlt(c, series, o.BandNote))
}

// seriesLayers draws series as lines in front of their bands.
func seriesLayers(series []Series, step, markers bool) (layers []chart.Layer) {
	for i, s := range series {
		if s.Low != nil {
			look := chart.Look{Name: s.Name, Color: style.Fade(style.Series(i), 0.2), NoTooltip: true}
			layers = append(layers, &chart.Band{Look: look, X: s.X, Low: s.Low, High: s.High, Step: step})
		}
	}
	for i, s := range series {
		look := chart.Look{Name: s.Name, Color: style.Series(i), Dash: style.Dash(i)}
		if len(s.X) > mostDashed {
			look.Dash, look.Width = nil, 1.2 // dashes would only look like noise
		}
		layers = append(layers, &chart.Line{Look: look, X: s.X, Y: s.Y, Step: step, Markers: markers})
	}
	return layers
}

// mostDashed is the number of points up to which lines differ by dashes as well as by colour.
const mostDashed = 200

func (m Mark) layer() chart.Layer {
	return &chart.Rule{Look: chart.Look{Color: style.Grey, Dash: []float64{4, 3}}, Value: m.Value, Label: m.Label, Vertical: m.Vertical}
}

// mostNamed is the number of series up to which the text line gives the last value of each.
const mostNamed = 8

func curveAlt(c *chart.Chart, series []Series, bandNote string) string {
	text := label.Unicode(c.Y.Label) + " against " + label.Unicode(c.X.Label)
	var ends []string
	for i, s := range series {
		ends = append(ends, fmt.Sprintf("%s ends at %s", cmp.Or(s.Name, fmt.Sprintf("series %d", i+1)), label.Number(lastNumber(s.Y))))
	}
	if len(series) > mostNamed {
		text += fmt.Sprintf(", %d series", len(series))
	} else {
		text += ": " + strings.Join(ends, ", ")
	}
	if bandNote != "" {
		text += "; bands: " + bandNote
	}
	return text + "."
}

func lastNumber(values []float64) float64 {
	for _, v := range slices.Backward(values) {
		if !math.IsNaN(v) {
			return v
		}
	}
	return math.NaN()
}

// Quantiles reduces repetitions to one series: at each position the median of the values, and the band between the
// quantiles at level and 1-level (0 means 0.1, the range of the middle 80 %). Repetitions may have different lengths;
// NaN values are left out. A quantile is the order statistic of integer rank ceil(n·level). Values beyond the positions
// are not looked at. It is an error if the level is outside (0, 0.5).
func Quantiles(name string, x []float64, repetitions [][]float64, level float64) (Series, error) {
	level = cmp.Or(level, 0.1)
	if !(level > 0 && level < 0.5) {
		return Series{}, fmt.Errorf("plotting: level %g is outside (0, 0.5); 0.1 gives the middle 80 %%", level)
	}
	s := Series{Name: name, X: x, Y: make([]float64, len(x)), Low: make([]float64, len(x)), High: make([]float64, len(x))}
	for i := range x {
		var values []float64
		for _, r := range repetitions {
			if i < len(r) && !math.IsNaN(r[i]) {
				values = append(values, r[i])
			}
		}
		slices.Sort(values)
		s.Low[i], s.Y[i], s.High[i] = ranked(values, level), ranked(values, 0.5), ranked(values, 1-level)
	}
	return s, nil
}

// ranked returns the order statistic of rank ceil(n·level) of sorted values.
func ranked(sorted []float64, level float64) float64 {
	if len(sorted) == 0 {
		return math.NaN()
	}
	return stat.Quantile(level, stat.Empirical, sorted, nil)
}

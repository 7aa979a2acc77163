package plotting

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"github.com/sparsero/directions/plotting/chart"
	"github.com/sparsero/directions/plotting/style"
	"gonum.org/v1/gonum/stat"
)

// GrowthOptions describe a growth picture; nil gives the defaults.
type GrowthOptions struct {
	// Title and Subtitle stand above the picture; default "Growth".
	Title, Subtitle string
	// XLabel and YLabel name the axes, with units in brackets; default "size" and "time [s]".
	XLabel, YLabel string
	// Slopes are exponents of reference lines drawn through the first point of the first
	// series; default none.
	Slopes []float64
	// Width and Height are the size in CSS pixels; default 640 × 400.
	Width, Height float64
}

// Growth draws series on two logarithmic axes, where y = c x^k is a straight line of slope k.
// The legend gives the exponent k of each series, fitted by least squares to the logarithms.
// It is an error if no series has a positive point.
func Growth(series []Series, o *GrowthOptions) (*Figure, error) {
	if o == nil {
		o = &GrowthOptions{}
	}
	named := make([]Series, len(series))
	var parts []string
	for i, s := range series {
		named[i] = s
		if k := exponent(s); !math.IsNaN(k) {
			named[i].Name = fmt.Sprintf("%s, exponent %.2f", cmp.Or(s.Name, fmt.Sprintf("series %d", i+1)), k)
			parts = append(parts, named[i].Name)
		}
	}
	c, err := curveChart(named, &CurveOptions{
		Title: cmp.Or(o.Title, "Growth"), Subtitle: o.Subtitle, XLabel: cmp.Or(o.XLabel, "size"), YLabel: cmp.Or(o.YLabel, "time [s]"),
		LogX: true, LogY: true, Markers: true, Width: o.Width, Height: o.Height,
	})
	if err != nil {
		return nil, err
	}
	for i, slope := range o.Slopes {
		line, err := reference(series, slope, style.Dash(i+2))
		if err != nil {
			return nil, err
		}
		c.Layers = append(c.Layers, line)
	}
	alt := fmt.Sprintf("%s against %s on logarithmic axes", style.Unicode(c.Y.Label), style.Unicode(c.X.Label))
	if len(parts) > 0 {
		alt += ": " + strings.Join(parts, "; ")
	}
	return NewFigure(c, alt+".")
}

// exponent fits log y = a + k log x to the positive points; NaN with fewer than two sizes.
func exponent(s Series) float64 {
	var x, y []float64
	for i := range min(len(s.X), len(s.Y)) {
		if s.X[i] > 0 && s.Y[i] > 0 && !math.IsInf(s.X[i], 1) && !math.IsInf(s.Y[i], 1) {
			x, y = append(x, math.Log(s.X[i])), append(y, math.Log(s.Y[i]))
		}
	}
	if len(x) < 2 || stat.Variance(x, nil) == 0 {
		return math.NaN()
	}
	_, k := stat.LinearRegression(x, y, nil, false)
	return k
}

// reference is the line c x^slope through the first positive point, over the range of all
// sizes.
func reference(series []Series, slope float64, dash []float64) (chart.Layer, error) {
	if math.IsNaN(slope) || math.IsInf(slope, 0) {
		return nil, fmt.Errorf("plotting: slope %g is not a finite number", slope)
	}
	low, high := math.Inf(1), 0.0
	x0, y0 := math.NaN(), math.NaN()
	for _, s := range series {
		for i := range min(len(s.X), len(s.Y)) {
			if !(s.X[i] > 0 && s.Y[i] > 0) {
				continue
			}
			low, high = min(low, s.X[i]), max(high, s.X[i])
			if math.IsNaN(x0) {
				x0, y0 = s.X[i], s.Y[i]
			}
		}
	}
	look := chart.Look{Name: fmt.Sprintf("slope %.4g", slope), Color: style.Grey, Dash: dash, Width: 1.2, NoTooltip: true}
	if math.IsNaN(x0) {
		return &chart.Line{Look: look}, nil
	}
	at := func(x float64) float64 { return y0 * math.Pow(x/x0, slope) }
	return &chart.Line{Look: look, X: []float64{low, high}, Y: []float64{at(low), at(high)}}, nil
}

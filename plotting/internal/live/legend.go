package live

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"strings"

	"github.com/sparsero/directions/plotting/chart"
	"github.com/sparsero/directions/plotting/internal/label"
	"github.com/sparsero/directions/plotting/internal/layout"
	"github.com/sparsero/directions/plotting/style"
)

// legendSymbol is the area in pixels of the box of a symbol, the square from -1 to 1 in which its path is drawn.
const legendSymbol = 400

// seriesName is the name of a series in the legend and in tooltips.
func seriesName(name string) string { return label.Unicode(label.OneLine(name)) }

// legendSymbols is a layer without marks that can be seen. Its points are the symbols of the legend, which Vega-Lite
// would otherwise choose from whatever kind of mark comes first.
func (s *spec) legendSymbols() []object {
	if len(s.legend) == 0 {
		return nil
	}
	var names []string
	var rows []object
	looks := map[string][]any{}
	for k, entry := range s.legend {
		symbol := symbolOf(entry)
		names = append(names, seriesName(entry.Name))
		rows = append(rows, object{"series": names[k]})
		for channel, value := range map[string]any{"shape": symbol.path, "fill": symbol.fill, "stroke": symbol.line, "strokeDash": symbol.dash} {
			looks[channel] = append(looks[channel], value)
		}
	}
	encoding := object{}
	for channel, values := range looks {
		encoding[channel] = object{
			"field": "series", "type": "nominal", "scale": object{"domain": names, "range": values},
			"legend": object{"title": nil, "symbolOpacity": 1},
		}
	}
	return []object{{
		"data":     object{"values": rows},
		"mark":     object{"type": "point", "opacity": 0, "size": 0, "tooltip": nil},
		"encoding": encoding,
	}}
}

// symbol is what an entry looks like: a path, its filling, and its line with the dashes of this.
type symbol struct {
	path, fill, line string
	dash             []float64
}

// Parts of symbols.
const (
	linePath  = "M-1,0H1"
	arrowHead = "M1,0L0.3,-0.4L0.3,0.4Z"
	swatch    = "M-1,-0.55H1V0.55H-1Z"
)

// sampleUnit is what a point of the radius of a mark is of half of the box.
const sampleUnit = 0.6 / layout.SampleRadius

// symbolOf draws the layers of an entry over each other. Of a band behind a line only the line is drawn, which would be the
// edge of the band too.
func symbolOf(entry layout.Entry) symbol {
	s := symbol{fill: paint(color.NRGBA{}), line: paint(color.NRGBA{}), dash: []float64{1, 0}}
	for _, l := range entry.Layers {
		s.add(l)
	}
	for _, l := range entry.Layers {
		if _, isBand := l.Layer.(*chart.Band); isBand && s.path == "" {
			s.area(l.Ink)
		}
	}
	return s
}

func (s *symbol) add(l layout.Layer) {
	switch mark := l.Layer.(type) {
	case *chart.Line:
		s.stroke(linePath, l)
		if mark.Markers {
			s.point(chart.Circle, layout.MarkerRadius, l.Ink)
		}
	case *chart.Rule:
		s.stroke(linePath, l)
	case *chart.Segments:
		s.stroke(linePath, l)
		if mark.Arrow {
			s.path, s.fill = s.path+arrowHead, paint(l.Ink)
		}
	case *chart.Points:
		s.point(mark.Shape, min(cmp.Or(l.Width, layout.PointRadius), layout.SampleRadius), l.Ink)
	case *chart.Bars:
		s.area(l.Ink)
	case *chart.Polygon:
		s.stroke(swatch, l)
		if mark.Fill >= 0 {
			s.fill = paint(style.Fade(l.Ink, cmp.Or(mark.Fill, layout.FillOpacity)))
		}
	}
}

func (s *symbol) area(c color.NRGBA) { s.path, s.fill = s.path+swatch, paint(c) }

func (s *symbol) stroke(path string, l layout.Layer) {
	s.path, s.line = s.path+path, paint(l.Ink)
	if l.Dash != nil {
		s.dash = dashes(l.Dash)
	}
}

func (s *symbol) point(shape chart.Shape, radius float64, c color.NRGBA) {
	r := radius * sampleUnit
	if corners := cornersPath(shape, r); corners != "" {
		s.path += corners
	} else {
		s.path += fmt.Sprintf("M%[1]g,0A%[1]g,%[1]g,0,1,1,-%[1]g,0A%[1]g,%[1]g,0,1,1,%[1]g,0Z", round(r))
	}
	if s.fill = paint(c); shape == chart.Ring {
		s.fill, s.line = paint(style.White), paint(c)
	}
}

// cornersPath is a path through the corners of a shape, "" for a round one.
func cornersPath(shape chart.Shape, radius float64) string {
	corners := layout.Corners(shape, radius)
	if corners == nil {
		return ""
	}
	places := make([]string, len(corners))
	for k, p := range corners {
		places[k] = fmt.Sprintf("%g,%g", round(p.X), round(-p.Y))
	}
	return "M" + strings.Join(places, "L") + "Z"
}

// round keeps two decimals, a tenth of a pixel in the box of a symbol.
func round(v float64) float64 { return math.Round(100*v) / 100 }

func paint(c color.NRGBA) string {
	return fmt.Sprintf("rgba(%d,%d,%d,%.2g)", c.R, c.G, c.B, float64(c.A)/255)
}

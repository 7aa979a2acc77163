// Package live writes a chart as a Vega-Lite specification, which JupyterLab and a page with Vega draw with tooltips, zoom
// and sliders.
//
// Where things are:
//
//	live      the specification, its largest size, title, sliders and house style
//	legend    the entries of the legend and their symbols, as static/picture.go draws them
//	encoding  channels of positions, rows, tooltips
//	marks     what a layer becomes in Vega-Lite
package live

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"github.com/sparsero/directions/plotting/chart"
	"github.com/sparsero/directions/plotting/internal/label"
	"github.com/sparsero/directions/plotting/internal/layout"
	"github.com/sparsero/directions/plotting/style"
)

// Limits of a specification.
const (
	// sizeLimit is its largest size in bytes as it is sent, in base64.
	sizeLimit = 2_000_000
	// firstCap is the number of rows of a layer that is tried when all of them are too many.
	firstCap = 10_000
	// leastCap is the number of rows of a layer below which thinning gives up.
	leastCap = 50
)

// Specification returns a chart as a Vega-Lite specification. If it would be larger than 2 MB in base64, its layers are
// thinned: lines keep their extremes, points are taken at even distances. The remark then says so, also in the subtitle of
// the chart; otherwise it is empty. The errors are those of static.Picture, and that of a chart too large even when thinned.
func Specification(c *chart.Chart) (specification json.RawMessage, remark string, err error) {
	f, err := layout.New(c)
	if err != nil {
		return nil, "", err
	}
	largest := 0
	for _, l := range f.Layers(chart.LiveOnly) {
		largest = max(largest, l.Rows())
	}
	for rowCap := min(largest, firstCap); rowCap >= min(leastCap, largest); rowCap /= 2 {
		if rowCap < largest {
			remark = fmt.Sprintf("interactive view thinned to %d of %d rows per layer", rowCap, largest)
		}
		data, err := json.Marshal((&spec{Chart: f, rowCap: rowCap, remark: remark}).build())
		if err != nil {
			return nil, "", fmt.Errorf("chart: writing the specification of %q: %w", c.Title, err)
		}
		if base64.StdEncoding.EncodedLen(len(data)) <= sizeLimit {
			return data, remark, nil
		}
	}
	return nil, "", fmt.Errorf("chart: the interactive view of %q exceeds %d bytes even when thinned; draw fewer layers", c.Title, sizeLimit)
}

// schema is the address that names the dialect; nothing is fetched from it.
const schema = "https://vega.github.io/schema/vega-lite/v5.json"

// sheetMargin is the margin in pixels of the white sheet, which shows in a dark theme.
const sheetMargin = 8

func (s *spec) build() object {
	s.legend = s.Legend(chart.LiveOnly)
	var layers []object
	for _, l := range s.Layers(chart.LiveOnly) {
		layers = append(layers, s.mark(l.Layer, l.Ink)...)
	}
	layers = append(layers, s.legendSymbols()...)
	out := object{
		"$schema": schema, "background": "white", "padding": sheetMargin, "config": config(),
		"layer": layers, "width": s.Area.X, "height": s.Area.Y,
	}
	if title := s.title(); title != nil {
		out["title"] = title
	}
	if params := sliders(s.Sliders); params != nil {
		out["params"] = params
	}
	return out
}

// Room for the letters of a title: the mean width of one in pixels, the part of the figure that a title may take where
// the data are narrower, and the least number of letters in a line.
const (
	titleChar  = 7.2
	titleShare = 0.6
	leastTitle = 20
)

func (s *spec) title() object {
	if s.Title == "" && s.Subtitle == "" && s.remark == "" {
		return nil
	}
	fits := max(leastTitle, int(max(s.Area.X, s.Width*titleShare)/titleChar))
	wrapped := func(text string) []string {
		return label.Wrap(label.Unicode(text), float64(fits), func(s string) float64 { return float64(utf8.RuneCountInString(s)) })
	}
	title := object{"text": "", "anchor": "start", "frame": "group"}
	if s.Title != "" {
		title["text"] = wrapped(s.Title)
	}
	subtitle := wrapped(s.Subtitle)
	if s.remark != "" {
		subtitle = append(subtitle, s.remark)
	}
	if len(subtitle) > 0 {
		title["subtitle"] = subtitle
	}
	return title
}

func sliders(list []chart.Slider) []object {
	var out []object
	for _, p := range list {
		name := cmp.Or(label.Unicode(p.Label), p.Name)
		out = append(out, object{"name": p.Name, "value": p.Value, "bind": object{
			"input": "range", "min": p.Min, "max": p.Max, "step": p.Step, "name": name + " ",
		}})
	}
	return out
}

// family is the font family that charts ask for, the closest match to the font of the static pictures.
const family = "Liberation Sans, Arial, Helvetica, sans-serif"

// labelSeparation is the least distance in CSS pixels of two labels of an axis; of closer ones
// the browser leaves one out, where it would let them touch by default.
const labelSeparation = 5

// config is the house style in the words of Vega-Lite. Every chart is a white sheet with dark ink,
// as its static picture is; each colour is named here, since a front end with a dark theme would
// otherwise write its own white letters onto the sheet.
func config() object {
	ink, line := style.Hex(style.Black), style.Hex(style.Grey)
	return object{
		"font": family,
		"view": object{"stroke": nil},
		"axis": object{
			"labelColor": ink, "titleColor": ink, "domainColor": line, "tickColor": line, "gridColor": style.Hex(layout.GridColor),
			"labelFontSize": 12, "titleFontSize": 13, "titleFontWeight": "normal", "labelLimit": 260,
			"labelSeparation": labelSeparation,
		},
		"legend": object{
			"labelColor": ink, "titleColor": ink, "labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": "normal",
			"labelLimit": 260, "symbolSize": legendSymbol, "symbolStrokeWidth": 2, "rowPadding": 3,
		},
		"style": object{"guide-label": object{"fill": ink}, "guide-title": object{"fill": ink}},
		"title": object{"color": ink, "fontSize": 16, "subtitleFontSize": 12, "subtitleColor": "#595959", "subtitlePadding": 5, "offset": 8},
		"text":  object{"fontSize": 12},
	}
}

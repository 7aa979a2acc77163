package chart

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"unicode/utf8"

	"github.com/sparsero/directions/plotting/style"
	"github.com/sparsero/directions/plotting/vega"
)

// Limits of the interactive rendering.
const (
	// LiveLimit is the largest size of a specification in bytes as it is sent, in base64.
	LiveLimit = 2_000_000
	// firstCap is the number of rows of a layer that is tried when all of them are too many.
	firstCap = 10_000
	// leastCap is the number of rows of a layer below which thinning gives up.
	leastCap = 50
)

// Live returns the interactive rendering as a Vega-Lite specification. If it would be larger
// than LiveLimit its layers are thinned: lines keep their extremes, points are taken at even
// distances. The remark then says so, also in the subtitle of the chart; otherwise it is empty. The
// errors are those of Static.
func (c *Chart) Live() (specification json.RawMessage, remark string, err error) {
	p, err := c.prepare()
	if err != nil {
		return nil, "", err
	}
	largest := 0
	for _, l := range c.Layers {
		largest = max(largest, count(l))
	}
	for rowCap := min(largest, firstCap); rowCap >= min(leastCap, largest); rowCap /= 2 {
		if rowCap < largest {
			remark = fmt.Sprintf("interactive view thinned to %d of %d rows per layer", rowCap, largest)
		}
		data, err := json.Marshal((&spec{p: p, rowCap: rowCap, remark: remark}).build())
		if err != nil {
			return nil, "", fmt.Errorf("chart: writing the specification of %q: %w", c.Title, err)
		}
		if base64.StdEncoding.EncodedLen(len(data)) <= LiveLimit {
			return data, remark, nil
		}
	}
	return nil, "", fmt.Errorf("chart: the interactive view of %q exceeds %d bytes even when thinned; draw fewer layers", c.Title, LiveLimit)
}

// spec is a specification under construction.
type spec struct {
	p             *prepared
	rowCap        int
	remark        string
	width, height float64 // of the data area
	zoomed        bool    // the zoom selection is defined
}

func (s *spec) build() vega.Object {
	s.width, s.height = s.size()
	var layers []vega.Object
	for i, l := range s.p.Layers {
		if l.look().Only != StaticOnly && count(l) > 0 {
			layers = append(layers, l.live(s, s.p.colors[i])...)
		}
	}
	layers = append(layers, s.legend()...)
	out := vega.Object{
		"$schema": vega.Schema, "background": "white", "padding": sheetMargin, "config": config(),
		"layer": layers, "width": s.width, "height": s.height,
	}
	if title := s.title(s.width); title != nil {
		out["title"] = title
	}
	if params := sliders(s.p.Sliders); params != nil {
		out["params"] = params
	}
	return out
}

// sheetMargin is the margin in pixels of the white sheet, which shows in a dark theme.
const sheetMargin = 8

// Room for axes, title and legend around the data area, in CSS pixels, and the mean width of
// a character.
const (
	roomForYAxis  = 62
	roomForXAxis  = 44
	roomForTitle  = 34
	lineOfTitle   = 18
	roomForLegend = 42
	charWidth     = 6.2
	leastData     = 120
)

// size returns the width and height of the data area, such that the whole chart has about
// the size that was asked for. (Vega-Lite can fit the whole itself, but clips titles then.)
func (s *spec) size() (width, height float64) {
	legend := 0.0
	if longest := s.longestLegend(); longest > 0 {
		legend = roomForLegend + charWidth*float64(longest)
	}
	left := float64(roomForYAxis)
	for _, name := range s.p.Y.Categories {
		left = max(left, 28+charWidth*float64(utf8.RuneCountInString(oneLine(name))))
	}
	top := 0.0
	if s.p.Title != "" || s.p.Subtitle != "" {
		top = roomForTitle
	}
	if s.p.Subtitle != "" {
		top += lineOfTitle
	}
	width, height = max(leastData, s.p.width-left-legend), max(leastData, s.p.height-roomForXAxis-top)
	if s.p.Equal {
		spanX, spanY := s.p.x.max-s.p.x.min, s.p.y.max-s.p.y.min
		unit := min(width/spanX, height/spanY)
		width, height = spanX*unit, spanY*unit
	}
	return math.Round(width), math.Round(height)
}

// longestLegend is the number of characters of the longest entry beside the data.
func (s *spec) longestLegend() (longest int) {
	for _, name := range s.p.names(StaticOnly) {
		longest = max(longest, utf8.RuneCountInString(seriesName(name)))
	}
	for _, l := range s.p.Layers {
		if text, ok := l.(*Text); ok && text.Panel > 0 {
			longest = max(longest, panelChars)
		}
	}
	return longest
}

// panelChars is the room for a line of the column of values beside the data.
const panelChars = 20

func (s *spec) title(width float64) vega.Object {
	if s.p.Title == "" && s.p.Subtitle == "" && s.remark == "" {
		return nil
	}
	fits := max(20, int(max(width, s.p.width*0.6)/7.2))
	title := vega.Object{"text": "", "anchor": "start", "frame": "group"}
	if s.p.Title != "" {
		title["text"] = wrapRunes(style.Unicode(s.p.Title), fits)
	}
	subtitle := wrapRunes(style.Unicode(s.p.Subtitle), fits)
	if s.remark != "" {
		subtitle = append(subtitle, s.remark)
	}
	if len(subtitle) > 0 {
		title["subtitle"] = subtitle
	}
	return title
}

// wrapRunes breaks a text into lines of at most n characters.
func wrapRunes(text string, n int) []string {
	return wrap(text, length(n), func(s string) length { return length(utf8.RuneCountInString(s)) })
}

func sliders(list []Slider) []vega.Object {
	var out []vega.Object
	for _, p := range list {
		label := cmp.Or(style.Unicode(p.Label), p.Name)
		out = append(out, vega.Object{"name": p.Name, "value": p.Value, "bind": vega.Object{
			"input": "range", "min": p.Min, "max": p.Max, "step": p.Step, "name": label + " ",
		}})
	}
	return out
}

// legendSymbol is the area in pixels of a dot in the legend.
const legendSymbol = 100

// labelSeparation is the least distance in CSS pixels of two labels of an axis; of closer ones
// the browser leaves one out, where it would let them touch by default.
const labelSeparation = 5

// config is the house style in the words of Vega-Lite. Every chart is a white sheet with dark ink,
// as its static picture is; each colour is named here, since a front end with a dark theme would
// otherwise write its own white letters onto the sheet.
func config() vega.Object {
	ink, line, grid := style.Hex(style.Black), style.Hex(style.Grey), "#e4e4e4"
	return vega.Object{
		"font": style.Family,
		"view": vega.Object{"stroke": nil},
		"axis": vega.Object{
			"labelColor": ink, "titleColor": ink, "domainColor": line, "tickColor": line, "gridColor": grid,
			"labelFontSize": 12, "titleFontSize": 13, "titleFontWeight": "normal", "labelLimit": 260,
			"labelSeparation": labelSeparation,
		},
		"legend": vega.Object{"labelColor": ink, "titleColor": ink, "labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": "normal", "labelLimit": 260, "symbolSize": legendSymbol, "rowPadding": 3},
		"style":  vega.Object{"guide-label": vega.Object{"fill": ink}, "guide-title": vega.Object{"fill": ink}},
		"title":  vega.Object{"color": ink, "fontSize": 16, "subtitleFontSize": 12, "subtitleColor": "#595959", "subtitlePadding": 5, "offset": 8},
		"text":   vega.Object{"fontSize": 12},
	}
}

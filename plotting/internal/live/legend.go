package live

import (
	"github.com/sparsero/directions/plotting/internal/label"
	"github.com/sparsero/directions/plotting/style"
)

// legendSymbol is the area in pixels of a dot in the legend.
const legendSymbol = 100

// seriesName is the name of a series in the legend and in tooltips.
func seriesName(name string) string { return label.Unicode(label.OneLine(name)) }

// series is the colour channel: the series in the order of the legend.
func (s *spec) series() object {
	domain, colors := make([]string, len(s.legend)), make([]string, len(s.legend))
	for k, entry := range s.legend {
		domain[k], colors[k] = seriesName(entry.Name), style.Hex(entry.Ink())
	}
	return object{
		"field": "series", "type": "nominal", "scale": object{"domain": domain, "range": colors},
		"legend": object{"title": nil, "symbolOpacity": 1},
	}
}

// legendSymbols is a layer without marks that can be seen. Its dots are the symbols of the legend, which
// Vega-Lite would otherwise choose from whatever kind of mark comes first.
func (s *spec) legendSymbols() []object {
	if len(s.legend) == 0 {
		return nil
	}
	rows := make([]object, len(s.legend))
	for i, entry := range s.legend {
		rows[i] = object{"series": seriesName(entry.Name)}
	}
	return []object{{
		"data":     object{"values": rows},
		"mark":     object{"type": "point", "filled": true, "opacity": 0, "size": 0, "tooltip": nil},
		"encoding": object{"color": s.series()},
	}}
}

// legendStyle is how every legend looks, in the words of Vega-Lite.
func legendStyle(ink string) object {
	return object{
		"labelColor": ink, "titleColor": ink, "labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": "normal",
		"labelLimit": 260, "symbolSize": legendSymbol, "rowPadding": 3,
	}
}

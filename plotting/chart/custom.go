package chart

import (
	"image/color"
	"maps"

	"github.com/sparsero/directions/plotting/vega"
	"gonum.org/v1/plot"
)

// Custom is a mark that this package does not have: a plotter of gonum/plot, or of your own, draws
// it in the static picture, and a mark of Vega-Lite in the interactive one. Either may be left out;
// the layer is then missing in that rendering.
type Custom struct {
	Look
	// X and Y, of one length, are the rows of the interactive mark, with Columns beside them, and
	// the values that the axes must show.
	X, Y []float64
	// Plotter draws the static picture; if it is a plot.Thumbnailer, its legend entry as well.
	Plotter plot.Plotter
	// Mark is the mark of Vega-Lite with its properties, such as {"type": "rule"}, and Encoding its
	// channels besides x and y, such as {"y2": {"field": "upper"}} for a column named upper.
	Mark, Encoding vega.Object
}

func (l *Custom) lists() []list { return []list{{name: "x", values: l.X}, {name: "y", values: l.Y}} }

func (l *Custom) draw(s *canvas, _ color.NRGBA) {
	if l.Plotter != nil {
		l.Plotter.Plot(s.Canvas, s.plot)
	}
}

func (l *Custom) thumbnail(s *canvas, c color.NRGBA) {
	if t, ok := l.Plotter.(plot.Thumbnailer); ok {
		t.Thumbnail(&s.Canvas)
		return
	}
	s.swatch(c)
}

func (l *Custom) live(s *spec, c color.NRGBA) []vega.Object {
	if l.Mark == nil {
		return nil
	}
	encoding := s.xy()
	maps.Copy(encoding, l.Encoding)
	rows := s.rows(&l.Look, evenRows(len(l.X), s.rowCap), nil, s.x("x", l.X), s.y("y", l.Y))
	return []vega.Object{s.encode(&l.Look, maps.Clone(l.Mark), encoding, rows, ink(&l.Look, c))}
}

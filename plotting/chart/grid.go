package chart

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/sparsero/directions/plotting/style"
	"github.com/sparsero/directions/plotting/vega"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"
)

// Grid is several charts in one figure, row by row, with their data areas aligned. Sliders of the
// same name are one slider, which is the first of them.
type Grid struct {
	// Title stands above all charts; each chart keeps its own title.
	Title string
	// Charts are the charts row by row, at least one; their sizes are replaced.
	Charts []*Chart
	// Columns is the number of charts in a row, at least 1; default 2, and 1 for one chart.
	Columns int
}

// Sizes of grids in CSS pixels. Rows are as high as their tallest chart, scaled with the width.
const (
	gridWidth      = 960
	gridSpacing    = 16
	leastRowHeight = 260
)

// preparedGrid is a grid whose charts are checked and have their sizes.
type preparedGrid struct {
	*Grid
	columns int
	width   float64
	heights []float64 // by row
	panels  []*prepared
}

func (g *Grid) prepare() (*preparedGrid, error) {
	if len(g.Charts) == 0 {
		return nil, fmt.Errorf("chart: grid %q has no charts: %w", g.Title, ErrNoData)
	}
	if g.Columns < 0 {
		return nil, fmt.Errorf("chart: grid %q has %d columns; give at least 1, or 0 for the default", g.Title, g.Columns)
	}
	p := &preparedGrid{Grid: g, columns: min(cmp.Or(g.Columns, 2), len(g.Charts)), width: gridWidth}
	if p.columns == 1 {
		p.width = style.DefaultWidth
	}
	cell := p.width / float64(p.columns)
	for i, c := range g.Charts {
		if c == nil {
			return nil, fmt.Errorf("chart: chart %d of grid %q is nil", i, g.Title)
		}
		if i%p.columns == 0 {
			p.heights = append(p.heights, leastRowHeight)
		}
		row := &p.heights[i/p.columns]
		*row = max(*row, cmp.Or(c.Height, style.DefaultHeight)*min(1, cell/cmp.Or(c.Width, style.DefaultWidth)))
	}
	for i, c := range g.Charts {
		sized := *c
		sized.Width, sized.Height = cell, p.heights[i/p.columns]
		panel, err := sized.prepare()
		if err != nil {
			return nil, err
		}
		p.panels = append(p.panels, panel)
	}
	return p, nil
}

// Static returns the picture of the grid, with the data areas aligned in rows and columns. It is
// an error if there are no charts, if Columns is negative, or if one of the charts cannot be drawn.
func (g *Grid) Static() (*Picture, error) {
	p, err := g.prepare()
	if err != nil {
		return nil, err
	}
	height := 0.0
	if p.Title != "" {
		height = titleHeight
	}
	for _, h := range p.heights {
		height += h
	}
	return &Picture{width: p.width, height: height, draw: p.draw}, nil
}

// titleHeight is the height of the title of a grid in CSS pixels.
const titleHeight = 30

func (f *preparedGrid) draw(c draw.Canvas) {
	if f.Title != "" {
		sty := style.Bold(style.Text(titleSize, style.Black, draw.XLeft, draw.YTop))
		c.FillText(sty, vg.Point{X: c.Min.X + gridMargin, Y: c.Max.Y - gridMargin}, f.Title)
		c.Max.Y -= titleHeight * style.Pixel
	}
	cells := f.cells(c)
	least := f.align(cells)
	for i, panel := range f.panels {
		panel.drawWithin(cells[i], least[i])
	}
}

// gridMargin is the margin in points around the title.
const gridMargin = 8

// cells divides a canvas into one for each chart.
func (f *preparedGrid) cells(c draw.Canvas) []draw.Canvas {
	out := make([]draw.Canvas, len(f.panels))
	width, top := (c.Max.X-c.Min.X)/vg.Length(f.columns), c.Max.Y
	for i := range out {
		row, column := i/f.columns, i%f.columns
		height := vg.Length(f.heights[row]) * style.Pixel
		out[i] = style.Margin(draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{
			Min: vg.Point{X: c.Min.X + width*vg.Length(column), Y: top - height}, Max: vg.Point{X: c.Min.X + width*vg.Length(column+1), Y: top},
		}})
		if column == f.columns-1 {
			top -= height
		}
	}
	return out
}

// align returns the insets of all charts: the largest left and right ones of each column, and the
// largest ones at top and bottom of each row.
func (f *preparedGrid) align(cells []draw.Canvas) []insets {
	own := make([]insets, len(cells))
	for i, panel := range f.panels {
		trial := draw.Canvas{Canvas: new(recorder.Canvas), Rectangle: cells[i].Rectangle}
		own[i] = panel.drawWithin(trial, insets{})
	}
	least := make([]insets, len(cells))
	for i := range own {
		for j, o := range own {
			if i%f.columns == j%f.columns {
				least[i].left, least[i].right = max(least[i].left, o.left), max(least[i].right, o.right)
			}
			if i/f.columns == j/f.columns {
				least[i].bottom, least[i].top = max(least[i].bottom, o.bottom), max(least[i].top, o.top)
			}
		}
	}
	return least
}

// Live returns the interactive rendering as one Vega-Lite specification, thinned like that of
// a chart, with a remark that says so. The errors are those of Static.
func (g *Grid) Live() (specification json.RawMessage, remark string, err error) {
	p, err := g.prepare()
	if err != nil {
		return nil, "", err
	}
	return thinned(g.Title, g.Charts, p.build)
}

func (f *preparedGrid) build(rowCap int, remark string) vega.Object {
	views, datasets := make([]vega.Object, len(f.panels)), vega.Object{}
	var moved []Slider
	for i, panel := range f.panels {
		narrower := *panel // the space between the views counts in the width of the grid
		narrower.width -= gridSpacing * float64(f.columns-1) / float64(f.columns)
		s := &spec{p: &narrower, rowCap: rowCap, suffix: fmt.Sprintf("_%d", i+1)}
		views[i] = s.view()
		maps.Copy(datasets, shareData(views[i]["layer"].([]vega.Object), s.suffix))
		for _, slider := range panel.Sliders {
			if !slices.ContainsFunc(moved, func(o Slider) bool { return o.Name == slider.Name }) {
				moved = append(moved, slider)
			}
		}
	}
	apart := vega.Object{"color": "independent", "shape": "independent"}
	out := vega.Object{
		"$schema": vega.Schema, "background": "white", "padding": sheetMargin, "config": config(), "concat": views, "columns": f.columns, "spacing": gridSpacing,
		"resolve": vega.Object{"scale": apart, "legend": apart},
	}
	if len(datasets) > 0 {
		out["datasets"] = datasets
	}
	if f.Title != "" || remark != "" {
		title := vega.Object{"text": style.Unicode(f.Title), "anchor": "start"}
		if remark != "" {
			title["subtitle"] = remark
		}
		out["title"] = title
	}
	if params := sliders(moved); params != nil {
		out["params"] = params
	}
	return out
}

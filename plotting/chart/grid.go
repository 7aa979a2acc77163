package chart

import (
	"cmp"
	"encoding/json"
	"fmt"
	"image/color"
	"slices"

	"github.com/sparsero/directions/plotting/style"
	"github.com/sparsero/directions/plotting/vega"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"
)

// Grid is several charts in one figure, row by row, with their data areas aligned. Charts that
// all have the same legend share one. Sliders of the same name are one slider.
type Grid struct {
	// Title stands above all charts; each chart keeps its own title.
	Title string
	// Charts are the charts row by row, at least one; their sizes are replaced.
	Charts []*Chart
	// Columns is the number of charts in a row, at least 1; default 2, and 1 for one chart.
	Columns int
	// Width is the width of the whole in CSS pixels; default DefaultGridWidth, and
	// style.DefaultWidth for one column.
	Width float64
	// RowHeight is the height of a row in CSS pixels; default that of its tallest chart,
	// scaled with the width, at least LeastRowHeight.
	RowHeight float64
}

// Sizes of grids in CSS pixels.
const (
	DefaultGridWidth = 960
	LeastRowHeight   = 260
)

// preparedGrid is a grid whose charts are checked and have their sizes.
type preparedGrid struct {
	*Grid
	columns int
	width   float64
	heights []float64 // by row
	panels  []*prepared
	shared  bool // one legend for all, beside the first row
}

func (g *Grid) prepare() (*preparedGrid, error) {
	if len(g.Charts) == 0 {
		return nil, fmt.Errorf("chart: grid %q has no charts: %w", g.Title, ErrNoData)
	}
	if g.Columns < 0 {
		return nil, fmt.Errorf("chart: grid %q has %d columns; give at least 1, or 0 for the default", g.Title, g.Columns)
	}
	p := &preparedGrid{Grid: g, columns: g.Columns, width: g.Width}
	if p.columns == 0 {
		p.columns = 2
	}
	p.columns = min(p.columns, len(g.Charts))
	if p.width == 0 {
		p.width = DefaultGridWidth
		if p.columns == 1 {
			p.width = style.DefaultWidth
		}
	}
	cell := p.width / float64(p.columns)
	for i, c := range g.Charts {
		if i%p.columns == 0 {
			p.heights = append(p.heights, max(g.RowHeight, 0))
		}
		if c == nil {
			return nil, fmt.Errorf("chart: chart %d of grid %q is nil", i, g.Title)
		}
		row := &p.heights[i/p.columns]
		if g.RowHeight == 0 {
			*row = max(*row, LeastRowHeight, cmp.Or(c.Height, style.DefaultHeight)*min(1, cell/cmp.Or(c.Width, style.DefaultWidth)))
		}
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
	p.shareLegend()
	return p, nil
}

// shareLegend leaves one legend if all charts have the same.
func (p *preparedGrid) shareLegend() {
	describe := func(panel *prepared) (out []string) {
		for _, name := range panel.names(LiveOnly) {
			for i, l := range panel.Layers {
				if l.look().Name == name {
					out = append(out, fmt.Sprint(name, panel.colors[i], l.look().Dash, l.symbol()))
				}
			}
		}
		return out
	}
	first := describe(p.panels[0])
	p.shared = len(first) > 0 && len(p.panels) > 1
	for _, panel := range p.panels[1:] {
		p.shared = p.shared && slices.Equal(describe(panel), first)
	}
	for i, panel := range p.panels {
		panel.noLegend = p.shared && i != p.columns-1
	}
}

// Static returns the picture of the grid. It is an error if there are no charts, if Columns is
// negative, or if one of the charts cannot be drawn.
func (g *Grid) Static() (*GridPicture, error) {
	p, err := g.prepare()
	if err != nil {
		return nil, err
	}
	return &GridPicture{p: p}, nil
}

// GridPicture is a grid ready to be drawn on a gonum canvas.
type GridPicture struct{ p *preparedGrid }

// titleHeight is the height of the title of a grid in CSS pixels.
const titleHeight = 30

// Size returns the width and height in CSS pixels.
func (f *GridPicture) Size() (width, height float64) {
	if f.p == nil {
		return 0, 0 // not made by Grid.Static
	}
	if f.p.Title != "" {
		height = titleHeight
	}
	for _, h := range f.p.heights {
		height += h
	}
	return f.p.width, height
}

// Draw draws all charts, their data areas aligned in rows and columns.
func (f *GridPicture) Draw(c draw.Canvas) {
	if f.p == nil || c.Canvas == nil {
		return
	}
	c.SetColor(color.White)
	c.Fill(c.Rectangle.Path())
	if f.p.Title != "" {
		sty := style.Bold(style.Text(titleSize, style.Black, draw.XLeft, draw.YTop))
		c.FillText(sty, vg.Point{X: c.Min.X + gridMargin, Y: c.Max.Y - gridMargin}, f.p.Title)
		c.Max.Y -= titleHeight * style.Pixel
	}
	pictures := f.pictures()
	if f.p.shared { // beside everything, so that the columns are as wide as each other
		c.Max.X -= gridMargin
		c = (&Picture{p: f.p.panels[f.p.columns-1]}).drawLegend(c)
	}
	cells := f.cells(c)
	least := f.align(pictures, cells)
	for i, p := range pictures {
		p.drawWithin(cells[i], least[i])
	}
}

// gridMargin is the margin in points around title and shared legend.
const gridMargin = 8

// pictures returns the charts; a shared legend is drawn apart from them.
func (f *GridPicture) pictures() []*Picture {
	out := make([]*Picture, len(f.p.panels))
	for i, panel := range f.p.panels {
		bare := *panel
		bare.noLegend = f.p.shared
		out[i] = &Picture{p: &bare}
	}
	return out
}

// cells divides a canvas into one for each chart.
func (f *GridPicture) cells(c draw.Canvas) []draw.Canvas {
	out := make([]draw.Canvas, len(f.p.panels))
	width, top := (c.Max.X-c.Min.X)/vg.Length(f.p.columns), c.Max.Y
	for i := range out {
		row, column := i/f.p.columns, i%f.p.columns
		height := vg.Length(f.p.heights[row]) * style.Pixel
		out[i] = style.Margin(draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{
			Min: vg.Point{X: c.Min.X + width*vg.Length(column), Y: top - height}, Max: vg.Point{X: c.Min.X + width*vg.Length(column+1), Y: top},
		}})
		if column == f.p.columns-1 {
			top -= height
		}
	}
	return out
}

// align returns the insets of all charts: the largest left and right ones of each column, and the
// largest ones at top and bottom of each row.
func (f *GridPicture) align(pictures []*Picture, cells []draw.Canvas) []insets {
	own := make([]insets, len(cells))
	for i, p := range pictures {
		trial := draw.Canvas{Canvas: new(recorder.Canvas), Rectangle: cells[i].Rectangle}
		own[i] = p.drawWithin(trial, insets{})
	}
	least := make([]insets, len(cells))
	for i := range own {
		for j, o := range own {
			if i%f.p.columns == j%f.p.columns {
				least[i].left, least[i].right = max(least[i].left, o.left), max(least[i].right, o.right)
			}
			if i/f.p.columns == j/f.p.columns {
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

func (p *preparedGrid) build(rowCap int, remark string) vega.Object {
	specs := make([]*spec, len(p.panels))
	for i, panel := range p.panels {
		specs[i] = &spec{p: panel, rowCap: rowCap, suffix: fmt.Sprintf("_%d", i+1)}
	}
	p.alignLive(specs)
	views, datasets := make([]vega.Object, len(specs)), vega.Object{}
	for i, s := range specs {
		views[i] = s.view()
		for name, rows := range shareData(views[i]["layer"].([]vega.Object), s.suffix) {
			datasets[name] = rows
		}
	}
	apart := vega.Object{"color": "independent", "shape": "independent"}
	out := vega.Object{
		"$schema": vega.Schema, "background": "white", "padding": sheetMargin, "config": config(), "concat": views, "columns": p.columns, "spacing": 16,
		"resolve": vega.Object{"scale": apart, "legend": apart},
	}
	if len(datasets) > 0 {
		out["datasets"] = datasets
	}
	if p.Title != "" || remark != "" {
		title := vega.Object{"text": style.Unicode(p.Title), "anchor": "start"}
		if remark != "" {
			title["subtitle"] = remark
		}
		out["title"] = title
	}
	if params := sliders(p.sliders()); params != nil {
		out["params"] = params
	}
	return out
}

// alignLive gives the data areas of a column one width and those of a row one height.
func (p *preparedGrid) alignLive(specs []*spec) {
	widths, heights := make([]float64, p.columns), make([]float64, len(p.heights))
	for i, s := range specs {
		width, height := s.size()
		for least, size := range map[*float64]float64{&widths[i%p.columns]: width, &heights[i/p.columns]: height} {
			if *least == 0 || size < *least {
				*least = size
			}
		}
	}
	if p.shared { // the column with the legend is as wide as the others
		total := 0.0
		for _, w := range widths {
			total += w
		}
		for k := range widths {
			widths[k] = total / float64(p.columns)
		}
	}
	for i, s := range specs {
		s.width, s.height = s.fit(widths[i%p.columns], heights[i/p.columns])
	}
}

// sliders joins the sliders of all charts: those of one name are one, over both ranges, which
// starts where the first one does.
func (p *preparedGrid) sliders() (out []Slider) {
	for _, panel := range p.panels {
		for _, s := range panel.Sliders {
			k := slices.IndexFunc(out, func(o Slider) bool { return o.Name == s.Name })
			if k < 0 {
				out = append(out, s)
				continue
			}
			out[k].Min, out[k].Max, out[k].Step = min(out[k].Min, s.Min), max(out[k].Max, s.Max), min(out[k].Step, s.Step)
		}
	}
	return out
}

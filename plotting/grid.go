package plotting

import (
	"fmt"
	"strings"

	"github.com/sparsero/directions/plotting/chart"
	"github.com/sparsero/directions/plotting/style"
)

// GridOptions describe a figure made of several; nil gives the defaults.
type GridOptions struct {
	// Title stands above all charts; default none. Each chart keeps its own title.
	Title string
	// Columns is the number of charts in a row; default 2.
	Columns int
}

// Grid puts several figures into one, row by row, with their data areas aligned. In the
// interactive view a slider that several charts have, such as the budget, moves all of them. The
// size of the single figures is replaced by that of their cell.
//
// It is an error if there are no figures, or if one was not made by this package from a chart,
// for instance by FromPlot. The results of the calls that make the figures go in after their
// errors are checked.
func Grid(figures []*Figure, o *GridOptions) (*Figure, error) {
	o = given(o)
	g := &chart.Grid{Title: o.Title, Columns: o.Columns}
	texts := make([]string, len(figures))
	for i, f := range figures {
		if f == nil || f.chart == nil {
			return nil, fmt.Errorf("plotting: figures[%d] has no chart; a grid takes figures of this package, such as those of Curves and NewFigure", i)
		}
		g.Charts = append(g.Charts, f.chart)
		texts[i] = f.text()
	}
	f, err := rendered(g, strings.Join(texts, " "))
	if err != nil {
		return nil, err
	}
	f.Title = style.Unicode(o.Title)
	return f, nil
}

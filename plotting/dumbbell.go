package plotting

import (
	"cmp"
	"fmt"
	"math"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"github.com/sparsero/directions/plotting/chart"
	"github.com/sparsero/directions/plotting/style"
)

// Comparison is one number as printed in the paper and as found here.
type Comparison struct {
	// Name says what the number is.
	Name string
	// Paper is the printed value and Ours the one found here; NaN means that there is none.
	Paper, Ours float64
	// Note says why they differ; default none.
	Note string
}

// Comparisons is a list of paper-against-ours numbers.
type Comparisons []Comparison

// Frame returns the comparisons as a frame with the columns quantity, paper, ours,
// difference (ours - paper), relative (the difference divided by |paper|, in percent, NaN for
// a printed 0), and note where there are any.
func (c Comparisons) Frame() dataframe.DataFrame {
	n := len(c)
	names, notes := make([]string, n), make([]string, n)
	paper, ours, difference, relative := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	noted := false
	for i, r := range c {
		names[i], notes[i], paper[i], ours[i] = r.Name, r.Note, r.Paper, r.Ours
		difference[i] = r.Ours - r.Paper
		relative[i] = math.NaN()
		if r.Paper != 0 {
			relative[i] = 100 * difference[i] / math.Abs(r.Paper)
		}
		noted = noted || r.Note != ""
	}
	columns := []series.Series{
		series.New(names, series.String, "quantity"), series.New(paper, series.Float, "paper"), series.New(ours, series.Float, "ours"),
		series.New(difference, series.Float, "difference"), series.New(relative, series.Float, "relative"),
	}
	if noted {
		columns = append(columns, series.New(notes, series.String, "note"))
	}
	return dataframe.New(columns...)
}

// DumbbellOptions describe a dumbbell picture; nil gives the defaults.
type DumbbellOptions struct {
	// Title and Subtitle stand above the picture; default "Paper against ours".
	Title, Subtitle string
	// Label names the value axis, with the unit in brackets; default "value".
	Label string
	// Paper and Ours name the two ends; default "paper" and "ours".
	Paper, Ours string
	// Log makes the value axis logarithmic.
	Log bool
	// Width and Height are the size in CSS pixels; default 640 and by the number of rows.
	Width, Height float64
}

// Dumbbell draws for each row the printed and the found value on one line, joined by a bar
// whose length is the difference. It is an error if there are no rows or if a value is
// infinite; NaN leaves an end out.
func Dumbbell(rows Comparisons, o *DumbbellOptions) (*Figure, error) {
	if o == nil {
		o = &DumbbellOptions{}
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("plotting: rows is empty: %w; give at least one comparison", chart.ErrNoData)
	}
	if err := checkBars("rows", len(rows)); err != nil {
		return nil, err
	}
	n := len(rows)
	names := make([]string, n)
	paper, ours, at := make([]float64, n), make([]float64, n), make([]float64, n)
	var parts []string
	for i, r := range rows {
		names[i], paper[i], ours[i], at[i] = r.Name, r.Paper, r.Ours, float64(i)
		parts = append(parts, fmt.Sprintf("%s %s against %s", r.Name, short(r.Paper), short(r.Ours)))
	}
	columns := []chart.Column{{Name: "paper", Title: cmp.Or(o.Paper, "paper"), Numbers: paper}, {Name: "ours", Title: cmp.Or(o.Ours, "ours"), Numbers: ours}}
	c := &chart.Chart{
		Title: cmp.Or(o.Title, "Paper against ours"), Subtitle: o.Subtitle, Width: o.Width, Height: cmp.Or(o.Height, barHeight(n)-8*float64(n)),
		X: chart.Axis{Label: cmp.Or(o.Label, "value")}, Y: chart.Axis{Categories: names, Reverse: true},
		Layers: []chart.Layer{
			&chart.Segments{Look: chart.Look{Color: style.LightGrey, Width: 2.5, NoTooltip: true}, X: paper, Y: at, X2: ours, Y2: at},
			&chart.Points{Look: chart.Look{Name: cmp.Or(o.Paper, "paper"), Color: style.Orange, Width: 4, Columns: columns}, Shape: chart.Diamond, X: paper, Y: at},
			&chart.Points{Look: chart.Look{Name: cmp.Or(o.Ours, "ours"), Color: style.Blue, Width: 4, Columns: columns}, X: ours, Y: at},
		},
	}
	if o.Log {
		c.X.Scale = chart.Log
	}
	return NewFigure(c, fmt.Sprintf("%s, %s against %s: %s.", cmp.Or(style.Unicode(o.Label), "Value"), cmp.Or(o.Paper, "paper"), cmp.Or(o.Ours, "ours"), listed(parts, "; ")))
}

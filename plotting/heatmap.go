package plotting

import (
	"cmp"
	"fmt"
	"math"

	"github.com/sparsero/directions/plotting/chart"
	"github.com/sparsero/directions/plotting/style"
	"gonum.org/v1/gonum/mat"
)

// HeatMapOptions describe a heat map; nil gives the defaults.
type HeatMapOptions struct {
	// Title stands above the picture; default none.
	Title string
	// Rows and Columns name rows and columns; default their 0-based numbers.
	Rows, Columns []string
	// RowLabel and ColumnLabel name the axes; default "atom" and "direction".
	RowLabel, ColumnLabel string
	// Label names the values; default "alignment".
	Label string
	// Sequential colours the values from low to high even where they have both signs; default
	// false, which colours values of both signs around 0.
	Sequential bool
	// Height is the height in CSS pixels; default 400.
	Height float64
}

// HeatMap draws a matrix as coloured cells, row 0 on top, for instance the scores
// Dictionary.Scores. NaN cells are grey. In a matrix of more cells than the picture has room
// for, neighbours are averaged. It is an error if the matrix is empty, has an infinite value
// or nothing but NaN, or if a list of names has another length.
func HeatMap(m mat.Matrix, o *HeatMapOptions) (*Figure, error) {
	if dense, ok := m.(*mat.Dense); m == nil || ok && dense == nil {
		return nil, fmt.Errorf("plotting: matrix is nil; give a mat.Matrix")
	}
	o = given(o)
	rows, columns := m.Dims()
	if rows == 0 || columns == 0 {
		return nil, fmt.Errorf("plotting: matrix is %d×%d: %w", rows, columns, chart.ErrNoData)
	}
	if (o.Rows != nil && len(o.Rows) != rows) || (o.Columns != nil && len(o.Columns) != columns) {
		return nil, fmt.Errorf("plotting: %d row and %d column names for a %d×%d matrix; give one for each, or none", len(o.Rows), len(o.Columns), rows, columns)
	}
	cells := &chart.Cells{NRows: rows, NCols: columns, Values: make([]float64, rows*columns), Label: cmp.Or(o.Label, "alignment")}
	low, high := math.Inf(1), math.Inf(-1)
	for i := range rows {
		for j := range columns {
			v := m.At(i, j)
			cells.Values[i*columns+j] = v
			if !math.IsNaN(v) {
				low, high = min(low, v), max(high, v)
			}
		}
	}
	if low > high {
		return nil, fmt.Errorf("plotting: matrix holds nothing but NaN: %w", chart.ErrNoData)
	}
	if low < 0 && high > 0 && !o.Sequential {
		reach := max(-low, high)
		cells.Gradient, cells.Min, cells.Max = style.Diverging, -reach, reach
	}
	c := &chart.Chart{
		Title: o.Title, Height: o.Height, NoZoom: true,
		X:      gridAxis(cmp.Or(o.ColumnLabel, "direction"), o.Columns, columns),
		Y:      gridAxis(cmp.Or(o.RowLabel, "atom"), o.Rows, rows),
		Layers: []chart.Layer{cells},
	}
	c.Y.Reverse = true
	alt := fmt.Sprintf("Heat map of %s, %d rows by %d columns, values from %s to %s.", style.Unicode(cells.Label), rows, columns, short(low), short(high))
	return NewFigure(c, alt)
}

// mostNames is the number of names that fit along an axis.
const mostNames = 40

// gridAxis is an axis over positions 0 to n-1, with their names where they fit.
func gridAxis(label string, names []string, n int) chart.Axis {
	a := chart.Axis{Label: label, Min: -0.5, Max: float64(n) - 0.5}
	if names != nil && n <= mostNames {
		a = chart.Axis{Label: label, Categories: names}
	}
	return a
}

package study

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
)

// Rows collects a table row by row.
type Rows struct {
	names []string
	rows  [][]any
}

// NewRows starts a table with the given columns.
func NewRows(columns ...string) *Rows { return &Rows{names: columns} }

// Add adds a row. It panics if it has not one cell for each column.
func (r *Rows) Add(cells ...any) {
	if len(cells) != len(r.names) {
		panic(fmt.Sprintf("study: a row of %d cells for the %d columns %q", len(cells), len(r.names), r.names))
	}
	r.rows = append(r.rows, cells)
}

// Frame returns the rows as a frame. A column holds float64, int or bool where
// all its cells do, and text otherwise.
func (r *Rows) Frame() dataframe.DataFrame {
	columns := make([]series.Series, len(r.names))
	for j, name := range r.names {
		var floats []float64
		var whole []int
		var truths []bool
		texts := []string{}
		for _, row := range r.rows {
			switch cell := row[j].(type) {
			case float64:
				floats = append(floats, cell)
			case int:
				whole = append(whole, cell)
			case bool:
				truths = append(truths, cell)
			}
			texts = append(texts, fmt.Sprint(row[j]))
		}
		switch {
		case len(texts) == 0:
			columns[j] = series.New(texts, series.String, name)
		case len(floats) == len(texts):
			columns[j] = series.New(floats, series.Float, name)
		case len(whole) == len(texts):
			columns[j] = series.New(whole, series.Int, name)
		case len(truths) == len(texts):
			columns[j] = series.New(truths, series.Bool, name)
		default:
			columns[j] = series.New(texts, series.String, name)
		}
	}
	return dataframe.New(columns...)
}

// Quantile interpolates linearly between order statistics, so that level 0.5
// gives the median, the middle of two for an even number. Infinite values are
// kept; it is NaN for no values. 0 <= level <= 1.
func Quantile(values []float64, level float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(values))
	position := level * float64(len(sorted)-1)
	low := int(position)
	weight := position - float64(low)
	if weight == 0 || sorted[low] == sorted[low+1] { // also where both are infinite
		return sorted[low]
	}
	return sorted[low] + weight*(sorted[low+1]-sorted[low])
}

// OrInfinite returns a smallest budget as a number, infinite where it is 0:
// the study did not reach one.
func OrInfinite(budget int) float64 {
	if budget == 0 {
		return math.Inf(1)
	}
	return float64(budget)
}

// Texts returns the cells as text, as the columns hold them that say which
// quantity a row is about.
func Texts(cells []any) []any {
	texts := make([]any, len(cells))
	for k, cell := range cells {
		texts[k] = fmt.Sprint(cell)
	}
	return texts
}

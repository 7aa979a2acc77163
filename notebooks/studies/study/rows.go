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
		cells, texts := make([]any, len(r.rows)), make([]string, len(r.rows))
		kind := series.String
		for i, row := range r.rows {
			cells[i], texts[i] = row[j], fmt.Sprint(row[j])
			if own := kindOf(row[j]); i == 0 || own == kind {
				kind = own
			} else {
				kind = series.String
			}
		}
		if kind == series.String {
			columns[j] = series.New(texts, kind, name)
		} else {
			columns[j] = series.New(cells, kind, name)
		}
	}
	return dataframe.New(columns...)
}

// kindOf returns the type of a column that holds such cells.
func kindOf(cell any) series.Type {
	switch cell.(type) {
	case float64:
		return series.Float
	case int:
		return series.Int
	case bool:
		return series.Bool
	}
	return series.String
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

// Keys say what a number is about, one text for each column of keys in a table.
type Keys []any

// Groups collects numbers about the same things. Its zero value is empty.
type Groups struct {
	// List holds the groups in the order in which they came first.
	List  []*Group
	index map[string]*Group
}

// Group holds the numbers with the same keys.
type Group struct {
	Keys Keys // as texts
	// Numbers has the first, second, ... numbers of all calls of Add.
	Numbers [][]float64
}

// Add adds numbers, as many for the same keys each time.
func (g *Groups) Add(keys Keys, numbers ...float64) {
	texts := make(Keys, len(keys))
	for k, key := range keys {
		texts[k] = fmt.Sprint(key)
	}
	name := fmt.Sprintf("%q", texts)
	group, found := g.index[name]
	if !found {
		if g.index == nil {
			g.index = make(map[string]*Group)
		}
		group = &Group{Keys: texts, Numbers: make([][]float64, len(numbers))}
		g.index[name], g.List = group, append(g.List, group)
	}
	for k, v := range numbers {
		group.Numbers[k] = append(group.Numbers[k], v)
	}
}

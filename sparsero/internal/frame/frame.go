// Package frame builds dataframes row by row: what the Frame methods of the library and the tables of the studies return.
package frame

import (
	"fmt"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"github.com/sparsero/directions/solver/proof"
)

// Rows collects a table row by row.
type Rows struct {
	names []string
	rows  [][]any
	err   error // the first row that does not fit
}

// NewRows starts a table with columns whose names are separated by commas; a name cannot contain one.
func NewRows(columns string) *Rows { return &Rows{names: strings.Split(columns, ",")} }

// Add adds a row. A row that has not one cell for each column becomes the error of the frame.
func (r *Rows) Add(cells ...any) {
	if len(cells) != len(r.names) && r.err == nil {
		r.err = fmt.Errorf("frame: a row of %d cells for the %d columns %q", len(cells), len(r.names), r.names)
	}
	r.rows = append(r.rows, cells)
}

// Frame returns the rows as a frame. A column holds float64, int or bool where all its cells do, and text otherwise, as
// gota would cut 2.5 to an int. A bound becomes a text of six digits, rounded to the safe side: a number would be rounded
// again by whatever prints the frame.
func (r *Rows) Frame() dataframe.DataFrame {
	if r.err != nil {
		return dataframe.DataFrame{Err: r.err}
	}
	columns := make([]series.Series, len(r.names))
	for j, name := range r.names {
		cells, kind := make([]any, len(r.rows)), series.String
		for i, row := range r.rows {
			if cells[i] = row[j]; i == 0 {
				kind = kindOf(row[j])
			} else if kindOf(row[j]) != kind {
				kind = series.String
			}
		}
		if kind == series.String {
			for i := range cells {
				cells[i] = text(cells[i])
			}
		}
		columns[j] = series.New(cells, kind, name)
	}
	return dataframe.New(columns...)
}

func text(cell any) string {
	switch cell.(type) {
	case proof.Upper, proof.Lower:
		return fmt.Sprintf("%.6g", cell)
	}
	return fmt.Sprint(cell)
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

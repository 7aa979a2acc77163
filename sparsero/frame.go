package sparsero

import (
	"fmt"
	"slices"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"github.com/sparsero/directions/sparsero/input"
	"gonum.org/v1/gonum/mat"
)

// defaultLabelColumn names the label column of frames when the labels did not
// come from a named column.
const defaultLabelColumn = "label"

// FromFrame builds a dictionary from a frame with one atom per row. All columns
// but labelColumn must be numeric; labelColumn ("" for none) gives the labels.
// Column names become coordinate names. A missing value is an error that names
// its row (0-based) and column.
func FromFrame(df dataframe.DataFrame, labelColumn string) (*Dictionary, error) {
	t, err := input.FromFrame(df, input.Options{Subject: "the frame", Text: labelColumn})
	if err != nil {
		return nil, fmt.Errorf("sparsero: %w", err)
	}
	return fromTable(t)
}

// Frame returns the dictionary as a frame with one atom per row: the label
// column first if the dictionary has labels, then one numeric column per
// coordinate. [FromFrame] reads it back. The frame's own WriteCSV keeps six
// decimals; [Dictionary.WriteCSV] keeps all.
func (d *Dictionary) Frame() dataframe.DataFrame {
	var columns []series.Series
	if d.labels != nil {
		columns = append(columns, series.New(d.Labels(), series.String, d.frameLabelName()))
	}
	for j, name := range d.Columns() {
		columns = append(columns, series.New(mat.Col(nil, j, d.atoms), series.Float, name))
	}
	return dataframe.New(columns...)
}

// frameLabelName returns a name for the label column that no coordinate has.
func (d *Dictionary) frameLabelName() string {
	name := d.labelColumn
	for slices.Contains(d.Columns(), name) {
		name += "_"
	}
	return name
}

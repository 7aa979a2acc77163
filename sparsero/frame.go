package sparsero

import (
	"fmt"
	"math"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
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
	if df.Err != nil {
		return nil, fmt.Errorf("sparsero: the frame carries an error: %w", df.Err)
	}
	if df.Nrow() == 0 {
		return nil, fmt.Errorf("sparsero: the frame is empty (%d rows, %d columns); give one atom per row", df.Nrow(), df.Ncol())
	}
	var labels, names []string
	var columns [][]float64
	for _, name := range df.Names() {
		column := df.Col(name)
		if labelColumn != "" && name == labelColumn {
			var err error
			if labels, err = frameLabels(column); err != nil {
				return nil, err
			}
			continue
		}
		values, err := frameValues(column)
		if err != nil {
			return nil, err
		}
		names, columns = append(names, name), append(columns, values)
	}
	if labelColumn != "" && labels == nil {
		return nil, fmt.Errorf("sparsero: the frame has no column %q; its columns are %q; use one of them, or \"\" for no labels", labelColumn, df.Names())
	}
	if len(columns) == 0 {
		return nil, fmt.Errorf("sparsero: the frame has no numeric column besides %q; give at least one coordinate", labelColumn)
	}
	return newNamedDictionary(columns, names, labels, labelColumn)
}

// newNamedDictionary assembles a dictionary from columns of equal length.
func newNamedDictionary(columns [][]float64, names, labels []string, labelColumn string) (*Dictionary, error) {
	atoms := mat.NewDense(len(columns[0]), len(columns), nil)
	for j, values := range columns {
		atoms.SetCol(j, values)
	}
	options := []DictionaryOption{WithColumns(names)}
	if labels != nil {
		options = append(options, WithLabels(labels), withLabelColumn(labelColumn))
	}
	return NewDictionary(atoms, options...)
}

func withLabelColumn(name string) DictionaryOption {
	return func(d *Dictionary) error {
		d.labelColumn = name
		return nil
	}
}

func frameLabels(column series.Series) ([]string, error) {
	labels := column.Records()
	for i := range labels {
		if column.Elem(i).IsNA() {
			return nil, fmt.Errorf("sparsero: the label is missing in row %d, column %q; fill it or choose another label column", i, column.Name)
		}
	}
	return labels, nil
}

func frameValues(column series.Series) ([]float64, error) {
	if t := column.Type(); t != series.Float && t != series.Int {
		return nil, fmt.Errorf("sparsero: column %q holds %s values, first %q; make it numeric, drop it, or name it as the label column", column.Name, t, column.Elem(0).String())
	}
	values := column.Float()
	for i, v := range values {
		if column.Elem(i).IsNA() || math.IsNaN(v) {
			return nil, fmt.Errorf("sparsero: missing value in row %d, column %q; drop the row or fill the value before building the dictionary", i, column.Name)
		}
	}
	return values, nil
}

// Frame returns the dictionary as a frame with one atom per row: the label
// column first if the dictionary has labels, then one numeric column per
// coordinate. [FromFrame] reads it back.
func (d *Dictionary) Frame() dataframe.DataFrame {
	var columns []series.Series
	if d.HasLabels() {
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
	for taken := true; taken; {
		taken = false
		for _, column := range d.Columns() {
			if column == name {
				name, taken = name+"_", true
			}
		}
	}
	return name
}

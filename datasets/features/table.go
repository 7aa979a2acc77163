package features

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"github.com/sparsero/directions/sparsero/input"
	"gonum.org/v1/gonum/mat"
)

// ReadCSV reads a set from text: a header line, then one example per line, with columns
// separated by commas or, where the header has none, by semicolons or tabs. The column labelColumn holds labels of any two values,
// every other column is a feature. Of two numbers the smaller becomes -1 and
// the larger +1, of two words the first in byte order and the second; the
// classes are named after them.
//
// It returns an error that names the line (counted from 1, the header
// included) and the column of a missing value, of text in place of a number,
// and of NaN and infinite values; also when a line has another number of
// cells, no column is named labelColumn, or the labels do not hold exactly two
// values.
func ReadCSV(r io.Reader, name, labelColumn string) (*Set, error) {
	t, err := input.ReadTable(r, tableOptions(name, labelColumn))
	return fromTable(name, t, err)
}

// tableOptions describe a table with one example per row.
func tableOptions(name, labelColumn string) input.Options {
	return input.Options{Subject: "the table " + input.Quote(name), Text: labelColumn}
}

// LoadCSV reads the CSV file at path; see [ReadCSV], whose errors it returns
// besides that of a file that cannot be opened. The set is named after the file.
func LoadCSV(path, labelColumn string) (*Set, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("features: cannot open the CSV table: %w; check the path", err)
	}
	defer file.Close()
	return ReadCSV(file, strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)), labelColumn)
}

// FromFrame builds a set from a frame with one example per row. The column
// labelColumn holds labels of any two values, as in [ReadCSV]; every other
// column must be numeric.
//
// It returns an error that names the row (counted from 0) and the column of a
// missing or infinite value, or the column that is not numeric; also when the
// frame is empty, has no column labelColumn, or holds not exactly two labels.
func FromFrame(frame dataframe.DataFrame, name, labelColumn string) (*Set, error) {
	t, err := input.FromFrame(frame, tableOptions(name, labelColumn))
	return fromTable(name, t, err)
}

// fromTable builds a set from a table, unless it could not be read.
func fromTable(name string, t *input.Table, err error) (*Set, error) {
	if err != nil {
		return nil, fmt.Errorf("features: %w", err)
	}
	if t.Texts == nil {
		return nil, fmt.Errorf("features: labelColumn of the table %s is empty; give the name of the column that holds the labels", input.Quote(name))
	}
	if t.Rows() == 0 {
		return nil, fmt.Errorf("features: the table %s has no rows; give one example per row", input.Quote(name))
	}
	for i, label := range t.Texts {
		if t.Texts[i] = strings.TrimSpace(label); input.IsMissing(label) {
			return nil, fmt.Errorf("features: missing label in %s, column %s; fill it or drop the example", t.Place(i), input.Quote(t.Text))
		}
	}
	y, classes, err := labelsFromText(t.Texts)
	if err != nil {
		return nil, fmt.Errorf("%w (table %s)", err, input.Quote(name))
	}
	return checked(&Set{Name: name, X: mat.NewDense(t.Rows(), len(t.Names), t.Values), Y: y, Classes: classes})
}

// Frame returns the set as a frame with one example per row: the column class
// with the class names, then f1, ..., fp. [FromFrame] reads it back; which
// class is -1 is then decided by the names. It panics if [Set.Check] finds a fault.
func (s *Set) Frame() dataframe.DataFrame {
	if err := s.Check(); err != nil {
		panic(err)
	}
	names := make([]string, s.Len())
	for i, label := range s.Y {
		names[i] = s.Classes[classOf(label)]
	}
	columns := []series.Series{series.New(names, series.String, "class")}
	for j := range s.Dimension() {
		columns = append(columns, series.New(mat.Col(nil, j, s.X), series.Float, fmt.Sprintf("f%d", j+1)))
	}
	return dataframe.New(columns...)
}

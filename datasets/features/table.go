package features

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"gonum.org/v1/gonum/mat"
)

// ReadCSV reads a set from comma-separated text: a header line, then one
// example per line. The column labelColumn holds labels of any two values,
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
	if r == nil {
		return nil, errors.New("features: the CSV reader is nil; open a file or wrap a string")
	}
	reader := csv.NewReader(r)
	reader.TrimLeadingSpace = true
	header, err := reader.Read()
	if errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("features: the CSV table %q is empty; give a header line and one example per line", name)
	}
	if err != nil {
		return nil, fmt.Errorf("features: the header of the CSV table %q is unreadable: %w; repair the first line", name, err)
	}
	header[0] = strings.TrimPrefix(header[0], "\ufeff") // spreadsheet exports start with a byte order mark
	label, err := labelPosition(header, name, labelColumn)
	if err != nil {
		return nil, err
	}
	var values []float64
	var labels []string
	for {
		record, err := reader.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("features: the CSV table %q: %w; every line needs %d cells", name, err, len(header))
		}
		line, _ := reader.FieldPos(0)
		for j, cell := range record {
			if j == label {
				if isMissing(cell) {
					return nil, fmt.Errorf("features: the label is missing in line %d, column %q; fill it or drop the line", line, header[j])
				}
				labels = append(labels, strings.TrimSpace(cell))
				continue
			}
			value, err := parseFeature(cell)
			if err != nil {
				return nil, fmt.Errorf("features: line %d, column %q: %w", line, header[j], err)
			}
			values = append(values, value)
		}
	}
	return fromTable(name, values, labels, len(header)-1)
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
	if frame.Err != nil {
		return nil, fmt.Errorf("features: the frame %q carries an error: %w; repair it before the call", name, frame.Err)
	}
	label, err := labelPosition(frame.Names(), name, labelColumn)
	if err != nil {
		return nil, err
	}
	rows, columns := frame.Dims()
	labels, err := labelTexts(frame.Col(labelColumn))
	if err != nil {
		return nil, err
	}
	values := make([]float64, rows*(columns-1))
	position := 0
	for j, column := range frame.Names() {
		if j == label {
			continue
		}
		numbers, err := numericColumn(frame.Col(column))
		if err != nil {
			return nil, err
		}
		for i, value := range numbers {
			values[i*(columns-1)+position] = value
		}
		position++
	}
	return fromTable(name, values, labels, columns-1)
}

// labelTexts returns the labels of a column as text, numbers with all digits.
func labelTexts(column series.Series) ([]string, error) {
	texts := column.Records()
	for i := range texts {
		if column.Elem(i).IsNA() || isMissing(texts[i]) {
			return nil, fmt.Errorf("features: the label is missing in row %d, column %q; fill it or drop the row", i, column.Name)
		}
		if column.Type() == series.Float {
			texts[i] = strconv.FormatFloat(column.Elem(i).Float(), 'g', -1, 64)
		}
	}
	return texts, nil
}

func numericColumn(column series.Series) ([]float64, error) {
	if kind := column.Type(); kind != series.Float && kind != series.Int {
		return nil, fmt.Errorf("features: column %q holds %s values; make it numeric, drop it, or name it as the label column", column.Name, kind)
	}
	numbers := column.Float()
	for i, value := range numbers {
		if column.Elem(i).IsNA() || math.IsNaN(value) {
			return nil, fmt.Errorf("features: missing value in row %d, column %q; drop the row or fill the value", i, column.Name)
		}
		if math.IsInf(value, 0) {
			return nil, fmt.Errorf("features: infinite value in row %d, column %q; drop the row or correct the value", i, column.Name)
		}
	}
	return numbers, nil
}

// labelPosition returns where the label column stands among the columns.
func labelPosition(columns []string, name, labelColumn string) (int, error) {
	position := slices.Index(columns, labelColumn)
	if position < 0 {
		return 0, fmt.Errorf("features: the table %q has no column %q for the labels; name one of its %d columns (%s)", name, labelColumn, len(columns), firstNames(columns))
	}
	if len(columns) == 1 {
		return 0, fmt.Errorf("features: the table %q has no column besides the labels %q; give at least one feature", name, labelColumn)
	}
	return position, nil
}

// firstNames lists the first columns and the last, which is where labels often are.
func firstNames(columns []string) string {
	const shown = 4
	if len(columns) > shown {
		return strings.Join(columns[:shown-1], ", ") + ", ..., " + columns[len(columns)-1]
	}
	return strings.Join(columns, ", ")
}

// fromTable builds a set from features stored row by row and labels as text.
func fromTable(name string, values []float64, labels []string, columns int) (*Set, error) {
	if len(labels) == 0 {
		return nil, fmt.Errorf("features: the table %q has no rows; give one example per row", name)
	}
	y, classes, err := labelsFromText(labels)
	if err != nil {
		return nil, fmt.Errorf("%w (table %q)", err, name)
	}
	return checked(&Set{Name: name, X: mat.NewDense(len(labels), columns, values), Y: y, Classes: classes})
}

// isMissing says whether a cell is one of the usual marks of a missing value.
func isMissing(cell string) bool {
	switch strings.ToLower(strings.TrimSpace(cell)) {
	case "", "na", "n/a", "nan", "null", "none":
		return true
	}
	return false
}

func parseFeature(cell string) (float64, error) {
	if isMissing(cell) {
		return 0, errors.New("missing value; drop the line or fill the value")
	}
	value, err := strconv.ParseFloat(strings.TrimSpace(cell), 64)
	if err != nil {
		return 0, fmt.Errorf("%q is not a number; correct the cell, or name the column as the label column", cell)
	}
	if math.IsInf(value, 0) {
		return 0, fmt.Errorf("the value %q is infinite; drop the line or correct the value", cell)
	}
	return value, nil
}

// Frame returns the set as a frame with one example per row: the column class
// with the class names, then f1, ..., fp. [FromFrame] reads it back; which
// class is -1 is then decided by the names.
func (s *Set) Frame() dataframe.DataFrame {
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

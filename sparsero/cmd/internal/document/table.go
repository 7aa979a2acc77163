package document

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/internal/input"
	"github.com/sparsero/directions/sparsero/internal/lifted"
	"gonum.org/v1/gonum/mat"
)

// identity stands for the matrix of q(x) = x.
const identity = "identity"

// table is rows of numbers, or the CSV or NPY file that holds them.
type table struct {
	rows   []entries
	path   string
	labels string // the column of the file that holds labels, "" for what LoadDictionary takes for one
}

// Load loads a table from a file, with its labels in a named column, or with "" where sparsero.LoadDictionary finds them.
func Load(path, labels string) (*sparsero.Dictionary, error) {
	if labels == "" {
		return sparsero.LoadDictionary(path)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%w; check the path", err)
	}
	defer file.Close()
	loaded, err := sparsero.ReadCSV(file, labels)
	if err != nil {
		return nil, fmt.Errorf("%w (file %s)", err, path)
	}
	return loaded, nil
}

func (t *table) UnmarshalJSON(text []byte) error {
	if text[0] == '"' {
		return json.Unmarshal(text, &t.path)
	}
	return solver.ReadJSON(text, &t.rows)
}

// entries are the numbers of a row: all of them, or as in a design file those that are not 0, with their columns.
type entries struct{ lifted.Entries }

func (e *entries) UnmarshalJSON(text []byte) error {
	if text[0] == '{' {
		return solver.ReadJSON(text, &e.Entries)
	}
	if json.Unmarshal(text, &e.Values) != nil {
		return fmt.Errorf("the row %s is no list of numbers; give one, with its numbers out of quotes, for each line of the table", input.Quote(string(text)))
	}
	return nil
}

// load returns the numbers in so many columns, -1 for as many as the first row has, with the names of a file.
func (t *table) load(folder string, columns int) (*sparsero.Dictionary, error) {
	if t.path != "" {
		return Load(within(folder, t.path), t.labels)
	}
	if t.labels != "" {
		return nil, fmt.Errorf("labels %q names a column of a file, and the rows stand here; list the labels", t.labels)
	}
	if len(t.rows) == 0 {
		return nil, errors.New("there are no rows; give a list of lists of numbers, or a CSV or NPY file")
	}
	if columns < 0 && t.rows[0].Columns != nil {
		return nil, errors.New("row 0 has columns, as rows of the matrix of a map may; give all numbers of the row")
	}
	if columns < 0 {
		columns = len(t.rows[0].Values)
	}
	if columns == 0 {
		return nil, errors.New("row 0 is empty; give at least one number")
	}
	dense := mat.NewDense(len(t.rows), columns, nil)
	for i, row := range t.rows {
		if err := row.into(dense.RawRowView(i)); err != nil {
			return nil, fmt.Errorf("row %d %w", i, err)
		}
	}
	return sparsero.NewDictionary(dense, nil)
}

func (e *entries) into(row []float64) error {
	if e.Columns == nil && len(e.Values) != len(row) || e.Columns != nil && len(e.Values) != len(e.Columns) {
		return fmt.Errorf("has %d numbers; give %d", len(e.Values), max(len(row), len(e.Columns)))
	}
	if e.Columns == nil {
		copy(row, e.Values)
	}
	for k, j := range e.Columns {
		if j < 0 || j >= len(row) {
			return fmt.Errorf("names column %d; give columns from 0 to %d", j, len(row)-1)
		}
		if slices.Contains(e.Columns[:k], j) {
			return fmt.Errorf("names column %d twice; give it once", j)
		}
		row[j] = e.Values[k]
	}
	return nil
}

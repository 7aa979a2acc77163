// Package document reads a whole robust problem from one JSON document, as sparsero/cmd/sparsero/PROBLEM.md describes it.
//
// Where things are:
//
//	document      the keys and how they are read; rows of numbers, or the file that holds them
//	order         the order of those, which goes by the names of the model's columns
//	problem, set  the robust problem; convex sets
package document

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/highs"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/internal/input"
	"github.com/sparsero/directions/sparsero/internal/lifted"
	"gonum.org/v1/gonum/mat"
)

// Document is a robust problem and what is asked of its answer. Its fields are the keys; folder is where its files lie.
type Document struct {
	Model       region       `json:"model"`
	Dictionary  *dictionary  `json:"dictionary"`
	Set         *set         `json:"set"`
	Objective   *affine      `json:"objective"`
	Constraints []constraint `json:"constraints"`
	Radius      number       `json:"radius"`
	Samples     *table       `json:"samples"`
	Demands     Demands      `json:"demands"`

	// Atoms is the number of atoms of the dictionary, known after Problem; those of rows that have their own follow them.
	Atoms  int `json:"-"`
	folder string
}

// Demands are what is asked of the answer, by the names of the flags of the command.
type Demands struct {
	Gap        number         `json:"gap"`
	Violations number         `json:"violations"`
	Delta      number         `json:"delta"`
	Budget     number         `json:"budget"`
	Budgets    map[string]int `json:"budgets"` // for each uncertain row
	Radii      []float64      `json:"radii"`
}

// number is one as it is written, empty for none.
type number json.Number

func (n *number) UnmarshalJSON(text []byte) error {
	if text[0] == '"' {
		return fmt.Errorf("the number %s stands in quotes; leave them out, and write 1%% as 0.01", text)
	}
	return json.Unmarshal(text, (*json.Number)(n))
}

// region is X and b(x): the JSON of a solver.Model, or a file.
type region struct {
	*solver.Model
	Path string // of the file, empty for none
	flag string // what stands before the word model in an error
}

// affine is q(x) = Matrix x + Constant. A matrix that is left out is zero.
type affine struct {
	Matrix   *table    `json:"matrix"`
	Constant []float64 `json:"constant"`

	rows []string // the labels of a matrix that was built, nil for none: names of the coordinates of u
}

// constraint is ⟨Nominal, x⟩ + max ⟨u, q(x)⟩ <= Limit.
type constraint struct {
	Name       string      `json:"name"`
	Nominal    []float64   `json:"nominal"`
	Map        *affine     `json:"map"`
	Limit      *float64    `json:"limit"`
	Dictionary *dictionary `json:"dictionary"`
	Radius     *float64    `json:"radius"`
}

// Read reads a document. It is an error if the file is no JSON object, or has a key that a document does not know.
func Read(path string) (*Document, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("%w; check the path", err)
	}
	var answer struct{ Format, Claims json.RawMessage }
	if json.Unmarshal(text, &answer) == nil && answer.Format != nil && answer.Claims != nil {
		return nil, fmt.Errorf("%s is a design file, which holds an answer; give the document of its problem, or its prices", path)
	}
	d := &Document{folder: filepath.Dir(path)}
	if err := solver.ReadJSON(text, d); err != nil {
		return nil, fmt.Errorf("%s, as the document of a problem: %w", path, err)
	}
	d.Model.Path = within(d.folder, d.Model.Path)
	return d, nil
}

// OfFiles is the document of a model and of atoms that are added to its costs, with labels as in [Load].
func OfFiles(model, atoms, column string) *Document {
	return &Document{
		Model: region{Path: model, flag: "-"}, Dictionary: &dictionary{Values: &table{path: atoms}, Labels: labels{column: column}}, Objective: &affine{Matrix: &table{path: identity}},
	}
}

func (r *region) UnmarshalJSON(text []byte) error {
	if text[0] == '"' {
		return json.Unmarshal(text, &r.Path)
	}
	r.Model = &solver.Model{}
	return json.Unmarshal(text, r.Model)
}

func (r *region) load() (*solver.Model, error) {
	if r.Path == "" {
		return r.Model, nil
	}
	text, err := os.ReadFile(r.Path)
	if err != nil {
		return nil, fmt.Errorf("%smodel: %w; check the path", r.flag, err)
	}
	model := &solver.Model{}
	switch strings.ToLower(filepath.Ext(r.Path)) {
	case ".mps":
		model, err = solver.ReadMPS(bytes.NewReader(text))
	case ".lp":
		model, err = highs.ReadLP(r.Path)
	default:
		err = model.UnmarshalJSON(text)
	}
	if err != nil {
		return nil, fmt.Errorf("%smodel %s: %w", r.flag, r.Path, err)
	}
	return model, nil
}

func within(folder, path string) string {
	if path == "" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(folder, path)
}

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
	switch {
	case labels == "":
		return sparsero.LoadDictionary(path)
	case strings.EqualFold(filepath.Ext(path), ".npy"):
		return nil, fmt.Errorf("labels %q names a column of a table, and %s is an array without names; leave labels out", labels, path)
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

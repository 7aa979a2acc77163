// Package document reads a whole robust problem from one JSON document, as sparsero/cmd/sparsero/PROBLEM.md describes it.
//
// Where things are:
//
//	document             the keys and how they are read
//	table, order         rows of numbers, or the file that holds them; their order, which goes by the names of the model's columns
//	problem, set         the robust problem; convex sets
package document

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/highs"
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

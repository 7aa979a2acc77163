// Package document reads a whole robust problem from one JSON document, as sparsero/cmd/sparsero/PROBLEM.md describes it.
//
// Where things are:
//
//	document, syntax     the keys and how they are read, unknown ones too; what decoders of JSON pass over
//	table, order         rows of numbers, or the file that holds them; their order, which goes by the names of the model's columns
//	problem, set         the robust problem; convex sets
package document

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
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

// UnmarshalJSON reads a number without quotes.
func (n *number) UnmarshalJSON(text []byte) error {
	if text[0] == '"' {
		return fmt.Errorf("the number %s stands in quotes; leave them out", text)
	}
	return json.Unmarshal(text, (*json.Number)(n))
}

// region is X and b(x): the JSON of a solver.Model, or a file.
type region struct {
	*solver.Model
	path string
	flag string // what stands before the word model in an error
}

// affine is q(x) = Matrix x + Constant. A matrix that is left out is zero.
type affine struct {
	Matrix   *table    `json:"matrix"`
	Constant []float64 `json:"constant"`
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
	d := &Document{folder: filepath.Dir(path)}
	err = strict(text, d)
	if err == nil {
		err = checkSyntax(text)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return d, nil
}

// OfFiles is the document of a model and of atoms that are added to its costs.
func OfFiles(model, atoms string) *Document {
	return &Document{
		Model: region{path: model, flag: "-"}, Dictionary: &dictionary{Values: &table{path: atoms}}, Objective: &affine{Matrix: &table{path: identity}},
	}
}

// UnmarshalJSON reads a model, or the name of its file.
func (r *region) UnmarshalJSON(text []byte) error {
	if text[0] == '"' {
		return json.Unmarshal(text, &r.path)
	}
	r.Model = &solver.Model{}
	return json.Unmarshal(text, r.Model)
}

// load reads the file of the model, if it is one.
func (r *region) load(folder string) (*solver.Model, error) {
	if r.path == "" {
		return r.Model, nil
	}
	path := within(folder, r.path)
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("%smodel: %w; check the path", r.flag, err)
	}
	model := &solver.Model{}
	switch strings.ToLower(filepath.Ext(path)) {
	case ".mps":
		model, err = solver.ReadMPS(bytes.NewReader(text))
	case ".lp":
		model, err = highs.ReadLP(path)
	default:
		if err = json.Unmarshal(text, model); err == nil {
			err = checkSyntax(text)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%smodel %s: %w", r.flag, path, err)
	}
	return model, nil
}

// within is a path of a document, relative to its folder.
func within(folder, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(folder, path)
}

// strict decodes one value, without keys that its type does not have.
func strict(text []byte, value any) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(value); err != nil {
		_, quoted, unknown := strings.Cut(err.Error(), "json: unknown field ")
		if key, bad := strconv.Unquote(quoted); unknown && bad == nil {
			return fmt.Errorf("the key %q is unknown here; %s", key, meant(key, keysOf(reflect.TypeOf(value))))
		}
		return err
	}
	if _, err := decoder.Token(); err != io.EOF {
		return errors.New("something stands behind the end of the JSON; write one object")
	}
	return nil
}

// keysOf lists the keys of a type and of the objects in it.
func keysOf(t reflect.Type) (keys []string) {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return nil
	}
	for k := range t.NumField() {
		if key := t.Field(k).Tag.Get("json"); key != "" {
			keys = append(append(keys, key), keysOf(t.Field(k).Type)...)
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// synonyms are words of other programs for keys of a document.
var synonyms = map[string]string{
	"region": "model", "problem": "model", "atoms": "dictionary", "scenarios": "dictionary", "uncertainty": "set", "q": "objective",
	"rhs": "limit", "upper": "limit", "coefficients": "nominal", "epsilon": "gap", "tolerance": "gap", "alpha": "violations",
	"violation": "violations", "confidence": "delta", "draws": "samples", "offset": "constant", "rows": "constraints",
}

// meant names the key that was meant: that with the least edits, if they are few, or all of them.
func meant(key string, keys []string) string {
	key = strings.ToLower(key)
	nearest, least := synonyms[key], max(1, (len(key)+1)/3)+1
	for _, right := range keys {
		if edits := distance(key, right); edits < least {
			nearest, least = right, edits
		}
	}
	switch {
	case nearest == key:
		return "its place is in another object, as PROBLEM.md shows (a model stands under \"model\")"
	case slices.Contains(keys, nearest):
		return fmt.Sprintf("write %q", nearest)
	}
	return "the keys are " + strings.Join(keys, ", ")
}

// distance is the number of letters to insert, delete or replace.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j := range b {
			replaced := diagonal
			if a[i] != b[j] {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

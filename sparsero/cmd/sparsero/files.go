package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/certificate"
	"github.com/sparsero/directions/sparsero/cmd/internal/command"
	"github.com/sparsero/directions/sparsero/input"
	"github.com/sparsero/directions/sparsero/robust"
)

// extension is that of a file, in lower case.
func extension(path string) string { return strings.ToLower(filepath.Ext(path)) }

// write writes a file whose content is complete.
func write(path string, content func(io.Writer) error) {
	var text bytes.Buffer
	fail(content(&text))
	if err := os.WriteFile(path, text.Bytes(), 0o644); err != nil {
		fail(fmt.Errorf("%w; give a file in a folder that is there with -to or -o", err))
	}
}

// save writes rows as a table with all digits or as a NumPy file, and a value as JSON.
func save(path string, rows *sparsero.Dictionary, value any) {
	write(path, func(w io.Writer) error {
		switch extension(path) {
		case ".csv":
			return rows.WriteCSV(w)
		case ".npy":
			return input.WriteMatrix(w, rows.Matrix())
		case ".json":
			return json.NewEncoder(w).Encode(value)
		}
		return fmt.Errorf("%q is no .npy, .csv or .json file; -h says what each holds", path)
	})
}

// designFile is a design file that was read.
type designFile struct {
	Kind, Seal string
	Dictionary struct{ SHA256 string }
	Solution   *robust.Solution `json:"-"`
	Design     *robust.Design   `json:"-"` // nil for another kind
	Tuned      *robust.Tuned    `json:"-"` // nil for another kind

	// What a report shows besides.
	Files   []string             `json:"-"` // the design file, and the dictionary if there is one
	Record  *robust.Record       `json:"-"`
	Verdict *certificate.Verdict `json:"-"`
}

// load reads the design file of the call, with the dictionary of the second file if there is one.
func load(c *command.Call) *designFile {
	path, f := c.Files[0], &designFile{Files: c.Files}
	if err := json.Unmarshal(must(os.ReadFile(path)), f); err != nil {
		fail(fmt.Errorf("%s is no design file: %w; write one with \"sparsero design\"", path, err))
	}
	var atoms *sparsero.Dictionary
	if len(c.Files) > 1 {
		atoms = must(sparsero.LoadDictionary(c.Files[1]))
	}
	switch f.Kind {
	case "tuned":
		f.Tuned = must(robust.LoadTuned(path, atoms))
		f.Solution = f.Tuned.Solution
	case "design":
		f.Design = must(robust.LoadDesign(path, atoms))
		f.Solution = f.Design.Solution
	default:
		f.Solution = must(robust.LoadSolution(path, atoms))
	}
	return f
}

// verify checks the design file of the call, with the dictionary of the second file if there is one.
func verify(c *command.Call) (value, words any, unmet error) {
	c.Parse(1, 2)
	verdict, err := check(c)
	var wrong *certificate.FalseClaimError
	if errors.As(err, &wrong) {
		return map[string]any{"valid": false, "claim": wrong.Claim, "claimed": wrong.Claimed, "exact": wrong.Exact}, "The file is false.", err
	}
	must(verdict, err)
	return map[string]any{"valid": true, "statements": verdict.Statements, "unchecked": verdict.Unchecked}, verdict, nil
}

func check(c *command.Call) (*certificate.Verdict, error) {
	readers := make([]io.Reader, 2)
	for k, path := range c.Files {
		file := must(os.Open(path))
		defer file.Close()
		readers[k] = file
	}
	return certificate.Verify(readers[0], readers[1])
}

// export writes the reduced robust model or the decision of a design file.
func export(c *command.Call) (value, words any, unmet error) {
	to := c.Flags.String("to", "", "`file` to write: .mps for the robust model with the chosen atoms in free MPS; .csv (names and all digits), .json or .npy for the decision")
	c.Parse(1, 2)
	s := load(c).Solution
	columns := s.Problem().Region().ColumnNames()
	object := map[string]any{"file": *to, "columns": columns, "decision": s.X}
	if extension(*to) == ".mps" {
		model := must(s.Problem().Model(s.Atoms, s.Radius))
		write(*to, model.WriteMPS)
		return object, fmt.Sprintf("%s: %s; names are escaped as solver.Model.WriteMPS says", *to, model), nil
	}
	names := &sparsero.DictionaryOptions{Labels: columns, Columns: []string{"value"}}
	save(*to, must(sparsero.NewDictionary(mat.NewDense(len(s.X), 1, s.X), names)), object)
	return object, fmt.Sprintf("%s: %d columns", *to, len(s.X)), nil
}

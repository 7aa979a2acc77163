package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sparsero/directions/solver/highs"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/designfile"
	"github.com/sparsero/directions/sparsero/internal/input"
	"github.com/sparsero/directions/sparsero/internal/wholefile"
	"github.com/sparsero/directions/sparsero/robust"
	"gonum.org/v1/gonum/mat"
)

func extension(path string) string { return strings.ToLower(filepath.Ext(path)) }

// target ends the verb where a file to write is of no kind that can be, or is one of those that are read.
func target(flag, path string, read []string, kinds ...string) {
	written, _ := os.Stat(path)
	if _, err := os.Stat(filepath.Dir(path)); err != nil || !slices.Contains(kinds, extension(path)) || written != nil && written.IsDir() {
		fail(fmt.Errorf("-%s %q is no %s file in a folder that is there; give one", flag, path, strings.Join(kinds, ", ")))
	}
	for _, name := range read {
		if file, _ := os.Stat(name); os.SameFile(file, written) {
			fail(fmt.Errorf("-%s %q is a file that is read; give another one", flag, path))
		}
	}
}

// save writes rows as a table with all digits or as a NumPy file, and a value as JSON.
func save(path string, rows *sparsero.Dictionary, value any) {
	fail(wholefile.Write(path, func(w io.Writer) error {
		switch extension(path) {
		case ".csv":
			return rows.WriteCSV(w)
		case ".npy":
			return input.WriteMatrix(w, rows.Matrix())
		}
		return json.NewEncoder(w).Encode(value)
	}))
}

func checkFiles(paths ...string) (*designfile.Checked, error) {
	readers := make([]io.Reader, 2)
	for k, path := range paths {
		file, err := os.Open(path)
		if err != nil {
			return nil, fmt.Errorf("%w; check the path", err)
		}
		defer file.Close()
		readers[k] = file
	}
	checked, err := designfile.Verify(readers[0], readers[1])
	if err != nil {
		return nil, fmt.Errorf("%s: %w", paths[0], err)
	}
	return checked, nil
}

func verify(c *call) (value, words any, unmet error) {
	c.parse(1, 2)
	checked, err := checkFiles(c.files...)
	var wrong *designfile.FalseClaimError
	if errors.As(err, &wrong) {
		return map[string]any{"valid": false, "claim": wrong.Claim, "claimed": wrong.Claimed, "exact": wrong.Exact}, "The file is false.", err
	}
	must(checked, err)
	return map[string]any{"valid": true, "statements": checked.Statements(), "unchecked": checked.Unchecked()}, checked, nil
}

// export writes the reduced robust model, the proof or the decision of a design file that is valid.
func export(c *call) (value, words any, unmet error) {
	to := c.flags.String("to", "", "`file` to write: .mps (free MPS) or .lp for the robust model with the chosen atoms; .vipr for the proof that no decision is cheaper than the lower bound, which viprchk reads; .csv (names and all digits), .json or .npy for the decision")
	c.parse(1, 2)
	target("to", *to, c.files, ".mps", ".lp", ".vipr", ".csv", ".json", ".npy")
	checked := must(checkFiles(c.files...))
	if extension(*to) == ".vipr" {
		fail(wholefile.Write(*to, checked.WriteVIPR))
		return map[string]any{"file": *to}, *to + ": the proof of the lower bound in VIPR 1.0; viprchk checks it", nil
	}
	s := must(robust.SolutionOf(checked))
	columns := s.Problem().Region().ColumnNames()
	object := map[string]any{"file": *to, "columns": columns, "decision": s.X}
	if extension(*to) == ".mps" || extension(*to) == ".lp" {
		model := must(s.Problem().Model(s.Atoms, s.Radius))
		if extension(*to) == ".lp" {
			fail(highs.WriteLP(*to, model))
		} else {
			fail(wholefile.Write(*to, model.WriteMPS))
		}
		return object, fmt.Sprintf("%s: %s; names are escaped as solver.Model.WriteMPS says", *to, model), nil
	}
	names := &sparsero.DictionaryOptions{Labels: columns, Columns: []string{"value"}}
	save(*to, must(sparsero.NewDictionary(mat.NewDense(len(s.X), 1, s.X), names)), object)
	return object, fmt.Sprintf("%s: %d columns", *to, len(s.X)), nil
}

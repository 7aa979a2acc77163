//go:build cgo

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func init() { solvesIntegers = true }

// TestIntegers: what needs HiGHS.
func TestIntegers(t *testing.T) {
	folder := fixtures(t)
	runs(t, folder, "design FOLDER/atoms.csv -model FOLDER/integer.json -o FOLDER/d.json", 0)
	runs(t, folder, "verify FOLDER/d.json", 0)
	runs(t, folder, "report FOLDER/d.json -to FOLDER/r.html", 0)
	runs(t, folder, "export FOLDER/d.json -to FOLDER/m.mps", 0)
	if text, _ := os.ReadFile(filepath.Join(folder, "m.mps")); bytes.Count(text, []byte("MARKER")) != 2 {
		t.Errorf("%s", text)
	}
	// Of a value of 0 the file proves what the search does, up to the digits of a claim.
	file(t, folder, "nothing.json", `{"model": {"columns": [{"lower": 0, "upper": 4, "cost": -1, "integer": true}, {"lower": 0, "upper": 3, "cost": -1.1}]},
		"objective": {"matrix": "identity"}, "dictionary": [[3.1, 2.9], [0.7, 1.3]]}`)
	if o := runs(t, folder, "design FOLDER/nothing.json -o FOLDER/d.json", 0); strings.Contains(o.stdout, "proves less") {
		t.Error(o.stdout)
	}
}

//go:build cgo

package main

import (
	"bytes"
	"os"
	"path/filepath"
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
}

package main

// How computed tables are compared with those in notebooks/results.

import (
	"bytes"
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/sparsero/directions/notebooks/studies/study"
)

const (
	// storedTolerance is how far a number may be from the stored one, relative to the larger of them:
	// another processor, and another order of a sum, round differently.
	storedTolerance = 1e-9
	// storedZero is what counts as 0 beside another number that small: the numbers of the tables are of
	// the order of 1, and a difference of theirs that is 0 is off by some 1e-14.
	storedZero = 1e-12
)

// compareStored compares rows, the header first, with those of a stored table. The first cells, as many as
// keys, tell which row it is: the next one of the stored table that begins with them. Without keys
// the tables have the same rows. Columns that the rest of the study decides are left out.
func compareStored(t *testing.T, name string, rows [][]string, keys int, except ...string) {
	t.Helper()
	kept := readTable(t, filepath.Join(stored, name+".csv"))
	if len(rows) < 2 || !slices.Equal(rows[0], kept[0]) || keys == 0 && len(rows) != len(kept) {
		t.Errorf("%s has %d rows of %q, stored are %d of %q", name, len(rows), rows[0], len(kept), kept[0])
		return
	}
	header, rest := rows[0], kept[1:]
	for _, row := range rows[1:] {
		found := slices.IndexFunc(rest, func(other []string) bool { return slices.Equal(other[:keys], row[:keys]) })
		if found < 0 {
			t.Errorf("%s has no row more of %q", name, row[:keys])
			return
		}
		for j, column := range header {
			if !slices.Contains(except, column) && !sameCell(row[j], rest[found][j]) {
				t.Errorf("%s, %s: computed %s, stored %s, in the row %q", name, column, row[j], rest[found][j], row)
			}
		}
		rest = slices.Delete(rest, found, found+1)
	}
}

// sameCell compares texts exactly and numbers to storedTolerance.
func sameCell(a, b string) bool {
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	if errX != nil || errY != nil || math.IsInf(x-y, 0) {
		return a == b
	}
	return a == b || math.Abs(x-y) <= max(storedTolerance*max(math.Abs(x), math.Abs(y)), storedZero)
}

func TestCellsCompareToTheirTolerance(t *testing.T) {
	for _, test := range []struct {
		a, b string
		same bool
	}{
		{"robust", "robust", true}, {"robust", "violated", false}, {"", "", true}, {"", "0", false}, {"+Inf", "+Inf", true}, {"+Inf", "1e300", false},
		{"NaN", "1", false}, {"58/64", "58/65", false}, {"2", "3", false}, {"0.5", "0.5000000004", true}, {"0.5", "0.5000000006", false},
		{"-1e6", "-1000000.0005", true}, {"-1e6", "-1000000.002", false}, {"1e-14", "0", true}, {"1e-11", "0", false}, {"1", "-1", false},
	} {
		if sameCell(test.a, test.b) != test.same || sameCell(test.b, test.a) != test.same {
			t.Errorf("%q and %q: same is not %v", test.a, test.b, test.same)
		}
	}
}

// readTable returns the rows of a table in a file, the header first.
func readTable(t *testing.T, path string) [][]string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return parse(t, path, text)
}

// rowsOf returns the rows of a computed table as its file would have them.
func rowsOf(t *testing.T, table study.Table) [][]string {
	t.Helper()
	var text bytes.Buffer
	if err := table.WriteCSV(&text); err != nil {
		t.Fatal(err)
	}
	return parse(t, table.Name, text.Bytes())
}

func parse(t *testing.T, name string, text []byte) [][]string {
	t.Helper()
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil || len(rows) == 0 {
		t.Fatalf("%s: %d rows (%v)", name, len(rows), err)
	}
	return rows
}

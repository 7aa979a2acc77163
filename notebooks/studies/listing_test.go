package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestEveryStoredTableIsListed compares the stored tables with the side files:
// a table that no study writes any more would otherwise stay unnoticed, because
// a new run compares only what it writes.
func TestEveryStoredTableIsListed(t *testing.T) {
	listed := make(map[string]bool)
	sides, err := filepath.Glob(filepath.Join(stored, "*.json"))
	if err != nil || len(sides) == 0 {
		t.Fatalf("no side files in %s (%v)", stored, err)
	}
	for _, path := range sides {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var side struct {
			Study  string
			Tables []struct {
				File    string
				Rows    int
				Columns []string
			}
		}
		if err := json.Unmarshal(text, &side); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		for _, table := range side.Tables {
			listed[table.File] = true
			if !strings.HasPrefix(table.File, side.Study+"_") {
				t.Errorf("%s lists %s, whose name does not start with the study's", path, table.File)
			}
			rows := readTable(t, filepath.Join(stored, table.File))
			if len(rows) != table.Rows+1 || !slices.Equal(rows[0], table.Columns) {
				t.Errorf("%s has %d rows of %q, its side file says %d of %q", table.File, len(rows)-1, rows[0], table.Rows, table.Columns)
			}
		}
	}
	files, err := filepath.Glob(filepath.Join(stored, "*.csv"))
	if err != nil {
		t.Fatal(err)
	}
	// Tables of tests, of make compare and of others than the studies are rows of the page beside them.
	page, err := os.ReadFile(filepath.Join(stored, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if name := filepath.Base(file); !listed[name] && !strings.Contains(string(page), "`"+name+"`") {
			t.Errorf("no side file lists %s, and README.md does not name it; remove it, or run go run ./notebooks/studies to write it again", name)
		}
	}
}

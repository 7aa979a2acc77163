package compare

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var (
	root   = filepath.Join("..", "..", "..")
	stored = filepath.Join(root, "notebooks", "results")
)

// The figures in README.md are the stored ones.
func TestReadmeQuotesTheStoredFigures(t *testing.T) {
	quote, err := Quote(stored)
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(readme), quoteBegin+quote+quoteEnd) {
		t.Errorf("README.md does not quote the stored figures; run go run ./notebooks/tools/compare/run -quote. It should say:\n%s", quote)
	}
}

// The stored text is that of the stored tables, row by row.
func TestStoredTextBelongsToTheStoredTables(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(stored, TextFile))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := readTable(filepath.Join(stored, ComparisonFile), "key")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	for key, row := range rows {
		found := false
		for _, line := range lines {
			found = found || strings.HasPrefix(line, row["workload"]) && strings.Contains(line, row["peer"]) &&
				strings.Contains(line, row["ours_median"]+" "+row["unit"])
		}
		if !found {
			t.Errorf("%s has no line for %s: %v", TextFile, key, row)
		}
		if row["agreement"] == "" {
			t.Errorf("%s: the results were not compared", key)
		}
	}
	machine, err := readTable(filepath.Join(stored, MachineFile), "name")
	if err != nil {
		t.Fatal(err)
	}
	for name, row := range machine {
		if value := row["value"]; value == "" || !strings.Contains(string(text), value) {
			t.Errorf("%s does not say %s: %q", TextFile, name, value)
		}
	}
}

func TestUpdateReadmeKeepsWhatSurroundsTheFigures(t *testing.T) {
	path := filepath.Join(t.TempDir(), "README.md")
	if err := os.WriteFile(path, []byte("above\n"+quoteBegin+"old\n"+quoteEnd+"below\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second time changes nothing
		if err := UpdateReadme(path, stored); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	quote, err := Quote(stored)
	if err != nil {
		t.Fatal(err)
	}
	if want := "above\n" + quoteBegin + quote + quoteEnd + "below\n"; string(text) != want {
		t.Errorf("the document is %q, want %q", text, want)
	}
	if err := os.WriteFile(path, []byte("no place\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if UpdateReadme(path, stored) == nil {
		t.Error("a document without a place was accepted")
	}
}

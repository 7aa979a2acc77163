package book

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// letterRow is a row of the table of letters in the glossary: a symbol as LaTeX, and the numbers of the notebooks in which
// it has the meaning of the row.
type letterRow struct {
	symbol, meaning string
	notebooks       []string
}

var (
	letterLine = regexp.MustCompile(`(?m)^\| \$(\\[^$]+)\$ \| (.+) \| ([0-9 ]+) \|$`)
	letterHead = regexp.MustCompile(`^\\[a-z]+`)
)

// TestLetters: each use of a letter of the table in a notebook has exactly one row there that says what it means, and each row
// is used where it says so.
func TestLetters(t *testing.T) {
	glossary, err := os.ReadFile(notebooks + "GLOSSARY.md")
	if err != nil {
		t.Fatal(err)
	}
	table := letterTable(string(glossary))
	if len(table) < 20 {
		t.Fatalf("the glossary has %d letters", len(table))
	}
	texts := map[string]string{}
	paths, _ := filepath.Glob(notebooks + "*.ipynb")
	for _, path := range paths {
		texts[filepath.Base(path)[:2]] = proseOf(t, path)
	}
	for _, problem := range letterProblems(table, texts) {
		t.Error(problem)
	}
}

// TestLettersSeeWhatIsWrong shows that the comparison can fail.
func TestLettersSeeWhatIsWrong(t *testing.T) {
	table := letterTable("| $\\rho$ | one | 01 |\n| $\\rho$ | two | 01 |\n| $\\eta_i$ | three | 02 |\n")
	said := strings.Join(letterProblems(table, map[string]string{"01": `$\rho$`, "02": `$\eta$ and \etal`}), "\n")
	for _, want := range []string{`01: \rho has 2 meanings`, `02: \eta has 0 meanings`, `02: no \eta_i`} {
		if !strings.Contains(said, want) {
			t.Errorf("nobody saw %q in:\n%s", want, said)
		}
	}
}

func letterTable(glossary string) (table []letterRow) {
	for _, row := range letterLine.FindAllStringSubmatch(glossary, -1) {
		table = append(table, letterRow{row[1], row[2], strings.Fields(row[3])})
	}
	return table
}

func letterProblems(table []letterRow, texts map[string]string) (problems []string) {
	heads := map[string]*regexp.Regexp{}
	for _, row := range table {
		head := letterHead.FindString(row.symbol)
		heads[head] = regexp.MustCompile(regexp.QuoteMeta(head) + `([^a-zA-Z]|$)`)
	}
	for number, text := range texts {
		used := map[string]bool{}
		for head, pattern := range heads {
			for _, place := range pattern.FindAllStringIndex(text, -1) {
				rows := meanings(table, number, text[place[0]:])
				if len(rows) != 1 {
					problems = append(problems, fmt.Sprintf("%s: %s has %d meanings in %q", number, head, len(rows), text[place[0]:min(len(text), place[0]+30)]))
				}
				for _, row := range rows {
					used[row.symbol] = true
				}
			}
		}
		for _, row := range table {
			if slices.Contains(row.notebooks, number) && !used[row.symbol] {
				problems = append(problems, fmt.Sprintf("%s: no %s with the meaning %q", number, row.symbol, row.meaning))
			}
		}
	}
	return problems
}

// meanings are the rows of a notebook for what a text begins with: those with the longest symbol.
func meanings(table []letterRow, number, text string) (rows []letterRow) {
	for _, row := range table {
		switch {
		case !slices.Contains(row.notebooks, number) || !strings.HasPrefix(text, row.symbol):
		case len(rows) == 0 || len(row.symbol) > len(rows[0].symbol):
			rows = []letterRow{row}
		case len(row.symbol) == len(rows[0].symbol):
			rows = append(rows, row)
		}
	}
	return rows
}

// proseOf is the text of a notebook without its code.
func proseOf(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var notebook struct {
		Cells []struct {
			Type   string   `json:"cell_type"`
			Source []string `json:"source"`
		}
	}
	if err := json.Unmarshal(content, &notebook); err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for _, cell := range notebook.Cells {
		if cell.Type == "markdown" {
			text.WriteString(strings.Join(cell.Source, "") + "\n")
		}
	}
	return text.String()
}

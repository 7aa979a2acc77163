package notebooks

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const (
	// lessons is the number of the last lesson; a handbook and a companion to the paper follow.
	lessons = "10"
	// maximumLessonWords and maximumLessonLines are the most words of prose and lines of Go before the exercises of a lesson.
	maximumLessonWords = 1500
	maximumLessonLines = 120
)

// statements are those of the paper, by its numbers.
var statements = []string{
	"Assumption 2.1", "Proposition 2.3", "Corollary 2.4", "Theorem 3.1", "Theorem 3.2", "Proposition 4.1", "Algorithm 1",
	"Theorem 4.2", "Theorem 4.3", "Theorem 4.4", "Corollary 4.6", "Proposition C.1", "Corollary C.2", "Proposition D.2",
	"Definition D.3", "Theorem D.4", "Theorem D.5", "Assumption E.1", "Theorem E.2", "Remark E.3",
}

var (
	linkedNotebook = regexp.MustCompile(`\((\d\d_\w+\.ipynb)\)`)
	pluralTheorems = regexp.MustCompile(`Theorems (\d\.\d)(?:,| and) (\d\.\d)`)
)

// TestLessonsAreShort: a lesson is what a reader takes in at one sitting.
func TestLessonsAreShort(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join("..", "..", "notebooks", "[0-9][0-9]_*.ipynb"))
	if err != nil || len(paths) < 10 {
		t.Fatalf("notebooks %v, %v", paths, err)
	}
	for _, path := range paths {
		if filepath.Base(path)[:2] > lessons {
			continue
		}
		d, err := read(path)
		if err != nil {
			t.Fatal(err)
		}
		if words := wordsBeforeExercises(d.Cells); words > maximumLessonWords {
			t.Errorf("%s has %d words before its exercises, more than %d", path, words, maximumLessonWords)
		}
		if lines := linesBeforeExercises(d.Cells); lines > maximumLessonLines {
			t.Errorf("%s has %d lines of Go before its exercises, more than %d", path, lines, maximumLessonLines)
		}
	}
}

func wordsBeforeExercises(cells []cell) (words int) {
	for _, cell := range cells {
		if cell.Kind == "markdown" {
			if strings.Contains(cell.Source, "## Exercises") {
				break
			}
			words += len(strings.Fields(cell.Source))
		}
	}
	return words
}

// TestStatementsHaveTheirCell: the glossary names for each statement of the paper the notebooks that treat it, and a section of
// one of them names the statement and checks it.
func TestStatementsHaveTheirCell(t *testing.T) {
	folder := filepath.Join("..", "..", "notebooks")
	glossary, err := os.ReadFile(filepath.Join(folder, "GLOSSARY.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, statement := range statements {
		var checked []string
		named := notebooksOf(singular(string(glossary)), statement)
		for _, name := range named {
			d, err := read(filepath.Join(folder, name))
			if err != nil {
				t.Fatal(err)
			}
			if checksInSection(d.Cells, statement) {
				checked = append(checked, name)
			}
		}
		if len(checked) == 0 {
			t.Errorf("%s: no section of %v names it and checks it by a Claim", statement, named)
		}
	}
}

// singular writes "Theorem 4.2, Theorem 4.3" for "Theorems 4.2, 4.3".
func singular(text string) string {
	return pluralTheorems.ReplaceAllString(text, "Theorem $1, Theorem $2")
}

// notebooksOf are the notebooks that the row of a statement in the glossary links.
func notebooksOf(glossary, statement string) (names []string) {
	for _, line := range strings.Split(glossary, "\n") {
		first, _, _ := strings.Cut(strings.TrimPrefix(line, "| "), " |")
		if strings.HasPrefix(line, "| ") && slices.Contains(strings.Split(first, ", "), statement) {
			for _, link := range linkedNotebook.FindAllStringSubmatch(line, -1) {
				names = append(names, link[1])
			}
		}
	}
	return names
}

// checksInSection tells whether a section, from one heading "## " to the next, names a statement and has a cell with a Claim.
func checksInSection(cells []cell, statement string) bool {
	names, checks := false, false
	for _, cell := range cells {
		if cell.Kind == "markdown" {
			if strings.HasPrefix(cell.Source, "## ") {
				names, checks = false, false
			}
			names = names || strings.Contains(singular(cell.Source), statement)
		}
		checks = checks || cell.Kind == "code" && strings.Contains(cell.Source, "Claim(")
		if names && checks {
			return true
		}
	}
	return false
}

func TestChecksInSection(t *testing.T) {
	prose, claim := func(text string) cell { return cell{Kind: "markdown", Source: text} }, cell{Kind: "code", Source: `Claim("x", true)`}
	for name, c := range map[string]struct {
		cells []cell
		want  bool
	}{
		"checked":           {[]cell{prose("## 1. A\nTheorem 3.1 says"), claim}, true},
		"of several":        {[]cell{prose("## 1. A\nTheorems 3.0 and 3.1 say"), claim}, true},
		"elsewhere":         {[]cell{prose("## 1. A"), claim, prose("## 2. B\nTheorem 3.1 says")}, false},
		"not named":         {[]cell{prose("## 1. A\nTheorem 3.2 says"), claim}, false},
		"nowhere checked":   {[]cell{prose("## 1. A\nTheorem 3.1 says")}, false},
		"checked before it": {[]cell{prose("## 1. A"), claim, prose("Theorem 3.1 says")}, true},
	} {
		if checksInSection(c.cells, "Theorem 3.1") != c.want {
			t.Errorf("%s: checked is %v", name, !c.want)
		}
	}
}

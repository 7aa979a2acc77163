// Package readme keeps the README true: its Go example runs here with its
// output checked, its commands exist, and its links lead somewhere.
package readme

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/sparsero/directions/datasets"
	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero/formula"
	"github.com/sparsero/directions/sparsero/selection"
)

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func Example() {
	ctx := context.Background()
	data := must(datasets.NewXShape(datasets.XShapeOptions{Seed: 26})) // 2,000 atoms, 801 probe directions
	coverage := must(selection.NewCoverage(data.Dictionary, data.Directions, nil))
	path := must(selection.Greedy{}.Select(ctx, coverage, 7))
	fmt.Printf("2 atoms cover %.1f %%, proven at least %.1f %% of what the best pair covers\n", 100*path.CoverageRatio(2), path.OptimalityRatio(2).Times(100))

	m := formula.NewModel("two projects")
	x, u := m.Vector(2, solver.Column{Name: "x", Bounds: solver.Between(-1, 2)}), m.Uncertain(data.Dictionary)
	m.Maximize(x.Sum().Times(3).Minus(u.Dot(x)))
	m.Add(x.Sum().AtMost(2).Named("budget"))
	problem := must(m.Problem())
	few := must(problem.Solve(ctx, path.Atoms, 1, nil))
	fmt.Printf("7 atoms lose at most %.3f against 2,000\n", must(few.GapBound()))
	design := must(problem.Design(ctx, 20, 1, nil))
	fmt.Printf("%d atoms chosen by the problem lose nothing: %v\n", len(design.Atoms), design.Certified)
	// Output:
	// 2 atoms cover 97.0 %, proven at least 97.1 % of what the best pair covers
	// 7 atoms lose at most 0.098 against 2,000
	// 3 atoms chosen by the problem lose nothing: true
}

// TestReadmeShowsThisExample fails when the code or the output in the README
// differs from Example above.
func TestReadmeShowsThisExample(t *testing.T) {
	source := read(t, "readme_test.go")
	body := between(t, source, "func Example() {\n", "\n}\n")
	code, output, _ := strings.Cut(body, "\t// Output:\n")
	readme := read(t, filepath.Join("..", "..", "README.md"))
	if want := unindent(code, "\t"); !strings.Contains(readme, strings.TrimSpace(want)) {
		t.Errorf("README.md does not hold the code of Example:\n%s", want)
	}
	if want := unindent(output, "\t// "); !strings.Contains(readme, strings.TrimSpace(want)) {
		t.Errorf("README.md does not hold the output of Example:\n%s", want)
	}
}

func TestReadmeNamesCommandsThatExist(t *testing.T) {
	makefile := read(t, filepath.Join("..", "..", "Makefile"))
	for _, document := range []string{"README.md", "CONTRIBUTING.md", "notebooks/CONTRIBUTING.md"} {
		text := read(t, filepath.Join("..", "..", document))
		commands := regexp.MustCompile("`make ([a-z-]+)").FindAllStringSubmatch(text, -1)
		if len(commands) == 0 {
			t.Errorf("%s names no make command", document)
		}
		for _, command := range commands {
			if !regexp.MustCompile(`(?m)^` + command[1] + `:`).MatchString(makefile) {
				t.Errorf("%s names `make %s`, which the Makefile does not know", document, command[1])
			}
		}
	}
}

func TestDocumentLinksLeadSomewhere(t *testing.T) {
	root := filepath.Join("..", "..")
	for _, document := range []string{"README.md", "CONTRIBUTING.md", "CHANGELOG.md", "notebooks/README.md", "notebooks/CONTRIBUTING.md", "plotting/CONTRIBUTING.md", "notebooks/results/README.md", "docker/README.md", "notebooks/GLOSSARY.md", "sparsero/MIGRATION.md"} {
		prose := regexp.MustCompile("(?s)```.*?```").ReplaceAllString(read(t, filepath.Join(root, document)), "")
		for _, link := range regexp.MustCompile(`\]\(([^)#]+)\)`).FindAllStringSubmatch(prose, -1) {
			if strings.Contains(link[1], "://") {
				continue
			}
			if _, err := os.Stat(filepath.Join(root, filepath.Dir(document), link[1])); err != nil {
				t.Errorf("%s links to %s, which is not there", document, link[1])
			}
		}
	}
}

// TestNotebookLinksLeadSomewhere follows the links between tutorials and to their solutions.
func TestNotebookLinksLeadSomewhere(t *testing.T) {
	root, links := filepath.Join("..", "..", "notebooks"), 0
	for _, pattern := range []string{"*.ipynb", filepath.Join("solutions", "*.ipynb")} {
		notebooks, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, notebook := range notebooks {
			for _, link := range regexp.MustCompile(`\]\(([\w./]+\.ipynb)\)`).FindAllStringSubmatch(read(t, notebook), -1) {
				links++
				if _, err := os.Stat(filepath.Join(filepath.Dir(notebook), link[1])); err != nil {
					t.Errorf("%s links to %s, which is not there", filepath.Base(notebook), link[1])
				}
			}
		}
	}
	if links == 0 {
		t.Error("no notebook links to another")
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func between(t *testing.T, text, from, to string) string {
	t.Helper()
	_, after, found := strings.Cut(text, from)
	inside, _, closed := strings.Cut(after, to)
	if !found || !closed {
		t.Fatalf("the source has no part between %q and %q", from, to)
	}
	return inside + "\n"
}

func unindent(text, prefix string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimPrefix(line, prefix)
	}
	return strings.Join(lines, "\n")
}

// Package notebooks checks the tutorials as they are saved: their form, and that the solutions solve the exercises.
package notebooks

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const (
	// kernelName is the kernel that every notebook names.
	kernelName = "gonb"
	// maximumCellLines is the longest code cell of a tutorial, blank lines and imports not counted: what a reader takes in at once.
	maximumCellLines = 15
	// maximumLines is the most lines of Go before the exercises of a tutorial that does not say why it has more.
	maximumLines = 200
	// module is the path of this module.
	module = "github.com/sparsero/directions"
)

// partOfImports is a line that a cell may have beside its imports: a bracket of theirs, a comment, the import of a
// standard package, or nothing.
var partOfImports = regexp.MustCompile(`^\s*(?:import\s*\(|\)|//.*|(?:import\s+)?(?:[\w.]+\s+)?"[^"]*".*)?\s*$`)

// importLine is a line of Go that imports a package from a module, which has a dot in the first part of its path.
var importLine = regexp.MustCompile(`^\s*(?:import\s+)?(?:[\w.]+\s+)?"([^"/]+\.[^"/]+/[^"]+)"`)

// problemsOf lists what keeps a notebook from being a tutorial of this project: it names the kernel gonb and the
// language Go, opens with a markdown title, its code cells are short, its first cell with imports imports a package of
// this module, and it is committed with its outputs, none of them an error.
func problemsOf(d *document) []string {
	var problems []string
	if name, language := d.Metadata.Kernelspec.Name, d.Metadata.Kernelspec.Language; name != kernelName || language != "go" {
		problems = append(problems, fmt.Sprintf("kernelspec is %q for language %q, want %q for %q", name, language, kernelName, "go"))
	}
	cells := d.Cells
	if len(cells) == 0 || cells[0].Kind != "markdown" || !strings.HasPrefix(cells[0].Source, "# ") {
		problems = append(problems, "the first cell is not a markdown title (\"# ...\")")
	}
	for index, cell := range codeCells(cells) {
		if codeLines(cell.Source) > maximumCellLines {
			problems = append(problems, fmt.Sprintf("cell %d has %d lines, at most %d are allowed; it begins with: %s",
				index+1, codeLines(cell.Source), maximumCellLines, firstLine(cell.Source)))
		}
	}
	if lines := linesBeforeExercises(cells); lines > maximumLines && !strings.Contains(cells[0].Source, "\n**Length**: ") {
		problems = append(problems, fmt.Sprintf("%d lines of Go before the exercises, more than %d; move what is machinery into a package, "+
			"or say why in the first cell, in a line that begins with **Length**:", lines, maximumLines))
	}
	if foreign := foreignImport(cells); foreign != "" {
		problems = append(problems, fmt.Sprintf("%q is imported before any package of this module; "+
			"Go before 1.26 looks for it in the modules that this one requires only afterwards", foreign))
	}
	return append(problems, failures(d)...)
}

// linesBeforeExercises counts the lines of the code cells before the exercises, imports included.
func linesBeforeExercises(cells []cell) (lines int) {
	for _, cell := range cells {
		if cell.Kind == "markdown" && strings.Contains(cell.Source, "## Exercises") {
			break
		}
		if cell.Kind == "code" {
			lines += nonBlank(cell.Source)
		}
	}
	return lines
}

// foreignImport is a package of another module that is imported before any of this one. Cells that only import are
// taken together with the next one: the kernel keeps their imports until something uses them.
func foreignImport(cells []cell) string {
	foreign, own := "", false
	for _, cell := range cells {
		uses := false
		for _, line := range strings.Split(cell.Source, "\n") {
			match := importLine.FindStringSubmatch(line)
			switch {
			case cell.Kind != "code":
			case match == nil:
				uses = uses || !partOfImports.MatchString(line)
			case match[1] == module || strings.HasPrefix(match[1], module+"/"):
				own = true
			default:
				foreign = match[1]
			}
		}
		if own {
			return ""
		}
		if uses && foreign != "" {
			return foreign
		}
	}
	return ""
}

// codeLines counts the lines of a cell without the blank ones and the imports at its head.
func codeLines(source string) int {
	if strings.HasPrefix(source, "import (") {
		_, source, _ = strings.Cut(source, "\n)")
	}
	return nonBlank(source)
}

func nonBlank(source string) (count int) {
	for _, line := range strings.Split(source, "\n") {
		if strings.TrimSpace(line) != "" {
			count++
		}
	}
	return count
}

const title = `{"cell_type": "markdown", "source": "# Title"}`

// code is an executed code cell of so many lines.
func code(lines int) string {
	source, _ := json.Marshal(strings.Repeat("x++\n\n", lines))
	return fmt.Sprintf(`{"cell_type": "code", "execution_count": 1, "outputs": [], "source": %s}`, source)
}

func TestProblems(t *testing.T) {
	failure := `{"cell_type": "code", "execution_count": 2, "source": "%%",
		"outputs": [{"output_type": "error", "ename": "ERROR", "evalue": "exit status 2"}]}`
	pending := `{"cell_type": "code", "execution_count": null, "source": "%%", "outputs": []}`
	broken := strings.Replace(failure, `"%%"`, `"%%\n\n  must(draw())\nshow()"`, 1)
	blank := `{"cell_type": "code", "execution_count": null, "source": [" \n"], "outputs": []}`
	cases := map[string]struct{ cells, want string }{
		"good":                {title + "," + code(maximumCellLines), ""},
		"empty code cell":     {title + "," + blank, ""},
		"no cells":            {"", "the first cell"},
		"code first":          {code(1), "the first cell"},
		"no title":            {`{"cell_type": "markdown", "source": "Title"}`, "the first cell"},
		"long cell":           {title + "," + code(maximumCellLines+1), "cell 1 has 16 lines, at most 15 are allowed; it begins with: x++"},
		"long":                {title + strings.Repeat(","+code(maximumCellLines), 14), "210 lines of Go before the exercises, more than 200"},
		"long, with a reason": {strings.Replace(title, "# Title", "# Title\\n**Length**: more, because.", 1) + strings.Repeat(","+code(maximumCellLines), 14), ""},
		"error":               {title + "," + failure, "cell 1 failed: exit status 2; it begins with: %%"},
		"numbered as run":     {title + "," + code(1) + "," + title + "," + blank + "," + broken, "cell 2 failed: exit status 2; it begins with: must(draw())"},
		"not executed":        {title + "," + pending, "not executed: cell 1"},
	}
	for name, c := range cases {
		problems := strings.Join(problemsOf(parse(t, c.cells, kernelName)), "\n")
		if !strings.Contains(problems, c.want) || (c.want == "") != (problems == "") {
			t.Errorf("%s: problems %q, want %q", name, problems, c.want)
		}
	}
}

func TestProblemsNameTheKernel(t *testing.T) {
	document := parse(t, title, "python3")
	if problems := problemsOf(document); len(problems) != 1 || !strings.Contains(problems[0], `"python3"`) {
		t.Errorf("problems %q, want the wrong kernelspec", problems)
	}
}

func TestProblemsOrderOfImports(t *testing.T) {
	own, foreign, standard := `import "github.com/sparsero/directions/solver"`, `import m "gonum.org/v1/gonum/mat"`, `import "math/rand"`
	cases := map[string]struct {
		sources []string
		bad     bool
	}{
		"own first":             {[]string{standard, own, foreign}, false},
		"together":              {[]string{"import (\n\t_ \"gonum.org/v1/plot\"\n\t\"github.com/sparsero/directions/solver\"\n)"}, false},
		"imports, then own":     {[]string{"import (\n\t\"gonum.org/v1/plot\" // figures\n\t\"fmt\"\n)", own}, false},
		"none":                  {[]string{standard, `fmt.Println("see gonum.org/v1/plot")`}, false},
		"foreign used first":    {[]string{standard, foreign + "\n%%\nm.Sum(x)", own}, true},
		"foreign used in block": {[]string{"import (\n\t\"gonum.org/v1/plot\"\n)\nfunc f() {}", own}, true},
	}
	for name, c := range cases {
		cells := title
		for _, source := range c.sources {
			quoted, _ := json.Marshal(source)
			cells += fmt.Sprintf(`, {"cell_type": "code", "execution_count": 1, "outputs": [], "source": %s}`, quoted)
		}
		problems := strings.Join(problemsOf(parse(t, cells, kernelName)), "\n")
		if strings.Contains(problems, "is imported before") != c.bad {
			t.Errorf("%s: problems %q", name, problems)
		}
	}
}

// TestTutorials checks every notebook of the project against the rules.
func TestTutorials(t *testing.T) {
	root := filepath.Join("..", "..", "notebooks")
	paths, err := filepath.Glob(filepath.Join(root, "*.ipynb"))
	if err != nil {
		t.Fatal(err)
	}
	solutions, err := filepath.Glob(filepath.Join(root, "solutions", "*.ipynb"))
	if err != nil {
		t.Fatal(err)
	}
	paths = append(paths, solutions...)
	if len(paths) == 0 {
		t.Fatalf("there is no notebook below %s", root)
	}
	for _, path := range paths {
		document, err := read(path)
		if err != nil {
			t.Error(err)
			continue
		}
		for _, problem := range problemsOf(document) {
			t.Errorf("%s: %s", path, problem)
		}
	}
}

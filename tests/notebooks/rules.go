package notebooks

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

const (
	// KernelName is the kernel that every notebook names.
	KernelName = "gonb"
	// MaximumCellLines is the longest code cell of a tutorial, blank lines not counted: what a reader takes in at once.
	MaximumCellLines = 15
	// module is the path of this module.
	module = "github.com/sparsero/directions"
)

// partOfImports is a line that a cell may have beside its imports: a bracket of theirs, a comment, the import of a
// standard package, or nothing.
var partOfImports = regexp.MustCompile(`^\s*(?:import\s*\(|\)|//.*|(?:import\s+)?(?:[\w.]+\s+)?"[^"]*".*)?\s*$`)

// importLine is a line of Go that imports a package from a module, which has a dot in the first part of its path.
var importLine = regexp.MustCompile(`^\s*(?:import\s+)?(?:[\w.]+\s+)?"([^"/]+\.[^"/]+/[^"]+)"`)

// Problems lists what keeps a notebook from being a tutorial of this project: it names the kernel gonb and the
// language Go, opens with a markdown title, its code cells are short, its first cell with imports imports a package of
// this module, and it is committed with its outputs, none of them an error.
func (d *Document) Problems() []string {
	var problems []string
	if name, language := d.Kernel(); name != KernelName || language != "go" {
		problems = append(problems, fmt.Sprintf("kernelspec is %q for language %q, want %q for %q", name, language, KernelName, "go"))
	}
	cells := d.Cells()
	if len(cells) == 0 || cells[0].Kind != "markdown" || !strings.HasPrefix(cells[0].Source, "# ") {
		problems = append(problems, "the first cell is not a markdown title (\"# ...\")")
	}
	for index, cell := range codeCells(cells) {
		if codeLines(cell.Source) > MaximumCellLines {
			problems = append(problems, fmt.Sprintf("cell %d has %d lines, at most %d are allowed; it begins with: %s",
				index+1, codeLines(cell.Source), MaximumCellLines, firstLine(cell.Source)))
		}
	}
	if foreign := foreignImport(cells); foreign != "" {
		problems = append(problems, fmt.Sprintf("%q is imported before any package of this module; "+
			"Go before 1.26 looks for it in the modules that this one requires only afterwards", foreign))
	}
	return append(problems, d.Failures()...)
}

// foreignImport is a package of another module that is imported before any of this one. Cells that only import are
// taken together with the next one: the kernel keeps their imports until something uses them.
func foreignImport(cells []Cell) string {
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

// Failures lists what went wrong in an executed notebook: cells with an error, and code cells that were not executed.
// An empty list means success.
func (d *Document) Failures() []string {
	var failures, pending []string
	for index, cell := range codeCells(d.Cells()) {
		if message, failed := cell.Failure(); failed {
			failures = append(failures, fmt.Sprintf("cell %d failed: %s; it begins with: %s", index+1, message, firstLine(cell.Source)))
		} else if !cell.Executed {
			pending = append(pending, strconv.Itoa(index+1))
		}
	}
	if len(pending) > 0 {
		failures = append(failures, "not executed: cell "+strings.Join(pending, ", "))
	}
	return failures
}

// Failure returns the message of an error output.
func (c Cell) Failure() (message string, failed bool) {
	for _, output := range c.Outputs {
		if output["output_type"] == "error" {
			return text(output["evalue"]), true
		}
	}
	return "", false
}

// codeCells lists the cells that are executed: those with code in them. Reports count them from 1, which is the number
// that JupyterLab shows beside a cell of a notebook that ran once from the top.
func codeCells(cells []Cell) []Cell {
	return slices.DeleteFunc(slices.Clone(cells), func(c Cell) bool {
		return c.Kind != "code" || strings.TrimSpace(c.Source) == ""
	})
}

// firstLine is the first line that tells a cell from others: not blank, and not GoNB's %%.
func firstLine(source string) string {
	const longest = 60
	for _, line := range strings.Split(source, "\n") {
		if line = strings.TrimSpace(line); line == "" || line == "%%" {
			continue
		}
		if letters := []rune(line); len(letters) > longest {
			return string(letters[:longest]) + "…"
		}
		return line
	}
	return strings.TrimSpace(source)
}

func codeLines(source string) int {
	count := 0
	for _, line := range strings.Split(source, "\n") {
		if strings.TrimSpace(line) != "" {
			count++
		}
	}
	return count
}

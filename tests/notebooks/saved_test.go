package notebooks

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// failures lists what went wrong in an executed notebook: cells with an error, and code cells that were not executed.
// An empty list means success.
func failures(d *document) []string {
	var failures, pending []string
	for index, cell := range codeCells(d.Cells) {
		if message, failed := failure(cell); failed {
			failures = append(failures, fmt.Sprintf("cell %d failed: %s; it begins with: %s", index+1, message, firstLine(cell.Source)))
		} else if cell.Count == nil {
			pending = append(pending, strconv.Itoa(index+1))
		}
	}
	if len(pending) > 0 {
		failures = append(failures, "not executed: cell "+strings.Join(pending, ", "))
	}
	return failures
}

// failure returns the message of an error output.
func failure(c cell) (message string, failed bool) {
	for _, output := range c.Outputs {
		if output["output_type"] == "error" {
			message, _ = output["evalue"].(string)
			return message, true
		}
	}
	return "", false
}

// codeCells lists the cells that are executed: those with code in them. Reports count them from 1, which is the number
// that JupyterLab shows beside a cell of a notebook that ran once from the top.
func codeCells(cells []cell) []cell {
	return slices.DeleteFunc(slices.Clone(cells), func(c cell) bool {
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

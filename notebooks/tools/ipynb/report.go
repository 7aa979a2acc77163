package ipynb

import (
	"fmt"
	"html"
	"io"
	"regexp"
	"strings"
	"time"
)

var (
	styleBlock = regexp.MustCompile(`(?s)<style>.*?</style>`)
	markup     = regexp.MustCompile(`<[^>]*>`)
	blankLines = regexp.MustCompile(`\n\s*\n+`)
)

// Text is what the outputs of a cell say to a reader without a browser.
func (c Cell) Text() string {
	var said strings.Builder
	for _, output := range c.Outputs {
		data, _ := output["data"].(map[string]any)
		switch {
		case output["output_type"] == "stream":
			said.WriteString(text(output["text"]))
		case output["output_type"] == "error":
			said.WriteString(text(output["evalue"]) + "\n")
		case data["text/plain"] != nil:
			said.WriteString(text(data["text/plain"]) + "\n")
		case data["text/html"] != nil:
			said.WriteString(plain(text(data["text/html"])) + "\n")
		}
	}
	return said.String()
}

// plain takes the markup out of a page.
func plain(page string) string {
	page = markup.ReplaceAllString(styleBlock.ReplaceAllString(page, ""), "")
	return strings.TrimSpace(blankLines.ReplaceAllString(html.UnescapeString(page), "\n"))
}

// Failed counts the notebooks that did not succeed.
func Failed(results []Result) int {
	failed := 0
	for _, result := range results {
		if len(result.Failures) > 0 {
			failed++
		}
	}
	return failed
}

// WriteTable writes one line per notebook (name, cells, seconds, status) and the time of all tutorials and of all
// solutions.
func WriteTable(w io.Writer, results []Result) error {
	width := len("notebook")
	for _, result := range results {
		width = max(width, len(result.Name))
	}
	table := fmt.Sprintf("%-*s  %7s  %7s  %s\n", width, "notebook", "cells", "seconds", "status")
	for _, result := range results {
		status := "ok"
		if len(result.Failures) > 0 {
			status = "FAILED"
		}
		cells := fmt.Sprintf("%d/%d", result.Executed, result.Cells)
		table += fmt.Sprintf("%-*s  %7s  %7.1f  %s\n", width, result.Name, cells, result.Elapsed.Seconds(), status)
	}
	_, err := io.WriteString(w, table+sums(results))
	return err
}

// sums says how long the tutorials took together, and the solutions, from the start of the first to the end of the last:
// the course promises at most eight minutes for the tutorials.
func sums(results []Result) string {
	tutorials, solutions := total{}, total{}
	for _, result := range results {
		if strings.HasSuffix(result.Name, solutionsSuffix) {
			solutions.add(result)
		} else {
			tutorials.add(result)
		}
	}
	return "\n" + tutorials.line("tutorials") + solutions.line("solutions")
}

// solutionsSuffix ends the names of the notebooks with solutions.
const solutionsSuffix = "_solutions"

// total is a number of notebooks, and when they began and ended.
type total struct {
	count      int
	begin, end time.Time
}

func (t *total) add(result Result) {
	if t.count == 0 || result.Begin.Before(t.begin) {
		t.begin = result.Begin
	}
	if end := result.Begin.Add(result.Elapsed); end.After(t.end) {
		t.end = end
	}
	t.count++
}

// line is empty where there was none.
func (t *total) line(kind string) string {
	if t.count == 0 {
		return ""
	}
	return fmt.Sprintf("%s: %d in %.0f s\n", kind, t.count, t.end.Sub(t.begin).Seconds())
}

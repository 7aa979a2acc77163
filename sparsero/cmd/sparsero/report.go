package main

import (
	_ "embed"
	"html/template"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/sparsero/directions/plotting"
	"github.com/sparsero/directions/sparsero/designfile"
	"github.com/sparsero/directions/sparsero/internal/input"
	"github.com/sparsero/directions/sparsero/internal/wholefile"
	"github.com/sparsero/directions/sparsero/robust"
)

// sections holds the text of a report, a template for each heading.
//
//go:embed report.html
var sections string

var sectionTexts = template.Must(template.New("report").Funcs(template.FuncMap{
	"base":  filepath.Base,
	"count": input.Count,
	"today": func() string { return time.Now().Format(time.DateOnly) },
}).Parse(sections))

type reported struct {
	Files    []string // the design file, and the dictionary if there is one
	Checked  *designfile.Checked
	Solution *robust.Solution
}

func report(c *call) (value, words any, unmet error) {
	to := c.flags.String("to", "report.html", "`file` to write, an interactive page of its own for any browser or printer")
	c.parse(1, 2)
	target("to", *to, c.files, ".html", ".htm")
	checked := must(checkFiles(c.files...))
	s := must(robust.SolutionOf(checked))
	title, parts := strings.TrimSuffix("A robust decision: "+s.Problem().Region().Name(), ": "), []plotting.Section{}
	for _, part := range []struct {
		heading string
		figures []*plotting.Figure
	}{
		{"What can be lost at most", nil},
		{"What was asked", nil},
		{"The decision", bars("value", s.Problem().Region().ColumnNames(), s.X)},
		{"The atoms that decide", alignments(s)},
		{"The guarantee about new data", nil},
		{"How to check it yourself", nil},
	} {
		var text strings.Builder
		fail(sectionTexts.ExecuteTemplate(&text, part.heading, reported{c.files, checked, s}))
		parts = append(parts, plotting.Section{Heading: part.heading, HTML: text.String(), Figures: part.figures})
	}
	fail(wholefile.Write(*to, func(w io.Writer) error { return plotting.WritePage(w, title, parts...) }))
	return map[string]any{"file": *to, "valid": true}, *to + ": all claims were checked and are true; open it in a browser, or print it", nil
}

// alignments draws ⟨d_i, q(x)⟩ for the chosen atoms.
func alignments(s *robust.Solution) []*plotting.Figure {
	if s.Direction == nil || len(s.Atoms) == 0 {
		return nil
	}
	all, values := s.Problem().Dictionary().Alignments(nil, s.Direction), make([]float64, len(s.Atoms))
	for k, atom := range s.Atoms {
		values[k] = all[atom]
	}
	return bars("alignment with the decision", s.Labels(), values)
}

// bars draws the first values, as many as a picture shows well.
func bars(label string, names []string, values []float64) []*plotting.Figure {
	shown := min(len(values), 40)
	return []*plotting.Figure{must(plotting.Bars(names[:shown], values[:shown], &plotting.BarOptions{Label: label}))}
}

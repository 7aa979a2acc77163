package main

import (
	_ "embed"
	"fmt"
	"html/template"
	"math"
	"path/filepath"
	"strings"
	"time"

	"github.com/sparsero/directions/plotting"
	"github.com/sparsero/directions/sparsero/cmd/internal/command"
	"github.com/sparsero/directions/sparsero/robust"
)

// sections holds the text of a report, a template for each heading.
//
//go:embed report.html
var sections string

var sectionTexts = template.Must(template.New("report").Funcs(template.FuncMap{
	"base":    filepath.Base,
	"today":   func() string { return time.Now().Format(time.DateOnly) },
	"percent": func(v float64) string { return fmt.Sprintf("%.4g %%", 100*v) },
}).Parse(sections))

// report writes a page about a design file whose claims are true.
func report(c *command.Call) (value, words any, unmet error) {
	to := c.Flags.String("to", "report.html", "`file` to write, an interactive page of its own for any browser or printer")
	c.Parse(1, 2)
	data := load(c)
	data.Verdict, data.Record = must(check(c)), must(robust.LoadRecord(c.Files[0]))
	page := &plotting.Page{Title: strings.TrimSuffix("A robust decision: "+data.Solution.Problem().Region().Name(), ": ")}
	for _, part := range []struct {
		heading string
		figures []*plotting.Figure
	}{
		{"What can be lost at most", data.steps()},
		{"What was asked", nil},
		{"The decision", bars("value", data.Solution.Problem().Region().ColumnNames(), data.Solution.X)},
		{"The atoms that decide", data.alignments()},
		{"The promise about new data", nil},
		{"How to check it yourself", nil},
	} {
		var text strings.Builder
		fail(sectionTexts.ExecuteTemplate(&text, part.heading, data))
		page.Sections = append(page.Sections, plotting.Section{Heading: part.heading, HTML: text.String(), Figures: part.figures})
	}
	write(*to, page.Write)
	return map[string]any{"file": *to, "valid": true}, *to + ": all claims were checked and are true; open it in a browser, or print it", nil
}

// steps draws what each further atom bought: the value of the decision against all atoms, and that less its certificate.
func (d *designFile) steps() []*plotting.Figure {
	reached, bound := plotting.Series{Name: "value of the decision"}, plotting.Series{Name: "less what may be lost at most"}
	add := func(atoms int, value, gap float64) {
		if math.IsInf(value, 0) || math.IsInf(gap, 0) {
			return // the decision breaks a constraint of an atom that is not chosen yet
		}
		reached.X, reached.Y = append(reached.X, float64(atoms)), append(reached.Y, value)
		bound.X, bound.Y = append(bound.X, float64(atoms)), append(bound.Y, value-gap)
	}
	if d.Design != nil {
		for _, i := range d.Design.Iterations {
			add(i.Size, i.Value+i.Bound, i.Bound)
		}
	}
	if d.Tuned != nil {
		for _, s := range d.Tuned.Steps {
			if s.Radius == d.Tuned.Radius {
				add(len(s.Atoms), s.Value, s.Gap)
			}
		}
	}
	if len(reached.X) == 0 {
		return nil
	}
	options := &plotting.CurveOptions{XLabel: "atoms", YLabel: "value against all atoms", Markers: true}
	return []*plotting.Figure{must(plotting.Curves([]plotting.Series{reached, bound}, options))}
}

// alignments draws ⟨d_i, q(x)⟩ for the chosen atoms.
func (d *designFile) alignments() []*plotting.Figure {
	s := d.Solution
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

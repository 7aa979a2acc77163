package table

import (
	_ "embed"
	"strings"
	"text/template"
)

//go:embed table.html
var htmlText string

var htmlTemplate = template.Must(template.New("table").Parse(htmlText))

// htmlCell is a cell as the template writes it.
type htmlCell struct {
	Tag, Align, Text string
	Best             bool
}

// HTML returns the table as an HTML fragment with every text escaped. Numbers are aligned
// right by an attribute, which survives where styles are stripped.
func (t *Table) HTML() string {
	header, rows := t.cells()
	columns, _ := t.shown()
	line := func(texts []string, row int) []htmlCell {
		cells := make([]htmlCell, len(texts))
		for j, c := range columns {
			cells[j] = htmlCell{Tag: "td", Align: alignment(c), Text: texts[j], Best: c.best[row]}
			if c.label || row < 0 {
				cells[j].Tag = "th"
			}
		}
		return cells
	}
	data := struct {
		Title, Caption string
		Header         []htmlCell
		Rows           [][]htmlCell
	}{Title: t.title, Caption: t.Caption(), Header: line(header, -1)}
	for i, row := range rows {
		data.Rows = append(data.Rows, line(row, i))
	}
	var b strings.Builder
	_ = htmlTemplate.Execute(&b, data) // writing to a builder cannot fail
	return b.String()
}

func alignment(c column) string {
	if c.numbers != nil {
		return "right"
	}
	return "left"
}

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
}

// htmlTable is a table as the template writes it.
type htmlTable struct {
	Title  string
	Header []htmlCell
	Rows   [][]htmlCell
}

// foldedRows is the number of rows above which HTML shows that many, and all of them in a part
// that the reader opens.
const foldedRows = 10

// HTML returns the table as an HTML fragment with every text escaped. Numbers are aligned
// right by an attribute, which survives where styles are stripped. Of more than ten rows ten are
// shown, and all of them in an element <details>, which works without a script.
func (t *Table) HTML() string {
	header, rows := t.cells()
	columns, _ := t.shown()
	line := func(texts []string, head bool) []htmlCell {
		cells := make([]htmlCell, len(texts))
		for j, c := range columns {
			cells[j] = htmlCell{Tag: "td", Align: alignment(c), Text: texts[j]}
			if c.label || head {
				cells[j].Tag = "th"
			}
		}
		return cells
	}
	first := htmlTable{Title: t.title, Header: line(header, true)}
	for _, row := range rows {
		first.Rows = append(first.Rows, line(row, false))
	}
	data := struct {
		First   htmlTable
		All     *htmlTable
		Caption string
	}{First: first, Caption: t.Caption()}
	if len(rows) > foldedRows {
		data.All = &htmlTable{Header: first.Header, Rows: first.Rows}
		data.First.Rows = first.Rows[:foldedRows]
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

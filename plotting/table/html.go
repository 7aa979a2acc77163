package table

import (
	"fmt"
	"html"
	"strings"
)

// foldedRows is the number of rows above which HTML shows that many, and all of them in a part
// that the reader opens.
const foldedRows = 10

// HTML returns the table as an HTML fragment with every text escaped. Numbers are aligned
// right by an attribute, which survives where styles are stripped. Of more than ten rows ten are
// shown, and all of them in an element <details>, which works without a script.
func (t *Table) HTML() string {
	header, rows := t.cells()
	var b strings.Builder
	b.WriteString(`<div style="overflow-x:auto">`)
	t.writeHTML(&b, t.title, header, rows[:min(foldedRows, len(rows))])
	if len(rows) > foldedRows {
		fmt.Fprintf(&b, "\n<details><summary>all %d rows</summary>\n", len(rows))
		t.writeHTML(&b, "", header, rows)
		b.WriteString("</details>")
	}
	if caption := t.Caption(); caption != "" {
		fmt.Fprintf(&b, "\n<p><small>%s</small></p>", html.EscapeString(caption))
	}
	b.WriteString("</div>")
	return b.String()
}

// writeHTML writes the element <table> with a title, where there is one, and some of the rows.
func (t *Table) writeHTML(b *strings.Builder, title string, header []string, rows [][]string) {
	b.WriteString("<table border=\"0\" style=\"border-collapse:collapse;font-variant-numeric:tabular-nums\">\n")
	if title != "" {
		fmt.Fprintf(b, "<caption style=\"text-align:left;font-weight:bold\">%s</caption>\n", html.EscapeString(title))
	}
	columns, _ := t.shown()
	line := func(texts []string, head bool) {
		b.WriteString("<tr>")
		for j, c := range columns {
			tag := "td"
			if c.label || head {
				tag = "th"
			}
			fmt.Fprintf(b, `<%s align="%s" style="text-align:%[2]s">%s</%[1]s>`, tag, alignment(c), html.EscapeString(texts[j]))
		}
		b.WriteString("</tr>")
	}
	b.WriteString("<thead>")
	line(header, true)
	b.WriteString("</thead>\n<tbody>\n")
	for _, row := range rows {
		line(row, false)
		b.WriteString("\n")
	}
	b.WriteString("</tbody>\n</table>")
}

func alignment(c column) string {
	if c.numbers != nil {
		return "right"
	}
	return "left"
}

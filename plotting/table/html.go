package table

import (
	"fmt"
	"html"
	"strings"
)

// HTML returns the table as an HTML fragment with every text escaped. Numbers are aligned
// right by an attribute, which survives where styles are stripped.
func (t *Table) HTML() string {
	header, rows := t.cells()
	columns, _ := t.shown()
	var b strings.Builder
	b.WriteString("<thead><tr>")
	for j, name := range header {
		fmt.Fprintf(&b, `<th align="%s" style="text-align:%[1]s">%s</th>`, alignment(columns[j]), html.EscapeString(name))
	}
	b.WriteString("</tr></thead>\n<tbody>\n")
	for i, row := range rows {
		b.WriteString("<tr>")
		for j, cell := range row {
			writeCell(&b, &columns[j], i, cell)
		}
		b.WriteString("</tr>\n")
	}
	b.WriteString("</tbody>")
	return t.wrap(b.String())
}

func writeCell(b *strings.Builder, c *column, i int, text string) {
	tag, text := "td", html.EscapeString(text)
	if c.label {
		tag = "th"
	}
	if c.best[i] {
		text = "<strong>" + text + "</strong>"
	}
	fmt.Fprintf(b, `<%s align="%s" style="text-align:%[2]s">%s</%[1]s>`, tag, alignment(*c), text)
}

func alignment(c column) string {
	if c.numbers != nil {
		return "right"
	}
	return "left"
}

// wrap puts title, body and caption into a table element.
func (t *Table) wrap(body string) string {
	var b strings.Builder
	b.WriteString(`<div style="overflow-x:auto"><table border="0" style="border-collapse:collapse;font-variant-numeric:tabular-nums">` + "\n")
	if t.title != "" {
		fmt.Fprintf(&b, `<caption style="text-align:left;font-weight:bold">%s</caption>`+"\n", html.EscapeString(t.title))
	}
	b.WriteString(body + "\n</table>")
	if caption := t.Caption(); caption != "" {
		fmt.Fprintf(&b, "\n<p><small>%s</small></p>", html.EscapeString(caption))
	}
	b.WriteString("</div>")
	return b.String()
}

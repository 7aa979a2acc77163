package table

import (
	"fmt"
	"html"
	"strings"
	"unicode/utf8"
)

// lineBreaks makes tabs and line breaks visible, so that a cell stays on one line.
var lineBreaks = strings.NewReplacer("\r\n", "⏎", "\n", "⏎", "\r", "⏎", "\t", " ")

// cells returns the header and the shown cells as text, line by line.
func (t *Table) cells() (lines [][]string) {
	columns, count := t.shown()
	lines = make([][]string, count+1)
	for _, c := range columns {
		header := c.name
		if c.unit != "" {
			header += " [" + c.unit + "]"
		}
		lines[0] = append(lines[0], lineBreaks.Replace(header))
		for i := range count {
			lines[i+1] = append(lines[i+1], lineBreaks.Replace(c.cell(i)))
		}
	}
	return lines
}

// String returns the table for a terminal: columns two blanks apart, numbers and texts of numbers to the right, and the
// caption below.
func (t *Table) String() string {
	columns, _ := t.shown()
	lines := t.cells()
	widths, rule := make([]int, len(columns)), make([]string, len(columns))
	for j := range columns {
		for _, cells := range lines {
			widths[j] = max(widths[j], utf8.RuneCountInString(cells[j]))
		}
		rule[j] = strings.Repeat("─", widths[j])
	}
	var b strings.Builder
	if t.title != "" {
		b.WriteString(lineBreaks.Replace(t.title) + "\n")
	}
	for i, cells := range lines {
		writeLine(&b, columns, widths, cells)
		if i == 0 {
			writeLine(&b, columns, widths, rule)
		}
	}
	if caption := t.caption(); caption != "" {
		b.WriteString(caption + "\n")
	}
	return b.String()
}

func writeLine(b *strings.Builder, columns []column, widths []int, cells []string) {
	line := make([]string, len(cells))
	for j, cell := range cells {
		pad := strings.Repeat(" ", widths[j]-utf8.RuneCountInString(cell))
		line[j] = cell + pad
		if columns[j].right {
			line[j] = pad + cell
		}
	}
	b.WriteString(strings.TrimRight(strings.Join(line, "  "), " ") + "\n")
}

// longestWhole is the number of bytes up to which a word with a hyphen is not broken on a narrow page.
const longestWhole = 16

// foldedRows is the number of rows above which HTML shows that many, and all of them in a part that the reader opens.
const foldedRows = 10

// HTML returns the table as an HTML fragment with every text escaped. Numbers are aligned
// right by an attribute, which survives where styles are stripped. Of more than ten rows ten are
// shown, and all of them in an element <details>, which works without a script.
func (t *Table) HTML() string {
	lines := t.cells()
	rows := len(lines) - 1
	var b strings.Builder
	b.WriteString(`<div style="overflow-x:auto">`)
	t.writeHTML(&b, t.title, lines[:1+min(foldedRows, rows)])
	if rows > foldedRows {
		fmt.Fprintf(&b, "\n<details><summary>all %d rows</summary>\n", rows)
		t.writeHTML(&b, "", lines)
		b.WriteString("</details>")
	}
	if caption := t.caption(); caption != "" {
		fmt.Fprintf(&b, "\n<p><small>%s</small></p>", html.EscapeString(caption))
	}
	b.WriteString("</div>")
	return b.String()
}

// writeHTML writes the element <table> with a title, where there is one, and some of the lines.
func (t *Table) writeHTML(b *strings.Builder, title string, lines [][]string) {
	b.WriteString("<table border=\"0\" style=\"border-collapse:collapse;font-variant-numeric:tabular-nums\">\n")
	if title != "" {
		fmt.Fprintf(b, "<caption style=\"text-align:left;font-weight:bold\">%s</caption>\n", html.EscapeString(title))
	}
	columns, _ := t.shown()
	write := func(cells []string, head bool) {
		b.WriteString("<tr>")
		for j, c := range columns {
			tag, align := "td", "left"
			if c.label || head {
				tag = "th"
			}
			if c.right {
				align = "right"
			}
			wrap := ""
			if strings.Contains(cells[j], "-") && !strings.Contains(cells[j], " ") && len(cells[j]) <= longestWhole {
				wrap = ";white-space:nowrap" // no break behind the hyphen of a date, a name or an exponent
			}
			fmt.Fprintf(b, `<%s align="%s" style="text-align:%[2]s%s">%s</%[1]s>`, tag, align, wrap, html.EscapeString(cells[j]))
		}
		b.WriteString("</tr>")
	}
	b.WriteString("<thead>")
	write(lines[0], true)
	b.WriteString("</thead>\n<tbody>\n")
	for _, cells := range lines[1:] {
		write(cells, false)
		b.WriteString("\n")
	}
	b.WriteString("</tbody>\n</table>")
}

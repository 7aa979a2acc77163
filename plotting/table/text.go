package table

import (
	"strings"
	"unicode/utf8"
)

// cells returns the header and the shown cells as text, with tabs and line breaks made
// visible so that a cell stays on one line.
func (t *Table) cells() (header []string, rows [][]string) {
	columns, count := t.shown()
	header = make([]string, len(columns))
	for j := range columns {
		header[j] = oneLine(columns[j].header())
	}
	rows = make([][]string, count)
	for i := range rows {
		rows[i] = make([]string, len(columns))
		for j := range columns {
			rows[i][j] = oneLine(columns[j].cell(i))
		}
	}
	return header, rows
}

var lineBreaks = strings.NewReplacer("\r\n", "⏎", "\n", "⏎", "\r", "⏎", "\t", " ")

func oneLine(s string) string { return lineBreaks.Replace(s) }

// Text returns the table for a terminal: columns two blanks apart, numbers to the right, and the
// caption below.
func (t *Table) Text() string {
	header, rows := t.cells()
	columns, _ := t.shown()
	widths := make([]int, len(header))
	for _, row := range append([][]string{header}, rows...) {
		for j, cell := range row {
			widths[j] = max(widths[j], utf8.RuneCountInString(cell))
		}
	}
	var b strings.Builder
	if t.title != "" {
		b.WriteString(oneLine(t.title) + "\n")
	}
	writeLine(&b, columns, widths, header)
	rule := make([]string, len(widths))
	for j, w := range widths {
		rule[j] = strings.Repeat("─", w)
	}
	writeLine(&b, columns, widths, rule)
	for _, row := range rows {
		writeLine(&b, columns, widths, row)
	}
	if caption := t.Caption(); caption != "" {
		b.WriteString(caption + "\n")
	}
	return b.String()
}

// String returns the same as Text.
func (t *Table) String() string { return t.Text() }

func writeLine(b *strings.Builder, columns []column, widths []int, cells []string) {
	var line strings.Builder
	for j, cell := range cells {
		if j > 0 {
			line.WriteString("  ")
		}
		pad := strings.Repeat(" ", widths[j]-utf8.RuneCountInString(cell))
		if columns[j].numbers != nil {
			line.WriteString(pad + cell)
		} else {
			line.WriteString(cell + pad)
		}
	}
	b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
}

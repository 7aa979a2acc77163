package table

import (
	"encoding/csv"
	"fmt"
	"io"
	"strings"
)

// CSV writes all rows and columns in full precision, with the header in the first line.
func (t *Table) CSV(w io.Writer) error {
	writer := csv.NewWriter(w)
	record := make([]string, len(t.columns))
	for j := range t.columns {
		record[j] = t.columns[j].header()
	}
	if err := writer.Write(record); err != nil {
		return fmt.Errorf("table: writing CSV: %w", err)
	}
	for i := range t.rows {
		for j := range t.columns {
			record[j] = t.columns[j].raw(i)
		}
		if err := writer.Write(record); err != nil {
			return fmt.Errorf("table: writing CSV: %w", err)
		}
	}
	writer.Flush()
	if err := writer.Error(); err != nil {
		return fmt.Errorf("table: writing CSV: %w", err)
	}
	return nil
}

// LaTeX returns the shown rows as a tabular environment with the rules of package booktabs;
// text is escaped, the best values are bold.
func (t *Table) LaTeX() string {
	header, rows := t.cells()
	columns, _ := t.shown()
	var b strings.Builder
	b.WriteString(`\begin{tabular}{`)
	for j := range columns {
		b.WriteByte(alignment(columns[j])[0])
	}
	b.WriteString("}\n\\toprule\n")
	for j := range header {
		header[j] = escapeLaTeX(header[j])
	}
	b.WriteString(strings.Join(header, " & ") + ` \\` + "\n\\midrule\n")
	for i, row := range rows {
		for j := range row {
			row[j] = columns[j].latex(row[j])
			if columns[j].best[i] {
				row[j] = `\textbf{` + row[j] + `}`
			}
		}
		b.WriteString(strings.Join(row, " & ") + ` \\` + "\n")
	}
	b.WriteString("\\bottomrule\n\\end{tabular}\n")
	return b.String()
}

var latexEscapes = strings.NewReplacer(
	`\`, `\textbackslash{}`, `&`, `\&`, `%`, `\%`, `$`, `\$`, `#`, `\#`, `_`, `\_`, `{`, `\{`, `}`, `\}`,
	`~`, `\textasciitilde{}`, `^`, `\textasciicircum{}`, `<`, `\textless{}`, `>`, `\textgreater{}`,
	"∞", `$\infty$`,
)

// latex writes a cell; a number's minus sign is not a hyphen.
func (c *column) latex(cell string) string {
	if number, ok := strings.CutPrefix(cell, "-"); ok && c.numbers != nil {
		return "$-$" + escapeLaTeX(number)
	}
	return escapeLaTeX(cell)
}

func escapeLaTeX(s string) string { return latexEscapes.Replace(s) }

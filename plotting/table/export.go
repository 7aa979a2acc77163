package table

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// MarshalJSON is an error: a table holds what it shows, which CSV, HTML, LaTeX and Text write.
func (t *Table) MarshalJSON() ([]byte, error) {
	return nil, errors.New("table: a table has no form in JSON; write it with CSV")
}

// CSV writes all rows and columns in full precision, with the header in the first line. It
// returns the error of the writer.
func (t *Table) CSV(w io.Writer) error {
	if w == nil {
		return errors.New("table: the writer is nil; open a file")
	}
	records := make([][]string, t.rows+1)
	for j := range t.columns {
		c := &t.columns[j]
		records[0] = append(records[0], c.header())
		for i := range t.rows {
			records[i+1] = append(records[i+1], c.raw(i))
		}
	}
	if err := csv.NewWriter(w).WriteAll(records); err != nil {
		return fmt.Errorf("table: writing CSV: %w", err)
	}
	return nil
}

// Save writes the table to a file whose name ends in .csv (all rows, full precision), .tex or .html
// (the shown rows). Missing folders are made. It is an error if the name ends otherwise or if the
// file cannot be written.
func (t *Table) Save(path string) error {
	var data bytes.Buffer
	var err error
	switch kind := strings.ToLower(filepath.Ext(path)); kind {
	case ".csv":
		err = t.CSV(&data)
	case ".tex":
		data.WriteString(t.LaTeX())
	case ".html":
		data.WriteString(t.HTML() + "\n")
	default:
		return fmt.Errorf("table: cannot save a table as %q; use .csv, .tex or .html", kind)
	}
	if err == nil {
		err = os.MkdirAll(filepath.Dir(path), 0o755)
	}
	if err == nil {
		err = os.WriteFile(path, data.Bytes(), 0o644)
	}
	if err != nil {
		return fmt.Errorf("table: saving %q: %w", t.title, err)
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

var latexEscapes = strings.NewReplacer(append([]string{
	`\`, `\textbackslash{}`, `&`, `\&`, `%`, `\%`, `$`, `\$`, `#`, `\#`, `_`, `\_`, `{`, `\{`, `}`, `\}`,
	`~`, `\textasciitilde{}`, `^`, `\textasciicircum{}`, `<`, `\textless{}`, `>`, `\textgreater{}`,
}, mathematics()...)...)

// signs are characters that a LaTeX font may lack, and their names in mathematics.
var signs = map[string]string{
	"∞": "infty", "≤": "le", "≥": "ge", "≠": "ne", "≈": "approx", "±": "pm", "×": "times", "·": "cdot", "√": "surd", "→": "to", "⏎": "hookleftarrow",
	"∈": "in", "∉": "notin", "∪": "cup", "∩": "cap", "⊂": "subset", "⊆": "subseteq", "∅": "emptyset", "⟨": "langle", "⟩": "rangle", "‖": "Vert", "ℓ": "ell",
	"α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "varepsilon", "η": "eta", "θ": "theta", "κ": "kappa", "λ": "lambda", "μ": "mu", "π": "pi",
	"ρ": "rho", "σ": "sigma", "τ": "tau", "φ": "varphi", "ϵ": "epsilon", "ω": "omega", "Γ": "Gamma", "Δ": "Delta", "Σ": "Sigma", "Φ": "Phi", "Ω": "Omega",
}

// mathematics are the pairs of a replacer for signs.
func mathematics() (pairs []string) {
	for sign, name := range signs {
		pairs = append(pairs, sign, `$\`+name+`$`)
	}
	for digit, character := range []rune("₀₁₂₃₄₅₆₇₈₉") {
		pairs = append(pairs, string(character), fmt.Sprintf("$_{%d}$", digit))
	}
	return pairs
}

// latex writes a cell; a number's minus sign is not a hyphen.
func (c *column) latex(cell string) string {
	if number, ok := strings.CutPrefix(cell, "-"); ok && c.numbers != nil {
		return "$-$" + escapeLaTeX(number)
	}
	return escapeLaTeX(cell)
}

func escapeLaTeX(s string) string { return latexEscapes.Replace(s) }

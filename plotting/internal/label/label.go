// Package label reads and writes the texts of figures, without a font: scripts, numbers, lines.
package label

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
)

// Piece is a part of a label on one baseline: Raised is 1 for a superscript, -1 for a subscript, and 0 on the line.
type Piece struct {
	Text   string
	Raised int
}

// Pieces splits one line at its scripts, "Δ_{S}" into Δ and the subscript S; a brace that is never closed is ordinary text.
func Pieces(line string) (pieces []Piece) {
	for line != "" {
		start, script, rest, closed := indexScript(line), "", "", false
		if start >= 0 {
			script, rest, closed = strings.Cut(line[start+2:], "}")
		}
		if !closed {
			return append(pieces, Piece{line, 0})
		}
		if start > 0 {
			pieces = append(pieces, Piece{line[:start], 0})
		}
		raised := map[byte]int{'_': -1, '^': 1}[line[start]]
		pieces, line = append(pieces, Piece{script, raised}), rest
	}
	return pieces
}

// indexScript returns the position of the first "_{" or "^{", or -1.
func indexScript(s string) int {
	sub, sup := strings.Index(s, "_{"), strings.Index(s, "^{")
	if sub < 0 || (sup >= 0 && sup < sub) {
		return sup
	}
	return sub
}

// Formatted is the expression that writes the number of another expression as Number does, in the words of d3.
func Formatted(expression string) string { return "format(" + expression + ",'.4~g')" }

// Number writes a number with four significant digits, infinities as ∞ and NaN as "no value".
func Number(v float64) string {
	switch {
	case math.IsInf(v, 1):
		return "∞"
	case math.IsInf(v, -1):
		return "-∞"
	case math.IsNaN(v):
		return "no value"
	}
	return fmt.Sprintf("%.4g", v)
}

// scripts maps the characters that Unicode offers as sub- and superscripts.
var (
	subscripts   = strings.NewReplacer("0", "₀", "1", "₁", "2", "₂", "3", "₃", "4", "₄", "5", "₅", "6", "₆", "7", "₇", "8", "₈", "9", "₉", "+", "₊", "-", "₋", "i", "ᵢ", "j", "ⱼ", "k", "ₖ", "m", "ₘ", "n", "ₙ", "r", "ᵣ")
	superscripts = strings.NewReplacer("0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹", "+", "⁺", "-", "⁻", "i", "ⁱ", "n", "ⁿ")
)

// Unicode rewrites the scripts of a label for places that know no markup (a terminal, a Vega-Lite title): "10^{-3}"
// becomes "10⁻³". Scripts that Unicode lacks keep their mark: "Δ_{S}" becomes "Δ_S".
func Unicode(label string) string {
	if indexScript(label) < 0 {
		return label
	}
	var b strings.Builder
	for _, p := range Pieces(label) {
		if p.Raised == 0 {
			b.WriteString(p.Text)
			continue
		}
		replacer, mark := subscripts, "_"
		if p.Raised > 0 {
			replacer, mark = superscripts, "^"
		}
		// A script that still holds a character of the original has no form in Unicode.
		if replaced := replacer.Replace(p.Text); !strings.ContainsAny(replaced, p.Text) {
			b.WriteString(replaced)
			continue
		}
		b.WriteString(mark + p.Text)
	}
	return b.String()
}

// OneLine keeps a label on one line.
func OneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// Wrap breaks a text into lines no wider than the limit, in the unit of width; a single word may be wider.
func Wrap(text string, limit float64, width func(string) float64) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		candidate := strings.TrimSpace(line + " " + word)
		if line != "" && width(candidate) > limit {
			lines = append(lines, line)
			candidate = word
		}
		line = candidate
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// Quote writes a text as a string literal of the expression language.
func Quote(s string) string {
	data, _ := json.Marshal(s) // never fails; escapes <, > and & too, so the literal is safe inside HTML
	return string(data)
}

// ScriptScale is the size of a sub- or superscript relative to its line.
const ScriptScale = 0.72

// widths are the widths of the characters of ASCII in thousandths of the font size, in Liberation Sans and in the fonts of
// equal widths, Arial and Helvetica; usualWidth is that of digits and of most other letters.
var widths = map[float64]string{
	191: `'`, 222: `ijl`, 260: `|`, 278: ` !,./:;I[\]ft`, 333: "()-`r{}", 355: `"`, 389: `*`, 469: `^`, 500: `Jcksvxyz`,
	584: `+<=>~`, 611: `FTZ`, 667: `&ABEKPSVXY`, 722: `CDHNRUw`, 778: `GOQ`, 833: `Mm`, 889: `%`, 944: `W`, 1015: `@`,
}

const usualWidth = 556

// Width returns about the width of a line in units of the font size, scripts included. It needs no font.
func Width(line string) (width float64) {
	for _, p := range Pieces(line) {
		scale := 1.0
		if p.Raised != 0 {
			scale = ScriptScale
		}
		for _, r := range p.Text {
			width += scale * widthOf(r) / 1000
		}
	}
	return width
}

func widthOf(r rune) float64 {
	for width, characters := range widths {
		if strings.ContainsRune(characters, r) {
			return width
		}
	}
	return usualWidth
}

package style

import (
	"fmt"
	"math"
	"strings"
	"sync"
	"unicode/utf8"

	"codeberg.org/go-fonts/dejavu/dejavusans"
	"golang.org/x/image/font/opentype"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// scriptScale is the size of a sub- or superscript relative to its line.
const scriptScale = 0.72

// Shifts of the baseline of a script, as a fraction of the font size.
const (
	subscriptShift   = -0.18
	superscriptShift = 0.36
)

// Markup is the text handler of the house style. A label may hold subscripts and
// superscripts with braces, as in TeX: "Δ_{S}(s)", "10^{-3}". An underscore or caret without
// braces is an ordinary character, so that column names need no escaping.
type Markup struct{}

var _ text.Handler = Markup{}

// plainText writes text without markup.
var plainText = text.Plain{Fonts: font.DefaultCache}

// Cache returns the fonts.
func (Markup) Cache() *font.Cache { return plainText.Fonts }

// Extents returns the heights of a font.
func (Markup) Extents(fnt font.Font) font.Extents { return plainText.Extents(available(fnt)) }

// available returns the font, or the house font at its size if there is none of its name.
func available(f font.Font) font.Font {
	if !plainText.Fonts.Has(f) {
		return Font(float64(f.Size))
	}
	return f
}

// Lines splits a text at its line ends.
func (Markup) Lines(txt string) []string { return plainText.Lines(txt) }

// piece is a run of text on one baseline.
type piece struct {
	text  string
	shift float64 // baseline shift as a fraction of the font size
	scale float64
}

// pieces splits one line at its scripts; a brace that is never closed is ordinary text.
func pieces(line string) []piece {
	var out []piece
	plain := func(s string) {
		if s != "" {
			out = append(out, piece{text: s, scale: 1})
		}
	}
	for line != "" {
		start := indexScript(line)
		if start < 0 {
			break
		}
		end := strings.IndexByte(line[start:], '}')
		if end < 0 {
			break
		}
		plain(line[:start])
		shift := subscriptShift
		if line[start] == '^' {
			shift = superscriptShift
		}
		out = append(out, piece{text: line[start+2 : start+end], shift: shift, scale: scriptScale})
		line = line[start+end+1:]
	}
	plain(line)
	return out
}

// indexScript returns the position of the first "_{" or "^{", or -1.
func indexScript(s string) int {
	sub, sup := strings.Index(s, "_{"), strings.Index(s, "^{")
	if sub < 0 || (sup >= 0 && sup < sub) {
		return sup
	}
	return sub
}

// signFont has the signs of mathematics that the house font lacks.
var signFont = font.Font{Typeface: "DejaVu", Variant: "Sans"}

// addSigns adds the font of signs to the fonts of gonum.
var addSigns = sync.OnceFunc(func() {
	if face, err := opentype.Parse(dejavusans.TTF); err == nil {
		plainText.Fonts.Add(font.Collection{{Font: signFont, Face: face}})
	}
})

// unknownGlyph stands for characters that no font holds, such as those of most Asian scripts.
// Interactive charts use the fonts of the browser and have them.
const unknownGlyph = '□'

// faceOf returns the character as it is drawn, and the font that holds it.
func faceOf(r rune, fnt font.Font) (rune, font.Font) {
	holds := func(f font.Font) bool {
		index, err := plainText.Fonts.Lookup(f, f.Size).Face.GlyphIndex(nil, r)
		return err == nil && index != 0
	}
	if r < utf8.RuneSelf || holds(fnt) {
		return r, fnt
	}
	addSigns()
	sign := signFont
	sign.Size = fnt.Size
	if holds(sign) {
		return r, sign
	}
	return unknownGlyph, fnt
}

// run is text in one font at a shift above the baseline.
type run struct {
	text  string
	face  font.Face
	shift vg.Length
}

// runs splits a line by baseline and font.
func runs(line string, fnt font.Font) []run {
	var out []run
	for _, p := range pieces(line) {
		f := fnt
		f.Size *= font.Length(p.scale)
		var last font.Font
		for i, r := range p.text {
			r, face := faceOf(r, f)
			if i == 0 || face != last {
				out = append(out, run{face: plainText.Fonts.Lookup(face, face.Size), shift: vg.Length(p.shift) * fnt.Size})
				last = face
			}
			out[len(out)-1].text += string(r)
		}
	}
	return out
}

// Box returns the size of one line, scripts included.
func (m Markup) Box(line string, fnt font.Font) (width, height, depth vg.Length) {
	fnt = available(fnt)
	_, height, depth = plainText.Box("", fnt)
	for _, r := range runs(line, fnt) {
		width += r.face.Width(r.text)
	}
	return width, height, depth
}

// Draw writes the text with its scripts at a point.
func (m Markup) Draw(c vg.Canvas, txt string, sty text.Style, pt vg.Point) {
	if c == nil {
		return
	}
	sty.Font = available(sty.Font)
	lines := m.Lines(txt)
	height := sty.Height(txt)
	c.SetColor(sty.Color)
	c.Push()
	c.Translate(pt)
	c.Rotate(sty.Rotation)
	top := height*vg.Length(sty.YAlign) - m.Extents(sty.Font).Ascent
	for i, line := range lines {
		width, _, _ := m.Box(line, sty.Font)
		at := vg.Point{X: vg.Length(sty.XAlign) * width, Y: top + vg.Length(len(lines)-i)*sty.Font.Size}
		for _, r := range runs(line, sty.Font) {
			c.FillString(r.face, at.Add(vg.Point{Y: r.shift}), r.text)
			at.X += r.face.Width(r.text)
		}
	}
	c.Pop()
}

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

// Unicode rewrites the scripts of a label for places that know no markup (a terminal, a
// Vega-Lite title): "10^{-3}" becomes "10⁻³". Scripts that Unicode lacks keep their mark:
// "Δ_{S}" becomes "Δ_S".
func Unicode(label string) string {
	if indexScript(label) < 0 {
		return label
	}
	var b strings.Builder
	for _, p := range pieces(label) {
		if p.shift == 0 {
			b.WriteString(p.text)
			continue
		}
		replacer, mark := subscripts, "_"
		if p.shift > 0 {
			replacer, mark = superscripts, "^"
		}
		if replaced := replacer.Replace(p.text); !sharesRune(replaced, p.text) {
			b.WriteString(replaced)
			continue
		}
		b.WriteString(mark + p.text)
	}
	return b.String()
}

// sharesRune tells whether a replaced script still holds a character of the original, which
// then has no Unicode script.
func sharesRune(replaced, original string) bool { return strings.ContainsAny(replaced, original) }

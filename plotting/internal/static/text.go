package static

import (
	"sync"
	"unicode/utf8"

	"codeberg.org/go-fonts/dejavu/dejavusans"
	"codeberg.org/go-fonts/liberation/liberationsansbold"
	"codeberg.org/go-fonts/liberation/liberationsansregular"
	"github.com/sparsero/directions/plotting/internal/label"
	stdfont "golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// shifts are how far scripts stand above the line, as a fraction of the font size.
var shifts = map[int]vg.Length{-1: -0.18, 1: 0.36}

// markup is the text handler of the house style: it draws sub- and superscripts, and signs that the house font lacks.
type markup struct{}

var handler text.Handler = markup{}

// plainText writes text without markup, in the two faces of the house font. The fonts are read where the first text is
// drawn, so that a program which draws none is linked without them.
func plainText() text.Plain {
	houseFonts.once.Do(func() {
		houseFonts.cache = font.NewCache(font.Collection{houseFace(liberationsansregular.TTF, 0), houseFace(liberationsansbold.TTF, boldWeight)})
	})
	return text.Plain{Fonts: houseFonts.cache}
}

var houseFonts struct {
	once, signs sync.Once
	cache       *font.Cache
}

func houseFace(file []byte, weight stdfont.Weight) font.Face {
	face, err := opentype.Parse(file)
	if err != nil {
		panic(err) // the file comes with its module
	}
	return font.Face{Font: font.Font{Typeface: "Liberation", Variant: "Sans", Weight: weight}, Face: face}
}

// signFont has the signs of mathematics that the house font lacks.
var signFont = font.Font{Typeface: "DejaVu", Variant: "Sans"}

func addSigns() {
	houseFonts.signs.Do(func() {
		if face, err := opentype.Parse(dejavusans.TTF); err == nil {
			plainText().Fonts.Add(font.Collection{{Font: signFont, Face: face}})
		}
	})
}

// unknownGlyph stands for characters that no font holds, such as those of most Asian scripts.
// Interactive charts use the fonts of the browser and have them.
const unknownGlyph = '□'

// faceOf returns the character as it is drawn, and the font that holds it.
func faceOf(r rune, fnt font.Font) (rune, font.Font) {
	holds := func(f font.Font) bool {
		index, err := plainText().Fonts.Lookup(f, f.Size).Face.GlyphIndex(nil, r)
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
	for _, p := range label.Pieces(line) {
		f := fnt
		if p.Raised != 0 {
			f.Size *= label.ScriptScale
		}
		var last font.Font
		for i, r := range p.Text {
			r, face := faceOf(r, f)
			if i == 0 || face != last {
				out = append(out, run{face: plainText().Fonts.Lookup(face, face.Size), shift: shifts[p.Raised] * fnt.Size})
				last = face
			}
			out[len(out)-1].text += string(r)
		}
	}
	return out
}

func (m markup) Cache() *font.Cache { return plainText().Fonts }

// Extents returns the height of a font and how far it reaches above and below the line.
func (m markup) Extents(fnt font.Font) font.Extents { return plainText().Extents(fnt) }

func (m markup) Lines(txt string) []string { return plainText().Lines(txt) }

// Box returns the size of one line, scripts included.
func (m markup) Box(line string, fnt font.Font) (width, height, depth vg.Length) {
	_, height, depth = plainText().Box("", fnt)
	for _, r := range runs(line, fnt) {
		width += r.face.Width(r.text)
	}
	return width, height, depth
}

func (m markup) Draw(c vg.Canvas, txt string, sty text.Style, pt vg.Point) {
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

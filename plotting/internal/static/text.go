package static

import (
	"image/color"
	"sync"
	"unicode/utf8"

	"codeberg.org/go-fonts/dejavu/dejavusans"
	"codeberg.org/go-fonts/liberation/liberationsansbold"
	"codeberg.org/go-fonts/liberation/liberationsansregular"
	"github.com/sparsero/directions/plotting/internal/label"
	"github.com/sparsero/directions/plotting/internal/layout"
	"golang.org/x/image/font/opentype"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// pixel is the length of a CSS pixel.
const pixel = vg.Inch / 96

// margin is the room around a figure in points.
const margin = 8

// Font sizes in points.
const (
	titleSize    = 12.5
	subtitleSize = 10
	axisSize     = 10.5
)

// boldWeight is the weight of titles on the scale of golang.org/x/image/font.
const boldWeight = 3

func fontOf(size float64) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Size: font.Length(size)}
}

func textStyle(size float64, c color.Color, x draw.XAlignment, y draw.YAlignment) text.Style {
	return text.Style{Color: c, Font: fontOf(size), XAlign: x, YAlign: y, Handler: house()}
}

// labelStyle returns the style of labels written into a picture.
func labelStyle(c color.Color, x draw.XAlignment) text.Style {
	return textStyle(layout.LabelSize, c, x, draw.YCenter)
}

// lineStyle returns the style of a line of the given colour, width and dash pattern in points.
func lineStyle(c color.NRGBA, width float64, dash []float64) draw.LineStyle {
	line := draw.LineStyle{Color: c, Width: vg.Length(width)}
	for _, v := range dash {
		line.Dashes = append(line.Dashes, vg.Length(v))
	}
	return line
}

// shifts are how far scripts stand above the line, as a fraction of the font size.
var shifts = map[int]vg.Length{-1: -0.18, 1: 0.36}

// markup is the text handler of the house style: it draws sub- and superscripts, and signs that the house font lacks.
type markup struct{ text.Plain }

// house writes text in the two faces of the house font. The fonts are read where the first text is drawn, so that a program
// which draws none is linked without them.
func house() markup {
	houseFonts.once.Do(func() {
		bold := fontOf(0)
		bold.Weight = boldWeight
		houseFonts.cache = font.NewCache(font.Collection{faceIn(liberationsansregular.TTF, fontOf(0)), faceIn(liberationsansbold.TTF, bold)})
	})
	return markup{text.Plain{Fonts: houseFonts.cache}}
}

var houseFonts struct {
	once, signs sync.Once
	cache       *font.Cache
}

func faceIn(file []byte, name font.Font) font.Face {
	face, err := opentype.Parse(file)
	if err != nil {
		panic(err) // the file comes with its module
	}
	return font.Face{Font: name, Face: face}
}

// signFont has the signs of mathematics that the house font lacks.
var signFont = font.Font{Typeface: "DejaVu", Variant: "Sans"}

// unknownGlyph stands for characters that no font holds, such as those of most Asian scripts.
// Interactive charts use the fonts of the browser and have them.
const unknownGlyph = '□'

// faceOf returns the character as it is drawn, and the font that holds it.
func faceOf(r rune, fnt font.Font) (rune, font.Font) {
	holds := func(f font.Font) bool {
		index, err := house().Fonts.Lookup(f, f.Size).Face.GlyphIndex(nil, r)
		return err == nil && index != 0
	}
	if r < utf8.RuneSelf || holds(fnt) {
		return r, fnt
	}
	houseFonts.signs.Do(func() { house().Fonts.Add(font.Collection{faceIn(dejavusans.TTF, signFont)}) })
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
				out = append(out, run{face: house().Fonts.Lookup(face, face.Size), shift: shifts[p.Raised] * fnt.Size})
				last = face
			}
			out[len(out)-1].text += string(r)
		}
	}
	return out
}

// Box returns the size of one line, scripts included.
func (m markup) Box(line string, fnt font.Font) (width, height, depth vg.Length) {
	_, height, depth = m.Plain.Box("", fnt)
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

package static

import (
	"bytes"
	"cmp"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"maps"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// defaultDPI is the resolution of a PNG in dots per inch: twice the CSS pixel, sharp on dense screens and in print.
const defaultDPI = 192

// maxSide bounds a side of a picture in pixels, so that a mistyped size is an error and not an exhausted memory.
const maxSide = 16384

// PNG renders a drawing of the given size in CSS pixels (1/96 inch) at dpi dots per inch
// (0 means defaultDPI). It is an error if a side has less than one or more than 16,384 pixels;
// a drawing that panics, as gonum's plotters do for some input, gives an error as well.
func PNG(d Drawing, width, height float64, dpi int) ([]byte, error) {
	dpi = cmp.Or(dpi, defaultDPI)
	if side := max(width, height) * float64(dpi) / 96; !(width >= 1 && height >= 1 && dpi >= 1) || side > maxSide {
		return nil, fmt.Errorf("static: figure size %g×%g at %d dpi is out of range; each side takes 1 to %d pixels", width, height, dpi, maxSide)
	}
	canvas := vgimg.NewWith(vgimg.UseWH(vg.Length(width)*pixel, vg.Length(height)*pixel), vgimg.UseDPI(dpi))
	if err := drawOn(canvas, d); err != nil {
		return nil, err
	}
	picture := canvas.Image()
	if rgba, ok := picture.(*image.RGBA); ok {
		if few, faithful := Indexed(rgba, 256); faithful {
			picture = few
		}
	}
	var buffer bytes.Buffer
	if err := png.Encode(&buffer, picture); err != nil {
		return nil, fmt.Errorf("static: encoding the figure as PNG: %w", err)
	}
	return buffer.Bytes(), nil
}

// SVG renders a drawing of the given size in CSS pixels; a drawing that panics gives an error.
func SVG(d Drawing, width, height float64) ([]byte, error) {
	canvas := vgsvg.New(vg.Length(width)*pixel, vg.Length(height)*pixel)
	if err := drawOn(canvas, d); err != nil {
		return nil, err
	}
	var buffer bytes.Buffer
	if _, err := canvas.WriteTo(&buffer); err != nil {
		return nil, fmt.Errorf("static: writing the figure as SVG: %w", err)
	}
	return buffer.Bytes(), nil
}

func drawOn(canvas vg.CanvasSizer, d Drawing) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("static: drawing the figure failed: %v", r)
		}
	}()
	d.Draw(draw.New(canvas))
	return nil
}

// cube are the leading bits of a channel that rare colours share which take one place in a palette.
const cube = 0xe0

// Indexed returns a whole picture with at most so many colours, 2 to 256, which makes a PNG a third of the size. Half
// of them are the most frequent colours, exactly; of the rarer ones, on the smoothed edges of lines and letters, those
// that differ by less than 32 in each channel share one, and all become the nearest that is there. The picture is
// faithful if no colour is far from the one that took its place.
func Indexed(picture *image.RGBA, colors int) (indexed *image.Paletted, faithful bool) {
	counts := map[color.RGBA]int{}
	stretches(picture, func(c color.RGBA, from, to int) { counts[c] += to - from })
	frequent := slices.SortedFunc(maps.Keys(counts), func(a, b color.RGBA) int {
		return cmp.Or(counts[b]-counts[a], slices.Compare([]uint8{a.R, a.G, a.B, a.A}, []uint8{b.R, b.G, b.B, b.A}))
	})
	var palette color.Palette
	placed := map[color.RGBA]bool{}
	for _, c := range frequent {
		group := color.RGBA{c.R & cube, c.G & cube, c.B & cube, c.A}
		if len(palette) < colors/2 || len(palette) < colors && !placed[group] {
			palette, placed[group] = append(palette, c), true
		}
	}
	index, faithful := make(map[color.RGBA]uint8, len(frequent)), true
	for _, c := range frequent {
		index[c] = uint8(palette.Index(c))
		faithful = faithful && !far(c, palette[index[c]].(color.RGBA))
	}
	indexed = image.NewPaletted(picture.Bounds(), palette)
	stretches(picture, func(c color.RGBA, from, to int) {
		for i, k := from, index[c]; i < to; i++ {
			indexed.Pix[i] = k
		}
	})
	return indexed, faithful
}

// stretches visits the stretches of pixels of one colour, from the first to before another.
func stretches(picture *image.RGBA, visit func(c color.RGBA, from, to int)) {
	for from, to := 0, 0; 4*from < len(picture.Pix); from = to {
		c := colorAt(picture, 4*from)
		for to = from + 1; 4*to < len(picture.Pix) && colorAt(picture, 4*to) == c; {
			to++
		}
		visit(c, from, to)
	}
}

// colorAt returns the colour that begins at a byte of a picture.
func colorAt(picture *image.RGBA, at int) color.RGBA {
	p := picture.Pix[at : at+4 : at+4]
	return color.RGBA{p[0], p[1], p[2], p[3]}
}

// farColor is the difference of a channel, 0 to 255, up to which replacing a rare colour cannot be seen.
const farColor = 31

// far tells whether a colour differs visibly from another.
func far(a, b color.RGBA) bool {
	differ := func(v, w uint8) bool { return max(v, w)-min(v, w) > farColor }
	return differ(a.R, b.R) || differ(a.G, b.G) || differ(a.B, b.B) || a.A != b.A
}

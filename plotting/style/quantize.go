package style

import (
	"cmp"
	"image"
	"image/color"
	"slices"
)

// cube are the leading bits of a channel that colours which take the same place in a palette share.
const cube = 0xf8

// Indexed returns a picture with at most so many colours, 1 to 256, which makes a PNG a third of
// the size. Colours that differ by less than 8 in each channel become the most frequent one of
// them, and where there are more such groups than colours, the rarest, on the smoothed edges of
// lines and letters, become the nearest of the others.
func Indexed(picture *image.RGBA, colors int) *image.Paletted {
	counts := map[color.RGBA]int{}
	for i := 0; i < len(picture.Pix); i += 4 {
		counts[pixel(picture, i)]++
	}
	frequent := make([]color.RGBA, 0, len(counts))
	for c := range counts {
		frequent = append(frequent, c)
	}
	slices.SortFunc(frequent, func(a, b color.RGBA) int {
		return cmp.Or(counts[b]-counts[a], slices.Compare([]uint8{a.R, a.G, a.B}, []uint8{b.R, b.G, b.B}))
	})
	var palette color.Palette
	place := map[color.RGBA]uint8{} // of each group in the palette
	out := make(map[color.RGBA]uint8, len(counts))
	for _, c := range frequent {
		group := color.RGBA{c.R & cube, c.G & cube, c.B & cube, c.A}
		k, known := place[group]
		switch {
		case !known && len(palette) < colors:
			k = uint8(len(palette))
			palette = append(palette, c)
		case !known:
			k = uint8(palette.Index(c))
		}
		place[group], out[c] = k, k
	}
	indexed := image.NewPaletted(picture.Bounds(), palette)
	for i := range indexed.Pix {
		indexed.Pix[i] = out[pixel(picture, 4*i)]
	}
	return indexed
}

// pixel returns the colour that begins at a byte of a picture.
func pixel(picture *image.RGBA, at int) color.RGBA {
	p := picture.Pix[at : at+4 : at+4]
	return color.RGBA{p[0], p[1], p[2], p[3]}
}

// farColor is the difference of a channel, 0 to 255, up to which replacing a colour cannot be seen.
const farColor = 16

// faithful tells whether no colour of a picture is far from the one that took its place.
func faithful(indexed *image.Paletted, picture *image.RGBA) bool {
	far := func(a, b uint8) bool { return max(a, b)-min(a, b) > farColor }
	for i, k := range indexed.Pix {
		is, was := indexed.Palette[k].(color.RGBA), pixel(picture, 4*i)
		if far(is.R, was.R) || far(is.G, was.G) || far(is.B, was.B) || is.A != was.A {
			return false
		}
	}
	return true
}

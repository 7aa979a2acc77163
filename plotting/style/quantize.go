package style

import (
	"cmp"
	"image"
	"image/color"
	"maps"
	"slices"
)

// cubes are the leading bits of a channel that colours which take the same place in a palette share:
// the finest that the palette has room for.
var cubes = []uint8{0xf8, 0xf0}

// Indexed returns a picture with at most so many colours, 1 to 256, which makes a PNG a third of
// the size. Colours that differ by less than 8, or where these are too many 16, in each channel
// become the most frequent one of them; if these are too many as well, the rarest, on the smoothed
// edges of lines and letters, become the nearest of the others.
func Indexed(picture *image.RGBA, colors int) *image.Paletted {
	counts := map[color.RGBA]int{}
	for i := 0; i < len(picture.Pix); i += 4 {
		counts[pixel(picture, i)]++
	}
	frequent := slices.SortedFunc(maps.Keys(counts), func(a, b color.RGBA) int {
		return cmp.Or(counts[b]-counts[a], slices.Compare([]uint8{a.R, a.G, a.B, a.A}, []uint8{b.R, b.G, b.B, b.A}))
	})
	var palette color.Palette
	var index map[color.RGBA]uint8
	for _, cube := range cubes {
		var left int
		if palette, index, left = grouped(frequent, cube, colors); left == 0 {
			break
		}
	}
	indexed := image.NewPaletted(picture.Bounds(), palette)
	for i := range indexed.Pix {
		indexed.Pix[i] = index[pixel(picture, 4*i)]
	}
	return indexed
}

// grouped makes a palette of the first colour of each cube, the index of every colour in it, and
// counts the cubes without a place of their own.
func grouped(frequent []color.RGBA, cube uint8, colors int) (palette color.Palette, index map[color.RGBA]uint8, left int) {
	place := map[color.RGBA]uint8{}
	index = make(map[color.RGBA]uint8, len(frequent))
	for _, c := range frequent {
		group := color.RGBA{c.R & cube, c.G & cube, c.B & cube, c.A}
		k, known := place[group]
		switch {
		case !known && len(palette) < colors:
			k = uint8(len(palette))
			palette = append(palette, c)
		case !known:
			k = uint8(palette.Index(c))
			left++
		}
		place[group], index[c] = k, k
	}
	return palette, index, left
}

// pixel returns the colour that begins at a byte of a picture.
func pixel(picture *image.RGBA, at int) color.RGBA {
	p := picture.Pix[at : at+4 : at+4]
	return color.RGBA{p[0], p[1], p[2], p[3]}
}

// farColor is the difference of a channel, 0 to 255, up to which replacing a rare colour cannot be seen.
const farColor = 31

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

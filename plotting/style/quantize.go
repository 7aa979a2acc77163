package style

import (
	"cmp"
	"image"
	"image/color"
	"maps"
	"slices"
)

// cube are the leading bits of a channel that rare colours share which take one place in a palette.
const cube = 0xe0

// Indexed returns a picture with at most so many colours, 2 to 256, which makes a PNG a third of
// the size. Half of them are the most frequent colours, exactly; of the rarer ones, on the smoothed
// edges of lines and letters, those that differ by less than 32 in each channel share one, and all
// become the nearest that is there. The picture is faithful if no colour is far from the one that took
// its place. Indexed panics without a picture, for a part of one (SubImage) and for another number of
// colours.
func Indexed(picture *image.RGBA, colors int) (indexed *image.Paletted, faithful bool) {
	if picture == nil || len(picture.Pix) != 4*picture.Rect.Dx()*picture.Rect.Dy() || colors < 2 || colors > 256 {
		panic("style: Indexed takes a whole picture and 2 to 256 colours; draw a part into a picture of its own")
	}
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
		c := pixel(picture, 4*from)
		for to = from + 1; 4*to < len(picture.Pix) && pixel(picture, 4*to) == c; {
			to++
		}
		visit(c, from, to)
	}
}

// pixel returns the colour that begins at a byte of a picture.
func pixel(picture *image.RGBA, at int) color.RGBA {
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

package style

import (
	"image"
	"image/color"
	"slices"
)

// paletteSize is the number of colours of an indexed PNG.
const paletteSize = 256

// farColor is the distance to the nearest colour of the palette, in units of 255 per channel
// and Euclidean over the channels, up to which replacing a colour cannot be seen.
const farColor = 24

// indexed returns the picture with at most 256 colours, which makes a PNG a third of the size:
// the most frequent colours stay exact, and the rare ones, on the smoothed edges of lines and
// letters, become the nearest of these. A picture with rare colours far from all frequent
// ones, such as a fine gradient, is returned as it is.
func indexed(picture *image.RGBA) image.Image {
	counts := map[color.RGBA]int{}
	for i := 0; i < len(picture.Pix); i += 4 {
		p := picture.Pix[i : i+4 : i+4]
		if p[3] != 0xff {
			return picture
		}
		counts[color.RGBA{p[0], p[1], p[2], p[3]}]++
	}
	frequent := make([]color.RGBA, 0, len(counts))
	for c := range counts {
		frequent = append(frequent, c)
	}
	slices.SortFunc(frequent, func(a, b color.RGBA) int {
		if counts[a] != counts[b] {
			return counts[b] - counts[a]
		}
		return slices.Compare([]uint8{a.R, a.G, a.B}, []uint8{b.R, b.G, b.B})
	})
	chosen := spread(frequent)
	index := make(map[color.RGBA]uint8, len(counts))
	for _, c := range frequent {
		k, distance := nearest(chosen, c)
		if distance > farColor*farColor {
			return picture
		}
		index[c] = uint8(k)
	}
	palette := make(color.Palette, len(chosen))
	for k, c := range chosen {
		palette[k] = c
	}
	out := image.NewPaletted(picture.Bounds(), palette)
	for i := range out.Pix {
		p := picture.Pix[4*i : 4*i+4 : 4*i+4]
		out.Pix[i] = index[color.RGBA{p[0], p[1], p[2], p[3]}]
	}
	return out
}

// spread chooses the palette: half of it the most frequent colours, the rest one by one the
// colour that is farthest from all chosen so far.
func spread(frequent []color.RGBA) []color.RGBA {
	if len(frequent) <= paletteSize {
		return frequent
	}
	chosen := slices.Clone(frequent[:paletteSize/2])
	distances := make([]int, len(frequent))
	for i, c := range frequent {
		_, distances[i] = nearest(chosen, c)
	}
	for len(chosen) < paletteSize {
		farthest := 0
		for i, d := range distances {
			if d > distances[farthest] {
				farthest = i
			}
		}
		next := frequent[farthest]
		chosen = append(chosen, next)
		for i, c := range frequent {
			distances[i] = min(distances[i], squaredDistance(c, next))
		}
	}
	return chosen
}

// nearest returns the palette entry closest to a colour and the squared distance.
func nearest(palette []color.RGBA, c color.RGBA) (index, distance int) {
	distance = 1 << 30
	for k, p := range palette {
		if d := squaredDistance(p, c); d < distance {
			index, distance = k, d
		}
	}
	return index, distance
}

func squaredDistance(a, b color.RGBA) int {
	r, g, bl := int(a.R)-int(b.R), int(a.G)-int(b.G), int(a.B)-int(b.B)
	return r*r + g*g + bl*bl
}

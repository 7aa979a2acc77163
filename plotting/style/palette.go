// Package style has the colours and dashes of all figures: colours that colour-blind readers tell apart.
package style

import (
	"fmt"
	"image/color"
	"math"
)

// The colours of Okabe and Ito but for yellow, which is too light for a white sheet: distinguishable under the common
// colour-vision deficiencies. Two greys are for what stays in the background.
// Source: Okabe and Ito, "Color Universal Design", 2008.
var (
	Black      = color.NRGBA{R: 0x00, G: 0x00, B: 0x00, A: 0xff}
	Orange     = color.NRGBA{R: 0xe6, G: 0x9f, B: 0x00, A: 0xff}
	SkyBlue    = color.NRGBA{R: 0x56, G: 0xb4, B: 0xe9, A: 0xff}
	Green      = color.NRGBA{R: 0x00, G: 0x9e, B: 0x73, A: 0xff}
	Blue       = color.NRGBA{R: 0x00, G: 0x72, B: 0xb2, A: 0xff}
	Vermillion = color.NRGBA{R: 0xd5, G: 0x5e, B: 0x00, A: 0xff}
	Purple     = color.NRGBA{R: 0xcc, G: 0x79, B: 0xa7, A: 0xff}
	Grey       = color.NRGBA{R: 0x76, G: 0x76, B: 0x76, A: 0xff}
	LightGrey  = color.NRGBA{R: 0xc4, G: 0xc4, B: 0xc4, A: 0xff}
	White      = color.NRGBA{R: 0xff, G: 0xff, B: 0xff, A: 0xff}
)

// seriesColors is the order in which series take their colours: strong contrasts first.
var seriesColors = []color.NRGBA{Blue, Vermillion, Green, Orange, Purple, SkyBlue, Black, Grey}

// seriesDashes changes with each round of colours, so that more series than colours stay
// apart, and a print without colour still tells the first ones apart.
var seriesDashes = [][]float64{nil, {6, 3}, {2, 2}, {8, 3, 2, 3}, {10, 4}, {4, 2, 1, 2}, {3, 4}, {1, 2}}

// Series returns the colour of series i; the colours repeat after eight series.
func Series(i int) color.NRGBA { return seriesColors[modulo(i, len(seriesColors))] }

// Dash returns the dash pattern of series i in points; nil is a solid line. Series of one
// colour have different patterns, up to 64 series.
func Dash(i int) []float64 {
	n := len(seriesDashes)
	return seriesDashes[modulo(i+(i-modulo(i, n))/n, n)]
}

func modulo(i, n int) int { return ((i % n) + n) % n }

// Hex writes a colour as #rrggbb; its opacity is not part of it.
func Hex(c color.NRGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// Fade returns the colour with the given opacity, between 0 and 1.
func Fade(c color.NRGBA, opacity float64) color.NRGBA {
	c.A = uint8(math.Round(255 * min(max(opacity, 0), 1)))
	return c
}

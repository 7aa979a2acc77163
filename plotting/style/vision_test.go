package style

import (
	"image/color"
	"math"
	"testing"
)

// deficiencies are linear maps of linear RGB to what a person without one kind of cone sees.
// Source: Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of
// Color Vision Deficiency", 2009, severity 1.
var deficiencies = map[string][3][3]float64{
	"normal vision": {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	"protanopia":    {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
	"deuteranopia":  {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
	"tritanopia":    {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
}

// lab returns a colour in CIE L*a*b* (D65) as it is seen with a deficiency.
func lab(c color.NRGBA, seen [3][3]float64) [3]float64 {
	linear := func(v uint8) float64 {
		x := float64(v) / 255
		if x <= 0.04045 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	rgb := [3]float64{linear(c.R), linear(c.G), linear(c.B)}
	var s [3]float64
	for i := range s {
		for j := range rgb {
			s[i] += seen[i][j] * rgb[j]
		}
		s[i] = min(max(s[i], 0), 1)
	}
	f := func(t float64) float64 {
		if t > 216.0/24389 {
			return math.Cbrt(t)
		}
		return (24389.0/27*t + 16) / 116
	}
	x := f((0.4124564*s[0] + 0.3575761*s[1] + 0.1804375*s[2]) / 0.95047)
	y := f(0.2126729*s[0] + 0.7151522*s[1] + 0.0721750*s[2])
	z := f((0.0193339*s[0] + 0.1191920*s[1] + 0.9503041*s[2]) / 1.08883)
	return [3]float64{116*y - 16, 500 * (x - y), 200 * (y - z)}
}

// distance is the colour difference ΔE of CIE 1976: about 2.3 is just noticeable.
func distance(a, b color.NRGBA, seen [3][3]float64) float64 {
	p, q := lab(a, seen), lab(b, seen)
	return math.Sqrt((p[0]-q[0])*(p[0]-q[0]) + (p[1]-q[1])*(p[1]-q[1]) + (p[2]-q[2])*(p[2]-q[2]))
}

// TestPaletteForTheColourBlind: any two series colours differ by at least four times what is
// just noticeable, the first four by seven times, for people with any kind of dichromacy, and
// all of them from the white of the sheet.
func TestPaletteForTheColourBlind(t *testing.T) {
	const noticeable = 2.3
	for name, seen := range deficiencies {
		least := math.Inf(1)
		for i, a := range seriesColors {
			if d := distance(a, White, seen); d < 8*noticeable {
				t.Errorf("%s: series %d differs from white by ΔE = %.1f", name, i, d)
			}
			for j := range i {
				d := distance(a, seriesColors[j], seen)
				least = min(least, d)
				if want := 4 * noticeable; d < want || (i < 4 && d < 7*noticeable) {
					t.Errorf("%s: series %d and %d (%s and %s) differ by ΔE = %.1f", name, j, i, Hex(seriesColors[j]), Hex(a), d)
				}
			}
		}
		t.Logf("%s: smallest difference ΔE = %.1f", name, least)
	}
}

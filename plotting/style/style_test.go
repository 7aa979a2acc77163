package style

import (
	"fmt"
	"math"
	"testing"
)

// luminance is the relative luminance of the Web Content Accessibility Guidelines.
func luminance(r, g, b uint8) float64 {
	linear := func(v uint8) float64 {
		c := float64(v) / 255
		if c <= 0.03928 {
			return c / 12.92
		}
		return math.Pow((c+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(r) + 0.7152*linear(g) + 0.0722*linear(b)
}

// TestSeriesAreVisible: every series colour has a contrast of at least 2 on white (the guidelines
// ask 3 of thin graphics; orange and sky blue of the palette are below it and therefore come
// late), no two are equal, and the first four differ by dashes as well.
func TestSeriesAreVisible(t *testing.T) {
	seen := map[string]bool{}
	for i := range seriesColors {
		c := Series(i)
		if contrast := 1.05 / (luminance(c.R, c.G, c.B) + 0.05); contrast < 2 || (i < 3 && contrast < 3) {
			t.Errorf("series %d (%s) has contrast %.2f on white", i, Hex(c), contrast)
		}
		if seen[Hex(c)] {
			t.Errorf("series %d repeats %s", i, Hex(c))
		}
		seen[Hex(c)] = true
	}
	looks := map[string]int{}
	for i := range 64 {
		look := fmt.Sprint(Series(i), Dash(i))
		if j, ok := looks[look]; ok {
			t.Errorf("series %d and %d look the same", j, i)
		}
		looks[look] = i
	}
	if Series(8) != Series(0) {
		t.Error("the colours do not repeat after eight series")
	}
}

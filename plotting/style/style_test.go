package style

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg/draw"
	"pgregory.net/rapid"
)

func TestScripts(t *testing.T) {
	for _, test := range []struct{ label, unicode string }{
		{"Δ_{S}(s)", "Δ_S(s)"},
		{"10^{-3}", "10⁻³"},
		{"x_{1} + x_{12}", "x₁ + x₁₂"},
		{"close_price", "close_price"},
		{"a_{b", "a_{b"},
		{"", ""},
		{"F(S_{b};T)^{2}", "F(S_b;T)²"},
		{"{}_{}", "{}"},
	} {
		if got := Unicode(test.label); got != test.unicode {
			t.Errorf("Unicode(%q) = %q, want %q", test.label, got, test.unicode)
		}
	}
}

// TestScriptsAreNarrower: a script takes less room than the same text on the line, and text
// without scripts takes the room that the plain handler gives it.
func TestScriptsAreNarrower(t *testing.T) {
	m, f := Markup{}, Font(10)
	width := func(s string) float64 { w, _, _ := m.Box(s, f); return float64(w) }
	if script, line := width("x_{max}"), width("xmax"); !(script < line) || script <= width("x") {
		t.Errorf("x with the subscript max is %g wide, xmax %g, x %g", script, line, width("x"))
	}
	plain, _, _ := plainText.Box("close_price [$]", f)
	if got := width("close_price [$]"); got != float64(plain) {
		t.Errorf("plain text is %g wide, want %g", got, float64(plain))
	}
}

// TestEveryCharacterIsDrawn: what the house font lacks is drawn with the font of signs, in its
// width, and what no font holds with a box.
func TestEveryCharacterIsDrawn(t *testing.T) {
	f := Font(10)
	for _, text := range []string{"⟨d, s⟩", "x ∈ ℝ", "10⁻³", "Δ ε α δ η γ ρ Σ ∞ ≤ ≥ ± × · √ ‖u‖", "∪ ∩ ⊂ ⊆ ∉ ∅ ⌈x⌉ ∀ ∃ ⇒ ↦"} {
		for _, r := range text {
			if drawn, _ := faceOf(r, f); drawn != r {
				t.Errorf("%q of %q is drawn as %q", r, text, drawn)
			}
		}
	}
	if drawn, face := faceOf('株', f); drawn != unknownGlyph || face != f {
		t.Errorf("株 is drawn as %q of %v", drawn, face)
	}
	var texts []string
	for _, r := range runs("A ∪ B_{∪}", f) {
		texts = append(texts, r.text)
	}
	if got := strings.Join(texts, "|"); got != "A |∪| B|∪" {
		t.Errorf("runs %s", got)
	}
	p := New("A ∪ B", "x_{∪}", "株")
	_, png := PNG(p, 100, 100, 0)
	_, svg := SVG(p, 100, 100)
	if err := errors.Join(png, svg); err != nil {
		t.Error(err)
	}
}

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

func TestPNGSizes(t *testing.T) {
	p := New("title", "x", "y")
	data, err := PNG(p, 300, 200, 192)
	if err != nil {
		t.Fatal(err)
	}
	config, err := png.DecodeConfig(bytes.NewReader(data))
	if err != nil || config.Width != 600 || config.Height != 400 {
		t.Errorf("300×200 at 192 dpi is %d×%d pixels (%v), want 600×400", config.Width, config.Height, err)
	}
	for _, size := range [][2]float64{{0, 100}, {-1, 100}, {math.NaN(), 100}, {math.Inf(1), 100}, {1e6, 100}} {
		if _, err := PNG(p, size[0], size[1], 0); err == nil || !strings.Contains(err.Error(), "out of range") {
			t.Errorf("size %v: error %v, want one about the range", size, err)
		}
	}
}

// TestIndexedPicture: a chart keeps its frequent colours exactly and the others within the
// tolerance; a picture that needs more colours is left alone.
func TestIndexedPicture(t *testing.T) {
	chart := image.NewRGBA(image.Rect(0, 0, 300, 300))
	ramp := image.NewRGBA(chart.Bounds())
	noise := image.NewRGBA(chart.Bounds())
	shade := func(t float64) color.NRGBA {
		return color.NRGBA{R: uint8(0x44 + 185*t), G: uint8(230 * t), B: uint8(0x54 - 47*t), A: 0xff}
	}
	for y := range 300 {
		for x := range 300 {
			chart.Set(x, y, White)
			if x < 200 {
				chart.Set(x, y, Series(x/25))
			}
			if x%25 == 0 { // a smoothed edge
				chart.Set(x, y, shade(float64(y)/300))
			}
			ramp.Set(x, y, shade(float64(x)/300))
			noise.Set(x, y, color.RGBA{R: uint8(7 * x), G: uint8(11 * y), B: uint8(x * y), A: 0xff})
		}
	}
	for name, picture := range map[string]*image.RGBA{"chart": chart, "ramp": ramp} {
		if out, faithful := Indexed(picture, 256); len(out.Palette) > 256 || !faithful {
			t.Errorf("%s: %d colours", name, len(out.Palette))
		}
	}
	if out, _ := Indexed(chart, 256); out.At(30, 5) != chart.At(30, 5) || out.At(299, 5) != chart.At(299, 5) {
		t.Error("a frequent colour changed")
	}
	if few, faithful := Indexed(noise, 256); len(few.Palette) != 256 || faithful {
		t.Errorf("many thousand colours became %d that nobody tells apart", len(few.Palette))
	}
}

// panicking is a drawing that fails as gonum's plotters do.
type panicking struct{}

func (panicking) Draw(draw.Canvas) { panic("no luck") }

func TestPanicBecomesError(t *testing.T) {
	_, png := PNG(panicking{}, 100, 100, 0)
	_, svg := SVG(panicking{}, 100, 100)
	for _, err := range []error{png, svg} {
		if err == nil || !strings.Contains(err.Error(), "no luck") {
			t.Errorf("error %v, want the panic in it", err)
		}
	}
}

// Ranges that are empty, without end or none at all have few ticks, and soon.
func TestTicksOfRangesThatAreNone(t *testing.T) {
	values := []float64{0, 1, -1, 1e-320, math.MaxFloat64, -math.MaxFloat64, math.Inf(1), math.Inf(-1), math.NaN()}
	for _, low := range values {
		for _, high := range values {
			for _, ticker := range []plot.Ticker{LinearTicks{}, LinearTicks{Whole: true}, LogTicks{}} {
				if ticks := ticker.Ticks(low, high); len(ticks) > 6000 {
					t.Errorf("%T from %g to %g: %d ticks", ticker, low, high, len(ticks))
				}
			}
		}
	}
}

// TestTicksLieInside: ticks are increasing, in the range, neither none nor many.
func TestTicksLieInside(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		low := rapid.Float64Range(-1e6, 1e6).Draw(t, "low")
		width := math.Pow(10, rapid.Float64Range(-6, 8).Draw(t, "log width"))
		ticks := LinearTicks{}.Ticks(low, low+width)
		if len(ticks) < 3 || len(ticks) > 14 {
			t.Fatalf("%d ticks", len(ticks))
		}
		for i, tick := range ticks {
			if tick.Value < low-1e-8*width || tick.Value > low+width*(1+1e-8) || (i > 0 && tick.Value <= ticks[i-1].Value) {
				t.Fatalf("tick %d at %g, range %g to %g", i, tick.Value, low, low+width)
			}
		}
	})
}

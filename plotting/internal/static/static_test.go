package static

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/png"
	"math"
	"strings"
	"testing"

	"github.com/sparsero/directions/plotting/chart"
	"github.com/sparsero/directions/plotting/internal/label"
	"github.com/sparsero/directions/plotting/style"
	"gonum.org/v1/plot/vg/draw"
)

// TestScriptsAreNarrower: a script takes less room than the same text on the line, and text
// without scripts takes the room that the plain handler gives it.
func TestScriptsAreNarrower(t *testing.T) {
	f := fontOf(10)
	width := func(s string) float64 { w, _, _ := house().Box(s, f); return float64(w) }
	if script, line := width("x_{max}"), width("xmax"); !(script < line) || script <= width("x") {
		t.Errorf("x with the subscript max is %g wide, xmax %g, x %g", script, line, width("x"))
	}
	plain, _, _ := house().Plain.Box("close_price [$]", f)
	if got := width("close_price [$]"); got != float64(plain) {
		t.Errorf("plain text is %g wide, want %g", got, float64(plain))
	}
}

// TestEveryCharacterIsDrawn: what the house font lacks is drawn with the font of signs, in its
// width, and what no font holds with a box.
func TestEveryCharacterIsDrawn(t *testing.T) {
	f := fontOf(10)
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
	p := labelled(t, "x_{∪}", "株 ∪ B")
	_, png := PNG(p, 100, 100, 0)
	_, svg := SVG(p, 100, 100)
	if err := errors.Join(png, svg); err != nil {
		t.Error(err)
	}
}

// labelled is the picture of a chart with labels at its axes.
func labelled(t *testing.T, x, y string) Drawing {
	t.Helper()
	p, err := Picture(&chart.Chart{X: chart.Axis{Label: x}, Y: chart.Axis{Label: y}, Layers: []chart.Layer{&chart.Line{X: []float64{1, 2}, Y: []float64{2, 1}}}})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestPNGSizes(t *testing.T) {
	p := labelled(t, "x", "y")
	data, err := PNG(p, 300, 200, 192)
	if err != nil {
		t.Fatal(err)
	}
	config, err := png.DecodeConfig(bytes.NewReader(data))
	if err != nil || config.Width != 600 || config.Height != 400 {
		t.Errorf("300×200 at 192 dpi is %d×%d pixels (%v), want 600×400", config.Width, config.Height, err)
	}
	for _, size := range [][2]float64{{0, 100}, {-1, 100}, {math.NaN(), 100}, {math.Inf(1), 100}, {1e6, 100}} {
		if _, err := PNG(p, size[0], size[1], 0); err == nil {
			t.Errorf("size %v: error %v, want one about the range", size, err)
		}
	}
}

// TestIndexedPicture: a chart keeps its frequent colours exactly and the others within the
// tolerance; a picture that needs more colours is left alone.
func TestIndexedPicture(t *testing.T) {
	plain := image.NewRGBA(image.Rect(0, 0, 300, 300))
	ramp := image.NewRGBA(plain.Bounds())
	noise := image.NewRGBA(plain.Bounds())
	shade := func(t float64) color.NRGBA {
		return color.NRGBA{R: uint8(0x44 + 185*t), G: uint8(230 * t), B: uint8(0x54 - 47*t), A: 0xff}
	}
	for y := range 300 {
		for x := range 300 {
			plain.Set(x, y, style.White)
			if x < 200 {
				plain.Set(x, y, style.Series(x/25))
			}
			if x%25 == 0 { // a smoothed edge
				plain.Set(x, y, shade(float64(y)/300))
			}
			ramp.Set(x, y, shade(float64(x)/300))
			noise.Set(x, y, color.RGBA{R: uint8(7 * x), G: uint8(11 * y), B: uint8(x * y), A: 0xff})
		}
	}
	for name, picture := range map[string]*image.RGBA{"chart": plain, "ramp": ramp} {
		if out, faithful := Indexed(picture, 256); len(out.Palette) > 256 || !faithful {
			t.Errorf("%s: %d colours", name, len(out.Palette))
		}
	}
	if out, _ := Indexed(plain, 256); out.At(30, 5) != plain.At(30, 5) || out.At(299, 5) != plain.At(299, 5) {
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

// TestWidthWithoutFont: the width that labels are placed with is that of the house font.
func TestWidthWithoutFont(t *testing.T) {
	for _, text := range []string{"r = 1.234", "dimension p", "a rather long label of a rule", "h_{S}(s) = 0.93", "10^{-3}", "{}[]()/|@#%&", "The quick brown fox JUMPS OVER THE LAZY DOG"} {
		drawn, _, _ := house().Box(text, fontOf(1000))
		if got := 1000 * label.Width(text); math.Abs(got-float64(drawn)) > 0.01*float64(drawn) {
			t.Errorf("%q is %g wide without a font, and %g with it", text, got, float64(drawn))
		}
	}
}

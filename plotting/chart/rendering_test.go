package chart_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/sparsero/directions/plotting/chart"
	"github.com/sparsero/directions/plotting/internal/live"
	"github.com/sparsero/directions/plotting/internal/static"
	"github.com/sparsero/directions/plotting/style"
)

// render draws both forms and returns the specification.
func render(t *testing.T, c *chart.Chart) map[string]any {
	t.Helper()
	picture, err := static.Picture(c)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := static.PNG(picture, 640, 400, 48); err != nil {
		t.Fatal(err)
	}
	data, _, err := live.Specification(c)
	if err != nil {
		t.Fatal(err)
	}
	var spec map[string]any
	if err := json.Unmarshal(data, &spec); err != nil {
		t.Fatal(err)
	}
	return spec
}

// everyLayer returns one layer of each kind.
func everyLayer() []chart.Layer {
	x, y, z := []float64{1, 2, 3}, []float64{2, 1, 4}, []float64{3, 3, 5}
	return []chart.Layer{
		&chart.Line{Look: chart.Look{Name: "line", Dash: []float64{3, 1}}, X: x, Y: y, Step: true, Markers: true},
		&chart.Points{Look: chart.Look{Name: "points", Columns: []chart.Column{{Name: "a.b[c]", Text: []string{"p", "q", "r"}}}}, X: x, Y: z, Shape: chart.Star},
		&chart.Band{Look: chart.Look{Name: "line"}, X: x, Low: y, High: z},
		&chart.Bars{Look: chart.Look{Name: "bars"}, At: x, To: y},
		&chart.Rule{Look: chart.Look{Name: "rule"}, Value: 2, Vertical: true, Label: "two"},
		&chart.Rule{Value: math.Inf(1), Label: "far"},
		&chart.Segments{Look: chart.Look{Name: "arrows"}, X: x, Y: y, X2: y, Y2: z, Arrow: true},
		&chart.Polygon{Look: chart.Look{Name: "shape"}, X: x, Y: y},
		&chart.Text{X: x, Y: y, Labels: []string{"a", "b", "c"}, Dx: 3},
		&chart.Text{X: x, Y: y, Labels: []string{"a", "b", "c"}, Panel: 1},
	}
}

func TestEveryLayerInBothForms(t *testing.T) {
	for _, scale := range []chart.Scale{0, chart.Log, chart.Time} {
		c := &chart.Chart{Title: "T_{1}", Subtitle: "sub", Layers: everyLayer(), X: chart.Axis{Label: "x [m]", Scale: scale}, Y: chart.Axis{Label: "y"},
			Sliders: []chart.Slider{{Name: "p", Min: 0, Max: 1, Step: 0.1, Value: 0.5}}}
		spec := render(t, c)
		if len(spec["layer"].([]any)) < len(c.Layers) {
			t.Errorf("scale %d: %d layers in the specification for %d of the chart", scale, len(spec["layer"].([]any)), len(c.Layers))
		}
		for _, l := range c.Layers {
			render(t, &chart.Chart{Layers: []chart.Layer{l, &chart.Points{X: []float64{1, 2}, Y: []float64{1, 2}}}, X: chart.Axis{Scale: scale}})
		}
	}
}

func TestHorizontalBarsWithCategories(t *testing.T) {
	bars := &chart.Bars{Look: chart.Look{Name: "b"}, At: []float64{0, 1, 2}, To: []float64{1, math.Inf(1), math.NaN()}, Horizontal: true}
	spec := render(t, &chart.Chart{Layers: []chart.Layer{bars}, X: chart.Axis{Label: "v", Min: 0, Max: 2}, Y: chart.Axis{Categories: []string{"one", "two", "three"}, Reverse: true}})
	text, _ := json.Marshal(spec)
	for _, want := range []string{"two: ∞", "∞ ──►", `[\"one\",\"two\",\"three\"][datum.value]`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the specification lacks %s", want)
		}
	}
}

func TestBadCharts(t *testing.T) {
	one := []float64{1}
	inf := []float64{math.Inf(1)}
	for _, test := range []struct {
		name  string
		chart chart.Chart
		want  string
		is    error
	}{
		{"no layers", chart.Chart{}, "has no layers", chart.ErrNoData},
		{"empty layers", chart.Chart{Layers: []chart.Layer{&chart.Line{}}}, "all layers", chart.ErrNoData},
		{"lengths", chart.Chart{Layers: []chart.Layer{&chart.Line{X: one}}}, "y has 0 values and x has 1", nil},
		{"infinite", chart.Chart{Layers: []chart.Layer{&chart.Line{X: one, Y: inf}}}, "y[0] is +Inf", nil},
		{"infinite point", chart.Chart{Layers: []chart.Layer{&chart.Points{X: inf, Y: one}}}, "x[0] is +Inf", nil},
		{"band", chart.Chart{Layers: []chart.Layer{&chart.Band{X: one, Low: one}}}, "high has 0 values", nil},
		{"bars", chart.Chart{Layers: []chart.Layer{&chart.Bars{At: one, To: one, Thickness: 2}}}, "thickness 2", nil},
		{"bars lengths", chart.Chart{Layers: []chart.Layer{&chart.Bars{At: one}}}, "to has 0 values", nil},
		{"rule", chart.Chart{Layers: []chart.Layer{&chart.Rule{Value: math.NaN()}}}, "value is NaN", chart.ErrNoData},
		{"segments", chart.Chart{Layers: []chart.Layer{&chart.Segments{X: one, Y: one, X2: one, Y2: inf}}}, "y2[0] is +Inf", nil},
		{"labels", chart.Chart{Layers: []chart.Layer{&chart.Text{X: one, Y: one}}}, "labels has 0 texts", nil},
		{"columns", chart.Chart{Layers: []chart.Layer{&chart.Line{Look: chart.Look{Columns: []chart.Column{{Name: "c"}}}, X: one, Y: one}}}, `column "c" has 0 values`, nil},
		{"reserved column", chart.Chart{Layers: []chart.Layer{&chart.Line{Look: chart.Look{Columns: []chart.Column{{Name: "x2", Numbers: one}}}, X: one, Y: one}}}, `column "x2"`, nil},
		{"column of a category", chart.Chart{Layers: []chart.Layer{&chart.Points{Look: chart.Look{Columns: []chart.Column{{Name: "xname", Numbers: one}}}, X: one, Y: one}}}, `column "xname"`, nil},
		{"column of another category", chart.Chart{Layers: []chart.Layer{&chart.Points{Look: chart.Look{Columns: []chart.Column{{Name: "yname", Numbers: one}}}, X: one, Y: one}}}, `column "yname"`, nil},
		{"column of bars", chart.Chart{Layers: []chart.Layer{&chart.Bars{Look: chart.Look{Columns: []chart.Column{{Name: "value", Numbers: one}}}, At: one, To: one}}}, `column "value"`, nil},
		{"log axis of zeros", chart.Chart{Layers: []chart.Layer{&chart.Line{X: one, Y: []float64{0}}}, Y: chart.Axis{Scale: chart.Log}}, "no value is positive", chart.ErrNoData},
		{"only NaN", chart.Chart{Layers: []chart.Layer{&chart.Line{X: one, Y: []float64{math.NaN()}}}}, "no finite value", chart.ErrNoData},
		{"range", chart.Chart{Layers: []chart.Layer{&chart.Line{X: one, Y: one}}, X: chart.Axis{Min: 2, Max: 1}}, "2 to 1", nil},
		{"range of a log axis", chart.Chart{Layers: []chart.Layer{&chart.Line{X: one, Y: one}}, X: chart.Axis{Min: -1, Max: 1, Scale: chart.Log}}, "logarithmic", nil},
		{"range that overflows", chart.Chart{Layers: []chart.Layer{&chart.Line{X: one, Y: one}}, X: chart.Axis{Min: -math.MaxFloat64, Max: math.MaxFloat64}}, "finite range", nil},
	} {
		_, err := static.Picture(&test.chart)
		_, _, liveErr := live.Specification(&test.chart)
		for _, err := range []error{err, liveErr} {
			if err == nil || !strings.Contains(err.Error(), test.want) || !strings.HasPrefix(err.Error(), "chart: ") {
				t.Errorf("%s: error %v, want one that contains %q", test.name, err, test.want)
			}
			if test.is != nil && !errors.Is(err, test.is) {
				t.Errorf("%s: error %v is not %v", test.name, err, test.is)
			}
		}
	}
}

// TestAwkwardData is drawn sensibly: nothing panics, and the specification stays sound.
func TestAwkwardData(t *testing.T) {
	nan := math.NaN()
	for name, c := range map[string]*chart.Chart{
		"one point":             {Layers: []chart.Layer{&chart.Points{X: []float64{5}, Y: []float64{-3}}}},
		"one point, log axes":   {Layers: []chart.Layer{&chart.Line{X: []float64{5}, Y: []float64{1e-300}}}, X: chart.Axis{Scale: chart.Log}, Y: chart.Axis{Scale: chart.Log}},
		"one instant":           {Layers: []chart.Layer{&chart.Line{X: []float64{1.5e9}, Y: []float64{1}}}, X: chart.Axis{Scale: chart.Time}},
		"a line with a hole":    {Layers: []chart.Layer{&chart.Line{X: []float64{1, 2, 3, 4}, Y: []float64{1, nan, 2, 3}}}},
		"log axis with zero":    {Layers: []chart.Layer{&chart.Line{X: []float64{1, 2, 3}, Y: []float64{0, 10, -5}}}, Y: chart.Axis{Scale: chart.Log}},
		"log bars with zero":    {Layers: []chart.Layer{&chart.Bars{At: []float64{0, 1}, To: []float64{0, 10}}}, Y: chart.Axis{Scale: chart.Log}},
		"equal values":          {Layers: []chart.Layer{&chart.Line{X: []float64{1, 1}, Y: []float64{0, 0}}}},
		"huge values":           {Layers: []chart.Layer{&chart.Line{X: []float64{1, 2}, Y: []float64{1e300, -1e300}}}},
		"tiny values":           {Layers: []chart.Layer{&chart.Line{X: []float64{1, 2}, Y: []float64{1e-300, 2e-300}}}},
		"neighbouring floats":   {Layers: []chart.Layer{&chart.Line{X: []float64{1, 2}, Y: []float64{1, math.Nextafter(1, 2)}}}},
		"far outside the range": {Layers: []chart.Layer{&chart.Line{X: []float64{0, 1}, Y: []float64{-1e200, 1e200}}}, Y: chart.Axis{Min: 0, Max: 1}},
		"rule at infinity":      {Layers: []chart.Layer{&chart.Rule{Value: math.Inf(-1), Vertical: true}, &chart.Points{X: []float64{1}, Y: []float64{1}}}},
		"equal scales":          {Layers: []chart.Layer{&chart.Line{X: []float64{0, 1}, Y: []float64{0, 100}}}, Equal: true},
		"labels":                {Title: "<script>alert(1)</script> \"quotes\" 株 \u202e", Layers: []chart.Layer{&chart.Line{Look: chart.Look{Name: "</script>'\"\\"}, X: []float64{1, 2}, Y: []float64{1, 2}}}, X: chart.Axis{Label: "'); alert(1"}},
		"a very long title":     {Title: strings.Repeat("word ", 60) + strings.Repeat("x", 300), Layers: []chart.Layer{&chart.Line{X: []float64{1, 2}, Y: []float64{1, 2}}}},
		"markup in names":       {Layers: []chart.Layer{&chart.Line{Look: chart.Look{Name: "d_{D} ≤ 10^{-3}"}, X: []float64{1, 2}, Y: []float64{1, 2}}}},
		"a small picture":       {Width: 60, Height: 40, Title: "t", Layers: everyLayer()},
	} {
		t.Run(name, func(t *testing.T) { render(t, c) })
	}
}

// TestNoHTMLInSpecifications: no text of the user appears unescaped in the bytes that are sent.
func TestNoHTMLInSpecifications(t *testing.T) {
	hostile := `<script>alert("x")</script>`
	c := &chart.Chart{Title: hostile, Subtitle: hostile, X: chart.Axis{Label: hostile, Categories: []string{hostile}}, Sliders: []chart.Slider{{Name: "p", Label: hostile}},
		Layers: []chart.Layer{&chart.Points{Look: chart.Look{Name: hostile, Columns: []chart.Column{{Name: hostile, Text: []string{hostile}}}}, X: []float64{0}, Y: []float64{1}}, &chart.Text{X: []float64{0}, Y: []float64{1}, Labels: []string{hostile}}}}
	render(t, c)
	data, _, err := live.Specification(c)
	if err != nil {
		t.Fatal(err)
	}
	if strings.ContainsAny(string(data), "<>") {
		t.Errorf("the specification holds < or >: %s", data)
	}
}

// sizeLimit is what package live promises, in bytes as they are sent.
const sizeLimit = 2_000_000

func TestMillionPoints(t *testing.T) {
	const n = 1_000_000
	x, y := make([]float64, n), make([]float64, n)
	for i := range x {
		x[i], y[i] = float64(i), math.Sin(float64(i)/1e4)
	}
	y[654_321] = 50 // one spike that thinning must keep
	c := &chart.Chart{Layers: []chart.Layer{&chart.Line{Look: chart.Look{Name: "line"}, X: x, Y: y}, &chart.Points{X: x, Y: y}}}
	data, remark, err := live.Specification(c)
	if err != nil {
		t.Fatal(err)
	}
	if size := base64.StdEncoding.EncodedLen(len(data)); size > sizeLimit || size < sizeLimit/20 {
		t.Errorf("the specification has %d bytes; the limit is %d", size, sizeLimit)
	}
	if !strings.Contains(remark, "of 1000000 rows") || !strings.Contains(string(data), remark) {
		t.Errorf("remark %q, and it must stand in the chart", remark)
	}
	if !strings.Contains(string(data), `"x":654321,"y":50`) {
		t.Error("thinning lost the spike")
	}
	picture, err := static.Picture(c)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := static.PNG(picture, 640, 400, 96); err != nil {
		t.Error(err)
	}
}

// TestLegendOfLabelledPoints: in the legend a point stands alone where labels have its name, without the square of an area.
func TestLegendOfLabelledPoints(t *testing.T) {
	x := []float64{1, 2}
	drawn := func(name string) []byte {
		picture, err := static.Picture(&chart.Chart{Layers: []chart.Layer{
			&chart.Points{Look: chart.Look{Name: "atoms"}, X: x, Y: x},
			&chart.Text{Look: chart.Look{Name: name, Color: style.Series(0)}, X: x, Y: x, Labels: []string{"a", "b"}},
		}})
		if err != nil {
			t.Fatal(err)
		}
		data, err := static.PNG(picture, 300, 200, 96)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	if !bytes.Equal(drawn("atoms"), drawn("")) {
		t.Error("labels with the name of the points change the legend")
	}
}

// TestLabelsWithMarkup: a text in the interactive chart has its scripts written in Unicode.
func TestLabelsWithMarkup(t *testing.T) {
	data, _, err := live.Specification(&chart.Chart{Layers: []chart.Layer{&chart.Text{X: []float64{1}, Y: []float64{1}, Labels: []string{"U_{S}(1), 10^{-3}"}}}})
	if err != nil {
		t.Fatal(err)
	}
	if text := string(data); !strings.Contains(text, "U_S(1), 10⁻³") {
		t.Errorf("the label is not in %s", text)
	}
}

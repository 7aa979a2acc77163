package chart

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sparsero/directions/plotting/style"
	"pgregory.net/rapid"
)

// render draws both forms and returns the specification.
func render(t *testing.T, c *Chart) map[string]any {
	t.Helper()
	picture, err := c.Static()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := style.PNG(picture, style.DefaultWidth, style.DefaultHeight, 48); err != nil {
		t.Fatal(err)
	}
	data, _, err := c.Live()
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
func everyLayer() []Layer {
	x, y, z := []float64{1, 2, 3}, []float64{2, 1, 4}, []float64{3, 3, 5}
	return []Layer{
		&Line{Look: Look{Name: "line", Dash: []float64{3, 1}}, X: x, Y: y, Step: true, Markers: true},
		&Points{Look: Look{Name: "points", Columns: []Column{{Name: "a.b[c]", Text: []string{"p", "q", "r"}}}}, X: x, Y: z, Shape: Star},
		&Band{Look: Look{Name: "line"}, X: x, Low: y, High: z},
		&Bars{Look: Look{Name: "bars"}, At: x, To: y},
		&Rule{Look: Look{Name: "rule"}, Value: 2, Vertical: true, Label: "two"},
		&Rule{Value: math.Inf(1), Label: "far"},
		&Segments{Look: Look{Name: "arrows"}, X: x, Y: y, X2: y, Y2: z, Arrow: true},
		&Polygon{Look: Look{Name: "shape"}, X: x, Y: y},
		&Text{X: x, Y: y, Labels: []string{"a", "b", "c"}, Dx: 3},
		&Text{X: x, Y: y, Labels: []string{"a", "b", "c"}, Panel: 1},
	}
}

func TestEveryLayerInBothForms(t *testing.T) {
	for _, scale := range []Scale{Linear, Log, Time} {
		c := &Chart{Title: "T_{1}", Subtitle: "sub", Layers: everyLayer(), X: Axis{Label: "x [m]", Scale: scale}, Y: Axis{Label: "y"},
			Sliders: []Slider{{Name: "p", Min: 0, Max: 1, Step: 0.1, Value: 0.5}}}
		spec := render(t, c)
		if len(spec["layer"].([]any)) < len(c.Layers) {
			t.Errorf("scale %d: %d layers in the specification for %d of the chart", scale, len(spec["layer"].([]any)), len(c.Layers))
		}
		for _, l := range c.Layers {
			render(t, &Chart{Layers: []Layer{l, &Points{X: []float64{1, 2}, Y: []float64{1, 2}}}, X: Axis{Scale: scale}})
		}
	}
}

func TestHorizontalBarsWithCategories(t *testing.T) {
	bars := &Bars{Look: Look{Name: "b"}, At: []float64{0, 1, 2}, To: []float64{1, math.Inf(1), math.NaN()}, Horizontal: true}
	spec := render(t, &Chart{Layers: []Layer{bars}, X: Axis{Label: "v", Min: 0, Max: 2}, Y: Axis{Categories: []string{"one", "two", "three"}, Reverse: true}})
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
		chart Chart
		want  string
		is    error
	}{
		{"no layers", Chart{}, "has no layers", ErrNoData},
		{"empty layers", Chart{Layers: []Layer{&Line{}}}, "all layers", ErrNoData},
		{"lengths", Chart{Layers: []Layer{&Line{X: one}}}, "y has 0 values and x has 1", nil},
		{"infinite", Chart{Layers: []Layer{&Line{X: one, Y: inf}}}, "y[0] is +Inf", ErrNotFinite},
		{"infinite point", Chart{Layers: []Layer{&Points{X: inf, Y: one}}}, "x[0] is +Inf", ErrNotFinite},
		{"band", Chart{Layers: []Layer{&Band{X: one, Low: one}}}, "high has 0 values", nil},
		{"bars", Chart{Layers: []Layer{&Bars{At: one, To: one, Thickness: 2}}}, "thickness 2", nil},
		{"bars lengths", Chart{Layers: []Layer{&Bars{At: one}}}, "to has 0 values", nil},
		{"rule", Chart{Layers: []Layer{&Rule{Value: math.NaN()}}}, "value is NaN", ErrNoData},
		{"segments", Chart{Layers: []Layer{&Segments{X: one, Y: one, X2: one, Y2: inf}}}, "y2[0] is +Inf", ErrNotFinite},
		{"labels", Chart{Layers: []Layer{&Text{X: one, Y: one}}}, "labels has 0 texts", nil},
		{"columns", Chart{Layers: []Layer{&Line{Look: Look{Columns: []Column{{Name: "c"}}}, X: one, Y: one}}}, `column "c" has 0 values`, nil},
		{"reserved column", Chart{Layers: []Layer{&Line{Look: Look{Columns: []Column{{Name: "x2", Numbers: one}}}, X: one, Y: one}}}, `column "x2" has the name of a coordinate`, nil},
		{"column of a category", Chart{Layers: []Layer{&Points{Look: Look{Columns: []Column{{Name: "xname", Numbers: one}}}, X: one, Y: one}}}, `column "xname" has the name of a coordinate`, nil},
		{"column of another category", Chart{Layers: []Layer{&Points{Look: Look{Columns: []Column{{Name: "yname", Numbers: one}}}, X: one, Y: one}}}, `column "yname" has the name of a coordinate`, nil},
		{"column of bars", Chart{Layers: []Layer{&Bars{Look: Look{Columns: []Column{{Name: "value", Numbers: one}}}, At: one, To: one}}}, `column "value" has the name of a coordinate`, nil},
		{"log axis of zeros", Chart{Layers: []Layer{&Line{X: one, Y: []float64{0}}}, Y: Axis{Scale: Log}}, "no value is positive", ErrNoData},
		{"only NaN", Chart{Layers: []Layer{&Line{X: one, Y: []float64{math.NaN()}}}}, "no finite value", ErrNoData},
		{"range", Chart{Layers: []Layer{&Line{X: one, Y: one}}, X: Axis{Min: 2, Max: 1}}, "cannot run from 2 to 1", nil},
		{"range of a log axis", Chart{Layers: []Layer{&Line{X: one, Y: one}}, X: Axis{Min: -1, Max: 1, Scale: Log}}, "positive on a logarithmic axis", nil},
		{"range that overflows", Chart{Layers: []Layer{&Line{X: one, Y: one}}, X: Axis{Min: -math.MaxFloat64, Max: math.MaxFloat64}}, "finite range", nil},
	} {
		_, err := test.chart.Static()
		_, _, liveErr := test.chart.Live()
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
	for name, c := range map[string]*Chart{
		"one point":             {Layers: []Layer{&Points{X: []float64{5}, Y: []float64{-3}}}},
		"one point, log axes":   {Layers: []Layer{&Line{X: []float64{5}, Y: []float64{1e-300}}}, X: Axis{Scale: Log}, Y: Axis{Scale: Log}},
		"one instant":           {Layers: []Layer{&Line{X: []float64{1.5e9}, Y: []float64{1}}}, X: Axis{Scale: Time}},
		"a line with a hole":    {Layers: []Layer{&Line{X: []float64{1, 2, 3, 4}, Y: []float64{1, nan, 2, 3}}}},
		"log axis with zero":    {Layers: []Layer{&Line{X: []float64{1, 2, 3}, Y: []float64{0, 10, -5}}}, Y: Axis{Scale: Log}},
		"log bars with zero":    {Layers: []Layer{&Bars{At: []float64{0, 1}, To: []float64{0, 10}}}, Y: Axis{Scale: Log}},
		"equal values":          {Layers: []Layer{&Line{X: []float64{1, 1}, Y: []float64{0, 0}}}},
		"huge values":           {Layers: []Layer{&Line{X: []float64{1, 2}, Y: []float64{1e300, -1e300}}}},
		"tiny values":           {Layers: []Layer{&Line{X: []float64{1, 2}, Y: []float64{1e-300, 2e-300}}}},
		"neighbouring floats":   {Layers: []Layer{&Line{X: []float64{1, 2}, Y: []float64{1, math.Nextafter(1, 2)}}}},
		"far outside the range": {Layers: []Layer{&Line{X: []float64{0, 1}, Y: []float64{-1e200, 1e200}}}, Y: Axis{Min: 0, Max: 1}},
		"rule at infinity":      {Layers: []Layer{&Rule{Value: math.Inf(-1), Vertical: true}, &Points{X: []float64{1}, Y: []float64{1}}}},
		"equal scales":          {Layers: []Layer{&Line{X: []float64{0, 1}, Y: []float64{0, 100}}}, Equal: true},
		"labels":                {Title: "<script>alert(1)</script> \"quotes\" 株 \u202e", Layers: []Layer{&Line{Look: Look{Name: "</script>'\"\\"}, X: []float64{1, 2}, Y: []float64{1, 2}}}, X: Axis{Label: "'); alert(1"}},
		"a very long title":     {Title: strings.Repeat("word ", 60) + strings.Repeat("x", 300), Layers: []Layer{&Line{X: []float64{1, 2}, Y: []float64{1, 2}}}},
		"markup in names":       {Layers: []Layer{&Line{Look: Look{Name: "d_{D} ≤ 10^{-3}"}, X: []float64{1, 2}, Y: []float64{1, 2}}}},
		"a small picture":       {Width: 60, Height: 40, Title: "t", Layers: everyLayer()},
	} {
		t.Run(name, func(t *testing.T) { render(t, c) })
	}
}

// TestNoHTMLInSpecifications: no text of the user appears unescaped in the bytes that are sent.
func TestNoHTMLInSpecifications(t *testing.T) {
	hostile := `<script>alert("x")</script>`
	c := &Chart{Title: hostile, Subtitle: hostile, X: Axis{Label: hostile, Categories: []string{hostile}}, Sliders: []Slider{{Name: "p", Label: hostile}},
		Layers: []Layer{&Points{Look: Look{Name: hostile, Columns: []Column{{Name: hostile, Text: []string{hostile}}}}, X: []float64{0}, Y: []float64{1}}, &Text{X: []float64{0}, Y: []float64{1}, Labels: []string{hostile}}}}
	render(t, c)
	data, _, err := c.Live()
	if err != nil {
		t.Fatal(err)
	}
	if strings.ContainsAny(string(data), "<>") {
		t.Errorf("the specification holds < or >: %s", data)
	}
}

func TestMillionPoints(t *testing.T) {
	const n = 1_000_000
	x, y := make([]float64, n), make([]float64, n)
	for i := range x {
		x[i], y[i] = float64(i), math.Sin(float64(i)/1e4)
	}
	y[654_321] = 50 // one spike that thinning must keep
	c := &Chart{Layers: []Layer{&Line{Look: Look{Name: "line"}, X: x, Y: y}, &Points{X: x, Y: y}}}
	data, remark, err := c.Live()
	if err != nil {
		t.Fatal(err)
	}
	if size := base64.StdEncoding.EncodedLen(len(data)); size > LiveLimit || size < LiveLimit/20 {
		t.Errorf("the specification has %d bytes; the limit is %d", size, LiveLimit)
	}
	if !strings.Contains(remark, "of 1000000 rows") || !strings.Contains(string(data), remark) {
		t.Errorf("remark %q, and it must stand in the chart", remark)
	}
	if !strings.Contains(string(data), `"x":654321,"y":50`) {
		t.Error("thinning lost the spike")
	}
	picture, err := c.Static()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := style.PNG(picture, 640, 400, 96); err != nil {
		t.Error(err)
	}
}

// TestThinLine: thinning keeps the first and last row, the extremes, the order, and a hole.
func TestThinLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 2000).Draw(t, "n")
		limit := rapid.IntRange(8, 200).Draw(t, "limit")
		y := rapid.SliceOfN(rapid.Float64Range(-1, 1), n, n).Draw(t, "y")
		hole := rapid.IntRange(0, n-1).Draw(t, "hole")
		y[hole] = math.NaN()
		keep := thinRows(y, limit)
		if keep == nil {
			if n > max(limit, 8) {
				t.Fatalf("%d rows are not thinned to %d", n, limit)
			}
			return
		}
		if len(keep) > limit+limit/4+1 || !slices.IsSorted(keep) || len(slices.Compact(slices.Clone(keep))) != len(keep) {
			t.Fatalf("kept %d rows of %d for a limit of %d: %v", len(keep), n, limit, keep)
		}
		all, kept := emptySpan(), emptySpan()
		all.add(y...)
		kept.add(pick(y, keep)...)
		if all != kept || keep[0] != 0 || keep[len(keep)-1] != n-1 || !slices.Contains(keep, hole) {
			t.Fatalf("range %v became %v, rows %d to %d of %d, hole %d", all, kept, keep[0], keep[len(keep)-1], n, hole)
		}
	})
}

func TestTicks(t *testing.T) {
	labels := func(a Axis, low, high float64) string {
		var out []string
		for _, tick := range (&settled{Axis: a}).ticker().Ticks(low, high) {
			if !tick.IsMinor() {
				out = append(out, tick.Label)
			}
		}
		return strings.Join(out, " ")
	}
	day := 86400.0
	for _, test := range []struct {
		axis      Axis
		low, high float64
		want      string
	}{
		{Axis{}, 0, 1, "0 0.2 0.4 0.6 0.8 1.0"},
		{Axis{}, -0.3, 0.3, "-0.3 -0.2 -0.1 0 0.1 0.2 0.3"},
		{Axis{}, 0, 20, "0 2 4 6 8 10 12 14 16 18 20"},
		{Axis{}, 0, 3e6, "0 5·10^{5} 1·10^{6} 1.5·10^{6} 2·10^{6} 2.5·10^{6} 3·10^{6}"},
		{Axis{}, 0, 3e-6, "0 5·10^{-7} 1·10^{-6} 1.5·10^{-6} 2·10^{-6} 2.5·10^{-6} 3·10^{-6}"},
		{Axis{Scale: Log}, 0.5, 2000, "1 10 100 1000"},
		{Axis{Scale: Log}, 1e-6, 1e6, "10^{-6} 10^{-4} 10^{-2} 10^{0} 10^{2} 10^{4} 10^{6}"},
		{Axis{Scale: Log}, 30, 3e5, "10^{2} 10^{3} 10^{4} 10^{5}"},
		{Axis{Scale: Log}, 1e-4, 3e4, "0.0001 0.001 0.01 0.1 1 10 100 1000 10000"},
		{Axis{Scale: Log}, 1.5e-6, 6e-5, "2·10^{-6} 5·10^{-6} 10^{-5} 2·10^{-5} 5·10^{-5}"},
		{Axis{Scale: Log}, 1.5e-6, 6e-6, "2·10^{-6} 5·10^{-6}"},
		{Axis{Scale: Log}, 3, 9, "5"},
		{Axis{Scale: Log}, 3, 4, "3.0 3.2 3.4 3.6 3.8 4.0"},
		{Axis{Scale: Time}, 0, 10 * 365.25 * day, "Jan 1970 May 1971 Sep 1972 Feb 1974 Jun 1975 Nov 1976 Mar 1978 Aug 1979"},
		{Axis{Scale: Time}, 0, 180 * day, "1 Jan 21 Jan 10 Feb 2 Mar 22 Mar 11 Apr 1 May 21 May 10 Jun 30 Jun"},
		{Axis{Scale: Time}, 0, 5 * day, "1 Jan 2 Jan 3 Jan 4 Jan 5 Jan 6 Jan"},
		{Axis{Scale: Time}, 0, 3600, "1 Jan"},
		{Axis{Categories: []string{"a\nb", "c"}}, -0.5, 1.5, "a b c"},
	} {
		if got := labels(test.axis, test.low, test.high); got != test.want {
			t.Errorf("%+v from %g to %g: %q, want %q", test.axis, test.low, test.high, got, test.want)
		}
	}
}

// TestLegendOrder: names in the order of the layers, bands without a line last, layers of the
// other form left out.
func TestLegendOrder(t *testing.T) {
	x := []float64{1}
	c := &Chart{Layers: []Layer{
		&Band{Look: Look{Name: "band"}, X: x, Low: x, High: x}, &Band{Look: Look{Name: "a"}, X: x, Low: x, High: x},
		&Line{Look: Look{Name: "b"}, X: x, Y: x}, &Line{Look: Look{Name: "a"}, X: x, Y: x},
		&Line{Look: Look{Name: "static", Only: StaticOnly}, X: x, Y: x}, &Line{Look: Look{Name: "live", Only: LiveOnly}, X: x, Y: x}, &Line{Look: Look{Name: "empty"}},
	}}
	p, err := c.prepare()
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(p.names(LiveOnly), p.names(StaticOnly)); got != "[b a static band] [b a live band]" {
		t.Errorf("legends %s", got)
	}
	if p.colors[1].R != p.colors[3].R || p.colors[1].A == p.colors[3].A {
		t.Errorf("the band of a line has colour %v, the line %v", p.colors[1], p.colors[3])
	}
}

// TestRuleLabelsAvoidData: the label of a rule stands where no line passes, on every kind of
// axis, and two labels do not share a place.
func TestRuleLabelsAvoidData(t *testing.T) {
	x := []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
	falling := []float64{9, 8, 7, 6, 5, 4, 3.2, 3, 3, 3}
	level := &Rule{Value: 3, Label: "three of them"}
	for name, c := range map[string]*Chart{
		"linear":   {Layers: []Layer{&Line{X: x, Y: falling}, level}},
		"log":      {Layers: []Layer{&Line{X: x, Y: falling}, level}, Y: Axis{Scale: Log}},
		"reversed": {Layers: []Layer{&Line{X: x, Y: falling}, level}, Y: Axis{Reverse: true}},
	} {
		p, err := c.prepare()
		if err != nil {
			t.Fatal(err)
		}
		s := p.sheet()
		label := s.box(level.note(p))
		for u := 1.0; u <= 10; u += 0.01 {
			k := min(int(u), 9)
			v := falling[k-1] + (u-float64(k))*(falling[k]-falling[k-1])
			if at, _ := s.at(u, v); label.Min.X <= at.X && at.X <= label.Max.X && label.Min.Y <= at.Y && at.Y <= label.Max.Y {
				t.Errorf("%s: data at (%g, %g), where the label stands", name, u, v)
			}
		}
		render(t, c)
	}
	upright := []*Rule{{Value: 5, Label: "first", Vertical: true}, {Value: 5.01, Label: "second", Vertical: true}}
	p, err := (&Chart{Layers: []Layer{&Points{X: x, Y: falling}, upright[0], upright[1]}}).prepare()
	if err != nil {
		t.Fatal(err)
	}
	if p.spots[upright[0]] == p.spots[upright[1]] {
		t.Errorf("both labels stand at %v", p.spots[upright[0]])
	}
	if got := p.spots[upright[0]]; got != (spot{1, -1, 1}) {
		t.Errorf("with room at the top the label stands at %v", got)
	}
}

// TestLegendOfLabelledPoints: in the legend a point stands alone where labels have its name, without the square of an area.
func TestLegendOfLabelledPoints(t *testing.T) {
	x := []float64{1, 2}
	drawn := func(name string) []byte {
		picture, err := (&Chart{Layers: []Layer{
			&Points{Look: Look{Name: "atoms"}, X: x, Y: x},
			&Text{Look: Look{Name: name, Color: style.Series(0)}, X: x, Y: x, Labels: []string{"a", "b"}},
		}}).Static()
		if err != nil {
			t.Fatal(err)
		}
		data, err := style.PNG(picture, 300, 200, 96)
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
	live, _, err := (&Chart{Layers: []Layer{&Text{X: []float64{1}, Y: []float64{1}, Labels: []string{"U_{S}(1), 10^{-3}"}}}}).Live()
	if err != nil {
		t.Fatal(err)
	}
	if text := string(live); !strings.Contains(text, "U_S(1), 10⁻³") {
		t.Errorf("the label is not in %s", text)
	}
}

package live

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/sparsero/directions/plotting/chart"
	"github.com/sparsero/directions/plotting/style"
)

// TestLegendLooksLikeTheMarks: an entry has the colours, the dashes and the form of the marks that it names.
func TestLegendLooksLikeTheMarks(t *testing.T) {
	x, y, none := []float64{1, 2, 3}, []float64{2, 1, 4}, "rgba(0,0,0,0)"
	named := func(name string, dash ...float64) chart.Look {
		return chart.Look{Name: name, Dash: dash, Color: style.Blue}
	}
	const ink, faded = "rgba(0,114,178,1)", "rgba(0,114,178,0.15)"
	layers := []chart.Layer{
		&chart.Line{Look: named("solid"), X: x, Y: y},
		&chart.Line{Look: named("dashed", 6, 3), X: x, Y: y},
		&chart.Line{Look: named("marked"), X: x, Y: y, Markers: true},
		&chart.Band{Look: named("marked"), X: x, Low: y, High: y},
		&chart.Rule{Look: named("rule", 3, 3), Value: 2},
		&chart.Segments{Look: named("arrow"), X: x, Y: y, X2: y, Y2: x, Arrow: true},
		&chart.Points{Look: named("dot"), X: x, Y: y},
		&chart.Points{Look: named("ring"), X: x, Y: y, Shape: chart.Ring},
		&chart.Points{Look: named("star"), X: x, Y: y, Shape: chart.Star},
		&chart.Bars{Look: named("bars"), At: x, To: y},
		&chart.Polygon{Look: named("hull", 3, 3), X: x, Y: y},
		&chart.Polygon{Look: named("outline"), X: x, Y: y, Fill: -1},
		&chart.Band{Look: named("band"), X: x, Low: y, High: y},
	}
	data, _, err := Specification(&chart.Chart{Layers: layers})
	if err != nil {
		t.Fatal(err)
	}
	var written struct{ Layer []json.RawMessage }
	var symbols struct {
		Encoding map[string]struct {
			Scale struct {
				Domain []string
				Range  []json.RawMessage
			}
		}
	}
	if err := json.Unmarshal(data, &written); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(written.Layer[len(written.Layer)-1], &symbols); err != nil {
		t.Fatal(err)
	}
	channel := func(name, series string) string {
		scale := symbols.Encoding[name].Scale
		return string(scale.Range[slices.Index(scale.Domain, series)])
	}
	forms := map[string]string{}
	for series, want := range map[string][3]string{
		"solid": {none, ink, "[1,0]"}, "dashed": {none, ink, "[8,4]"}, "marked": {ink, ink, "[1,0]"}, "rule": {none, ink, "[4,4]"},
		"arrow": {ink, ink, "[1,0]"}, "dot": {ink, none, "[1,0]"}, "ring": {"rgba(255,255,255,1)", ink, "[1,0]"}, "star": {ink, none, "[1,0]"},
		"bars": {ink, none, "[1,0]"}, "hull": {faded, ink, "[4,4]"}, "outline": {none, ink, "[1,0]"}, "band": {ink, none, "[1,0]"},
	} {
		for k, name := range []string{"fill", "stroke"} {
			if got := channel(name, series); got != `"`+want[k]+`"` {
				t.Errorf("%s of %s is %s, want %s", name, series, got, want[k])
			}
		}
		if got := channel("strokeDash", series); got != want[2] {
			t.Errorf("dashes of %s are %s, want %s", series, got, want[2])
		}
		forms[series] = channel("shape", series)
	}
	for _, pair := range [][2]string{{"solid", "dashed"}, {"solid", "rule"}, {"dot", "ring"}, {"bars", "hull"}, {"bars", "band"}} {
		if forms[pair[0]] != forms[pair[1]] {
			t.Errorf("%s is drawn as %s, %s as %s", pair[0], forms[pair[0]], pair[1], forms[pair[1]])
		}
	}
	for _, pair := range [][2]string{{"solid", "marked"}, {"solid", "arrow"}, {"dot", "star"}, {"solid", "dot"}, {"solid", "hull"}} {
		if forms[pair[0]] == forms[pair[1]] {
			t.Errorf("%s and %s are drawn alike", pair[0], pair[1])
		}
	}
}

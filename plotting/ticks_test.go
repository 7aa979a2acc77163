package plotting_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/sparsero/directions/plotting/chart"
	"github.com/sparsero/directions/plotting/internal/label"
	"github.com/sparsero/directions/plotting/internal/layout"
	"github.com/sparsero/directions/plotting/internal/live"
)

// tickLabels are the labels of an axis as Vega and d3 write them.
type tickLabels struct {
	Scale              chart.Scale
	Low, High          float64
	Whole              bool     `json:",omitempty"`
	Categories         []string `json:",omitempty"`
	Format, Expression string
	Values             []float64
	Labels             []string
}

// ticksPath is where they are stored.
const ticksPath = "testdata/ticks.json"

// tickAxes are axes of all kinds, over ranges from tiny to huge.
func tickAxes() []tickLabels {
	const day = 86400
	axes := []tickLabels{
		{Low: -0.3, High: 0.3}, {Low: 0, High: 1}, {Low: 0, High: 20, Whole: true}, {Low: -7, High: 4, Whole: true}, {Low: 0, High: 3e6}, {Low: -3e-6, High: 1e-6},
		{Low: 1234567, High: 1234568}, {Low: 999999, High: 1000001}, {Low: 0, High: 5e7, Whole: true}, {Low: 1e-300, High: 3e-300}, {Low: -1e300, High: 1e300},
		{Categories: []string{"one", "two\nlines", "<b> \"three\""}},
	}
	for _, r := range [][2]float64{{0.5, 2000}, {1e-6, 1e6}, {30, 3e5}, {1e-4, 3e4}, {1e-4, 9e4}, {1.5e-6, 6e-5}, {1.5e-6, 6e-6}, {3, 9}, {3, 4}, {2e5, 8e5}, {5e-5, 2e-4}, {1e-300, 1e-200}, {1e3, 1e30}} {
		axes = append(axes, tickLabels{Scale: chart.Log, Low: r[0], High: r[1]})
	}
	for _, days := range []float64{1, 3, 40, 180, 365, 366, 800, 9000} {
		axes = append(axes, tickLabels{Scale: chart.Time, Low: 9e8, High: 9e8 + day*days})
	}
	random := rand.New(rand.NewPCG(31, 1))
	for range 40 {
		low := random.NormFloat64() * math.Pow(10, random.Float64()*12-6)
		axes = append(axes,
			tickLabels{Low: low, High: low + math.Abs(low)/1000 + math.Pow(10, random.Float64()*14-7)}, // positions have 7 digits
			tickLabels{Scale: chart.Log, Low: math.Abs(low), High: math.Abs(low) * math.Pow(10, random.Float64()*8+0.2)})
	}
	return axes
}

// chart is a chart with the axis and nothing else that is written.
func (a *tickLabels) chart() *chart.Chart {
	axis := chart.Axis{Scale: a.Scale, Min: a.Low, Max: a.High, Categories: a.Categories}
	x := []float64{a.Low, a.High}
	if !a.Whole && len(a.Categories) == 0 {
		x[1] = a.Low + (a.High-a.Low)/math.Pi // no whole number
	}
	return &chart.Chart{Width: 1000, X: axis, Y: chart.Axis{Hidden: true}, Layers: []chart.Layer{&chart.Points{X: x, Y: []float64{0, 1}}}}
}

// format is the one description of the labels.
func (a *tickLabels) format() layout.TickFormat {
	f := must(layout.New(a.chart()))
	return f.X.Format()
}

// step is the distance of the ticks.
func (a *tickLabels) step() float64 {
	step := math.Inf(1)
	for i := 1; i < len(a.Values); i++ {
		step = min(step, a.Values[i]-a.Values[i-1])
	}
	return step
}

// TestTickLabels: the static picture writes every value as Vega and d3 do, whose labels are stored.
func TestTickLabels(t *testing.T) {
	var stored []tickLabels
	if err := json.Unmarshal(must(os.ReadFile(ticksPath)), &stored); err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, a := range stored {
		f := a.format()
		if format, expression := f.Vega(); format != a.Format || expression != a.Expression {
			t.Errorf("axis from %g to %g: the format is %q and the expression %q; the labels are of %q and %q: store them anew with -regen, where Chromium is installed",
				a.Low, a.High, format, expression, a.Format, a.Expression)
		}
		for i, v := range a.Values {
			if got := label.Unicode(f.Text(v, a.step())); got != a.Labels[i] {
				t.Errorf("axis from %g to %g: %g is written %q, and by d3 %q", a.Low, a.High, v, got, a.Labels[i])
			}
			compared++
		}
	}
	if compared < 1000 {
		t.Errorf("%d labels are stored", compared)
	}
}

// TestTickLabelsInBrowser: what is stored is what Vega writes. With -regen it is stored anew.
func TestTickLabelsInBrowser(t *testing.T) {
	axes, charts := map[string]*tickLabels{}, map[string]chartTest{}
	for k, a := range tickAxes() {
		name := fmt.Sprintf("%03d", k)
		a.Format, a.Expression = a.format().Vega()
		specification, _, err := live.Specification(a.chart())
		if err != nil {
			t.Fatal(err)
		}
		axes[name], charts[name] = &a, chartTest{Chart: specification}
	}
	for name, r := range inBrowser(t, charts) {
		a := axes[name]
		texts := slices.DeleteFunc(r.Texts, func(w writing) bool { return !strings.HasPrefix(w.Role, "axis-label") })
		slices.SortFunc(texts, func(u, v writing) int { return int(math.Copysign(1, u.Value-v.Value)) })
		for _, w := range texts {
			if a.Scale == chart.Time {
				w.Value /= 1000
			}
			a.Values, a.Labels = append(a.Values, w.Value), append(a.Labels, w.Text)
		}
		if len(r.Messages) > 0 || len(a.Values) == 0 {
			t.Errorf("axis from %g to %g: %d labels, console: %q", a.Low, a.High, len(a.Values), r.Messages)
		}
	}
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(axes)) {
		lines = append(lines, string(must(json.Marshal(axes[name]))))
	}
	fresh := "[\n" + strings.Join(lines, ",\n") + "\n]\n"
	if regenerating() {
		if err := os.WriteFile(ticksPath, []byte(fresh), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if string(must(os.ReadFile(ticksPath))) != fresh {
		t.Errorf("%s is not what Vega writes today; look at the labels that -regen stores", ticksPath)
	}
}

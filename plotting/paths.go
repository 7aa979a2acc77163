package plotting

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/sparsero/directions/plotting/chart"
	"github.com/sparsero/directions/plotting/internal/label"
	"github.com/sparsero/directions/plotting/style"
	"github.com/sparsero/directions/sparsero/selection"
)

// PathOptions describe a picture of selection paths; nil gives the defaults.
type PathOptions struct {
	// Title and Subtitle stand above the picture; default by kind.
	Title, Subtitle string
}

// CoveragePaths draws the coverage ratio F(S_b;T)/F([N];T) of selections against the budget
// b, and the smallest upper bound on the ratio that any choice of b atoms can reach. Several
// selections of one policy are repetitions: their median is drawn with a band. The
// interactive view reads all values off at the budget of a slider.
//
// It is an error if there is no selection with an atom.
func CoveragePaths(paths []*selection.Selection, o *PathOptions) (*Figure, error) {
	v, err := newPathView(paths, o, func(s *selection.Selection) []float64 {
		out := make([]float64, s.Len())
		for b := range out {
			out[b] = s.CoverageRatio(b + 1)
		}
		return out
	})
	if err != nil {
		return nil, err
	}
	c := v.chart("Coverage against budget", "coverage ratio F(S_{b};T) / F([N];T)")
	c.Layers = append(c.Layers, v.bound(paths))
	return NewFigure(c, v.alt(c))
}

// DeficitPaths draws the worst alignment deficit over the probe directions, max_T Δ, of
// selections against the budget, like CoveragePaths and with its errors.
func DeficitPaths(paths []*selection.Selection, o *PathOptions) (*Figure, error) {
	v, err := newPathView(paths, o, func(s *selection.Selection) []float64 { return s.WorstDeficit })
	if err != nil {
		return nil, err
	}
	c := v.chart("Worst deficit against budget", "worst deficit max_{T} Δ_{S}(s)")
	c.Y.Zero = true
	return NewFigure(c, v.alt(c))
}

// bandLevel is the level of the lower end of the bands over repetitions.
const bandLevel = 0.1

// pathView is a set of paths gathered by policy.
type pathView struct {
	o       PathOptions
	series  []Series
	longest int
}

func newPathView(paths []*selection.Selection, o *PathOptions, values func(*selection.Selection) []float64) (*pathView, error) {
	v := &pathView{o: *given(o)}
	var names []string
	runs := map[string][][]float64{}
	for i, s := range paths {
		if s == nil {
			return nil, fmt.Errorf("plotting: paths[%d] is nil; check the error of the call to Select", i)
		}
		if len(s.Coverage) != s.Len() || len(s.Bounds) != s.Len() || len(s.WorstDeficit) != s.Len() {
			return nil, fmt.Errorf("plotting: paths[%d] has %d atoms, but %d values, %d bounds and %d deficits; give what Select returns", i, s.Len(), len(s.Coverage), len(s.Bounds), len(s.WorstDeficit))
		}
		if s.Len() == 0 {
			continue
		}
		if !slices.Contains(names, s.Policy) {
			names = append(names, s.Policy)
		}
		runs[s.Policy] = append(runs[s.Policy], values(s))
		v.longest = max(v.longest, s.Len())
	}
	if v.longest == 0 {
		return nil, fmt.Errorf("plotting: paths hold no atom: %w; select with a budget of at least 1", chart.ErrNoData)
	}
	for _, name := range names {
		s, err := overBudgets(name, runs[name])
		if err != nil {
			return nil, err
		}
		v.series = append(v.series, s)
	}
	return v, nil
}

// overBudgets makes one series of the runs of a policy.
func overBudgets(name string, runs [][]float64) (Series, error) {
	longest := slices.MaxFunc(runs, func(a, b []float64) int { return len(a) - len(b) })
	budgets := make([]float64, len(longest))
	for i := range budgets {
		budgets[i] = float64(i + 1)
	}
	if len(runs) == 1 {
		return Series{Name: name, X: budgets, Y: runs[0]}, nil
	}
	return Quantiles(name, budgets, runs, bandLevel)
}

func (v *pathView) chart(title, yLabel string) *chart.Chart {
	last := float64(v.longest)
	c := &chart.Chart{
		Title: cmp.Or(v.o.Title, title), Subtitle: v.o.Subtitle,
		X: chart.Axis{Label: "budget b"}, Y: chart.Axis{Label: yLabel},
		Sliders: []chart.Slider{{Name: "budget", Label: "budget b", Min: 1, Max: last, Step: 1, Value: last}},
	}
	c.Layers = seriesLayers(v.series, false, v.longest <= 40)
	rule := chart.Look{Color: style.Grey, Only: chart.LiveOnly, NoTooltip: true, Transform: []map[string]any{{"calculate": "budget", "as": "x"}}}
	c.Layers = append(c.Layers, &chart.Rule{Look: rule, Value: last, Vertical: true})
	for i, s := range v.series {
		at := []map[string]any{{"filter": "datum.x==budget"}, {"calculate": label.Quote(s.Name+" ") + "+" + label.Formatted("datum.y"), "as": "label"}}
		look := chart.Look{Color: style.Series(i), Only: chart.LiveOnly, Transform: at, NoTooltip: true}
		point, value := look, look
		point.Width = 4
		c.Layers = append(c.Layers, &chart.Points{Look: point, X: s.X, Y: s.Y},
			&chart.Text{Look: value, X: s.X, Y: s.Y, Labels: make([]string, len(s.X)), Panel: i + 2})
	}
	header := chart.Look{Color: style.Black, Only: chart.LiveOnly, Transform: []map[string]any{{"calculate": "'at b = '+budget", "as": "label"}}}
	c.Layers = append(c.Layers, &chart.Text{Look: header, X: []float64{1}, Y: []float64{v.series[0].Y[0]}, Labels: []string{""}, Panel: 1})
	return c
}

// bound draws the smallest a-posteriori bound on the coverage ratio of any choice of b atoms.
func (v *pathView) bound(paths []*selection.Selection) chart.Layer {
	var x, y []float64
	for b := 1; b <= v.longest; b++ {
		lowest := math.Inf(1)
		for _, s := range paths {
			if b <= len(s.Bounds) && s.FullCoverage > 0 {
				lowest = min(lowest, s.Bounds[b-1].Float()/s.FullCoverage)
			}
		}
		if !math.IsInf(lowest, 1) {
			x, y = append(x, float64(b)), append(y, min(lowest, 1))
		}
	}
	return &chart.Line{Look: chart.Look{Name: "upper bound, any choice", Color: style.Grey, Dash: []float64{3, 3}}, X: x, Y: y}
}

// alt is the text line of the curves, and says what the bands are.
func (v *pathView) alt(c *chart.Chart) string {
	note := ""
	if slices.ContainsFunc(v.series, func(s Series) bool { return s.Low != nil }) {
		note = fmt.Sprintf("the middle %.0f %% of the runs around their median", 100*(1-2*bandLevel))
	}
	return curveAlt(c, v.series, note)
}

package plotting

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/sparsero/directions/plotting/chart"
	"github.com/sparsero/directions/plotting/internal/label"
	"github.com/sparsero/directions/plotting/style"
	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/sparsero/calibration"
)

// CalibrationOptions describe a calibration picture; nil gives the defaults.
type CalibrationOptions struct {
	// Title stands above the picture; default the rule and its radius.
	Title string
	// Label names the axis of the scores; default "score".
	Label string
}

// Calibration draws how a radius comes from scores: their empirical distribution function
// with the Dvoretzky-Kiefer-Wolfowitz band of level 95 %
//
//	F_m(z) ± ζ,   ζ = sqrt(ln(2/0.05) / 2m),
//
// the level 1-α, and the radius. A radius of +Inf is an arrow at the right edge; infinite
// scores keep the distribution function below 1. The interactive view has a slider for α that
// shows the radius of the split-conformal rule, the score of rank ceil((m+1)(1-α)).
//
// It is an error if there are no finite scores or if a score is NaN or -Inf.
func Calibration(scores []float64, radius calibration.Radius, o *CalibrationOptions) (*Figure, error) {
	o = given(o)
	if !(radius.Alpha > 0 && radius.Alpha < 1) {
		return nil, fmt.Errorf("plotting: radius has the value %g at alpha %g; pass the result of a calibration rule", radius.Value, radius.Alpha)
	}
	v, err := newScoreView(scores)
	if err != nil {
		return nil, err
	}
	subtitle := ""
	if v.infinite > 0 {
		subtitle = fmt.Sprintf("%d of %d scores are infinite: those samples lie outside the cone of the set", v.infinite, v.m)
	}
	c := &chart.Chart{
		Title:    cmp.Or(o.Title, fmt.Sprintf("Calibrated radius %s (%s, α = %g)", radiusLabel(radius.Value), radius.Rule, radius.Alpha)),
		Subtitle: subtitle,
		X:        v.axis(cmp.Or(o.Label, "score"), radius.Value.Float()),
		Y:        chart.Axis{Label: "fraction of samples with a smaller score", Min: 0, Max: 1.02},
		Sliders:  []chart.Slider{{Name: "alpha", Label: "α of the split-conformal rule", Min: 0.005, Max: 0.5, Step: 0.005, Value: min(max(radius.Alpha, 0.005), 0.5)}},
	}
	c.Layers = append(v.distribution(), v.levels(radius)...)
	c.Layers = append(c.Layers, v.conformal(c.Sliders[0])...)
	return NewFigure(c, v.alt(radius))
}

// bandError is the error probability of the band around the distribution function.
const bandError = 0.05

// scoreView is a sorted sample of scores.
type scoreView struct {
	sorted   []float64 // finite scores
	m        int       // all scores
	infinite int
	eta      float64 // half the height of the band
}

func newScoreView(scores []float64) (*scoreView, error) {
	v := &scoreView{m: len(scores)}
	for i, z := range scores {
		switch {
		case math.IsNaN(z) || math.IsInf(z, -1):
			return nil, fmt.Errorf("plotting: scores[%d] is %g; scores are numbers or +Inf", i, z)
		case math.IsInf(z, 1):
			v.infinite++
		default:
			v.sorted = append(v.sorted, z)
		}
	}
	if len(v.sorted) == 0 {
		return nil, fmt.Errorf("plotting: none of the %d scores is finite: %w", v.m, chart.ErrNoData)
	}
	slices.Sort(v.sorted)
	v.eta = math.Sqrt(math.Log(2/bandError) / (2 * float64(v.m)))
	return v, nil
}

// axis covers scores and radius, with room beyond the last score for the last step.
func (v *scoreView) axis(label string, radius float64) chart.Axis {
	low, high := v.sorted[0], v.sorted[len(v.sorted)-1]
	if !math.IsInf(radius, 0) {
		low, high = min(low, radius), max(high, radius)
	}
	width := high - low
	if width == 0 {
		width = max(math.Abs(high), 1)
	}
	return chart.Axis{Label: label, Min: low - 0.04*width, Max: high + 0.1*width}
}

// steps returns the corners of the empirical distribution function, from the left edge of the
// picture to the right one.
func (v *scoreView) steps(a chart.Axis) (x, y []float64) {
	x, y = []float64{a.Min}, []float64{0}
	for k, z := range v.sorted {
		if k+1 < len(v.sorted) && v.sorted[k+1] == z {
			continue
		}
		x, y = append(x, z), append(y, float64(k+1)/float64(v.m))
	}
	return append(x, a.Max), append(y, y[len(y)-1])
}

func (v *scoreView) distribution() []chart.Layer {
	x, y := v.steps(v.axis("", math.Inf(1)))
	low, high := make([]float64, len(y)), make([]float64, len(y))
	for i := range y {
		low[i], high[i] = max(0, y[i]-v.eta), min(1, y[i]+v.eta)
	}
	band := chart.Look{Name: fmt.Sprintf("DKW band, %g %%", 100*(1-bandError)), Color: style.Fade(style.SkyBlue, 0.35), NoTooltip: true}
	return []chart.Layer{
		&chart.Band{Look: band, X: x, Low: low, High: high, Step: true},
		&chart.Line{Look: chart.Look{Name: "empirical distribution", Color: style.Blue}, X: x, Y: y, Step: true},
	}
}

// levels draws 1-α, the level that the rule used, and the radius.
func (v *scoreView) levels(r calibration.Radius) []chart.Layer {
	layers := []chart.Layer{
		&chart.Rule{Look: chart.Look{Name: "target 1-α", Color: style.Green, Dash: []float64{5, 3}}, Value: 1 - r.Alpha},
	}
	if r.Rank >= 1 && r.Rank <= v.m {
		name := fmt.Sprintf("rank %d of %d", r.Rank, v.m)
		layers = append(layers, &chart.Rule{Look: chart.Look{Name: name, Color: style.Purple, Dash: []float64{2, 2}}, Value: float64(r.Rank) / float64(v.m)})
	}
	return append(layers, &chart.Rule{Look: chart.Look{Name: "radius, " + r.Rule, Color: style.Vermillion, Width: 1.8}, Value: r.Value.Float(), Vertical: true, Label: "r = " + radiusLabel(r.Value)})
}

// conformal shows the radius of the split-conformal rule at the α of the slider, of which each position has a row.
func (v *scoreView) conformal(s chart.Slider) []chart.Layer {
	near := 0.500001 * s.Step
	var x, y, alphas []float64
	var lines [3][]string
	for alpha := s.Min; alpha < s.Max+near; alpha += s.Step {
		at := alpha
		if math.Abs(alpha-s.Value) < near {
			at = s.Value
		}
		rank, radius := int(math.Ceil(float64(v.m+1)*(1-at)-1e-9)), math.Inf(1)
		x = append(x, math.NaN())
		if rank <= len(v.sorted) {
			radius = v.sorted[rank-1]
			x[len(x)-1] = radius
		}
		y, alphas = append(y, float64(rank)/float64(v.m)), append(alphas, at)
		for k, text := range []string{fmt.Sprintf("at α = %.3f", at), fmt.Sprintf("rank %d of %d", rank, v.m), "r = " + radiusLabel(proof.AtMost(radius))} {
			lines[k] = append(lines[k], text)
		}
	}
	look := chart.Look{Color: style.Black, Only: chart.LiveOnly, Columns: []chart.Column{{Name: "alpha", Title: "α", Numbers: alphas}},
		Transform: []map[string]any{{"filter": fmt.Sprintf("abs(datum.alpha-alpha)<%g", near)}}}
	var layers []chart.Layer
	for k, labels := range lines {
		layers = append(layers, &chart.Text{Look: look, X: x, Y: y, Labels: labels, Panel: k + 1})
	}
	look.Name, look.Width = "at the slider", 4.5
	return append(layers, &chart.Points{Look: look, Shape: chart.Diamond, X: x, Y: y})
}

// radiusLabel is a radius with four digits, rounded up.
func radiusLabel(radius proof.Upper) string {
	if value := radius.Float(); math.IsInf(value, 0) {
		return label.Number(value)
	}
	return fmt.Sprintf("%.4g", radius)
}

func (v *scoreView) alt(r calibration.Radius) string {
	text := fmt.Sprintf("Empirical distribution of %d scores from %s to %s; %s gives the radius %s at α = %g",
		v.m, label.Number(v.sorted[0]), label.Number(v.sorted[len(v.sorted)-1]), r.Rule, radiusLabel(r.Value), r.Alpha)
	if v.infinite > 0 {
		text += fmt.Sprintf("; %d scores are infinite", v.infinite)
	}
	return text + "."
}

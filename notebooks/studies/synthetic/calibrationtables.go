package synthetic

import (
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"github.com/sparsero/directions/notebooks/studies/internal/tally"
)

// radius is the calibrated radius by budget. The paper has it as a figure only. A method that
// refuses the sample has no seeds.
func radius(o *Outcome, t table) {
	for _, c := range o.Radii {
		t.add(tally.ValueIf(!c.Refused, c.Radius), c.B, c.Method)
	}
}

// gap is the observed share of violations minus the target, NaN when refused.
func (c ablationCell) gap() float64 { return tally.ValueIf(!c.Refused, c.Violation-c.Alpha) }

// number prints a parameter as the paper's text does: 0.05, 1e-05.
func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// ablation has all settings. The paper prints the rows at alpha = 0.05, on data (scale 1). A rule
// that refuses the sample has no seeds. "Above alpha (%)" is the share of seeds
// whose observed violation exceeds alpha.
func ablation(o *Outcome, t table) {
	for _, c := range o.Calibration {
		keys := func(quantity string) []any {
			return []any{number(c.Scale), c.B, number(c.Alpha), number(c.Delta), c.Method, quantity}
		}
		t.add(tally.ValueIf(!c.Refused, c.Quantile), keys("Quantile")...)
		t.add(tally.ValueIf(!c.Refused, c.Correction), keys("Corr.")...)
		t.add(tally.ValueIf(!c.Refused, c.Radius), keys("Radius")...)
		t.add(tally.ValueIf(!c.Refused, c.Violation), keys("Viol.")...)
		t.add(c.gap(), keys("Gap")...)
		t.addShare(c.gap(), keys("Above alpha (%)")...)
	}
}

// byDelta is the summary by method and confidence parameter.
func byDelta(o *Outcome, t table) {
	for _, scale := range scales {
		for _, m := range methods {
			for _, delta := range deltas {
				t.summary(o, func(c ablationCell) bool {
					return c.Scale == scale && c.Method == m && c.Delta == delta
				}, number(scale), m, number(delta))
			}
		}
	}
}

// byBudget is the summary by budget and method.
func (r *Results) byBudget(o *Outcome, t table) {
	for _, scale := range scales {
		for _, b := range r.config.CalibrationBudgets {
			for _, m := range methods {
				t.summary(o, func(c ablationCell) bool {
					return c.Scale == scale && c.Method == m && c.B == b
				}, number(scale), b, m)
			}
		}
	}
}

// summary adds the summary of some settings of a seed: means over those that
// were not refused, NaN when all were, and their number.
func (t table) summary(o *Outcome, belongs func(ablationCell) bool, keys ...any) {
	var corrections, radii, violations, gaps []float64
	for _, c := range o.Calibration {
		if belongs(c) && !c.Refused {
			corrections, radii = append(corrections, c.Correction), append(radii, c.Radius)
			violations, gaps = append(violations, c.Violation), append(gaps, c.gap())
		}
	}
	largest, smallest := math.NaN(), math.NaN()
	if len(gaps) > 0 {
		largest, smallest = floats.Max(gaps), floats.Min(gaps)
	}
	add := func(value float64, quantity string) { t.add(value, append(slices.Clip(keys), quantity)...) }
	add(stat.Mean(corrections, nil), "Mean corr.")
	add(stat.Mean(radii, nil), "Mean radius")
	add(stat.Mean(violations, nil), "Mean viol.")
	add(stat.Mean(gaps, nil), "Mean gap")
	add(largest, "Max gap")
	add(smallest, "Min gap")
	add(float64(len(gaps)), "Settings")
}

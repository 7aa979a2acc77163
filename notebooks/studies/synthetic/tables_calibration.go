package synthetic

import (
	"math"
	"slices"
	"strconv"

	"github.com/go-gota/gota/dataframe"
)

// Radius is the calibrated radius by budget: keys B and Method. The paper has
// it as a figure only. A method that refuses the sample has no seeds.
func (r *Results) Radius() dataframe.DataFrame {
	return r.bands("radius", []string{"B", "Method"}, func(o *Outcome, t *table) {
		for _, point := range o.Radii {
			value := point.Radius
			if point.Refused {
				value = math.NaN()
			}
			t.add(value, point.B, point.Method)
		}
	})
}

// number prints a parameter as the paper's text does: 0.05, 1e-05.
func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// Calibration is the ablation: keys Scale, B, alpha, delta, Method and
// Quantity. The paper prints the rows at alpha = 0.05, on data (scale 1). A rule
// that refuses the sample has no seeds. "Above alpha (%)" is the share of seeds
// whose observed violation exceeds alpha.
func (r *Results) Calibration() dataframe.DataFrame {
	return r.bands("calibration", []string{"Scale", "B", "alpha", "delta", "Method", "Quantity"}, func(o *Outcome, t *table) {
		for _, c := range o.Calibration {
			for _, q := range []struct {
				name  string
				value float64
			}{{"Quantile", c.Quantile}, {"Corr.", c.Correction}, {"Radius", c.Radius}, {"Viol.", c.Violation}, {"Gap", c.gap()}} {
				if c.Refused {
					q.value = math.NaN()
				}
				t.add(q.value, number(c.Scale), c.B, number(c.Alpha), number(c.Delta), c.Method, q.name)
			}
			t.addShare(c.gap(), number(c.Scale), c.B, number(c.Alpha), number(c.Delta), c.Method, "Above alpha (%)")
		}
	})
}

// summary adds the summary of some settings of a seed: means over those that
// were not refused, and their number.
func (t *table) summary(o *Outcome, belongs func(Calibration) bool, keys ...any) {
	var settings []Calibration
	var gaps []float64
	for _, c := range o.Calibration {
		if belongs(c) && !c.Refused {
			settings, gaps = append(settings, c), append(gaps, c.gap())
		}
	}
	mean := func(value func(Calibration) float64) float64 {
		sum := 0.0
		for _, c := range settings {
			sum += value(c)
		}
		return sum / float64(len(settings)) // NaN when all refused
	}
	largest, smallest := math.NaN(), math.NaN()
	if len(gaps) > 0 {
		largest, smallest = slices.Max(gaps), slices.Min(gaps)
	}
	for _, q := range []struct {
		name  string
		value float64
	}{
		{"Mean corr.", mean(func(c Calibration) float64 { return c.Correction })},
		{"Mean radius", mean(func(c Calibration) float64 { return c.Radius })},
		{"Mean viol.", mean(func(c Calibration) float64 { return c.Violation })},
		{"Mean gap", mean(Calibration.gap)},
		{"Max gap", largest},
		{"Min gap", smallest},
		{"Settings", float64(len(settings))},
	} {
		t.add(q.value, append(slices.Clip(keys), q.name)...)
	}
}

// CalibrationByDelta is the summary by method and confidence parameter: keys
// Scale, Method, delta and Quantity. "Settings" is how many of the 12 settings
// the rule did not refuse; means are over these.
func (r *Results) CalibrationByDelta() dataframe.DataFrame {
	return r.bands("calibration_delta", []string{"Scale", "Method", "delta", "Quantity"}, func(o *Outcome, t *table) {
		for _, scale := range r.config.Scales {
			for _, m := range methods {
				for _, delta := range r.config.Deltas {
					t.summary(o, func(c Calibration) bool {
						return c.Scale == scale && c.Method == m && c.Delta == delta
					}, number(scale), m, number(delta))
				}
			}
		}
	})
}

// CalibrationByBudget is the summary by budget and method: keys Scale, B,
// Method and Quantity.
func (r *Results) CalibrationByBudget() dataframe.DataFrame {
	return r.bands("calibration_budget", []string{"Scale", "B", "Method", "Quantity"}, func(o *Outcome, t *table) {
		for _, scale := range r.config.Scales {
			for _, b := range r.config.CalibrationBudgets {
				for _, m := range methods {
					t.summary(o, func(c Calibration) bool {
						return c.Scale == scale && c.Method == m && c.B == b
					}, number(scale), b, m)
				}
			}
		}
	})
}

// CalibrationPairs compares DKW union with Split at the same B, alpha and
// delta, on data: key Quantity.
func (r *Results) CalibrationPairs() dataframe.DataFrame {
	return r.bands("calibration_pairs", []string{"Quantity"}, func(o *Outcome, t *table) {
		for k, name := range []string{"mean ratio of corrections", "largest ratio of corrections", "mean increase of the radius", "mean change of the gap"} {
			t.add(o.pairs()[k], name)
		}
	})
}

// pairs returns the four statistics of CalibrationPairs at the first scale.
func (o *Outcome) pairs() [4]float64 {
	var sums [4]float64
	count := 0.0
	for i := range o.Calibration {
		union := &o.Calibration[i]
		if union.Method != DKWUnion || union.Scale != o.Calibration[0].Scale {
			continue
		}
		split := &o.Calibration[i+1] // methods lists Split after DKWUnion
		count++
		ratio := union.Correction / split.Correction
		sums[0] += ratio
		sums[1] = max(sums[1], ratio)
		sums[2] += union.Radius - split.Radius
		sums[3] += union.gap() - split.gap()
	}
	return [4]float64{sums[0] / count, sums[1], sums[2] / count, sums[3] / count}
}

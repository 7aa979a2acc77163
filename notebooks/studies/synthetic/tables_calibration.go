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
	t := newTable("B", "Method")
	for k, b := range r.config.Budgets {
		for m, method := range methods {
			t.add("", r.each(func(o *Outcome) float64 {
				point := o.Radii[k*len(methods)+m]
				if point.Refused {
					return math.NaN()
				}
				return point.Radius
			}), b, method)
		}
	}
	return t.Frame()
}

// number prints a parameter as the paper's text does: 0.05, 1e-05.
func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// eachSetting calls visit for every setting of every scale, with its position in Outcome.Calibration.
func (r *Results) eachSetting(visit func(position int, c Calibration)) {
	position := 0
	for _, scale := range r.config.Scales {
		for _, b := range r.config.CalibrationBudgets {
			for _, alpha := range r.config.Alphas {
				for _, delta := range r.config.Deltas {
					for _, m := range methods {
						visit(position, Calibration{Scale: scale, B: b, Alpha: alpha, Delta: delta, Method: m})
						position++
					}
				}
			}
		}
	}
}

// unlessRefused makes a quantity NaN where the rule refused the sample.
func unlessRefused(value func(*Calibration) float64) func(*Calibration) float64 {
	return func(c *Calibration) float64 {
		if c.Refused {
			return math.NaN()
		}
		return value(c)
	}
}

var calibrationColumns = []struct {
	name  string
	value func(*Calibration) float64
}{
	{"Quantile", unlessRefused(func(c *Calibration) float64 { return c.Quantile })},
	{"Corr.", unlessRefused(func(c *Calibration) float64 { return c.Correction })},
	{"Radius", unlessRefused(func(c *Calibration) float64 { return c.Radius })},
	{"Viol.", unlessRefused(func(c *Calibration) float64 { return c.Violation })},
	{"Gap", (*Calibration).gap},
}

// Calibration is the ablation: keys Scale, B, alpha, delta, Method and
// Quantity. The paper prints the rows at alpha = 0.05, on data (scale 1). A rule
// that refuses the sample has no seeds. "Above alpha (%)" is the share of seeds
// whose observed violation exceeds alpha.
func (r *Results) Calibration() dataframe.DataFrame {
	t := newTable("Scale", "B", "alpha", "delta", "Method", "Quantity")
	r.eachSetting(func(position int, c Calibration) {
		keys := []any{number(c.Scale), c.B, number(c.Alpha), number(c.Delta), c.Method}
		var paper [5]string
		if c.Scale == 1 && c.Alpha == 0.05 {
			paper = paperCalibration[setting{c.B, c.Delta, c.Method}]
		}
		for k, q := range calibrationColumns {
			t.add(paper[k], r.each(func(o *Outcome) float64 { return q.value(&o.Calibration[position]) }), append(keys, q.name)...)
		}
		above, present := 0, 0
		for k := range r.Units {
			if gap := r.Units[k].Result.Calibration[position].gap(); !math.IsNaN(gap) {
				present++
				if gap > 0 {
					above++
				}
			}
		}
		t.addShare("", above, present, append(keys, "Above alpha (%)")...)
	})
	return t.Frame()
}

// summary adds the summary of some settings of a seed: means over those that
// were not refused, and their number.
func (r *Results) summary(t table, paper []string, belongs func(*Calibration) bool, keys ...any) {
	type statistic struct {
		name  string
		value func([]*Calibration) float64
	}
	mean := func(value func(*Calibration) float64) func([]*Calibration) float64 {
		return func(settings []*Calibration) float64 {
			sum := 0.0
			for _, c := range settings {
				sum += value(c)
			}
			return sum / float64(len(settings)) // NaN when all refused
		}
	}
	extreme := func(pick func([]float64) float64) func([]*Calibration) float64 {
		return func(settings []*Calibration) float64 {
			if len(settings) == 0 {
				return math.NaN()
			}
			gaps := make([]float64, len(settings))
			for k, c := range settings {
				gaps[k] = c.gap()
			}
			return pick(gaps)
		}
	}
	for k, s := range []statistic{
		{"Mean corr.", mean(func(c *Calibration) float64 { return c.Correction })},
		{"Mean radius", mean(func(c *Calibration) float64 { return c.Radius })},
		{"Mean viol.", mean(func(c *Calibration) float64 { return c.Violation })},
		{"Mean gap", mean((*Calibration).gap)},
		{"Max gap", extreme(slices.Max[[]float64])},
		{"Min gap", extreme(slices.Min[[]float64])},
		{"Settings", func(settings []*Calibration) float64 { return float64(len(settings)) }},
	} {
		printed := ""
		if k < len(paper) {
			printed = paper[k]
		}
		t.add(printed, r.each(func(o *Outcome) float64 {
			var settings []*Calibration
			for i := range o.Calibration {
				if c := &o.Calibration[i]; belongs(c) && !c.Refused {
					settings = append(settings, c)
				}
			}
			return s.value(settings)
		}), append(keys, s.name)...)
	}
}

// CalibrationByDelta is the summary by method and confidence parameter: keys
// Scale, Method, delta and Quantity. "Settings" is how many of the 12 settings
// the rule did not refuse; means are over these.
func (r *Results) CalibrationByDelta() dataframe.DataFrame {
	t := newTable("Scale", "Method", "delta", "Quantity")
	for _, scale := range r.config.Scales {
		for _, m := range methods {
			for _, delta := range r.config.Deltas {
				var paper []string
				if row, ok := paperByDelta[setting{0, delta, m}]; ok && scale == 1 {
					paper = row[:]
				}
				r.summary(t, paper, func(c *Calibration) bool {
					return c.Scale == scale && c.Method == m && c.Delta == delta
				}, number(scale), m, number(delta))
			}
		}
	}
	return t.Frame()
}

// CalibrationByBudget is the summary by budget and method: keys Scale, B,
// Method and Quantity.
func (r *Results) CalibrationByBudget() dataframe.DataFrame {
	t := newTable("Scale", "B", "Method", "Quantity")
	for _, scale := range r.config.Scales {
		for _, b := range r.config.CalibrationBudgets {
			for _, m := range methods {
				var paper []string
				if row, ok := paperByBudget[setting{b, 0, m}]; ok && scale == 1 {
					paper = row[:]
				}
				r.summary(t, paper, func(c *Calibration) bool {
					return c.Scale == scale && c.Method == m && c.B == b
				}, number(scale), b, m)
			}
		}
	}
	return t.Frame()
}

// CalibrationPairs compares DKW union with Split at the same B, alpha and
// delta, on data: key Quantity.
func (r *Results) CalibrationPairs() dataframe.DataFrame {
	t := newTable("Quantity")
	for k, name := range []string{"mean ratio of corrections", "largest ratio of corrections", "mean increase of the radius", "mean change of the gap"} {
		t.add(paperPairs[k], r.each(func(o *Outcome) float64 { return o.pairs()[k] }), name)
	}
	return t.Frame()
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

package scaling

import (
	"math"

	"github.com/go-gota/gota/dataframe"

	"github.com/sparsero/directions/notebooks/studies/study"
)

// groups collects what observe adds for each finished unit.
func (r *Results) groups(observe func(o *Outcome, g *study.Groups)) []*study.Group {
	var g study.Groups
	for k := range r.Units {
		observe(&r.Units[k].Result, &g)
	}
	return g.List
}

// quartiles is a table of one number for each row; the keys are the columns that say of what.
func (r *Results) quartiles(keys []string, observe func(o *Outcome, g *study.Groups)) dataframe.DataFrame {
	rows := study.NewRows(append(keys, "q25", "median", "q75", "values")...)
	for _, g := range r.groups(observe) {
		values := g.Numbers[0]
		rows.Add(append(g.Keys, study.Quantile(values, 0.25), median(values), study.Quantile(values, 0.75), len(values))...)
	}
	return rows.Frame()
}

// smallest is a table of two numbers for each row: what the paper prints, NaN for nothing,
// and a smallest budget, which may be infinite.
func (r *Results) smallest(keys []string, observe func(o *Outcome, g *study.Groups)) dataframe.DataFrame {
	rows := study.NewRows(append(keys, "paper_value", "q25", "median", "q75", "reached (%)", "values")...)
	for _, g := range r.groups(observe) {
		paper, budgets, finite := g.Numbers[0][0], g.Numbers[1], 0
		for _, b := range budgets {
			if !math.IsInf(b, 1) {
				finite++
			}
		}
		reached := 100 * float64(finite) / float64(len(budgets))
		rows.Add(append(g.Keys, paper, study.Quantile(budgets, 0.25), median(budgets), study.Quantile(budgets, 0.75), reached, len(budgets))...)
	}
	return rows.Frame()
}

// medians is a table of the median of each number.
func (r *Results) medians(columns []string, observe func(o *Outcome, g *study.Groups)) dataframe.DataFrame {
	rows := study.NewRows(columns...)
	for _, g := range r.groups(observe) {
		for _, values := range g.Numbers {
			g.Keys = append(g.Keys, median(values))
		}
		rows.Add(g.Keys...)
	}
	return rows.Frame()
}

// median returns the middle of quartiles.
func median(values []float64) float64 { return study.Quantile(values, 0.5) }

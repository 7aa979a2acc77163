package scaling

import (
	"math"

	"github.com/sparsero/directions/notebooks/studies/study"
)

// table collects rows of one quantity each, with its quartiles.
type table struct{ *study.Rows }

// newTable starts a table of quantities; the keys are the columns that say which.
func newTable(keys ...string) table {
	return table{study.NewRows(append(keys, "q25", "median", "q75", "values")...)}
}

// newBudgetTable starts a table of smallest budgets.
func newBudgetTable(keys ...string) table {
	return table{study.NewRows(append(keys, "paper_value", "q25", "median", "q75", "reached (%)", "values")...)}
}

// add adds the quantity with the given keys.
func (t table) add(values []float64, keys ...any) {
	t.Add(append(study.Texts(keys), study.Quantile(values, 0.25), median(values), study.Quantile(values, 0.75), len(values))...)
}

// addBudget adds a smallest budget, which may be infinite, and what the paper
// prints for it, NaN for nothing.
func (t table) addBudget(paper float64, budgets []float64, keys ...any) {
	finite := 0
	for _, b := range budgets {
		if !math.IsInf(b, 1) {
			finite++
		}
	}
	reached := 100 * float64(finite) / float64(max(len(budgets), 1))
	t.Add(append(study.Texts(keys), paper, study.Quantile(budgets, 0.25), median(budgets), study.Quantile(budgets, 0.75), reached, len(budgets))...)
}

// median returns the middle of quartiles.
func median(values []float64) float64 { return study.Quantile(values, 0.5) }

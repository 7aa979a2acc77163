package scaling

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
)

// table collects rows of one quantity each, with its quartiles.
type table struct {
	keys     []string // names of the columns that say which quantity
	columns  [][]string
	paper    []float64 // nil if the paper has none of these quantities
	quartile [3][]float64
	reached  []float64 // nil, or the share of finite values in percent
	values   []int
}

func newTable(keys ...string) *table { return &table{keys: keys, columns: make([][]string, len(keys))} }

// add adds the quantity with the given keys.
func (t *table) add(values []float64, keys ...any) {
	for j, key := range keys {
		t.columns[j] = append(t.columns[j], fmt.Sprint(key))
	}
	for k, v := range quartiles(values) {
		t.quartile[k] = append(t.quartile[k], v)
	}
	t.values = append(t.values, len(values))
}

// addBudget adds a smallest budget, which may be infinite, and what the paper
// prints for it, NaN for nothing.
func (t *table) addBudget(paper float64, budgets []float64, keys ...any) {
	t.add(budgets, keys...)
	t.paper = append(t.paper, paper)
	finite := 0
	for _, b := range budgets {
		if !math.IsInf(b, 1) {
			finite++
		}
	}
	t.reached = append(t.reached, 100*float64(finite)/float64(max(len(budgets), 1)))
}

// frame returns the rows as a frame.
func (t *table) frame() dataframe.DataFrame {
	var columns []series.Series
	for j, key := range t.keys {
		columns = append(columns, series.New(t.columns[j], series.String, key))
	}
	if t.reached != nil {
		columns = append(columns, series.New(t.paper, series.Float, "paper_value"))
	}
	for k, name := range []string{"q25", "median", "q75"} {
		columns = append(columns, series.New(t.quartile[k], series.Float, name))
	}
	if t.reached != nil {
		columns = append(columns, series.New(t.reached, series.Float, "reached (%)"))
	}
	return dataframe.New(append(columns, series.New(t.values, series.Int, "values"))...)
}

// quartiles returns the quartiles and the median, linear between order
// statistics; NaN of nothing. Values may be +Inf.
func quartiles(values []float64) [3]float64 {
	if len(values) == 0 {
		return [3]float64{math.NaN(), math.NaN(), math.NaN()}
	}
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	var quartiles [3]float64
	for k := range quartiles {
		position := float64(k+1) / 4 * float64(len(sorted)-1)
		low := int(position)
		quartiles[k] = sorted[low]
		if weight := position - float64(low); weight > 0 && sorted[low+1] != sorted[low] {
			quartiles[k] += weight * (sorted[low+1] - sorted[low])
		}
	}
	return quartiles
}

// median returns the middle of quartiles.
func median(values []float64) float64 { return quartiles(values)[1] }

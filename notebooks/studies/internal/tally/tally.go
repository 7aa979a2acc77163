// Package tally has the statistics of the studies: quantiles, and numbers about the same things as rows of a table.
package tally

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/go-gota/gota/dataframe"
	"github.com/sparsero/directions/sparsero"
)

// Quantile interpolates linearly between order statistics, so that level 0.5 gives the median, the middle of two for an
// even number. Infinite values are kept; it is NaN for no values. 0 <= level <= 1.
func Quantile(values []float64, level float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(values))
	position := level * float64(len(sorted)-1)
	low := int(position)
	weight := position - float64(low)
	if weight == 0 || sorted[low] == sorted[low+1] { // also where both are infinite
		return sorted[low]
	}
	return sorted[low] + weight*(sorted[low+1]-sorted[low])
}

// Median returns the quantile of level 0.5.
func Median(values []float64) float64 { return Quantile(values, 0.5) }

// ValueIf returns a value if it exists, and otherwise NaN.
func ValueIf(exists bool, value float64) float64 {
	if exists {
		return value
	}
	return math.NaN()
}

// UpTo returns 0, 1, ..., n-1.
func UpTo(n int) []int {
	all := make([]int, max(n, 0))
	for i := range all {
		all[i] = i
	}
	return all
}

// OrInfinite returns a smallest budget as a number, infinite where it is 0: the study did not reach one.
func OrInfinite(budget int) float64 { return cmp.Or(float64(budget), math.Inf(1)) }

// Groups collects numbers about the same things, for a table.
type Groups struct {
	list  []*group          // in the order in which they came first
	index map[string]*group // by their keys
}

// group holds what is known about one thing.
type group struct {
	keys    []any // as texts
	numbers [][]float64
}

// Add adds numbers, as many for the same keys each time.
func (g *Groups) Add(keys []any, numbers ...float64) {
	texts := make([]any, len(keys))
	for k, key := range keys {
		texts[k] = fmt.Sprint(key)
	}
	name := fmt.Sprintf("%q", texts)
	found := g.index[name]
	if g.index == nil {
		g.index = make(map[string]*group)
	}
	if found == nil {
		found = &group{texts, make([][]float64, len(numbers))}
		g.index[name], g.list = found, append(g.list, found)
	}
	for k, v := range numbers {
		found.numbers[k] = append(found.numbers[k], v)
	}
}

// Frame returns a table with a row for each of the things: their keys, and what summary makes of them, as texts, and of the first,
// second, ... numbers that were added. The names of the columns are separated by commas.
func (g *Groups) Frame(columns string, summary func(keys []any, numbers [][]float64) []any) dataframe.DataFrame {
	rows := sparsero.NewRows(columns)
	for _, group := range g.list {
		rows.Add(slices.Concat(group.keys, summary(group.keys, group.numbers))...)
	}
	return rows.Frame()
}

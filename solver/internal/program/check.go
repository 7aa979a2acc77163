package program

import (
	"fmt"
	"math"
	"slices"
)

// Check panics unless the parts of a program fit together, with a sentence that begins with the name of a package.
func Check(name string, p *Program) {
	switch {
	case p == nil:
		panic(name + ": the program is nil")
	case len(p.Lower) != len(p.Cost) || len(p.Upper) != len(p.Cost):
		panic(fmt.Sprintf("%s: %d costs, %d lower and %d upper bounds; give one of each per column", name, len(p.Cost), len(p.Lower), len(p.Upper)))
	}
	none := func(j int) bool { return j < 0 || j >= len(p.Cost) }
	checkNumbers(name+": Offset and Cost", -1, append([]float64{p.Offset}, p.Cost...), nil)
	checkNumbers(name+": column bounds", -1, p.Lower, p.Upper)
	bounds, values := name+": bounds", name+": Values"
	for i, r := range p.Rows {
		checkNumbers(bounds, i, []float64{r.Lower}, []float64{r.Upper})
		checkNumbers(values, i, r.Values, nil)
		if len(r.Columns) != len(r.Values) || slices.ContainsFunc(r.Columns, none) {
			panic(fmt.Sprintf("%s: row %d has %d values and the columns %v, but there are %d columns; give one value per column, counted from 0", name, i, len(r.Values), r.Columns[:min(len(r.Columns), 10)], len(p.Cost)))
		}
	}
	known := make(map[[2]int]bool, len(p.Quadratic))
	for _, q := range p.Quadratic {
		checkNumbers(name+": quadratic terms", -1, []float64{q.Value}, nil)
		if none(q.I) || none(q.J) {
			panic(fmt.Sprintf("%s: a quadratic term of the columns %d and %d, but there are %d columns, counted from 0", name, q.I, q.J, len(p.Cost)))
		}
		pair := [2]int{min(q.I, q.J), max(q.I, q.J)}
		if known[pair] {
			panic(fmt.Sprintf("%s: two quadratic terms of the columns %d and %d; add them up", name, q.I, q.J))
		}
		known[pair] = true
	}
}

// checkNumbers panics on NaN, on +Inf among lower bounds and on -Inf among upper ones: on all that is not finite for nil
// upper bounds. The sentence, which names a row unless it is negative, is made only then, as every node of a tree is checked.
func checkNumbers(name string, row int, lower, upper []float64) {
	if upper == nil {
		upper = lower
	}
	for k := range lower {
		if math.IsNaN(lower[k]) || math.IsNaN(upper[k]) || math.IsInf(lower[k], 1) || math.IsInf(upper[k], -1) {
			if row >= 0 {
				name = fmt.Sprintf("%s of row %d", name, row)
			}
			panic(fmt.Sprintf("%s have the value %v or %v at position %d; use finite numbers, and -Inf below or +Inf above for no bound", name, lower[k], upper[k], k))
		}
	}
}

// CheckCount panics unless there are as many values as columns or rows.
func CheckCount(name, what string, values []float64, want int) {
	if len(values) != want {
		panic(fmt.Sprintf("%s: %d %s; give %d", name, len(values), what, want))
	}
}

// Exact arithmetic takes about a second at the most for up to smallArea columns times rows, or up to wideArea where there are
// no more than wideEntries columns and coefficients.
const (
	smallArea   = 1500
	wideArea    = 10_000
	wideEntries = 800
)

// IsSmall tells whether exact arithmetic solves a linear program within about a second.
func IsSmall(p *Program) bool {
	area, entries := len(p.Cost)*(1+len(p.Rows)), len(p.Cost)
	for i := range p.Rows {
		entries += len(p.Rows[i].Columns)
	}
	return area <= smallArea || area <= wideArea && entries <= wideEntries
}

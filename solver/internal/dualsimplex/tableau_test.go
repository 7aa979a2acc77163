package dualsimplex

import (
	"math"
	"slices"
	"testing"

	"github.com/sparsero/directions/solver/internal/program"
	"pgregory.net/rapid"
)

// drawnTableau is that of a program in small whole numbers after some pivots, with every nonbasic variable at a bound.
func drawnTableau(t *rapid.T) (*tableau, *program.Program) {
	whole := rapid.IntRange(-2, 2)
	number := func(name string) float64 { return float64(whole.Draw(t, name)) }
	side := func() (lower, upper float64) {
		lower = number("lower")
		upper = lower + float64(rapid.IntRange(0, 3).Draw(t, "width"))
		switch rapid.IntRange(0, 4).Draw(t, "kind") {
		case 0:
			return math.Inf(-1), upper
		case 1:
			return lower, math.Inf(1)
		case 2:
			return math.Inf(-1), math.Inf(1)
		}
		return lower, upper
	}
	p := &program.Program{}
	columns := rapid.IntRange(1, 5).Draw(t, "columns")
	for range columns {
		lower, upper := side()
		p.Cost, p.Lower, p.Upper = append(p.Cost, number("cost")), append(p.Lower, lower), append(p.Upper, upper)
	}
	for range rapid.IntRange(0, 5).Draw(t, "rows") {
		r := program.Row{}
		r.Lower, r.Upper = side()
		for j := range columns {
			if v := number("entry"); v != 0 {
				r.Columns, r.Values = append(r.Columns, j), append(r.Values, v)
			}
		}
		p.Rows = append(p.Rows, r)
	}
	b := newTableau(columns)
	b.synchronise(p)
	b.price()
	for range rapid.IntRange(0, 6).Draw(t, "pivots") {
		row, position := rapid.IntRange(0, 5).Draw(t, "row"), rapid.IntRange(0, columns-1).Draw(t, "position")
		if row < len(b.rows) && math.Abs(b.rows[row][position]) > 0.1 {
			b.pivot(row, position)
		}
	}
	for _, v := range b.nonbasic {
		b.value[v] = number("value")
	}
	b.settle()
	b.evaluate()
	return b, p
}

// often draws many of what takes no time, in short runs too.
func often(t *testing.T, property func(*rapid.T)) {
	rapid.Check(t, func(t *rapid.T) {
		for range 50 {
			property(t)
		}
	})
}

// near tells whether two numbers are the same up to rounding errors.
func near(a, b float64) bool { return a == b || math.Abs(a-b) <= 1e-9*(1+math.Abs(a)+math.Abs(b)) }

// TestTableauStandsForItsProgram: after any pivots the values of rows are their activities, the objective is that of the
// reduced costs, and nonbasic variables are at the nearest bound.
func TestTableauStandsForItsProgram(t *testing.T) {
	often(t, func(t *rapid.T) {
		b, p := drawnTableau(t)
		x := b.value[:b.columns]
		for i := range p.Rows {
			if activity, _ := program.Activity(&p.Rows[i], x); !near(activity, b.value[b.columns+i]) {
				t.Fatalf("row %d is %v, not %v", i, b.value[b.columns+i], activity)
			}
		}
		reduced, objective := 0.0, 0.0
		for k, v := range b.nonbasic {
			reduced += b.reduced[k] * b.value[v]
		}
		for j, c := range p.Cost {
			objective += c * x[j]
		}
		if priced := slices.Clone(b.reduced); !near(reduced, objective) {
			t.Fatalf("objective %v, by the reduced costs %v", objective, reduced)
		} else if b.price(); !slices.EqualFunc(priced, b.reduced, near) {
			t.Fatalf("reduced costs %v, computed anew %v", priced, b.reduced)
		}
		for v, place := range b.place {
			if place >= 0 && b.nonbasic[place] != v || place < 0 && b.basic[^place] != v {
				t.Fatalf("variable %d is not at its place", v)
			}
		}
		for _, v := range b.nonbasic {
			start := rapid.SampledFrom([]float64{-9, -1.25, -0.5, 0.25, 1.25, 9}).Draw(t, "start")
			b.value[v] = start
			b.settle()
			away, least := math.Abs(b.value[v]-start), math.Min(math.Abs(start-b.lower[v]), math.Abs(start-b.upper[v]))
			if free := math.IsInf(least, 1); free && b.value[v] != 0 || !free && (away != least || b.value[v] != b.lower[v] && b.value[v] != b.upper[v]) {
				t.Fatalf("%v in [%v, %v] settles at %v", start, b.lower[v], b.upper[v], b.value[v])
			}
		}
	})
}

// TestEntering: the variable with the best weighted reduced cost of those that improve the objective, Bland's the first.
func TestEntering(t *testing.T) {
	often(t, func(t *rapid.T) {
		b, _ := drawnTableau(t)
		b.edgeWeights = b.edgeWeights[:0]
		best, first := -1, -1
		for k, v := range b.nonbasic {
			b.edgeWeights = append(b.edgeWeights, float64(rapid.IntRange(1, 9).Draw(t, "weight")))
			if d := b.reduced[k]; math.Abs(d) < 1e-9 || d < 0 && b.value[v] == b.upper[v] || d > 0 && b.value[v] == b.lower[v] {
				continue
			}
			merit := func(k int) float64 { return b.reduced[k] * b.reduced[k] / b.edgeWeights[k] }
			if best < 0 || merit(k) > merit(best) {
				best = k
			}
			if first < 0 || v < b.nonbasic[first] {
				first = k
			}
		}
		if by, bland := b.enteringPosition(false), b.enteringPosition(true); by != best || bland != first {
			t.Fatalf("position %d, Bland %d; want %d and %d", by, bland, best, first)
		}
	})
}

// TestPrimalRatio: an entering variable goes until the first basic one or its own other end stops it, at the largest entry,
// or by Bland's rule at the first variable, and a step keeps all within their bounds and the objective falling.
func TestPrimalRatio(t *testing.T) {
	often(t, func(t *rapid.T) {
		b, _ := drawnTableau(t)
		for i, v := range b.basic { // a feasible basis
			b.lower[v], b.upper[v] = math.Min(b.lower[v], b.value[v]), math.Max(b.upper[v], b.value[v])
			if rapid.Bool().Draw(t, "at a bound") {
				b.lower[v] = b.value[b.basic[i]]
			}
		}
		b.edgeWeights = slices.Repeat([]float64{1}, b.columns)
		bland := rapid.Bool().Draw(t, "bland")
		position := b.enteringPosition(bland)
		if position < 0 {
			return
		}
		entering, direction := b.nonbasic[position], -math.Copysign(1, b.reduced[position])
		stops := func(i int) float64 {
			v, entry := b.basic[i], b.rows[i][position]*direction
			switch {
			case entry > 1e-9:
				return (b.upper[v] - b.value[v]) / entry
			case entry < -1e-9:
				return (b.lower[v] - b.value[v]) / entry
			}
			return math.Inf(1)
		}
		want, which := math.Inf(1), -1
		for i := range b.basic {
			want = math.Min(want, stops(i))
		}
		for i, v := range b.basic {
			if stops(i) > want+1e-6 || math.IsInf(want, 1) {
				continue
			}
			if which < 0 || bland && v < b.basic[which] || !bland && math.Abs(b.rows[i][position]) > math.Abs(b.rows[which][position])+1e-12 {
				which = i
			}
		}
		if own := b.upper[entering] - b.lower[entering]; own <= want+1e-6 {
			want, which = own, -1
		}
		row, length := b.primalRatio(position, bland)
		if row >= 0 && which >= 0 && !bland && near(math.Abs(b.rows[row][position]), math.Abs(b.rows[which][position])) {
			which = row // the same size but for rounding errors
		}
		if row != which || !near(length, want) {
			t.Fatalf("row %d stops at %v; want row %d at %v", row, length, which, want)
		}
		if row < 0 {
			return
		}
		b.primalStep(row, position, length)
		if !near(b.value[b.nonbasic[position]], b.lower[b.nonbasic[position]]) && !near(b.value[b.nonbasic[position]], b.upper[b.nonbasic[position]]) || !b.feasible() {
			t.Fatalf("%v leaves [%v, %v] after a step", b.value, b.lower, b.upper)
		}
		at := slices.Clone(b.value)
		if b.evaluate(); !slices.EqualFunc(at, b.value, near) {
			t.Fatalf("values %v, computed anew %v", at, b.value)
		}
	})
}

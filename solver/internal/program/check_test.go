package program

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// small is a program of two columns, one row and one square.
func small() *Program {
	return &Program{
		Cost: []float64{1, 2}, Lower: []float64{0, math.Inf(-1)}, Upper: []float64{math.Inf(1), 3},
		Rows: []Row{{Columns: []int{0, 1}, Values: []float64{1, 1}, Lower: math.Inf(-1), Upper: 4}}, Quadratic: []Term{{0, 1, 2}},
	}
}

// TestPartsThatDoNotFit: each is told in a sentence, and what fits is not.
func TestPartsThatDoNotFit(t *testing.T) {
	plus, minus, none := math.Inf(1), math.Inf(-1), math.NaN()
	for what, spoil := range map[string]func(p *Program){
		"":                                 func(*Program) {},
		"1 costs, 2 lower and 2 upper":     func(p *Program) { p.Cost = p.Cost[1:] },
		"2 costs, 1 lower and 2 upper":     func(p *Program) { p.Lower = p.Lower[1:] },
		"2 costs, 2 lower and 1 upper":     func(p *Program) { p.Upper = p.Upper[1:] },
		"Offset and Cost have the value":   func(p *Program) { p.Offset = plus },
		"value -Inf or -Inf at position 2": func(p *Program) { p.Cost[1] = minus },
		"column bounds have the value +Inf or +Inf at position 0":           func(p *Program) { p.Lower[0] = plus },
		"value -Inf or -Inf at position 1":                                  func(p *Program) { p.Upper[1] = minus },
		"value NaN or 3 at position 1":                                      func(p *Program) { p.Lower[1] = none },
		"value 0 or NaN at position 0":                                      func(p *Program) { p.Upper[0] = none },
		"bounds of row 0 have":                                              func(p *Program) { p.Rows[0].Upper = none },
		"Values of row 0 have":                                              func(p *Program) { p.Rows[0].Values[1] = plus },
		"row 0 has 1 values and the columns [0 1], but there are 2 columns": func(p *Program) { p.Rows[0].Values = p.Rows[0].Values[1:] },
		"row 0 has 2 values and the columns [0 2]":                          func(p *Program) { p.Rows[0].Columns[1] = 2 },
		"row 0 has 2 values and the columns [-1 1]":                         func(p *Program) { p.Rows[0].Columns[0] = -1 },
		"row 0 has 2 values and the columns [9 9 9 9 9 9 9 9 9 9], but": func(p *Program) {
			p.Rows[0].Columns = []int{9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9}
		},
		"quadratic terms have":                       func(p *Program) { p.Quadratic[0].Value = plus },
		"quadratic term of the columns 2 and 1":      func(p *Program) { p.Quadratic[0].I = 2 },
		"quadratic term of the columns 0 and -1":     func(p *Program) { p.Quadratic[0].J = -1 },
		"two quadratic terms of the columns 1 and 0": func(p *Program) { p.Quadratic = append(p.Quadratic, Term{1, 0, 1}) },
	} {
		p := small()
		spoil(p)
		if said := saidBy(func() { Check("here", p) }); what == "" && said != "" || what != "" && (!strings.HasPrefix(said, "here: ") || !strings.Contains(said, what)) {
			t.Errorf("%q, want %q", said, what)
		}
	}
	if said := saidBy(func() { Check("here", nil) }); said != "here: the program is nil" {
		t.Error(said)
	}
	if said := saidBy(func() { CheckCount("here", "duals", make([]float64, 2), 3) }); said != "here: 2 duals; give 3" {
		t.Error(said)
	}
	CheckCount("here", "duals", make([]float64, 3), 3)
}

// saidBy is what a call panics with, nothing if it does not.
func saidBy(call func()) (said string) {
	defer func() {
		if reason := recover(); reason != nil {
			said = fmt.Sprint(reason)
		}
	}()
	call()
	return ""
}

// TestSmallPrograms: up to 1500 columns times rows, or 10,000 with 800 columns and coefficients; the objective is a row.
func TestSmallPrograms(t *testing.T) {
	for _, test := range []struct {
		columns, rows, entries int
		want                   bool
	}{
		{1500, 0, 0, true}, {1501, 0, 0, false}, {150, 9, 150 * 9, true}, {751, 1, 49, true}, {751, 1, 50, false}, {750, 1, 750, true},
		{100, 99, 700, true}, {100, 99, 701, false}, {100, 100, 0, false}, {800, 11, 0, true}, {801, 11, 0, false},
	} {
		p := &Program{Cost: make([]float64, test.columns), Rows: make([]Row, test.rows)}
		for k := range test.entries {
			r := &p.Rows[k%test.rows]
			r.Columns = append(r.Columns, k/test.rows)
		}
		if IsSmall(p) != test.want {
			t.Errorf("%+v", test)
		}
	}
}

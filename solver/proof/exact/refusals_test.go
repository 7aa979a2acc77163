package exact_test

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/sparsero/directions/solver/internal/program"
	"github.com/sparsero/directions/solver/proof/exact"
)

func fractions(values ...float64) []*big.Rat {
	list := make([]*big.Rat, len(values))
	for k, v := range values {
		list[k] = new(big.Rat).SetFloat64(v)
	}
	return list
}

// strip is min x - y over 0 <= x, 0 <= y, 1 <= x + y, x - y <= 2, in which y rises for ever.
func strip() *program.Program {
	inf := math.Inf(1)
	return &program.Program{Cost: []float64{1, -1}, Lower: []float64{0, 0}, Upper: []float64{inf, inf}, Rows: []program.Row{
		{Columns: []int{0, 1}, Values: []float64{1, 1}, Lower: 1, Upper: inf}, {Columns: []int{0, 1}, Values: []float64{1, -1}, Lower: -inf, Upper: 2},
	}}
}

// TestPointsAreHeldAgainstEveryBound: at a bound a point is within, beyond it is not, below and above, of columns and of rows.
func TestPointsAreHeldAgainstEveryBound(t *testing.T) {
	p := strip()
	p.Upper[0] = 4
	for _, test := range []struct {
		x    []*big.Rat
		want string
	}{
		{fractions(0, 1), ""}, {fractions(2, 0), ""}, {fractions(4, 2), ""}, {fractions(0.5, 1e9), ""},
		{fractions(-0x1p-60, 2), "column 0"}, {fractions(4+0x1p-50, 3), "column 0"}, {fractions(1, -0x1p-60), "column 1"},
		{fractions(0.5, 0.5-0x1p-54), "row 0"}, {fractions(3, 1-0x1p-53), "row 1"},
		{fractions(1), "no number"}, {[]*big.Rat{nil, nil}, "no number"},
	} {
		if err := exact.CheckPoint(p, test.x); (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v: %v, want %q", test.x, err, test.want)
		}
	}
}

// TestRaysAreHeldAgainstEveryBound: a ray that leaves a column or a row on either side, or does not improve, proves nothing.
func TestRaysAreHeldAgainstEveryBound(t *testing.T) {
	inf := math.Inf(1)
	for _, test := range []struct {
		ray    []*big.Rat
		change func(p *program.Program)
		want   string
	}{
		{fractions(0, 1), func(*program.Program) {}, ""},
		{fractions(1, 2), func(*program.Program) {}, ""},
		{fractions(1, 1), func(*program.Program) {}, "improve"},
		{fractions(2, 1), func(*program.Program) {}, "row 1"},
		{fractions(0, 1), func(p *program.Program) { p.Rows[1].Lower = -100 }, "row 1"},
		{fractions(0, 1), func(p *program.Program) { p.Rows[0].Upper = 100 }, "row 0"},
		{fractions(0, 1), func(p *program.Program) { p.Upper[1] = 100 }, "column 1"},
		{fractions(-1, 1), func(*program.Program) {}, "column 0"},
		{fractions(-1, 1), func(p *program.Program) { p.Lower[0] = -inf }, ""},
		{fractions(1), func(*program.Program) {}, "each"},
		{[]*big.Rat{nil, nil}, func(*program.Program) {}, "each"},
	} {
		p := strip()
		test.change(p)
		err := exact.Check(p, &exact.Answer{Status: exact.Unbounded, X: fractions(0, 1), Ray: test.ray})
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v: %v, want %q", test.ray, err, test.want)
		}
	}
}

// TestRaysNeedAPoint: a program without one is not unbounded.
func TestRaysNeedAPoint(t *testing.T) {
	if exact.Check(strip(), &exact.Answer{Status: exact.Unbounded, X: fractions(0, 0), Ray: fractions(0, 1)}) == nil {
		t.Error("a ray from a point outside is accepted")
	}
}

// TestAnswersOfPlainPrograms: crossed bounds need no multipliers, and a program of one step takes one pivot.
func TestAnswersOfPlainPrograms(t *testing.T) {
	p := strip()
	if a := exact.Solve(context.Background(), p); a.Status != exact.Unbounded || a.Pivots < 0 {
		t.Errorf("%+v", a)
	}
	p.Cost[1] = 1
	if a := exact.Solve(context.Background(), p); a.Status != exact.Optimal || a.Objective.Cmp(big.NewRat(1, 1)) != 0 || a.Pivots != 1 {
		t.Errorf("%+v", a)
	}
	if bound := exact.Bound(p, p.Cost, fractions(1, 0)); bound == nil || bound.Cmp(big.NewRat(1, 1)) != 0 {
		t.Errorf("the multipliers 1, 0 prove %v", bound)
	}
	for _, y := range [][]*big.Rat{nil, fractions(1), fractions(1, 0, 0), {big.NewRat(1, 1), nil}, fractions(-1, 0)} {
		if bound := exact.Bound(p, p.Cost, y); bound != nil {
			t.Errorf("the multipliers %v prove %v", y, bound)
		}
	}
	p.Lower[0], p.Upper[0] = 3, 2
	if a := exact.Solve(context.Background(), p); a.Status != exact.Infeasible || a.Duals != nil || a.X != nil || a.Objective != nil || exact.Check(p, a) != nil {
		t.Errorf("%+v", a)
	}
}

// TestAlmostDependentEquations: equations that differ by 1e-8 of their size determine two unknowns, equal factors too.
func TestAlmostDependentEquations(t *testing.T) {
	for _, system := range [][][]*big.Rat{
		{fractions(1, 1, 3), fractions(1, 1+0x1p-26, 4)},
		{fractions(1, 0.5, 2), fractions(1, 0.25, 1)},
		{fractions(4, 1, 0), fractions(4, 3, 2), fractions(8, 4, 2)},
	} {
		solution := exact.Equations(system)
		for _, equation := range system {
			sum := new(big.Rat)
			for j, x := range solution {
				sum.Add(sum, new(big.Rat).Mul(equation[j], x))
			}
			if len(solution) != 2 || sum.Cmp(equation[2]) != 0 {
				t.Errorf("%v solves %v", solution, system)
			}
		}
	}
}

// TestCommonDenominators are the least.
func TestCommonDenominators(t *testing.T) {
	for want, values := range map[int64][]*big.Rat{1: nil, 3: {big.NewRat(1, 3), big.NewRat(7, 1)}, 12: {big.NewRat(1, 4), big.NewRat(5, 6)}} {
		if got := exact.CommonDenominator(values); got.Cmp(big.NewInt(want)) != 0 {
			t.Errorf("%v of %v, want %d", got, values, want)
		}
	}
}

// TestPanicsNameTheFault: what does not fit together is said by this package, before anything else fails.
func TestPanicsNameTheFault(t *testing.T) {
	g, one := exact.NewLagrangian(2), big.NewFloat(1)
	row := &program.Row{Columns: []int{0}, Values: []float64{1}}
	never := func(i, j int) float64 { panic("an entry is asked for") }
	exact.NewLagrangian(0)
	if rows, semidefinite := exact.Squares(0, never); rows == nil || len(rows) != 0 || !semidefinite {
		t.Errorf("no rows: %v, %v", rows, semidefinite)
	}
	for name, call := range map[string]func(){
		"no program":           func() { exact.Bound(nil, nil, nil) },
		"nothing to check":     func() { exact.Check(nil, &exact.Answer{}) },
		"another cost":         func() { exact.Bound(strip(), []float64{1}, fractions(0, 0)) },
		"quadratic":            func() { p := strip(); p.Quadratic = []program.Term{{Value: 1}}; exact.Solve(context.Background(), p) },
		"a column below":       func() { g.Of(-1) },
		"a column above":       func() { g.Of(2) },
		"no multiplier":        func() { g.Take(nil, row, one) },
		"no row":               func() { g.Take(one, nil, one) },
		"no side":              func() { g.Take(one, row, nil) },
		"values of no column":  func() { g.Take(one, &program.Row{Values: []float64{1}}, one) },
		"fewer than 0 columns": func() { exact.NewLagrangian(-1) },
		"too many columns":     func() { exact.NewLagrangian(1<<26 + 1) },
		"fewer than 0 rows":    func() { exact.Squares(-1, never) },
		"too many rows":        func() { exact.Squares(1<<20+1, never) },
		"no entries":           func() { exact.Squares(1, nil) },
		"no right-hand side":   func() { exact.Equations([][]*big.Rat{{}}) },
		"uneven equations":     func() { exact.Equations([][]*big.Rat{fractions(1, 2), fractions(1, 2, 3)}) },
		"a nil number":         func() { exact.Equations([][]*big.Rat{{nil, big.NewRat(1, 1)}}) },
	} {
		func() {
			defer func() {
				if said := fmt.Sprint(recover()); !strings.HasPrefix(said, "exact:") {
					t.Errorf("%s: %s", name, said)
				}
			}()
			call()
		}()
	}
}

package exact_test

import (
	"context"
	"math"
	"math/big"
	"testing"

	"github.com/sparsero/directions/solver/internal/program"
	"github.com/sparsero/directions/solver/proof/exact"
	"pgregory.net/rapid"
)

// drawProgram draws small programs: ties, free columns, equations, crossed and missing
// bounds, empty rows and very different sizes among them.
func drawProgram(t *rapid.T) *program.Program {
	number := func(label string) float64 {
		v := float64(rapid.IntRange(-4, 4).Draw(t, label))
		if rapid.IntRange(0, 3).Draw(t, "fine") == 0 {
			v = math.Ldexp(v+rapid.Float64Range(-1, 1).Draw(t, label), rapid.IntRange(-40, 40).Draw(t, "size"))
		}
		return v
	}
	bounds := func() (float64, float64) {
		a, b := number("bound"), number("bound")
		lower, upper := math.Min(a, b), math.Max(a, b)
		switch rapid.IntRange(0, 5).Draw(t, "sides") {
		case 0:
			lower = math.Inf(-1)
		case 1:
			upper = math.Inf(1)
		case 2:
			lower, upper = math.Inf(-1), math.Inf(1)
		case 3:
			upper = lower
		}
		return lower, upper
	}
	p := &program.Program{}
	for range rapid.IntRange(1, 5).Draw(t, "columns") {
		lower, upper := bounds()
		p.Cost, p.Lower, p.Upper = append(p.Cost, number("cost")), append(p.Lower, lower), append(p.Upper, upper)
	}
	for range rapid.IntRange(0, 6).Draw(t, "rows") {
		r := program.Row{}
		r.Lower, r.Upper = bounds()
		for j := range p.Cost {
			if v := number("coefficient"); v != 0 {
				r.Columns, r.Values = append(r.Columns, j), append(r.Values, v)
			}
		}
		p.Rows = append(p.Rows, r)
	}
	return p
}

// Exactly one of the three proofs exists for a program (Farkas, duality), so an answer
// that passes its check is the truth.
func TestEveryAnswerIsProven(t *testing.T) {
	seen := map[exact.Status]int{}
	rapid.Check(t, func(t *rapid.T) {
		p := drawProgram(t)
		a := exact.Solve(context.Background(), p)
		if err := exact.Check(p, a); err != nil {
			t.Fatalf("%+v: status %d: %v", p, a.Status, err)
		}
		seen[a.Status]++
	})
	for _, status := range []exact.Status{exact.Optimal, exact.Infeasible, exact.Unbounded} {
		if seen[status] == 0 {
			t.Errorf("no program of status %d was drawn", status)
		}
	}
}

// TestTakeIsExact for numbers of any size: those that float64 pairs hold, those that underflow or overflow, and
// multipliers that are no float64.
func TestTakeIsExact(t *testing.T) {
	number := func(t *rapid.T, exponents []int) float64 {
		return math.Ldexp(rapid.Float64Range(-1, 1).Draw(t, "mantissa"), rapid.SampledFrom(exponents).Draw(t, "exponent"))
	}
	rapid.Check(t, func(t *rapid.T) {
		exponents := rapid.SampledFrom([][]int{{0}, {0, -1, 3}, {0, 60, -60, 400, -400}, {0, 1000, -1000, -500, -440, 460, 500}}).Draw(t, "exponents")
		g, truth := exact.NewLagrangian(2), [2]*big.Rat{{}, {}}
		for range rapid.IntRange(1, 30).Draw(t, "rows") {
			y, side := big.NewFloat(number(t, exponents)), big.NewFloat(0)
			if rapid.IntRange(0, 5).Draw(t, "long") == 0 {
				y.SetPrec(big.MaxPrec).Add(y, big.NewFloat(number(t, exponents)))
			}
			row := &program.Row{Columns: []int{0, 1}, Values: []float64{number(t, exponents), number(t, exponents)}}
			if rapid.IntRange(0, 5).Draw(t, "the other way") == 0 { // sums that cancel
				row.Values[0] = -row.Values[1]
			}
			g.Take(y, row, side)
			multiple, _ := y.Rat(nil)
			for k, v := range row.Values {
				truth[k].Sub(truth[k], new(big.Rat).Mul(multiple, new(big.Rat).SetFloat64(v)))
			}
			if j := rapid.IntRange(0, 5).Draw(t, "looked at"); j < 2 {
				g.Of(j)
			}
		}
		for j := range truth {
			if got, _ := g.Of(j).Rat(nil); got.Cmp(truth[j]) != 0 {
				t.Fatalf("column %d: %v, not %v", j, got, truth[j])
			}
		}
	})
}

// Sums take the place of sums before them: of float64s without allocating, and big.Float adds so with each other's.
func TestLaterRowsAllocateLittle(t *testing.T) {
	row := &program.Row{}
	for j := range 100 {
		row.Columns, row.Values = append(row.Columns, j), append(row.Values, float64(j+1)/7)
	}
	third := big.NewFloat(1. / 3)
	for most, y := range map[float64]*big.Float{4: third, 20: new(big.Float).SetPrec(100).Quo(big.NewFloat(1), big.NewFloat(3))} {
		g := exact.NewLagrangian(100)
		g.Take(y, row, third)
		if allocated := testing.AllocsPerRun(50, func() { g.Take(y, row, third) }); allocated > most {
			t.Errorf("a row of 100 columns allocates %g times", allocated)
		}
	}
}

func TestCheckRefusesWrongAnswers(t *testing.T) {
	p := &program.Program{Cost: []float64{1}, Lower: []float64{0}, Upper: []float64{2}, Rows: []program.Row{{Columns: []int{0}, Values: []float64{1}, Lower: 1, Upper: math.Inf(1)}}}
	one, two := big.NewRat(1, 1), big.NewRat(2, 1)
	for name, a := range map[string]*exact.Answer{
		"not the minimum":    {Status: exact.Optimal, X: []*big.Rat{two}, Objective: two, Duals: []*big.Rat{one}},
		"outside the column": {Status: exact.Optimal, X: []*big.Rat{big.NewRat(3, 1)}, Objective: big.NewRat(3, 1), Duals: []*big.Rat{one}},
		"outside the row":    {Status: exact.Optimal, X: []*big.Rat{new(big.Rat)}, Objective: new(big.Rat), Duals: []*big.Rat{new(big.Rat)}},
		"feasible":           {Status: exact.Infeasible, Duals: []*big.Rat{one}},
		"leaves the column":  {Status: exact.Unbounded, X: []*big.Rat{one}, Ray: []*big.Rat{big.NewRat(-1, 1)}},
		"stopped":            {},
	} {
		if exact.Check(p, a) == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

// Beale's program cycles under the largest-coefficient rule.
func TestBealeEnds(t *testing.T) {
	p := &program.Program{Cost: []float64{-0.75, 150, -0.02, 6}, Lower: make([]float64, 4), Upper: []float64{math.Inf(1), math.Inf(1), math.Inf(1), math.Inf(1)}}
	for _, r := range []program.Row{
		{Values: []float64{0.25, -60, -0.04, 9}, Upper: 0},
		{Values: []float64{0.5, -90, -0.02, 3}, Upper: 0},
		{Values: []float64{0, 0, 1, 0}, Upper: 1},
	} {
		r.Columns, r.Lower = []int{0, 1, 2, 3}, math.Inf(-1)
		p.Rows = append(p.Rows, r)
	}
	a := exact.Solve(context.Background(), p)
	if err := exact.Check(p, a); err != nil || a.Status != exact.Optimal {
		t.Fatalf("status %d, %v", a.Status, err)
	}
	if value, _ := a.Objective.Float64(); math.Abs(value+0.05) > 1e-12 {
		t.Errorf("objective %v, want -0.05", value)
	}
}

func TestCancelledContextStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	p := &program.Program{Cost: []float64{1}, Lower: []float64{0}, Upper: []float64{1}}
	if a := exact.Solve(ctx, p); a.Status == exact.Optimal || exact.Check(p, a) == nil {
		t.Errorf("status %d after a cancelled context", a.Status)
	}
}

func BenchmarkSolve(b *testing.B) {
	const n, m = 20, 25
	p := &program.Program{}
	for j := range n {
		p.Cost, p.Lower, p.Upper = append(p.Cost, math.Sin(float64(j))), append(p.Lower, -1), append(p.Upper, 1)
	}
	for i := range m {
		r := program.Row{Lower: math.Inf(-1), Upper: 1}
		for j := range n {
			r.Columns, r.Values = append(r.Columns, j), append(r.Values, math.Cos(float64(i*n+j)))
		}
		p.Rows = append(p.Rows, r)
	}
	for b.Loop() {
		if a := exact.Solve(context.Background(), p); a.Status != exact.Optimal {
			b.Fatal(a.Status)
		}
	}
}

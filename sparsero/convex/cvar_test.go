package convex_test

import (
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/proof/directed"
	"github.com/sparsero/directions/sparsero/convex"
	"pgregory.net/rapid"
)

// TestCVaRIsThatOfRockafellarAndUryasev: mean and support are the least value of their linear program
// min v + Σ p_i e_i/(1-α), e_i >= q_i - v, e_i >= 0, the worst case attains the support and is in the set, and the compact form agrees.
func TestCVaRIsThatOfRockafellarAndUryasev(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := rapid.IntRange(1, 12).Draw(t, "m")
		level := float64(rapid.IntRange(0, 19).Draw(t, "20α")) / 20
		losses, shares, sum := make([]float64, m), make([]float64, m), 0.0
		for i := range m {
			losses[i], shares[i] = rapid.Float64Range(-10, 10).Draw(t, "q"), float64(rapid.IntRange(0, 5).Draw(t, "p"))
			sum += shares[i]
		}
		var probabilities []float64
		if sum > 0 {
			for i := range shares {
				shares[i] /= sum
			}
			probabilities = shares
		}
		mean, set, err := convex.NewCVaR(m, probabilities, level)
		if err != nil {
			t.Fatal(err)
		}
		program := solver.NewModel("Rockafellar and Uryasev")
		v := program.AddColumn(solver.Column{Bounds: solver.Between(-20, 20), Cost: 1})
		expected := 0.0
		for i, loss := range losses {
			p := 1 / float64(m)
			if probabilities != nil {
				p = probabilities[i]
			}
			expected += mean[i] * loss
			excess := program.AddColumn(solver.Column{Bounds: solver.AtLeast(0), Cost: p / (1 - level)})
			program.AddRow(solver.Row{Bounds: solver.AtLeast(loss), Columns: []int{excess, v}, Values: []float64{1, 1}})
		}
		want := solved(t, program)
		if got := expected + set.Support(losses); math.Abs(got-want) > 1e-7*(1+math.Abs(want)) {
			t.Fatalf("CVaR %v, by the linear program %v", got, want)
		}
		if got := expected + compactSupport(t, set.(convex.Compact), losses); math.Abs(got-want) > 1e-7*(1+math.Abs(want)) {
			t.Fatalf("CVaR %v by the compact form, by the linear program %v", got, want)
		}
		u, total := set.WorstCase(losses), directed.Sum{}
		for i, change := range u {
			if weight := mean[i] + change; weight < 0 || weight > mean[i]/(1-level)*(1+1e-12)+1e-15 {
				t.Fatalf("weight %v of scenario %d with probability %v", weight, i, mean[i])
			}
			total.Add(change)
		}
		if total.Lower() != 0 || total.Upper() != 0 {
			t.Fatalf("the weights do not add up to 1: %v", u)
		}
		if lower, upper := directed.Dot(u, losses); set.Support(losses) < lower || math.Max(0, upper) < set.Support(losses)-1e-12 {
			t.Fatalf("support %v, the worst case has %v", set.Support(losses), upper)
		}
	})
}

func solved(t *rapid.T, m *solver.Model) float64 {
	result, err := solver.Solve(t.Context(), m, nil)
	if err == nil {
		err = result.Check()
	}
	if err != nil {
		t.Fatal(err)
	}
	return result.Objective
}

// compactSupport is the least t at a fixed direction.
func compactSupport(t *rapid.T, set convex.Compact, s []float64) float64 {
	m := solver.NewModel("support")
	least := m.AddColumn(solver.Column{Bounds: solver.Between(-1000, 1000), Cost: 1})
	columns := make([]int, len(s))
	for k, v := range s {
		columns[k] = m.AddColumn(solver.Column{Bounds: solver.Equal(v)})
	}
	set.AddSupport(m, least, columns)
	if m.Rows() > set.SupportRows() {
		t.Fatalf("%d rows, at most %d are said", m.Rows(), set.SupportRows())
	}
	return solved(t, m)
}

// TestCompactFormsAreTheSupport: the least t that the rows allow at a fixed direction is the support of the set.
func TestCompactFormsAreTheSupport(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		for range 5 {
			d := drawSet(t)
			set, ok := d.set.(convex.Compact)
			if !ok {
				continue
			}
			s := quarters(t, set.Dim(), -9, 9, "s")
			if got, want := compactSupport(t, set, s), set.Support(s); math.Abs(got-want) > 1e-6*(1+want) {
				t.Fatalf("%s: %v by rows, the support is %v", d.name, got, want)
			}
		}
	})
}

// TestRowsOfCompactForms: as many as are said, where no sign of a direction is known, and of a budget one for each sign
// that the direction may have.
func TestRowsOfCompactForms(t *testing.T) {
	rows := func(set convex.Compact, bounds ...solver.Bounds) int {
		m := solver.NewModel("support")
		least, columns := m.AddColumn(solver.Column{}), make([]int, set.Dim())
		for k := range columns {
			columns[k] = m.AddColumn(solver.Column{Bounds: bounds[k%len(bounds)]})
		}
		set.AddSupport(m, least, columns)
		return m.Rows()
	}
	free := solver.Between(math.Inf(-1), math.Inf(1))
	rapid.Check(t, func(t *rapid.T) {
		_, scenarios, err := convex.NewCVaR(rapid.IntRange(1, 9).Draw(t, "m"), nil, 0.5)
		if err != nil {
			t.Fatal(err)
		}
		for _, set := range []convex.Set{drawSet(t).set, scenarios} {
			if compact, ok := set.(convex.Compact); ok {
				if got := rows(compact, free); got > compact.SupportRows() || got < compact.SupportRows() && !hasZeroWidth(set) {
					t.Fatalf("%d rows, %d are said", got, compact.SupportRows())
				}
			}
		}
	})
	for _, test := range []struct {
		bounds solver.Bounds
		want   int
	}{
		{free, 2}, {solver.AtLeast(0), 1}, {solver.AtMost(0), 1}, {solver.AtLeast(0.5), 1}, {solver.AtMost(-0.5), 1},
		{solver.AtLeast(-0.5), 2}, {solver.AtMost(0.5), 2}, {solver.Equal(0), 0},
	} {
		budget, err := convex.NewBudget([]float64{3}, 1)
		if err != nil {
			t.Fatal(err)
		}
		if got := rows(budget.(convex.Compact), test.bounds); got != test.want+1 {
			t.Errorf("a direction in %v: %d rows, want %d and the total", test.bounds, got, test.want)
		}
	}
}

// hasZeroWidth tells whether a set is flat in a direction of the axes.
func hasZeroWidth(set convex.Set) bool {
	for k := range set.Dim() {
		axis := make([]float64, set.Dim())
		axis[k] = 1
		if set.Support(axis) == 0 {
			return true
		}
	}
	return false
}

// TestCVaRWeights: probabilities whose sum is not quite 1 become multiples of 2^-53 whose sum it is, each at most one
// below its share but that of the largest, and a scenario alone may weigh 1/(1-α) of its probability, rounded up.
func TestCVaRWeights(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := rapid.IntRange(1, 8).Draw(t, "m")
		level := float64(rapid.IntRange(0, 19).Draw(t, "20α")) / 20
		probabilities, sum := make([]float64, m), 0.0
		for i := range m {
			probabilities[i] = rapid.Float64Range(0.1, 1).Draw(t, "p")
			sum += probabilities[i]
		}
		off, total := 1+rapid.SampledFrom([]float64{0, 5e-10, -5e-10}).Draw(t, "off"), new(big.Rat)
		for i := range m {
			probabilities[i] *= off / sum
			total.Add(total, rational(probabilities[i]))
		}
		mean, set, err := convex.NewCVaR(m, probabilities, level)
		if err != nil {
			t.Fatal(err)
		}
		given, largest := new(big.Rat), slices.Index(probabilities, slices.Max(probabilities))
		for i, p := range mean {
			given.Add(given, rational(p))
			share := new(big.Rat).Quo(rational(probabilities[i]), total)
			exact, _ := share.Float64()
			if low := exact - 3*0x1p-53; p < low || p > exact+0x1p-53 && i != largest || p > exact+float64(3*m)*0x1p-53 || p != math.Round(p*0x1p53)/0x1p53 {
				t.Fatalf("probability %d of %v becomes %v", i, probabilities, p)
			}
			axis := make([]float64, m)
			axis[i] = 1
			weight := rational(p)
			weight.Add(weight, rational(set.WorstCase(axis)[i]))
			most := new(big.Rat).Quo(rational(max(p, probabilities[i])), new(big.Rat).Sub(rational(1), rational(level)))
			if most.Cmp(rational(1)) > 0 {
				most = rational(1)
			}
			least := new(big.Rat).Set(most)
			most.Mul(most, rational(1+0x1p-49)).Add(most, rational(0x1p-53))
			if weight.Cmp(least) < 0 || weight.Cmp(most) > 0 {
				t.Fatalf("scenario %d with probability %v weighs %s at most, want %s", i, p, weight.FloatString(20), least.FloatString(20))
			}
		}
		if given.Cmp(rational(1)) != 0 {
			t.Fatalf("probabilities %v have the sum %s", mean, given.FloatString(30))
		}
	})
}

func TestCVaRRefuses(t *testing.T) {
	for want, arguments := range map[string]struct {
		m             int
		probabilities []float64
		level         float64
	}{
		"level": {2, nil, 1}, "level NaN": {2, nil, math.NaN()}, "scenarios": {0, nil, 0.5}, "probabilities has length": {2, []float64{1}, 0.5},
		"probability 1": {2, []float64{2, -1}, 0.5}, "sum": {2, []float64{0.5, 0.4}, 0.5},
		"sum 1.00000009": {2, []float64{0.5, 0.5000001}, 0.5}, "sum 0.99999989": {2, []float64{0.5, 0.4999999}, 0.5},
		"level -0.1": {2, nil, -0.1}, "10000001 scenarios": {10_000_001, nil, 0.5},
	} {
		if _, _, err := convex.NewCVaR(arguments.m, arguments.probabilities, arguments.level); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want an error with %q, got %v", want, err)
		}
	}
}

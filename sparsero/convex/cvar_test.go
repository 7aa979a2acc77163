package convex_test

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/proof/directed"
	"github.com/sparsero/directions/sparsero/convex"
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

func TestCVaRRefuses(t *testing.T) {
	for want, arguments := range map[string]struct {
		m             int
		probabilities []float64
		level         float64
	}{
		"level": {2, nil, 1}, "level NaN": {2, nil, math.NaN()}, "scenarios": {0, nil, 0.5}, "probabilities has length": {2, []float64{1}, 0.5},
		"probability 1": {2, []float64{2, -1}, 0.5}, "sum": {2, []float64{0.5, 0.4}, 0.5},
	} {
		if _, _, err := convex.NewCVaR(arguments.m, arguments.probabilities, arguments.level); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want an error with %q, got %v", want, err)
		}
	}
}

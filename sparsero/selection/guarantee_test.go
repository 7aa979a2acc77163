package selection_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/sparsero/directions/sparsero/selection"
	"pgregory.net/rapid"
)

// Theorem E.2 against the optimum, with the worst admissible atom at every step and with a random one, multiplicative and
// additive errors together.
func TestInexactGuarantee(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawInstance(t, 8, 3, 6)
		budget := rapid.IntRange(1, in.coverage.Size()).Draw(t, "B")
		rho, atRandom := rapid.Float64Range(0, 0.95).Draw(t, "rho"), rapid.Bool().Draw(t, "random")
		state, steps := in.coverage.NewState(), make([]float64, budget)
		for k := range steps {
			steps[k] = rapid.SampledFrom([]float64{0, 0.01, 0.2, 1}).Draw(t, "additive")
			most, admissible, worst := 0.0, []int{}, 0
			for i := range in.coverage.Size() {
				most = max(most, state.Gain(i))
			}
			for i := range in.coverage.Size() {
				if state.Gain(i) >= min(most, (1-rho)*most-steps[k]) {
					admissible = append(admissible, i)
				}
			}
			for k, i := range admissible {
				if state.Gain(i) < state.Gain(admissible[worst]) {
					worst = k
				}
			}
			if atRandom {
				worst = rapid.IntRange(0, len(admissible)-1).Draw(t, "pick")
			}
			state.Add(admissible[worst])
		}
		factor, loss, err := selection.InexactGuarantee(rho, steps)
		if err != nil {
			t.Fatal(err)
		}
		if optimum := bruteForce(in.coverage, budget); state.Value() < factor.Float()*optimum-loss.Float()-rounding {
			t.Fatalf("coverage %v below %v·%v - %v", state.Value(), factor, optimum, loss)
		}
	})
}

// The table of factors 1-a^B and coefficients sum_t a^(B-t) of Theorem E.2.
func TestInexactGuaranteeNumbers(t *testing.T) {
	for _, test := range []struct {
		rho    float64
		budget int
		factor float64
		sum    float64 // 0 where the table has none
	}{
		{0, 5, 0.672, 3.36}, {0, 10, 0.651, 6.51}, {0, 30, 0.638, 19.2},
		{0.1, 5, 0.629, 0}, {0.1, 10, 0.611, 0}, {0.1, 30, 0.599, 0},
		{0.25, 5, 0.556, 0}, {0.25, 10, 0.541, 0}, {0.25, 30, 0.532, 0},
		{0.5, 5, 0.410, 0}, {0.5, 10, 0.401, 0}, {0.5, 30, 0.396, 0},
	} {
		ones := make([]float64, test.budget)
		for k := range ones {
			ones[k] = 1
		}
		factor, loss, err := selection.InexactGuarantee(test.rho, ones)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(factor.Float()-test.factor) > 6e-4 {
			t.Errorf("rho=%v B=%d: factor %v, want %v", test.rho, test.budget, factor, test.factor)
		}
		if test.sum != 0 && math.Abs(loss.Float()-test.sum) > 0.06 {
			t.Errorf("rho=%v B=%d: sum of coefficients %v, want %v", test.rho, test.budget, loss, test.sum)
		}
		// Equal errors: the closed form (1-a^B)/(1-a) = B(1-a^B)/(1-rho), at most B/(1-rho).
		if closed := float64(test.budget) * factor.Float() / (1 - test.rho); math.Abs(loss.Float()-closed) > 1e-9 || loss.Float() > float64(test.budget)/(1-test.rho) {
			t.Errorf("rho=%v B=%d: loss %v, closed form %v", test.rho, test.budget, loss, closed)
		}
	}
	// The errors of late steps weigh most: a^(B-t) with a = 1/2.
	if _, loss, err := selection.InexactGuarantee(0, []float64{8, 1}); err != nil || loss.Float() < 5 || loss.Float() > 5+1e-14 {
		t.Errorf("loss %v (%v), want 8/2 + 1 rounded up", loss, err)
	}
	if factor, _, err := selection.InexactGuarantee(0, make([]float64, 7)); err != nil || math.Abs(factor.Float()-selection.GreedyGuarantee(7).Float()) > 1e-15 {
		t.Errorf("factor %v (%v) without errors, guarantee %v", factor, err, selection.GreedyGuarantee(7))
	}
}

// TestInexactGuaranteeIsRoundedOutwards where 1-ρ and sums of errors are no float64 numbers.
func TestInexactGuaranteeIsRoundedOutwards(t *testing.T) {
	if factor, _, err := selection.InexactGuarantee(1e-17, []float64{0}); err != nil || factor.Float() >= 1 {
		t.Errorf("factor %v (%v), want less than 1", factor, err)
	}
	if _, loss, err := selection.InexactGuarantee(0, []float64{0x1p-53, 1}); err != nil || loss.Float() <= 1 {
		t.Errorf("loss %v (%v), want more than 1", loss, err)
	}
}

func TestInexactGuaranteeRejectsBadInput(t *testing.T) {
	_, _, err := selection.InexactGuarantee(0, nil)
	wantError(t, err, "absolute is empty")
	_, _, err = selection.InexactGuarantee(-0.1, []float64{0})
	wantError(t, err, "-0.1")
	_, _, err = selection.InexactGuarantee(1, []float64{0})
	wantError(t, err, "1 is outside [0,1)")
	_, _, err = selection.InexactGuarantee(0, []float64{0, math.NaN()})
	wantError(t, err, "NaN")
}

func ExampleInexactGuarantee() {
	// Gains are known within 10 %, and each step may lose another 0.01 of F.
	factor, loss, _ := selection.InexactGuarantee(0.1, []float64{0.01, 0.01, 0.01, 0.01, 0.01})
	fmt.Printf("F(S) >= %.3f F(S*) - %.3f\n", factor, loss)
	// Output:
	// F(S) >= 0.629 F(S*) - 0.035
}

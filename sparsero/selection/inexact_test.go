package selection_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/sparsero/directions/sparsero/selection"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// Theorem E.2 against the optimum, with the worst admissible atom at every step
// and with a random one, multiplicative and additive errors together.
func TestInexactGreedyGuarantee(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawInstance(t, 8, 3, 6)
		budget := rapid.IntRange(1, in.coverage.Size()).Draw(t, "B")
		rho := rapid.Float64Range(0, 0.95).Draw(t, "rho")
		steps := make([]float64, budget)
		for k := range steps {
			steps[k] = rapid.SampledFrom([]float64{0, 0.01, 0.2, 1}).Draw(t, "additive")
		}
		factor, loss, err := selection.InexactGuarantee(rho, steps)
		if err != nil {
			t.Fatal(err)
		}
		optimum := bruteForce(in.coverage, budget)
		for _, atRandom := range []bool{false, true} {
			policy := selection.InexactGreedy{Multiplicative: rho, AdditiveSteps: steps, Random: atRandom, Seed: 5}
			s := selectAtoms(t, policy, in.coverage, budget)
			if got := s.Coverage[budget-1]; got < factor.Float()*optimum-loss.Float()-rounding {
				t.Fatalf("%s: coverage %v below %v·%v - %v", name(policy), got, factor, optimum, loss)
			}
			// Every pick is admissible.
			for k, gain := range s.Gains {
				state := in.coverage.NewState()
				for _, i := range s.Atoms[:k] {
					state.Add(i)
				}
				best := 0.0
				for i := range in.coverage.Size() {
					best = max(best, state.Gain(i))
				}
				if gain < (1-rho)*best-steps[k]-rounding {
					t.Fatalf("%s, step %d: gain %v, best %v", name(policy), k, gain, best)
				}
			}
		}
	})
}

// The errors of steps count step by step: a careless second step takes the worst atom left.
func TestInexactGreedyErrsWhereItMay(t *testing.T) {
	in := newInstance(t, mat.NewDense(3, 3, []float64{3, 0, 0, 0, 2, 0, 0, 0, 1}), mat.NewDense(3, 3, []float64{1, 0, 0, 0, 1, 0, 0, 0, 1}))
	s := selectAtoms(t, selection.InexactGreedy{Additive: 9, AdditiveSteps: []float64{0, 5, 0}}, in.coverage, 3)
	if !equalInts(s.Atoms, []int{0, 2, 1}) {
		t.Errorf("atoms %v, want 0, the worst of the others, and the rest", s.Atoms)
	}
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

func TestExactGainsAreGreedy(t *testing.T) {
	in := randomInstance(t, 30, 3, 20, 11)
	want := selectAtoms(t, selection.Greedy{}, in.coverage, 8) // eight picks with a gain, so no ties
	if got := selectAtoms(t, selection.InexactGreedy{}, in.coverage, 8); !equalInts(got.Atoms, want.Atoms) {
		t.Errorf("%s without error picks %v, greedy %v", got.Policy, got.Atoms, want.Atoms)
	}
}

func TestInexactGreedyRejectsBadInput(t *testing.T) {
	in := randomInstance(t, 4, 2, 3, 1)
	for _, test := range []struct {
		name   string
		policy selection.Policy
		want   string
	}{
		{"rho 1", selection.InexactGreedy{Multiplicative: 1}, "multiplicative"},
		{"rho NaN", selection.InexactGreedy{Multiplicative: math.NaN()}, "multiplicative"},
		{"negative epsilon", selection.InexactGreedy{Additive: -1}, "additive"},
		{"steps of wrong length", selection.InexactGreedy{AdditiveSteps: []float64{1}}, "AdditiveSteps"},
		{"infinite step", selection.InexactGreedy{AdditiveSteps: []float64{1, math.Inf(1)}}, "+Inf"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := test.policy.Select(context.Background(), in.coverage, 2)
			wantError(t, err, test.want)
		})
	}
	_, _, err := selection.InexactGuarantee(0, nil)
	wantError(t, err, "absolute is empty")
	_, _, err = selection.InexactGuarantee(-0.1, []float64{0})
	wantError(t, err, "-0.1")
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

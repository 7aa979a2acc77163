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
			steps[k] = rapid.SampledFrom([]float64{0, 0.01, 0.2, 1}).Draw(t, "epsilon")
		}
		factor, loss, err := selection.InexactGuarantee(rho, steps)
		if err != nil {
			t.Fatal(err)
		}
		optimum := bruteForce(in.coverage, budget)
		for _, rule := range []selection.ErrorRule{selection.WorstAdmissible, selection.RandomAdmissible} {
			policy := selection.InexactGreedy{Multiplicative: rho, AdditiveSteps: steps, Rule: rule, Seed: 5}
			s := selectAtoms(t, policy, in.coverage, budget)
			if got := s.Coverage[budget-1]; got < factor*optimum-loss-rounding {
				t.Fatalf("%s: coverage %v below %v·%v - %v", policy.Name(), got, factor, optimum, loss)
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
					t.Fatalf("%s, step %d: gain %v, best %v", policy.Name(), k, gain, best)
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
		if math.Abs(factor-test.factor) > 6e-4 {
			t.Errorf("rho=%v B=%d: factor %v, want %v", test.rho, test.budget, factor, test.factor)
		}
		if test.sum != 0 && math.Abs(loss-test.sum) > 0.06 {
			t.Errorf("rho=%v B=%d: sum of coefficients %v, want %v", test.rho, test.budget, loss, test.sum)
		}
		// Equal errors: the closed form (1-a^B)/(1-a) = B(1-a^B)/(1-rho), at most B/(1-rho).
		if closed := float64(test.budget) * factor / (1 - test.rho); math.Abs(loss-closed) > 1e-9 || loss > float64(test.budget)/(1-test.rho) {
			t.Errorf("rho=%v B=%d: loss %v, closed form %v", test.rho, test.budget, loss, closed)
		}
	}
	// The errors of late steps weigh most: a^(B-t) with a = 1/2.
	if _, loss, err := selection.InexactGuarantee(0, []float64{8, 1}); err != nil || loss != 5 {
		t.Errorf("loss %v (%v), want 8/2 + 1", loss, err)
	}
	if factor, _, err := selection.InexactGuarantee(0, make([]float64, 7)); err != nil || math.Abs(factor-selection.GreedyGuarantee(7)) > 1e-15 {
		t.Errorf("factor %v (%v) without errors, guarantee %v", factor, err, selection.GreedyGuarantee(7))
	}
}

// Readings of F that are off by at most δ: an atom can lose up to 4δ against the
// best when F(S) is read anew for every candidate, and up to 2δ when it is read
// once. Gains 1 and 1-4δ+tiny both read 1-2δ (plus tiny), so the worse one wins.
func TestNoisyReadingsLose4Delta(t *testing.T) {
	const delta, tiny = 0.05, 1e-6
	adversary := func(_, candidate int, baseline bool) float64 {
		if (candidate == 0) == baseline { // atom 0 is good: read it low and its baseline high
			return delta
		}
		return -delta
	}
	for _, test := range []struct {
		name   string
		reread bool
		loss   float64
		picks  int
	}{
		{"baseline per candidate, just below 4δ", true, 4*delta - tiny, 1},
		{"baseline per candidate, just above 4δ", true, 4*delta + tiny, 0},
		{"one baseline, just below 2δ", false, 2*delta - tiny, 1},
		{"one baseline, just above 2δ", false, 2*delta + tiny, 0},
	} {
		in := newInstance(t, mat.NewDense(2, 1, []float64{1, 1 - test.loss}), mat.NewDense(1, 1, []float64{1}))
		policy := selection.NoisyGreedy{Delta: delta, RereadBaseline: test.reread, Error: adversary}
		s := selectAtoms(t, policy, in.coverage, 1)
		if s.Atoms[0] != test.picks {
			t.Errorf("%s: picks %d, want %d", test.name, s.Atoms[0], test.picks)
		}
		if lost := 1 - s.Gains[0]; lost > policy.AdditiveError() {
			t.Errorf("%s: lost %v, bound %v", test.name, lost, policy.AdditiveError())
		}
	}
}

// With ε_t of its own size noisy greedy obeys Theorem E.2.
func TestNoisyGreedyGuarantee(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawInstance(t, 8, 3, 6)
		budget := rapid.IntRange(1, in.coverage.Size()).Draw(t, "B")
		policy := selection.NoisyGreedy{
			Delta:          rapid.Float64Range(0, 1).Draw(t, "delta"),
			RereadBaseline: rapid.Bool().Draw(t, "reread"),
			Seed:           rapid.Uint64().Draw(t, "seed"),
		}
		steps := make([]float64, budget)
		for k := range steps {
			steps[k] = policy.AdditiveError()
		}
		factor, loss, err := selection.InexactGuarantee(0, steps)
		if err != nil {
			t.Fatal(err)
		}
		s := selectAtoms(t, policy, in.coverage, budget)
		if optimum := bruteForce(in.coverage, budget); s.Coverage[budget-1] < factor*optimum-loss-rounding {
			t.Fatalf("coverage %v below %v·%v - %v", s.Coverage[budget-1], factor, optimum, loss)
		}
	})
}

func TestExactReadingsAreGreedy(t *testing.T) {
	in := randomInstance(t, 30, 3, 20, 11)
	want := selectAtoms(t, selection.Greedy{}, in.coverage, 8) // eight picks with a gain, so no ties
	for _, policy := range []selection.Policy{selection.InexactGreedy{}, selection.NoisyGreedy{}, selection.NoisyGreedy{RereadBaseline: true}} {
		if got := selectAtoms(t, policy, in.coverage, 8); !equalInts(got.Atoms, want.Atoms) {
			t.Errorf("%s without error picks %v, greedy %v", policy.Name(), got.Atoms, want.Atoms)
		}
	}
}

func TestInexactGreedyRejectsBadInput(t *testing.T) {
	in := randomInstance(t, 4, 2, 3, 1)
	for _, test := range []struct {
		name   string
		policy selection.Policy
		want   string
	}{
		{"rho 1", selection.InexactGreedy{Multiplicative: 1}, "multiplicative error 1 is outside [0,1)"},
		{"rho NaN", selection.InexactGreedy{Multiplicative: math.NaN()}, "multiplicative error NaN is outside [0,1)"},
		{"negative epsilon", selection.InexactGreedy{Additive: -1}, "additive error -1 (entry 0) is not a finite number >= 0; give"},
		{"steps of wrong length", selection.InexactGreedy{AdditiveSteps: []float64{1}}, "AdditiveSteps has 1 values for budget 2"},
		{"infinite step", selection.InexactGreedy{AdditiveSteps: []float64{1, math.Inf(1)}}, "additive error +Inf"},
		{"unknown rule", selection.InexactGreedy{Rule: 7}, "unknown error rule ErrorRule(7)"},
		{"negative delta", selection.NoisyGreedy{Delta: -0.1}, "delta -0.1 is not a finite number >= 0"},
		{"NaN delta", selection.NoisyGreedy{Delta: math.NaN()}, "delta NaN"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := test.policy.Select(context.Background(), in.coverage, 2)
			wantError(t, err, test.want)
		})
	}
	_, _, err := selection.InexactGuarantee(0, nil)
	wantError(t, err, "epsilon is empty")
	_, _, err = selection.InexactGuarantee(-0.1, []float64{0})
	wantError(t, err, "multiplicative error -0.1")
	_, _, err = selection.InexactGuarantee(0, []float64{0, math.NaN()})
	wantError(t, err, "additive error NaN (entry 1)")
	// An error function that returns NaN reads as exact.
	nan := selection.NoisyGreedy{Delta: 1, Error: func(int, int, bool) float64 { return math.NaN() }}
	if got, want := selectAtoms(t, nan, in.coverage, 3), selectAtoms(t, selection.Greedy{}, in.coverage, 3); !equalInts(got.Atoms, want.Atoms) {
		t.Errorf("picks %v, want %v", got.Atoms, want.Atoms)
	}
}

func ExampleInexactGuarantee() {
	// Gains are known within 10 %, and each step may lose another 0.01 of F.
	factor, loss, _ := selection.InexactGuarantee(0.1, []float64{0.01, 0.01, 0.01, 0.01, 0.01})
	fmt.Printf("F(S) >= %.3f F(S*) - %.3f\n", factor, loss)
	// Output:
	// F(S) >= 0.629 F(S*) - 0.035
}

// F(S) is read once a step, for no candidate in particular, or anew for each.
func TestNoisyGreedyReadsTheBaseline(t *testing.T) {
	in := newInstance(t, mat.NewDense(2, 2, []float64{2, 0, 0, 1}), mat.NewDense(2, 2, []float64{1, 0, 0, 1}))
	for reread, want := range map[bool][]int{false: {-1, -1}, true: {0, 1, 1}} {
		var read []int
		policy := selection.NoisyGreedy{RereadBaseline: reread, Error: func(_, candidate int, baseline bool) float64 {
			if baseline {
				read = append(read, candidate)
			}
			return 0
		}}
		selectAtoms(t, policy, in.coverage, 2)
		if !equalInts(read, want) {
			t.Errorf("reread %v: baselines of %v, want %v", reread, read, want)
		}
	}
}

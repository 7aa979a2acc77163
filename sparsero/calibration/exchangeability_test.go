package calibration

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestExchangeabilityByAllOrders: on four scores the shares over all 24 orders, counted one by one.
func TestExchangeabilityByAllOrders(t *testing.T) {
	scores := []float64{1, 2, 3, math.Inf(1)}
	ranks := centredRanks(scores)
	drift, dependence := orderStatistics(ranks)
	var drifts, dependences, orders float64
	for a := range 4 {
		for b := range 4 {
			for c := range 4 {
				d := 6 - a - b - c
				if a == b || a == c || b == c || d < 0 || d > 3 || d == a || d == b || d == c {
					continue
				}
				orders++
				x, y := orderStatistics([]int64{ranks[a], ranks[b], ranks[c], ranks[d]})
				if x >= drift {
					drifts++
				}
				if y >= dependence {
					dependences++
				}
			}
		}
	}
	const permutations = 200_000
	_, gotDrift, gotDependence, err := PermutationTest(scores, permutations, 1)
	if err != nil {
		t.Fatal(err)
	}
	checkEquals(t, "drift", int(math.Round(gotDrift*(permutations+1)))-1, permutations, drifts/orders)
	checkEquals(t, "dependence", int(math.Round(gotDependence*(permutations+1)))-1, permutations, dependences/orders)
}

// TestExchangeabilityKeepsItsLevel: with independent scores, ties among them, P is at most p with probability at most p; and drift, a jump and
// dependence are found.
func TestExchangeabilityKeepsItsLevel(t *testing.T) {
	trials, random := repetitions(2_000, 50_000), rand.New(rand.NewPCG(1, 2))
	for _, level := range []float64{0.01, 0.05, 0.2} {
		var all, drift, dependence int
		for trial := range trials {
			scores := make([]float64, 40)
			for k := range scores {
				scores[k] = math.Floor(10 * random.ExpFloat64())
			}
			p, d, s, err := PermutationTest(scores, 99, uint64(trial))
			if err != nil {
				t.Fatal(err)
			}
			count(&all, p <= level)
			count(&drift, d <= level)
			count(&dependence, s <= level)
		}
		checkAtMost(t, "false alarms", all, trials, level)
		checkAtMost(t, "false alarms of drift", drift, trials, level)
		checkAtMost(t, "false alarms of dependence", dependence, trials, level)
	}
	for name, scores := range map[string]func(k int, before float64) float64{
		"drift": func(k int, _ float64) float64 { return random.NormFloat64() + float64(k)/100 },
		"jump":  func(k int, _ float64) float64 { return random.NormFloat64() + float64(k/150) },
		"clustering": func(_ int, before float64) float64 {
			return 0.6*before + random.NormFloat64()
		},
	} {
		list, before := make([]float64, 300), 0.0
		for k := range list {
			before = scores(k, before)
			list[k] = before
		}
		p, drift, dependence, err := PermutationTest(list, 999, 1)
		if err != nil {
			t.Fatal(err)
		}
		if p > 0.01 || name == "clustering" && dependence > 0.002 || name != "clustering" && drift > 0.002 {
			t.Errorf("%s is not found: %g, drift %g, dependence %g", name, p, drift, dependence)
		}
	}
}

func count(n *int, yes bool) {
	if yes {
		*n++
	}
}

func TestExchangeabilityRefuses(t *testing.T) {
	for _, scores := range [][]float64{nil, {1}, {1, math.NaN()}, {1, math.Inf(-1)}} {
		if _, _, _, err := PermutationTest(scores, 99, 1); err == nil {
			t.Errorf("scores %v: no error", scores)
		}
	}
	if _, _, _, err := PermutationTest([]float64{1, 2}, 0, 1); err == nil {
		t.Error("no permutations: no error")
	}
	one, drift, dependence, _ := PermutationTest([]float64{3, 1, 2, 5}, 99, 7)
	if p, d, s, _ := PermutationTest([]float64{3, 1, 2, 5}, 99, 7); one != p || drift != d || dependence != s {
		t.Error("the same seed gives another answer")
	}
}

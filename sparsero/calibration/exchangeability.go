package calibration

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// PermutationTest tests whether scores, in the order of time, may be taken for exchangeable, as every rule but Adaptive and
// WeightedConformal does. Two statistics look at their centred ranks c in this order: max_k |c_1 + ... + c_k|, large where the
// level rises, falls or jumps, and |sum_k c_k c_{k+1}|, large where large scores follow large ones or alternate with small ones. drift
// and dependence are the shares of all orders, the given one and those drawn, in which each is at least as large as in the given
// one, and p = min(1, 2 min(drift, dependence)). If the sample is exchangeable, each of the three numbers is at most x with probability
// at most x, for every x and every number of permutations. A small one says that the promise of a rule does not stand; a large one
// proves nothing. permutations is how many orders are drawn, 999 for instance, from the seed. O(permutations m). It is an error if
// there are not 2 to 2^20 scores, one is NaN or -Inf, or permutations is not in 1 to 2^20.
func PermutationTest(scores []float64, permutations int, seed uint64) (p, drift, dependence float64, err error) {
	if err := checkScores("scores", scores); err != nil {
		return math.NaN(), math.NaN(), math.NaN(), err
	}
	if m := len(scores); m < 2 || m > 1<<20 || permutations < 1 || permutations > 1<<20 {
		return math.NaN(), math.NaN(), math.NaN(), fmt.Errorf("calibration: %d permutations of %d scores; give 1 to 2^20 of 2 to 2^20 scores", permutations, m)
	}
	ranks := centredRanks(scores)
	drifting, dependent := orderStatistics(ranks)
	drifts, dependences := 1, 1 // the given order is one of those that count
	random := rand.New(rand.NewPCG(seed, streamExchangeability))
	for range permutations {
		random.Shuffle(len(ranks), func(i, j int) { ranks[i], ranks[j] = ranks[j], ranks[i] })
		d, s := orderStatistics(ranks)
		if d >= drifting {
			drifts++
		}
		if s >= dependent {
			dependences++
		}
	}
	drift, dependence = float64(drifts)/float64(permutations+1), float64(dependences)/float64(permutations+1)
	return min(1, 2*min(drift, dependence)), drift, dependence, nil
}

// streamExchangeability is the stream of the permutations.
const streamExchangeability uint64 = 0x65786368

// centredRanks returns twice the ranks, those of equal scores averaged, minus m+1: whole numbers that sum to 0, so that no rounding can
// tell equal statistics apart.
func centredRanks(scores []float64) []int64 {
	m := len(scores)
	sorted := slices.Sorted(slices.Values(scores))
	ranks := make([]int64, m)
	for i, score := range scores {
		first, _ := slices.BinarySearch(sorted, score)
		after := first
		for after < m && sorted[after] == score {
			after++
		}
		ranks[i] = int64(first + after - m) // ranks first+1 to after
	}
	return ranks
}

// orderStatistics returns max_k |c_1 + ... + c_k| and |sum_k c_k c_{k+1}|.
func orderStatistics(ranks []int64) (drift, dependence int64) {
	sum, before := int64(0), int64(0)
	for _, c := range ranks {
		sum += c
		drift = max(drift, sum, -sum)
		dependence += before * c
		before = c
	}
	return drift, max(dependence, -dependence)
}

package features

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

const (
	// fractionTolerance is how far above 1 the sum of the fractions may come by rounding.
	fractionTolerance = 1e-9
	// splitStream keeps Split apart from other uses of the same seed.
	splitStream = 0x3c6ef372fe94f82b
)

// paperFractions are the parts of section 5.2 of the paper.
var paperFractions = []float64{0.5, 0.2, 0.15, 0.15}

// Split parts the examples at random into one set per fraction, each class in the same proportion. Without fractions
// they are those of section 5.2 of the paper: 0.5 to fit the classifier, 0.2 to mine directions, 0.15 to select atoms,
// 0.15 to report. Of a class with m examples, part k holds those between round(m·(f_1+...+f_{k-1})) and
// round(m·(f_1+...+f_k)) of a random order, so the parts are disjoint and, when the fractions sum to 1, hold every
// example once; examples beyond a smaller sum are left out. Rows come in random order, drawn from one PCG generator of
// the seed.
//
// It returns an error when a fraction is not in (0, 1], the sum exceeds 1, or a part would hold no example of a class.
func (s *Set) Split(fractions []float64, seed uint64) ([]*Set, error) {
	if len(fractions) == 0 {
		fractions = paperFractions
	}
	bounds, err := cumulative(fractions)
	if err != nil {
		return nil, err
	}
	if err := s.Check(); err != nil {
		return nil, err
	}
	random := rand.New(rand.NewPCG(seed, splitStream))
	counts := s.counts()
	rows := make([][]int, len(fractions))
	var taken [2]int // examples of each class seen so far
	for _, row := range random.Perm(len(s.Y)) {
		class := classOf(s.Y[row])
		part := slices.IndexFunc(bounds, func(bound float64) bool { return taken[class] < int(math.Round(bound*float64(counts[class]))) })
		if part >= 0 {
			rows[part] = append(rows[part], row)
		}
		taken[class]++
	}
	parts := make([]*Set, len(fractions))
	for k := range parts {
		if parts[k], err = s.Subset(rows[k]); err != nil {
			return nil, fmt.Errorf("features: fractions[%d] = %g of %d %s and %d %s leaves a class without an example; use a larger fraction or more examples",
				k, fractions[k], counts[0], s.Classes[0], counts[1], s.Classes[1])
		}
	}
	return parts, nil
}

// cumulative returns f_1, f_1+f_2, ..., at most 1.
func cumulative(fractions []float64) ([]float64, error) {
	bounds, sum := make([]float64, len(fractions)), 0.0
	for k, fraction := range fractions {
		if !(fraction > 0 && fraction <= 1) {
			return nil, fmt.Errorf("features: fractions[%d] = %g; use a value above 0 and at most 1", k, fraction)
		}
		sum += fraction
		bounds[k] = min(sum, 1)
	}
	if sum > 1+fractionTolerance {
		return nil, fmt.Errorf("features: the fractions %g sum to %g; use a sum of at most 1", fractions, sum)
	}
	return bounds, nil
}

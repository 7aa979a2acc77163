package selection

import (
	"fmt"
	"math"
	"slices"
)

// GreedyGuarantee returns 1-(1-1/B)^B, the share of the optimum that greedy
// reaches at least with B atoms. It falls from 1 at B = 1 to 1-1/e. It panics if
// budget < 1.
func GreedyGuarantee(budget int) float64 {
	if budget < 1 {
		panic(fmt.Sprintf("selection: the guarantee needs a budget of at least 1, got %d", budget))
	}
	return 1 - math.Pow(1-1/float64(budget), float64(budget))
}

// TightInstance is an instance on which greedy does no better than its
// guarantee.
type TightInstance struct {
	// Coverage is the objective.
	Coverage *Coverage
	// Budget is B.
	Budget int
	// Optimal is a set of B atoms with the largest coverage.
	Optimal []int
}

// maxTightBinary and maxTightWeighted bound the sizes of the tight families;
// their dimensions are B^(B+1) and B(B+1).
const (
	maxTightBinary   = 4
	maxTightWeighted = 40
)

// TightBinary returns the tight instance with coordinates 0 and 1 for
// 2 <= B <= 4. There are B columns of B^B elements each; atoms B, ..., 2B-1 are
// the columns and cover everything. Atom t-1 covers, for t = 1..B,
//
//	B^(B-t) (B-1)^(t-1)
//
// so far uncovered elements of every column, as much as a column would gain, and
// wins the tie by its lower index. Greedy takes atoms 0, ..., B-1 and reaches
// exactly 1-(1-1/B)^B of the optimum: .75, .7037, .6836. The dimension is
// B^(B+1): 8, 81, 1024. Any other B is an error.
func TightBinary(budget int) (*TightInstance, error) {
	if budget < 2 || budget > maxTightBinary {
		return nil, fmt.Errorf("selection: the binary tight family is built for budgets 2 to %d, got %d; use TightWeighted for larger ones", maxTightBinary, budget)
	}
	sizes := make([]int, budget+1)
	for t := range budget {
		sizes[t] = power(budget, budget-t-1) * power(budget-1, t)
	}
	sizes[budget] = power(budget-1, budget)
	return tightInstance(sizes, slices.Repeat([]float64{1}, len(sizes)))
}

// tightEdge is the weight, relative to its own, that the last level lacks so that every step of
// TightWeighted is decided without a tie. The ratio of greedy exceeds the guarantee by about as much.
const tightEdge = 1e-9

// TightWeighted returns a compact tight instance without ties for
// 2 <= B <= 40, of dimension B(B+1). Coordinates are pairs of a column c < B and
// a level t <= B; the probe directions are the unit vectors times
//
//	w_t = (1/B)(1-1/B)^t for t < B,   w_B = (1-1e-9) (1-1/B)^B.
//
// Atom t < B is 1 on level t of every column; atoms B, ..., 2B-1 are the
// columns and optimal. Greedy takes atoms 0, ..., B-1 and reaches the share
// 1-(1-1/B)^B up to 1e-9. Any other B is an error.
func TightWeighted(budget int) (*TightInstance, error) {
	if budget < 2 || budget > maxTightWeighted {
		return nil, fmt.Errorf("selection: the weighted tight family is built for budgets 2 to %d, got %d", maxTightWeighted, budget)
	}
	weights := make([]float64, budget+1)
	for t := range weights {
		weights[t] = math.Pow(1-1/float64(budget), float64(t)) / float64(budget)
	}
	weights[budget] *= float64(budget) * (1 - tightEdge)
	return tightInstance(slices.Repeat([]int{1}, len(weights)), weights)
}

// tightInstance builds B columns of B+1 levels, each of a number of elements of some weight. Set
// t < B is level t of all columns, sets B, ..., 2B-1 are the columns.
func tightInstance(sizes []int, weights []float64) (*TightInstance, error) {
	budget := len(sizes) - 1
	instance, columns := &MaxCoverage{Sets: make([][]int, 2*budget)}, make([]int, budget)
	for column := range budget {
		columns[column] = budget + column
		for t, size := range sizes {
			for range size {
				if t < budget {
					instance.Sets[t] = append(instance.Sets[t], instance.Elements)
				}
				instance.Sets[budget+column] = append(instance.Sets[budget+column], instance.Elements)
				instance.Weights = append(instance.Weights, weights[t])
				instance.Elements++
			}
		}
	}
	c, err := instance.Coverage()
	if err != nil {
		return nil, err
	}
	return &TightInstance{Coverage: c, Budget: budget, Optimal: columns}, nil
}

// power returns base^exponent for small non-negative integers.
func power(base, exponent int) int {
	result := 1
	for range exponent {
		result *= base
	}
	return result
}

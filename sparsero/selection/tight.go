package selection

import (
	"fmt"
	"math"

	"github.com/sparsero/directions/sparsero"
	"gonum.org/v1/gonum/mat"
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
	height := power(budget, budget)
	instance := &MaxCoverage{Elements: budget * height, Sets: make([][]int, 2*budget)}
	start := 0
	for t := 1; t <= budget; t++ {
		take := power(budget, budget-t) * power(budget-1, t-1)
		for column := range budget {
			for e := start; e < start+take; e++ {
				instance.Sets[t-1] = append(instance.Sets[t-1], column*height+e)
			}
		}
		start += take
	}
	for column := range budget {
		for e := range height {
			instance.Sets[budget+column] = append(instance.Sets[budget+column], column*height+e)
		}
	}
	c, err := instance.Coverage()
	if err != nil {
		return nil, err
	}
	return &TightInstance{Coverage: c, Budget: budget, Optimal: indexRange(budget, 2*budget)}, nil
}

// tightEdge is the advantage that decides every step of TightWeighted without a
// tie. The ratio of greedy exceeds the guarantee by about as much.
const tightEdge = 1e-9

// TightWeighted returns a compact tight instance without ties for
// 2 <= B <= 40, of dimension B(B+1). Coordinates are pairs of a column c < B and
// a level t <= B; the probe directions are the unit vectors times
//
//	w_t = (1/B)(1-1/B)^t for t < B,   w_B = (1-1/B)^B.
//
// Atom t < B is (1+1e-9) on level t of every column; atoms B, ..., 2B-1 are the
// columns and optimal. Greedy takes atoms 0, ..., B-1 and reaches the share
// 1-(1-1/B)^B up to 1e-9. Any other B is an error.
func TightWeighted(budget int) (*TightInstance, error) {
	if budget < 2 || budget > maxTightWeighted {
		return nil, fmt.Errorf("selection: the weighted tight family is built for budgets 2 to %d, got %d", maxTightWeighted, budget)
	}
	levels := budget + 1
	atoms := mat.NewDense(2*budget, budget*levels, nil)
	directions := mat.NewDense(budget*levels, budget*levels, nil)
	for column := range budget {
		for t := range levels {
			coordinate := column*levels + t
			weight := math.Pow(1-1/float64(budget), float64(t))
			if t < budget {
				weight /= float64(budget)
				atoms.Set(t, coordinate, 1+tightEdge)
			}
			atoms.Set(budget+column, coordinate, 1)
			directions.Set(coordinate, coordinate, weight)
		}
	}
	d, err := sparsero.NewDictionary(atoms, nil)
	if err != nil {
		return nil, fmt.Errorf("selection: %w", err)
	}
	c, err := NewCoverage(d, directions, nil)
	if err != nil {
		return nil, err
	}
	return &TightInstance{Coverage: c, Budget: budget, Optimal: indexRange(budget, 2*budget)}, nil
}

// power returns base^exponent for small non-negative integers.
func power(base, exponent int) int {
	result := 1
	for range exponent {
		result *= base
	}
	return result
}

// indexRange returns from, from+1, ..., to-1.
func indexRange(from, to int) []int {
	indices := make([]int, 0, to-from)
	for i := from; i < to; i++ {
		indices = append(indices, i)
	}
	return indices
}

package selection

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/sparsero"
)

// maxReducedElements bounds the ground set of a reduction: the directions form
// an Elements×Elements matrix, 128 MB at this size.
const maxReducedElements = 4096

// MaxCoverage is an instance of the classical Max-Coverage problem: choose at
// most B of the sets A_1, ..., A_N of elements {0, ..., Elements-1} so that the
// total weight of their union is as large as possible. Directional coverage and
// Max-Coverage are the same problem: [MaxCoverage.Coverage] writes the second as
// the first (the reduction behind Theorem 4.2); in the first as the second every
// direction becomes one element for each height that an atom reaches in it.
type MaxCoverage struct {
	// Elements is the size of the ground set, at least 1.
	Elements int
	// Weights are the non-negative weights of the elements; nil means 1 each.
	Weights []float64
	// Sets lists the elements of each set; repetitions are allowed.
	Sets [][]int
}

// validate returns an error that names the first field out of range.
func (m *MaxCoverage) validate() error {
	if m == nil {
		return errors.New("selection: the Max-Coverage instance is nil")
	}
	if m.Elements < 1 {
		return fmt.Errorf("selection: Max-Coverage has %d elements; give at least 1", m.Elements)
	}
	if len(m.Sets) == 0 {
		return errors.New("selection: Max-Coverage has no sets; give at least 1")
	}
	if m.Weights != nil && len(m.Weights) != m.Elements {
		return fmt.Errorf("selection: Max-Coverage has %d weights for %d elements; give one weight per element or nil", len(m.Weights), m.Elements)
	}
	for e, weight := range m.Weights {
		if !(weight >= 0) || math.IsInf(weight, 1) {
			return fmt.Errorf("selection: element %d has weight %v; weights must be finite and at least 0", e, weight)
		}
	}
	for i, set := range m.Sets {
		for _, e := range set {
			if e < 0 || e >= m.Elements {
				return fmt.Errorf("selection: set %d contains element %d, outside [0,%d); use 0-based elements", i, e, m.Elements)
			}
		}
	}
	return nil
}

// Value returns the total weight of the union of the chosen sets. It panics if
// an index is out of range, or the instance is not valid.
func (m *MaxCoverage) Value(sets []int) float64 {
	if err := m.validate(); err != nil {
		panic(err.Error())
	}
	covered := make([]bool, m.Elements)
	for _, i := range sets {
		if i < 0 || i >= len(m.Sets) {
			panic(fmt.Sprintf("selection: set %d is outside [0,%d)", i, len(m.Sets)))
		}
		for _, e := range m.Sets[i] {
			covered[e] = true
		}
	}
	total := 0.0
	for e, is := range covered {
		if is {
			total += m.weight(e)
		}
	}
	return total
}

func (m *MaxCoverage) weight(e int) float64 {
	if m.Weights == nil {
		return 1
	}
	return m.Weights[e]
}

// Coverage writes the instance as directional coverage: atom i is the indicator
// vector of A_i and the probe directions are the unit vectors times the weights,
// so that
//
//	F(S;T) = Value(S) / Elements
//
// for every S. Approximation ratios carry over unchanged, which makes the
// directional problem NP-hard (Theorem 4.2) and a better factor than 1-1/e out
// of reach in polynomial time unless P = NP (Theorem 4.3). It takes Elements²
// numbers and refuses more than 4096 elements.
func (m *MaxCoverage) Coverage() (*Coverage, error) {
	if err := m.validate(); err != nil {
		return nil, err
	}
	if m.Elements > maxReducedElements {
		return nil, fmt.Errorf("selection: the reduction of %d elements needs %.1f GB; it is limited to %d elements, so give fewer or merge those that the same sets contain",
			m.Elements, 8*float64(m.Elements)*float64(m.Elements)/1e9, maxReducedElements)
	}
	atoms := mat.NewDense(len(m.Sets), m.Elements, nil)
	for i, set := range m.Sets {
		for _, e := range set {
			atoms.Set(i, e, 1)
		}
	}
	directions := mat.NewDense(m.Elements, m.Elements, nil)
	for e := range m.Elements {
		directions.Set(e, e, m.weight(e))
	}
	d, err := sparsero.NewDictionary(atoms, nil)
	if err != nil {
		return nil, fmt.Errorf("selection: %w", err)
	}
	return NewCoverage(d, directions, nil)
}

// GreedyGuarantee returns 1-(1-1/B)^B, the share of the optimum that greedy
// reaches at least with B atoms, rounded down. It falls from 1 at B = 1 to 1-1/e. It
// panics if budget < 1.
func GreedyGuarantee(budget int) proof.Lower {
	if budget < 1 {
		panic(fmt.Sprintf("selection: the guarantee needs a budget of at least 1, got %d", budget))
	}
	return guarantee(1, budget)
}

// guaranteeError is above the rounding error of guarantee, four units in the last place below 1.
const guaranteeError = 0x1p-51

// guarantee returns 1-(1-share/B)^B for a share in (0,1], rounded down.
func guarantee(share float64, budget int) proof.Lower {
	b := float64(budget)
	value := -math.Expm1(b * math.Log1p(-share/b))
	if share == 1 && budget == 1 {
		return proof.AtLeast(1)
	}
	return proof.AtLeast(max(0, value-guaranteeError))
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
	sizes, b := make([]int, budget+1), float64(budget)
	for t := range budget {
		sizes[t] = int(math.Pow(b, b-float64(t)-1) * math.Pow(b-1, float64(t))) // so small that they are exact
	}
	sizes[budget] = int(math.Pow(b-1, b))
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

package selection

import (
	"errors"
	"fmt"
	"math"

	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/solver/proof/directed"
	"github.com/sparsero/directions/sparsero"
	"gonum.org/v1/gonum/mat"
)

// maxReducedElements bounds the ground set of a reduction: the directions form
// an Elements×Elements matrix, 128 MB at this size.
const maxReducedElements = 4096

// MaxCoverage is an instance of the classical Max-Coverage problem: choose at most B of the sets A_1, ..., A_N of
// elements {0, ..., Elements-1} so that the total weight of their union is as large as possible. Directional coverage
// and Max-Coverage are the same problem: [MaxCoverage.Coverage] writes the second as the first (the reduction behind
// Theorem 4.2); in the first as the second every direction becomes one element for each height that an atom reaches in
// it.
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

// Coverage writes the instance as directional coverage: atom i is the indicator vector of A_i and the probe directions
// are the unit vectors times the weights, so that
//
//	F(S;T) = Value(S) / Elements
//
// for every S. Approximation ratios carry over unchanged, which makes the directional problem NP-hard (Theorem 4.2) and
// a better factor than 1-1/e out of reach in polynomial time unless P = NP (Theorem 4.3). It takes Elements² numbers
// and refuses more than 4096 elements.
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
	d, _ := sparsero.NewDictionary(atoms, nil) // zeros and ones make one
	return NewCoverage(d, directions, nil)
}

// GreedyGuarantee returns 1-(1-1/B)^B, the share of the optimum that greedy reaches at least with B atoms, rounded
// down. It falls from 1 at B = 1 to 1-1/e. It panics if budget < 1.
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
	if share == 1 && budget <= 2 { // without rounding
		return proof.AtLeast(1 - 0.25*(b-1))
	}
	return proof.AtLeast(max(0, value-guaranteeError))
}

// InexactGuarantee returns the numbers of Theorem E.2 for the errors χ in [0,1)
// and ν_1, ..., ν_B >= 0 of B steps: where step t takes an atom that gains at least (1-χ) times the largest gain, less ν_t,
//
//	F(S) >= factor · F(S*) - loss,
//	factor = 1 - a^B,  loss = sum_t a^(B-t) ν_t,  a = 1 - (1-χ)/B.
//
// With χ = 0 and no additive error it is the guarantee of greedy. The factor is rounded down, the loss up.
func InexactGuarantee(relative float64, absolute []float64) (factor proof.Lower, loss proof.Upper, err error) {
	if len(absolute) == 0 {
		return factor, loss, errors.New("selection: absolute is empty; give the additive error of each of the B steps")
	}
	if !(relative >= 0 && relative < 1) {
		return factor, loss, fmt.Errorf("selection: multiplicative error %v is outside [0,1); 0.1 means gains up to 10%% below the best", relative)
	}
	for t, value := range absolute {
		if !(value >= 0) || math.IsInf(value, 1) {
			return factor, loss, fmt.Errorf("selection: additive error %v (entry %d) is not a finite number >= 0; give the largest loss of a step, in units of F", value, t)
		}
	}
	share := directed.SumLower(1, -relative)
	a := directed.SumUpper(1, directed.QuotientUpper(-share, float64(len(absolute))))
	loss = proof.AtMost(0)
	for _, value := range absolute {
		loss = loss.Times(a).Plus(proof.AtMost(value))
	}
	return guarantee(share, len(absolute)), loss, nil
}

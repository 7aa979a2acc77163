package certificate

import (
	"errors"
	"fmt"

	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/internal/input"
)

// Pointwise is the certificate at one decision x: it compares the full robust
// objective with the restricted one at the single direction s = q(x),
//
//	Φ_N(x) - Φ_S(x) = r Δ_S(q(x)) >= 0.
//
// At a minimiser x_S of Φ_S the same number splits exactly into the value gap
// and the regret of x_S under the full dictionary,
//
//	(min Φ_N - min Φ_S) + (Φ_N(x_S) - min Φ_N) = r Δ_S(q(x_S)),
//
// so Bound is an upper bound on each of the two; at a minimiser of Φ_N it is, but for the rounding, a lower bound on
// the gap. Bound = 0 proves that x_S minimises Φ_N as well; conversely, if the value gap is zero then some minimiser of
// Φ_S has Bound = 0. Source: Proposition 2.3 and Corollary 2.4.
type Pointwise struct {
	// Radius is r >= 0.
	Radius float64
	// Full is M_[N](s), the alignment of the full dictionary, not scaled by the radius.
	Full float64
	// Restricted is M_S(s), the alignment of the chosen atoms, not scaled by the radius.
	Restricted float64
	// Deficit is Δ_S(s) = Full - Restricted >= 0, rounded up: never below the exact value, and 0 where that is 0.
	Deficit proof.Upper
	// Bound is r Δ_S(s), in units of the objective.
	Bound proof.Upper
	// WorstAtom is the lowest index of an atom of the full dictionary that attains Full, or sparsero.NullAtom.
	WorstAtom int
}

// NewPointwise evaluates the certificate of a set at the direction s = q(x), in O(Np) time. It is an error if the set
// is nil or if the direction has another length than the atoms or a value that is not finite.
func NewPointwise(set *sparsero.AtomicSet, direction []float64) (Pointwise, error) {
	if err := checkSet(set); err != nil {
		return Pointwise{}, err
	}
	if err := input.CheckVector("direction", direction, set.Dictionary().Dim()); err != nil {
		return Pointwise{}, fmt.Errorf("certificate: %w", err)
	}
	c := Pointwise{Radius: set.Radius()}
	worst, full, restricted, deficit := set.Compare(set.Dictionary().Alignments(nil, direction), direction)
	c.WorstAtom, c.Full, c.Restricted, c.Deficit = worst, full, restricted, proof.AtMost(deficit)
	c.Bound = c.Deficit.Times(c.Radius)
	return c, nil
}

func checkSet(set *sparsero.AtomicSet) error {
	if set == nil {
		return errors.New("certificate: set is nil; build one with sparsero.NewAtomicSet")
	}
	return nil
}

func checkDictionary(d *sparsero.Dictionary) error {
	if d.Size() == 0 {
		return errors.New("certificate: dictionary is nil or empty; build one with sparsero.NewDictionary")
	}
	return nil
}

package certificate

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/solver/proof/directed"
	"github.com/sparsero/directions/sparsero"
)

// NetBound bounds the value gap by the deficits on an ε-net T of q(X),
//
//	min Φ_N - min Φ_S <= r (max_{t in T} Δ_S(t) + 2ε).
//
// Source: Theorem 3.1. Upper is sharper: it uses the width w <= 2ε of the net
// instead of 2ε, and is capped by the trivial bound as the net sees it,
// max_t M_[N](t) + ε. The trivial bound on X itself, max_x M_[N](q(x)), can be smaller:
// it is the exact uniform certificate of the empty set.
type NetBound struct {
	// Radius is r.
	Radius float64
	// Epsilon is the proven radius ε of the net.
	Epsilon proof.Upper
	// MaxDeficit is max_t Δ_S(t), attained by row WorstDirection of the net; AverageDeficit
	// is F([N];T) - F(S;T).
	MaxDeficit     proof.Upper
	AverageDeficit proof.Upper
	WorstDirection int
	// Printed is max_t Δ_S(t) + 2ε as in the theorem, Trivial is max_t M_[N](t) + ε, which
	// no deficit on q(X) exceeds.
	Printed, Trivial proof.Upper
	// Upper is min(max_t Δ_S(t) + w, Printed, Trivial), proven for every x in X.
	Upper proof.Upper
	// Bound is r Upper, in units of the objective.
	Bound proof.Upper
}

// NewNetBound evaluates the bound in O(N |T| p), rounded up. It is an error if the set or the
// net is nil, or if the net was built for another dictionary.
func NewNetBound(set *sparsero.AtomicSet, net *Net) (NetBound, error) {
	if err := checkNet(set, net); err != nil {
		return NetBound{}, err
	}
	full, deficits, err := measure(set, net.directions)
	if err != nil {
		return NetBound{}, err
	}
	b := NetBound{Radius: set.Radius(), Epsilon: net.radius, AverageDeficit: meanUpper(deficits)}
	b.WorstDirection = floats.MaxIdx(deficits)
	b.MaxDeficit = proof.AtMost(deficits[b.WorstDirection])
	b.Printed = b.MaxDeficit.Plus(b.Epsilon.Times(2))
	b.Trivial = trivial(full, net)
	b.Upper = proof.Least(b.MaxDeficit.Plus(net.width), b.Printed, b.Trivial)
	b.Bound = b.Upper.Times(b.Radius)
	return b, nil
}

// trivial is max_t M_[N](t) + ε, from M_[N](t).
func trivial(full []float64, net *Net) proof.Upper {
	return proof.AtMost(slices.Max(full)).Plus(net.radius)
}

func checkNet(set *sparsero.AtomicSet, net *Net) error {
	if err := checkSet(set); err != nil {
		return err
	}
	if net == nil {
		return errors.New("certificate: net is nil; build one with GridNet, LipschitzNet or Net.Cover")
	}
	if set.Dictionary() != net.dictionary {
		return errors.New("certificate: the net was built for another dictionary, whose pseudometric says nothing about this one; build it from set.Dictionary()")
	}
	return nil
}

// measure returns M_[N](t) and Δ_S(t) for each row of an M×p matrix, rounded up. M_[N] is
// the deficit of the empty set.
func measure(set *sparsero.AtomicSet, directions mat.Matrix) (full, deficits []float64, err error) {
	empty, err := sparsero.NewAtomicSet(set.Dictionary(), nil, 0)
	if err == nil {
		full, err = empty.AlignmentDeficits(directions)
	}
	if err == nil {
		deficits, err = set.AlignmentDeficits(directions)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("certificate: %w", err)
	}
	return full, deficits, nil
}

// meanUpper returns the mean, rounded up.
func meanUpper(values []float64) proof.Upper {
	var sum directed.Sum
	for _, v := range values {
		sum.Add(v)
	}
	return proof.AtMost(quotientUpper(sum.Upper(), float64(len(values))))
}

// quotientUpper returns a float64 that is not below a/b, for a >= 0 and b > 0.
func quotientUpper(a, b float64) float64 {
	quotient := a / b
	if directed.ProductLower(quotient, b) < a {
		return math.Nextafter(quotient, math.Inf(1))
	}
	return quotient
}

// Stopping is the decision of the certified stopping rule for a threshold.
type Stopping struct {
	// Certified tells that the value gap is proven to be at most τ.
	Certified bool
	// Printed tells that the paper's two conditions hold, max_T Δ_S <= τ/2r and
	// ε <= τ/4r; but for rounding they imply Certified, not the other way round.
	Printed bool
	// MaxDeficit and MaxEpsilon are τ/2r and τ/4r.
	MaxDeficit, MaxEpsilon float64
	// MoreAtoms tells that the bound on the deficits on T alone reaches τ/r: no smaller ε helps this T, so atoms must be added, or, where T
	// reaches beyond q(X), a net that keeps closer to it.
	MoreAtoms bool
}

// Stop applies the certified stopping rule with threshold τ > 0: stop adding
// atoms once the bound proves min Φ_N - min Φ_S <= τ. It is an error if τ is not
// a finite positive number.
func (b NetBound) Stop(threshold float64) (Stopping, error) {
	if math.IsNaN(threshold) || math.IsInf(threshold, 0) || threshold <= 0 {
		return Stopping{}, fmt.Errorf("certificate: threshold %v is not a finite number > 0; give the value gap that is acceptable, in units of the objective", threshold)
	}
	s := Stopping{Certified: b.Bound.Float() <= threshold, MoreAtoms: b.MaxDeficit.Float() >= threshold/b.Radius}
	s.MaxDeficit, s.MaxEpsilon = threshold/(2*b.Radius), threshold/(4*b.Radius)
	s.Printed = b.MaxDeficit.Float() <= s.MaxDeficit && b.Epsilon.Float() <= s.MaxEpsilon
	return s, nil
}

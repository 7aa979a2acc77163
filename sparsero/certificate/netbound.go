package certificate

import (
	"errors"
	"fmt"
	"slices"

	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/solver/proof/directed"
	"github.com/sparsero/directions/sparsero"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// NetBound bounds the value gap by the deficits on an ε-net T of q(X),
//
//	min Φ_N - min Φ_S <= r (max_{t in T} Δ_S(t) + 2ε).
//
// Source: Theorem 3.1. Upper is sharper: it uses the width w <= 2ε of the net instead of 2ε, and is capped by the
// trivial bound as the net sees it, max_t M_[N](t) + ε. The trivial bound on X itself, max_x M_[N](q(x)), can be
// smaller: it is the exact uniform certificate of the empty set.
type NetBound struct {
	// Radius is r.
	Radius float64
	// Epsilon is the proven radius ε of the net.
	Epsilon proof.Upper
	// MaxDeficit is max_t Δ_S(t), attained by row WorstDirection of the net; AverageDeficit is F([N];T) - F(S;T).
	MaxDeficit     proof.Upper
	AverageDeficit proof.Upper
	WorstDirection int
	// Printed is max_t Δ_S(t) + 2ε as in the theorem, Trivial is max_t M_[N](t) + ε, which no deficit on q(X) exceeds.
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
	b.Trivial = proof.AtMost(slices.Max(full)).Plus(net.radius)
	b.Upper = proof.Least(b.MaxDeficit.Plus(net.width), b.Printed, b.Trivial)
	b.Bound = b.Upper.Times(b.Radius)
	return b, nil
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

// measure returns M_[N](t) and Δ_S(t) for each row of an M×p matrix, rounded up. M_[N] is the deficit of the empty set.
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
	return proof.AtMost(directed.QuotientUpper(sum.Upper(), float64(len(values))))
}

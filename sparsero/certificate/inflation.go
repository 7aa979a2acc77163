package certificate

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/internal/input"
)

// ErrOutsideCone is wrapped when no inflation of U_S covers the full set.
var ErrOutsideCone = errors.New("certificate: atoms outside the cone of the chosen ones")

// Inflation is the smallest factor by which the chosen set must grow to contain the full one,
//
//	κ(S) = max(1, max_i g_S(d_i)),   g_S(u) = min{ Σa : Σ_{j in S} a_j d_j = u, a >= 0 },
//	U_[N](r) ⊆ U_S(κ r),   κ = sup_q M_[N](q) / M_S(q),
//
// so that, whatever X, q and b are,
//
//	min Φ_S(r) <= min Φ_N(r) <= min Φ_S(κ r).
//
// It is scale-free: it needs neither X nor q. It is +Inf exactly when some atom
// lies outside the cone spanned by the chosen ones.
type Inflation struct {
	// Factor is κ(S) >= 1.
	Factor proof.Upper
	// Atom attains it, or sparsero.NullAtom if the factor is 1 without any atom's help.
	Atom int
	// Solves counts the linear programs.
	Solves int
}

// SolveInflation computes κ(S) with one [sparsero.Gauge] per atom outside S, whose accuracy it has. It stops at the
// first atom outside the cone. It is an error if the set is nil; a cancelled context gives the context's error, because
// a part of the atoms proves nothing.
func SolveInflation(ctx context.Context, set *sparsero.AtomicSet) (Inflation, error) {
	ctx = input.Context(ctx)
	if err := checkSet(set); err != nil {
		return Inflation{}, err
	}
	d := set.Dictionary()
	gauge, err := sparsero.NewGauge(set)
	if err != nil {
		return Inflation{}, fmt.Errorf("certificate: inflation factor: %w", err)
	}
	inflation := Inflation{Factor: proof.AtMost(1), Atom: sparsero.NullAtom}
	chosen := set.Atoms()
	for i := 0; i < d.Size() && !math.IsInf(inflation.Factor.Float(), 1); i++ {
		if slices.Contains(chosen, i) {
			continue
		}
		value, _, err := gauge.Of(ctx, d.RawRowView(i))
		if err != nil {
			return Inflation{}, fmt.Errorf("certificate: inflation factor: stopped at atom %d of %d: %w", i, d.Size(), err)
		}
		inflation.Solves++
		if value > inflation.Factor.Float() {
			inflation.Factor, inflation.Atom = proof.AtMost(value), i
		}
	}
	return inflation, nil
}

// SafeSet returns U_S(κ r), which contains U_[N](r): a robust model with it is safe for the full dictionary. If κ is
// +Inf the error wraps ErrOutsideCone and names an atom to add.
func (f Inflation) SafeSet(set *sparsero.AtomicSet) (*sparsero.AtomicSet, error) {
	if err := checkSet(set); err != nil {
		return nil, err
	}
	if math.IsInf(f.Factor.Float(), 1) {
		return nil, fmt.Errorf("%w: no radius of the %d chosen atoms covers atom %d; add it to the chosen atoms", ErrOutsideCone, set.Size(), f.Atom)
	}
	return set.WithRadius(f.Factor.Times(set.Radius()).Float())
}

package robust

import (
	"context"
	"fmt"

	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/sparsero/certificate"
)

// Enclosure brackets the full model with the chosen atoms alone: U_S(r) ⊆ U_N(r) ⊆
// U_S(κ r) with the inflation factor κ, hence
//
//	min Φ_S(r) <= min Φ_N(r) <= min Φ_S(κ r).
type Enclosure struct {
	// Factor is κ(S), never below it.
	Factor proof.Upper
	// Inner and Outer solve the restricted model at r and at κ r.
	Inner, Outer *Solution
	// Safe is the decision of Outer evaluated at r against the full dictionary. It satisfies every robust constraint of
	// the full model up to the tolerance of the solver, as its FullFeasible tells, and its GapBound is proven.
	Safe *Solution
}

// SolveSafe solves the restricted model at the radius r and at κ r, and returns a decision that is safe for the full
// dictionary without ever solving the full model. If some atom lies outside the cone of the chosen ones, no radius is large
// enough: the error wraps certificate.ErrOutsideCone and names the atom. The other errors are those of Solve; with robust
// constraints the outer model may be infeasible although the full one is not.
func (p *Problem) SolveSafe(ctx context.Context, indices []int, radius float64, o *Options) (*Enclosure, error) {
	set, err := p.restrictedSet(indices, radius)
	if err != nil {
		return nil, err
	}
	inflation, err := certificate.SolveInflation(ctx, set)
	if err != nil {
		return nil, fmt.Errorf("robust: inflation factor: %w", err)
	}
	outer, err := inflation.SafeSet(set)
	if err != nil {
		return nil, fmt.Errorf("robust: %w", err)
	}
	e := &Enclosure{Factor: inflation.Factor}
	if e.Inner, err = p.Solve(ctx, indices, radius, o); err != nil {
		return nil, err
	}
	if e.Outer, err = p.Solve(ctx, indices, outer.Radius(), o); err != nil {
		return nil, fmt.Errorf("robust: outer model, %g times the radius: %w", e.Factor, err)
	}
	inner := *e.Inner
	inner.Result = nil // which belongs to another decision
	e.Safe, err = inner.within(p, e.Outer.X, e.Outer.exposed)
	return e, err
}

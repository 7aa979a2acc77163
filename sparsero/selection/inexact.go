package selection

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/solver/proof/directed"
	"github.com/sparsero/directions/sparsero/internal/input"
)

// InexactGreedy is greedy with an injected error: at step t it takes an atom
// whose true gain is at least
//
//	(1-χ) max_i gain_i - ν_t,
//
// the model of Theorem E.2, which writes ρ and ε_t. [InexactGuarantee] bounds what is lost. The zero
// value is greedy up to the choice among ties.
type InexactGreedy struct {
	// Multiplicative is χ in [0,1). Default 0.
	Multiplicative float64
	// Additive is ν_t >= 0 of every step, in units of F. Default 0.
	Additive float64
	// AdditiveSteps gives ν_t step by step instead; it needs one value per step.
	AdditiveSteps []float64
	// Random takes an admissible atom at random rather than the one with the smallest gain, the highest index among equals, which
	// is the adversary of Theorem E.2. Default false.
	Random bool
	// Seed chooses the atoms of Random.
	Seed uint64
}

// Select implements [Policy]. It costs N oracle calls a step.
func (g InexactGreedy) Select(ctx context.Context, c *Coverage, budget int) (*Selection, error) {
	ctx = input.Context(ctx)
	name := "greedy inexact (worst)"
	if g.Random {
		name = "greedy inexact (random)"
	}
	p, err := newPath(name, c, budget)
	if err != nil {
		return nil, err
	}
	if err := g.check(budget); err != nil {
		return nil, err
	}
	source := rand.New(rand.NewPCG(g.Seed, streamInexact))
	gains := make([]float64, c.Size())
	p.fillBy(ctx, func() (int, error) {
		p.gains(ctx, gains)
		return g.pick(p, gains, source), nil
	})
	return p.finish(ctx)
}

func (g InexactGreedy) check(budget int) error {
	if err := checkShare(g.Multiplicative); err != nil {
		return err
	}
	if g.AdditiveSteps != nil && len(g.AdditiveSteps) != budget {
		return fmt.Errorf("selection: AdditiveSteps has %d values for budget %d; give one per step", len(g.AdditiveSteps), budget)
	}
	return checkErrors(append([]float64{g.Additive}, g.AdditiveSteps...))
}

// pick returns an atom outside S whose gain is admissible.
func (g InexactGreedy) pick(p *path, gains []float64, source *rand.Rand) int {
	most := gains[best(gains, func(i int) bool { return !p.chosen[i] })]
	absolute := g.Additive
	if g.AdditiveSteps != nil {
		absolute = g.AdditiveSteps[p.len()]
	}
	// The best atom is always admissible, whatever rounding does to the limit.
	limit := min(most, float64((1-g.Multiplicative)*most)-absolute)
	var admissible []int
	worst := -1
	for i, gain := range gains {
		if p.chosen[i] || gain < limit {
			continue
		}
		admissible = append(admissible, i)
		if worst < 0 || gain <= gains[worst] {
			worst = i
		}
	}
	if g.Random {
		return admissible[source.IntN(len(admissible))]
	}
	return worst
}

// InexactGuarantee returns the numbers of Theorem E.2 for the errors χ in [0,1)
// and ν_1, ..., ν_B >= 0 of B steps: inexact greedy reaches
//
//	F(S) >= factor · F(S*) - loss,
//	factor = 1 - a^B,  loss = sum_t a^(B-t) ν_t,  a = 1 - (1-χ)/B.
//
// With χ = 0 and no additive error it is the guarantee of greedy. The factor is rounded down, the loss up.
func InexactGuarantee(relative float64, absolute []float64) (factor proof.Lower, loss proof.Upper, err error) {
	if len(absolute) == 0 {
		return factor, loss, fmt.Errorf("selection: absolute is empty; give the additive error of each of the B steps")
	}
	if err := checkShare(relative); err != nil {
		return factor, loss, err
	}
	if err := checkErrors(absolute); err != nil {
		return factor, loss, err
	}
	share := directed.SumLower(1, -relative)
	a := math.Nextafter(1-share/float64(len(absolute)), 2)
	loss = proof.AtMost(0)
	for _, value := range absolute {
		loss = loss.Times(a).Plus(proof.AtMost(value))
	}
	return guarantee(share, len(absolute)), loss, nil
}

func checkShare(relative float64) error {
	if !(relative >= 0 && relative < 1) {
		return fmt.Errorf("selection: multiplicative error %v is outside [0,1); 0.1 means gains up to 10%% below the best", relative)
	}
	return nil
}

func checkErrors(absolute []float64) error {
	for t, value := range absolute {
		if !(value >= 0) || math.IsInf(value, 1) {
			return fmt.Errorf("selection: additive error %v (entry %d) is not a finite number >= 0; give the largest loss of a step, in units of F", value, t)
		}
	}
	return nil
}

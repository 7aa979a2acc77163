package integer

import (
	"context"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// ranking returns all atoms in the order of a max-gamma policy, equal ones by
// the lower index; nothing when the policy needs a nominal optimum and there is none.
func (u *unit) ranking(ctx context.Context, policy Policy) ([]int, error) {
	items := make([]int, len(u.instance.Cost))
	for j := range items {
		items[j] = j
	}
	base := make([]float64, u.loads.rows)
	if policy == MaxGammaNominal {
		nominal, err := u.solve(ctx, nil, 1)
		if nominal == nil || err != nil {
			return nil, err
		}
		items = nominal.Items
		baseUse(u.instance, items, base)
	}
	gamma := u.gamma(policy, items, base)
	floats.Scale(-1, gamma)
	order := make([]int, len(gamma))
	floats.ArgsortStable(gamma, order)
	return order, nil
}

// gamma returns the score of each atom: the sum or the maximum over the rows
// of its load at a decision, on top of the given base of each row.
func (u *unit) gamma(policy Policy, items []int, base []float64) []float64 {
	rows := u.loads.rows
	sum := make([]float64, u.loads.vectors*rows)
	u.loads.of(items, sum)
	gamma := make([]float64, u.loads.vectors)
	for i := range gamma {
		for k, load := range sum[i*rows : (i+1)*rows] {
			if policy == MaxGammaSum {
				gamma[i] += load
			} else {
				gamma[i] = max(gamma[i], base[k]+load)
			}
		}
	}
	return gamma
}

// Kinds of randomness in a study; each use has its own stream.
const (
	streamSets uint64 = iota + 1
	streamDecisions
)

// random returns the generator of one use of randomness at one budget.
func (u *unit) random(kind uint64, budget int) *rand.Rand {
	const kinds, budgets = 1 << 8, 1 << 32
	return rand.New(rand.NewPCG(u.seed, (u.config.Seed*kinds+kind)*budgets+uint64(budget)))
}

// randomSet returns budget of the atoms, drawn uniformly without replacement.
func randomSet(random *rand.Rand, atoms, budget int) []int {
	return random.Perm(atoms)[:budget]
}

// startTries bounds the attempts to draw one random nominally feasible decision.
const startTries = 2000

// startDecisions draws random decisions that satisfy the rows without
// uncertainty, uniformly with replacement; fewer than asked for when such decisions are rare.
func (u *unit) startDecisions(budget int) [][]int {
	if decisions, ok := u.starts[budget]; ok {
		return decisions
	}
	random := u.random(streamDecisions, budget)
	base := make([]float64, u.loads.rows)
	var decisions [][]int
	for range startTries * u.config.StartDecisions {
		items := randomSet(random, len(u.instance.Cost), u.instance.Cardinality)
		slices.Sort(items)
		baseUse(u.instance, items, base)
		if slices.Max(base) > 1+Tolerance {
			continue
		}
		if decisions = append(decisions, items); len(decisions) == u.config.StartDecisions {
			break
		}
	}
	u.starts[budget] = decisions
	return decisions
}

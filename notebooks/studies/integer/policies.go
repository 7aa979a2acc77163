package integer

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"

	"github.com/sparsero/directions/notebooks/studies/internal/tally"
	"github.com/sparsero/directions/sparsero/selection"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// path runs Algorithm 1 at a radius and returns the atoms in the order of choice, at most budget of them. Each step
// solves the robust program for the atoms so far and reveals the directions of its optimum. The run ends when the
// program is infeasible, which no further atom can mend, or when no revealed direction has a deficit, unless the budget
// is to be used up: the optimum is then that of the whole dictionary.
func (u *unit) path(ctx context.Context, policy Policy, start [][]int, radius float64, budget int) (atoms []int, err error) {
	revealed := u.reveal(nil, start...)
	for len(atoms) < budget {
		optimum, err := u.solve(ctx, atoms, radius)
		if err != nil || optimum == nil {
			return atoms, err
		}
		revealed = u.reveal(revealed, optimum.Items)
		coverage, err := selection.NewCoverage(u.instance.Dictionary, mat.NewDense(len(revealed)/len(u.instance.Cost), len(u.instance.Cost), revealed), nil)
		if err != nil {
			return nil, err
		}
		if coverage.WorstDeficit(atoms) == 0 && !u.config.FullBudget {
			break
		}
		var rule selection.Policy = selection.Greedy{Plain: true, Start: atoms}
		if policy == greedyMaxGap {
			rule = selection.MaxGap{ByGain: true, Start: atoms, SkipBounds: true}
		}
		chosen, err := rule.Select(ctx, coverage, len(atoms)+1)
		if err != nil || chosen.Partial {
			return nil, cmp.Or(err, ctx.Err())
		}
		atoms = chosen.Atoms
	}
	return atoms, nil
}

// reveal adds the directions q_1(x), ..., q_m(x) of decisions to those revealed before, one after
// the other, unless they are among them.
func (u *unit) reveal(revealed []float64, decisions ...[]int) []float64 {
	for _, items := range decisions {
		var directions []float64
		for k := range u.instance.Rows() {
			q := make([]float64, len(u.instance.Cost))
			for _, j := range items {
				q[j] = u.instance.Extra.At(k, j)
			}
			directions = append(directions, q...)
		}
		among := func(other []float64) bool { return slices.Equal(other, directions) }
		if before := slices.Chunk(revealed, len(directions)); !slices.ContainsFunc(slices.Collect(before), among) {
			revealed = append(revealed, directions...)
		}
	}
	return revealed
}

// ranking returns all atoms in the order of a max-gamma policy, equal ones by the lower index; nothing when the policy
// needs a nominal optimum and there is none. Gamma is the sum or the maximum over the rows of an atom's load at a
// decision, in the maximum on top of the base of each row.
func (u *unit) ranking(ctx context.Context, policy Policy) ([]int, error) {
	items, rows := tally.UpTo(len(u.instance.Cost)), u.instance.Rows()
	base := make([]float64, rows)
	if policy == maxGammaNominal {
		nominal, err := u.solve(ctx, nil, 1)
		if nominal == nil || err != nil {
			return nil, err
		}
		items, base = nominal.Items, baseUse(u.instance, nominal.Items)
	}
	sum, negative, order := loadsOf(u.instance, u.programs.atoms, items), make([]float64, u.atoms()), make([]int, u.atoms())
	for i := range negative {
		for k, load := range sum[i*rows : (i+1)*rows] {
			if policy == maxGammaSum {
				negative[i] -= load
			} else {
				negative[i] = min(negative[i], -base[k]-load)
			}
		}
	}
	floats.ArgsortStable(negative, order)
	return order, nil
}

// Kinds of randomness in a study; each use has its own stream.
const (
	streamSets uint64 = iota + 1
	streamDecisions
)

// random returns the generator of one use of randomness at one budget.
func (u *unit) random(kind uint64, budget int) *rand.Rand {
	return rand.New(rand.NewPCG(u.seed, kind<<32+uint64(budget)))
}

// startTries bounds the attempts to draw one random nominally feasible decision.
const startTries = 2000

// startDecisions draws random decisions that satisfy the rows without
// uncertainty, uniformly with replacement; fewer than asked for when such decisions are rare.
func (u *unit) startDecisions(budget int) [][]int {
	random := u.random(streamDecisions, budget)
	var decisions [][]int
	for range startTries * u.config.StartDecisions {
		items := random.Perm(len(u.instance.Cost))[:u.instance.Cardinality]
		slices.Sort(items)
		if slices.Max(baseUse(u.instance, items)) > 1+Tolerance {
			continue
		}
		if decisions = append(decisions, items); len(decisions) == u.config.StartDecisions {
			break
		}
	}
	return decisions
}

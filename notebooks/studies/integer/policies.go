package integer

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// greedy is the selection side of Algorithm 1: the revealed directions T with
// the alignments of all atoms, and the atoms chosen so far.
type greedy struct {
	loads   *loads
	atoms   []int
	probes  []probe
	visited map[string]bool // decisions whose directions are in T
}

// probe is one direction s of T.
type probe struct {
	alignment []float64 // <d_i, s> for each atom
	full      float64   // max_{i in [N] or 0} <d_i, s>
	reached   float64   // max_{i in S or 0} <d_i, s>
}

// reveal adds the directions q_1(x), ..., q_m(x) of a decision to the set T.
func (g *greedy) reveal(items []int) {
	name := fmt.Sprint(items)
	if g.visited[name] {
		return
	}
	g.visited[name] = true
	sum := g.loads.of(items)
	for k := range g.loads.rows {
		p := probe{alignment: make([]float64, g.loads.vectors)}
		for i := range p.alignment {
			p.alignment[i] = sum[i*g.loads.rows+k]
			p.full = max(p.full, p.alignment[i])
		}
		for _, i := range g.atoms {
			p.reached = max(p.reached, p.alignment[i])
		}
		g.probes = append(g.probes, p)
	}
}

// covered tells whether no direction of T has a deficit, so that no atom has a gain.
func (g *greedy) covered() bool {
	return !slices.ContainsFunc(g.probes, func(p probe) bool { return p.reached < p.full })
}

// add chooses the atom that the policy adds.
func (g *greedy) add(policy Policy) {
	best, bestGap, bestGain := -1, 0.0, 0.0
	for i := range g.loads.vectors {
		if slices.Contains(g.atoms, i) {
			continue
		}
		gap, gain := g.evaluate(i)
		if policy == GreedyCoverage {
			gap = 0 // only the gain counts
		}
		if best < 0 || gap < bestGap || gap == bestGap && gain > bestGain {
			best, bestGap, bestGain = i, gap, gain
		}
	}
	g.atoms = append(g.atoms, best)
	for k, p := range g.probes {
		g.probes[k].reached = max(p.reached, p.alignment[best])
	}
}

// evaluate returns the worst deficit that remains with atom i, and its total gain.
func (g *greedy) evaluate(i int) (gap, gain float64) {
	for _, p := range g.probes {
		reached := max(p.reached, p.alignment[i])
		gain += reached - p.reached
		gap = max(gap, p.full-reached)
	}
	return gap, gain
}

// path runs Algorithm 1 at a radius and returns the atoms in the order of
// choice, at most budget of them. Each step solves the robust program for the
// atoms so far and reveals the directions of its optimum. The run ends when
// the program is infeasible, which no further atom can mend, or when no
// revealed direction has a deficit, unless the budget is to be used up: the
// optimum is then that of the whole dictionary.
func (u *unit) path(ctx context.Context, policy Policy, start [][]int, radius float64, budget int) ([]int, error) {
	g := &greedy{loads: u.loads, visited: make(map[string]bool)}
	for _, items := range start {
		g.reveal(items)
	}
	for len(g.atoms) < budget {
		optimum, err := u.solve(ctx, g.atoms, radius)
		if err != nil {
			return nil, err
		}
		if optimum == nil {
			break
		}
		g.reveal(optimum.Items)
		if g.covered() && !u.config.FullBudget {
			break
		}
		g.add(policy)
	}
	return g.atoms, nil
}

// ranking returns all atoms in the order of a max-gamma policy, equal ones by
// the lower index; nothing when the policy needs a nominal optimum and there is none.
func (u *unit) ranking(ctx context.Context, policy Policy) ([]int, error) {
	items := upTo(len(u.instance.Cost))
	base := make([]float64, u.loads.rows)
	if policy == MaxGammaNominal {
		nominal, err := u.solve(ctx, nil, 1)
		if nominal == nil || err != nil {
			return nil, err
		}
		items = nominal.Items
		base = baseUse(u.instance, items)
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
	sum := u.loads.of(items)
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
	var decisions [][]int
	for range startTries * u.config.StartDecisions {
		items := randomSet(random, len(u.instance.Cost), u.instance.Cardinality)
		slices.Sort(items)
		if slices.Max(baseUse(u.instance, items)) > 1+Tolerance {
			continue
		}
		if decisions = append(decisions, items); len(decisions) == u.config.StartDecisions {
			break
		}
	}
	u.starts[budget] = decisions
	return decisions
}

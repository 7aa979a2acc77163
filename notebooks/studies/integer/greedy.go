package integer

import (
	"context"
	"slices"
)

// greedy is the selection side of Algorithm 1: the revealed directions T with
// the alignments of all atoms, and the atoms chosen so far.
type greedy struct {
	policy  Policy
	loads   *loads
	chosen  []bool
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

func newGreedy(policy Policy, l *loads) *greedy {
	return &greedy{policy: policy, loads: l, chosen: make([]bool, l.vectors), visited: make(map[string]bool)}
}

// reveal adds the directions q_1(x), ..., q_m(x) of a decision to the set T.
func (g *greedy) reveal(items []int) {
	key := make([]byte, 0, 2*len(items))
	for _, j := range items {
		key = append(key, byte(j), byte(j>>8))
	}
	if g.visited[string(key)] {
		return
	}
	g.visited[string(key)] = true
	sum := make([]float64, g.loads.vectors*g.loads.rows)
	g.loads.of(items, sum)
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

// add chooses an atom.
func (g *greedy) add(atom int) {
	g.chosen[atom] = true
	g.atoms = append(g.atoms, atom)
	for k := range g.probes {
		p := &g.probes[k]
		p.reached = max(p.reached, p.alignment[atom])
	}
}

// next returns the atom that the policy adds.
func (g *greedy) next() int {
	best, bestGap, bestGain := -1, 0.0, 0.0
	for i, taken := range g.chosen {
		if taken {
			continue
		}
		gap, gain := g.evaluate(i)
		if g.policy == GreedyCoverage {
			gap = 0 // only the gain counts
		}
		if best < 0 || gap < bestGap || gap == bestGap && gain > bestGain {
			best, bestGap, bestGain = i, gap, gain
		}
	}
	return best
}

// evaluate returns the worst deficit that remains with atom i, and its total gain.
func (g *greedy) evaluate(i int) (gap, gain float64) {
	for k := range g.probes {
		p := &g.probes[k]
		reached := p.reached
		if v := p.alignment[i]; v > reached {
			gain += v - reached
			reached = v
		}
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
	g := newGreedy(policy, u.loads)
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
		g.add(g.next())
	}
	return g.atoms, nil
}

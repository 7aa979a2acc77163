package selection

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/sparsero/directions/sparsero/internal/enum"
	"github.com/sparsero/directions/sparsero/internal/rank"
	"github.com/sparsero/directions/sparsero/internal/screen"
)

// Strategy is the way greedy finds the atom with the largest marginal gain.
type Strategy int

const (
	// Lazy re-evaluates only the atoms whose old gain could still be the largest
	// (Minoux 1978). Picks and gains are those of Plain.
	Lazy Strategy = iota
	// Plain evaluates every atom at every step: N oracle calls a step.
	Plain
	// Stochastic evaluates a random sample of ceil((N/B) ln(1/ε)) atoms at every
	// step, about N ln(1/ε) oracle calls in all. The expected coverage is at
	// least (1-1/e-ε) of the optimum (Mirzasoleiman et al. 2015).
	Stochastic
)

// String returns the name of the strategy.
func (s Strategy) String() string { return enum.Name(s, "lazy", "plain", "stochastic") }

// DefaultEpsilon is the accuracy of stochastic greedy when none is given.
const DefaultEpsilon = 0.1

// streamStochastic and the other stream constants separate the random numbers
// of different policies that are given the same seed.
const (
	streamStochastic uint64 = 0x73746f6368617374
	streamRandom     uint64 = 0x72616e646f6d2d42
	streamInexact    uint64 = 0x696e65786163742d
)

// Greedy adds at each step the atom with the largest marginal gain of F(·;T),
// the lowest index among equals. For a fixed T its coverage is at least
// 1-(1-1/B)^B > 1-1/e of the optimum at every budget B (Theorem 4.4; Nemhauser,
// Wolsey and Fisher 1978), and no polynomial rule has a better worst case
// unless P = NP. The zero value is lazy greedy from the empty set.
type Greedy struct {
	// Strategy is the way to find the best atom. Default Lazy.
	Strategy Strategy
	// Start lists atoms that are taken first, in this order; greedy continues
	// from there. They count towards the budget. Default none.
	Start []int
	// StopAtFull ends the path when no atom has a positive gain instead of
	// filling the budget with atoms that add nothing: where no atom of a sample gains,
	// the Stochastic strategy looks at all. Default false.
	StopAtFull bool
	// Epsilon is the accuracy of the Stochastic strategy, in (0,1). Default
	// DefaultEpsilon.
	Epsilon float64
	// Seed chooses the samples of the Stochastic strategy.
	Seed uint64
	// SkipBounds leaves Selection.Bounds at F([N];T). Computing them takes several
	// times as long as the choice. Default false.
	SkipBounds bool
	// Progress, if not nil, is called after each atom.
	Progress func(Step)
}

// Name returns "greedy", with the strategy if it is stochastic.
func (g Greedy) Name() string {
	if g.Strategy == Stochastic {
		return "greedy stochastic"
	}
	return "greedy"
}

// Select implements [Policy]. It costs O(NB|T|) at most, usually far less when
// lazy.
func (g Greedy) Select(ctx context.Context, o Objective, budget int) (*Selection, error) {
	p, err := newPath(g.Name(), o, budget)
	if err != nil {
		return nil, err
	}
	if g.Strategy == Stochastic && g.Epsilon != 0 && !(g.Epsilon > 0 && g.Epsilon < 1) {
		return nil, fmt.Errorf("selection: epsilon %v is outside (0,1); use 0 for the default %v", g.Epsilon, DefaultEpsilon)
	}
	if g.Strategy < Lazy || g.Strategy > Stochastic {
		return nil, fmt.Errorf("selection: unknown strategy %v; use Lazy, Plain or Stochastic", g.Strategy)
	}
	p.progress, p.skipBounds = g.Progress, g.SkipBounds
	if err := p.warm(ctx, g.Start); err != nil {
		return nil, err
	}
	next := g.chooser(ctx, p)
	p.fillBy(ctx, func() (int, error) {
		i, gain, err := next()
		if g.StopAtFull && gain == 0 {
			i = nothing
		}
		return i, err
	})
	return p.finish(ctx)
}

// nothing ends a path instead of an atom.
const nothing = -1

// chooser returns the function that finds the next atom and its gain.
func (g Greedy) chooser(ctx context.Context, p *path) func() (int, float64, error) {
	switch g.Strategy {
	case Plain:
		return func() (int, float64, error) {
			i, gain := p.plainBest(ctx)
			return i, gain, nil
		}
	case Stochastic:
		epsilon := g.Epsilon
		if epsilon == 0 {
			epsilon = DefaultEpsilon
		}
		size := int(math.Ceil(float64(len(p.chosen)) / float64(p.budget) * math.Log(1/epsilon)))
		source := rand.New(rand.NewPCG(g.Seed, streamStochastic))
		return func() (int, float64, error) {
			i, gain := sampledBest(p, source, size)
			if g.StopAtFull && gain == 0 { // others may gain still
				i, gain = p.plainBest(ctx)
			}
			return i, gain, nil
		}
	}
	var search *screen.Search
	return func() (int, float64, error) {
		if search == nil {
			search = newSearch(ctx, p.state, len(p.chosen), p.atoms)
		}
		i, gain, err := search.Best(ctx)
		p.calls = search.Calls()
		return i, gain, err
	}
}

// plainBest evaluates all atoms and returns the best one outside S.
func (p *path) plainBest(ctx context.Context) (int, float64) {
	gains := make([]float64, len(p.chosen))
	p.gains(ctx, gains)
	i := best(gains, func(i int) bool { return !p.chosen[i] })
	return i, gains[i]
}

// sampledBest evaluates a random sample of the atoms outside S and returns the
// best of it.
func sampledBest(p *path, source *rand.Rand, size int) (int, float64) {
	rest := slices.DeleteFunc(rank.Indices[int](len(p.chosen)), func(i int) bool { return p.chosen[i] })
	size = min(max(size, 1), len(rest))
	best, bestGain := nothing, math.Inf(-1)
	for k := range size {
		pick := k + source.IntN(len(rest)-k)
		rest[k], rest[pick] = rest[pick], rest[k]
		i := rest[k]
		gain := p.state.Gain(i)
		p.calls++
		if rank.Ahead(gain, i, bestGain, best) {
			best, bestGain = i, gain
		}
	}
	return best, bestGain
}

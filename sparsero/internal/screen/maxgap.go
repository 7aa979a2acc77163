package screen

import (
	"context"
	"math"
	"slices"

	"github.com/sparsero/directions/sparsero/internal/kernel"
	"github.com/sparsero/directions/sparsero/internal/rank"
)

// gapBlock is how many atoms a goroutine looks at in one go when their alignments are held.
const gapBlock = 2048

// sieved is how few atoms are looked at one by one.
const sieved = 8

// gapDirections is how many directions of an atom are computed in float64 at a time.
const gapDirections = 4

// GapSearch finds, step by step, the atom that leaves the smallest worst deficit
//
//	max_s M_[N](s) - max(current(s), <d_i,s>).
//
// An atom is dropped at the first direction that proves it worse than what was found, directions
// in falling order of their deficit; for most atoms that is among the first few.
type GapSearch struct {
	state  *State
	byGain bool
	upper  []float64 // upper bounds of the gains; zeros if they do not decide
	list   []int32   // the atoms outside the set
	seen   int       // atoms of the state that have left it
	order  []int32   // directions in falling order of their deficit
	margin []float64 // deficit of each direction
	calls  int

	positions []int32 // 0, 1, ... in a part
}

// NewGapSearch starts a search among the atoms outside the set of the state, which may grow between the steps. Equal
// deficits are decided by the larger marginal gain if byGain is set, then by the lower index.
func (t *State) NewGapSearch(byGain bool) *GapSearch {
	g := &GapSearch{
		state: t, byGain: byGain, upper: make([]float64, t.screen.n), list: rank.Indices[int32](t.screen.n),
		order: slices.Clone(t.screen.all), margin: make([]float64, t.screen.m),
		positions: rank.Indices[int32](max(gapBlock, t.screen.block)),
	}
	if byGain {
		copy(g.upper, t.screen.empty)
	}
	return g
}

// Calls returns the number of candidates that were looked at so far.
func (g *GapSearch) Calls() int { return g.calls }

// finalist is the best atom of some range and what it was judged by.
type finalist struct {
	atom  int     // noAtom if there is none
	worst float64 // +Inf then
	gain  float64 // zero unless it decides between equal deficits
}

// ahead tells whether f is to be taken before other.
func (f finalist) ahead(other finalist) bool {
	return f.worst < other.worst || f.worst == other.worst && rank.Ahead(f.gain, f.atom, other.gain, other.atom)
}

// Best returns the atom outside the set that leaves the smallest worst deficit in float64. There must be one.
func (g *GapSearch) Best(ctx context.Context) (int, error) {
	s := g.state.screen
	for _, i := range g.state.atoms[g.seen:] {
		if at, found := slices.BinarySearch(g.list, int32(i)); found {
			g.list = slices.Delete(g.list, at, at+1)
		}
	}
	g.seen = len(g.state.atoms)
	for j, full := range s.full {
		g.margin[j] = full - g.state.current[j]
	}
	slices.SortFunc(g.order, func(a, b int32) int { return rank.Compare(g.margin[a], a, g.margin[b], b) })
	best := make([]finalist, s.workers)
	for worker := range best {
		best[worker] = finalist{atom: noAtom, worst: math.Inf(1)}
	}
	err := g.state.parts(ctx, g.list, gapBlock, func(worker int, part []int32, scores []kernel.Half, at []int32) error {
		return g.scan(g.state.block(worker), &best[worker], part, scores, at)
	})
	if err != nil {
		return 0, err
	}
	for _, f := range best[1:] {
		if f.ahead(best[0]) {
			best[0] = f
		}
	}
	g.calls += len(g.list)
	return best[0].atom, nil
}

// scan looks for atoms ahead of best among the listed ones.
func (g *GapSearch) scan(b *block, best *finalist, part []int32, scores []kernel.Half, at []int32) error {
	b.left = append(b.left[:0], g.positions[:len(part)]...)
	if best.atom == noAtom { // what reaches farthest where the deficit is largest is ahead of most others
		k, most := 0, math.Inf(-1)
		for l, i := range part {
			if reach := g.state.screen.upper(scores, at[l], i, g.order[0]); reach > most {
				k, most = l, reach
			}
		}
		if err := g.judge(b, best, int(part[k]), scores, at[k]); err != nil {
			return err
		}
	}
	for _, k := range g.sieve(b, b.left, best.worst, part, scores, at) {
		if i := int(part[k]); i == best.atom || g.hopeless(b, i, g.state.screen.rowAt(scores, int(at[k])), best) {
			continue
		}
		if err := g.judge(b, best, int(part[k]), scores, at[k]); err != nil {
			return err
		}
	}
	return nil
}

// sieve returns the positions of atoms that may leave no more than the given deficit. One direction after the other,
// its alignments with many atoms are fetched side by side.
func (g *GapSearch) sieve(b *block, left []int32, worst float64, part []int32, scores []kernel.Half, at []int32) []int32 {
	s := g.state.screen
	for _, j := range g.order {
		if len(left) <= sieved || !(g.margin[j] > worst) {
			break
		}
		count, least, weight, column := 0, math.Ldexp(g.least(j, worst), s.exponent)-underflow, float64(s.weight[j]), scores[j:]
		if s.levels != nil {
			b.cost.Bytes += int64(len(left))
			left = s.levels.reaching(left, part, j, least)
		}
		b.cost.Bytes += int64(2 * len(left))
		for _, k := range left {
			left[count] = k // most comparisons go either way, so that a branch would cost more
			if float64(column[int(at[k])*s.columns].Float32())+float64(float64(s.tolerance[part[k]])*weight) >= least {
				count++
			}
		}
		left = left[:count]
	}
	return left
}

// judge computes in float64 what decides whether an atom is ahead of best, and then puts it there.
func (g *GapSearch) judge(b *block, best *finalist, i int, scores []kernel.Half, at int32) (err error) {
	f := finalist{atom: i}
	if f.worst, err = g.worst(b, i, best.worst); err == nil && g.byGain && f.worst <= best.worst {
		f.gain, err = g.state.gainOf(b, i, g.state.screen.rowAt(scores, int(at)))
	}
	if err == nil && f.ahead(*best) {
		*best = f
	}
	return err
}

// hopeless tells whether the bounds prove that atom i is not ahead of best.
func (g *GapSearch) hopeless(b *block, i int, row []kernel.Half, best *finalist) bool {
	if g.leaves(b, i, row, best.worst, true) {
		return true
	}
	equal := best.worst == 0 || g.leaves(b, i, row, best.worst, false) // at best
	return equal && g.gainsLess(b, i, row, best)
}

// gainsLess tells whether the bounds prove that atom i, with a deficit equal to that of best, gains less, or as much
// with a larger index. An old bound will do, as gains only shrink while the set grows.
func (g *GapSearch) gainsLess(b *block, i int, row []kernel.Half, best *finalist) bool {
	less := func() bool { return rank.Ahead(best.gain, best.atom, g.upper[i], i) }
	if !less() {
		g.upper[i] = min(g.upper[i], b.bound(i, row, g.state.floor, &row[0]))
	}
	return less()
}

// rounding covers the float64 roundings of a few operations on alignments.
const rounding = 1e-12

// least returns what the alignment with direction j must be, but for rounding, to leave at most the given deficit there.
func (g *GapSearch) least(j int32, worst float64) float64 {
	full := g.state.screen.full[j]
	return full - worst - float64(rounding*(full+worst))
}

// leaves tells whether the bounds prove that the worst deficit after atom i is at
// least the given one, or more than that if more is set.
func (g *GapSearch) leaves(b *block, i int, row []kernel.Half, worst float64, more bool) bool {
	s := g.state.screen
	for _, j := range g.order {
		// Where the deficit is smaller already, the atom cannot fail any more.
		if g.margin[j] < worst || more && g.margin[j] == worst {
			return false
		}
		b.cost.Bytes += 2
		if s.upper(row, 0, int32(i), j) < g.least(j, worst) {
			return true
		}
	}
	return false
}

// worst returns the worst deficit that atom i leaves, or any number above the limit if that is above it.
func (g *GapSearch) worst(b *block, i int, limit float64) (float64, error) {
	s, worst := g.state.screen, 0.0
	for from := 0; from < s.m && worst <= limit && g.margin[g.order[from]] > worst; from += gapDirections {
		b.columns = append(b.columns[:0], g.order[from:min(from+gapDirections, s.m)]...)
		values, err := b.align(i)
		if err != nil {
			return 0, err
		}
		for k, j := range b.columns {
			worst = max(worst, min(g.margin[j], s.full[j]-values[k]))
		}
	}
	return worst, nil
}

package screen

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/sparsero/directions/sparsero/internal/kernel"
	"github.com/sparsero/directions/sparsero/internal/parallel"
)

// gapBlock is how many atoms a goroutine looks at in one go when their alignments are held.
const gapBlock = 2048

// GapSearch finds, step by step, the atom that leaves the smallest worst deficit
//
//	max_s M_N(s) - max(current(s), <d_i,s>).
//
// An atom is dropped at the first direction that proves it no better than what
// was found, directions in falling order of their deficit; for most atoms that is
// among the first few, which are looked at for many atoms together.
type GapSearch struct {
	state  *State
	byGain bool
	taken  []bool
	upper  []float64 // upper bounds of the gains, if they decide
	seen   int       // atoms of the state that are marked as taken
	order  []int32   // directions in falling order of their deficit
	margin []float64 // deficit of each direction
	calls  int
}

// NewGapSearch starts a search among the atoms outside the set of the state, which
// may grow between the steps. Equal deficits are decided by the larger marginal
// gain if byGain is set, then by the lower index.
func (t *State) NewGapSearch(byGain bool) *GapSearch {
	g := &GapSearch{
		state: t, byGain: byGain, taken: make([]bool, t.screen.n),
		order: make([]int32, t.screen.m), margin: make([]float64, t.screen.m),
	}
	for j := range g.order {
		g.order[j] = int32(j)
	}
	if byGain {
		g.upper = slices.Clone(t.screen.empty)
	}
	return g
}

// Calls returns the number of candidates that were looked at so far.
func (g *GapSearch) Calls() int { return g.calls }

// finalist is the best atom of some range and what it was judged by.
type finalist struct {
	atom  int // noAtom if there is none
	worst float64
	gain  float64 // only when deficits are decided by gains
}

// ahead tells whether f is to be taken before other.
func (f finalist) ahead(other finalist) bool {
	if f.atom == noAtom || other.atom == noAtom {
		return f.atom != noAtom
	}
	return cmp.Or(cmp.Compare(f.worst, other.worst), cmp.Compare(other.gain, f.gain), cmp.Compare(f.atom, other.atom)) < 0
}

// Best returns the atom outside the set that leaves the smallest worst deficit in
// float64. There must be one.
func (g *GapSearch) Best(ctx context.Context) (int, error) {
	s := g.state.screen
	for _, i := range g.state.atoms[g.seen:] {
		g.taken[i] = true
	}
	g.seen = len(g.state.atoms)
	g.sortDirections()
	best := make([]finalist, s.workers)
	for worker := range best {
		best[worker] = finalist{atom: noAtom, worst: math.Inf(1)}
	}
	err := parallel.Blocks(ctx, s.workers, s.n, s.blockOf(gapBlock), func(worker, from, to int) error {
		return g.scan(g.state.block(worker), &best[worker], from, to)
	})
	if err != nil {
		return 0, err
	}
	for _, f := range best[1:] {
		if f.ahead(best[0]) {
			best[0] = f
		}
	}
	g.calls += s.n - len(g.state.atoms)
	return best[0].atom, nil
}

// sortDirections puts the directions in falling order of their present deficit.
func (g *GapSearch) sortDirections() {
	for j, full := range g.state.screen.full {
		g.margin[j] = full - g.state.current[j]
	}
	slices.SortFunc(g.order, g.compare)
}

// compare orders directions: larger deficit first, then lower index.
func (g *GapSearch) compare(a, b int32) int {
	return cmp.Or(cmp.Compare(g.margin[b], g.margin[a]), cmp.Compare(a, b))
}

// scan looks for atoms ahead of best in a range.
func (g *GapSearch) scan(b *block, best *finalist, from, to int) error {
	rows, err := b.rowsBetween(from, to)
	if err != nil {
		return err
	}
	for i := from; i < to; i++ {
		row := g.state.screen.rowAt(rows, i-from)
		if g.taken[i] || g.hopeless(i, row, best) {
			continue
		}
		if err := g.judge(b, best, i, row); err != nil {
			return err
		}
	}
	return nil
}

// hopeless tells whether the bounds prove that atom i is not ahead of best.
func (g *GapSearch) hopeless(i int, row []kernel.Half, best *finalist) bool {
	switch {
	case best.atom == noAtom:
		return false
	case !g.byGain && i > best.atom: // an equal deficit is not enough
		return best.worst == 0 || g.leaves(i, row, best.worst, false)
	case g.leaves(i, row, best.worst, true):
		return true
	case !g.byGain:
		return false
	}
	return g.leaves(i, row, best.worst, false) && g.gainsLess(i, row, best)
}

// gainsLess tells whether the bounds prove that atom i, with a deficit equal to that
// of best, gains less, or as much with a larger index. An old bound will do, as gains
// only shrink while the set grows.
func (g *GapSearch) gainsLess(i int, row []kernel.Half, best *finalist) bool {
	less := func() bool { return g.upper[i] < best.gain || g.upper[i] == best.gain && i > best.atom }
	if !less() {
		g.upper[i] = min(g.upper[i], g.state.screen.bound(i, row, g.state.floor, &row[0]))
	}
	return less()
}

// rowsBetween returns the alignments of consecutive atoms, at most a block of them
// when streaming.
func (b *block) rowsBetween(from, to int) ([]kernel.Half, error) {
	s := b.screen
	if !s.Streams() {
		return s.scores[from*s.columns : to*s.columns], nil
	}
	if err := b.read(0, from, to); err != nil {
		return nil, err
	}
	b.multiply(b.halves, to-from)
	return b.halves, nil
}

// rounding covers the float64 roundings of a few operations on alignments.
const rounding = 1e-12

// leaves tells whether the bounds prove that the worst deficit after atom i is at
// least the given one, or more than that if more is set.
func (g *GapSearch) leaves(i int, row []kernel.Half, worst float64, more bool) bool {
	s := g.state.screen
	for _, j := range g.order {
		// Where the deficit is smaller already, the atom cannot fail any more.
		if g.margin[j] < worst || more && g.margin[j] == worst {
			return false
		}
		// It fails where its alignment is lower than what the deficit asks for.
		needed := s.full[j] - worst
		bound := (float64(row[j].Float32()) + float64(s.tolerance[i])*float64(s.weight[j]) + underflow) * s.unit
		if bound < needed-rounding*(s.full[j]+worst) {
			return true
		}
	}
	return false
}

// judge computes in float64 what decides whether atom i is ahead of best.
func (g *GapSearch) judge(b *block, best *finalist, i int, row []kernel.Half) error {
	f := finalist{atom: i}
	var err error
	if f.worst, err = g.worst(b, i, row); err != nil {
		return err
	}
	if f.worst > best.worst {
		return nil
	}
	if g.byGain {
		if f.worst == best.worst && g.gainsLess(i, row, best) {
			return nil
		}
		if f.gain, err = g.state.gainOf(b, i, row); err != nil {
			return err
		}
	}
	if f.ahead(*best) {
		*best = f
	}
	return nil
}

// worst returns the worst deficit that atom i leaves.
func (g *GapSearch) worst(b *block, i int, row []kernel.Half) (float64, error) {
	columns, values, err := b.exceeding(i, row, g.state.floor)
	if err != nil {
		return 0, err
	}
	worst := 0.0
	for j, left := range g.margin {
		if len(columns) > 0 && int(columns[0]) == j { // elsewhere the atom adds nothing
			left = min(left, g.state.screen.full[j]-values[0])
			columns, values = columns[1:], values[1:]
		}
		worst = max(worst, left)
	}
	return worst, nil
}

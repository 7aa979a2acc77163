package screen

import (
	"context"
	"slices"

	"github.com/sparsero/directions/sparsero/internal/rank"
)

const (
	// leaderCount is how many atoms are evaluated first in a step, to learn how large the best gain is before the
	// others are asked; few where the levels tell already which may be the best.
	leaderCount, fewLeaderCount = 32, 4
	// chosenBound marks atoms that are not candidates; gains are never negative.
	chosenBound = -1
	// noAtom is the champion before the first one.
	noAtom = -1
)

// Search finds the atom with the largest gain step by step (Minoux 1978): an old bound rules out most atoms without a
// look at them. Of atoms with equal gains it takes the lowest index.
type Search struct {
	state   *State
	covered *covered  // nil if there are no levels
	all     []int32   // 0, ..., N-1
	upper   []float64 // upper bound of the gain of each atom
	stamp   []int32   // when the bound was found, see now
	seen    int       // atoms of the state that are known not to be candidates
	calls   int
	list    []int32 // see reaching
}

// NewSearch starts a search among the atoms outside the set of the state, which may grow between the steps.
func (t *State) NewSearch() *Search {
	n := t.screen.n
	return &Search{
		state: t, covered: t.screen.newCovered(), all: rank.Indices[int32](n), upper: slices.Clone(t.screen.empty), stamp: make([]int32, n), calls: n,
	}
}

// Calls returns the number of gains that were bounded so far, the first bound of each atom included.
func (q *Search) Calls() int { return q.calls }

// now returns the stamp of bounds found at the present set. That of float64 gains is one more.
func (q *Search) now() int32 { return 2 * int32(len(q.state.Atoms())) }

// Best returns the atom outside the set with the largest float64 gain, the lowest
// index among equals, and the gain. There must be one.
func (q *Search) Best(ctx context.Context) (best int, gain float64, err error) {
	top, err := q.first(ctx, 1)
	if err != nil {
		return 0, 0, err
	}
	return int(top[0]), q.upper[top[0]], nil
}

// Largest returns the count atoms outside the set that gain most, and their float64 gains,
// in falling order, the lowest index first among equals; fewer if there are fewer atoms.
func (q *Search) Largest(ctx context.Context, count int) (atoms []int32, gains []float64, err error) {
	atoms, err = q.first(ctx, count)
	gains = make([]float64, len(atoms))
	for k, i := range atoms {
		gains[k] = q.upper[i]
	}
	return atoms, gains, err
}

// first returns the count atoms outside the set with the largest float64 gains, which it settles, in the order of the
// tie rule. Only atoms whose bound reaches the gains of the leaders are bounded anew, and few of them are settled.
func (q *Search) first(ctx context.Context, count int) ([]int32, error) {
	q.catchUp()
	most := leaderCount
	if q.covered != nil {
		most = fewLeaderCount
		if err := q.covered.lower(ctx, q.upper, q.state.current); err != nil {
			return nil, err
		}
	}
	leaders := q.leaders(q.all, max(count, most))
	if err := q.refresh(ctx, leaders); err != nil || len(leaders) == 0 {
		return nil, err
	}
	slices.SortFunc(leaders, q.compare)
	leaders = leaders[:min(count, len(leaders))]
	if err := q.settle(ctx, leaders); err != nil {
		return nil, err
	}
	rivals := q.reaching(slices.MaxFunc(leaders, q.compare)) // no other atom can be ahead of a leader
	if err := q.refresh(ctx, rivals); err != nil {
		return nil, err
	}
	for more := 0; ; more = 2*more + 1 {
		top := q.leaders(rivals, count+more)
		open := slices.DeleteFunc(slices.Clone(top), q.known)
		top = top[:min(count, len(top))]
		if !slices.ContainsFunc(top, func(i int32) bool { return !q.known(i) }) {
			return top, nil
		}
		if err := q.settle(ctx, open); err != nil {
			return nil, err
		}
	}
}

// known tells whether the bound of an atom is its float64 gain.
func (q *Search) known(i int32) bool { return q.stamp[i] == q.now()+1 || q.upper[i] == 0 }

// catchUp takes the atoms that were added to the set out of the search.
func (q *Search) catchUp() {
	for _, i := range q.state.Atoms()[q.seen:] {
		if i >= 0 {
			q.upper[i] = chosenBound
		}
	}
	q.seen = len(q.state.Atoms())
}

// compare orders atoms by their bounds.
func (q *Search) compare(i, j int32) int { return rank.Compare(q.upper[i], i, q.upper[j], j) }

// leaders returns the given number of those atoms that have the largest bounds, or all there are, in the order of the
// tie rule.
func (q *Search) leaders(among []int32, count int) []int32 {
	var top []int32
	last, least := int32(noAtom), float64(chosenBound) // the last of a full list; before that, only chosen atoms are behind
	cut := func() {
		slices.SortFunc(top, q.compare)
		if len(top) >= count {
			top = top[:count]
			last, least = top[count-1], q.upper[top[count-1]]
		}
	}
	for _, i := range among {
		if rank.Ahead(least, last, q.upper[i], i) {
			continue
		}
		if top = append(top, i); len(top) == 2*count {
			cut()
		}
	}
	cut()
	return top
}

// reaching returns the atoms whose bound may put them ahead of the given one, and that one, in increasing order.
func (q *Search) reaching(best int32) []int32 {
	list, gain := q.list[:0], q.upper[best]
	for i, bound := range q.upper {
		if !rank.Ahead(gain, best, bound, int32(i)) {
			list = append(list, int32(i))
		}
	}
	q.list = list
	return list
}

// refresh bounds the present gains of the listed atoms where it was not done.
func (q *Search) refresh(ctx context.Context, list []int32) error {
	stale := q.stale(list, q.now())
	q.calls += len(stale)
	return q.state.Bound(ctx, q.upper, stale)
}

// settle replaces the bounds of the listed atoms by their gains where it was not done.
func (q *Search) settle(ctx context.Context, list []int32) error {
	return q.state.Settle(ctx, q.upper, q.stale(list, q.now()+1))
}

// stale returns the listed atoms whose bounds are older than a stamp, which they get.
func (q *Search) stale(list []int32, stamp int32) []int32 {
	old := make([]int32, 0, len(list))
	for _, i := range list {
		if q.stamp[i] < stamp {
			q.stamp[i] = stamp
			old = append(old, i)
		}
	}
	return old
}

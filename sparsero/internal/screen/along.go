package screen

import (
	"context"
	"slices"

	"github.com/sparsero/directions/sparsero/internal/kernel"
)

// supportsAtOnce is at how many supports all atoms are bounded together: their bounds take an eighth of the memory of m
// alignments, and where that is too little, or none are held, are those of a few.
func supportsAtOnce(m int, stream bool) int {
	const least, share = 8, 8
	if stream {
		return least
	}
	return max(least, 2*m/(share*4))
}

// Along stands at supports that only rise and calls visit for each, the highest first as far as memory has room. One
// look at the alignments bounds the gains at as many supports as there is room for.
func (l *Lagrangian) Along(ctx context.Context, supports [][]float64, visit func(t int) error) error {
	s := l.state.screen
	if s.levels != nil {
		return l.byLevels(ctx, supports, visit)
	}
	return l.along(ctx, supports, min(len(supports), supportsAtOnce(s.m, s.Streams())), visit)
}

// along is Along with room for the bounds at so many supports.
func (l *Lagrangian) along(ctx context.Context, supports [][]float64, room int, visit func(t int) error) error {
	s := l.state.screen
	floors, excess := make([][]float32, room), make([][]float32, room)
	for t := range room {
		floors[t], excess[t] = s.newSupport().floor, make([]float32, s.n)
	}
	for from := 0; from < len(supports); from += room {
		group := supports[from:min(from+room, len(supports))]
		for t, u := range group {
			s.setFloor(floors[t], u)
		}
		err := l.state.each(ctx, l.all, parallelRows, func(worker, i int, row []kernel.Half, next *kernel.Half) error {
			b := l.state.block(worker)
			b.readRow()
			for t := range group {
				excess[t][i] = b.excess(i, row, floors[t], next)
			}
			return nil
		})
		if err != nil {
			return err
		}
		l.calls += s.n
		bound := func(t, i int) float64 { return float64(excess[t][i]) * s.gainFactor }
		if err := l.standAt(group, bound, true, func(t int) error { return visit(from + t) }); err != nil {
			return err
		}
	}
	return nil
}

// standAt stands at supports at which the bounds of all gains are known, and calls visit for each, the last first.
// Fresh tells whether these are as good as the alignments tell.
func (l *Lagrangian) standAt(supports [][]float64, bound func(t, i int) float64, fresh bool, visit func(t int) error) error {
	for t := len(supports) - 1; t >= 0; t-- {
		l.stand(supports[t])
		for i := range l.upper {
			if l.upper[i] = bound(t, i); fresh {
				l.stamp[i] = -l.now
			}
		}
		l.looked, l.fresh = true, fresh
		if err := visit(t); err != nil {
			return err
		}
	}
	return nil
}

// byLevels is Along with the bounds of the levels. The supports only rise.
func (l *Lagrangian) byLevels(ctx context.Context, supports [][]float64, visit func(t int) error) error {
	s, v := l.state.screen, l.state.screen.levels
	lists, floors, steps := make([][]int32, len(supports)), make([][]uint8, len(supports)+1), make([][]uint32, len(supports))
	floors[0] = make([]uint8, s.columns)
	for t, u := range supports {
		lists[t], floors[t+1] = v.rises(floors[t], u)
		steps[t] = make([]uint32, v.atoms())
	}
	err := v.cover(ctx, s.all, func(k int, tiles []uint8) {
		from, to := k*kernel.TileAtoms, k*kernel.TileAtoms+len(tiles)/s.columns
		for t, list := range lists {
			if t > 0 {
				copy(steps[t][from:to], steps[t-1][from:to])
			}
			s.kernel.Cover(steps[t][from:to], tiles, list, floors[t], floors[t+1])
		}
	})
	if err != nil {
		return err
	}
	return l.standAt(supports, func(t, i int) float64 { return v.bound(i, steps[t][i]) }, false, visit)
}

// Covers returns multipliers that only rise along the path of the listed atoms: 0, and for some of its prefixes, the
// whole one included, the largest of 0 and their alignments, less a share of what this exceeds the second largest by.
// Each prefix is longer than the one before by a factor, or by one atom. M numbers each, in O(M) a cover and a look at the
// row of each atom, besides its alignments that may rise. It has the errors of reading atoms.
func (s *Screen) Covers(atoms []int, share, factor float64) ([][]float64, error) {
	b, first, second, next := s.newBlock(), s.newSupport(), s.newSupport(), 1.0
	floor, covers := second.floor, [][]float64{make([]float64, s.m)}
	if share == 0 {
		floor = first.floor
	}
	for k, i := range atoms {
		columns, values, err := b.beyond(i, floor)
		if err != nil {
			return nil, err
		}
		lesser := slices.Clone(values)
		for l, j := range columns {
			lesser[l] = min(lesser[l], first.current[j])
		}
		first.raise(s, columns, values)
		second.raise(s, columns, lesser)
		if count := float64(k + 1); count >= next || k == len(atoms)-1 {
			cover := slices.Clone(covers[len(covers)-1])
			for j, largest := range first.current {
				cover[j] = max(cover[j], largest-float64(share*(largest-second.current[j])))
			}
			covers, next = append(covers, cover), count*factor
		}
	}
	return covers, nil
}

package screen

import (
	"context"
	"math"
	"slices"

	"github.com/sparsero/directions/sparsero/internal/kernel"
	"github.com/sparsero/directions/sparsero/internal/rank"
)

// alongBlock is how many atoms a goroutine takes at a time when their alignments are held.
const alongBlock = 4 * kernel.Lanes

// supportsAtOnce is at how many supports all atoms are bounded together: their bounds take an eighth of the memory of m
// alignments, and where that is too little, or none are held, are those of a few.
func supportsAtOnce(m int, stream bool) int {
	const least, share = 8, 8
	if stream {
		return least
	}
	return max(least, 2*m/(share*4))
}

// Along stands at supports that only rise and calls visit for each, the highest first as far as memory has room. Few
// directions rise from one to the next, so that the bounds of all gains follow from those before by what these
// directions take off: one look at the alignments serves as many supports as there is room for.
func (l *Lagrangian) Along(ctx context.Context, supports [][]float64, visit func(t int) error) error {
	s := l.state.screen
	return l.along(ctx, supports, min(len(supports), supportsAtOnce(s.m, s.Streams())), visit)
}

// along is Along with room for the bounds at so many supports.
func (l *Lagrangian) along(ctx context.Context, supports [][]float64, room int, visit func(t int) error) error {
	s := l.state.screen
	a := &ascent{state: l.state, excess: make([]float64, s.n), floor: s.newSupport().floor}
	for i, bound := range s.empty {
		a.excess[i] = bound / s.gainFactor
	}
	for range room {
		a.bounds = append(a.bounds, make([]float32, s.n))
	}
	for from := 0; from < len(supports); from += room {
		group := supports[from:min(from+room, len(supports))]
		if err := a.rise(ctx, group); err != nil {
			return err
		}
		l.calls += s.n
		for t := len(group) - 1; t >= 0; t-- {
			l.stand(group[t])
			for i, bound := range a.bounds[t] {
				l.upper[i] = float64(bound) * s.gainFactor
			}
			l.fresh = true
			if err := visit(from + t); err != nil {
				return err
			}
		}
	}
	return nil
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

// ascent bounds the gains of all atoms at supports that rise.
type ascent struct {
	state  *State
	floor  []float32   // of the last support
	excess []float64   // bound of what each atom exceeds it by, added up over the directions
	bounds [][]float32 // the same, rounded up, at each support of a group
	steps  []ascentStep
}

// ascentStep are the directions that rise to a support, and the share of the sum over them that is taken off in spite
// of its rounding.
type ascentStep struct {
	rises []kernel.Rise
	share float64
}

// rise finds the bounds at a group of supports.
func (a *ascent) rise(ctx context.Context, group [][]float64) error {
	s := a.state.screen
	a.steps = a.steps[:0]
	for _, u := range group {
		var step ascentStep
		for j, value := range u {
			if floor := downward(math.Ldexp(value, s.exponent)); floor > a.floor[j] {
				step.rises = append(step.rises, kernel.Rise{Column: int32(j), Weight: s.weight[j], From: a.floor[j], To: floor})
				a.floor[j] = floor
			}
		}
		// One rounding in each term, and one for each addition; the factor of gains is made for the sum over all directions.
		step.share = (1 - float64(len(step.rises)+2)*0x1p-24) * math.Ldexp(1/float64(s.m), -s.exponent) / s.gainFactor
		a.steps = append(a.steps, step)
	}
	return a.state.parts(ctx, rank.Indices[int32](s.n), alongBlock, func(worker int, part []int32, scores []kernel.Half, at []int32) error {
		b := a.state.block(worker)
		for from := 0; from < len(part); from += kernel.Lanes {
			to := min(from+kernel.Lanes, len(part))
			a.descend(b, int(part[from]), to-from, scores, at[from:to])
		}
		return nil
	})
}

// descend bounds the gains of count consecutive atoms from first on at a group of supports; at tells the rows of their alignments.
func (a *ascent) descend(b *block, first, count int, scores []kernel.Half, at []int32) {
	s := b.screen
	if b.lanes == nil {
		b.lanes = kernel.NewColumns(s.columns)
	}
	rows := make([][]kernel.Half, count)
	var tolerance, fall [kernel.Lanes]float32
	for k := range rows {
		rows[k], tolerance[k] = s.rowAt(scores, int(at[k])), s.tolerance[first+k]
		b.readRow()
	}
	b.cost.Bounds += int64(count)
	b.lanes.Fill(s.kernel, rows)
	excess := a.excess[first : first+count]
	for t, step := range a.steps {
		s.kernel.Sweep(&fall, b.lanes, &tolerance, step.rises)
		bounds := a.bounds[t][first : first+count]
		for k, less := range fall[:count] {
			excess[k] = max(0, excess[k]-float64(step.share*float64(less)))
			bounds[k] = float32(excess[k]) * (1 + 0x1p-22)
		}
	}
}

package screen

import (
	"context"
	"math"
	"slices"
)

// swapBlock is how many atoms are compared with a set before those that can no longer win are left out.
const swapBlock = 64

// SwapSearch finds the exchange of one atom of a set for one outside that gains most (Teitz and Bart 1968). The alignments of
// the best and the second-best atom of the set in each direction tell what any atom of the set is worth, so that an atom
// outside is compared with all of them in one look at its alignments (Schubert and Rousseeuw 2021).
type SwapSearch struct {
	screen        *Screen
	lagrangian    *Lagrangian // at the second-best alignments, above which alone an atom outside counts
	atoms         []int
	rows          [][]float64 // alignments of the atoms
	first, second []float64   // the largest two in each direction, at least 0
	owner         []int       // the position of the atom with the largest, noAtom if none is positive
}

// Exchange is a change of a set: the atom In for the one at position Out, which adds Gain to the coverage.
type Exchange struct {
	In, Out int
	Gain    float64
}

// NewSwapSearch starts at a set of atoms.
func (s *Screen) NewSwapSearch(atoms []int) (*SwapSearch, error) {
	q := &SwapSearch{
		screen: s, lagrangian: s.NewLagrangian(), atoms: slices.Clone(atoms), rows: make([][]float64, len(atoms)),
		first: make([]float64, s.m), second: make([]float64, s.m), owner: make([]int, s.m),
	}
	for k, i := range atoms {
		var err error
		if q.rows[k], err = s.Row(make([]float64, s.m), i); err != nil {
			return nil, err
		}
	}
	q.rank()
	return q, nil
}

// Atoms returns the set, which must not be changed.
func (q *SwapSearch) Atoms() []int { return q.atoms }

// Calls returns the number of gains that were bounded or computed so far.
func (q *SwapSearch) Calls() int { return q.lagrangian.Calls() }

// rank finds the two largest alignments in each direction.
func (q *SwapSearch) rank() {
	for j := range q.first {
		q.first[j], q.second[j], q.owner[j] = 0, 0, noAtom
		for k, row := range q.rows {
			if value := row[j]; value > q.first[j] {
				q.first[j], q.second[j], q.owner[j] = value, q.first[j], k
			} else if value > q.second[j] {
				q.second[j] = value
			}
		}
	}
}

// losses returns what the set loses without each of its atoms, times M.
func (q *SwapSearch) losses() []float64 {
	losses := make([]float64, len(q.atoms))
	for j, k := range q.owner {
		if k != noAtom {
			losses[k] += q.first[j] - q.second[j]
		}
	}
	return losses
}

// Best returns the exchange that gains most, the lowest index in and the lowest position out among equals; its gain is 0 if
// none gains.
func (q *SwapSearch) Best(ctx context.Context) (Exchange, error) {
	losses, best := q.losses(), Exchange{In: noAtom}
	least := slices.Min(losses) / float64(q.screen.m)
	q.lagrangian.Move(q.second)
	err := q.lagrangian.each(ctx, func() float64 { return least + best.Gain }, func(i int32) {
		found := q.exchange(int(i), losses) // an atom of the set gains exactly 0, or less
		if found.Gain > best.Gain || found.Gain == best.Gain && best.In != noAtom && found.In < best.In {
			best = found
		}
	})
	return best, err
}

// exchange returns the best position for an atom outside the set.
func (q *SwapSearch) exchange(i int, losses []float64) Exchange {
	gain, kept := 0.0, make([]float64, len(q.atoms)) // kept is what i saves of the loss of each atom
	row := q.lagrangian.rows[int32(i)]
	for at, j := range row.columns {
		value := row.values[at]
		if value > q.first[j] {
			gain += value - q.first[j]
			value = q.first[j]
		}
		if k := q.owner[j]; k != noAtom && value > q.second[j] {
			kept[k] += value - q.second[j]
		}
	}
	best := Exchange{In: i, Gain: math.Inf(-1)}
	for k, loss := range losses {
		if more := (gain + kept[k] - loss) / float64(q.screen.m); more > best.Gain {
			best.Out, best.Gain = k, more
		}
	}
	return best
}

// Make carries out an exchange.
func (q *SwapSearch) Make(e Exchange) error {
	row, err := q.screen.Row(make([]float64, q.screen.m), e.In)
	if err != nil {
		return err
	}
	q.atoms[e.Out], q.rows[e.Out] = e.In, row
	q.rank()
	return nil
}

// each visits the atoms whose gain at the multipliers exceeds what is asked for, the largest bounds first. What is asked for may
// rise on the way.
func (l *Lagrangian) each(ctx context.Context, least func() float64, visit func(i int32)) error {
	list := l.exceeding(slices.Clone(l.all), least)
	if err := l.state.Bound(ctx, l.upper, list); err != nil {
		return err
	}
	l.calls += len(list)
	list = l.exceeding(list, least)
	l.sort(Budget{}, list)
	for len(list) > 0 {
		block := list[:min(swapBlock, len(list))]
		if err := l.settle(ctx, block); err != nil {
			return err
		}
		for _, i := range block {
			visit(i)
		}
		list = l.exceeding(list[len(block):], least)
	}
	return nil
}

// exceeding returns those of the listed atoms whose bounds exceed what is asked for.
func (l *Lagrangian) exceeding(list []int32, least func() float64) []int32 {
	return slices.DeleteFunc(list, func(i int32) bool { return l.upper[i]*(1+l.margin()) <= least() })
}

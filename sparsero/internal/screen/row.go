package screen

import (
	"context"
	"maps"
	"slices"

	"github.com/sparsero/directions/sparsero/internal/kernel"
)

// rowMemory is how many bytes of float64 alignments a [Lagrangian] keeps; beyond that it forgets those that are not
// settled at the multipliers.
const rowMemory = 256 << 20

// alignedRow holds the alignments of an atom as they are stored, and in float64 those that were needed.
type alignedRow struct {
	halves  []kernel.Half
	columns []int32 // of the float64 alignments, in increasing order
	values  []float64
}

// missing takes the directions out of a list in increasing order whose float64 alignments are there.
func (r *alignedRow) missing(columns []int32) []int32 {
	k := 0
	return slices.DeleteFunc(columns, func(j int32) bool {
		for k < len(r.columns) && r.columns[k] < j {
			k++
		}
		return k < len(r.columns) && r.columns[k] == j
	})
}

// insert adds float64 alignments with directions in increasing order that were missing.
func (r *alignedRow) insert(columns []int32, values []float64) {
	old := len(r.columns) - 1
	r.columns, r.values = append(r.columns, columns...), append(r.values, values...)
	for k := len(columns) - 1; k >= 0; { // the largest first
		to := old + k + 1
		if old >= 0 && r.columns[old] > columns[k] {
			r.columns[to], r.values[to] = r.columns[old], r.values[old]
			old--
		} else {
			r.columns[to], r.values[to] = columns[k], values[k]
			k--
		}
	}
}

// keep makes rows for the listed atoms that have none.
func (l *Lagrangian) keep(ctx context.Context, list []int32) error {
	s := l.state.screen
	if len(l.rows)+len(list) > l.room {
		maps.DeleteFunc(l.rows, func(i int32, _ *alignedRow) bool { return l.stamp[i] != l.now })
	}
	fresh := slices.DeleteFunc(slices.Clone(list), func(i int32) bool { return l.rows[i] != nil })
	slices.Sort(fresh)
	for _, i := range fresh {
		row := &alignedRow{}
		if s.Streams() {
			row.halves = make([]kernel.Half, s.columns)
		} else {
			row.halves = s.rowAt(s.scores, int(i))
		}
		l.rows[i] = row
	}
	if !s.Streams() {
		return nil
	}
	return l.state.each(ctx, fresh, 1, func(worker, i int, row []kernel.Half, _ *kernel.Half) error {
		l.state.block(worker).readRow()
		copy(l.rows[int32(i)].halves, row)
		return nil
	})
}

// evaluate sets the bound of an atom with a row to its gain; the alignments that may exceed the multipliers are
// computed where it was not done before.
func (l *Lagrangian) evaluate(b *block, i int32) error {
	row := l.rows[i]
	b.mayExceed(int(i), row.halves, l.state.floor)
	b.columns = row.missing(b.columns)
	values, err := b.align(int(i))
	if err != nil {
		return err
	}
	row.insert(b.columns, values)
	l.upper[i] = l.state.excess(row.columns, row.values) / float64(len(l.state.current))
	return nil
}

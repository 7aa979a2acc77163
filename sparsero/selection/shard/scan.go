package shard

import (
	"context"
	"runtime"
	"slices"

	"github.com/sparsero/directions/sparsero/internal/kernel"
	"github.com/sparsero/directions/sparsero/internal/parallel"
	"github.com/sparsero/directions/sparsero/internal/rank"
	"github.com/sparsero/directions/sparsero/internal/screen"
)

// rowBytes is how much of a block is read at a time.
const rowBytes = 1 << 20

// scan reads all atoms once for what the screen does not tell: the largest alignments, and the
// gains along a path whose directions grow, as those of Algorithm 1 do. It costs O(NM(p + steps)).
func (w *worker) scan(ctx context.Context) error {
	states := w.task.states()
	growing := w.growing(states)
	if !growing {
		states = nil
	}
	if w.task.Worst == 0 && !growing {
		return nil
	}
	workers := w.resources.Workers
	if workers < 1 {
		workers = runtime.GOMAXPROCS(0)
	}
	p, supports := w.atoms.Dim(), w.supports(states)
	rows := max(1, rowBytes/(8*p))
	found := make([]*scanner, workers)
	err := parallel.Blocks(ctx, workers, w.atoms.Size(), rows, func(worker, from, to int) error {
		if found[worker] == nil {
			found[worker] = w.newScanner(rows, states, supports)
		}
		return found[worker].run(from, to)
	})
	if err != nil {
		return err
	}
	all := w.newScanner(0, states, supports)
	for _, part := range found {
		if part != nil {
			all.join(part)
		}
	}
	for t, step := range states {
		w.answer.States = append(w.answer.States, step.challengers(all.gains[t]))
	}
	if w.task.Worst > 0 {
		w.answer.Worst = all.worst
		w.compareKnown()
	}
	return nil
}

// compareKnown marks the atoms that beat the known supports.
func (w *worker) compareKnown() {
	for s, list := range w.answer.Worst {
		for k := range list {
			list[k].Beats = w.task.Known == nil || list[k].Value > w.task.Known[s]
		}
	}
}

// supports returns, for each state, the supports of the path so far in the directions that count.
func (w *worker) supports(states []Step) [][]float64 {
	current, supports := make([]float64, w.m), make([][]float64, len(states))
	for t, step := range states {
		supports[t] = slices.Clone(current[:step.Directions])
		if step.Atom.Index != NoAtom {
			w.task.raise(current, step.Atom.Values)
		}
	}
	return supports
}

// scanner is one goroutine of a scan, and what it finds.
type scanner struct {
	*worker
	states   []Step
	supports [][]float64
	picks    map[int]int // the step that picks an atom
	all      []int32
	buffer   []float64
	values   []float64
	gains    [][]Entry // at each state
	worst    [][]Entry // for each direction
}

func (w *worker) newScanner(rows int, states []Step, supports [][]float64) *scanner {
	picks := make(map[int]int)
	for t, step := range slices.Backward(states) {
		picks[step.Atom.Index] = t
	}
	return &scanner{
		worker: w, states: states, supports: supports, picks: picks, all: firstDirections(w.m),
		buffer: make([]float64, rows*w.atoms.Dim()), values: make([]float64, w.m),
		gains: make([][]Entry, len(states)), worst: make([][]Entry, w.m),
	}
}

func (q *scanner) run(from, to int) error {
	atoms, err := q.atoms.Rows(q.buffer, from, to)
	if err != nil {
		return err
	}
	p := q.atoms.Dim()
	for i := from; i < to; i++ {
		kernel.Best().Alignments(q.values, atoms[(i-from)*p:][:p], q.task.Directions, q.all)
		for s := 0; s < q.m && q.task.Worst > 0; s++ {
			if q.values[s] > 0 {
				q.worst[s] = insert(q.worst[s], Entry{Atom: q.from + i, Value: q.values[s]}, q.task.Worst)
			}
		}
		for t, step := range q.states[:q.until(q.from+i)] {
			gain := screen.Gain(q.values[:step.Directions], q.supports[t], q.all[:step.Directions])
			q.gains[t] = insert(q.gains[t], Entry{Atom: q.from + i, Value: gain}, q.answer.Limit.Largest)
		}
	}
	return nil
}

// until returns how many states an atom is compared at: those before it is picked, and that one.
func (q *scanner) until(index int) int {
	if t, picked := q.picks[index]; picked {
		return t + 1
	}
	return len(q.states)
}

// join takes in what another goroutine found.
func (q *scanner) join(other *scanner) {
	for t := range q.gains {
		q.gains[t] = top(q.gains[t], other.gains[t], q.answer.Limit.Largest)
	}
	for s := range q.worst {
		q.worst[s] = top(q.worst[s], other.worst[s], q.task.Worst)
	}
}

// insert puts an entry of a higher index than all of a list into its place, if it is among the
// first ones.
func insert(list []Entry, entry Entry, limit int) []Entry {
	if len(list) == limit && entry.Value <= list[limit-1].Value {
		return list
	}
	return rank.Insert(list, entry, limit, compare)
}

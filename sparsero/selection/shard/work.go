package shard

import (
	"context"
	"fmt"
	"slices"

	"github.com/sparsero/directions/sparsero/input"
	"github.com/sparsero/directions/sparsero/internal/rank"
	"github.com/sparsero/directions/sparsero/internal/screen"
	"github.com/sparsero/directions/sparsero/selection"
)

// Resources are what a block may use. The zero value works.
type Resources struct {
	// Workers is the number of goroutines, which no answer depends on. Default 0, GOMAXPROCS.
	Workers int
	// Memory is how many bytes may hold alignments, which no answer depends on; beyond it
	// they are computed again whenever they are needed. Default 0, 100 MB.
	Memory int64
}

// usualMemory holds the alignments of a block of 150,000 atoms with 250 directions.
const usualMemory = 100_000_000

// Work answers a task for a block of a dictionary, whose first atom has the index from.
// The answer is a pure function of the atoms, of from and of the task: the same to the last
// bit on every machine. It is an error if the task does not fit the atoms, if they cannot be
// read or are not finite, or if the context ends.
func Work(ctx context.Context, atoms selection.Source, from int, task *Task, r *Resources) (*Answer, error) {
	if input.Missing(atoms) || atoms.Size() < 1 || from < 0 {
		return nil, fmt.Errorf("shard: the atoms are missing or begin at %d; give a block and the index of its first atom", from)
	}
	if err := task.check(atoms.Dim()); err != nil {
		return nil, err
	}
	hash, err := task.hash()
	if err != nil {
		return nil, err
	}
	w := &worker{
		atoms: atoms, from: from, task: task, m: len(task.Directions) / task.Dim,
		answer: &Answer{Task: hash, Limit: Limit{max(1, task.Largest), task.Worst}, Ranges: []Range{{from, from + atoms.Size()}}},
	}
	if r != nil {
		w.resources = *r
	}
	for _, part := range []func(context.Context) error{w.support, w.propose, w.verify, w.worst, w.challenge} {
		if err := part(ctx); err != nil {
			return nil, fmt.Errorf("shard: atoms %d to %d: %w", from, from+atoms.Size()-1, err)
		}
	}
	return w.answer, nil
}

// worker is a block at work.
type worker struct {
	atoms     selection.Source
	from, m   int
	task      *Task
	resources Resources
	all       *screen.Screen // of all directions
	answer    *Answer
}

func (w *worker) support(ctx context.Context) (err error) {
	options := screen.Options{Workers: w.resources.Workers}
	limit := w.resources.Memory
	if limit == 0 {
		limit = usualMemory
	}
	options.Stream = screen.Memory(w.atoms.Size(), w.m, w.atoms.Dim(), options) > limit
	if w.all, err = screen.New(ctx, w.atoms, w.task.Directions, options); err != nil {
		return err
	}
	w.answer.Full = w.all.Full()
	spread := w.all.Spread()
	w.answer.Sizes, w.answer.Bits = spread.Largest, spread.Last
	return nil
}

// propose runs greedy on the block.
func (w *worker) propose(ctx context.Context) error {
	state := w.all.NewState()
	search := state.NewSearch()
	var chosen []int
	for len(chosen) < min(w.task.Propose, w.atoms.Size()) {
		best, gain, err := search.Best(ctx)
		if err != nil {
			return err
		}
		if gain == 0 {
			break
		}
		if state.Add(best); state.Err() != nil {
			return state.Err()
		}
		chosen = append(chosen, best)
	}
	var err error
	w.answer.Proposed, err = w.fetch(chosen)
	return err
}

// verify replays the path and finds the largest gains at every state. Where the directions that count
// change, gains are of another function, and the path is replayed from its beginning.
func (w *worker) verify(ctx context.Context) error {
	var state *screen.State
	var search *screen.Search
	states, directions := w.task.states(), 0
	for t, step := range states {
		if step.Directions != directions {
			directions = step.Directions
			state = w.all.First(directions).NewState()
			search = state.NewSearch()
			for _, earlier := range states[:t] {
				w.replay(state, earlier.Atom)
			}
		}
		if err := w.compare(ctx, search, step); err != nil {
			return err
		}
		if step.Atom.Index != NoAtom {
			w.replay(state, step.Atom)
		}
	}
	return nil
}

// replay puts a pick, of this block or another, into the set.
func (w *worker) replay(state *screen.State, atom Atom) {
	index := NoAtom
	if atom.Index >= w.from && atom.Index < w.from+w.atoms.Size() {
		index = atom.Index - w.from
	}
	state.AddElsewhere(index, atom.Values)
}

// compare adds the largest gains at one state to the answer, and whether greedy prefers their atoms to
// the pick; NoAtom is ahead of its equals.
func (w *worker) compare(ctx context.Context, search *screen.Search, step Step) error {
	atoms, gains, err := search.Largest(ctx, w.answer.Limit.Largest)
	if err != nil {
		return err
	}
	var list []Entry
	for k, i := range atoms {
		atom := w.from + int(i)
		list = append(list, Entry{atom, gains[k], rank.Ahead(gains[k], atom, step.Gain, step.Atom.Index)})
	}
	w.answer.States = append(w.answer.States, challengers(list))
	return nil
}

// worst adds the largest alignments to the answer.
func (w *worker) worst(ctx context.Context) error {
	if w.task.Worst == 0 {
		return nil
	}
	lists, err := w.all.Top(ctx, w.task.Worst)
	for s, list := range lists {
		var entries []Entry
		for _, a := range list {
			entries = append(entries, Entry{w.from + a.Atom, a.Value, w.task.Known == nil || a.Value > w.task.Known[s]})
		}
		w.answer.Worst = append(w.answer.Worst, entries)
	}
	return err
}

// challenge sends the atoms that beat what the centre has.
func (w *worker) challenge(context.Context) (err error) {
	beaters := w.answer.beaters()
	for k := range beaters {
		beaters[k] -= w.from
	}
	w.answer.Challengers, err = w.fetch(beaters)
	return err
}

// fetch returns atoms of the block, in the order of their indices.
func (w *worker) fetch(indices []int) ([]Atom, error) {
	var fetched []Atom
	for _, i := range slices.Sorted(slices.Values(indices)) {
		values, err := w.atoms.Rows(make([]float64, w.atoms.Dim()), i, i+1)
		if err != nil {
			return nil, err
		}
		fetched = append(fetched, Atom{w.from + i, slices.Clone(values)})
	}
	return fetched, nil
}

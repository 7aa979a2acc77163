package shard

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/sparsero/directions/sparsero/input"
	"github.com/sparsero/directions/sparsero/internal/kernel"
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
		answer: &Answer{Task: hash, Limit: Limit{task.Largest, task.Worst}, Ranges: []Range{{from, from + atoms.Size()}}},
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

// screen returns the alignments with the first m directions.
func (w *worker) screen(ctx context.Context, m int) (*screen.Screen, error) {
	if w.all != nil && m == w.m {
		return w.all, nil
	}
	n, p := w.atoms.Size(), w.atoms.Dim()
	options := screen.Options{Workers: w.resources.Workers}
	limit := w.resources.Memory
	if limit == 0 {
		limit = usualMemory
	}
	options.Stream = screen.Memory(n, m, p, options) > limit
	return screen.New(ctx, w.atoms, w.task.Directions[:m*p], options)
}

func (w *worker) support(ctx context.Context) (err error) {
	if w.all, err = w.screen(ctx, w.m); err != nil {
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
		if _, err := state.Add(best); err != nil {
			return err
		}
		chosen = append(chosen, best)
	}
	var err error
	w.answer.Proposed, err = w.fetch(chosen)
	return err
}

// verify replays the path and finds the largest gains at every state.
func (w *worker) verify(ctx context.Context) error {
	var state *screen.State
	var search *screen.Search
	counted := 0
	for t := range len(w.task.Path) + 1 {
		step := Step{Atom: Atom{Index: NoAtom}, Gain: math.Inf(1), Directions: counted} // after the last pick nothing is compared
		if t < len(w.task.Path) {
			step = w.task.Path[t]
		} else if t == 0 || w.task.Path[t-1].Atom.Index == NoAtom {
			break
		}
		if step.Directions == 0 {
			step.Directions = w.m
		}
		if step.Directions != counted {
			s, err := w.screen(ctx, step.Directions)
			if err != nil {
				return err
			}
			state, counted = s.NewState(), step.Directions
			search = state.NewSearch()
			for _, before := range w.task.Path[:t] {
				w.replay(state, before.Atom)
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

func (w *worker) replay(state *screen.State, atom Atom) {
	index := NoAtom
	if w.owns(atom.Index) {
		index = atom.Index - w.from
	}
	state.AddElsewhere(index, atom.Values)
}

func (w *worker) owns(index int) bool {
	return index >= w.from && index < w.from+w.atoms.Size()
}

// compare adds the gains at one state to the answer.
func (w *worker) compare(ctx context.Context, search *screen.Search, step Step) error {
	atoms, gains, err := search.Largest(ctx, max(1, w.task.Largest))
	if err != nil {
		return err
	}
	here := Gains{Best: Entry{Atom: NoAtom}}
	for k, i := range atoms {
		entry := Entry{Atom: w.from + int(i), Value: gains[k]}
		entry.Beats = step.beatenBy(entry)
		if k == 0 {
			here.Best = entry
		}
		if k < w.task.Largest && entry.Value > 0 {
			here.Largest = append(here.Largest, entry)
		}
	}
	here.challenge()
	w.answer.States = append(w.answer.States, here)
	return nil
}

// beatenBy tells whether greedy prefers another atom to the pick.
func (s Step) beatenBy(best Entry) bool {
	if s.Atom.Index == NoAtom {
		return best.Atom != NoAtom && best.Value > s.Gain
	}
	return best.ahead(Entry{Atom: s.Atom.Index, Value: s.Gain})
}

// worst finds the largest alignments with every direction.
func (w *worker) worst(ctx context.Context) error {
	if w.task.Worst == 0 {
		return nil
	}
	n, p, k := w.atoms.Size(), w.atoms.Dim(), kernel.Best()
	lists, columns := make([][]Entry, w.m), make([]int32, w.m)
	for s := range columns {
		columns[s] = int32(s)
	}
	rows := max(1, rowBytes/(8*p))
	buffer, alignments := make([]float64, rows*p), make([]float64, w.m)
	for from := 0; from < n && ctx.Err() == nil; from += rows {
		to := min(from+rows, n)
		atoms, err := w.atoms.Rows(buffer, from, to)
		if err != nil {
			return err
		}
		for i := from; i < to; i++ {
			k.Alignments(alignments, atoms[(i-from)*p:][:p], w.task.Directions, columns)
			for s, value := range alignments {
				lists[s] = insert(lists[s], Entry{Atom: w.from + i, Value: value}, w.task.Worst)
			}
		}
	}
	for s, list := range lists {
		for k := range list {
			list[k].Beats = w.task.Known == nil || list[k].Value > w.task.Known[s]
		}
	}
	w.answer.Worst = lists
	return ctx.Err()
}

// rowBytes is how much of a block is read at a time.
const rowBytes = 1 << 20

// insert puts an entry of a higher index than all of a list into its place, if it is positive
// and among the first ones.
func insert(list []Entry, entry Entry, limit int) []Entry {
	if entry.Value <= 0 || len(list) == limit && entry.Value <= list[limit-1].Value {
		return list
	}
	at, _ := slices.BinarySearchFunc(list, entry, compare)
	list = slices.Insert(list, at, entry)
	return list[:min(limit, len(list))]
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

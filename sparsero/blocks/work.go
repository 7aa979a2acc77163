package blocks

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"

	"github.com/sparsero/directions/sparsero/internal/input"
	"github.com/sparsero/directions/sparsero/internal/kernel"
	"github.com/sparsero/directions/sparsero/internal/parallel"
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

// Work answers a task for a block of a dictionary, whose first atom has the index from. The answer is a pure function
// of the atoms, of from and of the task: the same to the last bit on every machine. It is an error if the task does not
// fit the atoms, if they cannot be read or are not finite, or if the context ends.
func Work(ctx context.Context, atoms selection.Source, from int, task *Task, r *Resources) (*Answer, error) {
	if input.Missing(atoms) || atoms.Size() < 1 || from < 0 {
		return nil, fmt.Errorf("blocks: the atoms are missing or begin at %d; give a block and the index of its first atom", from)
	}
	if err := task.check(atoms.Dim()); err != nil {
		return nil, err
	}
	hash, err := task.hash()
	if err != nil {
		return nil, err
	}
	w := &worker{
		atoms: atoms, from: from, task: task, m: task.count(),
		answer: &Answer{Task: hash, Limit: Limit{max(1, task.Largest), task.Worst}, Ranges: []Range{{from, from + atoms.Size()}}},
	}
	if r != nil {
		w.resources = *r
	}
	parts := []func(context.Context) error{w.support, w.propose, w.verify, w.challenge}
	if task.Worst > 0 {
		parts = []func(context.Context) error{w.worst, w.challenge}
	}
	for _, part := range parts {
		if err := part(ctx); err != nil {
			return nil, fmt.Errorf("blocks: atoms %d to %d: %w", from, from+atoms.Size()-1, err)
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

// verify replays the path and finds the largest gains at every state.
func (w *worker) verify(ctx context.Context) error {
	state := w.all.NewState()
	search := state.NewSearch()
	for _, step := range w.task.states() {
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

// worstRows is how many atoms one goroutine reads at a time to find the worst.
const worstRows = 1024

// worst adds the largest alignments and the sizes to the answer.
func (w *worker) worst(ctx context.Context) error {
	workers := cmp.Or(w.resources.Workers, runtime.GOMAXPROCS(0))
	found := make([]worstAtoms, workers)
	for k := range found {
		found[k] = worstAtoms{lists: make([][]Entry, w.m), sizes: make([]float64, w.task.Dim)}
	}
	err := parallel.Blocks(ctx, workers, w.atoms.Size(), worstRows, func(worker, first, last int) error {
		return found[worker].look(w, first, last)
	})
	w.answer.Worst, w.answer.Sizes = found[0].lists, found[0].sizes
	for _, other := range found[1:] {
		w.answer.Sizes = largest(w.answer.Sizes, other.sizes)
		for s, list := range other.lists {
			w.answer.Worst[s] = top(w.answer.Worst[s], list, w.task.Worst)
		}
	}
	return err
}

// worstAtoms is what one goroutine finds.
type worstAtoms struct {
	lists      [][]Entry // for each direction
	sizes      []float64
	rows       []float64
	alignments []float64
}

// look takes in the atoms first..last-1 of a block.
func (f *worstAtoms) look(w *worker, first, last int) (err error) {
	p := w.task.Dim
	if f.rows == nil {
		f.rows, f.alignments = make([]float64, worstRows*p), make([]float64, worstRows)
	}
	rows, err := w.atoms.Rows(f.rows[:(last-first)*p], first, last)
	if err != nil {
		return err
	}
	for i := range last - first {
		row := rows[i*p : (i+1)*p]
		if err := input.CheckVector(fmt.Sprintf("atom %d", w.from+first+i), row, p); err != nil {
			return err
		}
		for j, v := range row {
			f.sizes[j] = max(f.sizes[j], math.Abs(v))
		}
	}
	all, alignments := rank.Indices[int32](last-first), f.alignments[:last-first]
	for s := range f.lists {
		kernel.Best().Alignments(alignments, w.task.Directions[s*p:(s+1)*p], rows, all)
		for i, value := range alignments {
			f.note(s, Entry{w.from + first + i, value, true}, w.task.Worst)
		}
	}
	return nil
}

// note takes an atom into the list of a direction if it belongs to the first of so many.
func (f *worstAtoms) note(s int, entry Entry, limit int) {
	if list := f.lists[s]; len(list) < limit || compare(entry, list[limit-1]) < 0 {
		f.lists[s] = rank.Insert(list, entry, limit, compare)
	}
}

// challenge sends the atoms that beat a pick, or are the worst.
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

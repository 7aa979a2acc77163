package blocks

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/sparsero/directions/sparsero/internal/input"
	"github.com/sparsero/directions/sparsero/internal/rank"
	"github.com/sparsero/directions/sparsero/internal/screen"
)

// Answer is what blocks know.
type Answer struct {
	// Task is the hash of the task.
	Task string `json:"task"`
	// Limit is how long its lists may be.
	Limit Limit `json:"limit"`
	// Ranges are the atoms that the answer speaks for, increasing and apart.
	Ranges []Range `json:"ranges"`
	// Full is max(0, max_i <d_i,s>) for each direction.
	Full []float64 `json:"full"`
	// Proposed are the atoms of the greedy paths of the blocks, in the order of their indices.
	Proposed []Atom `json:"proposed,omitempty"`
	// States are, before each step of the path and, unless the last step picks nothing, at its
	// end, the atoms outside the path so far with the largest gains, falling, of lower index
	// first among equals; without a gain, the first alone.
	States [][]Entry `json:"states,omitempty"`
	// Worst are, for each direction, the atoms with the largest alignments, falling, of lower index first among equals.
	Worst [][]Entry `json:"worst,omitempty"`
	// Sizes are the largest magnitudes of each coordinate, and Bits the exponents of the last bit, nil once sums of
	// products with directions are known to be rounded: what is needed to know how much float64 may have lost.
	Sizes []float64 `json:"sizes"`
	Bits  []int     `json:"bits,omitempty"`
	// Challengers are the atoms that beat the path, and those of Worst, in the order of their indices.
	Challengers []Atom `json:"challengers,omitempty"`
}

// Entry is a number that belongs to an atom.
type Entry struct {
	Atom  int     `json:"atom"` // in the whole dictionary
	Value float64 `json:"value"`
	Beats bool    `json:"beats,omitempty"` // a pick, or is among the worst, and travels as a challenger
}

// Limit is how long the lists of an answer may be: Largest, at least 1, and Worst of its task.
type Limit struct {
	Largest int `json:"largest"`
	Worst   int `json:"worst"`
}

// Range is a range of atoms, From..To-1.
type Range struct {
	From int `json:"from"`
	To   int `json:"to"`
}

// Merge joins two answers to one task. It is associative, commutative and idempotent: an answer that comes twice, or
// overlaps another, changes nothing. It does not change its arguments. Nil counts as an answer that knows nothing. It
// is an error if the answers are to different tasks, or give one atom two values.
func Merge(a, b *Answer) (*Answer, error) {
	if a == nil || b == nil {
		return cmp.Or(a, b), nil
	}
	if a.Task != b.Task {
		return nil, errors.New("blocks: the answers are to different tasks; ask all blocks the same one")
	}
	if len(a.Full) != len(b.Full) || len(a.States) != len(b.States) || len(a.Worst) != len(b.Worst) || len(a.Sizes) != len(b.Sizes) {
		return nil, errors.New("blocks: the answers have different lengths; use answers as Work returns them")
	}
	merged := &Answer{
		Task: a.Task, Limit: a.Limit,
		Ranges: joinRanges(a.Ranges, b.Ranges),
		Full:   largest(a.Full, b.Full),
	}
	spread := screen.Spread{Largest: slices.Clone(a.Sizes), Last: slices.Clone(a.Bits)}
	spread.Join(&screen.Spread{Largest: b.Sizes, Last: b.Bits})
	merged.Sizes, merged.Bits = spread.Largest, spread.Last
	for t := range a.States {
		merged.States = append(merged.States, challengers(top(a.States[t], b.States[t], a.Limit.Largest)))
	}
	for s := range a.Worst {
		merged.Worst = append(merged.Worst, top(a.Worst[s], b.Worst[s], a.Limit.Worst))
	}
	var err, other error
	merged.Proposed, err = joinAtoms(a.Proposed, b.Proposed)
	merged.Challengers, other = joinAtoms(a.Challengers, b.Challengers)
	beaters := merged.beaters()
	merged.Challengers = slices.DeleteFunc(merged.Challengers, func(c Atom) bool { return !slices.Contains(beaters, c.Index) })
	return merged, errors.Join(err, other)
}

// challengersPerState is how many of the largest gains at a state may send atoms that beat the
// pick. The best would do; more of them save rounds.
const challengersPerState = 8

// challengers leaves as challengers of a pick the first atoms of different gains: copies of an
// atom add nothing. Behind the first, atoms without a gain stay at home.
func challengers(gains []Entry) []Entry {
	different := 0
	for k := range gains {
		if k > 0 && gains[k].Value == 0 {
			return gains[:k]
		}
		if k > 0 && gains[k].Value == gains[k-1].Value {
			gains[k].Beats = false
			continue
		}
		different++
		gains[k].Beats = gains[k].Beats && different <= challengersPerState
	}
	return gains
}

// compare orders entries by the tie rule.
func compare(a, b Entry) int { return rank.Compare(a.Value, a.Atom, b.Value, b.Atom) }

// top returns the first entries of two lists, each atom once.
func top(a, b []Entry, limit int) []Entry {
	both := slices.Concat(a, b)
	slices.SortFunc(both, compare)
	both = slices.CompactFunc(both, func(x, y Entry) bool { return x.Atom == y.Atom })
	return both[:min(limit, len(both))]
}

// beaters returns the atoms that beat a pick or a known support, in increasing order.
func (a *Answer) beaters() []int {
	var atoms []int
	for _, list := range slices.Concat(a.States, a.Worst) {
		for _, entry := range list {
			if entry.Beats {
				atoms = append(atoms, entry.Atom)
			}
		}
	}
	slices.Sort(atoms)
	return slices.Compact(atoms)
}

// joinAtoms returns the atoms of two lists in the order of their indices, each once.
func joinAtoms(a, b []Atom) ([]Atom, error) {
	both := slices.Concat(a, b)
	slices.SortStableFunc(both, func(x, y Atom) int { return cmp.Compare(x.Index, y.Index) })
	for k := 1; k < len(both); k++ {
		if x, y := both[k-1], both[k]; x.Index == y.Index && !slices.EqualFunc(x.Values, y.Values, sameBits) {
			return nil, fmt.Errorf("blocks: atom %d came with two values; make sure that all workers read the same blocks", x.Index)
		}
	}
	return slices.CompactFunc(both, func(x, y Atom) bool { return x.Index == y.Index }), nil
}

func sameBits(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) }

// joinRanges returns the union of two sets of ranges.
func joinRanges(a, b []Range) []Range {
	both := slices.Concat(a, b)
	slices.SortFunc(both, func(x, y Range) int { return cmp.Or(cmp.Compare(x.From, y.From), cmp.Compare(x.To, y.To)) })
	joined := both[:0]
	for _, r := range both {
		if last := len(joined) - 1; last >= 0 && r.From <= joined[last].To {
			joined[last].To = max(joined[last].To, r.To)
			continue
		}
		joined = append(joined, r)
	}
	return joined
}

// Ask runs a task and makes sure that the answer is to this task, speaks for all atoms and tells all that was asked.
func Ask(ctx context.Context, engine Engine, task *Task) (*Answer, error) {
	if input.Missing(engine) || engine.Size() < 1 {
		return nil, errNoAtoms
	}
	hash, err := task.hash()
	if err != nil {
		return nil, err
	}
	answer, err := engine.Run(ctx, task)
	if err != nil {
		return nil, err
	}
	if err := answer.complete(engine.Size()); err != nil {
		return nil, err
	}
	if answer.Task != hash {
		return nil, errors.New("blocks: the answer is to another task; use the answer of the run at hand")
	}
	return answer, answer.fits(task)
}

// complete returns an error unless the answer speaks for all n atoms.
func (a *Answer) complete(n int) error {
	if a == nil || !slices.Equal(a.Ranges, []Range{{0, n}}) {
		var known []Range
		if a != nil {
			known = a.Ranges
		}
		return fmt.Errorf("blocks: the answers speak for the atoms %v of %d; ask the other blocks, too", known, n)
	}
	return nil
}

// fits returns an error unless the answer has as many lists as its task asks for.
func (a *Answer) fits(task *Task) error {
	full, worst := task.count(), 0
	if task.Worst > 0 {
		full, worst = 0, full
	}
	if states := task.states(); len(a.Full) != full || len(a.Sizes) != task.Dim || len(a.States) != len(states) || len(a.Worst) != worst {
		return fmt.Errorf("blocks: the blocks tell %d supports, %d sizes, %d states and the worst atoms of %d directions, asked were %d, %d, %d and %d; let all workers run one version",
			len(a.Full), len(a.Sizes), len(a.States), len(a.Worst), full, task.Dim, len(states), worst)
	}
	return nil
}

func largest(a, b []float64) []float64 {
	values := slices.Clone(a)
	for k, value := range b {
		values[k] = max(values[k], value)
	}
	return values
}

package shard

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/sparsero/input"
	"github.com/sparsero/directions/sparsero/internal/kernel"
	"github.com/sparsero/directions/sparsero/internal/rank"
)

// NoAtom stands where no atom is meant: a step that picks nothing.
const NoAtom = -1

// Engine asks all blocks of a dictionary.
type Engine interface {
	// Size returns N >= 1, the number of atoms in all blocks.
	Size() int
	// Dim returns p >= 1.
	Dim() int
	// Run returns the merged answer of all blocks to a task.
	Run(ctx context.Context, task *Task) (*Answer, error)
}

// Atom is an atom on its way between a block and the centre.
type Atom struct {
	Index  int     `json:"index"`  // in the whole dictionary
	Values Numbers `json:"values"` // its p coordinates
}

// Task is what the centre asks every block. It travels as JSON, whose numbers come back
// the same to the last bit.
type Task struct {
	// Directions are the probe directions T, one after the other: M×p numbers.
	Directions Numbers `json:"directions"`
	// Dim is p.
	Dim int `json:"dim"`
	// Propose asks for the greedy path of a block, of at most so many atoms. Default 0,
	// none.
	Propose int `json:"propose,omitempty"`
	// Path is a path to verify: the best atom at every step is wanted.
	Path []Step `json:"path,omitempty"`
	// Largest is how many of the largest gains are wanted at every step, for the bound and for
	// more atoms that beat a pick than the best. Default 0, which is 1.
	Largest int `json:"largest,omitempty"`
	// Worst asks, for every direction, for so many atoms of the largest positive
	// alignments. Default 0, none.
	Worst int `json:"worst,omitempty"`
	// Known are the supports max(0, max_i <d_i,s>) over the atoms that the centre has, one for
	// each direction: atoms of Worst above them travel. Default nil, zeros.
	Known Numbers `json:"known,omitempty"`
}

// Step is a step of a path to verify: the state before it holds the atoms of all steps
// before.
type Step struct {
	// Atom is the pick; with Index NoAtom the path ends here, because nothing gains more
	// than Gain.
	Atom Atom `json:"atom"`
	// Gain is the marginal gain of the pick.
	Gain float64 `json:"gain"`
	// Directions is how many of the first directions count at this step, for a T that
	// grows along the path. Default 0, all.
	Directions int `json:"directions,omitempty"`
}

// Entry is a number that belongs to an atom.
type Entry struct {
	Atom  int     `json:"atom"` // in the whole dictionary
	Value float64 `json:"value"`
	Beats bool    `json:"beats,omitempty"` // a pick or a known support, and travels as a challenger
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

// NewTask returns a task with the given M×p directions that asks for nothing but the full
// support.
func NewTask(directions mat.Matrix) (*Task, error) {
	if err := input.CheckRows("directions", "direction", directions, -1); err != nil {
		return nil, fmt.Errorf("shard: %w", err)
	}
	_, p := directions.Dims()
	return &Task{Directions: mat.DenseCopyOf(directions).RawMatrix().Data, Dim: p}, nil
}

// states are the steps of the path with their directions counted, and the state after the last
// pick, where nothing is compared.
func (t *Task) states() []Step {
	states := slices.Clone(t.Path)
	if last := len(states) - 1; last >= 0 && states[last].Atom.Index != NoAtom {
		states = append(states, Step{Atom: Atom{Index: NoAtom}, Gain: math.Inf(1), Directions: states[last].Directions})
	}
	for k := range states {
		if states[k].Directions == 0 {
			states[k].Directions = len(t.Directions) / t.Dim
		}
	}
	return states
}

// raise lifts the supports in the first directions by those of an atom.
func (t *Task) raise(supports, atom []float64) {
	values := make([]float64, len(supports))
	kernel.Best().Alignments(values, atom, t.Directions, rank.Indices[int32](len(supports)))
	for s, value := range values {
		supports[s] = max(supports[s], value)
	}
}

// hash identifies a task.
func (t *Task) hash() (string, error) {
	text, err := json.Marshal(t)
	if err != nil {
		return "", fmt.Errorf("shard: %w", err)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}

// check returns an error that names what of the task is wrong for atoms of dimension p.
func (t *Task) check(p int) error {
	if t == nil || t.Dim < 1 || len(t.Directions) == 0 || len(t.Directions)%t.Dim != 0 {
		return errors.New("shard: the task has no directions, or their numbers do not fill rows; build it with NewTask")
	}
	m := len(t.Directions) / t.Dim
	switch {
	case t.Dim != p:
		return fmt.Errorf("shard: the directions have dimension %d, the atoms %d; use equal dimensions", t.Dim, p)
	case min(t.Propose, t.Largest, t.Worst) < 0:
		return fmt.Errorf("shard: the task asks for %d, %d and %d atoms; use counts of at least 0", t.Propose, t.Largest, t.Worst)
	}
	if t.Known != nil {
		if err := input.CheckVector("the known supports", t.Known, m); err != nil {
			return fmt.Errorf("shard: %w", err)
		}
	}
	for k, step := range t.Path {
		switch last := k == len(t.Path)-1; {
		case step.Atom.Index < NoAtom || step.Atom.Index == NoAtom && !last:
			return fmt.Errorf("shard: step %d has the atom %d; give an index, or NoAtom at the last step", k, step.Atom.Index)
		case !(step.Gain >= 0):
			return fmt.Errorf("shard: step %d has the gain %v; use gains of at least 0", k, step.Gain)
		case step.Directions < 0 || step.Directions > m:
			return fmt.Errorf("shard: step %d counts %d of %d directions; use 0 for all", k, step.Directions, m)
		}
		if step.Atom.Index != NoAtom {
			if err := input.CheckVector(fmt.Sprintf("the atom of step %d", k), step.Atom.Values, p); err != nil {
				return fmt.Errorf("shard: %w", err)
			}
		}
	}
	return nil
}

// Numbers travel as their bytes, so that a message is small and the numbers are the same to
// the last bit.
type Numbers []float64

// MarshalJSON writes the little-endian bytes in base64.
func (n Numbers) MarshalJSON() ([]byte, error) {
	data := make([]byte, 0, 8*len(n))
	for _, value := range n {
		data = binary.LittleEndian.AppendUint64(data, math.Float64bits(value))
	}
	return json.Marshal(base64.StdEncoding.EncodeToString(data))
}

// UnmarshalJSON reads what MarshalJSON writes.
func (n *Numbers) UnmarshalJSON(text []byte) error {
	var data []byte
	if err := json.Unmarshal(text, &data); err != nil {
		return fmt.Errorf("shard: %w", err)
	}
	if len(data)%8 != 0 {
		return fmt.Errorf("shard: %d bytes are no whole numbers of 8 bytes each; send the message again", len(data))
	}
	*n = make(Numbers, 0, len(data)/8)
	for ; len(data) > 0; data = data[8:] {
		*n = append(*n, math.Float64frombits(binary.LittleEndian.Uint64(data)))
	}
	return nil
}

// Answer is what blocks know.
type Answer struct {
	// Task is the hash of the task.
	Task string `json:"task"`
	// Limit is how long its lists may be.
	Limit Limit `json:"limit"`
	// Ranges are the atoms that the answer speaks for, increasing and apart.
	Ranges []Range `json:"ranges"`
	// Full is max(0, max_i <d_i,s>) for each direction.
	Full Numbers `json:"full"`
	// Proposed are the atoms of the greedy paths of the blocks, in the order of their
	// indices.
	Proposed []Atom `json:"proposed,omitempty"`
	// States are, before each step of the path and, unless the last step picks nothing, at its
	// end, the atoms outside the path so far with the largest gains, falling, of lower index
	// first among equals; without a gain, the first alone.
	States [][]Entry `json:"states,omitempty"`
	// Worst are, for each direction, the atoms with the largest positive alignments,
	// falling, of lower index first among equals.
	Worst [][]Entry `json:"worst,omitempty"`
	// Sizes are the largest magnitudes of each coordinate, and Bits the exponents of the last
	// bit, nil once sums of products with the directions cannot all be exact: what is needed
	// to know how much float64 may have lost.
	Sizes Numbers `json:"sizes"`
	Bits  []int   `json:"bits,omitempty"`
	// Challengers are the atoms that beat the path or the known supports, in the order of
	// their indices.
	Challengers []Atom `json:"challengers,omitempty"`
}

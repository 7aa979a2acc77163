package blocks

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/sparsero/directions/sparsero/internal/input"
	"github.com/sparsero/directions/sparsero/internal/kernel"
	"github.com/sparsero/directions/sparsero/internal/rank"
	"gonum.org/v1/gonum/mat"
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
	Index  int       `json:"index"`  // in the whole dictionary
	Values []float64 `json:"values"` // its p coordinates
}

// Task is what the centre asks every block. It travels as JSON, whose numbers come back the same to the last bit.
type Task struct {
	// Directions are the probe directions T, one after the other: M×p numbers.
	Directions []float64 `json:"directions"`
	// Dim is p.
	Dim int `json:"dim"`
	// Propose asks for the greedy path of a block, of at most so many atoms. Default 0, none.
	Propose int `json:"propose,omitempty"`
	// Path is a path to verify: the best atom at every step is wanted.
	Path []Step `json:"path,omitempty"`
	// Largest is how many of the largest gains are wanted at every step, for the bound and for
	// more atoms that beat a pick than the best. Default 0, which is 1.
	Largest int `json:"largest,omitempty"`
	// Worst asks for so many atoms of the largest alignments with every direction, and for nothing else. Default
	// 0, none.
	Worst int `json:"worst,omitempty"`
}

// Step is a step of a path to verify: the state before it holds the atoms of all steps before.
type Step struct {
	// Atom is the pick; with Index NoAtom the path ends here, because nothing gains more than Gain.
	Atom Atom `json:"atom"`
	// Gain is the marginal gain of the pick.
	Gain float64 `json:"gain"`
}

// NewTask returns a task with the given M×p directions that asks for nothing but the full
// support. It is an error if the directions are missing or not finite.
func NewTask(directions mat.Matrix) (*Task, error) {
	if err := input.CheckRows("directions", "direction", directions, input.AnyColumns); err != nil {
		return nil, fmt.Errorf("blocks: %w", err)
	}
	_, p := directions.Dims()
	return &Task{Directions: mat.DenseCopyOf(directions).RawMatrix().Data, Dim: p}, nil
}

// count returns M.
func (t *Task) count() int { return len(t.Directions) / t.Dim }

// states are the steps of the path, and the state after the last pick, where nothing is compared.
func (t *Task) states() []Step {
	states := slices.Clone(t.Path)
	if last := len(states) - 1; last >= 0 && states[last].Atom.Index != NoAtom {
		states = append(states, Step{Atom: Atom{Index: NoAtom}, Gain: math.Inf(1)})
	}
	return states
}

// raise lifts the supports in the directions by those of an atom.
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
		return "", fmt.Errorf("blocks: %w", err)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}

// check returns an error that names what of the task is wrong for atoms of dimension p.
func (t *Task) check(p int) error {
	if t == nil || t.Dim < 1 || len(t.Directions) == 0 || len(t.Directions)%t.Dim != 0 {
		return errors.New("blocks: the task has no directions, or their numbers do not fill rows; build it with NewTask")
	}
	switch {
	case t.Dim != p:
		return fmt.Errorf("blocks: the directions have dimension %d, the atoms %d; use equal dimensions", t.Dim, p)
	case min(t.Propose, t.Largest, t.Worst) < 0:
		return fmt.Errorf("blocks: the task asks for %d, %d and %d atoms; use counts of at least 0", t.Propose, t.Largest, t.Worst)
	case t.Worst > 0 && (t.Propose > 0 || len(t.Path) > 0):
		return errors.New("blocks: the task asks for the worst atoms and for a path; ask for them in two tasks")
	}
	for k, step := range t.Path {
		switch last := k == len(t.Path)-1; {
		case step.Atom.Index < NoAtom || step.Atom.Index == NoAtom && !last:
			return fmt.Errorf("blocks: step %d has the atom %d; give an index, or NoAtom at the last step", k, step.Atom.Index)
		case !(step.Gain >= 0):
			return fmt.Errorf("blocks: step %d has the gain %v; use gains of at least 0", k, step.Gain)
		}
		if step.Atom.Index != NoAtom {
			if err := input.CheckVector(fmt.Sprintf("the atom of step %d", k), step.Atom.Values, p); err != nil {
				return fmt.Errorf("blocks: %w", err)
			}
		}
	}
	return nil
}

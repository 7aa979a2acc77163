package shard

import (
	"context"

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

// Task is what the centre asks every block. It travels as JSON, whose numbers come back
// the same to the last bit.
type Task struct {
	// Directions are the M×p probe directions T, one per row.
	Directions *Matrix `json:"directions"`
	// Propose asks for the greedy path of a block, of at most so many atoms. Default 0,
	// none.
	Propose int `json:"propose,omitempty"`
	// Path is a path to verify: the best atom at every step is wanted.
	Path []Step `json:"path,omitempty"`
	// Largest is how many of the largest gains are wanted at every step, for the bound.
	// Default 0, none.
	Largest int `json:"largest,omitempty"`
	// Worst asks, for every direction, for so many atoms of the largest positive
	// alignments. Default 0, none.
	Worst int `json:"worst,omitempty"`
	// Known are the supports max(0, max_i <d_i,s>) over the atoms that the centre has, one for
	// each direction: atoms of Worst above them travel. Default nil, zeros.
	Known []float64 `json:"known,omitempty"`
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
}

// Gains are the marginal gains at one state of a path.
type Gains struct {
	// Best is the atom outside the path so far with the largest gain, the lowest index
	// among equals; Atom is NoAtom if all atoms are in the path.
	Best Entry `json:"best"`
	// Largest are the largest positive gains, falling, of lower index first among equals.
	Largest []Entry `json:"largest,omitempty"`
}

// Range is a range of atoms, From..To-1.
type Range struct {
	From int `json:"from"`
	To   int `json:"to"`
}

// Answer is what blocks know.
type Answer struct {
	// Ranges are the atoms that the answer speaks for, increasing and apart.
	Ranges []Range `json:"ranges"`
	// Full is max(0, max_i <d_i,s>) for each direction.
	Full []float64 `json:"full"`
	// Proposed are the atoms of the greedy paths of the blocks, in the order of their
	// indices.
	Proposed []Atom `json:"proposed,omitempty"`
	// States are the gains before each step of the path and, unless the last step picks
	// nothing, at its end.
	States []Gains `json:"states,omitempty"`
	// Worst are, for each direction, the atoms with the largest positive alignments,
	// falling, of lower index first among equals.
	Worst [][]Entry `json:"worst,omitempty"`
	// Challengers are the atoms that beat the path or the known supports, in the order of
	// their indices: those that are the Best of a state ahead of its pick, and those of
	// Worst above Known.
	Challengers []Atom `json:"challengers,omitempty"`
}

// Matrix is a matrix in a message.
type Matrix struct{ *mat.Dense }

package selection

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/internal/input"
	"github.com/sparsero/directions/sparsero/internal/screen"
	"gonum.org/v1/gonum/mat"
)

// Source is where N atoms of dimension p come from: a [*sparsero.Dictionary], a [*File] or any other. Its methods may
// be called by several goroutines at once. A source that also has a method
//
//	Label(i int) string
//
// names its atoms; others are named "d" followed by the index.
type Source interface {
	// Size returns N >= 1.
	Size() int
	// Dim returns p >= 1.
	Dim() int
	// Rows returns the atoms from..to-1 one after the other, (to-from)p values that are read only, and only until the
	// buffer is used again. The buffer has room for them and may be used or not.
	Rows(buffer []float64, from, to int) ([]float64, error)
}

// Coverage is the support coverage objective of a dictionary D and probe directions T,
//
//	F(S;T) = (1/|T|) sum_{s in T} max(0, max_{i in S} <d_i,s>).
//
// An alignment <d_i,s> is formed in one way wherever it is needed: a chain of fused multiply-adds in float64 over the
// coordinates in their order. Whatever the [Storage], all choices and values are those of the plain algorithm over
// these alignments, the same to the last bit on every processor and any number of cores. A Coverage does not change
// after it is built and may be used by several goroutines at once. One that [NewCoverage] did not build has size 0,
// rules refuse it, and its other methods panic.
type Coverage struct {
	atoms      Source
	directions *mat.Dense // M×p
	storage    Storage
	screen     *screen.Screen
}

// NewCoverage builds the objective for the M×p matrix whose rows are the probe directions, in O(NMp) time; it reads all
// atoms. It is an error if atoms or directions are missing, not finite or do not fit together, or if float64 cannot
// carry their alignments; a [*MemoryError] if it would not fit into memory; the error of the atoms if they cannot be
// read; and that of the context if it ends.
func NewCoverage(atoms Source, directions mat.Matrix, options *CoverageOptions) (*Coverage, error) {
	options = cmp.Or(options, &CoverageOptions{})
	if input.Missing(atoms) {
		return nil, errors.New("selection: dictionary is nil; build one with sparsero.NewDictionary or open a file with OpenNPY")
	}
	if err := input.CheckRows("directions", "direction", directions, atoms.Dim()); err != nil {
		return nil, fmt.Errorf("selection: %w", err)
	}
	rows := input.Owned(directions)
	m, _ := rows.Dims()
	storage, err := options.choose(atoms.Size(), m, atoms.Dim())
	if err != nil {
		return nil, err
	}
	inner, err := screen.New(input.Context(options.Context), atoms, rows.RawMatrix().Data, options.screen(atoms.Size(), m, storage))
	if err != nil {
		return nil, fmt.Errorf("selection: %w", err)
	}
	return &Coverage{atoms: atoms, directions: rows, storage: storage, screen: inner}, nil
}

// Dictionary returns the dictionary D, nil if the atoms come from another source.
func (c *Coverage) Dictionary() *sparsero.Dictionary {
	d, _ := c.atoms.(*sparsero.Dictionary)
	return d
}

// Directions returns a copy of the probe directions T, one per row.
func (c *Coverage) Directions() *mat.Dense {
	c.built()
	return input.Owned(c.directions)
}

// Storage returns how the alignments are held.
func (c *Coverage) Storage() Storage { return c.storage }

// Size returns N, the number of atoms to choose from.
func (c *Coverage) Size() int {
	if c == nil || c.screen == nil {
		return 0
	}
	return c.screen.Size()
}

// built returns what the alignments are read from.
func (c *Coverage) built() *screen.Screen {
	if c.Size() == 0 {
		panic("selection: this Coverage is empty; build one with NewCoverage")
	}
	return c.screen
}

// Full returns F([N];T), the coverage of the whole dictionary and an upper bound on that of any subset.
func (c *Coverage) Full() float64 { return c.built().FullValue() }

// Label returns the name of atom i.
func (c *Coverage) Label(i int) string {
	if named, ok := c.atoms.(interface{ Label(i int) string }); ok {
		return named.Label(i)
	}
	return "d" + strconv.Itoa(i)
}

// Value returns F(S;T) in O(|S||T|) time. It panics if an index is out of
// range, and if the atoms can no longer be read.
func (c *Coverage) Value(indices []int) float64 { return c.mustSet(indices).Value() }

// Deficits returns the alignment deficit Δ_S(s) >= 0 of each probe direction, in the order of the rows of T. It panics
// if an index is out of range, and if the atoms can no longer be read.
func (c *Coverage) Deficits(indices []int) []float64 {
	deficits := slices.Clone(c.built().Full())
	for j, value := range c.mustSet(indices).Supports() {
		deficits[j] -= value
	}
	return deficits
}

// WorstDeficit returns max_{s in T} Δ_S(s). It is zero exactly when S supports every probe direction as well as the
// full dictionary does, by the alignments as they are formed. It panics if an index is out of range, and if the atoms can no longer be read.
func (c *Coverage) WorstDeficit(indices []int) float64 { return c.mustSet(indices).WorstDeficit() }

// set returns the state of the listed atoms, or the error of the atoms if they can no longer be read.
func (c *Coverage) set(indices []int) (*screen.State, error) {
	state := c.built().NewState()
	for _, i := range indices {
		state.Add(i)
	}
	if err := state.Err(); err != nil {
		return nil, fmt.Errorf("the atoms can no longer be read: %w", err)
	}
	return state, nil
}

// mustSet is set where there is no way to return an error.
func (c *Coverage) mustSet(indices []int) *screen.State {
	state, err := c.set(indices)
	if err != nil {
		panic("selection: " + err.Error())
	}
	return state
}

// mean is Value with the error of the atoms.
func (c *Coverage) mean(indices []int) (float64, error) {
	state, err := c.set(indices)
	if err != nil {
		return 0, fmt.Errorf("selection: %w", err)
	}
	return state.Value(), nil
}

// probes returns M = |T|.
func (c *Coverage) probes() int { m, _ := c.directions.Dims(); return m }

// State is a growing set S. It must not be used by several goroutines at once. Its methods panic if an index is out of range.
type State interface {
	// Gain returns the marginal gain F(S ∪ {i};T) - F(S;T) >= 0.
	Gain(i int) float64
	// Add puts atom i into S. Adding an atom twice changes nothing.
	Add(i int)
	// Value returns F(S;T).
	Value() float64
}

// NewState returns the empty set. A gain and the addition of an atom cost O(|T|) each once the alignments of the atom are known.
func (c *Coverage) NewState() State { return c.built().NewState() }

package sparsero

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/sparsero/directions/sparsero/internal/input"
	"github.com/sparsero/directions/sparsero/internal/kernel"
	"github.com/sparsero/directions/sparsero/internal/rank"
	"gonum.org/v1/gonum/floats"
)

// AtomicSet is the uncertainty set
//
//	U_S(r) = { sum_{i in S} a_i d_i : a >= 0, sum_i a_i <= r },
//
// the polytope r conv({0} ∪ {d_i : i in S}). It does not change after it is
// built and may be used by several goroutines at once.
type AtomicSet struct {
	dictionary *Dictionary
	atoms      []int
	radius     float64
}

// NewAtomicSet builds U_S(r) from 0-based atom indices S and a radius r >= 0. The empty S is allowed and gives {0}. It
// is an error if the dictionary is nil, if an index is out of range or repeated, or if the radius is negative, NaN or
// infinite.
func NewAtomicSet(d *Dictionary, indices []int, radius float64) (*AtomicSet, error) {
	if d.Size() == 0 {
		return nil, errors.New("sparsero: dictionary is nil or holds no atoms; build one with NewDictionary")
	}
	if err := input.CheckIndices("indices", indices, d.Size()); err != nil {
		return nil, fmt.Errorf("sparsero: %w", err)
	}
	if err := checkRadius(radius); err != nil {
		return nil, err
	}
	return &AtomicSet{dictionary: d, atoms: slices.Clone(indices), radius: radius}, nil
}

// FullSet returns U_[N](r), the set of all atoms. It is an error if the dictionary
// is nil or the radius negative or not finite.
func FullSet(d *Dictionary, radius float64) (*AtomicSet, error) {
	return NewAtomicSet(d, rank.Indices[int](d.Size()), radius)
}

func checkRadius(radius float64) error {
	if math.IsInf(radius, 1) {
		return errors.New("sparsero: radius +Inf is not a finite number >= 0; if it comes from a calibration, calibration.Radius.Check says why there is none")
	}
	if !(radius >= 0) {
		return fmt.Errorf("sparsero: radius %v is not a finite number >= 0; give the size of the uncertainty set in units of the atoms", radius)
	}
	return nil
}

// Dictionary returns the dictionary whose atoms span the set.
func (a *AtomicSet) Dictionary() *Dictionary { return a.dictionary }

// Atoms returns a copy of the chosen atom indices, in the order given.
func (a *AtomicSet) Atoms() []int { return slices.Clone(a.atoms) }

// Size returns |S|, the number of chosen atoms.
func (a *AtomicSet) Size() int { return len(a.atoms) }

// Radius returns r.
func (a *AtomicSet) Radius() float64 { return a.radius }

// WithRadius returns the set of the same atoms at another radius, finite and at least 0; any other is an error.
func (a *AtomicSet) WithRadius(radius float64) (*AtomicSet, error) {
	if err := checkRadius(radius); err != nil {
		return nil, err
	}
	return &AtomicSet{dictionary: a.dictionary, atoms: a.atoms, radius: radius}, nil
}

// WorstAtom returns the lowest index of a chosen atom that is best aligned with direction s, and its alignment max(0,
// max_{i in S} <d_i,s>), not scaled by the radius. When every alignment is negative, or S is empty, the index is
// [NullAtom] and the alignment 0. Where the sum of one falls below all floats, the alignment is NaN. It costs O(|S|p)
// and panics if s does not have length p.
func (a *AtomicSet) WorstAtom(s []float64) (index int, alignment float64) {
	a.dictionary.mustMatch("s", s)
	if len(a.atoms) == 0 {
		return NullAtom, 0
	}
	rows, values := make([]int32, len(a.atoms)), make([]float64, len(a.atoms))
	for k, i := range a.atoms {
		rows[k] = int32(i)
	}
	kernel.Best().Alignments(values, s, a.dictionary.atoms.RawMatrix().Data, rows)
	return rank.Active(values, a.atoms)
}

// Support returns the support function
//
//	h_{U_S(r)}(s) = r max(0, max_{i in S} <d_i,s>)
//
// in O(|S|p) time, NaN as for [Dictionary.ActiveAtom] unless r = 0. It panics if s does not have length p.
func (a *AtomicSet) Support(s []float64) float64 {
	_, alignment := a.WorstAtom(s)
	if a.radius == 0 {
		return 0 // of alignments beyond float64, too
	}
	return a.radius * alignment
}

// WorstCase returns a perturbation of the set that attains [AtomicSet.Support]: u = r d_i for the worst atom i, or
// zeros for the null atom. It panics if s does not have length p.
func (a *AtomicSet) WorstCase(s []float64) []float64 {
	index, _ := a.WorstAtom(s)
	u := a.dictionary.Atom(index)
	floats.Scale(a.radius, u)
	return u
}

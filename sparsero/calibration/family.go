package calibration

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// familyKind tells how the sets of a Family are counted.
type familyKind int

const (
	fixedSet familyKind = iota
	candidateSets
	prefixSets
	subsetsUpTo
	envelopedSets
	noneChosen // the least that Compression promises something about
)

// Family is the collection of sets among which the calibration samples may have been used to choose; a guarantee over a
// family holds for all its sets at once, so that any of them may be picked after looking. The zero value is one set
// that does not depend on the calibration samples (M = 1), such as one selected from other data (Algorithm 1, greedy on
// probe directions).
type Family struct {
	kind          familyKind
	atoms, budget int
	path          string // the atoms in their order; text, so that families can be compared
}

// Candidates is a family of count sets listed before the calibration samples were seen: M = count, count >= 1.
func Candidates(count int) Family { return Family{kind: candidateSets, budget: count} }

// Prefixes is the family of the prefixes S_1 ⊂ ... ⊂ S_B of one selection path, the atoms in the order in which they
// were chosen, B >= 1: M = B. The path was chosen before the calibration samples were seen, each of its atoms once. Of
// a path that is not chosen yet, Candidates(B) plans the same ranks. [CalibrateFamily] scores the prefixes.
func Prefixes(path []int) Family {
	return Family{kind: prefixSets, budget: len(path), path: strings.Trim(fmt.Sprint(path), "[]")}
}

// atomsOf returns the path of Prefixes.
func (f Family) atomsOf() []int {
	path := make([]int, 0, f.budget)
	for _, text := range strings.Fields(f.path) {
		atom, _ := strconv.Atoi(text) // written by Prefixes
		path = append(path, atom)
	}
	return path
}

// Subsets is the family of all sets of at most budget atoms out of atoms: M_B = sum_{k=0}^{B} C(N,k), the union bound
// of Theorem 3.2. 0 <= budget <= atoms, and at least one atom.
func Subsets(atoms, budget int) Family {
	return Family{kind: subsetsUpTo, atoms: atoms, budget: budget}
}

// Envelope is the family of every set of atoms, at the price of one: its radius is that of the scores of
// the whole dictionary, which [CalibrateFamily] takes. Since Z_S <= Z_[N] for each sample,
//
//	P(Z_S(U) > r) <= P(Z_[N](U) > r) for all S,
//
// so that the promise for Z_[N] needs no union, M = 1. It does not hold for gauge scores,
// which decrease as the set grows.
func Envelope() Family { return Family{kind: envelopedSets} }

// LogSize returns ln M, the natural logarithm of the number of sets, computed without forming M: it is exact to about
// thirteen digits for a million atoms and a budget of a thousand. It is 0 for one fixed set and for the Envelope, which
// pays for no union. An invalid family gives NaN.
func (f Family) LogSize() float64 {
	if f.validate() != nil {
		return math.NaN()
	}
	switch f.kind {
	case candidateSets, prefixSets:
		return math.Log(float64(f.budget))
	case subsetsUpTo:
		return logSubsetCount(f.atoms, f.budget)
	default:
		return 0
	}
}

// covers reports whether the family pays for at least so many calibrations. Every set of the envelope has the radius of
// the whole dictionary, which is one.
func (f Family) covers(sets int) bool {
	// M is a whole number: rounding takes away the error of its logarithm where M is so small that it matters.
	return math.Round(math.Exp(f.LogSize())) >= float64(sets)
}

// validate reports a count below 1 or above 2^40, a negative budget or one above the number of atoms.
func (f Family) validate() error {
	listed, subsets := f.kind == candidateSets || f.kind == prefixSets, f.kind == subsetsUpTo
	switch most := max(f.atoms, f.budget); {
	case most > largestCount:
		return fmt.Errorf("calibration: a family counts %d sets or atoms; use at most 2^40", most)
	case listed && f.budget < 1:
		return fmt.Errorf("calibration: a family of %d sets is empty; count at least the one set that is calibrated", f.budget)
	case subsets && f.atoms < 1:
		return fmt.Errorf("calibration: a family over N=%d atoms is empty; pass the size of the dictionary", f.atoms)
	case subsets && f.budget < 0:
		return fmt.Errorf("calibration: budget B=%d is negative; use a budget between 0 and N=%d", f.budget, f.atoms)
	case subsets && f.budget > f.atoms:
		return fmt.Errorf("calibration: budget B=%d exceeds the N=%d atoms; use at most %d", f.budget, f.atoms, f.atoms)
	}
	return nil
}

// String describes the family in the words used by errors and frames, for example "N=2000, B=9".
func (f Family) String() string {
	switch f.kind {
	case candidateSets:
		return fmt.Sprintf("%d candidate sets", f.budget)
	case prefixSets:
		return fmt.Sprintf("%d prefixes", f.budget)
	case subsetsUpTo:
		return fmt.Sprintf("N=%d, B=%d", f.atoms, f.budget)
	case envelopedSets:
		return "every set"
	case noneChosen:
		return "k=0 chosen samples"
	default:
		return "one fixed set"
	}
}

// MarshalText writes what String returns, as for JSON; nothing reads it back, as the words leave out the path of
// Prefixes.
func (f Family) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// scored tells that the family says itself which scores its radii are of.
func (f Family) scored() bool { return f.kind == prefixSets || f.kind == envelopedSets }

// CheckSet returns nil where the promise covers the set of these atoms of a dictionary of n atoms. later tells that the
// set was chosen after the calibration samples had been used, as by a loop that calibrates, adds atoms and calibrates
// again: then the family must count the sets that could have been chosen. It is an error that wraps ErrReuse if the
// promise is about other sets. What promises nothing covers everything.
func (p Parameters) CheckSet(atoms []int, n int, later bool) error {
	covered, f := !later, p.Family
	switch f.kind {
	case prefixSets:
		covered = len(atoms) <= f.budget && slices.Equal(atoms, f.atomsOf()[:len(atoms)])
	case subsetsUpTo:
		covered = n == f.atoms && len(atoms) <= f.budget
	case envelopedSets:
		covered = true
	}
	switch {
	case covered || !p.promises():
		return nil
	case later:
		return fmt.Errorf("%w: the guarantee for %v does not cover these %d atoms of %d, which were chosen after a calibration on the same samples; use the family Subsets(%d, B) with the budget B, Envelope, or Prefixes of a path that was fixed before",
			ErrReuse, f, len(atoms), n, n)
	}
	return fmt.Errorf("%w: the guarantee for %v is not about these %d atoms of %d; give the family that names this set, or none if it was chosen without the samples",
		ErrReuse, f, len(atoms), n)
}

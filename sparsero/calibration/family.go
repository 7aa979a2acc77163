package calibration

import (
	"fmt"
	"math"
)

// familyKind tells how the sets of a Family are counted.
type familyKind int

const (
	fixedSet familyKind = iota
	candidateSets
	prefixSets
	subsetsUpTo
	subsetsExactly
	envelopedSets
)

// Family is the collection of sets among which the calibration samples may
// have been used to choose; a guarantee over a family holds for all its sets
// at once, so that any of them may be picked after looking. The zero value is
// one set fixed before the samples were seen (M = 1).
type Family struct {
	kind          familyKind
	atoms, budget int
}

// FixedSet is the family of one set that does not depend on the calibration
// samples: M = 1. A set selected from other data (Algorithm 1, greedy on probe
// directions) is such a set.
func FixedSet() Family { return Family{} }

// Candidates is a family of count sets listed before the calibration samples
// were seen: M = count, count >= 1.
func Candidates(count int) Family { return Family{kind: candidateSets, budget: count} }

// Prefixes is the family of the prefixes S_1 ⊂ ... ⊂ S_B of one selection path
// that does not depend on the calibration samples: M = budget, budget >= 1.
func Prefixes(budget int) Family { return Family{kind: prefixSets, budget: budget} }

// Subsets is the family of all sets of at most budget atoms out of atoms:
// M_B = sum_{k=0}^{B} C(N,k), the union bound of Theorem 3.2.
// 0 <= budget <= atoms.
func Subsets(atoms, budget int) Family {
	return Family{kind: subsetsUpTo, atoms: atoms, budget: budget}
}

// ExactSubsets is the family of all sets of exactly budget atoms out of atoms:
// M = C(N,B), the replacement of section 3.3 for a fixed size.
// 0 <= budget <= atoms.
func ExactSubsets(atoms, budget int) Family {
	return Family{kind: subsetsExactly, atoms: atoms, budget: budget}
}

// LogSize returns ln M, the natural logarithm of the number of sets, computed
// without forming M: it is exact to about thirteen digits for a million atoms
// and a budget of a thousand. O(budget). It is 0 for one fixed set and for the
// family of an Envelope, which pays for no union. An invalid family gives NaN.
func (f Family) LogSize() float64 {
	if f.Validate() != nil {
		return math.NaN()
	}
	switch f.kind {
	case candidateSets, prefixSets:
		return math.Log(float64(f.budget))
	case subsetsUpTo:
		return logSubsetCount(f.atoms, f.budget)
	case subsetsExactly:
		return logChoose(f.atoms, f.budget)
	default:
		return 0
	}
}

// Validate reports a count below 1, a negative budget or one above the number
// of atoms.
func (f Family) Validate() error {
	switch f.kind {
	case candidateSets, prefixSets:
		if f.budget < 1 {
			return fmt.Errorf("calibration: a family of %d sets is empty; count at least the one set that is calibrated", f.budget)
		}
	case subsetsUpTo, subsetsExactly:
		if f.atoms < 1 {
			return fmt.Errorf("calibration: a family over N=%d atoms is empty; pass the size of the dictionary", f.atoms)
		}
		if f.budget < 0 {
			return fmt.Errorf("calibration: budget B=%d is negative; use a budget between 0 and N=%d", f.budget, f.atoms)
		}
		if f.budget > f.atoms {
			return fmt.Errorf("calibration: budget B=%d exceeds the N=%d atoms; use at most %d", f.budget, f.atoms, f.atoms)
		}
	}
	return nil
}

// String describes the family in the words used by errors and frames, for
// example "N=2000, B=9".
func (f Family) String() string {
	switch f.kind {
	case candidateSets:
		return fmt.Sprintf("%d candidate sets", f.budget)
	case prefixSets:
		return fmt.Sprintf("%d prefixes", f.budget)
	case subsetsUpTo:
		return fmt.Sprintf("N=%d, B=%d", f.atoms, f.budget)
	case subsetsExactly:
		return fmt.Sprintf("N=%d, exactly B=%d", f.atoms, f.budget)
	case envelopedSets:
		return "every set"
	default:
		return "one fixed set"
	}
}

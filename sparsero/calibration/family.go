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

// Envelope is the family of every set of atoms, at the price of one: calibrate the scores of
// the whole dictionary ([FullScores]). Since Z_S <= Z_[N] for each sample,
//
//	P(Z_S(U) > r) <= P(Z_[N](U) > r) for all S,
//
// so that the promise for Z_[N] needs no union, M = 1. It does not hold for gauge scores,
// which decrease as the set grows.
func Envelope() Family { return Family{kind: envelopedSets} }

// LogSize returns ln M, the natural logarithm of the number of sets, computed
// without forming M: it is exact to about thirteen digits for a million atoms
// and a budget of a thousand. It is 0 for one fixed set and for the
// Envelope, which pays for no union. An invalid family gives NaN.
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

// covers reports whether the family pays for at least so many calibrations. Every set of the envelope has the radius of
// the whole dictionary, which is one.
func (f Family) covers(sets int) bool {
	// M is a whole number, so that rounding takes away the error of its
	// logarithm where M is small enough for it to matter.
	return math.Round(math.Exp(f.LogSize())) >= float64(sets)
}

// Validate reports a count below 1 or above 2^40, a negative budget or one above
// the number of atoms.
func (f Family) Validate() error {
	for _, count := range f.counts() {
		if *count > largestCount {
			return fmt.Errorf("calibration: a family counts %d sets or atoms; use at most 2^40", *count)
		}
	}
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

// familyWords name the kinds of families, with the counts that belong to them.
var familyWords = [...]string{
	fixedSet:       "one fixed set",
	candidateSets:  "%d candidate sets",
	prefixSets:     "%d prefixes",
	subsetsUpTo:    "N=%d, B=%d",
	subsetsExactly: "N=%d, exactly B=%d",
	envelopedSets:  "every set",
}

// counts returns the numbers that belong to the kind of family.
func (f *Family) counts() []*int {
	switch f.kind {
	case candidateSets, prefixSets:
		return []*int{&f.budget}
	case subsetsUpTo, subsetsExactly:
		return []*int{&f.atoms, &f.budget}
	default:
		return nil
	}
}

// String describes the family in the words used by errors and frames, for
// example "N=2000, B=9".
func (f Family) String() string {
	var counts []any
	for _, count := range f.counts() {
		counts = append(counts, *count)
	}
	return fmt.Sprintf(familyWords[f.kind], counts...)
}

// MarshalText writes the words of String, so that a promise keeps its family in
// JSON. An invalid family is an error.
func (f Family) MarshalText() ([]byte, error) { return []byte(f.String()), f.Validate() }

// UnmarshalText reads the words of String; other words and an invalid family
// are errors.
func (f *Family) UnmarshalText(text []byte) error {
	for kind, words := range familyWords {
		read := Family{kind: familyKind(kind)}
		var counts []any
		for _, count := range read.counts() {
			counts = append(counts, count)
		}
		// What does not follow the words is found by comparing.
		fmt.Sscanf(string(text), words, counts...)
		if read.String() == string(text) {
			*f = read
			return f.Validate()
		}
	}
	return fmt.Errorf("calibration: %.100q names no family; give the words of Family.String, for instance %q", text, Subsets(2000, 9))
}

package sparsero

import (
	"errors"
	"fmt"
	"slices"

	"github.com/sparsero/directions/sparsero/input"
)

// AsSampled returns the dictionary with the declaration that its atoms are independent draws from one
// distribution, in the order in which they were drawn, nothing left out for its values. Only this makes what a
// decision says about a new draw a theorem (robust.Solution.OutOfSample); nothing can check it. The declaration does
// not pass to subsets and closures. It is an error if the dictionary is empty or an antipodal closure, whose
// negatives are not draws.
func (d *Dictionary) AsSampled() (*Dictionary, error) {
	switch {
	case d.Size() == 0:
		return nil, errNoAtoms
	case d.closed:
		return nil, errors.New("sparsero: an antipodal closure is no sample, as the negatives were not drawn; declare the drawn atoms, or draw the signs")
	}
	declared := *d
	declared.sampled = true
	return &declared, nil
}

// Sampled tells whether the atoms are declared to be independent draws by [Dictionary.AsSampled].
func (d *Dictionary) Sampled() bool { return d != nil && d.sampled }

// AsPart returns the dictionary as a part of a larger one whose coordinates have at most the given p sizes, so that
// [Dictionary.AlignmentReach] and [Dictionary.AlignmentError] hold for its atoms, too. It is an error if the dictionary
// is empty, or the sizes are not p finite numbers.
func (d *Dictionary) AsPart(sizes []float64) (*Dictionary, error) {
	if d.Size() == 0 {
		return nil, errNoAtoms
	}
	if err := input.CheckVector("sizes", sizes, d.Dim()); err != nil {
		return nil, fmt.Errorf("sparsero: %w", err)
	}
	part := *d
	part.reach = slices.Clone(sizes)
	for j, own := range d.reach {
		part.reach[j] = max(part.reach[j], own)
	}
	return &part, nil
}

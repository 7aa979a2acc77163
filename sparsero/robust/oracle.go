package robust

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/sparsero/directions/sparsero/internal/input"
	"gonum.org/v1/gonum/mat"
)

// Oracle knows an uncertainty set U that need not be listed: a convex set, or atoms that lie in files or on other machines.
// Equal questions must get equal answers.
type Oracle interface {
	// Dim returns p >= 1.
	Dim() int
	// Worst returns, for each row s of an m×p matrix, at most count >= 0 atoms d of U with the largest ⟨d,s⟩; one that is worst
	// in several directions need not come again. Beyond has, for each s, a number that ⟨d,s⟩ does not exceed for any other
	// atom of U, rounding errors included; +Inf where none is known. The support of all of U will do.
	Worst(ctx context.Context, directions *mat.Dense, count int) (atoms []Atom, beyond []float64, err error)
}

// Atom is an atom that came from an [Oracle].
type Atom struct {
	// Label names it in reports; empty means "d" and its position among the atoms that came.
	Label string
	// Values are its p coordinates.
	Values []float64
}

func askWorst(ctx context.Context, oracle Oracle, directions *mat.Dense, count int) (atoms []Atom, beyond []float64, err error) {
	atoms, beyond, err = oracle.Worst(ctx, directions, count)
	if err != nil {
		return nil, nil, fmt.Errorf("robust: oracle: %w", err)
	}
	m, p := directions.Dims()
	if len(beyond) != m || slices.ContainsFunc(beyond, math.IsNaN) {
		return nil, nil, fmt.Errorf("robust: the oracle has no bound for each of %d directions; let beyond have a number for each, +Inf where none is known", m)
	}
	for _, atom := range atoms {
		if err := input.CheckVector("atom "+atom.Label+" of the oracle", atom.Values, p); err != nil {
			return nil, nil, fmt.Errorf("robust: %w", err)
		}
	}
	return atoms, beyond, nil
}

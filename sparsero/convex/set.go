package convex

import (
	"fmt"
	"math"

	"github.com/sparsero/directions/solver"
)

// Set is a compact convex set U of perturbations with 0 in U. Bounds that are made with it hold if no support is too small and
// every worst case lies in U, as with the sets of this package, rounding errors included; how sharp they are depends on the rest.
type Set interface {
	// Dim returns p.
	Dim() int
	// Support returns a number that max_{u in U} ⟨u,s⟩ does not exceed, equal to it up to rounding, or +Inf if none
	// is known. It panics if s does not have length p.
	Support(s []float64) float64
	// WorstCase returns a point that lies in U and attains that maximum, but for what it takes to stay in U in spite of
	// rounding and of a solver's tolerance: little, unless U is so thin that it takes much. It panics if s does not have length p.
	WorstCase(s []float64) []float64
}

// Gauged is a set that can tell how far a perturbation reaches.
type Gauged interface {
	Set
	// Gauge returns the least r >= 0 with u in r U, up to rounding; +Inf if there is none. It panics if u does not have
	// length p.
	Gauge(u []float64) float64
}

// Compact is a set whose support function is the least value of a linear program, so that a robust program over it is one program.
type Compact interface {
	Set
	// AddSupport adds columns and rows to a model that say t >= max_{u in U} ⟨u,s⟩ for a column t and the p columns s:
	// the least t that they allow is that maximum. Their coefficients are the numbers of the set as they stand. It
	// panics if the model is nil or there are not p columns s.
	AddSupport(m *solver.Model, t int, s []int)
	// SupportRows returns how many rows that takes at most.
	SupportRows() int
}

// quotient returns a/b as a fraction of a size near 1 and the power of two that it is to be multiplied by.
func quotient(a, b float64) (fraction float64, exponent int) {
	a, above := math.Frexp(a)
	b, below := math.Frexp(b)
	return a / b, above - below
}

func mustMatch[T any](name string, v []T, p int) {
	if len(v) != p {
		panic(fmt.Sprintf("convex: %s has length %d but the set has dimension %d; build sets with their constructors", name, len(v), p))
	}
}

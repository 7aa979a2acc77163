package selection

import (
	"context"
	"strconv"

	"github.com/sparsero/directions/sparsero/internal/screen"
)

// Objective is a function F of sets of N atoms that is zero at the empty set, never
// falls when an atom is added, and is submodular: the gain of an atom never grows while
// the set grows. [Coverage] is one. An objective that also has a
// method
//
//	Label(i int) string
//
// names its atoms, and one that has a method
//
//	Rounding() Rounding
//
// says what its values and gains lose to float64. Without it they are taken to be right to 2^-44
// of F([N]) each, which bounds and ratios allow for.
type Objective interface {
	// Size returns N >= 1.
	Size() int
	// Full returns F([N]).
	Full() float64
	// NewState returns the empty set.
	NewState() State
}

// State is a growing set S. It must not be used by several goroutines at once. Its
// methods panic if an index is out of range.
type State interface {
	// Gain returns the marginal gain F(S ∪ {i}) - F(S) >= 0.
	Gain(i int) float64
	// Add puts atom i into S. Adding an atom twice changes nothing.
	Add(i int)
	// Value returns F(S).
	Value() float64
}

func label(atoms any, i int) string {
	if named, ok := atoms.(interface{ Label(i int) string }); ok {
		return named.Label(i)
	}
	return "d" + strconv.Itoa(i)
}

// usualError is what a value or gain of an objective that does not tell may err, relative to F([N]): the sum of
// a few hundred numbers does.
const usualError = 0x1p-44

// roundingOf bounds what the values of an objective lose to float64.
func roundingOf(o Objective) screen.Rounding {
	switch o := o.(type) {
	case *Coverage:
		return o.screen.Rounding
	case interface{ Rounding() Rounding }:
		return o.Rounding()
	}
	return screen.Rounding{Absolute: float64(o.Size()+1) * usualError * o.Full()} // of a value and a gain of each atom
}

// allGains fills values with the gain of every atom.
func allGains(ctx context.Context, state State, values []float64) {
	if fast, ok := state.(*screen.State); ok {
		fast.AllGains(ctx, values)
		return
	}
	for i := range values {
		values[i] = state.Gain(i)
	}
}

// newSearch starts a search for the best atoms outside the set of a state with n atoms
// to choose from; chosen returns the set.
func newSearch(ctx context.Context, state State, n int, chosen func() []int) *screen.Search {
	if fast, ok := state.(*screen.State); ok {
		return fast.NewSearch()
	}
	upper := make([]float64, n)
	allGains(ctx, state, upper)
	return screen.NewSearch(plainGains{state, chosen}, upper, n)
}

// plainGains are the gains of any state; every bound is the gain itself.
type plainGains struct {
	state  State
	chosen func() []int
}

// Atoms implements [screen.Gains].
func (g plainGains) Atoms() []int { return g.chosen() }

// Bound implements [screen.Gains].
func (g plainGains) Bound(ctx context.Context, upper []float64, list []int32) error {
	for _, i := range list {
		if err := ctx.Err(); err != nil {
			return err
		}
		upper[i] = g.state.Gain(int(i))
	}
	return nil
}

// Settle implements [screen.Gains].
func (plainGains) Settle(context.Context, []float64, []int32) error { return nil }

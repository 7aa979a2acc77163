package selection_test

import (
	"context"
	"math"
	"testing"

	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/selection"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// rounding is the slack of comparisons between sums that are added up in
// different orders; instances have values of order 1 to 10.
const rounding = 1e-10

// instance is a dictionary with probe directions.
type instance struct {
	dictionary *sparsero.Dictionary
	atoms      *mat.Dense
	directions *mat.Dense
	coverage   *selection.Coverage
}

// drawMatrix draws a matrix whose entries are either generic or small integers;
// the latter give zero rows, repeated rows, collinear rows and many ties.
func drawMatrix(t *rapid.T, name string, rows, columns int, integers bool) *mat.Dense {
	m := mat.NewDense(rows, columns, nil)
	for i := range rows {
		for j := range columns {
			if integers {
				m.Set(i, j, float64(rapid.IntRange(-2, 2).Draw(t, name)))
			} else {
				m.Set(i, j, rapid.Float64Range(-5, 5).Draw(t, name))
			}
		}
	}
	return m
}

// drawInstance draws an instance of at most the given sizes, N = 1, p = 1 and
// |T| = 1 included. Sometimes an atom is repeated.
func drawInstance(t *rapid.T, maxAtoms, maxDim, maxProbes int) instance {
	n := rapid.IntRange(1, maxAtoms).Draw(t, "N")
	p := rapid.IntRange(1, maxDim).Draw(t, "p")
	m := rapid.IntRange(1, maxProbes).Draw(t, "M")
	integers := rapid.Bool().Draw(t, "integers")
	atoms := drawMatrix(t, "atom", n, p, integers)
	if n > 1 && rapid.Bool().Draw(t, "repeat") {
		atoms.SetRow(n-1, atoms.RawRowView(0))
	}
	return newInstance(t, atoms, drawMatrix(t, "direction", m, p, integers))
}

// fataler is the part of testing.TB that rapid's T has too.
type fataler interface {
	Helper()
	Fatal(args ...any)
}

func newInstance(t fataler, atoms, directions *mat.Dense) instance {
	t.Helper()
	d, err := sparsero.NewDictionary(atoms, nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := selection.NewCoverage(d, directions, nil)
	if err != nil {
		t.Fatal(err)
	}
	return instance{d, atoms, directions, c}
}

// selectAtoms runs a policy that must succeed.
func selectAtoms(t fataler, policy selection.Policy, c *selection.Coverage, budget int) *selection.Selection {
	t.Helper()
	s, err := policy.Select(context.Background(), c, budget)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// bruteForce returns the largest coverage of at most budget atoms.
func bruteForce(c *selection.Coverage, budget int) float64 {
	best := 0.0
	for mask := range 1 << c.Size() {
		if indices := members(mask); len(indices) <= budget {
			best = max(best, c.Value(indices))
		}
	}
	return best
}

// members returns the positions of the ones in a bit mask.
func members(mask int) []int {
	var indices []int
	for i := 0; mask>>i != 0; i++ {
		if mask>>i&1 == 1 {
			indices = append(indices, i)
		}
	}
	return indices
}

func drawSubset(t *rapid.T, name string, n int) []int {
	return members(rapid.IntRange(0, 1<<n-1).Draw(t, name))
}

func closeTo(a, b float64) bool { return math.Abs(a-b) <= rounding*(1+math.Abs(a)+math.Abs(b)) }

func equalInts(a, b []int) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// randomInstance is a generic instance with Gaussian-like entries for
// benchmarks and fixed tests.
func randomInstance(tb testing.TB, n, p, m int, seed uint64) instance {
	tb.Helper()
	return newInstance(tb, gaussian(n, p, seed), gaussian(m, p, seed+1))
}

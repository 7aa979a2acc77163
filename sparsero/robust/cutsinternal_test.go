package robust

import (
	"math/rand/v2"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"gonum.org/v1/gonum/mat"
)

// A round adds 50 rows, a thousandth of many atoms, or what the user says.
func TestCutsOfARound(t *testing.T) {
	for _, test := range []struct{ asked, atoms, want int }{
		{0, 0, 50}, {0, 50_999, 50}, {0, 51_000, 51}, {0, 200_000, 200}, {0, 5_000_000, 200}, {7, 100_000, 7}, {300, 10, 300},
	} {
		options, err := (&Options{CutsPerRound: test.asked}).withDefaults()
		if got := options.cuts(test.atoms); err != nil || got != test.want {
			t.Errorf("CutsPerRound %d and %d atoms: %d cuts, %v, want %d", test.asked, test.atoms, got, err, test.want)
		}
	}
}

// The second of two rounds has the rows that the first adds: 52 of 52,000 atoms of a constraint, 50 of 2,000 of the
// objective.
func TestRowsOfARound(t *testing.T) {
	const p = 8
	region := solver.NewModel("box")
	for range p {
		region.AddColumn(solver.Column{Bounds: solver.Between(-1, 1), Cost: -9})
	}
	problem, err := NewProblem(gaussian(t, 2000, p, 1), region, sparsero.Identity(p),
		Constraint{Map: sparsero.Identity(p), Limit: 1, Dictionary: gaussian(t, 52_000, p, 2)})
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	if _, err := problem.SolveFull(t.Context(), 1, &Options{MaxRounds: 2, Progress: func(r Round) { rows = r.Rows }}); err != nil || rows != 50+52 {
		t.Errorf("%d rows, %v", rows, err)
	}
}

// gaussian is a dictionary of n Gaussian atoms.
func gaussian(t interface{ Fatal(...any) }, n, p int, seed uint64) *sparsero.Dictionary {
	source, m := rand.New(rand.NewPCG(seed, 1)), mat.NewDense(n, p, nil)
	m.Apply(func(int, int, float64) float64 { return source.NormFloat64() }, m)
	d, err := sparsero.NewDictionary(m, nil)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

package robust

import (
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"gonum.org/v1/gonum/mat"
)

// line is a dictionary of atoms on a line.
func line(t *testing.T, atoms ...float64) *sparsero.Dictionary {
	t.Helper()
	d, err := sparsero.NewDictionary(mat.NewDense(len(atoms), 1, atoms), nil)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// An atom is missed in a constraint by what it takes beyond the limit, and in the objective by what it takes beyond the
// chosen ones: x = 1 of [0,1] by atom 1 alone, of 1, 2 and 4 with x u <= limit, and with a cost that no atom raises.
func TestMissedBeyondTheLimit(t *testing.T) {
	for limit, want := range map[float64]int{1: 2, 3: 2, 4: sparsero.NullAtom, 9: sparsero.NullAtom} {
		region := solver.NewModel("segment")
		region.AddColumn(solver.Column{Bounds: solver.Between(0, 1), Cost: -1})
		still := sparsero.AffineMap{Matrix: mat.NewDense(1, 1, nil)}
		p, err := NewProblem(line(t, 1, 2, 4), region, still, Constraint{Map: sparsero.Identity(1), Limit: limit})
		if err != nil {
			t.Fatal(err)
		}
		few, err := p.solveAlone(t.Context(), []int{0}, 1, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.mostMissed(few, 1e-6); got != want {
			t.Errorf("limit %v: atom %d is missed most, want %d", limit, got, want)
		}
	}
	region := solver.NewModel("segment")
	region.AddColumn(solver.Column{Bounds: solver.Between(1, 2), Cost: -9})
	p, err := NewProblem(line(t, 1, 2, 4), region, sparsero.Identity(1))
	if err != nil {
		t.Fatal(err)
	}
	for atoms, want := range map[int]int{0: 2, 1: 2, 2: sparsero.NullAtom} {
		few, err := p.solveAlone(t.Context(), []int{atoms}, 1, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.mostMissed(few, 1e-6); got != want {
			t.Errorf("with atom %d alone atom %d is missed most, want %d", atoms, got, want)
		}
	}
}

// The radius at which all atoms cover a new draw is the order statistic of its gauges, here of 0.01, 0.02, ..., 1 with the
// atoms 1 and -1, in both signs.
func TestRadiusThatCoversADraw(t *testing.T) {
	region := solver.NewModel("segment")
	region.AddColumn(solver.Column{Bounds: solver.Between(0, 1), Cost: -1})
	p, err := NewProblem(line(t, 1, -1), region, sparsero.Identity(1))
	if err != nil {
		t.Fatal(err)
	}
	samples := mat.NewDense(100, 1, nil)
	for j := range 100 {
		samples.Set(j, 0, float64(1-2*(j%2))*float64(j+1)/100)
	}
	for violation, rank := range map[float64]int{0.05: 99, 0.1: 96, 0.2: 87} {
		found, err := p.coveredDraws(t.Context(), samples, Demands{Violation: violation, Delta: 0.05})
		if err != nil {
			t.Fatal(err)
		}
		if want := float64(rank) / 100; len(found.radii) != 1 || found.radii[0] < want || found.radii[0] > want*(1+1e-9) || found.beyond != 100-rank {
			t.Errorf("violation %v: radius %v, %d beyond it, want %v", violation, found.radii, found.beyond, want)
		}
	}
}

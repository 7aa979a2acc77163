package robust

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// walked is a problem in a box with Gaussian atoms for the objective, and others for one constraint.
func walked(t interface{ Fatal(...any) }, seed uint64, atoms, own, p int) *Problem {
	source := rand.New(rand.NewPCG(seed, 2))
	region := solver.NewModel("box")
	for range p {
		region.AddColumn(solver.Column{Bounds: solver.Between(-1, 1), Cost: 3 * source.NormFloat64()})
	}
	var rows []Constraint
	if own > 0 {
		rows = []Constraint{{Map: sparsero.Identity(p), Limit: 1, Dictionary: gaussian(t, own, p, seed+1)}}
	}
	problem, err := NewProblem(gaussian(t, atoms, p, seed), region, sparsero.Identity(p), rows...)
	if err != nil {
		t.Fatal(err)
	}
	return problem
}

// Whatever way a decision goes, a look has the alignments of all atoms that may exceed those of the model's rows, and
// of all atoms of the model; of the others it has a bound that is below the rows.
func TestLooksOnTheWay(t *testing.T) {
	spared := 0
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.IntRange(1, 6).Draw(t, "p")
		problem := walked(t, rapid.Uint64().Draw(t, "seed"), rapid.IntRange(1, 200).Draw(t, "atoms"), rapid.IntRange(1, 40).Draw(t, "own"), p)
		m := problem.masterOf(nil, nil, 1, nil)
		x := rapid.SliceOfN(rapid.Float64Range(-1, 1), p, p).Draw(t, "x")
		for range rapid.IntRange(2, 6).Draw(t, "looks") {
			looked, exact := m.look(x), problem.exposeAll(x)
			covered := m.covered(exact)
			for k, e := range exact {
				got := looked[k]
				if !slices.Equal(got.direction, e.direction) || got.atom != e.atom || got.coordinate != e.coordinate {
					t.Fatalf("exposure %d: direction %v of coordinate %d and atom %d, want %v of %d and %d",
						k, got.direction, got.coordinate, got.atom, e.direction, e.coordinate, e.atom)
				}
				for i, v := range e.alignments {
					switch got := looked[k].alignments[i]; {
					case got == v:
					case slices.Contains(m.atoms, e.atom+i), !(v <= got && got < covered[k]):
						t.Fatalf("exposure %d, atom %d: %v, want %v; the rows cover %v", k, i, got, v, covered[k])
					default:
						spared++
					}
				}
			}
			for range rapid.IntRange(0, 2).Draw(t, "new") {
				m.addAtom(rapid.IntRange(0, problem.dictionary.size-1).Draw(t, "atom"))
			}
			step := math.Pow(10, -rapid.Float64Range(0, 6).Draw(t, "step"))
			for j := range x {
				x[j] += step * rapid.Float64Range(-1, 1).Draw(t, "Δ")
			}
		}
	})
	if spared == 0 {
		t.Error("no look spared an atom")
	}
}

// Rounding errors hide no atom: of two whose alignments differ by no more than that both are looked at, and one whose
// bound is 0 because Δ is rounded.
func TestLooksInSpiteOfRounding(t *testing.T) {
	for _, test := range []struct {
		atoms                []float64
		before, after, level float64
		want                 []int
	}{
		{[]float64{1, 1 - 0x1p-53, 1 - 0x1p-40}, 1, 1.5, 1.5, []int{0, 1}},
		{[]float64{-1}, 0x1p54, -1, 0.5, []int{0}},
	} {
		atoms := make([]float64, 20) // the others are 0
		copy(atoms, test.atoms)
		d, err := sparsero.NewDictionary(mat.NewDense(len(atoms), 1, atoms), nil)
		if err != nil {
			t.Fatal(err)
		}
		before := exposed{direction: []float64{test.before}}.with(d)
		for i, a := range atoms[len(test.atoms):] {
			before.alignments[len(test.atoms)+i] = a - 2*math.Abs(test.before) // far below
		}
		after := exposed{direction: []float64{test.after}, alignments: make([]float64, len(atoms))}
		if near, few := after.near(d, before, test.level); !few || !slices.Equal(near, test.want) {
			t.Errorf("from %g to %g: looks at %v, %v, want %v", test.before, test.after, near, few, test.want)
		}
		first := test.want[0]
		if near, _ := after.near(d, before, after.alignments[first]); !slices.Contains(near, first) {
			t.Errorf("from %g to %g: passes over atom %d, whose bound would tie with the rows", test.before, test.after, first)
		}
	}
}

// The last look of cutting planes reads few of many atoms.
func TestLastLookReadsFewAtoms(t *testing.T) {
	const n = 10_000
	problem := walked(t, 7, n, 0, 32)
	options, err := (*Options)(nil).withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	m, err := problem.newMaster(nil, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	run := &cuttingPlanes{master: m, options: options}
	if err := run.loop(t.Context()); err != nil {
		t.Fatal(err)
	}
	read := 0
	for i, v := range problem.expose(objectiveExposure, m.decision(run.result)).alignments {
		if m.looked[0].alignments[i] == v {
			read++
		}
	}
	t.Logf("%d rounds, %d atoms, of which the last look has %d alignments", run.rounds, n, read)
	if read < len(m.atoms) || read > n/10 {
		t.Errorf("the last look has %d alignments, want those of the %d atoms of the model and few others", read, len(m.atoms))
	}
}

//go:build cgo

package integer_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"testing"

	"github.com/sparsero/directions/datasets"
	"github.com/sparsero/directions/notebooks/studies/integer"
	"github.com/sparsero/directions/notebooks/studies/study"
	"github.com/sparsero/directions/solver"
	_ "github.com/sparsero/directions/solver/highs"
	"github.com/sparsero/directions/sparsero/robust"
)

// TestEnumerationAgainstHighs solves programs of the full size both ways.
func TestEnumerationAgainstHighs(t *testing.T) {
	for _, family := range []datasets.IntegerOptions{{}, {Homogeneous: true, Reserve: 0.1}, {Cardinality: 6}, {Items: 12, Cardinality: 3, Atoms: 30}} {
		random := rand.New(rand.NewPCG(1, 2))
		infeasible := 0
		for _, seed := range []uint64{5001, 5002} {
			family.Seed = seed
			i, err := datasets.NewIntegerInstance(family)
			if err != nil {
				t.Fatal(err)
			}
			e, err := integer.NewEnumeration(i, nil)
			if err != nil {
				t.Fatal(err)
			}
			p, err := integer.Problem(i)
			if err != nil {
				t.Fatal(err)
			}
			for _, size := range []int{0, 1, 4, i.Dictionary.Size()} {
				atoms := random.Perm(i.Dictionary.Size())[:size]
				radius := []float64{1, 1.3}[random.IntN(2)]
				got, gotErr := e.Solve(atoms, radius)
				want, wantErr := p.Solve(context.Background(), atoms, radius, &robust.Options{Solver: &solver.Options{RelativeGap: -1}})
				if errors.Is(gotErr, solver.ErrInfeasible) && errors.Is(wantErr, solver.ErrInfeasible) {
					infeasible++
					continue
				}
				if gotErr != nil || wantErr != nil {
					t.Fatalf("seed %d, atoms %v, radius %v: %v and %v", seed, atoms, radius, gotErr, wantErr)
				}
				if math.Abs(got.Value-want.Value) > 1e-6 {
					t.Errorf("seed %d, atoms %v, radius %v: %v by enumeration, %v by the solver", seed, atoms, radius, got.Value, want.Value)
				}
				if x := got.X(len(i.Cost)); !slices.EqualFunc(x, want.X, func(a, b float64) bool { return math.Abs(a-b) < 1e-6 }) {
					t.Errorf("seed %d, atoms %v, radius %v: decisions %v and %v", seed, atoms, radius, x, want.X)
				}
			}
		}
		t.Logf("%v: %d of 8 infeasible", family, infeasible)
	}
}

// TestBothMethodsGiveTheSameOutcomes runs one small study by enumeration and by the solver.
func TestBothMethodsGiveTheSameOutcomes(t *testing.T) {
	compareMethods(t, datasets.IntegerOptions{Items: 12, Cardinality: 3, Atoms: 12, HeldOut: 10},
		integer.Config{Seeds: []integer.Seeds{{First: 5000, Count: 3}}, Budgets: []int{1, 3}, Draws: 2})
}

// TestBothMethodsGiveTheSameOutcomesAtFullSize does so for seeds of the study itself.
func TestBothMethodsGiveTheSameOutcomesAtFullSize(t *testing.T) {
	if os.Getenv("DIRECTIONS_LONG") == "" {
		t.Skip("hundreds of mixed-integer programs: set DIRECTIONS_LONG=1 or run make test-long")
	}
	compareMethods(t, datasets.IntegerOptions{}, integer.Config{Seeds: []integer.Seeds{{First: 1002, Count: 3}}, Draws: 2})
	decline := integer.DeclineConfig()
	decline.Seeds, decline.Draws, decline.Budgets = []integer.Seeds{{First: 2000, Count: 1}}, 2, []int{1, 5, 15}
	compareMethods(t, datasets.IntegerOptions{Homogeneous: true, Reserve: 0.1}, decline)
}

// compareMethods runs a study by enumeration and by the solver.
func compareMethods(t *testing.T, source datasets.IntegerOptions, config integer.Config) {
	t.Helper()
	var outcomes [2][]study.Finished[integer.Outcome]
	for k, method := range []integer.Method{integer.Enumerate, integer.MILP} {
		config.Method = method
		results, err := integer.Run(context.Background(), source, config, study.Options{})
		if err != nil {
			t.Fatal(err)
		}
		outcomes[k] = results.Units
	}
	feasible := 0
	for k := range outcomes[0] {
		enumerated, programmed := outcomes[0][k].Result, outcomes[1][k].Result
		enumerated.Decisions = 0 // not counted by the solver
		roundValues(&enumerated)
		roundValues(&programmed)
		if !reflect.DeepEqual(enumerated, programmed) {
			t.Errorf("seed %d:\n%+v\n%+v", enumerated.Seed, enumerated, programmed)
		}
		if enumerated.Full {
			feasible++
		}
	}
	if feasible == 0 {
		t.Error("no seed is feasible; the comparison says little")
	}
}

// roundValues forgets the last digits of costs, which are summed in another order.
func roundValues(o *integer.Outcome) {
	round := func(v *float64) { *v = math.Round(*v*1e9) / 1e9 }
	round(&o.NominalValue)
	round(&o.FullValue)
	for r := range o.Runs {
		for c := range o.Runs[r].Cells {
			round(&o.Runs[r].Cells[c].Value)
		}
	}
}

// TestTooLargeGoesToTheSolver takes a dictionary that masks cannot hold.
func TestTooLargeGoesToTheSolver(t *testing.T) {
	source := datasets.IntegerOptions{Items: 20, Cardinality: 3, Atoms: 70, HeldOut: 5, Spread: 1}
	config := integer.Config{Seeds: []integer.Seeds{{First: 5003, Count: 1}}, Budgets: []int{2}, Draws: 1, Protocols: []integer.Protocol{integer.Nested}}
	results, err := integer.Run(context.Background(), source, config, study.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if o := results.Units[0].Result; o.Atoms <= 64 || o.Decisions != 0 || len(o.Runs) != 5 {
		t.Errorf("outcome %+v, want more than 64 atoms solved by the solver", o)
	}
	config.Method = integer.Enumerate
	if _, err := integer.Run(context.Background(), source, config, study.Options{}); !errors.Is(err, integer.ErrTooLarge) {
		t.Errorf("error = %v, want ErrTooLarge", err)
	}
}

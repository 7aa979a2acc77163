//go:build cgo

package integer

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
			e, err := NewEnumeration(i)
			if err != nil {
				t.Fatal(err)
			}
			p, err := Problem(i)
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
		Config{Seeds: []Seeds{{First: 5000, Count: 3}}, Budgets: []int{1, 3}, Draws: 2})
}

// TestBothMethodsGiveTheSameOutcomesAtFullSize does so for seeds of the study itself.
func TestBothMethodsGiveTheSameOutcomesAtFullSize(t *testing.T) {
	if os.Getenv("DIRECTIONS_LONG") != "all" {
		t.Skip("hundreds of mixed-integer programs: set DIRECTIONS_LONG=all or run make test-long")
	}
	compareMethods(t, datasets.IntegerOptions{}, Config{Seeds: []Seeds{{First: 1002, Count: 3}}, Draws: 2})
	decline := DeclineConfig()
	decline.Seeds, decline.Draws, decline.Budgets = []Seeds{{First: 2000, Count: 1}}, 2, []int{1, 5, 15}
	compareMethods(t, datasets.IntegerOptions{Homogeneous: true, Reserve: 0.1}, decline)
}

// compareMethods carries out the units of a study by enumeration and by the solver.
func compareMethods(t *testing.T, source datasets.IntegerOptions, config Config) {
	t.Helper()
	c := config.withDefaults()
	feasible := 0
	for _, block := range c.Seeds {
		for k := range block.Count {
			source.Seed = block.First + uint64(k)
			i, err := datasets.NewIntegerInstance(source)
			if err != nil {
				t.Fatal(err)
			}
			p, err := Problem(i)
			if err != nil {
				t.Fatal(err)
			}
			var outcomes [2]Outcome
			for k := range outcomes {
				u, err := newUnit(i, &c, source.Seed)
				if err != nil {
					t.Fatal(err)
				}
				if k == 1 {
					u.solve = programmed{p}.solve
				}
				if outcomes[k], err = u.outcome(context.Background()); err != nil {
					t.Fatal(err)
				}
				roundValues(&outcomes[k])
			}
			if !reflect.DeepEqual(outcomes[0], outcomes[1]) {
				t.Errorf("seed %d:\n%+v\n%+v", source.Seed, outcomes[0], outcomes[1])
			}
			feasible += int(indicator(outcomes[0].Full))
		}
	}
	if feasible == 0 {
		t.Error("no seed is feasible; the comparison says little")
	}
}

// programmed solves the robust program as a mixed-integer one.
type programmed struct{ *robust.Problem }

func (p programmed) solve(ctx context.Context, atoms []int, radius float64) (*Decision, error) {
	// A negative gap asks for a proof without gap: costs are continuous, and
	// the second-best decision may be very close.
	solution, err := p.Solve(ctx, atoms, radius, &robust.Options{Solver: &solver.Options{RelativeGap: -1}})
	if errors.Is(err, solver.ErrInfeasible) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	d := &Decision{Value: solution.Value}
	for j, v := range solution.X {
		if v > 0.5 {
			d.Items = append(d.Items, j)
		}
	}
	return d, nil
}

// roundValues forgets the last digits of costs, which are summed in another order.
func roundValues(o *Outcome) {
	round := func(v *float64) { *v = math.Round(*v*1e9) / 1e9 }
	round(&o.NominalValue)
	round(&o.FullValue)
	for r := range o.Runs {
		for c := range o.Runs[r].Cells {
			round(&o.Runs[r].Cells[c].Value)
		}
	}
}

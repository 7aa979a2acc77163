package scaling

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/sparsero/directions/notebooks/studies/adversarial"
	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/certificate"
	"github.com/sparsero/directions/sparsero/selection"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// rounding is how far two roads to a number may differ, relative to it.
const rounding = 1e-9

func near(a, b float64) bool { return math.Abs(a-b) <= rounding*(1+math.Abs(b)) }

// definition is a unit recomputed by package selection and from formulas.
type definition struct {
	*adversarial.Mined
	length float64
}

func define(t *testing.T, task adversarial.Task, seed uint64) definition {
	t.Helper()
	m, err := task.Mine(context.Background(), seed, testConfig.Sizes[1])
	if err != nil {
		t.Fatal(err)
	}
	return definition{m, floats.Norm(m.Classifier.Weights, 2)}
}

func (d definition) coverage(t *testing.T, atoms int, directions *mat.Dense) *selection.Coverage {
	t.Helper()
	first := make([]int, atoms)
	for i := range first {
		first[i] = i
	}
	small, err := d.Dictionary.Subset(first)
	if err != nil {
		t.Fatal(err)
	}
	c, err := selection.NewCoverage(small, directions, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// penalty is max_i |<d_i,w>| over the listed atoms.
func (d definition) penalty(atoms []int) float64 {
	largest := 0.0
	for _, i := range atoms {
		largest = max(largest, math.Abs(floats.Dot(d.Dictionary.RawRowView(i), d.Classifier.Weights)))
	}
	return largest
}

// certified counts the margins above a penalty.
func (d definition) certified(penalty float64) float64 {
	count := 0
	for _, m := range d.Margins {
		if m > penalty {
			count++
		}
	}
	return float64(count) / float64(len(d.Margins))
}

func first(atoms int) []int {
	all := make([]int, atoms)
	for i := range all {
		all[i] = i
	}
	return all
}

// TestOutcomeFromItsDefinition recomputes paths, coverage on both sets of
// directions, budgets, penalties and certified accuracies by package selection,
// which works in float64 throughout.
func TestOutcomeFromItsDefinition(t *testing.T) {
	r := mustRun(t, testConfig, testSources()...)
	rules := []selection.Policy{selection.Greedy{}, selection.MaxGap{ByGain: true}}
	for number, unit := range r.Units {
		o := unit.Result
		d := define(t, testSources()[number%2], o.Seed)
		if o.Accuracy != d.certified(0) || o.Robust[1] != d.certified(0.3*d.length) {
			t.Errorf("unit %s: accuracy %v, in the ball %v", unit.Unit, o.Accuracy, o.Robust)
		}
		for _, s := range o.Sizes {
			onSelection, onReporting := d.coverage(t, s.Atoms, d.Selection), d.coverage(t, s.Atoms, d.Reporting)
			whole := d.penalty(first(s.Atoms))
			if s.CertAcc[0] != d.certified(0.1*whole) {
				t.Errorf("unit %s, N = %d: certified %v", unit.Unit, s.Atoms, s.CertAcc)
			}
			for p, path := range s.Paths[:len(rules)] {
				want, err := rules[p].Select(context.Background(), onSelection, testConfig.MaxBudget)
				if err != nil {
					t.Fatal(err)
				}
				comparePath(t, path, want, onReporting)
				for j, b := range testConfig.Budgets {
					restricted := d.penalty(want.Prefix(b))
					if !near(path.Penalty[j], restricted/whole) || path.CertAcc[1][j] != d.certified(0.3*restricted) {
						t.Errorf("%s, B = %d: pen_S/pen_D %v, CertAcc_S %v", path.Policy, b, path.Penalty[j], path.CertAcc[1][j])
					}
				}
				if p == 0 && s.Least != least(want) {
					t.Errorf("lower bound %d, want %d", s.Least, least(want))
				}
			}
		}
	}
}

// comparePath compares a path with a selection on the same directions.
func comparePath(t *testing.T, got atomPath, want *selection.Selection, reporting *selection.Coverage) {
	t.Helper()
	var onSelection, onReporting []float64
	for b := 1; b <= want.Len(); b++ {
		onSelection = append(onSelection, want.CoverageRatio(b))
		onReporting = append(onReporting, reporting.Value(want.Prefix(b))/reporting.Full())
	}
	if !floats.EqualFunc(got.Selection, onSelection, near) || !floats.EqualFunc(got.Reporting, onReporting, near) {
		t.Errorf("%s: coverage %v and %v, want %v and %v", got.Policy, got.Selection, got.Reporting, onSelection, onReporting)
	}
	reach := slices.IndexFunc(onSelection, func(ratio float64) bool { return ratio >= 0.99 }) + 1
	if got.SelectionReach != reach {
		t.Errorf("%s: budget %d, want %d", got.Policy, got.SelectionReach, reach)
	}
}

// least returns the first budget whose bound reaches the target.
func least(s *selection.Selection) int {
	return slices.IndexFunc(s.Bounds, func(bound proof.Upper) bool { return bound.Float() >= 0.99*s.FullCoverage }) + 1
}

// TestCertifiedAccuracyOrders checks the trap and its remedy in every outcome: a
// penalty of fewer or of worse atoms certifies more, the inflated one never more
// than the whole dictionary does, and that never less than the ball.
func TestCertifiedAccuracyOrders(t *testing.T) {
	for _, unit := range mustRun(t, testConfig, testSources()...).Units {
		for _, s := range unit.Result.Sizes {
			for e := range testConfig.Epsilons {
				if s.CertAcc[e] < unit.Result.Robust[e] {
					t.Errorf("CertAcc_D %v is below the accuracy %v in the ball", s.CertAcc[e], unit.Result.Robust[e])
				}
				least := s.Paths[len(choosing)+1]
				for _, path := range s.Paths[:len(choosing)] {
					if !slices.IsSortedFunc(path.CertAcc[e], func(a, b float64) int { return int(1e6 * (b - a)) }) {
						t.Errorf("CertAcc_S rises with the budget: %v", path.CertAcc[e])
					}
					for j := range testConfig.Budgets {
						if path.CertAcc[e][j] < s.CertAcc[e] || path.Inflated[e][j] > s.CertAcc[e] || least.CertAcc[e][j] < path.CertAcc[e][j] {
							t.Errorf("%s: CertAcc_S %v, inflated %v, least aligned %v, CertAcc_D %v", path.Policy, path.CertAcc[e][j], path.Inflated[e][j], least.CertAcc[e][j], s.CertAcc[e])
						}
					}
				}
			}
		}
	}
}

// TestConvergedAttacksLeaveTwoAtoms is the degeneracy in the study: when every
// attack starts at its example, two atoms cover everything, whatever N.
func TestConvergedAttacksLeaveTwoAtoms(t *testing.T) {
	task := testSources()[0]
	task.Attack = adversarial.Attack{FromExample: true}
	for _, unit := range mustRun(t, testConfig, task).Units {
		o := unit.Result
		if !near(o.Energy, 1) || !near(o.Cosine, 1) {
			t.Errorf("energy %v, cosine %v", o.Energy, o.Cosine)
		}
		for _, s := range o.Sizes {
			for _, path := range s.Paths[:len(choosing)] {
				if path.SelectionReach > 2 || path.ReportingReach > 2 || !near(path.Reporting[1], 1) {
					t.Errorf("N = %d, %s: %d and %d atoms, coverage of two %v", s.Atoms, path.Policy, path.SelectionReach, path.ReportingReach, path.Reporting[1])
				}
			}
		}
	}
}

// TestRandomSets checks the measured budgets against their meaning.
func TestRandomSets(t *testing.T) {
	for _, unit := range mustRun(t, testConfig, testSources()...).Units {
		for _, s := range unit.Result.Sizes {
			if random := s.Paths[len(choosing)]; len(s.Without) != 2 || len(s.With) != 2 || random.Policy != randomPolicy || !slices.IsSorted(random.Reporting) {
				t.Fatalf("%+v", s)
			}
			for k, b := range s.Without {
				if b < 1 || b > s.Atoms || s.With[k] > 10*s.Atoms {
					t.Errorf("N = %d: %d draws without and %d with replacement", s.Atoms, b, s.With[k])
				}
			}
		}
	}
}

// TestInflationBound compares the bound with the factor itself, by linear programs,
// and with what it is for: the penalty of the whole dictionary.
func TestInflationBound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, n := rapid.IntRange(1, 3).Draw(t, "p"), rapid.IntRange(1, 7).Draw(t, "n")
		// Small whole numbers: atoms are clearly inside a span or outside of it.
		values := rapid.SliceOfN(rapid.Map(rapid.IntRange(-3, 3), func(v int) float64 { return float64(v) }), n*p, n*p).Draw(t, "atoms")
		d, err := sparsero.NewDictionary(mat.NewDense(n, p, values), nil)
		if err != nil {
			t.Fatal(err)
		}
		chosen := rapid.SliceOfNDistinct(rapid.IntRange(0, n-1), 1, n, rapid.ID[int]).Draw(t, "chosen")
		var both []int
		for _, i := range chosen {
			both = append(both, i, n+i)
		}
		set, err := sparsero.NewAtomicSet(d.AntipodalClosure(), both, 1)
		if err != nil {
			t.Fatal(err)
		}
		exact, err := certificate.SolveInflation(context.Background(), set)
		if err != nil {
			t.Fatal(err)
		}
		bound, finite := InflationBound(d, chosen, n)
		if finite == math.IsInf(exact.Factor.Float(), 1) {
			t.Fatalf("finite: %v, but the factor is %v", finite, exact.Factor)
		}
		if !finite {
			return
		}
		if bound < exact.Factor.Float()*(1-1e-7) || bound > math.Sqrt(float64(len(chosen)))*exact.Factor.Float()*(1+1e-7) {
			t.Fatalf("bound %v of the factor %v with %d atoms", bound, exact.Factor, len(chosen))
		}
		w := rapid.SliceOfN(rapid.Float64Range(-2, 2), p, p).Draw(t, "w")
		whole, restricted := largest(d, first(n), w), largest(d, chosen, w)
		if whole > bound*restricted*(1+1e-7)+1e-12 {
			t.Fatalf("penalty %v of all atoms, %v of the chosen ones times %v", whole, restricted, bound)
		}
	})
}

// largest is max |<d_i,w>| over the listed atoms.
func largest(d *sparsero.Dictionary, atoms []int, w []float64) float64 {
	value := 0.0
	for _, i := range atoms {
		value = max(value, math.Abs(floats.Dot(d.RawRowView(i), w)))
	}
	return value
}

// Package badinput checks what the module says to wrong input: every error
// names the argument and its value, and tells the next step.
package badinput

import (
	"context"
	"errors"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/sparsero/directions/datasets"
	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/calibration"
	"github.com/sparsero/directions/sparsero/certificate"
	"github.com/sparsero/directions/sparsero/robust"
	"github.com/sparsero/directions/sparsero/selection"
	"gonum.org/v1/gonum/mat"
)

// nan and inf stand for values that no table, model or option may hold.
var nan, inf = math.NaN(), math.Inf(1)

// badCase is one wrong input. The error's text must hold every string of says
// (the argument, the value) and at least one of the words that open a next step.
type badCase struct {
	name string
	call func() error
	says []string
	is   error // what errors.Is must find, if not nil
}

// nextStep matches the words with which the error texts of this module tell what to
// do: imperatives that begin a clause, so that "the set" and "a lower bound" are none.
var nextStep = regexp.MustCompile(`([;:,] |\b(?:or|and|so) )(use|give|list|describe|choose|add|remove|drop|write|fill|build|call|set|make|` +
	`correct|sort|pass|shift|check|bound|lower|name|relax|replace|collect|enlarge|repair|copy|download|place|rename)\b`)

func TestBadInput(t *testing.T) {
	var all []badCase
	all = append(all, dictionaryCases()...)
	all = append(all, fileCases()...)
	all = append(all, selectionCases(t)...)
	all = append(all, calibrationCases()...)
	all = append(all, robustCases(t)...)
	all = append(all, featureCases(t)...)
	if len(all) < 30 {
		t.Fatalf("%d cases, want at least 30", len(all))
	}
	for _, test := range all {
		t.Run(test.name, func(t *testing.T) {
			err := test.call()
			if err == nil {
				t.Fatal("no error")
			}
			for _, part := range test.says {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("error %q does not say %q", err, part)
				}
			}
			if test.is != nil && !errors.Is(err, test.is) {
				t.Errorf("error %q is not %q", err, test.is)
			}
			if !nextStep.MatchString(err.Error()) {
				t.Errorf("error %q tells no next step", err)
			}
		})
	}
}

// failing drops a result, so that a table entry can be one line.
func failing[T any](call func() (T, error)) func() error {
	return func() error { _, err := call(); return err }
}

func threeAtoms() *sparsero.Dictionary {
	d, err := sparsero.NewDictionary(mat.NewDense(3, 2, []float64{1, 0, 0, 1, -1, -1}), nil)
	if err != nil {
		panic(err)
	}
	return d
}

func dictionaryCases() []badCase {
	type frameCall = func() (*sparsero.Dictionary, error)
	dictionary := func(values ...float64) frameCall {
		return func() (*sparsero.Dictionary, error) {
			return sparsero.NewDictionary(mat.NewDense(len(values)/2, 2, values), nil)
		}
	}
	set := func(radius float64, indices ...int) func() error {
		return failing(func() (*sparsero.AtomicSet, error) { return sparsero.NewAtomicSet(threeAtoms(), indices, radius) })
	}
	csv := func(text string) func() error {
		return failing(func() (*sparsero.Dictionary, error) { return sparsero.ReadCSV(strings.NewReader(text), "") })
	}
	return []badCase{
		{"nil dictionary matrix", failing(func() (*sparsero.Dictionary, error) { return sparsero.NewDictionary(nil, nil) }), []string{"atoms"}, nil},
		{"empty dictionary", failing(func() (*sparsero.Dictionary, error) { return sparsero.NewDictionary(&mat.Dense{}, nil) }), []string{"atoms"}, nil},
		{"NaN in an atom", failing(dictionary(1, 2, 3, nan)), []string{"NaN"}, nil},
		{"Inf in an atom", failing(dictionary(1, inf)), []string{"Inf"}, nil},
		{"too few labels", failing(func() (*sparsero.Dictionary, error) {
			return sparsero.NewDictionary(mat.NewDense(2, 2, nil), &sparsero.DictionaryOptions{Labels: []string{"one"}})
		}), []string{"labels", "1", "2"}, nil},
		{"negative radius", set(-1, 0), []string{"radius", "-1"}, nil},
		{"NaN radius", set(nan, 0), []string{"radius", "NaN"}, nil},
		{"atom out of range", set(1, 3), []string{"3"}, nil},
		{"atom twice", set(1, 2, 2), []string{"2"}, nil},
		{"direction of another dimension", failing(func() ([]float64, error) {
			full, err := sparsero.FullSet(threeAtoms(), 1)
			if err != nil {
				return nil, err
			}
			return full.AlignmentDeficits(mat.NewDense(1, 3, nil))
		}), []string{"directions", "3", "2"}, nil},
		{"empty CSV", csv(""), []string{"empty"}, nil},
		{"CSV with a header only", csv("a,b\n"), []string{"no rows"}, nil},
		{"ragged CSV", csv("a,b\n1,2\n3\n"), []string{"line 3"}, nil},
		{"text in a numeric column", csv("a,b\n1,two\n"), []string{"line 2", "b", "two"}, nil},
		{"missing value in a CSV", csv("a,b\n1,\n"), []string{"line 2", "b"}, nil},
		{"infinite value in a CSV", csv("a,b\n1,Inf\n"), []string{"line 2", "b", "Inf"}, nil},
		{"label column that is not there", failing(func() (*sparsero.Dictionary, error) {
			return sparsero.ReadCSV(strings.NewReader("x\n1\n"), "date")
		}), []string{"date"}, nil},
	}
}

func fileCases() []badCase {
	prices := func(text string) func() error {
		return failing(func() (*datasets.PriceTable, error) { return datasets.ReadPrices(strings.NewReader(text), nil) })
	}
	return []badCase{
		{"empty price file", prices(""), []string{"empty"}, nil},
		{"ragged price file", prices("date,A,B\n2020-01-02,1\n"), []string{"line 2"}, nil},
		{"text as a price", prices("date,A\n2020-01-02,abc\n"), []string{"line 2", "A", `"abc"`}, nil},
		{"infinite price", prices("date,A\n2020-01-02,Inf\n"), []string{"line 2", "A", "Inf"}, nil},
		{"unreadable date", prices("date,A\n2.1.x,1\n"), []string{"line 2", "2.1.x"}, nil},
	}
}

func selectionCases(t *testing.T) []badCase {
	coverage, err := selection.NewCoverage(threeAtoms(), mat.NewDense(2, 2, []float64{1, 0, 0, 1}), nil)
	if err != nil {
		t.Fatal(err)
	}
	choose := func(policy selection.Policy, budget int) func() error {
		return failing(func() (*selection.Selection, error) {
			return policy.Select(context.Background(), coverage, budget)
		})
	}
	probes := func(values ...float64) func() error {
		return failing(func() (*selection.Coverage, error) {
			return selection.NewCoverage(threeAtoms(), mat.NewDense(1, len(values), values), nil)
		})
	}
	return []badCase{
		{"budget 0", choose(selection.Greedy{}, 0), []string{"budget", "0"}, nil},
		{"budget above N", choose(selection.Greedy{}, 4), []string{"budget", "4", "3"}, nil},
		{"negative budget for max-gap", choose(selection.MaxGap{}, -2), []string{"budget", "-2"}, nil},
		{"budget above N for random", choose(selection.Random{}, 9), []string{"budget", "9", "3"}, nil},
		{"warm start out of range", choose(selection.Greedy{Start: []int{7}}, 2), []string{"7"}, nil},
		{"probe of another dimension", probes(1, 2, 3), []string{"3", "2"}, nil},
		{"NaN in a probe", probes(1, nan), []string{"NaN"}, nil},
		{"no probes", failing(func() (*selection.Coverage, error) {
			return selection.NewCoverage(threeAtoms(), &mat.Dense{}, nil)
		}), []string{"directions"}, nil},
	}
}

func calibrationCases() []badCase {
	radius := func(rule calibration.Rule, scores ...float64) func() error {
		return failing(func() (calibration.Radius, error) { return rule.Calibrate(scores) })
	}
	return []badCase{
		{"alpha 0", radius(calibration.OrderStatistic{Alpha: 0, Delta: 0.1}, 1, 2), []string{"alpha", "0"}, nil},
		{"alpha above 1", radius(calibration.SplitConformal{Alpha: 1.5}, 1, 2), []string{"alpha", "1.5"}, nil},
		{"NaN alpha", radius(calibration.SplitConformal{Alpha: nan}, 1, 2), []string{"alpha", "NaN"}, nil},
		{"delta 0", radius(calibration.OrderStatistic{Alpha: 0.1}, 1, 2), []string{"delta", "0"}, nil},
		{"NaN score", radius(calibration.SplitConformal{Alpha: 0.5}, 1, nan), []string{"NaN"}, nil},
		{"no scores", radius(calibration.SplitConformal{Alpha: 0.5}), []string{"scores is empty"}, nil},
		{
			"too few samples for the order statistic",
			radius(calibration.OrderStatistic{Alpha: 0.05, Delta: 1e-5, Family: calibration.Subsets(2000, 9)}, make([]float64, 1000)...),
			// 1309: ln M_B = 55.6, plus ln 1e5, over -ln 0.95.
			[]string{"alpha=0.05", "1309", "1000"}, calibration.ErrSampleTooSmall,
		},
		{
			"too few samples for split conformal",
			radius(calibration.SplitConformal{Alpha: 0.05}, make([]float64, 18)...),
			[]string{"19", "18"}, calibration.ErrSampleTooSmall,
		},
	}
}

func robustCases(t *testing.T) []badCase {
	box := func(lower, upper float64) *solver.Model {
		model := solver.NewModel("box")
		model.AddColumn(solver.Column{Name: "x1", Bounds: solver.Between(lower, upper), Cost: 1})
		model.AddColumn(solver.Column{Name: "x2", Bounds: solver.Between(lower, upper), Cost: 1})
		return model
	}
	solve := func(region *solver.Model, radius float64, indices ...int) func() error {
		return func() error {
			problem, err := robust.NewProblem(threeAtoms(), region, sparsero.Identity(2))
			if err != nil {
				return err
			}
			_, err = problem.Solve(context.Background(), indices, radius, nil)
			return err
		}
	}
	infeasible := box(0, 1)
	infeasible.AddRow(solver.Row{Name: "total", Bounds: solver.AtLeast(3), Columns: []int{0, 1}, Values: []float64{1, 1}})
	return []badCase{
		{"nil region", failing(func() (*robust.Problem, error) {
			return robust.NewProblem(threeAtoms(), nil, sparsero.Identity(2))
		}), []string{"region"}, nil},
		{"q of another shape", failing(func() (*robust.Problem, error) {
			return robust.NewProblem(threeAtoms(), box(0, 1), sparsero.Identity(3))
		}), []string{"q", "3×3"}, nil},
		{"no violation demanded", failing(func() (*robust.Tuned, error) {
			problem, err := robust.NewProblem(threeAtoms(), box(0, 1), sparsero.Identity(2))
			if err != nil {
				return nil, err
			}
			return problem.Tune(context.Background(), mat.NewDense(1, 2, []float64{1, 1}), robust.Demands{Delta: 0.1}, nil)
		}), []string{"Violation", "0"}, nil},
		{"negative robust radius", solve(box(0, 1), -2, 0), []string{"radius", "-2"}, nil},
		{"atom outside the dictionary", solve(box(0, 1), 1, 8), []string{"8"}, nil},
		{"unbounded polyhedron", solve(box(-inf, inf), 0.1, 0), []string{"no minimum", "x1, x2"}, solver.ErrUnbounded},
		{"infeasible model", solve(infeasible, 1, 0), []string{"X itself is empty"}, solver.ErrInfeasible},
		{"NaN cost", func() error {
			model := solver.NewModel("bad cost")
			model.AddColumn(solver.Column{Name: "x1", Bounds: solver.Between(0, 1), Cost: nan})
			_, err := solver.Solve(context.Background(), model, nil)
			return err
		}, []string{"x1", "NaN"}, nil},
		{"row that names no column", func() error {
			model := box(0, 1)
			model.AddRow(solver.Row{Name: "limit", Bounds: solver.Between(0, 1), Columns: []int{5}, Values: []float64{1}})
			_, err := solver.Solve(context.Background(), model, nil)
			return err
		}, []string{"limit", "5"}, nil},
		{"pointwise certificate in another dimension", failing(func() (certificate.Pointwise, error) {
			full, err := sparsero.FullSet(threeAtoms(), 1)
			if err != nil {
				t.Fatal(err)
			}
			return certificate.NewPointwise(full, []float64{1})
		}), []string{"direction", "1", "2"}, nil},
	}
}

package robust_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/robust"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// With the whole dictionary as budget the corrected loop always ends certified,
// at the value of the full model, after at most N additions; each rule does.
func TestDesignEndsCertifiedAtTheFullValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, radius := drawProblem(t), drawRadius(t)
		n := p.Dictionary().Size()
		rule := rapid.SampledFrom([]robust.AtomRule{robust.CoverageGain, robust.SmallestDeficit, robust.MostViolated}).Draw(t, "rule")
		design := get(p.Design(ctx, n, radius, &robust.DesignOptions{Rule: rule}))(t)
		full := get(p.SolveFull(ctx, radius, nil))(t)
		if !design.Certified || design.Stop != "certified" {
			t.Fatalf("stopped by %v with certificate %v", design.Stop, design.Solution.Certificate.Bound)
		}
		if !near(design.Solution.FullValue(), full.Value) {
			t.Fatalf("design %v, full model %v", design.Solution.FullValue(), full.Value)
		}
		if design.Solves != len(design.Iterations) || design.Solves != len(design.Atoms)+1 {
			t.Fatalf("%d solves, %d log lines, %d atoms", design.Solves, len(design.Iterations), len(design.Atoms))
		}
	})
}

// A budget that is too small leaves a certificate that is true: it bounds the gap.
func TestDesignWithinBudgetBoundsTheGap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, radius := drawProblem(t), drawRadius(t)
		budget := rapid.IntRange(1, p.Dictionary().Size()).Draw(t, "B")
		design := get(p.Design(ctx, budget, radius, nil))(t)
		full := get(p.SolveFull(ctx, radius, nil))(t)
		bound := get(design.Solution.GapBound())(t).Float()
		if len(design.Atoms) > budget {
			t.Fatalf("%d atoms for a budget of %d", len(design.Atoms), budget)
		}
		if gap := full.Value - design.Solution.Value; gap > bound+tolerance {
			t.Fatalf("gap %v above the certificate %v", gap, bound)
		}
		for k, it := range design.Iterations {
			if k > 0 && it.Value < design.Iterations[k-1].Value-tolerance {
				t.Fatalf("value fell from %v to %v when an atom was added", design.Iterations[k-1].Value, it.Value)
			}
		}
	})
}

// The printed algorithm: F(S_t;T_t) = F([N];T_t) after every update, hence it
// always stops after one iteration with one atom.
func TestPrintedAlgorithmStopsAfterOneIteration(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, radius := drawProblem(t), drawRadius(t)
		design := get(p.Design(ctx, p.Dictionary().Size(), radius, &robust.DesignOptions{AsPrinted: true}))(t)
		if design.Stop != "printed rule" || len(design.Atoms) != 1 || design.Solves != 2 {
			t.Fatalf("stop %v after %d solves with %d atoms", design.Stop, design.Solves, len(design.Atoms))
		}
		first := design.Iterations[0]
		if !near(first.Coverage, first.FullCoverage) {
			t.Fatalf("coverage %v of %v", first.Coverage, first.FullCoverage)
		}
	})
}

// Minimise max(x, -x, 0) type objectives: over [-1,1] with b = 0.5 x and atoms
// ±1, one atom leaves the printed algorithm at a point with a true gap; the
// corrected one adds the second atom and proves the optimum.
func TestPrintedAlgorithmLeavesAGapThatTheCorrectedOneCloses(t *testing.T) {
	d := dictionary(t, []float64{1}, []float64{-1})
	p := must(robust.NewProblem(d, box(-1, 1, 0.5), sparsero.Identity(1)))(t)
	printed := must(p.Design(ctx, 2, 2, &robust.DesignOptions{AsPrinted: true}))(t)
	corrected := must(p.Design(ctx, 2, 2, nil))(t)
	full := must(p.SolveFull(ctx, 2, nil))(t)
	// S = {} gives x = -1; the worst atom there is -1, after which x = 0 is optimal:
	// Φ_N(x) = x/2 + 2|x| has its minimum 0 at 0, Φ_{-1} = x/2 + 2 max(0,-x) too.
	if printed.Certified != (printed.Solution.Certificate.Bound.Float() <= 1e-6) || !near(full.Value, 0) {
		t.Fatalf("printed %+v, full %v", printed.Solution, full.Value)
	}
	if !corrected.Certified || !near(corrected.Solution.FullValue(), 0) {
		t.Fatalf("corrected design: %+v", corrected.Solution)
	}
	// Two coordinates need both atoms: the printed rule stops with half of the value missing.
	d = dictionary(t, []float64{1, 0}, []float64{0, 1})
	region := box(1, 2, 0, 0)
	region.AddRow(solver.Row{Bounds: solver.AtLeast(3), Columns: []int{0, 1}, Values: []float64{1, 1}})
	p = must(robust.NewProblem(d, region, sparsero.Identity(2)))(t)
	printed = must(p.Design(ctx, 2, 1, &robust.DesignOptions{AsPrinted: true}))(t)
	corrected = must(p.Design(ctx, 2, 1, nil))(t)
	full = must(p.SolveFull(ctx, 1, nil))(t)
	if gap := full.Value - printed.Solution.Value; printed.Certified || !near(gap, 0.5) {
		t.Fatalf("printed algorithm: gap %v, certified %v; min max(x) over x1+x2 >= 3 is 1.5, min x1 is 1", gap, printed.Certified)
	}
	if !corrected.Certified || !near(corrected.Solution.Value, 1.5) || len(corrected.Atoms) != 2 {
		t.Fatalf("corrected: value %v with atoms %v", corrected.Solution.Value, corrected.Atoms)
	}
}

// calibrationCounterexample: atoms e1 and e2, q(x) = (1-x, x), b(x) = 1.5 x.
// At r = 1 the atom e1 alone is certified; at r = 3 it is not.
func calibrationCounterexample(t testing.TB, region *solver.Model) *robust.Problem {
	d := dictionary(t, []float64{1, 0}, []float64{0, 1})
	q := must(sparsero.NewAffineMap(matrix([]float64{-1}, []float64{1}), []float64{1, 0}))(t)
	return must(robust.NewProblem(d, region, q))(t)
}

func TestCalibrationWithAChangedRadiusVoidsTheCertificate(t *testing.T) {
	p := calibrationCounterexample(t, box(0, 1, 1.5))
	first := must(p.Solve(ctx, []int{0}, 1, nil))(t)
	if !near(first.Value, 1) || first.Certificate.Bound.Float() != 0 {
		t.Fatalf("at r=1: value %v, certificate %v; want 1 and 0", first.Value, first.Certificate.Bound)
	}
	// At r = 3: Φ_S(x) = 3 - 1.5x is least at x = 1 with value 1.5 and certificate 3;
	// Φ_N(x) = 1.5x + 3 max(1-x, x) is least at 1/2 with value 2.25.
	second := must(p.Solve(ctx, []int{0}, 3, nil))(t)
	if !near(second.Value, 1.5) || !near(second.Certificate.Bound.Float(), 3) {
		t.Fatalf("at r=3: value %v, certificate %v; want 1.5 and 3", second.Value, second.Certificate.Bound)
	}
	calibrate := always(3)
	design := must(p.Design(ctx, 2, 1, &robust.DesignOptions{Calibrate: calibrate}))(t)
	if !design.Certified || design.Radius != 3 || !near(design.Solution.Value, 2.25) || len(design.Atoms) != 2 {
		t.Fatalf("corrected: radius %v, atoms %v, value %v, certified %v", design.Radius, design.Atoms, design.Solution.Value, design.Certified)
	}
	tight := must(p.Design(ctx, 1, 1, &robust.DesignOptions{Calibrate: calibrate}))(t)
	if tight.Certified || tight.Stop != "budget exhausted" || !near(tight.Solution.Certificate.Bound.Float(), 3) {
		t.Fatalf("budget 1: stop %v, certificate %v; want the bound 3 reported", tight.Stop, tight.Solution.Certificate.Bound)
	}
	printed := must(p.Design(ctx, 2, 1, &robust.DesignOptions{AsPrinted: true, Calibrate: calibrate}))(t)
	if printed.Certified || !near(printed.Solution.Value, 1.5) {
		t.Fatalf("printed: value %v, certified %v; want the uncertified 1.5", printed.Solution.Value, printed.Certified)
	}
}

// Whatever the calibration says about each set of atoms, the design ends with the
// radius of the atoms that it returns, and its certificate belongs to that radius.
func TestDesignEndsAtTheCalibratedRadiusOfItsAtoms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(t)
		growth := number(t, "growth")
		radius := func(indices []int) float64 { return math.Max(0, 1+growth*float64(len(indices))) }
		budget := rapid.IntRange(1, p.Dictionary().Size()).Draw(t, "B")
		design := get(p.Design(ctx, budget, 0, &robust.DesignOptions{ // radius 0 needs no atom, so the choice starts after calibration
			Calibrate: unpromised(radius),
		}))(t)
		if want := radius(design.Atoms); design.Radius != want || design.Solution.Radius != want {
			t.Fatalf("%d atoms: radius %v, their calibration gives %v", len(design.Atoms), design.Radius, want)
		}
		full := get(p.SolveFull(ctx, design.Radius, nil))(t)
		if design.Certified && !near(design.Solution.FullValue(), full.Value) {
			t.Fatalf("certified at %v, the full value at this radius is %v", design.Solution.FullValue(), full.Value)
		}
		last := design.Iterations[len(design.Iterations)-1]
		if !last.Calibrated || last.Radius != design.Radius {
			t.Fatalf("last iteration %+v", last)
		}
	})
}

func TestDesignStopsOnValidation(t *testing.T) {
	p := must(robust.NewProblem(dictionary(t, []float64{1, 0}, []float64{0, 1}), box(-1, 1, -0.2, -0.2), sparsero.Identity(2)))(t)
	design := must(p.Design(ctx, 2, 1, &robust.DesignOptions{Validate: func([]float64) (float64, error) { return 7, nil }}))(t)
	if design.Stop != "early validation" || design.Solves != 2 || design.Iterations[1].Risk != 7 {
		t.Fatalf("stop %v after %d solves", design.Stop, design.Solves)
	}
	broken := errors.New("no validation data")
	_, err := p.Design(ctx, 2, 1, &robust.DesignOptions{Validate: func([]float64) (float64, error) { return 0, broken }})
	if !errors.Is(err, broken) {
		t.Fatalf("error %v does not wrap the validation's", err)
	}
}

// Both algorithms go on while the risk falls, and end after it does not, with each risk in the log.
func TestDesignsEndWhereTheRiskDoesNotFall(t *testing.T) {
	atoms := [][]float64{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}
	region := box(-1, 1, -0.2, -0.21, -0.22, -0.23)
	p := must(robust.NewProblem(dictionary(t, atoms...), region, sparsero.Identity(4)))(t)
	for _, printed := range []bool{false, true} {
		for _, risks := range [][]float64{{3, 2, 2}, {3, 4}, {3, 1, 5}} {
			told := 0
			validate := func([]float64) (float64, error) { told++; return risks[told-1], nil }
			design := must(p.Design(ctx, 4, 1, &robust.DesignOptions{AsPrinted: printed, Validate: validate, Directions: matrix(atoms...)}))(t)
			if design.Stop != "early validation" || told != len(risks) || len(design.Iterations) < told {
				t.Errorf("printed %t, risks %v: %s after %d of them, %d iterations", printed, risks, design.Stop, told, len(design.Iterations))
				continue
			}
			for k, risk := range risks {
				if design.Iterations[k].Risk != risk {
					t.Errorf("printed %t: iteration %d has the risk %v, want %v", printed, k+1, design.Iterations[k].Risk, risk)
				}
			}
		}
	}
}

func TestDesignReturnsWhatItHasWhenCancelled(t *testing.T) {
	p := must(robust.NewProblem(dictionary(t, []float64{1, 0}, []float64{0, 1}), box(-1, 1, -0.2, -0.2), sparsero.Identity(2)))(t)
	cancelled, cancel := context.WithCancel(ctx)
	design := must(p.Design(cancelled, 2, 1, &robust.DesignOptions{Progress: func(robust.Iteration) { cancel() }}))(t)
	if !design.Partial || design.Stop != "interrupted" || design.Solution == nil || len(design.Iterations) == 0 {
		t.Fatalf("cancelled design: %+v", design)
	}
	if _, err := p.Design(cancelled, 2, 1, nil); !errors.Is(err, context.Canceled) {
		t.Fatalf("cancelled before the first solve: error %v", err)
	}
	if _, err := p.SolveFull(cancelled, 1, nil); !errors.Is(err, context.Canceled) {
		t.Fatalf("full model cancelled before the first solve: error %v", err)
	}
}

// The log is complete: one line per solve, atoms by label, counts that add up.
func TestDesignFrame(t *testing.T) {
	atoms := matrix([]float64{1, 0}, []float64{0, 1})
	d := must(sparsero.NewDictionary(atoms, &sparsero.DictionaryOptions{Labels: []string{"east", "north"}}))(t)
	p := must(robust.NewProblem(d, box(-1, 1, -0.2, -0.3), sparsero.Identity(2)))(t)
	start := matrix([]float64{1, 1})
	design := must(p.Design(ctx, 2, 1, &robust.DesignOptions{Directions: start}))(t)
	frame := design.Frame()
	if frame.Nrow() != design.Solves || design.OracleCalls != design.Solves+1 {
		t.Fatalf("%d rows, %d solves, %d oracle calls", frame.Nrow(), design.Solves, design.OracleCalls)
	}
	added := frame.Col("added").Records()
	if !slices.Contains(added, "east") || added[len(added)-1] != "" {
		t.Fatalf("added atoms by label: %q", added)
	}
	rows, _ := design.Directions.Dims()
	if rows < 2 {
		t.Fatalf("%d directions", rows)
	}
}

// TestDesignsAreJSON: a design without Validate has no risks, which JSON has no numbers for.
func TestDesignsAreJSON(t *testing.T) {
	p := must(robust.NewProblem(dictionary(t, []float64{1}, []float64{-2}), box(-1, 1, 0.5), sparsero.Identity(1)))(t)
	risk := 4.0
	validate := func([]float64) (float64, error) { risk /= 2; return risk, nil }
	for want, o := range map[string]*robust.DesignOptions{"null null": nil, "2 null": {Validate: validate}} {
		var read struct{ Iterations []map[string]any }
		text := must(json.Marshal(must(p.Design(ctx, 2, 1, o))(t)))(t)
		if err := json.Unmarshal(text, &read); err != nil {
			t.Fatal(err)
		}
		var risks []string
		for _, i := range read.Iterations {
			risks = append(risks, strings.ReplaceAll(fmt.Sprint(i["Risk"]), "<nil>", "null"))
		}
		if got := strings.Join(risks, " "); got != want || !strings.Contains(string(text), `"Number":1`) {
			t.Errorf("%s: %s", want, text)
		}
	}
}

// Where T says one thing and the decision another, the rule decides: (5,0) wants atom 0, the decision (1,1) misses atom 1 most.
func TestMostViolatedLooksAtTheDecision(t *testing.T) {
	p := must(robust.NewProblem(dictionary(t, []float64{1, 0}, []float64{0, 2}), box(-1, 1, -0.2, -0.3), sparsero.Identity(2)))(t)
	for rule, want := range map[robust.AtomRule]int{robust.CoverageGain: 0, robust.MostViolated: 1} {
		design := must(p.Design(ctx, 1, 1, &robust.DesignOptions{Rule: rule, Directions: matrix([]float64{5, 0}, []float64{5, 0})}))(t)
		if !slices.Equal(design.Atoms, []int{want}) || design.Solution.Rounds != 1 {
			t.Errorf("%v: atoms %v, want %d", rule, design.Atoms, want)
		}
	}
}

// TestDesignSaysWhyItEnded: a printed design is its solution and the end of the loop, not the fields of both.
func TestDesignSaysWhyItEnded(t *testing.T) {
	p := must(robust.NewProblem(dictionary(t, []float64{1, 0}, []float64{0, 2}), box(-1, 1, -0.2, -0.3), sparsero.Identity(2)))(t)
	for budget, end := range map[int]string{1: "; 2 solves, ended by: budget exhausted", 2: "ended by: certified"} {
		design := must(p.Design(ctx, budget, 1, nil))(t)
		if said := fmt.Sprint(design); !strings.HasPrefix(said, design.Solution.String()) || !strings.HasSuffix(said, end) {
			t.Errorf("budget %d: %q, want the solution and %q", budget, said, end)
		}
	}
	both := must(p.Design(ctx, 2, 1, &robust.DesignOptions{Start: []int{0, 1}}))(t)
	if said := fmt.Sprint(both); !strings.HasSuffix(said, "; 1 solve, ended by: certified") {
		t.Errorf("from both atoms: %q", said)
	}
}

// TestToleranceThatNobodyNamed: a gap of a millionth of the value ends a design, and of a ten-thousandth does not.
func TestToleranceThatNobodyNamed(t *testing.T) {
	for above, want := range map[float64]int{0x1p-24: 1, 0x1p-13: 2} {
		p := must(robust.NewProblem(dictionary(t, []float64{1}, []float64{1 + above}), box(1, 1, 0), sparsero.Identity(1)))(t)
		design := must(p.Design(ctx, 2, 1, &robust.DesignOptions{Start: []int{0}}))(t)
		if !design.Certified || len(design.Atoms) != want {
			t.Errorf("%v above: %v, want %d atoms", above, design, want)
		}
	}
}

func TestNamesOfRules(t *testing.T) {
	said := fmt.Sprint(robust.CoverageGain, robust.SmallestDeficit, robust.MostViolated, robust.AtomRule(9))
	if want := "coverage gain smallest deficit most violated AtomRule(9)"; said != want {
		t.Errorf("%s, want %s", said, want)
	}
}

// TestDesignWithoutAWorstAtom: in float64 the only alignment is -2^-61, so that no atom is the worst one, and exactly it
// is 2^-61. Which of the orders of its terms does so depends on the processor.
func TestDesignWithoutAWorstAtom(t *testing.T) {
	negative := false
	for _, order := range [][]int{{0, 1, 2}, {0, 2, 1}, {2, 0, 1}} {
		at, atom := []float64{1 + 0x1p-30, 1 + 0x1p-29, 1}, []float64{1 + 0x1p-30, -1, -0x1p-61}
		region, coordinates := solver.NewModel("one point"), make([]float64, len(order))
		for k, j := range order {
			region.AddColumn(solver.Column{Bounds: solver.Between(at[j], at[j])})
			coordinates[k] = atom[j]
		}
		d := dictionary(t, coordinates)
		for name, p := range map[string]*robust.Problem{
			"objective":  must(robust.NewProblem(d, region, sparsero.Identity(3)))(t),
			"constraint": must(robust.NewProblem(d, region, sparsero.AffineMap{}, robust.Constraint{Map: sparsero.Identity(3)}))(t),
		} {
			for _, rule := range []robust.AtomRule{robust.CoverageGain, robust.SmallestDeficit, robust.MostViolated} {
				design := must(p.Design(ctx, 1, 1, &robust.DesignOptions{Rule: rule, Tolerance: 0x1p-100}))(t)
				certificate := design.Solution.Certificate
				if name == "constraint" {
					certificate = design.Solution.Constraints[0].Certificate
				}
				negative = negative || certificate.WorstAtom == sparsero.NullAtom
				if certificate.Bound.Float()+certificate.Restricted < 0x1p-61 {
					t.Errorf("%s, %v: %+v hides the alignment 2^-61", name, rule, certificate)
				}
			}
		}
	}
	if !negative {
		t.Error("no order makes the alignment negative; find numbers that do")
	}
}

// TestToleranceIsAShareOfTheValue: an offset that all but cancels the terms, or makes the value negative, makes no gap look smaller.
func TestToleranceIsAShareOfTheValue(t *testing.T) {
	atoms := must(sparsero.NewDictionary(mat.NewDense(6, 2, []float64{3, 0, 2.9, 0.3, 2, 2, 0, 3, 0.4, 2.8, 1.8, 2.3}), nil))(t)
	for _, offset := range []float64{0, -1, -1.9, -3, -1000} {
		region := solver.NewModel("offset")
		region.AddColumn(solver.Column{Bounds: solver.AtLeast(0), Cost: 0.1})
		region.AddColumn(solver.Column{Bounds: solver.AtLeast(0)})
		region.AddRow(solver.Row{Bounds: solver.Equal(1), Columns: []int{0, 1}, Values: []float64{1, 1}})
		region.SetOffset(offset)
		p := must(robust.NewProblem(atoms, region, sparsero.Identity(2)))(t)
		for _, tolerance := range []float64{0.3, 0.01, 1e-4} {
			d := must(p.Design(ctx, 6, 1, &robust.DesignOptions{Tolerance: tolerance}))(t)
			gap, value := must(d.Solution.GapBound())(t).Float(), d.Solution.FullValue()
			if !d.Certified || gap > tolerance*math.Abs(value)*(1+1e-9)+1e-9*math.Abs(offset) {
				t.Errorf("offset %v, tolerance %v: certified %v with a gap of %v at value %v", offset, tolerance, d.Certified, gap, value)
			}
		}
	}
}

// Units of a robust constraint, powers of two, change neither the atoms of a design nor their order.
func TestDesignsDoNotDependOnUnitsOfConstraints(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 3))
	for range 5 {
		d := must(sparsero.NewDictionary(normals(random, 12, 3), nil))(t)
		first, second := normals(random, 3, 2), normals(random, 3, 2)
		design := func(rule robust.AtomRule, exponent int) *robust.Design {
			size := math.Ldexp(1, exponent)
			demand := box(0, 4, 1, 1.25)
			demand.AddRow(solver.Row{Name: "demand", Bounds: solver.AtLeast(4), Columns: []int{0, 1}, Values: []float64{1, 1}})
			scaled := mat.NewDense(3, 2, nil)
			scaled.Scale(size, second)
			p := must(robust.NewProblem(d, demand, sparsero.AffineMap{},
				robust.Constraint{Name: "first", Nominal: []float64{1, 1}, Map: sparsero.AffineMap{Matrix: first}, Limit: 9},
				robust.Constraint{Name: "second", Nominal: []float64{size, 2 * size}, Map: sparsero.AffineMap{Matrix: scaled}, Limit: 12 * size},
			))(t)
			return must(p.Design(ctx, 6, 0.5, &robust.DesignOptions{Rule: rule}))(t)
		}
		for _, rule := range []robust.AtomRule{robust.CoverageGain, robust.SmallestDeficit} {
			plain := design(rule, 0)
			for _, exponent := range []int{30, -30} {
				if other := design(rule, exponent); !slices.Equal(other.Solution.Atoms, plain.Solution.Atoms) {
					t.Errorf("rule %v: atoms %v, and %v in units of 2^%d", rule, plain.Solution.Atoms, other.Solution.Atoms, exponent)
				}
			}
		}
	}
}

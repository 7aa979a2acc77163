package robust_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/robust"
	"pgregory.net/rapid"
)

// drawConstrained draws a problem with an uncertain objective and one or two
// robust constraints, which may be infeasible.
func drawConstrained(t *rapid.T) *robust.Problem {
	d, region := drawDictionary(t), drawRegion(t)
	var constraints []robust.Constraint
	for range rapid.IntRange(1, 2).Draw(t, "K") {
		constraints = append(constraints, robust.Constraint{
			Nominal: numbers(t, region.Columns(), "a"), Limit: number(t, "limit"), Map: drawMap(t, d.Dim(), region.Columns()),
		})
	}
	return get(robust.NewProblem(d, region, drawMap(t, d.Dim(), region.Columns()), constraints...))(t)
}

// leastViolation is the smallest possible largest violation of the robust
// constraints over X, negative if there is room: an independent program.
func leastViolation(t *rapid.T, p *robust.Problem, indices []int, radius float64) float64 {
	model := p.Region().Clone()
	for j := range p.Region().Columns() {
		model.SetCost(j, 0)
	}
	violation := model.AddColumn(solver.Column{Bounds: solver.Between(-1e3, 1e3), Cost: 1})
	for _, c := range p.Constraints() {
		for _, atom := range append([]int{sparsero.NullAtom}, indices...) {
			row := demandRow(t, p, robust.Demand{Constraint: c.Name, Atom: atom}, radius)
			row.Columns, row.Values = append(row.Columns, violation), append(row.Values, -1)
			model.AddRow(row)
		}
	}
	result := get(solver.Solve(ctx, model, nil))(t)
	if err := result.Check(); err != nil {
		t.Fatal(err)
	}
	return result.Objective - p.Region().Offset()
}

// The explanation agrees with the least violation: up to the largest radius the
// constraints can be satisfied, beyond it they cannot.
func TestExplainFindsTheLargestRadius(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, radius := drawConstrained(t), drawRadius(t)
		indices := drawSubset(t, p.Dictionary().Size())
		e := get(p.Explain(ctx, indices, radius, nil))(t)
		const accuracy = 1e-6 // above the 1e-7 by which solvers may violate a row
		if violation := leastViolation(t, p, indices, radius); e.Feasible && violation > accuracy || !e.Feasible && violation < -accuracy {
			t.Fatalf("least violation %v, explained: %v", violation, e)
		}
		below, above := e.LargestRadius.Float()*(1-1e-4), math.Max(e.LargestRadius.Float(), e.UnattainedRadius.Float())*(1+1e-4)+1e-4
		switch {
		case math.IsInf(e.LargestRadius.Float(), -1):
			below, above = 0, 0
		case math.IsInf(e.LargestRadius.Float(), 1):
			below, above = 50, math.NaN()
		}
		if violation := leastViolation(t, p, indices, below); violation > accuracy && !math.IsInf(e.LargestRadius.Float(), -1) {
			t.Fatalf("least violation %v at radius %v, the largest is %v", violation, below, e.LargestRadius.Float())
		}
		if math.IsNaN(above) {
			return
		}
		if violation := leastViolation(t, p, indices, above); violation < -accuracy {
			t.Fatalf("least violation %v at radius %v, the largest is %v", violation, above, e.LargestRadius.Float())
		}
	})
}

// The conflict is infeasible, and without any one of its rows it is feasible. The
// rows are rebuilt here from their meaning.
func TestExplainedConflictIsMinimal(t *testing.T) {
	infeasible := 0
	rapid.Check(t, func(t *rapid.T) {
		p, radius := drawConstrained(t), drawRadius(t)
		e := get(p.Explain(ctx, everyAtom(p.Dictionary()), radius, nil))(t)
		if e.Feasible || e.RegionEmpty {
			if len(e.Conflict) > 0 {
				t.Fatalf("conflict %v in a feasible model", e.Conflict)
			}
			return
		}
		infeasible++
		satisfiable := func(without int) bool {
			model := p.Region().Clone()
			for k, demand := range e.Conflict {
				if k != without {
					model.AddRow(demandRow(t, p, demand, radius))
				}
			}
			return get(solver.Solve(ctx, model, nil))(t).X != nil
		}
		if satisfiable(-1) {
			t.Fatalf("the conflict %v can be satisfied", e.Conflict)
		}
		for k := range e.Conflict {
			if !satisfiable(k) {
				t.Fatalf("row %d of the conflict %v is not needed", k, e.Conflict)
			}
		}
	})
	if infeasible == 0 && !testing.Short() { // short runs draw too few cases to count on one
		t.Fatal("no infeasible model was drawn")
	}
}

func demandRow(t *rapid.T, p *robust.Problem, demand robust.Demand, radius float64) solver.Row {
	for _, c := range p.Constraints() {
		if c.Name != demand.Constraint {
			continue
		}
		atom := p.Dictionary().Atom(demand.Atom)
		row := solver.Row{Bounds: solver.AtMost(c.Limit)}
		for j := range p.Region().Columns() {
			value := c.Nominal[j]
			for k, v := range atom {
				value += radius * v * c.Map.Matrix.At(k, j)
			}
			row.Columns, row.Values = append(row.Columns, j), append(row.Values, value)
		}
		if c.Map.Constant != nil {
			row.Bounds = solver.AtMost(row.Upper() - radius*inner(atom, c.Map.Constant))
		}
		return row
	}
	t.Fatalf("unknown constraint %q", demand.Constraint)
	return solver.Row{}
}

// With robust constraints: cutting planes against all rows, the corrected design
// against the full model, and infeasibility found by all of them alike.
func TestConstrainedModelsAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, radius := drawConstrained(t), drawRadius(t)
		whole, err := p.Solve(ctx, everyAtom(p.Dictionary()), radius, nil)
		full, errFull := p.SolveFull(ctx, radius, &robust.Options{CutsPerRound: 1})
		design, errDesign := p.Design(ctx, p.Dictionary().Size(), radius, nil)
		if errors.Is(err, solver.ErrInfeasible) {
			if !errors.Is(errFull, solver.ErrInfeasible) || !errors.Is(errDesign, solver.ErrInfeasible) {
				t.Fatalf("infeasible, but cutting planes say %v, the design %v", errFull, errDesign)
			}
			return
		}
		whole, full, design = get(whole, err)(t), get(full, errFull)(t), get(design, errDesign)(t)
		if !near(whole.Value, full.Value) || !full.FullFeasible() {
			t.Fatalf("all rows %v, cutting planes %v, feasible %v", whole.Value, full.Value, full.FullFeasible())
		}
		if !design.Certified || !near(design.Solution.FullValue(), whole.Value) {
			t.Fatalf("design %v (%v), all rows %v", design.Solution.FullValue(), design.Stop, whole.Value)
		}
	})
}

func ExampleProblem_Explain() {
	d, err := sparsero.NewDictionary(columns(2, 1, 0, 0, 1), &sparsero.DictionaryOptions{Labels: []string{"heat", "frost"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	region := solver.NewModel("plan")
	region.AddColumn(solver.Column{Name: "north", Bounds: solver.Between(0, 4), Cost: 1})
	region.AddColumn(solver.Column{Name: "south", Bounds: solver.Between(0, 4), Cost: 1})
	region.AddRow(solver.Row{Name: "demand", Bounds: solver.AtLeast(4), Columns: []int{0, 1}, Values: []float64{1, 1}})
	load := robust.Constraint{Name: "load", Nominal: []float64{1, 1}, Map: sparsero.Identity(2), Limit: 5}
	p, err := robust.NewProblem(d, region, sparsero.AffineMap{}, load)
	if err != nil {
		fmt.Println(err)
		return
	}
	explanation, err := p.ExplainFull(ctx, 1, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(strings.ReplaceAll(explanation.String(), "; ", ";\n"))
	// Output:
	// the model with 2 atoms at radius 1 is infeasible: no x in X satisfies "load" against atom heat, "load" against atom frost;
	// the largest feasible radius is 0.5, so lower the radius to that, drop one of these atoms, or relax a limit
}

// The radius that an explanation prints is feasible.
func TestPrintedRadiusIsFeasible(t *testing.T) {
	for k := 1; k <= 60; k++ {
		p := must(robust.NewProblem(dictionary(t, []float64{float64(k)}), box(1, 2, 1), sparsero.AffineMap{},
			robust.Constraint{Name: "load", Map: sparsero.Identity(1), Limit: 2}))(t)
		text := must(p.Explain(ctx, []int{0}, 10, nil))(t).String()
		_, text, _ = strings.Cut(text, "largest feasible radius is ")
		var radius float64
		if _, err := fmt.Sscanf(text, "%g", &radius); err != nil || radius < 1.99999/float64(k) {
			t.Fatalf("radius %v: %v", radius, err)
		}
		if _, err := p.Solve(ctx, []int{0}, radius, nil); err != nil {
			t.Errorf("radius %v is not feasible: %v", radius, err)
		}
	}
}

// What is not known of the largest radius is said without rounding it away.
func TestDoubtsOfAnExplanation(t *testing.T) {
	known := robust.Explanation{Feasible: true, LargestRadius: proof.AtLeast(2. / 3), UnattainedRadius: proof.AtMost(4. / 3), Unknown: solver.ErrLimit}
	unknown := robust.Explanation{UnattainedRadius: proof.AtMost(2. / 3), Unknown: solver.ErrLimit}
	for text, want := range map[string]string{known.String(): "radius 0.666666 or more, but below 1.33334 (", unknown.String(): "a radius below 0.666666 is"} {
		if !strings.Contains(text, want) {
			t.Errorf("%s; want %q", text, want)
		}
	}
}

// A constraint that the nominal model misses by 4e-9 of its own terms is not feasible because
// an atom makes its terms larger: without the atom as with it.
func TestExplainOfANominalConstraintMissedByAHair(t *testing.T) {
	region := solver.NewModel("X")
	region.AddColumn(solver.Column{Bounds: solver.Between(0, 2)})
	q := sparsero.AffineMap{Matrix: matrix([]float64{3}, []float64{2}, []float64{-1}), Constant: []float64{3, -1, -2}}
	c := robust.Constraint{Nominal: []float64{-1}, Map: q, Limit: -2.000000009}
	p := must(robust.NewProblem(dictionary(t, []float64{3, 0, -3}), region, sparsero.AffineMap{}, c))(t)
	if e := must(p.ExplainFull(ctx, 1, nil))(t); e.Feasible || !math.IsInf(e.LargestRadius.Float(), -1) {
		t.Errorf("the full model: %v", e)
	}
	for _, radius := range []float64{0, 1, 1000} {
		if e := must(p.Explain(ctx, nil, radius, nil))(t); e.Feasible || !math.IsInf(e.LargestRadius.Float(), -1) {
			t.Errorf("no atoms at radius %v: %v", radius, e)
		}
	}
}

// Slack counts in the terms of the atom at hand: beside a large one that does no harm a small
// atom limits the radius to six digits.
func TestLargestRadiusOfASmallAtomBesideALargeOne(t *testing.T) {
	region := solver.NewModel("X")
	region.AddColumn(solver.Column{Bounds: solver.Equal(2)})
	q := sparsero.AffineMap{Matrix: matrix([]float64{-0.7187}), Constant: []float64{1.4257}}
	c := robust.Constraint{Nominal: []float64{-0.529}, Map: q, Limit: 1.977}
	p := must(robust.NewProblem(dictionary(t, []float64{2.04}, []float64{-0.0035}), region, sparsero.AffineMap{}, c))(t)
	want := (1.977 + 2*0.529) / (0.0035 * (2*0.7187 - 1.4257))
	if e := must(p.ExplainFull(ctx, 1, nil))(t); !e.Feasible || math.Abs(e.LargestRadius.Float()/want-1) > 2e-6 {
		t.Errorf("largest radius %v, want %v", e.LargestRadius.Float(), want)
	}
}

// One atom is almost harmless at a point where another does harm: the radius that the first
// allows by rounding, 1e9, is not that of the dictionary.
func TestExplainFullFindsTheAtomThatDoesHarm(t *testing.T) {
	region := solver.NewModel("X")
	region.AddColumn(solver.Column{Bounds: solver.Between(-1, 2)})
	region.AddColumn(solver.Column{Bounds: solver.Between(-3, -1)})
	d := dictionary(t, []float64{6.260175421921266e-11, 1.9999999785430185, 1.0000000000000504, -2.000000001495785}, []float64{-1.999999972449707, -1.999999999998458, 3, 2.999999999999978})
	q := sparsero.AffineMap{Matrix: matrix([]float64{-2, 2}, []float64{2, 2}, []float64{1, -3}, []float64{0, 3}), Constant: []float64{-3, 1, 0, 1}}
	c := robust.Constraint{Nominal: []float64{-2, 2}, Map: q, Limit: 9.625420364116819}
	objective := sparsero.AffineMap{Matrix: matrix([]float64{-3, -2}, []float64{-3, -2}, []float64{-3, 2}, []float64{-2, 3})}
	p := must(robust.NewProblem(d, region, objective, c))(t)
	options := &robust.Options{Solver: &solver.Options{Backend: solver.PureGo}}
	full := must(p.ExplainFull(ctx, 0.5, options))(t)
	all := must(p.Explain(ctx, []int{0, 1}, 0.5, options))(t)
	if math.Abs(full.LargestRadius.Float()-all.LargestRadius.Float()) > 3e-6*all.LargestRadius.Float() {
		t.Errorf("largest radius %v, with all atoms at once %v", full.LargestRadius.Float(), all.LargestRadius.Float())
	}
}

// Some explanations of the full model: bad arguments are errors, and what no radius mends is said whatever the atoms.
func TestExplainFullWithoutARadius(t *testing.T) {
	d := dictionary(t, []float64{1}, []float64{2})
	full := robust.Constraint{Name: "load", Nominal: []float64{1}, Map: sparsero.Identity(1), Limit: 0.5}
	p := must(robust.NewProblem(d, box(1, 2, 1), sparsero.AffineMap{}, full))(t)
	if _, err := p.ExplainFull(ctx, -1, nil); err == nil {
		t.Error("radius -1: no error")
	}
	start := &robust.Options{Start: []int{0, 1}}
	e := must(p.ExplainFull(ctx, 1, start))(t)
	checkMessage(t, "nominally infeasible", errors.New(e.String()), "radius 0 too")
	if e.Feasible || e.RegionEmpty || !math.IsInf(e.LargestRadius.Float(), -1) || !slices.Equal(e.Atoms, start.Start) {
		t.Errorf("nominally infeasible: %+v", e)
	}
	empty := box(1, 2, 1)
	empty.AddRow(solver.Row{Bounds: solver.AtLeast(3), Columns: []int{0}, Values: []float64{1}})
	p = must(robust.NewProblem(d, empty, sparsero.AffineMap{}, full))(t)
	if e := must(p.ExplainFull(ctx, 1, start))(t); !e.RegionEmpty || e.Conflict != nil {
		t.Errorf("empty region: %+v", e)
	}
}

// The bisection ends at a radius that a point attains, here the exact one, and tries the radius above it first.
func TestLargestRadiusTakesFewSolves(t *testing.T) {
	region := box(0, 4, 1, 1)
	region.AddRow(solver.Row{Bounds: solver.AtLeast(4), Columns: []int{0, 1}, Values: []float64{1, 1}})
	load := robust.Constraint{Nominal: []float64{1, 1}, Map: sparsero.Identity(2), Limit: 5}
	p := must(robust.NewProblem(dictionary(t, []float64{1, 0}, []float64{0, 1}), region, sparsero.AffineMap{}, load))(t)
	const many = 1000
	left := many
	e := must(p.Explain(ctx, []int{0, 1}, 0.25, &robust.Options{Solver: &solver.Options{Backend: fragile{&left, false}}}))(t)
	if solves := many - left; math.Abs(e.LargestRadius.Float()-0.5) > 1e-12 || solves > 10 {
		t.Errorf("largest radius %v after %d solves", e.LargestRadius.Float(), solves)
	}
}

// A radius is the largest although a point that is small beside the bounds of the columns does the harm.
func TestLargestRadiusOfASmallPoint(t *testing.T) {
	for _, least := range []float64{1e-3, 1e-8, 1e-10, 1e-14} {
		p := must(robust.NewProblem(dictionary(t, []float64{1}), box(least, 1, 0), sparsero.AffineMap{}, robust.Constraint{Map: sparsero.Identity(1), Limit: 1}))(t)
		for name, explain := range map[string]func() (*robust.Explanation, error){
			"Explain":     func() (*robust.Explanation, error) { return p.Explain(ctx, []int{0}, 1, nil) },
			"ExplainFull": func() (*robust.Explanation, error) { return p.ExplainFull(ctx, 1, nil) },
		} {
			e := must(explain())(t)
			if want := 1 / least; !e.Feasible || math.Abs(e.LargestRadius.Float()-want) > 1e-6*want {
				t.Errorf("%s from %v: %v, want the largest radius %v", name, least, e, want)
			}
		}
	}
}

// TestRadiiWithinTheTolerance: the two rows touch at radius 10, and beyond they miss each other by less than 1e-9 of their terms up to
// 12. The explanation once said "up to radius 9.64827" of that.
func TestRadiiWithinTheTolerance(t *testing.T) {
	region := solver.NewModel("two columns")
	region.AddColumn(solver.Column{Bounds: solver.Between(-1, 1)})
	region.AddColumn(solver.Column{Bounds: solver.Between(-1, 2)})
	p := must(robust.NewProblem(dictionary(t, []float64{-0.75, -1.25}, []float64{0.25, 0.75}), region, sparsero.AffineMap{},
		robust.Constraint{Nominal: []float64{-1.25, -1.25}, Map: sparsero.AffineMap{Matrix: matrix([]float64{0.75, -0.75}, []float64{0.5, 0.5}), Constant: []float64{0.25, 0}}},
		robust.Constraint{Map: sparsero.AffineMap{Matrix: matrix([]float64{1, 0}, []float64{1, 0}), Constant: []float64{1.25, -0.5}}, Limit: 0.25}))(t)
	e := must(p.Explain(ctx, []int{0, 1}, 0, nil))(t)
	if e.Unknown != nil || e.LargestRadius.Float() > 10*(1+1e-6) || e.UnattainedRadius.Float() < 10 {
		t.Fatalf("%+v, want a radius of 10 between the two", e)
	}
	if e.UnattainedRadius.Float() > 1.001*e.LargestRadius.Float() {
		checkMessage(t, "touching rows", errors.New(e.String()), "for certain, and below 12")
	}
}

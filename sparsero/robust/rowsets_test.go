package robust_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/calibration"
	"github.com/sparsero/directions/sparsero/robust"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// ownSets is a problem whose constraints have atoms of their own, with the parts that it was built from.
type ownSets struct {
	d       *sparsero.Dictionary // nil with a certain objective
	region  *solver.Model
	q       sparsero.AffineMap
	parts   []robust.Constraint
	problem *robust.Problem
}

func drawOwnSets(t *rapid.T) ownSets {
	o := ownSets{region: drawRegion(t)}
	n := o.region.Columns()
	if rapid.Bool().Draw(t, "uncertain objective") {
		o.d = drawDictionary(t)
		o.q = drawMap(t, o.d.Dim(), n)
	}
	for k := range rapid.IntRange(1, 3).Draw(t, "constraints") {
		c := robust.Constraint{
			Name: fmt.Sprintf("row %d", k), Nominal: numbers(t, n, "nominal"), Limit: 4 + number(t, "limit"),
			Dictionary: drawDictionary(t), Radius: rapid.SampledFrom([]float64{0, 0.25, 1, 3, 0.7}).Draw(t, "radius"),
		}
		if c.Dictionary.Dim() > 0 && o.d != nil && rapid.IntRange(0, 3).Draw(t, "shared") == 0 {
			c.Dictionary, c.Radius = nil, 0
			c.Map = drawMap(t, o.d.Dim(), n)
		} else {
			if k > 0 && o.parts[k-1].Dictionary != nil && rapid.Bool().Draw(t, "that of the row before") {
				c.Dictionary, c.Radius = o.parts[k-1].Dictionary, o.parts[k-1].Radius
			}
			c.Map = drawMap(t, c.Dictionary.Dim(), n)
		}
		o.parts = append(o.parts, c)
	}
	o.problem = get(robust.NewProblem(o.d, o.region, o.q, o.parts...))(t)
	return o
}

// Rows that share a dictionary, the problem's among them, have its atoms once: the cost of a thousand rows is that of their maps.
func TestSharedDictionariesAreStoredOnce(t *testing.T) {
	d, other := dictionary(t, []float64{1, 0}, []float64{0, 1}), dictionary(t, []float64{1, 1, 1})
	rows := make([]robust.Constraint, 1000)
	for k := range rows {
		rows[k] = robust.Constraint{Map: sparsero.Identity(2), Limit: 5, Dictionary: d, Radius: 1}
	}
	rows[3] = robust.Constraint{Map: sparsero.AffineMap{Matrix: mat.NewDense(3, 2, nil)}, Limit: 5, Dictionary: other, Radius: 2}
	rows[4] = robust.Constraint{Map: sparsero.Identity(2), Limit: 5, Dictionary: d, Radius: 2}
	p := must(robust.NewProblem(d, box(0, 1, 1, 1), sparsero.Identity(2), rows...))(t)
	if got := p.Dictionary(); got.Size() != 5 || got.Dim() != 7 {
		t.Fatalf("%d atoms of dimension %d, want 5 of dimension 7: labels %v", got.Size(), got.Dim(), got.Labels())
	}
}

// byHand is the robust counterpart written from the parts, a row for each atom of each set.
func (o ownSets) byHand(radius float64) *solver.Model {
	m := o.region.Clone()
	n := m.Columns()
	against := func(row solver.Row, q sparsero.AffineMap, atom []float64, radius, limit float64, nominal []float64) {
		for j := range n {
			v := 0.0
			if nominal != nil {
				v = nominal[j]
			}
			row.Columns = append(row.Columns, j)
			row.Values = append(row.Values, v+radius*mat.Dot(mat.NewVecDense(len(atom), atom), q.Matrix.ColView(j)))
		}
		if q.Constant != nil {
			limit -= radius * floats.Dot(atom, q.Constant)
		}
		row.Bounds = solver.AtMost(limit)
		m.AddRow(row)
	}
	if o.d != nil {
		t := m.AddColumn(solver.Column{Name: "t", Bounds: solver.AtLeast(0), Cost: radius})
		for i := range o.d.Size() {
			against(solver.Row{Columns: []int{t}, Values: []float64{-1}}, o.q, o.d.Atom(i), 1, 0, nil)
		}
	}
	for _, c := range o.parts {
		atoms, own := c.Dictionary, c.Radius
		if atoms == nil {
			atoms = o.d
		}
		if own == 0 {
			own = 1
		}
		against(solver.Row{}, c.Map, make([]float64, atoms.Dim()), 0, c.Limit, c.Nominal)
		for i := range atoms.Size() {
			against(solver.Row{}, c.Map, atoms.Atom(i), radius*own, c.Limit, c.Nominal)
		}
	}
	return m
}

// TestOwnSetsEqualTheCounterpartByHand: the value of the full model is that of the counterpart that is written from the
// parts, and the file of the solution is valid for the checker that knows nothing of robust.
func TestOwnSetsEqualTheCounterpartByHand(t *testing.T) {
	folder := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		o, radius := drawOwnSets(t), drawRadius(t)
		want := get(solver.Solve(ctx, o.byHand(radius), nil))(t)
		full, err := o.problem.SolveFull(ctx, radius, nil)
		if want.Status == solver.Infeasible || err != nil {
			if want.Status != solver.Infeasible || err == nil {
				t.Fatalf("by hand %v, SolveFull: %v", want, err)
			}
			return
		}
		if !near(full.Value, want.Objective) {
			t.Fatalf("value %v, by hand %v", full.Value, want.Objective)
		}
		read := get(robust.SolutionOf(saved(t, folder, full)))(t)
		if !near(read.FullValue(), full.FullValue()) || !slices.Equal(read.Labels(), full.Labels()) {
			t.Fatalf("the file says %v %q, not %v %q", read.FullValue(), read.Labels(), full.FullValue(), full.Labels())
		}
	})
}

// TestDesignOverOwnSets: gap + regret = r Δ in the objective, the bound is not below the true gap, and each chosen atom
// counts in the rows of its dictionary alone.
func TestDesignOverOwnSets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o, radius := drawOwnSets(t), drawRadius(t)
		rule := rapid.SampledFrom([]robust.AtomRule{robust.CoverageGain, robust.MostViolated, robust.SmallestDeficit}).Draw(t, "rule")
		p := o.problem
		budgets := map[string]int{}
		for _, c := range p.Constraints() {
			budgets[c.Name] = rapid.IntRange(0, 4).Draw(t, "budget")
		}
		design, err := p.Design(ctx, p.Dictionary().Size(), radius, &robust.DesignOptions{Rule: rule, RowBudgets: budgets})
		if err != nil {
			return // infeasible
		}
		for name, most := range budgets {
			inRow := 0
			for k, label := range design.Solution.Labels() {
				q := p.Constraints()[slices.IndexFunc(o.parts, func(c robust.Constraint) bool { return c.Name == name })].Map
				if counts(q, p.Dictionary().Atom(design.Atoms[k])) {
					inRow++
					if strings.HasPrefix(label, "row ") && o.parts[label[4]-'0'].Dictionary != o.parts[name[4]-'0'].Dictionary {
						t.Fatalf("atom %q counts in %q", label, name)
					}
				}
			}
			if inRow > most {
				t.Fatalf("%d atoms count in %q, the budget is %d", inRow, name, most)
			}
		}
		full, err := p.SolveFull(ctx, radius, nil)
		bound, open := design.Solution.GapBound()
		if err != nil || open != nil {
			return
		}
		if gap := full.LowerBound.Float() - design.Solution.Value; gap > bound.Float() {
			t.Fatalf("gap %v above its bound %v", gap, bound)
		}
		if design.Certified && !near(full.Value, design.Solution.Value) {
			t.Fatalf("certified at %v, but the full model has %v", design.Solution.Value, full.Value)
		}
	})
}

// twoSuppliers has a row of prices and one of deliveries, each with a set of its own, and an uncertain right-hand side.
func twoSuppliers(t testing.TB) *robust.Problem {
	region := box(0, 10, 2, 3)
	prices := must(sparsero.NewDictionary(matrix([]float64{1, 0}, []float64{0, 1}), &sparsero.DictionaryOptions{Labels: []string{"strike", "frost"}}))(t)
	demand := must(sparsero.NewDictionary(matrix([]float64{1}, []float64{-1}), &sparsero.DictionaryOptions{Labels: []string{"rush", "lull"}}))(t)
	none := sparsero.AffineMap{Matrix: mat.NewDense(1, 2, nil), Constant: []float64{1}} // only the right-hand side
	return must(robust.NewProblem(nil, region, sparsero.AffineMap{},
		robust.Constraint{Name: "prices", Map: sparsero.Identity(2), Limit: 30, Nominal: []float64{2, 3}, Dictionary: prices, Radius: 0.5},
		robust.Constraint{Name: "demand", Map: none, Limit: -5, Nominal: []float64{-1, -1}, Dictionary: demand, Radius: 2}))(t)
}

// TestRowsByName: right-hand side, labels, reports, explanation, required radii and violations speak of each row by name.
// Demand is 5 + u with |u| <= 2 r, so that 7 are bought at price 2: at r = 1 the cost is 14.
func TestRowsByName(t *testing.T) {
	p := twoSuppliers(t)
	s := must(p.SolveFull(ctx, 1, nil))(t)
	if math.Abs(s.Value-14) > tolerance || !slices.Contains(s.Labels(), "demand: rush") {
		t.Errorf("%v with atoms %q", s, s.Labels())
	}
	if got := p.Dictionary().Columns(); !slices.Equal(got, []string{"prices: u0", "prices: u1", "demand: u0"}) {
		t.Errorf("columns %q", got)
	}
	rows := must(s.RowSamples(matrix([]float64{0.5, 0, 1}, []float64{100, 0, 2.5})))(t)
	if len(rows) != 3 || rows[0].Row != "prices" || rows[1].Row != "demand" || rows[2].Row != "all rows" {
		t.Fatalf("%+v", rows)
	}
	if r := rows[1].Radii; math.Abs(r[0]-0.5) > tolerance || math.Abs(r[1]-1.25) > tolerance {
		t.Errorf("required radii of demand %v, want 0.5 and 1.25", r)
	}
	if e := rows[1].Excess; e[0] != 0 || math.Abs(e[1]-0.5) > tolerance {
		t.Errorf("excess of demand %v, want 0 and 0.5", e)
	}
	if v := must(calibration.CountViolations(rows[2].Excess, 0, 0.95))(t); v.Violations != 1 || v.Samples != 2 {
		t.Errorf("violations of any row: %+v", v)
	}
	if joint := must(s.RequiredRadii(matrix([]float64{0.5, 0, 1})))(t); joint[0] != math.Max(rows[0].Radii[0], rows[1].Radii[0]) {
		t.Errorf("joint radius %v of %v and %v", joint, rows[0].Radii, rows[1].Radii)
	}
	e := must(p.ExplainFull(ctx, 20, nil))(t)
	if e.Feasible || !strings.Contains(e.String(), `"demand" against atom demand: rush`) {
		t.Error(e)
	}
}

// TestOwnSetsRefuse what does not fit, with the row's name.
func TestOwnSetsRefuse(t *testing.T) {
	d := dictionary(t, []float64{1, 0})
	row := robust.Constraint{Name: "demand", Map: sparsero.Identity(2), Dictionary: d}
	for name, change := range map[string]func(c *robust.Constraint){
		"Radius -1":   func(c *robust.Constraint) { c.Radius = -1 },
		"Radius +Inf": func(c *robust.Constraint) { c.Radius = math.Inf(1) },
		"Radius 2":    func(c *robust.Constraint) { c.Radius, c.Dictionary = 2, d; c.Dictionary = nil },
		"dictionary":  func(c *robust.Constraint) { c.Dictionary = nil },
		"map of q":    func(c *robust.Constraint) { c.Dictionary = dictionary(t, []float64{1}) },
	} {
		c := row
		change(&c)
		dictionary := (*sparsero.Dictionary)(nil)
		if name == "Radius 2" {
			dictionary = d
		}
		if _, err := robust.NewProblem(dictionary, box(0, 1, 1, 1), sparsero.AffineMap{}, c); err == nil || !strings.Contains(err.Error(), "demand") {
			t.Errorf("%s: %v", name, err)
		}
	}
	again := row
	again.Dictionary = dictionary(t, []float64{0, 1})
	if _, err := robust.NewProblem(nil, box(0, 1, 1, 1), sparsero.AffineMap{}, row, again); err == nil || !strings.Contains(err.Error(), "demand") {
		t.Error(err)
	}
	p := twoSuppliers(t)
	if _, err := p.Design(ctx, 1, 1, &robust.DesignOptions{RowBudgets: map[string]int{"costs": 1}}); err == nil || !strings.Contains(err.Error(), "RowBudgets") {
		t.Error(err)
	}
	row.Dictionary = nil
	twice, err := robust.NewProblem(d, box(0, 1, 1, 1), sparsero.AffineMap{}, row, row)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := twice.Design(ctx, 1, 1, &robust.DesignOptions{RowBudgets: map[string]int{row.Name: 1}}); err == nil || !strings.Contains(err.Error(), "two uncertain rows") {
		t.Error(err)
	}
}

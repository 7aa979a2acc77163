package certificate_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/proof/directed"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/certificate"
	"pgregory.net/rapid"
)

// drawRegion is a box around the origin cut by a few rows that keep the origin.
func drawRegion(t *rapid.T) *solver.Model {
	n := rapid.IntRange(1, 3).Draw(t, "n")
	m := solver.NewModel("random polytope")
	columns := make([]int, n)
	for j := range n {
		columns[j] = m.AddColumn(solver.Column{Bounds: solver.Between(-1, 1+float64(j))})
	}
	for range rapid.IntRange(0, 3).Draw(t, "rows") {
		row := solver.Row{Bounds: solver.AtMost(math.Abs(number(t, "limit"))), Columns: columns, Values: numbers(t, n, "row")}
		if rapid.Bool().Draw(t, "ranged") {
			row.Bounds = solver.Between(-math.Abs(number(t, "lower limit")), row.Upper())
		}
		m.AddRow(row)
	}
	return m
}

func drawMap(t *rapid.T, p, n int) sparsero.AffineMap {
	var constant []float64
	if rapid.Bool().Draw(t, "affine") {
		constant = numbers(t, p, "constant")
	}
	rows := make([][]float64, p)
	for i := range rows {
		rows[i] = numbers(t, n, "q")
	}
	return get(sparsero.NewAffineMap(matrix(rows...), constant))(t)
}

// deficitOfAtom is U_i by a linear program written down independently, one per
// atom, without pruning or warm starts.
func deficitOfAtom(t *rapid.T, set *sparsero.AtomicSet, region *solver.Model, q sparsero.AffineMap, i int) float64 {
	p, n := q.Dims()
	model := solver.NewModel("deficit")
	model.SetMaximize(true)
	for j := range n {
		c := region.Column(j)
		model.AddColumn(solver.Column{Bounds: c.Bounds})
	}
	for k := range p { // the coordinates of s = q(x)
		model.AddColumn(solver.Column{Cost: set.Dictionary().Atom(i)[k]})
	}
	level := model.AddColumn(solver.Column{Bounds: solver.AtLeast(0), Cost: -1})
	for r := range region.Rows() {
		model.AddRow(region.Row(r))
	}
	for k := range p {
		constant := 0.0
		if q.Constant != nil {
			constant = q.Constant[k]
		}
		row := solver.Row{Bounds: solver.Equal(constant), Columns: []int{n + k}, Values: []float64{1}}
		for j := range n {
			row.Columns, row.Values = append(row.Columns, j), append(row.Values, -q.Matrix.At(k, j))
		}
		model.AddRow(row)
	}
	for _, j := range set.Atoms() {
		row := solver.Row{Bounds: solver.AtLeast(0), Columns: []int{level}, Values: []float64{1}}
		for k, v := range set.Dictionary().Atom(j) {
			row.Columns, row.Values = append(row.Columns, n+k), append(row.Values, -v)
		}
		model.AddRow(row)
	}
	result := get(solver.Solve(ctx, model, nil))(t)
	if err := result.Check(); err != nil {
		t.Fatal(err)
	}
	return result.Objective
}

// The pruned, warm-started search finds the maximum of all N programs; the point
// it returns attains it and no sampled point exceeds it.
func TestUniformIsTheLargestDeficit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		set, region := drawSet(t), drawRegion(t)
		q := drawMap(t, set.Dictionary().Dim(), region.Columns())
		u := get(certificate.SolveUniform(ctx, set, region, q, nil))(t)
		want := 0.0
		for i := range set.Dictionary().Size() {
			if !slices.Contains(set.Atoms(), i) {
				want = math.Max(want, deficitOfAtom(t, set, region, q, i))
			}
		}
		if !near(u.Value, want) || !near(u.Upper.Float(), want) || u.Upper.Float() < u.Value {
			t.Fatalf("U in [%v, %v], one program per atom says %v", u.Value, u.Upper, want)
		}
		if u.Bound.Float() != directed.ProductUpper(set.Radius(), u.Upper.Float()) || u.Solves > u.Candidates || u.Solves < 0 || u.Solves == 0 && u.Value > 0 {
			t.Fatalf("certificate %+v", u)
		}
		if u.X != nil {
			if worst, where := region.Violation(u.X); worst > tolerance {
				t.Fatalf("x leaves X by %v at %s", worst, where)
			}
			if deficit := set.AlignmentDeficit(q.Apply(u.X)); !near(deficit, u.Value) {
				t.Fatalf("deficit %v at x, Value %v", deficit, u.Value)
			}
			if atom, _ := set.Dictionary().ActiveAtom(u.Direction); u.Atom != atom || !slices.Equal(u.Direction, q.Apply(u.X)) {
				t.Fatalf("atom %d in the direction %v, want %d in %v", u.Atom, u.Direction, atom, q.Apply(u.X))
			}
		}
		checkSampledDeficits(t, set, region, q, u.Upper.Float())
	})
}

// The same with many atoms in general position over a polytope, where most
// programs are avoided and a wrong bound would avoid the one that counts.
func TestUniformPrunesCorrectly(t *testing.T) {
	pruned := 0
	rapid.Check(t, func(t *rapid.T) {
		source := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		const n = 3
		d := get(sparsero.NewDictionary(gaussian(source, 25, n), nil))(t)
		set := get(sparsero.NewAtomicSet(d, []int{0, 1, 2, 3, 4}[:rapid.IntRange(0, 5).Draw(t, "|S|")], 1))(t)
		region, rows := box(n, -1, 1), gaussian(source, 4, n)
		for i := range 4 {
			region.AddRow(solver.Row{Bounds: solver.Between(-0.4, 0.2), Columns: []int{0, 1, 2}, Values: rows.RawRowView(i)})
		}
		q := get(sparsero.NewAffineMap(gaussian(source, n, n), []float64{0.1, 0, -0.2}))(t)
		u := get(certificate.SolveUniform(ctx, set, region, q, nil))(t)
		want := 0.0
		for i := set.Size(); i < d.Size(); i++ {
			want = math.Max(want, deficitOfAtom(t, set, region, q, i))
		}
		if !near(u.Value, want) || !near(u.Upper.Float(), want) {
			t.Fatalf("U in [%v, %v], one program per atom says %v", u.Value, u.Upper, want)
		}
		pruned += u.Candidates - u.Solves
	})
	if pruned == 0 && !testing.Short() { // short runs draw too few cases to count on one
		t.Fatal("no program was avoided")
	}
}

func checkSampledDeficits(t *rapid.T, set *sparsero.AtomicSet, region *solver.Model, q sparsero.AffineMap, upper float64) {
	for range 20 {
		x := numbers(t, region.Columns(), "x")
		if worst, _ := region.Violation(x); worst > 0 {
			continue
		}
		if deficit := set.AlignmentDeficit(q.Apply(x)); deficit > upper+tolerance {
			t.Fatalf("deficit %v at %v exceeds the uniform bound %v", deficit, x, upper)
		}
	}
}

// A cancelled search still returns a valid bound, from the length of the atoms that it did not project.
func TestUniformIsValidWhenCancelled(t *testing.T) {
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	rapid.Check(t, func(t *rapid.T) {
		set, region := drawSet(t), drawRegion(t)
		q := drawMap(t, set.Dictionary().Dim(), region.Columns())
		partial := get(certificate.SolveUniform(cancelled, set, region, q, nil))(t)
		exact := get(certificate.SolveUniform(ctx, set, region, q, nil))(t)
		if partial.Upper.Float() < exact.Value-tolerance {
			t.Fatalf("partial bound %v below the exact %v", partial.Upper, exact.Value)
		}
		if !partial.Partial && !near(partial.Upper.Float(), exact.Upper.Float()) {
			t.Fatalf("not marked Partial, but %v differs from %v", partial.Upper, exact.Upper)
		}
	})
}

// κ(S): membership of every atom in the inflated hull, tightness of the factor,
// and the infinite case.
func TestInflationIsTheLargestGauge(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		set := drawSet(t)
		d := set.Dictionary()
		f := get(certificate.SolveInflation(ctx, set))(t)
		if asked := d.Size() - set.Size(); f.Solves > asked || f.Solves < asked && !math.IsInf(f.Factor.Float(), 1) || f.Solves == 0 && asked > 0 {
			t.Fatalf("%d programs for %d atoms outside the set, factor %v", f.Solves, asked, f.Factor)
		}
		if math.IsInf(f.Factor.Float(), 1) {
			if _, err := f.SafeSet(set); !errors.Is(err, certificate.ErrOutsideCone) {
				t.Fatalf("infinite factor, error %v", err)
			}
			return
		}
		safe := get(f.SafeSet(set))(t)
		full := get(sparsero.FullSet(d, set.Radius()))(t)
		for range 20 {
			s := numbers(t, d.Dim(), "s")
			if full.Support(s) > safe.Support(s)+tolerance*(1+full.Support(s)) {
				t.Fatalf("support %v of the full set exceeds %v of the safe set at factor %v", full.Support(s), safe.Support(s), f.Factor)
			}
		}
		if f.Factor.Float() == 1 {
			return
		}
		scaled := make([]float64, d.Dim())
		for j, v := range d.RawRowView(f.Atom) {
			scaled[j] = v / (f.Factor.Float() * (1 - 1e-4))
		}
		if inside := get(project(set, scaled))(t); inside.Distance <= 1e-9 {
			t.Fatalf("factor %v is not the smallest: atom %d fits into a smaller hull", f.Factor, f.Atom)
		}
	})
}

// TestUniformOfInnerAtoms: where projections show that all other atoms lie in the hull of the chosen ones, no program is solved. At
// the point 0 they do, whichever are chosen.
func TestUniformOfInnerAtoms(t *testing.T) {
	set := atomicSet(t, 1, []int{0, 1, 2, 3}, []float64{2, 2}, []float64{2, -2}, []float64{-2, 2}, []float64{-2, -2}, []float64{1, 0.5}, []float64{-1, 1})
	if u := must(certificate.SolveUniform(ctx, set, box(2, -1, 1), sparsero.Identity(2), nil))(t); u.Candidates != 0 || u.Solves != 0 || u.Value != 0 {
		t.Errorf("%+v", u)
	}
	outer := atomicSet(t, 1, []int{0}, []float64{1, 0}, []float64{0, 1})
	if u := must(certificate.SolveUniform(ctx, outer, box(2, 0, 0), sparsero.Identity(2), nil))(t); u.Candidates != 0 || u.Solves != 0 || u.Upper.Float() != 0 {
		t.Errorf("at the point 0: %+v", u)
	}
}

func TestUniformRejectsBadInput(t *testing.T) {
	set := atomicSet(t, 1, []int{0}, []float64{1, 0}, []float64{0, 1})
	q := sparsero.Identity(2)
	empty := box(2, 0, 1)
	empty.AddRow(solver.Row{Bounds: solver.AtLeast(3), Columns: []int{0, 1}, Values: []float64{1, 1}})
	open := box(2, 0, math.Inf(1))
	broken := box(2, 0, 1)
	broken.AddRow(solver.Row{Columns: []int{5}, Values: []float64{1}})
	for _, test := range []struct {
		name   string
		set    *sparsero.AtomicSet
		region *solver.Model
		q      sparsero.AffineMap
		is     error
	}{
		{"nil set", nil, box(2, 0, 1), q, nil},
		{"nil region", set, nil, q, nil},
		{"region without columns", set, solver.NewModel("none"), q, nil},
		{"invalid region", set, broken, q, nil},
		{"no q", set, box(2, 0, 1), sparsero.AffineMap{}, nil},
		{"q of another shape", set, box(3, 0, 1), q, nil},
		{"q not finite", set, box(2, 0, 1), sparsero.AffineMap{Matrix: matrix([]float64{math.NaN(), 0}, []float64{0, 1})}, nil},
		{"empty region", set, empty, q, solver.ErrInfeasible},
		{"unbounded region", set, open, q, solver.ErrUnbounded},
	} {
		_, err := certificate.SolveUniform(ctx, test.set, test.region, test.q, nil)
		if err == nil || test.is != nil && !errors.Is(err, test.is) {
			t.Errorf("%s: error %v", test.name, err)
		}
	}
}

// An empty region has no certificate, not one of 0, also where every atom is chosen, so that no program has to be solved.
func TestUniformOfAnEmptyRegion(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, p := rapid.IntRange(1, 3).Draw(t, "atoms"), rapid.IntRange(1, 3).Draw(t, "columns")
		rows := make([][]float64, n)
		for i := range rows {
			for range p {
				rows[i] = append(rows[i], float64(rapid.IntRange(-3, 3).Draw(t, "atom")))
			}
		}
		var chosen []int
		for i := range n {
			if rapid.Bool().Draw(t, "chosen") {
				chosen = append(chosen, i)
			}
		}
		region, row := box(p, 0, 1), solver.Row{}
		for j := range p {
			row.Columns, row.Values = append(row.Columns, j), append(row.Values, 1)
		}
		least := rapid.SampledFrom([]float64{-1, 0.5, 1, float64(p), float64(p) + 0.5, float64(p) + 9}).Draw(t, "least")
		row.Bounds = solver.AtLeast(least)
		region.AddRow(row)
		set := get(sparsero.NewAtomicSet(get(sparsero.NewDictionary(matrix(rows...), nil))(t), chosen, 1))(t)
		found, err := certificate.SolveUniform(ctx, set, region, sparsero.Identity(p), nil)
		if empty := least > float64(p); errors.Is(err, solver.ErrInfeasible) != empty || !empty && err != nil {
			t.Fatalf("sum of %d numbers in [0,1] of at least %g: %+v, %v", p, least, found, err)
		}
	})
}

// Without chosen atoms the certificate is the largest alignment over X, in the units of the
// atoms, however small these are.
func TestUniformOfNoAtomsInOtherUnits(t *testing.T) {
	solve := func(exponent int) *certificate.Uniform {
		atom := []float64{0.9, 0.7, -2.2, -0.5}
		for k := range atom {
			atom[k] = math.Ldexp(atom[k], exponent)
		}
		region := solver.NewModel("X")
		region.AddColumn(solver.Column{Bounds: solver.Between(-2, -1)})
		region.AddColumn(solver.Column{Bounds: solver.Between(-1, 1)})
		region.AddRow(solver.Row{Bounds: solver.Between(1.8, 5.1), Columns: []int{0, 1}, Values: []float64{-0.9, -2.5}})
		q := sparsero.AffineMap{
			Matrix:   matrix([]float64{-2.3, 2.4}, []float64{-2.3, 0.9}, []float64{2.8, -2.2}, []float64{-1.6, -2.2}),
			Constant: []float64{2.1, 0.1, -0.5, -2.5},
		}
		set := must(sparsero.NewAtomicSet(must(sparsero.NewDictionary(matrix(atom), nil))(t), nil, 1))(t)
		return must(certificate.SolveUniform(context.Background(), set, region, q, nil))(t)
	}
	one := solve(0)
	for _, exponent := range []int{-300, -60, 60, 300} {
		if u := solve(exponent); u.Upper.Float() != math.Ldexp(one.Upper.Float(), exponent) || u.Value != math.Ldexp(one.Value, exponent) {
			t.Errorf("2^%d: [%v, %v], want [%v, %v] in these units", exponent, u.Value, u.Upper, one.Value, one.Upper)
		}
	}
}

// At the one point of X the direction is beyond float64, and the deficit of 8e-161 times 5.4e308 is not: the bound holds it, and
// +Inf, which float64 has for it, is no deficit that is attained.
func TestUniformWhereDirectionsLeaveFloat64(t *testing.T) {
	set := must(sparsero.NewAtomicSet(must(sparsero.NewDictionary(matrix([]float64{-8e-161}), nil))(t), nil, 1))(t)
	u := must(certificate.SolveUniform(ctx, set, box(1, 3, 3), sparsero.AffineMap{Matrix: matrix([]float64{-math.MaxFloat64})}, nil))(t)
	if u.Value != 0 || u.X != nil || !(u.Upper.Float() >= 4.31e148 && u.Upper.Float() < 4.32e148) {
		t.Errorf("[%v, %v] at %v, want an upper end of 4.3e148 alone", u.Value, u.Upper, u.X)
	}
}

// Powers of two on all atoms change neither which of them stick out nor how many programs are solved, and scale what is
// found.
func TestUniformInUnits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		set, region := drawSet(t), drawRegion(t)
		q := drawMap(t, set.Dictionary().Dim(), region.Columns())
		u := get(certificate.SolveUniform(ctx, set, region, q, nil))(t)
		for _, exponent := range []int{-30, 30} {
			atoms := set.Dictionary().Matrix()
			atoms.Scale(math.Ldexp(1, exponent), atoms)
			d := get(sparsero.NewDictionary(atoms, nil))(t)
			scaled := get(certificate.SolveUniform(ctx, get(sparsero.NewAtomicSet(d, set.Atoms(), set.Radius()))(t), region, q, nil))(t)
			if scaled.Candidates != u.Candidates || scaled.Solves != u.Solves || !near(math.Ldexp(scaled.Upper.Float(), -exponent), u.Upper.Float()) {
				t.Fatalf("%+v, in units of 2^%d %+v", u, exponent, scaled)
			}
		}
	})
}

// unproven is a backend that ends at a limit next to the optimum, without multipliers.
type unproven struct{}

type unprovenEngine struct{ solver.Engine }

func (unproven) Open(m *solver.Model, o *solver.Options) (solver.Engine, error) {
	engine, err := solver.PureGo.Open(m, o)
	return unprovenEngine{engine}, err
}

func (e unprovenEngine) Solve(ctx context.Context) (*solver.Result, error) {
	result, err := e.Engine.Solve(ctx)
	if err == nil {
		result.Status, result.RowDuals, result.ColumnDuals = solver.FeasibleLimit, nil, nil
	}
	return result, err
}

// TestUniformWithoutMultipliers holds all the same, by the bounds that it has before it solves a program.
func TestUniformWithoutMultipliers(t *testing.T) {
	set, region := atomicSet(t, 1, []int{0}, []float64{1, 0}, []float64{0, 1}), box(2, -1, 1)
	region.AddRow(solver.Row{Bounds: solver.AtMost(1), Columns: []int{0, 1}, Values: []float64{1, 1}})
	options := &certificate.Options{Solver: &solver.Options{Backend: unproven{}}}
	uniform, err := certificate.SolveUniform(ctx, set, region, sparsero.Identity(2), options)
	if err != nil || uniform.Solves == 0 || uniform.Upper.Float() < 1 || !near(uniform.Value, 1) {
		t.Errorf("%+v, %v", uniform, err)
	}
}

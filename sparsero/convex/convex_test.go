package convex_test

import (
	"context"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero/convex"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// drawn is a set with the exact test whether a point is inside, and, for polytopes, its vertices.
type drawn struct {
	name     string
	set      convex.Gauged
	contains func(u []float64) bool
	vertices [][]float64
}

func quarters(t *rapid.T, n, low, high int, label string) []float64 {
	v := make([]float64, n)
	for k := range v {
		v[k] = float64(rapid.IntRange(low, high).Draw(t, label)) / 4
	}
	return v
}

func rational(v float64) *big.Rat { return new(big.Rat).SetFloat64(v) }

func get[T any](value T, err error) func(*rapid.T) T {
	return func(t *rapid.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

func drawSet(t *rapid.T) drawn {
	p := rapid.IntRange(1, 4).Draw(t, "p")
	switch kind := rapid.IntRange(0, 5).Draw(t, "kind"); kind {
	case 0:
		widths := quarters(t, p, 0, 8, "width")
		gamma := float64(rapid.IntRange(1, 4*p).Draw(t, "4Γ")) / 4
		return drawn{"budget", get(convex.NewBudget(widths, gamma))(t), inBudget(widths, gamma), budgetVertices(widths, gamma)}
	case 1:
		radius := float64(rapid.IntRange(1, 9).Draw(t, "radius")) / 3
		widths := make([]float64, p)
		floats.AddConst(radius, widths)
		return drawn{"1-norm", get(convex.NewBall(p, 1, radius))(t), inBudget(widths, 1), budgetVertices(widths, 1)}
	case 2:
		radius := float64(rapid.IntRange(1, 9).Draw(t, "radius")) / 3
		widths := make([]float64, p)
		floats.AddConst(radius, widths)
		return drawn{"max-norm", get(convex.NewBall(p, math.Inf(1), radius))(t), inBudget(widths, float64(p)), budgetVertices(widths, float64(p))}
	case 3:
		radius := float64(rapid.IntRange(1, 9).Draw(t, "radius")) / 3
		return drawn{"2-norm", get(convex.NewBall(p, 2, radius))(t), inEllipsoid(diagonal(p, 1), radius), nil}
	case 4:
		root := mat.NewDense(p, p, quarters(t, p*p, -8, 8, "root"))
		covariance := mat.NewDense(p, p, nil)
		covariance.Mul(root, root.T())
		covariance.Add(covariance, diagonal(p, rapid.SampledFrom([]float64{1, 0x1p-10, 0x1p-20}).Draw(t, "ridge")))
		return drawn{"ellipsoid", get(convex.NewEllipsoid(covariance, 1))(t), inEllipsoid(covariance, 1), nil}
	default:
		m := solver.NewModel("polyhedron")
		columns := make([]int, p)
		for j := range p {
			columns[j] = m.AddColumn(solver.Column{Bounds: solver.Between(0-float64(rapid.IntRange(0, 8).Draw(t, "lower"))/3, float64(rapid.IntRange(1, 8).Draw(t, "upper"))/3)})
		}
		for range rapid.IntRange(0, 3).Draw(t, "rows") {
			m.AddRow(solver.Row{Bounds: solver.AtMost(float64(rapid.IntRange(1, 8).Draw(t, "limit")) / 3), Columns: columns, Values: quarters(t, p, -8, 8, "row")})
		}
		return drawn{"polyhedron", get(convex.NewPolyhedron(context.Background(), m, nil))(t), func(u []float64) bool { return keeps(m, u) }, nil}
	}
}

func diagonal(p int, v float64) *mat.Dense {
	d := mat.NewDense(p, p, nil)
	for k := range p {
		d.Set(k, k, v)
	}
	return d
}

func inBudget(widths []float64, gamma float64) func([]float64) bool {
	return func(u []float64) bool {
		sum := new(big.Rat)
		for k, v := range u {
			if math.Abs(v) > widths[k] {
				return false
			}
			if v != 0 {
				sum.Add(sum, new(big.Rat).Quo(rational(math.Abs(v)), rational(widths[k])))
			}
		}
		return sum.Cmp(rational(gamma)) <= 0
	}
}

// budgetVertices lists, for each order of the coordinates and each choice of signs, what the budget pays for.
func budgetVertices(widths []float64, gamma float64) (all [][]float64) {
	var extend func(u []float64, used []bool, left float64)
	extend = func(u []float64, used []bool, left float64) {
		done := true
		for k := range widths {
			if used[k] || left <= 0 {
				continue
			}
			done = false
			for _, sign := range []float64{1, -1} {
				next, taken := append([]float64{}, u...), append([]bool{}, used...)
				next[k], taken[k] = sign*math.Min(1, left)*widths[k], true
				extend(next, taken, left-1)
			}
		}
		if done {
			all = append(all, u)
		}
	}
	extend(make([]float64, len(widths)), make([]bool, len(widths)), gamma)
	return all
}

// inEllipsoid solves Σ v = u in fractions: u'v <= t². The factor is rounded, so that 2^-40 of it is let through.
func inEllipsoid(covariance *mat.Dense, radius float64) func([]float64) bool {
	return func(u []float64) bool {
		p := len(u)
		rows := make([][]*big.Rat, p)
		for i := range rows {
			for j := range p {
				rows[i] = append(rows[i], rational(covariance.At(i, j)))
			}
			rows[i] = append(rows[i], rational(u[i]))
		}
		for c := range p { // positive definite: no pivot is 0
			for i := range p {
				if i != c {
					factor := new(big.Rat).Quo(rows[i][c], rows[c][c])
					for j := c; j <= p; j++ {
						rows[i][j] = new(big.Rat).Sub(rows[i][j], new(big.Rat).Mul(factor, rows[c][j]))
					}
				}
			}
		}
		sum := new(big.Rat)
		for i := range p {
			sum.Add(sum, new(big.Rat).Mul(rational(u[i]), new(big.Rat).Quo(rows[i][p], rows[i][i])))
		}
		limit := new(big.Rat).Mul(rational(radius), rational(radius))
		return sum.Cmp(limit.Mul(limit, rational(1+0x1p-20))) <= 0
	}
}

func keeps(m *solver.Model, u []float64) bool {
	for j, v := range u {
		if c := m.Column(j); v < c.Lower() || v > c.Upper() {
			return false
		}
	}
	for i := range m.Rows() {
		sum := new(big.Rat)
		columns, values := m.RowTerms(i)
		for k, j := range columns {
			sum.Add(sum, new(big.Rat).Mul(rational(values[k]), rational(u[j])))
		}
		if sum.Cmp(rational(m.RowBounds(i).Upper())) > 0 {
			return false
		}
	}
	return true
}

func exactDot(u, s []float64) *big.Rat {
	sum := new(big.Rat)
	for k, v := range u {
		sum.Add(sum, new(big.Rat).Mul(rational(v), rational(s[k])))
	}
	return sum
}

// TestOracles: the worst case is a point of the set, exactly; it attains the support up to 1e-6, which no vertex exceeds,
// exactly; and its gauge is 1.
func TestOracles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawSet(t)
		s := quarters(t, d.set.Dim(), -9, 9, "s")
		scale := rapid.SampledFrom([]float64{1, 1.0 / 3, 0x1p-300, 0x1p300}).Draw(t, "scale")
		floats.Scale(scale, s)
		support, u := d.set.Support(s), d.set.WorstCase(s)
		if !d.contains(u) {
			t.Fatalf("%s: the worst case %v is outside", d.name, u)
		}
		attained := exactDot(u, s)
		if attained.Cmp(rational(support)) > 0 {
			t.Fatalf("%s: support %v below the attained %v", d.name, support, attained.FloatString(20))
		}
		if value, _ := attained.Float64(); support-value > 1e-6*support {
			t.Fatalf("%s: support %v, attained %v", d.name, support, value)
		}
		for _, v := range d.vertices {
			if reach, _ := exactDot(v, s).Float64(); reach > support*(1+1e-15) {
				t.Fatalf("%s: support %v below that of the vertex %v, %v", d.name, support, v, reach)
			}
		}
		if gauge := d.set.Gauge(u); support > 0 && math.Abs(gauge-1) > 1e-5 {
			t.Fatalf("%s: gauge %v at a worst case", d.name, gauge)
		}
	})
}

// TestSupportIsNeverBelowAPointOfTheSet: a drawn point, brought into the set by its gauge.
func TestSupportIsNeverBelowAPointOfTheSet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawSet(t)
		s, u := quarters(t, d.set.Dim(), -9, 9, "s"), quarters(t, d.set.Dim(), -9, 9, "u")
		if gauge := d.set.Gauge(u); gauge > 0 && !math.IsInf(gauge, 1) {
			floats.Scale((1-1e-9)/gauge, u)
		} else if gauge != 0 {
			return
		}
		if !d.contains(u) {
			t.Fatalf("%s: %v has a gauge below 1, but is outside", d.name, u)
		}
		if reach := exactDot(u, s); reach.Cmp(rational(d.set.Support(s))) > 0 {
			t.Fatalf("%s: support %v below %v at %v", d.name, d.set.Support(s), reach.FloatString(20), u)
		}
	})
}

// TestWassersteinIsTheWorstExpectation: moving every sample by ε against the direction attains it.
func TestWassersteinIsTheWorstExpectation(t *testing.T) {
	samples := mat.NewDense(4, 2, []float64{1, 0, 3, 2, -1, 1, 1, 5})
	mean, ball, err := convex.NewWasserstein(samples, 2, 0.5)
	if err != nil || mean[0] != 1 || mean[1] != 2 {
		t.Fatal(mean, err)
	}
	q, worst := []float64{3, 4}, 0.0
	for j := range 4 {
		worst += floats.Dot(q, samples.RawRowView(j))/4 + 0.5*5/4
	}
	if got := floats.Dot(mean, q) + ball.Support(q); math.Abs(got-worst) > 1e-12 {
		t.Errorf("worst expectation %v, moved samples %v", got, worst)
	}
}

func TestConstructorsRefuse(t *testing.T) {
	flat, far, open := solver.NewModel("flat"), solver.NewModel("far"), solver.NewModel("open")
	flat.AddColumn(solver.Column{Name: "u", Bounds: solver.Between(-1, 1)})
	flat.AddRow(solver.Row{Name: "fixed", Bounds: solver.Equal(0), Columns: []int{0}, Values: []float64{1}})
	far.AddColumn(solver.Column{Name: "u", Bounds: solver.Between(1, 2)})
	open.AddColumn(solver.Column{Name: "u", Bounds: solver.AtLeast(-1)})
	polyhedron := func(m *solver.Model) error {
		_, err := convex.NewPolyhedron(context.Background(), m, nil)
		return err
	}
	failed := func(_ any, err error) error { return err }
	_, _, overflow := convex.NewWasserstein(mat.NewDense(2, 1, []float64{1.7e308, 1.7e308}), 2, 1)
	for want, err := range map[string]error{
		"interior":     polyhedron(flat),
		"bounds of u":  polyhedron(far),
		"direction":    polyhedron(open),
		"model":        polyhedron(nil),
		"width 1":      failed(convex.NewBudget([]float64{1, -1}, 1)),
		"budget 3":     failed(convex.NewBudget([]float64{1, 1}, 3)),
		"norm 3":       failed(convex.NewBall(2, 3, 1)),
		"radius 0":     failed(convex.NewBall(2, 2, 0)),
		"1e-310":       failed(convex.NewBall(2, 2, 1e-310)),
		"coordinate 0": overflow,
		"2×1":          failed(convex.NewEllipsoid(mat.NewDense(2, 1, []float64{1, 1}), 1)),
		"radius -1":    failed(convex.NewEllipsoid(mat.NewDense(1, 1, []float64{1}), -1)),
		"radius +Inf":  failed(convex.NewEllipsoid(mat.NewDense(1, 1, []float64{1}), math.Inf(1))),
		"radius NaN":   failed(convex.NewEllipsoid(mat.NewDense(1, 1, []float64{1}), math.NaN())),
		"budget 0":     failed(convex.NewBudget([]float64{1, 1}, 0)),
		"no widths":    failed(convex.NewBudget(nil, 1)),
		"dimension 0":  failed(convex.NewBall(0, 2, 1)),
		"radius NaN;":  failed(convex.NewBall(1, 2, math.NaN())),
		"radius +Inf;": failed(convex.NewBall(1, 2, math.Inf(1))),
		"above 0":      failed(convex.NewEllipsoid(mat.NewDense(2, 2, []float64{1, 0, 0, -1}), 1)),
		"definite":     failed(convex.NewEllipsoid(mat.NewDense(2, 2, []float64{1, 1, 1, 1}), 1)),
		"symmetric":    failed(convex.NewEllipsoid(mat.NewDense(2, 2, []float64{1, 1, 0, 1}), 1)),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want an error with %q, got %v", want, err)
		}
	}
}

// TestGaugeOfWhatNoMultipleHolds: a side of 0, of either sign, that a point breaks, and a point that is not a number.
func TestGaugeOfWhatNoMultipleHolds(t *testing.T) {
	zero := math.Copysign(0, -1)
	for name, bounds := range map[string]solver.Bounds{
		"lower bound 0": solver.Between(0, 1), "lower bound -0": solver.Between(zero, 1),
		"upper bound 0": solver.Between(-1, 0), "upper bound -0": solver.Between(-1, zero),
	} {
		for _, row := range []bool{false, true} {
			m := solver.NewModel(name)
			column := solver.Column{Name: "u", Bounds: bounds}
			if row {
				column.Bounds = solver.Between(-2, 2)
				m.AddRow(solver.Row{Name: "side", Bounds: bounds, Columns: []int{m.AddColumn(column)}, Values: []float64{1}})
			} else {
				m.AddColumn(column)
			}
			set, err := convex.NewPolyhedron(context.Background(), m, nil)
			if err != nil {
				t.Fatal(err)
			}
			beyond := -0.5 // of the side that is 0
			if bounds.Upper() == 0 {
				beyond = 0.5
			}
			if got := set.Gauge([]float64{beyond}); !math.IsInf(got, 1) {
				t.Errorf("%s, as a row %t: the gauge of %v is %v, want +Inf", name, row, beyond, got)
			}
			if got := set.Gauge([]float64{-beyond}); got != 0.5 {
				t.Errorf("%s, as a row %t: the gauge of %v is %v, want 0.5", name, row, -beyond, got)
			}
			if got := set.Gauge([]float64{math.NaN()}); !math.IsNaN(got) {
				t.Errorf("%s, as a row %t: the gauge of NaN is %v, want NaN", name, row, got)
			}
		}
	}
	narrow, err := convex.NewBudget([]float64{0, 1}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if got := narrow.Gauge([]float64{-1, 0}); !math.IsInf(got, 1) {
		t.Errorf("the gauge beyond a width of 0 is %v, want +Inf", got)
	}
}

// TestSupportThatOverflows: nothing is known of a sum past the largest float64, whatever its terms cancel to.
func TestSupportThatOverflows(t *testing.T) {
	e, err := convex.NewEllipsoid(mat.NewDense(2, 2, []float64{2, -1, -1, 2}), 0x1p600)
	if err != nil {
		t.Fatal(err)
	}
	ball, err := convex.NewBall(2, 1, 0x1p600)
	if err != nil {
		t.Fatal(err)
	}
	for _, set := range []convex.Set{e, ball} {
		if got := set.Support([]float64{0x1p600, 0x1p600}); !math.IsInf(got, 1) {
			t.Errorf("%T: support %v, want +Inf", set, got)
		}
	}
}

// TestEllipsoidInAnyUnit: the units of the coordinates change neither what is accepted nor how nearly a point of the set,
// which it is exactly, attains the support.
func TestEllipsoidInAnyUnit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.IntRange(1, 4).Draw(t, "p")
		root, units := mat.NewDense(p, p, quarters(t, p*p, -8, 8, "root")), mat.NewDense(p, p, nil)
		covariance, s := mat.NewDense(p, p, nil), quarters(t, p, -9, 9, "s")
		covariance.Mul(root, root.T())
		covariance.Add(covariance, diagonal(p, 1))
		for k := range p {
			exponent := rapid.IntRange(-200, 200).Draw(t, "unit")
			units.Set(k, k, math.Ldexp(1, exponent))
			s[k] = math.Ldexp(s[k], -exponent)
		}
		covariance.Product(units, covariance, units)
		e := get(convex.NewEllipsoid(covariance, 1))(t)
		support, u := e.Support(s), e.WorstCase(s)
		if !inEllipsoid(covariance, 1)(u) {
			t.Fatalf("the worst case %v is outside", u)
		}
		if attained, _ := exactDot(u, s).Float64(); attained > support || attained < support*(1-1e-12) {
			t.Fatalf("support %v, attained %v", support, attained)
		}
	})
}

// TestPolyhedronInAnyUnit: the units of the coordinates, alone or together, neither take the interior from a polyhedron nor
// give it one.
func TestPolyhedronInAnyUnit(t *testing.T) {
	polyhedron := func(units [2]float64, share float64) (convex.Gauged, error) {
		m := solver.NewModel("units")
		for _, unit := range units {
			m.AddColumn(solver.Column{Bounds: solver.Between(-unit, unit)})
		}
		m.AddRow(solver.Row{Bounds: solver.Between(-share, share), Columns: []int{0, 1}, Values: []float64{1 / units[0], 1 / units[1]}})
		return convex.NewPolyhedron(context.Background(), m, nil)
	}
	for _, units := range [][2]float64{{1, 1}, {1e-8, 1e-8}, {1e-10, 1e-10}, {0x1p-300, 0x1p-300}, {1e-10, 1e10}, {0x1p300, 0x1p300}, {0x1p300, 0x1p-300}} {
		if _, err := polyhedron(units, 0); err == nil || !strings.Contains(err.Error(), "interior") {
			t.Errorf("units %v, with an equation: error %v", units, err)
		}
		set, err := polyhedron(units, 1)
		if err != nil {
			t.Errorf("units %v: %v", units, err)
			continue
		}
		for _, s := range [][]float64{{1, 0}, {0, 1}, {-1, 0}, {1, 1}} {
			support := set.Support(s)
			for _, u := range [][]float64{{units[0], 0}, {-units[0], 0}, {0, units[1]}} {
				if exactDot(u, s).Cmp(rational(support)) > 0 {
					t.Errorf("units %v: support %v in the direction %v is below that of %v", units, support, s, u)
				}
			}
			if most := math.Max(math.Abs(s[0])*units[0], math.Abs(s[1])*units[1]); support > most*(1+1e-6)+5e-324 {
				t.Errorf("units %v: support %v in the direction %v, want %v", units, support, s, most)
			}
		}
	}
}

// outward is a backend whose interior points lie outside of x - y <= 8e-8, by less than what a solver may miss.
type outward struct{}

type outwardEngine struct{ solver.Engine }

func (outward) Open(m *solver.Model, o *solver.Options) (solver.Engine, error) {
	engine, err := solver.PureGo.Open(m, o)
	if m.Name() != "interior" {
		return engine, err
	}
	return outwardEngine{engine}, err
}

func (e outwardEngine) Solve(ctx context.Context) (*solver.Result, error) {
	result, err := e.Engine.Solve(ctx)
	if err == nil {
		result.X[0], result.X[1] = 0.9+1e-7, 0.9
	}
	return result, err
}

// TestSlabsAsThinAsRounding have no interior.
func TestSlabsAsThinAsRounding(t *testing.T) {
	for half, wide := range map[float64]bool{1e-10: false, 1e-7: true} {
		m := solver.NewModel("slab")
		for range 2 {
			m.AddColumn(solver.Column{Bounds: solver.Between(-1, 1)})
		}
		m.AddRow(solver.Row{Bounds: solver.Between(-half, half), Columns: []int{0, 1}, Values: []float64{1, -1}})
		if _, err := convex.NewPolyhedron(context.Background(), m, nil); (err == nil) != wide {
			t.Errorf("half the width %v: %v", half, err)
		}
	}
}

// TestInteriorPointsAreProven: a point that a solver takes for one of the interior is none where it is outside by rounding.
func TestInteriorPointsAreProven(t *testing.T) {
	m := solver.NewModel("slab")
	for range 2 {
		m.AddColumn(solver.Column{Bounds: solver.Between(-1, 1)})
	}
	m.AddRow(solver.Row{Bounds: solver.Between(-8e-8, 8e-8), Columns: []int{0, 1}, Values: []float64{1, -1}})
	if _, err := convex.NewPolyhedron(context.Background(), m, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := convex.NewPolyhedron(context.Background(), m, &solver.Options{Backend: outward{}}); err == nil || !strings.Contains(err.Error(), "no interior") {
		t.Errorf("an interior point outside: %v", err)
	}
}

// TestWorstCasesKeepToSidesThatRound: vertices of rows with coefficients that are no short fractions lie outside by rounding until
// they are moved inwards, at lower sides as at upper ones.
func TestWorstCasesKeepToSidesThatRound(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 2))
	for k := range 40 {
		const p, rows = 3, 5
		m := solver.NewModel("rows")
		for range p {
			m.AddColumn(solver.Column{Bounds: solver.Between(-2, 2)})
		}
		sign := float64(1 - 2*(k%2)) // the same sides as upper and as lower ones
		values := make([][]float64, rows)
		for i := range values {
			values[i] = []float64{random.NormFloat64(), random.NormFloat64(), random.NormFloat64()}
			bounds := solver.AtMost(1. / 3)
			if sign < 0 {
				bounds = solver.AtLeast(-1. / 3)
			}
			m.AddRow(solver.Row{Bounds: bounds, Columns: []int{0, 1, 2}, Values: values[i]})
		}
		set, err := convex.NewPolyhedron(context.Background(), m, nil)
		if err != nil {
			t.Fatal(err)
		}
		for range 10 {
			u := set.WorstCase([]float64{random.NormFloat64(), random.NormFloat64(), random.NormFloat64()})
			for i, row := range values {
				floats.Scale(sign, u)
				if exactDot(row, u).Cmp(rational(1./3)) > 0 {
					t.Fatalf("row %d of sign %v: %v is outside", i, sign, u)
				}
				floats.Scale(sign, u)
			}
		}
	}
}

// TestWorstCasesOfEllipsoidsAreProven: of covariances with factors of whole numbers, 1 0 b 1, worst cases keep to the ellipsoid in fractions.
func TestWorstCasesOfEllipsoidsAreProven(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 3))
	for b := range 20 {
		slope := float64(b)
		set, err := convex.NewEllipsoid(mat.NewDense(2, 2, []float64{1, slope, slope, slope*slope + 1}), 1)
		if err != nil {
			t.Fatal(err)
		}
		for range 10 {
			u := set.WorstCase([]float64{random.NormFloat64(), random.NormFloat64()})
			second := exactDot([]float64{-slope, 1}, u)
			if size := second.Mul(second, second); size.Add(size, exactDot(u[:1], u[:1])).Cmp(rational(1)) > 0 {
				t.Fatalf("b = %d: %v is outside", b, u)
			}
		}
	}
}

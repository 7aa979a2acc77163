package designfile_test

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/convex"
	"github.com/sparsero/directions/sparsero/designfile"
	"github.com/sparsero/directions/sparsero/robust"
	"gonum.org/v1/gonum/mat"
)

// solvesIntegers tells whether there is HiGHS.
var solvesIntegers bool

// setCases are files over a set of each kind, with an uncertain objective and row.
func setCases(t *testing.T) (cases []map[string]any) {
	t.Helper()
	polyhedron := solver.NewModel("set")
	for range 2 {
		polyhedron.AddColumn(solver.Column{Bounds: solver.AtLeast(-1)})
	}
	polyhedron.AddRow(solver.Row{Bounds: solver.Between(-1, 1), Columns: []int{0, 1}, Values: []float64{1, 2}})
	_, tail, err := convex.NewCVaR(2, []float64{0.25, 0.75}, 0.5)
	for _, set := range []convex.Set{
		made(convex.NewBudget([]float64{1, 0.5}, 1.5))(t), made(convex.NewEllipsoid(mat.NewDense(2, 2, []float64{2, 1, 1, 1}), 0.5))(t),
		made(convex.NewPolyhedron(t.Context(), polyhedron, nil))(t), made(tail, err)(t),
	} {
		for _, integer := range []bool{false, true} {
			region := solver.NewModel("region")
			region.AddColumn(solver.Column{Bounds: solver.Between(0, 3), Cost: -3})
			region.AddColumn(solver.Column{Bounds: solver.Between(0, 4), Cost: -2, Integer: integer && solvesIntegers})
			row := robust.Constraint{Name: "row", Nominal: []float64{1, 1}, Map: sparsero.Identity(2), Limit: 2.5}
			s := made(made(robust.NewConvex(set, region, sparsero.Identity(2), row))(t).SolveFull(t.Context(), 0.5, nil))(t)
			path := filepath.Join(t.TempDir(), "design.json")
			fail(t, s.Save(path, &robust.Record{Note: "by hand"}))
			var d map[string]any
			fail(t, json.Unmarshal(made(os.ReadFile(path))(t), &d))
			delete(d, "seal") // which sealed adds
			cases = append(cases, d)
		}
	}
	return cases
}

func made[T any](value T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		fail(t, err)
		return value
	}
}

func fail(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestVerifySurvivesCorruptionOfSets corrupts files over convex sets, mostly what they say of the set. Both checkers agree, and what they
// accept holds against points of the set.
func TestVerifySurvivesCorruptionOfSets(t *testing.T) {
	cases, both, counts := setCases(t), newAgreement(t), map[string]int{}
	random := rand.New(rand.NewPCG(20260105, 35))
	for draw := range 6 * attackDraws() {
		f := &corrupted{Rand: random, d: copied(t, cases[draw%len(cases)])}
		k := corruptions[random.IntN(len(corruptions))]
		set := at(f.d, "problem", "set").(map[string]any)
		switch inside := (&corrupted{Rand: random, d: set}); {
		case draw < len(cases): // as it is
		case random.IntN(4) > 0 && k.change != nil:
			k.change(inside)
		case random.IntN(2) == 0:
			f.in("problem", "dictionary", "values")
			rehash(f.d)
		case k.change != nil:
			k.change(f)
		}
		if random.IntN(2) == 0 {
			loosen(f.d, math.Abs(short(random.NormFloat64())))
		}
		data := sealed(t, f.d)
		got := verdict(t, data, nil)
		if counts[got]++; draw < len(cases) && got != "0" {
			_, err := verify(data, nil)
			t.Fatalf("file %d gets %q, %v", draw, got, err)
		}
		if got == "0" {
			holdsOverSet(t, random, data)
		}
		if both.add(t, got, data, nil); t.Failed() {
			t.Fatalf("draw %d, %s:\n%s", draw, k.name, data)
		}
	}
	t.Log(counts)
	both.check(t)
}

// holdsOverSet compares the claim about all of the set with points of it, and the chosen atoms with the set, in float64.
func holdsOverSet(t *testing.T, random *rand.Rand, data []byte) {
	t.Helper()
	content := made(designfile.Verify(bytes.NewReader(data), nil))(t).Content()
	p, x := &content.Problem, content.Decision.X
	if p.Set == nil || p.Objective == nil {
		return
	}
	var claims struct{ Claims struct{ Full float64 } }
	fail(t, json.Unmarshal(data, &claims))
	cost := p.Model.Offset
	for j, c := range p.Model.Columns {
		cost += c.Cost * x[j]
	}
	direction := make([]float64, len(p.Objective.Matrix))
	for k, row := range p.Objective.Matrix {
		for e, j := range row.Columns {
			direction[k] += row.Values[e] * x[j]
		}
		if len(p.Objective.Constant) > 0 {
			direction[k] += p.Objective.Constant[k]
		}
	}
	inside := func(z []float64, slack float64) bool {
		if len(p.Set.Lower) == 0 {
			return mat.Norm(mat.NewVecDense(len(z), z), 2) <= 1+slack
		}
		for j, v := range z {
			if v < p.Set.Lower[j]-slack || v > p.Set.Upper[j]+slack {
				return false
			}
		}
		for _, row := range p.Set.Rows {
			sum, size := 0.0, slack
			for e, j := range row.Columns {
				sum += row.Values[e] * z[j]
				size += slack * math.Abs(row.Values[e]*z[j])
			}
			if row.Lower != nil && !(sum >= *row.Lower-size) || row.Upper != nil && !(sum <= *row.Upper+size) { // a sum beyond float64 is not inside
				return false
			}
		}
		return true
	}
	aligned := func(z []float64) (sum float64) {
		if len(p.Set.Map) == 0 {
			return mat.Dot(mat.NewVecDense(len(z), z), mat.NewVecDense(len(z), direction))
		}
		for k, row := range p.Set.Map {
			for e, j := range row.Columns {
				sum += direction[k] * row.Values[e] * z[j]
			}
		}
		return sum
	}
	for _, i := range content.Decision.Atoms {
		if !inside(p.Dictionary.Values[i], 1e-9) {
			t.Errorf("atom %d is accepted, %v", i, p.Dictionary.Values[i])
		}
	}
	for range 200 {
		z := make([]float64, p.Dictionary.Dimension)
		for j := range z {
			z[j] = random.Float64()*2 - 1
			if len(p.Set.Lower) > 0 {
				z[j] = [...]float64{p.Set.Lower[j], p.Set.Upper[j], p.Set.Lower[j] + random.Float64()*(p.Set.Upper[j]-p.Set.Lower[j])}[random.IntN(3)]
			}
		}
		if value := cost + p.Radius*aligned(z); inside(z, 0) && value > claims.Claims.Full+1e-9*(1+math.Abs(value)) {
			t.Errorf("full = %v is accepted, but the point %v of the set costs %v", claims.Claims.Full, z, value)
		}
	}
}

package certificate_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/solver/proof/exact"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/certificate"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

func rational(v float64) *big.Rat { return new(big.Rat).SetFloat64(v) }

// exactProgram is the region with costs to be minimised and further columns of bounds
// [0,+Inf), in numbers that are taken as they are.
func exactProgram(region *solver.Model, costs []float64) *proof.Program {
	p := region.WithoutObjective().Program()
	p.Cost = costs
	for range len(costs) - region.Columns() {
		p.Lower, p.Upper = append(p.Lower, 0), append(p.Upper, math.Inf(1))
	}
	return p
}

// drawOpenRegion draws a bounded polytope most of whose columns have no bounds of their
// own, in units of very different sizes.
func drawOpenRegion(t *rapid.T) *solver.Model {
	n := rapid.IntRange(1, 3).Draw(t, "n")
	m := solver.NewModel("open polytope")
	columns, units := make([]int, n), make([]float64, n)
	for j := range n {
		units[j] = math.Ldexp(1, rapid.IntRange(-12, 12).Draw(t, "unit"))
		lower := []float64{math.Inf(-1), 0, -3 * units[j]}[rapid.IntRange(0, 2).Draw(t, "lower")]
		columns[j] = m.AddColumn(solver.Column{Bounds: solver.AtLeast(lower)})
	}
	for i := range n + 1 { // a simplex around the origin, then random cuts
		values := make([]float64, n)
		for j := range values {
			values[j] = -rapid.Float64Range(0.5, 3).Draw(t, "side") / units[j]
			if i == j {
				values[j] *= -float64(3 * n)
			}
		}
		m.AddRow(solver.Row{Bounds: solver.AtMost(rapid.Float64Range(0.1, 3).Draw(t, "limit")), Columns: columns, Values: values})
	}
	whole := make([]float64, n)
	for j := range whole {
		whole[j] = 1 / (3 * units[j])
	}
	m.AddRow(solver.Row{Bounds: solver.AtMost(5), Columns: columns, Values: whole})
	return m
}

// Boxes and norms hold exactly, and are tight; a column without bounds proves its range.
func TestBoxesAreNeverTooSmall(t *testing.T) {
	proven := 0
	rapid.Check(t, func(t *rapid.T) {
		region := drawOpenRegion(t)
		n := region.Columns()
		box, err := boundingBox(ctx, region, nil)
		squares := new(big.Rat)
		for j := range n {
			reach := new(big.Rat)
			for _, sign := range []float64{1, -1} {
				costs := make([]float64, n)
				costs[j] = -sign
				answer := exact.Solve(ctx, exactProgram(region, costs))
				if answer.Status != exact.Optimal {
					if err == nil {
						t.Fatalf("box %v of a region that is not bounded", box)
					}
					return
				}
				truth := new(big.Rat).Neg(answer.Objective) // the largest sign x_j
				if truth.Cmp(reach) > 0 {
					reach = truth
				}
				if err != nil {
					t.Fatal(err)
				}
				claim := sign * box.Upper[j]
				if sign < 0 {
					claim = sign * box.Lower[j]
				}
				if rational(claim).Cmp(truth) < 0 {
					t.Fatalf("column %d, side %v: %v, truth %s", j, sign, claim, truth.FloatString(20))
				}
				size := math.Max(math.Abs(box.Lower[j]), math.Abs(box.Upper[j]))
				if loose, _ := new(big.Rat).Sub(rational(claim), truth).Float64(); loose > 1e-6*size {
					t.Fatalf("column %d, side %v: %v, truth %s", j, sign, claim, truth.FloatString(20))
				}
			}
			squares.Add(squares, new(big.Rat).Mul(reach, reach))
		}
		proven++
		norm := get(certificate.DirectionNorm(ctx, region, sparsero.Identity(n), nil))(t).Float()
		if rational(norm).Mul(rational(norm), rational(norm)).Cmp(squares) < 0 {
			t.Fatalf("norm %v, its square in truth %s", norm, squares.FloatString(20))
		}
	})
	if proven == 0 {
		t.Error("no bounded region was drawn")
	}
}

// A solver that stops early loses tightness only: what it leaves is a box that holds, or
// an error.
func TestBoxesOfLimitedSolvesHold(t *testing.T) {
	region := solver.NewModel("limited")
	for range 3 {
		region.AddColumn(solver.Column{Bounds: solver.Between(-5, 7)})
	}
	region.AddRow(solver.Row{Bounds: solver.AtMost(4), Columns: []int{0, 1, 2}, Values: []float64{1, 2, 3}})
	region.AddRow(solver.Row{Bounds: solver.Between(-3, 3), Columns: []int{0, 1}, Values: []float64{1, -1}})
	full := must(boundingBox(ctx, region, nil))(t)
	for _, limit := range []int{1, 2, 3} {
		limited, err := boundingBox(ctx, region, &solver.Options{IterationLimit: limit})
		if err != nil {
			continue
		}
		for j := range full.Lower {
			if limited.Lower[j] > full.Lower[j] || limited.Upper[j] < full.Upper[j] {
				t.Errorf("limit %d: box %v, without %v", limit, limited, full)
			}
		}
	}
}

// hardSet draws atoms of mixed sizes, with twins that differ in the last place.
func hardSet(t *rapid.T) *sparsero.AtomicSet {
	n, p := rapid.IntRange(2, 5).Draw(t, "N"), rapid.IntRange(1, 3).Draw(t, "p")
	rows := make([][]float64, n)
	var indices []int
	for i := range rows {
		rows[i] = numbers(t, p, "atom")
		size := math.Ldexp(1, rapid.SampledFrom([]int{0, 0, 0, -20, 20}).Draw(t, "size"))
		for j := range rows[i] {
			rows[i][j] *= size
			if i > 0 && rapid.IntRange(0, 2).Draw(t, "twin") == 0 {
				rows[i][j] = rows[i-1][j] * (1 + float64(rapid.IntRange(0, 2).Draw(t, "steps"))*0x1p-52)
			}
		}
		if rapid.Bool().Draw(t, "in S") {
			indices = append(indices, i)
		}
	}
	d := get(sparsero.NewDictionary(matrix(rows...), nil))(t)
	return get(sparsero.NewAtomicSet(d, indices, 1))(t)
}

// The uniform certificate is never below the exact supremum, found by one exact linear
// program per atom, and 0 where that is 0 because S has all the vertices.
func TestUniformIsNeverBelowTheTruth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		set, region := hardSet(t), drawRegion(t)
		d, n := set.Dictionary(), region.Columns()
		q := drawMap(t, d.Dim(), n)
		u := get(certificate.SolveUniform(ctx, set, region, q, nil))(t)
		pull := func(i int) (gradient []float64, constant float64) { // exact: small multiples of 1/4
			gradient = make([]float64, n)
			for k, v := range d.RawRowView(i) {
				for j := range gradient {
					gradient[j] = math.FMA(v, q.Matrix.At(k, j), gradient[j])
				}
				if q.Constant != nil {
					constant += v * q.Constant[k]
				}
			}
			return gradient, constant
		}
		truth, size := new(big.Rat), 0.0
		for i := range d.Size() {
			gradient, constant := pull(i)
			for _, g := range gradient {
				size = max(size, 4*math.Abs(g)+math.Abs(constant))
			}
			if slices.Contains(set.Atoms(), i) {
				continue
			}
			costs := append(slices.Clone(gradient), -1)
			for j := range costs {
				costs[j] = -costs[j]
			}
			program := exactProgram(region, costs)
			for _, k := range set.Atoms() {
				own, level := pull(k)
				row := proof.Row{Columns: []int{n}, Values: []float64{1}, Lower: level, Upper: math.Inf(1)}
				for j, v := range own {
					row.Columns, row.Values = append(row.Columns, j), append(row.Values, -v)
				}
				program.Rows = append(program.Rows, row)
			}
			answer := exact.Solve(ctx, program)
			value := new(big.Rat).Sub(rational(constant), answer.Objective)
			if value.Cmp(truth) > 0 {
				truth = value
			}
		}
		slack := new(big.Rat).Mul(rational(0x1p-51), rational(size)) // the alignments of this test are rounded
		if new(big.Rat).Add(rational(u.Upper.Float()), slack).Cmp(truth) < 0 {
			t.Fatalf("upper bound %v, truth %s", u.Upper, truth.FloatString(30))
		}
		if loose, _ := new(big.Rat).Sub(rational(u.Upper.Float()), truth).Float64(); loose > 1e-6*size {
			t.Fatalf("upper bound %v far above the truth %s", u.Upper, truth.FloatString(30))
		}
		if f := get(certificate.SolveInflation(ctx, set))(t); f.Factor.Float() == 1 && u.Upper.Float() != 0 {
			t.Fatalf("S spans the whole hull, but the certificate is %v", u.Upper)
		}
	})
}

// Units of single coordinates, which q undoes, change nothing at all.
func TestUniformInOtherCoordinates(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		set, region := hardSet(t), drawRegion(t)
		d := set.Dictionary()
		q := drawMap(t, d.Dim(), region.Columns())
		u := get(certificate.SolveUniform(ctx, set, region, q, nil))(t)
		atoms, images := d.Matrix(), get(sparsero.NewAffineMap(q.Matrix, q.Constant))(t)
		for k := range d.Dim() {
			unit := rapid.IntRange(-300, 300).Draw(t, "unit")
			for i := range d.Size() {
				atoms.Set(i, k, math.Ldexp(atoms.At(i, k), unit))
			}
			for j := range region.Columns() {
				images.Matrix.Set(k, j, math.Ldexp(images.Matrix.At(k, j), -unit))
			}
			if images.Constant != nil {
				images.Constant[k] = math.Ldexp(images.Constant[k], -unit)
			}
		}
		other := get(sparsero.NewAtomicSet(get(sparsero.NewDictionary(atoms, nil))(t), set.Atoms(), 1))(t)
		v := get(certificate.SolveUniform(ctx, other, region, images, nil))(t)
		if u.Upper.Float() != v.Upper.Float() || u.Value != v.Value || u.Atom != v.Atom || u.Solves != v.Solves || u.Candidates != v.Candidates || !slices.Equal(u.X, v.X) {
			t.Fatalf("%+v in other units %+v", u, v)
		}
	})
}

// A map into another space than that of the atoms, or from another than that of the region, is refused by its sizes.
func TestMapsMustFitAtomsAndRegion(t *testing.T) {
	set := atomicSet(t, 1, []int{0}, []float64{1, 0}, []float64{0, 1})
	for _, size := range [][2]int{{3, 2}, {1, 2}, {2, 3}, {2, 1}} {
		q := must(sparsero.NewAffineMap(mat.NewDense(size[0], size[1], nil), nil))(t)
		want := fmt.Sprintf("q is %d×%d", size[0], size[1])
		if _, err := certificate.SolveUniform(ctx, set, box(2, -1, 1), q, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

// stated returns the region with some sides of its columns as rows instead.
func stated(t *rapid.T, region *solver.Model) *solver.Model {
	m := solver.NewModel("stated")
	for j := range region.Columns() {
		m.AddColumn(solver.Column{Bounds: region.Column(j).Bounds})
	}
	for i := range region.Rows() {
		m.AddRow(region.Row(i))
	}
	for j := range region.Columns() {
		c := region.Column(j)
		switch rapid.IntRange(0, 3).Draw(t, "open") {
		case 0:
			m.SetColumnBounds(j, solver.AtLeast(c.Lower()))
			m.AddRow(solver.Row{Bounds: solver.AtMost(c.Upper()), Columns: []int{j}, Values: []float64{1}})
		case 1:
			m.SetColumnBounds(j, solver.AtMost(c.Upper()))
			m.AddRow(solver.Row{Bounds: solver.AtLeast(c.Lower()), Columns: []int{j}, Values: []float64{1}})
		case 2:
			m.SetColumnBounds(j, solver.Between(math.Inf(-1), math.Inf(1)))
			m.AddRow(solver.Row{Bounds: c.Bounds, Columns: []int{j}, Values: []float64{1}})
		}
	}
	return m
}

// What a region holds does not depend on whether columns or rows bound it.
func TestRegionsOfRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		set, region := drawSet(t), drawRegion(t)
		other, q := stated(t, region), drawMap(t, set.Dictionary().Dim(), region.Columns())
		u, v := get(certificate.SolveUniform(ctx, set, region, q, nil))(t), get(certificate.SolveUniform(ctx, set, other, q, nil))(t)
		if !near(u.Value, v.Value) || !near(u.Upper.Float(), v.Upper.Float()) {
			t.Fatalf("U in [%v, %v] by columns, in [%v, %v] by rows", u.Value, u.Upper, v.Value, v.Upper)
		}
		if b, c := get(boundingBox(ctx, region, nil))(t), get(boundingBox(ctx, other, nil))(t); !slices.EqualFunc(slices.Concat(b.Lower, b.Upper), slices.Concat(c.Lower, c.Upper), near) {
			t.Fatalf("box %v by columns, %v by rows", b, c)
		}
	})
}

// What a cancelled context leaves unknown is its error, also where X has no bounds of columns yet.
func TestCancelledContexts(t *testing.T) {
	set, q := atomicSet(t, 1, []int{0}, []float64{1, 0}, []float64{0, 1}), sparsero.Identity(2)
	region := solver.NewModel("by rows")
	for j := range 2 {
		region.AddColumn(solver.Column{Bounds: solver.AtLeast(math.Inf(-1))})
		region.AddRow(solver.Row{Bounds: solver.Between(-1, 1), Columns: []int{j}, Values: []float64{1}})
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	for name, attempt := range map[string]func() error{
		"BoundingBox":   func() error { _, _, err := certificate.BoundingBox(cancelled, region, nil); return err },
		"DirectionNorm": func() error { _, err := certificate.DirectionNorm(cancelled, region, q, nil); return err },
		"SolveUniform":  func() error { _, err := certificate.SolveUniform(cancelled, set, region, q, nil); return err },
		"GridNet": func() error {
			_, err := certificate.GridNet(cancelled, set.Dictionary(), region, q, 1, nil)
			return err
		},
		"MeasureHausdorff": func() error { _, err := certificate.MeasureHausdorff(cancelled, set, 1); return err },
	} {
		if err := attempt(); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, _, err := certificate.BoundingBox(ctx, nil, nil); err == nil {
		t.Error("nil region: no error from BoundingBox")
	}
}

// TestANilContextOfDistances stands for context.Background().
func TestANilContextOfDistances(t *testing.T) {
	var none context.Context
	h, err := certificate.MeasureHausdorff(none, atomicSet(t, 2, []int{0}, []float64{3, 0}, []float64{0, 4}), 1)
	if err != nil || !near(h.Distance.Float(), 4) || h.Atom != 1 {
		t.Errorf("%+v, %v", h, err)
	}
}

// Options of the solver that are outside their range are an error of whatever opens one.
func TestBadSolverOptions(t *testing.T) {
	set, region, q, bad := atomicSet(t, 1, []int{0}, []float64{1, 0}, []float64{0, 1}), box(2, -1, 1), sparsero.Identity(2), &solver.Options{Seed: -1}
	for name, attempt := range map[string]func() error{
		"BoundingBox":   func() error { _, _, err := certificate.BoundingBox(ctx, region, bad); return err },
		"DirectionNorm": func() error { _, err := certificate.DirectionNorm(ctx, region, q, bad); return err },
		"SolveUniform": func() error {
			_, err := certificate.SolveUniform(ctx, set, region, q, &certificate.Options{Solver: bad})
			return err
		},
		"GridNet": func() error {
			_, err := certificate.GridNet(ctx, set.Dictionary(), region, q, 1, &certificate.Options{Solver: bad})
			return err
		},
	} {
		if err := attempt(); err == nil || !strings.Contains(err.Error(), "Seed") {
			t.Errorf("%s: %v", name, err)
		}
	}
	few := &certificate.Options{MaxPoints: -1}
	if _, err := certificate.GridNet(ctx, set.Dictionary(), region, q, 1, few); err == nil || !strings.Contains(err.Error(), "MaxPoints") {
		t.Error(err)
	}
	if _, err := certificate.SolveUniform(ctx, set, region, q, few); err == nil || !strings.Contains(err.Error(), "MaxPoints") {
		t.Error(err)
	}
	if _, err := certificate.LipschitzNet(set.Dictionary(), []float64{0, 0}, []float64{1, 1}, certificate.LipschitzMap{Apply: q.Apply, Constant: 1}, 1, few); err == nil || !strings.Contains(err.Error(), "MaxPoints") {
		t.Error(err)
	}
	if empty := new(certificate.ProbeSet); empty.Size() != 0 || !empty.Directions().IsEmpty() {
		t.Errorf("an empty set has %d directions", empty.Size())
	}
}

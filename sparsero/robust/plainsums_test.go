package robust_test

import (
	"math"
	"slices"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/robust"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// TestEvaluateIsPlainSums of whole numbers, which float64 holds: values, worst atoms, reports and what counts as kept.
func TestEvaluateIsPlainSums(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		whole := func(label string) float64 { return float64(rapid.IntRange(-3, 3).Draw(t, label)) }
		list := func(n int, label string) []float64 {
			v := make([]float64, n)
			for i := range v {
				v[i] = whole(label)
			}
			return v
		}
		n, p, count := rapid.IntRange(1, 3).Draw(t, "n"), rapid.IntRange(1, 3).Draw(t, "p"), rapid.IntRange(1, 4).Draw(t, "N")
		atoms := list(count*p, "atom")
		d := get(sparsero.NewDictionary(mat.NewDense(count, p, atoms), nil))(t)
		region, b, x, size := solver.NewModel("X"), whole("offset"), list(n, "x"), 0.0
		region.SetOffset(b)
		size = math.Abs(b)
		for _, at := range x {
			cost := whole("cost")
			region.AddColumn(solver.Column{Bounds: solver.Between(-9, 9), Cost: cost})
			b, size = b+cost*at, size+math.Abs(cost*at)
		}
		drawn := func() (sparsero.AffineMap, []float64) {
			q := sparsero.AffineMap{Matrix: mat.NewDense(p, n, list(p*n, "q"))}
			if rapid.Bool().Draw(t, "affine") {
				q.Constant = list(p, "constant")
			}
			return q, q.Apply(x)
		}
		radius, chosen := float64(rapid.IntRange(0, 3).Draw(t, "radius")), drawSubset(t, count)
		reach := func(s []float64, indices []int) (most float64, worst int) {
			worst = sparsero.NullAtom
			for _, i := range indices {
				sum := 0.0
				for k, v := range s {
					sum += atoms[i*p+k] * v
				}
				if sum > most || sum == most && worst == sparsero.NullAtom {
					most, worst = sum, i
				}
			}
			return most, worst
		}
		every := make([]int, count)
		for i := range every {
			every[i] = i
		}
		var q sparsero.AffineMap
		value, full, worst, direction := b, b, sparsero.NullAtom, []float64(nil)
		var constraints []robust.Constraint
		certain := rapid.Bool().Draw(t, "certain")
		if !certain {
			q, direction = drawn()
			most, _ := reach(direction, chosen)
			all, at := reach(direction, every)
			value, full, worst = b+radius*most, b+radius*all, at
		}
		var reports []robust.ConstraintReport
		kept := true
		for k := range rapid.IntRange(map[bool]int{true: 1}[certain], 2).Draw(t, "constraints") {
			c := robust.Constraint{Name: string(rune('a' + k)), Nominal: list(n, "nominal"), Limit: whole("limit")}
			var s []float64
			c.Map, s = drawn()
			nominal := 0.0
			for j, v := range c.Nominal {
				nominal += v * x[j]
			}
			most, _ := reach(s, chosen)
			all, at := reach(s, every)
			report := robust.ConstraintReport{Name: c.Name, Limit: c.Limit, Restricted: nominal + radius*most, Full: nominal + radius*all}
			report.Certificate.WorstAtom = at
			kept = kept && report.Full <= report.Limit
			reports, constraints = append(reports, report), append(constraints, c)
		}
		got := get(get(robust.NewProblem(d, region, q, constraints...))(t).Evaluate(chosen, radius, x))(t)
		if got.Value != value || got.WorstAtom != worst || !slices.Equal(got.Direction, direction) || got.FullFeasible() != kept || !slices.Equal(got.Atoms, chosen) {
			t.Fatalf("%+v\nvalue %v, worst atom %d in %v, kept %t", got, value, worst, direction, kept)
		}
		if math.Abs(got.FullValue()-full) > 1e-12*(1+math.Abs(full)) || got.FullValue() < full {
			t.Fatalf("full value %v, want %v", got.FullValue(), full)
		}
		if certain && got.Size != size || got.Size < size {
			t.Fatalf("the terms have the size %v, those without uncertainty %v", got.Size, size)
		}
		for k, report := range reports {
			c := got.Constraints[k]
			if c.Name != report.Name || c.Limit != report.Limit || c.Restricted != report.Restricted || c.Full != report.Full || c.Certificate.WorstAtom != report.Certificate.WorstAtom {
				t.Fatalf("%+v\nwant %+v", c, report)
			}
		}
	})
}

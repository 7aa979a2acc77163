package proof

import (
	"context"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sparsero/directions/solver/internal/program"
	"github.com/sparsero/directions/solver/proof/exact"
	"pgregory.net/rapid"
)

// number draws small whole numbers, and some between them that are no short binary ones.
func number(t *rapid.T, label string) float64 {
	v := float64(rapid.IntRange(-4, 4).Draw(t, label))
	if rapid.IntRange(0, 3).Draw(t, "fine") == 0 {
		v += float64(rapid.IntRange(-9, 9).Draw(t, "tenths")) / 10
	}
	return v
}

// drawBounds draws two sides, one or both of which may be missing.
func drawBounds(t *rapid.T) (lower, upper float64) {
	a, b := number(t, "bound"), number(t, "bound")
	lower, upper = math.Min(a, b), math.Max(a, b)
	switch rapid.IntRange(0, 5).Draw(t, "sides") {
	case 0:
		lower = math.Inf(-1)
	case 1:
		upper = math.Inf(1)
	case 2:
		lower, upper = math.Inf(-1), math.Inf(1)
	case 3:
		upper = lower
	}
	return lower, upper
}

func drawLinear(t *rapid.T) *Program {
	p := &Program{Offset: number(t, "offset")}
	for range rapid.IntRange(1, 4).Draw(t, "columns") {
		lower, upper := drawBounds(t)
		p.Cost, p.Lower, p.Upper = append(p.Cost, number(t, "cost")), append(p.Lower, lower), append(p.Upper, upper)
	}
	for range rapid.IntRange(0, 4).Draw(t, "rows") {
		r := Row{}
		r.Lower, r.Upper = drawBounds(t)
		for j := range p.Cost {
			if v := number(t, "coefficient"); v != 0 {
				r.Columns, r.Values = append(r.Columns, j), append(r.Values, v)
			}
		}
		p.Rows = append(p.Rows, r)
	}
	return p
}

// severally checks a property of some draws at a time, as one is soon judged.
func severally(t *testing.T, property func(t *rapid.T)) {
	rapid.Check(t, func(t *rapid.T) {
		for range 10 {
			property(t)
		}
	})
}

// byFractions proposes the exact optimum, rounded.
func byFractions(ctx context.Context, p *Program) []float64 {
	if a := exact.Solve(ctx, p); a.Status == exact.Optimal {
		return program.Floats(a.X)
	}
	return nil
}

// TestClaimsAgainstFractions: what is proven of a linear program is true in fractions, whatever the evidence, and with the
// multipliers, points and rays of the exact method, rounded, it is nearly all that is true.
func TestClaimsAgainstFractions(t *testing.T) {
	tried, proven := map[string]int{}, map[string]int{}
	count := func(name string, is bool) {
		if tried[name]++; is {
			proven[name]++
		}
	}
	severally(t, func(t *rapid.T) {
		p, ctx := drawLinear(t), context.Background()
		a := exact.Solve(ctx, p)
		random := make([]float64, len(p.Rows))
		for i := range random {
			random[i] = number(t, "multiplier")
		}
		multipliers, minimum := [][]float64{random}, new(big.Rat)
		if a.Duals != nil {
			multipliers = append(multipliers, program.Floats(a.Duals))
		}
		if a.Status == exact.Optimal {
			minimum.Add(a.Objective, rationalOf(p.Offset))
		}
		for k, y := range multipliers {
			bound, size := DualBound(p, nil, y)
			switch a.Status {
			case exact.Optimal:
				if bound != (Lower{}) && rationalOf(bound.Float()).Cmp(minimum) > 0 {
					t.Fatalf("%+v: %v proves %v, the minimum is %v", p, y, bound, minimum)
				}
				if reached, _ := minimum.Float64(); k == 1 {
					count("bound", bound.Float() >= reached-1e-12*size-1e-300)
				}
				if math.Abs(bound.Float()) > size*(1+1e-12) && bound != (Lower{}) {
					t.Fatalf("%+v: the terms of %v have the size %v", p, bound, size)
				}
			case exact.Unbounded:
				if bound != (Lower{}) {
					t.Fatalf("%+v: %v proves %v of an unbounded program", p, y, bound)
				}
			}
			farkas := Infeasible(p, y)
			if farkas != nil && a.Status != exact.Infeasible {
				t.Fatalf("%+v: %v proves that a feasible program is not", p, y)
			}
			if a.Status == exact.Infeasible && k == 1 {
				count("infeasible", farkas != nil)
				for i := range y {
					y[i] = -y[i]
				}
				count("negated", Infeasible(p, y) != nil)
			}
		}
		start := make([]float64, len(p.Cost))
		for j := range start {
			start[j] = number(t, "start")
		}
		point := Point(ctx, p, start, byFractions)
		count("point", (point == nil) == (a.Status == exact.Infeasible))
		if point != nil && (a.Status == exact.Infeasible || !program.Within(p, roundedInto(p, point), 1e-12, 1)) {
			t.Fatalf("%+v has the point %v", p, point)
		}
		ray := Ray(ctx, p, byFractions)
		falls := exact.Solve(ctx, program.Recession(p)).Objective.Sign() < 0
		if count("ray", (ray != nil) == falls); ray != nil && !falls {
			t.Fatalf("%+v has the ray %v", p, ray)
		}
	})
	for name, n := range tried {
		if proven[name] < n-n/20-2 {
			t.Errorf("%s: %d of %d are proven", name, proven[name], n)
		}
	}
}

// roundedInto moves a point that was rounded back between the bounds of its columns.
func roundedInto(p *Program, x []float64) []float64 {
	x = slices.Clone(x)
	for j := range x {
		x[j] = math.Min(math.Max(x[j], p.Lower[j]), p.Upper[j])
	}
	return x
}

// known is a convex quadratic program with a known optimum: multipliers y of rows that are active at x, and reduced costs that
// lean on the bounds at which x is.
func known(t *rapid.T) (p *Program, x, y []float64, minimum *big.Rat) {
	n, whole := rapid.IntRange(1, 4).Draw(t, "n"), func(label string) float64 { return float64(rapid.IntRange(-3, 3).Draw(t, label)) }
	p = &Program{Offset: whole("offset"), Cost: make([]float64, n)}
	gradient := make([]float64, n) // of the rest of the Lagrangian
	for j := range n {
		x = append(x, whole("x"))
		lower, upper, rise := math.Inf(-1), math.Inf(1), 0.0
		switch rapid.IntRange(0, 2).Draw(t, "bound") {
		case 0:
			lower, rise = x[j], math.Abs(whole("reduced cost"))
		case 1:
			upper, rise = x[j], -math.Abs(whole("reduced cost"))
		}
		p.Lower, p.Upper, gradient[j] = append(p.Lower, lower), append(p.Upper, upper), rise
	}
	for range rapid.IntRange(0, 3).Draw(t, "rows") {
		r, multiplier, activity := Row{Lower: math.Inf(-1), Upper: math.Inf(1)}, whole("y"), 0.0
		for j := range n {
			v := whole("a")
			r.Columns, r.Values = append(r.Columns, j), append(r.Values, v)
			activity += v * x[j]
			gradient[j] += multiplier * v
		}
		if multiplier >= 0 {
			r.Lower = activity
		}
		if multiplier <= 0 {
			r.Upper = activity
		}
		p.Rows, y = append(p.Rows, r), append(y, multiplier)
	}
	hessian := make([][]float64, n)
	for i := range hessian {
		hessian[i] = make([]float64, n)
		hessian[i][i] = 1
	}
	for range rapid.IntRange(0, 2).Draw(t, "rank") {
		v := make([]float64, n)
		for j := range v {
			v[j] = whole("factor")
		}
		for i := range n {
			for j := range n {
				hessian[i][j] += v[i] * v[j]
			}
		}
	}
	for i := range n {
		p.Cost[i] = gradient[i]
		for j := range n {
			p.Cost[i] -= hessian[i][j] * x[j]
		}
		p.Quadratic = append(p.Quadratic, program.Term{I: i, J: i, Value: hessian[i][i] / 2})
		for j := i + 1; j < n; j++ {
			p.Quadratic = append(p.Quadratic, program.Term{I: i, J: j, Value: hessian[i][j]})
		}
	}
	value, _ := program.Objective(p, x) // whole numbers and halves
	if y == nil {
		y = []float64{}
	}
	return p, x, y, rationalOf(value)
}

// TestQuadraticBoundsAgainstKnownOptima: from its optimum a program is bounded by its minimum, and from wherever else by no more.
func TestQuadraticBoundsAgainstKnownOptima(t *testing.T) {
	severally(t, func(t *rapid.T) {
		p, x, y, minimum := known(t)
		reached, _ := minimum.Float64()
		bound, size := DualBound(p, x, y)
		if NotConvex(p, 1e-9) || rationalOf(bound.Float()).Cmp(minimum) > 0 || bound.Float() < reached-1e-12*size {
			t.Fatalf("%+v: bound %v of size %v, the minimum is %v", p, bound, size, reached)
		}
		tangent, multipliers, off := slices.Clone(x), slices.Clone(y), rapid.SampledFrom([]float64{1e-9, 1e-3, 1}).Draw(t, "off")
		for j := range tangent {
			tangent[j] += off * rapid.Float64Range(-1, 1).Draw(t, "dx")
		}
		for i := range multipliers {
			multipliers[i] *= 1 + off*rapid.Float64Range(-1, 1).Draw(t, "dy")
		}
		if bound, _ := DualBound(p, tangent, multipliers); bound == (Lower{}) || rationalOf(bound.Float()).Cmp(minimum) > 0 || bound.Float() < reached-1e4*(off*off+off*1e-3+1e-12) {
			t.Fatalf("%+v: at %v with %v the bound is %v, the minimum %v", p, tangent, multipliers, bound, reached)
		}
	})
}

// eighths rounds all numbers of a program to multiples of 1/8, so that no point keeps to rows by rounding alone.
func eighths(p *Program) {
	lists := [][]float64{p.Cost, p.Lower, p.Upper}
	for i := range p.Rows {
		r := &p.Rows[i]
		r.Lower, r.Upper = math.Round(8*r.Lower)/8, math.Round(8*r.Upper)/8
		lists = append(lists, r.Values)
	}
	for _, list := range lists {
		for k, v := range list {
			list[k] = math.Round(8*v) / 8
		}
	}
}

// TestSearchAgainstEnumeration: over a few whole columns, with others between them, a search finds the minimum, and less of it
// after fewer nodes; also where some relaxations say nothing.
func TestSearchAgainstEnumeration(t *testing.T) {
	severally(t, func(t *rapid.T) {
		p, ctx := drawLinear(t), context.Background()
		eighths(p)
		var integers []int
		for j := range p.Cost {
			p.Lower[j], p.Upper[j] = math.Max(p.Lower[j], -3), math.Min(p.Upper[j], 3)
			if rapid.IntRange(0, 2).Draw(t, "whole") > 0 {
				p.Lower[j], p.Upper[j] = math.Ceil(p.Lower[j]), math.Floor(p.Upper[j])
				integers = append(integers, j)
			}
		}
		relaxed := func(lower, upper []float64) *exact.Answer {
			part := *p
			part.Lower, part.Upper = slices.Clone(p.Lower), slices.Clone(p.Upper)
			for k, j := range integers {
				part.Lower[j], part.Upper[j] = lower[k], upper[k]
			}
			return exact.Solve(ctx, &part)
		}
		var minimum *big.Rat
		at := make([]float64, len(integers))
		var enumerate func(k int)
		enumerate = func(k int) {
			if k == len(at) {
				if a := relaxed(at, at); a.Status == exact.Optimal && (minimum == nil || a.Objective.Cmp(minimum) < 0) {
					minimum = a.Objective
				}
				return
			}
			for at[k] = p.Lower[integers[k]]; at[k] <= p.Upper[integers[k]]; at[k]++ {
				enumerate(k + 1)
			}
		}
		enumerate(0)
		silent := rapid.Bool().Draw(t, "silent")
		relax := func(_ context.Context, lower, upper []float64) ([]float64, Lower) {
			switch a := relaxed(lower, upper); {
			case a.Status == exact.Infeasible:
				return nil, AtLeast(math.Inf(1))
			case silent && !slices.Equal(lower, upper):
				return nil, Lower{}
			default:
				return program.Floats(a.X), LowerOf(new(big.Rat).Add(a.Objective, rationalOf(p.Offset)))
			}
		}
		for _, nodes := range []int{0, 1, 3, 100_000} {
			s := &Search{Program: p, Integers: integers, Relax: relax, Whole: 1e-9, Feasibility: 1e-9}
			bound := s.Bound(ctx, nodes).Float()
			if minimum == nil {
				if nodes > 3 && (bound != math.Inf(1) || s.Incumbent != nil) {
					t.Fatalf("%+v, whole %v: bound %v at %v, and there is no point", p, integers, bound, s.Incumbent)
				}
				continue
			}
			least, _ := new(big.Rat).Add(minimum, rationalOf(p.Offset)).Float64()
			if bound > least+1e-12 || nodes > 3 && bound < least-1e-9 {
				t.Fatalf("%+v, whole %v: bound %v after %d nodes, the minimum is %v", p, integers, bound, nodes, least)
			}
			if value := math.Inf(1); nodes > 3 {
				if s.Incumbent != nil {
					value, _ = program.Objective(p, s.Incumbent)
				}
				if math.Abs(value-least) > 1e-9 {
					t.Fatalf("%+v, whole %v: the point %v costs %v, the minimum is %v", p, integers, s.Incumbent, value, least)
				}
				with := &Search{Program: p, Integers: integers, Relax: relax, Whole: 1e-9, Feasibility: 1e-9, Incumbent: s.Incumbent, Slack: 1e-9}
				if again := with.Bound(ctx, nodes).Float(); again > least+1e-12 || again < least-1e-7*(1+math.Abs(least)) {
					t.Fatalf("%+v, whole %v: bound %v from the optimum, the minimum is %v", p, integers, again, least)
				}
			}
		}
	})
}

// TestPointsNearOthers: of a program that is not small, a point that misses rows by rounding is moved onto them by little, and
// entries that are 0 stay so; a point inside that is proposed is taken as it is.
func TestPointsNearOthers(t *testing.T) {
	const n, m = 60, 30
	for seed := range uint64(6) {
		random := rand.New(rand.NewPCG(seed, 5))
		p, x := &Program{Cost: make([]float64, n)}, make([]float64, n)
		for j := range n {
			if j%4 != 0 {
				x[j] = 1 + random.Float64()
			}
			p.Lower, p.Upper = append(p.Lower, -10), append(p.Upper, 10)
		}
		p.Lower[1], p.Upper[2] = x[1], x[2]
		for i := range m {
			r := Row{Lower: math.Inf(-1), Upper: math.Inf(1)}
			for j := range n {
				r.Columns, r.Values = append(r.Columns, j), append(r.Values, float64(random.IntN(7)-3))
			}
			activity, _ := program.Activity(&r, x)
			switch i % 5 {
			case 0:
				r.Lower, r.Upper = activity, activity
			case 1:
				r.Lower = math.Nextafter(activity, math.Inf(1))
			case 2:
				r.Upper = math.Nextafter(activity, math.Inf(-1))
			case 3: // far from both sides
				r.Lower, r.Upper = activity-1, activity+1
			}
			p.Rows = append(p.Rows, r)
		}
		p.Rows = append(p.Rows, Row{Lower: 0, Upper: 1, Columns: []int{0, 4}, Values: []float64{1, 1}}) // of entries that are 0
		none := func(context.Context, *Program) []float64 { return nil }
		point := Point(context.Background(), p, x, none)
		if point == nil {
			t.Fatalf("seed %d: no point", seed)
		}
		for j := range n {
			if math.Abs(point[j]-x[j]) > 0x1p-31*math.Abs(x[j]) {
				t.Errorf("seed %d: entry %d moved from %v to %v", seed, j, x[j], point[j])
			}
		}
		inside := func(_ context.Context, q *Program) []float64 {
			if !(q.Lower[n] < 0 && q.Upper[n] == 0) { // by which rows are tighter
				t.Errorf("seed %d: points inside by %v to %v are asked for", seed, q.Lower[n], q.Upper[n])
			}
			return append(slices.Clone(x), 1)
		}
		if got := Point(context.Background(), p, make([]float64, n), inside); got != nil && !slices.Equal(got, x) {
			t.Errorf("seed %d: %v", seed, got)
		}
		for i := range p.Rows { // away from the sides x is inside
			p.Rows[i].Lower, p.Rows[i].Upper = p.Rows[i].Lower-1, p.Rows[i].Upper+1
		}
		if got := Point(context.Background(), p, slices.Repeat([]float64{11}, n), inside); !slices.Equal(got, x) {
			t.Errorf("seed %d: %v instead of the point inside", seed, got)
		}
		alone := func(context.Context, *Program) []float64 { return x }
		if got := Point(context.Background(), p, slices.Repeat([]float64{11}, n), alone); !slices.Equal(got, x) {
			t.Errorf("seed %d: %v instead of the point inside", seed, got)
		}
		p.Rows[0].Lower, p.Rows[0].Upper = 1e6, 1e6
		if got := Point(context.Background(), p, x, none); got != nil {
			t.Errorf("seed %d: a point %v near none", seed, got)
		}
	}
}

// TestFlatRaysProveNothing: along a direction that improves the objective by rounding errors alone it does not fall for ever.
func TestFlatRaysProveNothing(t *testing.T) {
	for fall, want := range map[float64]bool{1e-12: false, 4e-10: false, 4e-9: true, 1e-3: true} {
		p := strip(1, -1-fall)
		if got := Ray(context.Background(), p, func(context.Context, *Program) []float64 { return []float64{1, 1} }) != nil; got != want {
			t.Errorf("falls by %g of 2: %v, want %v", fall, got, want)
		}
	}
	if Ray(context.Background(), strip(1000, -1000-1e-7), func(context.Context, *Program) []float64 { return []float64{1, 1} }) != nil {
		t.Error("falls by 1e-7 of 2000")
	}
	if Ray(context.Background(), strip(-1, -1), func(context.Context, *Program) []float64 { return []float64{1} }) != nil {
		t.Error("a direction of another dimension is a ray")
	}
}

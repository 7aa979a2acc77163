package proof

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sparsero/directions/solver/internal/program"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// circulant is min Σ x_j over 3 x_j + x_{j+1} >= j for n free columns, the last one before the first, with the multipliers 1/4.
func circulant(n int) (p *Program, minimum float64) {
	p = &Program{}
	for j := range n {
		p.Cost, p.Lower, p.Upper = append(p.Cost, 1), append(p.Lower, math.Inf(-1)), append(p.Upper, math.Inf(1))
		row := Row{Lower: float64(j), Upper: math.Inf(1), Columns: []int{j, j + 1}, Values: []float64{3, 1}}
		if j == n-1 {
			row.Columns, row.Values = []int{0, j}, []float64{1, 3}
		}
		p.Rows, minimum = append(p.Rows, row), minimum+float64(j)/4
	}
	return p, minimum
}

// TestManyColumnsAreRepairedAtOnce, and what a repair moves in columns with bounds is counted there on the safe side.
func TestManyColumnsAreRepairedAtOnce(t *testing.T) {
	const n = 9
	for _, off := range []float64{0x1p-50, -0x1p-50, 0x1p-38, -0x1p-38} {
		for _, side := range []float64{-1 << 20, 1 << 20} {
			p, minimum := circulant(n)
			p.Cost, p.Lower, p.Upper = append(p.Cost, 0), append(p.Lower, side), append(p.Upper, side)
			for i, a := range []float64{1, 2, -3} { // its reduced cost is 0 for equal multipliers
				p.Rows[i].Columns, p.Rows[i].Values = append(p.Rows[i].Columns, n), append(p.Rows[i].Values, a)
			}
			y := slices.Repeat([]float64{0.25 * (1 + off)}, n)
			y[1], y[2] = 0.25*(1-off), 0.25*(1+2*off)
			if bound, _ := DualBound(p, nil, y); bound.Float() > minimum || bound.Float() < minimum-1e-5 {
				t.Errorf("%g off, beside a column at %g: bound %v, want %v", off, side, bound, minimum)
			}
		}
	}
}

// TestShrunkMultipliers: reduced costs that have the wrong sign by rounding alone are mended where there are too many for fractions.
func TestShrunkMultipliers(t *testing.T) {
	const n = 50
	for seed := range uint64(20) {
		random := rand.New(rand.NewPCG(seed, 3))
		p, y, minimum := &Program{Cost: make([]float64, n)}, make([]float64, n), 0.0
		for i := range y {
			y[i] = 0.5 + random.Float64()
			row := Row{Lower: 1, Upper: math.Inf(1)}
			for j := range n {
				row.Columns, row.Values = append(row.Columns, j), append(row.Values, random.Float64())
				p.Cost[j] += y[i] * row.Values[j]
			}
			p.Rows, minimum = append(p.Rows, row), minimum+y[i]
			p.Lower, p.Upper = append(p.Lower, 0), append(p.Upper, math.Inf(1))
		}
		if bound, _ := DualBound(p, nil, y); bound.Float() > minimum || bound.Float() < minimum*(1-1e-13) {
			t.Errorf("seed %d: bound %v, want %v", seed, bound, minimum)
		}
		for i := range y { // by more than rounding
			y[i] *= 1.001
		}
		if bound, _ := DualBound(p, nil, y); bound.Float() > minimum || bound.Float() < minimum*0.998 {
			t.Errorf("seed %d: bound %v, want about %v", seed, bound, minimum)
		}
		for i := range y { // which no rounding explains
			y[i] *= 1.02
		}
		if bound, _ := DualBound(p, nil, y); bound != (Lower{}) {
			t.Errorf("seed %d: bound %v of multipliers that are too large", seed, bound)
		}
	}
}

// TestImpliedBoundsBesideGivenOnes: bounds that rows imply are used where there are none, and given ones are kept.
func TestImpliedBoundsBesideGivenOnes(t *testing.T) {
	inf := math.Inf(1)
	// min -x - y over x <= 5, y + z <= 3, z >= 0, x - w <= 0 with free w.
	p := &Program{Cost: []float64{-1, -1, 0, 0}, Lower: []float64{0, 0, 0, -inf}, Upper: []float64{5, inf, inf, inf}, Rows: []Row{
		{Columns: []int{1, 2}, Values: []float64{1, 1}, Lower: -inf, Upper: 3}, {Columns: []int{0, 3}, Values: []float64{1, -1}, Lower: -inf, Upper: 0},
	}}
	mirrored := &Program{Cost: []float64{1, 1, 0, 0}, Lower: []float64{-5, -inf, -inf, -inf}, Upper: []float64{0, 0, 0, inf}, Rows: []Row{
		{Columns: []int{1, 2}, Values: []float64{1, 1}, Lower: -3, Upper: inf}, {Columns: []int{0, 3}, Values: []float64{1, -1}, Lower: 0, Upper: inf},
	}}
	above := &Program{Cost: []float64{-1, 0}, Lower: []float64{0, 0}, Upper: []float64{inf, 1}, Rows: []Row{{Columns: []int{0, 1}, Values: []float64{1, 1}, Lower: -inf, Upper: 8}}}
	chain := &Program{Cost: []float64{-1, 0, 0}, Lower: []float64{0, 0, 0}, Upper: []float64{inf, inf, inf}, Rows: []Row{
		{Columns: []int{0, 1}, Values: []float64{1, -1}, Lower: -inf, Upper: 0}, {Columns: []int{1, 2}, Values: []float64{1, -1}, Lower: -inf, Upper: 0}, {Columns: []int{2}, Values: []float64{1}, Lower: -inf, Upper: 8},
	}}
	below := &Program{Cost: []float64{1, 0}, Lower: []float64{-inf, -1}, Upper: []float64{0, 0}, Rows: []Row{{Columns: []int{0, 1}, Values: []float64{1, 1}, Lower: -8, Upper: inf}}}
	for name, p := range map[string]*Program{"below alone": below, "above": p, "below": mirrored, "above alone": above, "a chain": chain} {
		if bound, _ := DualBound(p, nil, make([]float64, len(p.Rows))); bound.Float() > -8 || bound.Float() < -8*(1+1e-15) {
			t.Errorf("bounds from %s: %v, want -8", name, bound)
		}
	}
}

// TestImpliedBoundsUnderMultipliers: -8 <= x + z <= 0 bounds x below where the multiplier -2 of its upper side leaves x the cost 1.
func TestImpliedBoundsUnderMultipliers(t *testing.T) {
	p := &Program{Cost: []float64{-1, 0}, Lower: []float64{math.Inf(-1), -1}, Upper: []float64{0, 0}, Rows: []Row{{Columns: []int{0, 1}, Values: []float64{1, 1}, Lower: -8, Upper: 0}}}
	if bound, _ := DualBound(p, nil, []float64{-2}); bound.Float() > -10 || bound.Float() < -10*(1+1e-15) {
		t.Errorf("bound %v, want -10", bound)
	}
}

// TestTangentsInFractions: of q x² + c x over a free x the bound from about its minimum is not above -c²/4q, and a hair below at most.
func TestTangentsInFractions(t *testing.T) {
	severally(t, func(t *rapid.T) {
		q, c := rapid.Float64Range(0.5, 2).Draw(t, "q"), rapid.Float64Range(-4, 4).Draw(t, "c")
		p := &Program{Cost: []float64{c}, Lower: []float64{math.Inf(-1)}, Upper: []float64{math.Inf(1)}, Quadratic: []program.Term{{Value: q}}}
		minimum := new(big.Rat).Mul(rationalOf(c), rationalOf(c))
		minimum.Quo(minimum.Neg(minimum), rationalOf(4*q))
		bound, _ := DualBound(p, []float64{-c / 2 / q}, []float64{})
		near, _ := minimum.Float64()
		if rationalOf(bound.Float()).Cmp(minimum) > 0 || bound.Float() < near*(1+1e-15)-1e-300 {
			t.Fatalf("%v x² + %v x: bound %v, the minimum is %v", q, c, bound, near)
		}
	})
}

// TestCurvatureIsNotOverstated: along a direction in which an objective is nearly flat it falls as far as it does; units of columns do
// not matter, and what counts as convex by rounding costs rounding errors.
func TestCurvatureIsNotOverstated(t *testing.T) {
	free := func(hessian *mat.SymDense, cost ...float64) *Program {
		p := programOf(hessian)
		p.Cost = cost
		for j := range cost {
			p.Lower[j], p.Upper[j] = math.Inf(-1), math.Inf(1)
		}
		return p
	}
	for _, flat := range []float64{0.5, 0.1, 0x1p-8, 0x1p-15} { // the minimum is -1/flat
		p := free(mat.NewSymDense(2, []float64{1, 1 - flat, 1 - flat, 1}), 1, -1)
		if bound, _ := DualBound(p, []float64{0, 0}, []float64{}); bound.Float() > -1/flat || math.IsInf(bound.Float(), -1) {
			t.Errorf("curvature %g: bound %v, the minimum is %v", flat, bound, -1/flat)
		}
	}
	p := free(mat.NewSymDense(2, []float64{0x1p40, 0, 0, 0x1p-40}), 0x1p20, 0x1p-20) // the minimum is -1
	if bound, _ := DualBound(p, []float64{0, 0}, []float64{}); bound.Float() > -1 || bound.Float() < -100 {
		t.Errorf("in other units: bound %v, the minimum is -1", bound)
	}
	p = programOf(mat.NewSymDense(2, []float64{1, 1 + 0x1p-52, 1 + 0x1p-52, 1}))
	p.Upper = []float64{1, 1}
	if loss := curvatureLoss(p, []float64{0, 0}); loss <= 0 || loss > 1e-12 {
		t.Errorf("convex by rounding costs %v", loss)
	}
	for n := 1; n <= 40; n++ {
		unit := mat.NewSymDense(n, nil)
		for k := range n {
			unit.SetSym(k, k, 1)
		}
		if noise := choleskyNoise(unit); noise < float64((n+1)*n)*0x1p-53 || noise > float64((n+2)*n)*0x1p-49 {
			t.Errorf("the factor of %d columns misses %v", n, noise)
		}
		squares := programOf(unit)
		squares.Upper = slices.Repeat([]float64{1}, n)
		if loss := curvatureLoss(squares, make([]float64, n)); loss != 0 {
			t.Errorf("%d squares cost %v", n, loss)
		}
	}
	if NotConvex(strip(1, 1), 1e-9) {
		t.Error("a linear objective curves down")
	}
}

// TestSearchesEndAndRefuse: no more nodes are looked at than asked for, and columns that are not there are refused.
func TestSearchesEndAndRefuse(t *testing.T) {
	calls := 0
	s := &Search{Program: &Program{Cost: []float64{0}, Lower: []float64{0}, Upper: []float64{100}}, Integers: []int{0}}
	s.Relax = func(context.Context, []float64, []float64) ([]float64, Lower) {
		calls++
		return nil, AtLeast(-1)
	}
	if bound := s.Bound(context.Background(), 3); calls != 3 || bound != AtLeast(-1) {
		t.Errorf("bound %v after %d relaxations", bound, calls)
	}
	for _, j := range []int{-1, 1} {
		func() {
			defer func() {
				if said := fmt.Sprint(recover()); !strings.HasPrefix(said, "proof: the integer columns") {
					t.Errorf("column %d: %s", j, said)
				}
			}()
			s.Integers = []int{j}
			s.Bound(context.Background(), 3)
		}()
	}
}

// TestSearchesAreShort: a point that is known and a relaxation that reaches it take one node, and so does a whole point below
// which nothing is proven.
func TestSearchesAreShort(t *testing.T) {
	p := &Program{Cost: []float64{-1}, Lower: []float64{0}, Upper: []float64{2.5}}
	for name, test := range map[string]struct {
		incumbent []float64
		x, bound  float64
	}{"known": {[]float64{2}, 2.5, -2.5}, "whole": {nil, 1, -10}} {
		calls := 0
		s := &Search{Program: p, Integers: []int{0}, Whole: 1e-9, Feasibility: 1e-9, Incumbent: test.incumbent, Relax: func(context.Context, []float64, []float64) ([]float64, Lower) {
			calls++
			return []float64{test.x}, AtLeast(test.bound)
		}}
		var none context.Context
		if bound := s.Bound(none, 100); calls != 1 || bound.Float() != math.Ceil(test.bound) {
			t.Errorf("%s: bound %v after %d relaxations", name, bound, calls)
		}
	}
}

// TestColumnsWithSquaresStayOpen: without curvature a free column with a gradient has no bound, and a tangent at the minimum loses nothing.
func TestColumnsWithSquaresStayOpen(t *testing.T) {
	p := programOf(mat.NewSymDense(2, []float64{1, 1, 1, 1}))
	for j := range p.Lower {
		p.Lower[j], p.Upper[j] = math.Inf(-1), math.Inf(1)
	}
	p.Rows = []Row{{Columns: []int{0, 1}, Values: []float64{1, 1}, Lower: 0, Upper: 1}}
	if bound, _ := DualBound(p, []float64{0.1, 0.2}, []float64{0.25}); bound != (Lower{}) {
		t.Errorf("bound %v", bound)
	}
	square := &Program{Cost: []float64{0}, Lower: []float64{math.Inf(-1)}, Upper: []float64{math.Inf(1)}, Quadratic: []program.Term{{Value: 1}}}
	if bound, _ := DualBound(square, []float64{0}, []float64{}); bound != AtLeast(0) {
		t.Errorf("bound %v of x², want 0", bound)
	}
}

// TestWhatDoesNotFitIsRefused by this package, before anything else fails.
func TestWhatDoesNotFitIsRefused(t *testing.T) {
	ctx, one, two := context.Background(), []float64{1}, []float64{1, 1}
	for name, call := range map[string]func(){
		"a point without a proposer": func() { Point(ctx, strip(1, 1), []float64{1, 1}, nil) },
		"a ray without a proposer":   func() { Ray(ctx, strip(1, 1), nil) },
		"a short point":              func() { Point(ctx, strip(1, 1), []float64{1}, byFractions) },
		"a short lower gradient":     func() { Relax(strip(1, 1), nil, nil, nil).Maximum(Affine{Low: one, High: two}) },
		"a short upper gradient":     func() { Relax(strip(1, 1), nil, nil, nil).Maximum(Affine{Low: two, High: one}) },
		"a short function below":     func() { Relax(strip(1, 1), nil, []Affine{{Low: one, High: two}}, []float64{1}) },
		"a program of no bounds":     func() { Relax(&Program{Cost: one}, []float64{}, nil, nil) },
		"weights of no function":     func() { Relax(strip(1, 1), nil, nil, one) },
		"multipliers of no row":      func() { Relax(strip(1, 1), make([]float64, 9), nil, nil) },
		"a search of nothing": func() {
			(&Search{Relax: func(context.Context, []float64, []float64) ([]float64, Lower) { return nil, Lower{} }}).Bound(ctx, 1)
		},
		"a search without a method": func() { (&Search{Program: strip(1, 1)}).Bound(ctx, 1) },
	} {
		func() {
			defer func() {
				if said := fmt.Sprint(recover()); !strings.HasPrefix(said, "proof:") {
					t.Errorf("%s: %s", name, said)
				}
			}()
			call()
		}()
	}
}

// TestFractionsAreRoundedToTheNextFloat on the safe side, on either side of 0.
func TestFractionsAreRoundedToTheNextFloat(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := big.NewRat(rapid.Int64Range(-1<<60, 1<<60).Draw(t, "over"), rapid.Int64Range(1, 1<<60).Draw(t, "under"))
		upper, lower := UpperOf(v).Float(), LowerOf(v).Float()
		if rationalOf(upper).Cmp(v) < 0 || rationalOf(lower).Cmp(v) > 0 || upper != lower && math.Nextafter(lower, math.Inf(1)) != upper {
			t.Fatalf("%v is in [%v, %v]", v, lower, upper)
		}
	})
	if UpperOf(nil) != (Upper{}) || LowerOf(nil) != (Lower{}) {
		t.Error("nothing proves something")
	}
}

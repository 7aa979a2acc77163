package lifted

import (
	"math"
	"math/big"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// TestTheWorstAtomIsExact in any units: what float64 rules out is not the worst, with numbers that overflow or underflow among them.
func TestTheWorstAtomIsExact(t *testing.T) {
	number := rapid.Custom(func(t *rapid.T) float64 {
		if rapid.IntRange(0, 4).Draw(t, "special") == 0 {
			return rapid.SampledFrom([]float64{0, 5e-324, -5e-324, 0x1p-1030, 1e-300, 1e300, -math.MaxFloat64, 1}).Draw(t, "v")
		}
		return math.Ldexp(rapid.Float64Range(-1, 1).Draw(t, "m"), rapid.SampledFrom([]int{0, 0, 0, 1, -60, 500, -500, 1000, -1000}).Draw(t, "e"))
	})
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.IntRange(1, 9).Draw(t, "p")
		vector := rapid.SliceOfN(number, p, p)
		atoms := rapid.SliceOfN(vector, 1, 6).Draw(t, "atoms")
		if rapid.Bool().Draw(t, "close") { // atoms that differ in the last bits
			atoms = append(atoms, append([]float64{math.Nextafter(atoms[0][0], 1)}, atoms[0][1:]...))
		}
		s := dyadics(vector.Draw(t, "s"))
		for _, v := range s { // as q(x) is, beyond float64 and below
			v.SetMantExp(v, rapid.SampledFrom([]int{0, 0, 0, 900, -900}).Draw(t, "more"))
		}
		most := dyadic(0)
		for _, atom := range atoms {
			if sum := addDot(dyadic(0), nil, atom, s); sum.Cmp(most) > 0 {
				most = sum
			}
		}
		if got := worst(atoms, 0, s); got.Cmp(most) != 0 {
			t.Fatalf("%v, not %v", got, most)
		}
	})
}

// TestWhatFloat64RulesOut: atoms that are clearly less than the largest, and none of those that may be it; nothing where numbers are
// subnormal or beyond float64.
func TestWhatFloat64RulesOut(t *testing.T) {
	shifted := func(exponent int) *big.Float { return dyadic(0).SetMantExp(dyadic(1), exponent) }
	one, zero := shifted(0), dyadic(0)
	for _, test := range []struct {
		atoms [][]float64
		first int
		s     []*big.Float
		left  []int // nil where nothing is proven
	}{
		{[][]float64{{1}, {2}, {-1}}, 0, []*big.Float{one}, []int{1}},
		{[][]float64{{1}, {2}, {-3}}, 0, []*big.Float{dyadic(0).Neg(one)}, []int{2}},
		{[][]float64{{-1}, {-2}, {0}}, 0, []*big.Float{one}, []int{2}}, // 0 belongs to every set
		{[][]float64{{2}, {2}, {math.Nextafter(2, 0)}, {2 - 0x1p-40}}, 0, []*big.Float{one}, []int{0, 1, 2}},
		{[][]float64{{9, 1, 0}, {0, 1, 1}, {0, 2, -1}}, 1, []*big.Float{one, one}, []int{1}},
		{[][]float64{{1, 5}, {0, 5}}, 0, []*big.Float{one, zero}, []int{0}},
		{[][]float64{{1}, {2}}, 0, []*big.Float{shifted(-1022)}, []int{1}}, {[][]float64{{1}, {2}}, 0, []*big.Float{shifted(-1023)}, nil},
		{[][]float64{{1}, {2}}, 0, []*big.Float{shifted(-1100)}, nil}, {[][]float64{{1}, {2}}, 0, []*big.Float{dyadic(0).Neg(shifted(-1023))}, nil},
		{[][]float64{{0x1p-1}, {0x1p-2}}, 0, []*big.Float{shifted(1023)}, []int{0}}, {[][]float64{{0x1p-1}, {0x1p-2}}, 0, []*big.Float{shifted(1024)}, nil},
		{[][]float64{{8}, {1}}, 0, []*big.Float{shifted(1022)}, nil}, {[][]float64{{8, -8}, {1, 1}}, 0, []*big.Float{shifted(1022), shifted(1022)}, nil},
	} {
		above := alignmentsAbove(test.atoms, test.first, test.s)
		var left []int
		for i, v := range above {
			if v >= 0 {
				left = append(left, i)
			}
		}
		if !slices.Equal(left, test.left) {
			t.Errorf("%v towards %v leave %v: %v", test.atoms, test.s, left, above)
		}
	}
}

// TestWhatFloat64LosesIsNotRuledOut: four products of 0.49 of the smallest number, which are rounded to 0, beside one of it; and a
// sum whose parts are beyond float64 beside a larger one.
func TestWhatFloat64LosesIsNotRuledOut(t *testing.T) {
	for _, test := range []struct {
		s, want float64
		atoms   [2][]float64
	}{
		{0x1p-1022, 0x1p-1074 * 2, [2][]float64{slices.Repeat([]float64{0x1p-53}, 4), {0x1p-52, 0, 0, 0}}},
		{1, 0x1p1023, [2][]float64{{0x1p1023, 0, 0, 0}, {0x1p1023, 0x1p1023, -0x1p1023, -0x1p1022}}},
	} {
		s := dyadics(slices.Repeat([]float64{test.s}, 4))
		if got := worst(test.atoms[:], 0, s); got.Cmp(dyadic(test.want)) != 0 {
			t.Errorf("%v: the worst is %v", test.atoms, got)
		}
	}
}

// TestTheWorstAtomForWhatIsNoFloat64 is that of s, not that of s rounded: 3 s_0 > s_1, but 3 < 3 + 2^-51.
func TestTheWorstAtomForWhatIsNoFloat64(t *testing.T) {
	s := dyadics([]float64{1, 3})
	s[0].Add(s[0], dyadic(0.49*0x1p-52))
	s[1].Add(s[1], dyadic(1.02*0x1p-52))
	if got := worst([][]float64{{3, 0}, {0, 1}}, 0, s); got.Cmp(product(dyadic(3), s[0])) != 0 {
		t.Errorf("%.40g, not 3 times %.40g", got, s[0])
	}
}

// TestSquaresShowConvexity, or there are none, of whatever size the terms are: half of 5e-324 is no float64.
func TestSquaresShowConvexity(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.SampledFrom([]float64{1, 5e-324, 1e-323, 1.5e-323, 3e-310, 1e-160, -1e-160, -5e-324, 1e200, 1e-200, 2})
		q := &Quadratic{I: []int{0, 1, 0}, J: []int{0, 1, 1}}
		for range q.I {
			q.Values = append(q.Values, number.Draw(t, "term"))
		}
		if from := rapid.IntRange(0, 2).Draw(t, "left out"); from < 2 {
			q.I, q.J, q.Values = append(q.I[:from:from], q.I[from+1:]...), append(q.J[:from:from], q.J[from+1:]...), append(q.Values[:from:from], q.Values[from+1:]...)
		}
		if c := newCurvature(q); c != nil && !c.Convex(q) {
			t.Fatalf("the squares of %+v do not show that it is convex", q)
		}
	})
}

// TestTheSlackDominatesTheRest and hardly more: for squares of the identity it is m-1 times what lies off the diagonal.
func TestTheSlackDominatesTheRest(t *testing.T) {
	for m, want := range []float64{1: 0, 2: 0.25, 3: 0.5} {
		if m == 0 {
			continue
		}
		q, identity := mat.NewSymDense(m, nil), mat.NewTriDense(m, mat.Upper, nil)
		for i := range m {
			q.SetSym(i, i, 1)
			identity.SetTri(i, i, 1)
			for j := range i {
				q.SetSym(j, i, 0.25)
			}
		}
		for _, v := range slack(q, identity) {
			if v < want || v > want*(1+1e-9) {
				t.Errorf("%d columns have the slack %v, not %v", m, v, want)
			}
		}
	}
}

// TestATangentMovesAwayFromZero: at x = 0 the free column of x² + cost x has a reduced cost, which is 0 at the minimum alone.
func TestATangentMovesAwayFromZero(t *testing.T) {
	for _, cost := range []float64{0x1p-60, -0x1p-60, 1} {
		p := &Problem{
			Dictionary: Dictionary{Atoms: 1, Dimension: 1, Values: [][]float64{{1}}},
			Model:      Model{Columns: []Column{{Cost: cost}}, Quadratic: Quadratic{I: []int{0}, J: []int{0}, Values: []float64{1}}},
		}
		bound, want := Bound(p, &Decision{X: []float64{0}}, &Leaf{Scale: Float(1)}), Rational(-cost*cost/4)
		if bound == nil || bound.Cmp(want) != 0 {
			t.Errorf("cost %v: bound %v, want the minimum %v", cost, bound, want)
		}
	}
}

package lifted

import (
	"math"
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

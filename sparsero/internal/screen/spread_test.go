package screen

import (
	"context"
	"math"
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestBitsOfNumbers: a number other than 0 is an odd multiple of 2^lastBit, and 2^bitsAbove is the least power above its size.
func TestBitsOfNumbers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := math.Ldexp(rapid.Float64Range(-1, 1).Draw(t, "m"), rapid.IntRange(-1080, 1023).Draw(t, "e"))
		if rapid.Bool().Draw(t, "short") {
			x = math.Ldexp(float64(rapid.IntRange(-99, 99).Draw(t, "k")), rapid.IntRange(-1074, 1000).Draw(t, "e"))
		}
		if x == 0 {
			if lastBit(x) != noBits {
				t.Fatalf("0 has the last bit %d", lastBit(x))
			}
			return
		}
		power := func(e int) *big.Float { return new(big.Float).SetMantExp(big.NewFloat(1), e) }
		if multiple, _ := new(big.Float).Quo(big.NewFloat(x), power(lastBit(x))).Int(nil); multiple.Bit(0) != 1 ||
			new(big.Float).Mul(new(big.Float).SetInt(multiple), power(lastBit(x))).Cmp(big.NewFloat(x)) != 0 {
			t.Fatalf("%b is no odd multiple of 2^%d", x, lastBit(x))
		}
		size := new(big.Float).Abs(big.NewFloat(x))
		if size.Cmp(power(bitsAbove(x))) >= 0 || size.Cmp(power(bitsAbove(x)-1)) < 0 {
			t.Fatalf("%b is not between half of 2^%d and it", x, bitsAbove(x))
		}
	})
}

// TestExactSumsAreExact: where a spread says that no sum is rounded, the sum of all products is that in fractions.
func TestExactSumsAreExact(t *testing.T) {
	exact := 0
	rapid.Check(t, func(t *rapid.T) {
		p, m := rapid.IntRange(1, 3).Draw(t, "p"), rapid.IntRange(1, 3).Draw(t, "m")
		digits := rapid.IntRange(20, 28).Draw(t, "digits")
		number := rapid.Custom(func(t *rapid.T) float64 {
			return math.Ldexp(float64(1<<digits-rapid.IntRange(1, 2<<digits-1).Draw(t, "k")), rapid.SampledFrom([]int{0, 0, 0, -1, 3, -530}).Draw(t, "e"))
		})
		atom, rows := rapid.SliceOfN(number, p, p).Draw(t, "atom"), rapid.SliceOfN(number, m*p, m*p).Draw(t, "rows")
		g, directions := spreadOf(atom, p), spreadOf(rows, p)
		if !g.exactWith(&directions, m) {
			return
		}
		exact++
		sum, truth := 0.0, new(big.Rat)
		for k, v := range rows {
			sum += float64(math.Abs(v) * math.Abs(atom[k%p]))
			truth.Add(truth, new(big.Rat).Mul(new(big.Rat).SetFloat64(math.Abs(v)), new(big.Rat).SetFloat64(math.Abs(atom[k%p]))))
		}
		if truth.Cmp(new(big.Rat).SetFloat64(sum)) != 0 {
			t.Fatalf("%v and %v: the sum %v is said to be exact", atom, rows, sum)
		}
	})
	if exact == 0 {
		t.Error("no sums were exact")
	}
}

// TestRoundingOfChains: the bound holds, and is hardly above, where each of the p roundings of a chain takes half a unit off
// an alignment near 1, in m equal directions. It holds, too, where a product vanishes.
func TestRoundingOfChains(t *testing.T) {
	for _, p := range []int{1, 2, 5, 40} {
		atom, direction := slices.Repeat([]float64{0x1p-26}, p), slices.Repeat([]float64{0x1p-27}, p)
		atom[0], direction[0] = 1+0x1p-26, 1+0x1p-27 // the product is halfway between two numbers, and so is each sum
		for _, m := range []int{1, 2, 4} {
			s := mustNew(t, Matrix64{atom, p}, slices.Repeat(direction, m), Options{})
			lost := new(big.Rat).Sub(exactDot(atom, direction), new(big.Rat).SetFloat64(s.FullValue()))
			most := float64(p+1) / float64(p) * (1 + 4*slack)
			if got, _ := lost.Float64(); got < float64(p)*unit || s.Absolute < got || s.Absolute > got*most {
				t.Errorf("p = %d, m = %d: %v of the coverage is lost, bounded by %v", p, m, got, s.Absolute)
			}
		}
	}
	for _, n := range []int{1, 9} {
		s := mustNew(t, Matrix64{slices.Repeat([]float64{0x1p-600}, n), 1}, []float64{0x1p-600}, Options{})
		if upper := s.AtMost(s.FullValue()); s.FullValue() != 0 || upper < math.SmallestNonzeroFloat64 {
			t.Errorf("a coverage of 2^-1200, in float64 %v, is at most %v", s.FullValue(), upper)
		}
	}
}

// TestRoundingAsksAllDirections: products with the first directions are exact, those with the last one are not.
func TestRoundingAsksAllDirections(t *testing.T) {
	atoms := Matrix64{[]float64{3, 5, 1024}, 1}
	for _, m := range []int{fewProbes + 1, 2*fewProbes + 1} {
		directions := make([]float64, m)
		for j := range directions {
			directions[j] = float64(j + 1)
		}
		s, err := New(context.Background(), atoms, directions, Options{})
		if err != nil || s.Rounding.Absolute != 0 {
			t.Fatalf("%d directions of whole numbers: %+v, %v", m, s.Rounding, err)
		}
		directions[m-1] = 0.1
		if s, err = New(context.Background(), atoms, directions, Options{}); err != nil || s.Rounding.Absolute == 0 {
			t.Errorf("%d directions, the last one 0.1: %+v, %v", m, s.Rounding, err)
		}
	}
}

// TestBoundsFallToTheLargestGains: of one atom, of two and so on; more atoms than gain add nothing, and what is below
// stays.
func TestBoundsFallToTheLargestGains(t *testing.T) {
	bounds := []float64{9, 3.5, 9, 9}
	Rounding{}.Tighten(bounds, 2, []float64{1, 0.5})
	if !slices.Equal(bounds, []float64{3, 3.5, 3.5, 3.5}) {
		t.Errorf("bounds %v", bounds)
	}
	Rounding{Absolute: 1}.Tighten(bounds, 1, []float64{0.75})
	if !slices.Equal(bounds, []float64{2.75, 2.75, 2.75, 2.75}) {
		t.Errorf("bounds %v where 1 may be lost", bounds)
	}
}

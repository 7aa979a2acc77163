package rank

import (
	"math"
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Percentages against integer arithmetic, where a product and math.Ceil or math.Floor err.
func TestPercentages(t *testing.T) {
	sizes, wrong := []int{99_999, 1_000_000, 123_456_789}, 0
	for n := 1; n <= 3000; n++ {
		sizes = append(sizes, n)
	}
	for _, n := range sizes {
		for percent := 0; percent <= 100; percent++ {
			share := float64(percent) / 100
			up, down := (n*percent+99)/100, n*percent/100
			if got := Up(n, share); got != up {
				t.Fatalf("Up(%d, %g) = %d, want %d", n, share, got, up)
			}
			if got := Down(n, share); got != down {
				t.Fatalf("Down(%d, %g) = %d, want %d", n, share, got, down)
			}
			if int(math.Ceil(float64(n)*share)) != up {
				wrong++
			}
		}
	}
	if wrong == 0 {
		t.Error("math.Ceil never errs: the package is not needed")
	}
}

// Against exact arithmetic, for shares at and one unit in the last place beside a fraction of n: a share one unit above
// k/n asks for one more, one below for one less.
func TestBesideAFraction(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 1<<40).Draw(t, "n")
		k := rapid.IntRange(0, n).Draw(t, "k")
		share := float64(k) / float64(n)
		if up, down := Up(n, share), Down(n, share); up != k || down != k {
			t.Fatalf("k=%d of n=%d: up %d, down %d", k, n, up, down)
		}
		for _, other := range []float64{math.Nextafter(share, 2), math.Nextafter(share, -1)} {
			exact, _ := new(big.Rat).Mul(new(big.Rat).SetFloat64(other), big.NewRat(int64(n), 1)).Float64()
			up, down := min(n, int(math.Ceil(exact))), max(0, int(math.Floor(exact)))
			if exact == math.Trunc(exact) { // the product hides on which side of the whole number it is
				up, down = k, k
				if other > share {
					up = min(n, k+1)
				} else {
					down = max(0, k-1)
				}
			}
			if gotUp, gotDown := Up(n, other), Down(n, other); gotUp != up || gotDown != down {
				t.Fatalf("n=%d, share %v beside %v: up %d, want %d; down %d, want %d", n, other, share, gotUp, up, gotDown, down)
			}
		}
	})
}

// The k-th smallest value has at least k values at most as large, it among them, and fewer than k below it; the values stay as they are.
func TestValueOfARank(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.SampledFrom([]float64{-1, 0, 2, 3, math.Inf(1)}), 1, 9).Draw(t, "values")
		before, k := slices.Clone(values), rapid.IntRange(1, len(values)).Draw(t, "k")
		value, below, atMost := Value(values, k), 0, 0
		for _, v := range values {
			if v < value {
				below++
			}
			if v <= value {
				atMost++
			}
		}
		if below >= k || atMost < k || !slices.Equal(values, before) {
			t.Fatalf("the %d-th smallest of %v is said to be %v", k, before, value)
		}
	})
}

func TestOutsideTheUnitInterval(t *testing.T) {
	if Up(7, 1.5) != 7 || Down(7, -0.1) != 0 || Up(7, -0.1) != 0 || Down(7, 1.5) != 7 || Up(0, 0.5) != 0 || Down(0, 0.5) != 0 {
		t.Error("shares outside [0,1] are not cut off")
	}
}

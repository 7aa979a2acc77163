package robust

import (
	"math"
	"math/big"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"pgregory.net/rapid"

	"github.com/sparsero/directions/sparsero/internal/lifted"
)

// TestInBallIsExact: the sum of the squares is at most 1 in fractions, and points move by no more than it takes.
func TestInBallIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := rapid.SliceOfN(rapid.Float64Range(-1, 1), 1, 6).Draw(t, "w")
		if rapid.Bool().Draw(t, "at the sphere") && floats.Norm(w, 2) > 0 {
			floats.Scale(1/floats.Norm(w, 2), w)
		}
		z, squares := inBall(slices.Clone(w)), new(big.Rat)
		for _, v := range z {
			squares.Add(squares, new(big.Rat).Mul(lifted.Rational(v), lifted.Rational(v)))
		}
		if squares.Cmp(big.NewRat(1, 1)) > 0 {
			t.Fatalf("%v is outside", z)
		}
		floats.Scale(1/math.Max(1, floats.Norm(w, 2)), w)
		if floats.Distance(w, z, 2) > 1e-14 {
			t.Fatalf("%v became %v", w, z)
		}
	})
}

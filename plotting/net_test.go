package plotting

import (
	"math"
	"testing"

	"github.com/sparsero/directions/sparsero"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// TestNetPseudometric: distances are those of the dictionary, and the corners of the ball of
// radius 1 lie at distance 1 and the middles of its sides too.
func TestNetPseudometric(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 12).Draw(t, "n")
		entries := rapid.SliceOfN(rapid.Float64Range(-3, 3), 2*n, 2*n).Draw(t, "atoms")
		entries[0], entries[1], entries[2], entries[3] = 1, 0, 0.3, 1 // the atoms span the plane
		d, err := sparsero.NewDictionary(mat.NewDense(n, 2, entries), nil)
		if err != nil {
			t.Fatal(err)
		}
		m, err := pseudometric(d)
		if err != nil {
			t.Fatal(err)
		}
		s := rapid.SliceOfN(rapid.Float64Range(-2, 2), 2, 2).Draw(t, "s")
		if got, want := m.distance(s[0], s[1]), d.Pseudometric(s, []float64{0, 0}); math.Abs(got-want) > 1e-9 {
			t.Fatalf("distance %g, want %g", got, want)
		}
		for k, a := range m.ball {
			b := m.ball[(k+1)%len(m.ball)]
			for _, v := range [][]float64{a[:], {(a[0] + b[0]) / 2, (a[1] + b[1]) / 2}} {
				if got := d.Pseudometric(v, []float64{0, 0}); math.Abs(got-1) > 1e-6 {
					t.Fatalf("the point %v of the ball's edge is at distance %g", v, got)
				}
			}
		}
	})
}

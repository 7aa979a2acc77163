package large_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"github.com/sparsero/directions/sparsero/selection"
	"github.com/sparsero/directions/sparsero/selection/large"
	"gonum.org/v1/gonum/mat"
)

// clustered draws rows around few centres, isotropic ones if there are none.
func clustered(source *rand.Rand, rows, p, centres int) *mat.Dense {
	middle := mat.NewDense(max(centres, 1), p, nil)
	for c := range centres {
		for k := range p {
			middle.Set(c, k, source.NormFloat64())
		}
	}
	spread := 1.0
	if centres > 0 {
		spread = 0.5
	}
	m := mat.NewDense(rows, p, nil)
	for i := range rows {
		c := source.IntN(max(centres, 1))
		for k := range p {
			m.Set(i, k, middle.At(c, k)+spread*source.NormFloat64())
		}
	}
	return m
}

// The choices at the size that the speed is quoted for are those of the float64
// rules of package selection.
func TestChoicesAtFullSize(t *testing.T) {
	if os.Getenv("DIRECTIONS_LONG") == "" {
		t.Skip("float64 rules over 15,000 atoms and 1,000 directions: set DIRECTIONS_LONG=1 or run make test-long")
	}
	const n, m, p, budget = 15000, 1000, 512, 50
	for _, centres := range []int{0, 200} {
		t.Run(fmt.Sprintf("centres=%d", centres), func(t *testing.T) {
			all := clustered(rand.New(rand.NewPCG(5, 6)), n+m, p, centres)
			d := mustDictionary(t, all.Slice(0, n, 0, p))
			directions := all.Slice(n, n+m, 0, p)
			reference, err := selection.NewCoverage(d, directions)
			if err != nil {
				t.Fatal(err)
			}
			start := time.Now()
			c := mustCoverage(t, large.FromDictionary(d), directions, nil)
			t.Logf("coverage %v", time.Since(start))
			for _, r := range rules(nil) {
				want, err := r.there.Select(context.Background(), reference, budget)
				if err != nil {
					t.Fatal(err)
				}
				got, err := r.here(context.Background(), c, budget)
				if err != nil {
					t.Fatal(err)
				}
				compare(t, got, want)
				t.Logf("%s: %v, package selection %v", got.Policy, got.Elapsed[budget-1], want.Elapsed[budget-1])
			}
		})
	}
}

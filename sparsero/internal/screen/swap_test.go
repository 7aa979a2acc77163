package screen

import (
	"context"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// TestExchangesEqualThoseOfAllPairs: of whole numbers, whose sums are exact, the exchange is the one that gains most among all
// pairs, and there is none when none gains.
func TestExchangesEqualThoseOfAllPairs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, m, p := rapid.IntRange(1, 90).Draw(t, "N"), rapid.IntRange(1, 20).Draw(t, "M"), rapid.IntRange(1, 4).Draw(t, "p")
		source := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 4))
		atoms, directions := integers(source, n, p, 3), integers(source, m, p, 3)
		r := newReference(atoms, directions, p)
		total := func(set []int) float64 {
			current := make([]float64, m)
			for _, i := range set {
				r.raise(i, current)
			}
			return Mean(current) * float64(m)
		}
		start := source.Perm(n)[:rapid.IntRange(1, min(n, 5)).Draw(t, "size")]
		for _, o := range everyOptions() {
			set := append([]int{}, start...)
			search, err := mustNew(t, Matrix64{atoms, p}, directions, o).NewSwapSearch(set)
			if err != nil {
				t.Fatal(err)
			}
			for calls := 0; ; calls = search.Calls() {
				want := Exchange{In: noAtom}
				for in := range n {
					for out, before := range set {
						set[out] = in
						after := total(set)
						set[out] = before
						if gain := (after - total(set)) / float64(m); gain > want.Gain+1e-9 {
							want = Exchange{in, out, gain}
						}
					}
				}
				got, err := search.Best(context.Background())
				if err != nil || got.In != want.In || got.Out != want.Out || got.Gain < want.Gain-1e-9 || got.Gain > want.Gain+1e-9 {
					t.Fatalf("%v: the exchange for %v is %+v, want %+v; %v", o, set, got, want, err)
				}
				if want.In == noAtom {
					break
				}
				if search.Calls() <= calls {
					t.Fatalf("%v: an exchange without a call", o)
				}
				set[got.Out] = got.In
				if err := search.Make(got); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
}

package screen

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/sparsero/directions/sparsero/internal/kernel"
	"pgregory.net/rapid"
)

// The bounds that follow from those at the support before hold for the float64 gains, in every storage and with memory for any number of
// supports, and the atoms that gain most are those of the plain algorithm.
func TestBoundsAlongSupports(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		atoms, directions, p := drawData(t, 80, 70, 40)
		r := newReference(atoms, directions, p)
		supports := [][]float64{make([]float64, r.m)}
		for _, i := range rapid.SliceOfN(rapid.IntRange(0, r.n-1), 0, 8).Draw(t, "path") {
			next := slices.Clone(supports[len(supports)-1])
			r.raise(i, next)
			supports = append(supports, next)
		}
		room, count := rapid.IntRange(1, len(supports)).Draw(t, "room"), rapid.IntRange(1, r.n).Draw(t, "count")
		for _, o := range everyOptions() {
			l, visited := mustNew(t, Matrix64{atoms, p}, directions, o).NewLagrangian(), 0
			var order []int // the highest of each group first
			for from := 0; from < len(supports); from += room {
				for k := min(from+room, len(supports)) - 1; k >= from; k-- {
					order = append(order, k)
				}
			}
			err := l.along(context.Background(), supports, room, func(at int) error {
				if u := supports[at]; at != order[visited] || !slices.Equal(u, l.state.current) {
					t.Fatalf("%v: support %d is another", o, visited)
				}
				visited++
				u := supports[at]
				for i, bound := range l.upper {
					if gain := r.gain(i, u); bound < gain {
						t.Fatalf("%v: support %d: bound %v of the gain %v of atom %d", o, visited, bound, gain, i)
					}
				}
				_, gains, err := l.Largest(context.Background(), Cardinality(count))
				want := make([]float64, r.n)
				for i := range want {
					want[i] = -r.gain(i, u)
				}
				slices.Sort(want)
				for k, gain := range gains {
					if gain != -want[k] {
						t.Fatalf("%v: support %d: largest gains %v, want those of %v", o, visited, gains, want)
					}
				}
				if k := len(gains); k < count && want[k] != 0 {
					t.Fatalf("%v: support %d: %d gains, and one of %v is missing", o, visited, k, -want[k])
				}
				return err
			})
			if err != nil || visited != len(supports) {
				t.Fatalf("%v: %d supports of %d, %v", o, visited, len(supports), err)
			}
		}
	})
}

// The bounds of the levels hold at all supports of a path, and are those from scratch. Whatever budget the largest
// gains were asked for before, those of the leaders are no looser than [Screen.Looseness] says.
func TestLeadersAlongSupportsByLevels(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		atoms, directions, p := drawData(t, 150, 70, 40)
		r, all := newReference(atoms, directions, p), make([]float64, len(atoms)/p)
		supports := [][]float64{make([]float64, r.m)}
		for _, i := range rapid.SliceOfN(rapid.IntRange(0, r.n-1), 0, 5).Draw(t, "path") {
			next := slices.Clone(supports[len(supports)-1])
			r.raise(i, next)
			supports = append(supports, next)
		}
		first, count := rapid.IntRange(0, r.n).Draw(t, "first count"), rapid.IntRange(1, r.n).Draw(t, "count")
		for _, k := range kernel.All() {
			s, visited := mustNew(t, Matrix64{atoms, p}, directions, Options{Kernel: k, Levels: true}), 0
			l, ctx := s.NewLagrangian(), context.Background()
			err := l.Along(ctx, supports, func(at int) error {
				visited++
				once := slices.Repeat([]float64{math.Inf(1)}, r.n)
				if err := s.newCovered().lower(ctx, once, supports[at]); err != nil || !slices.Equal(l.upper, once) {
					t.Fatalf("%s: support %d: bounds %v, from scratch %v; %v", k.Name(), at, l.upper, once, err)
				}
				for i := range all {
					if all[i] = r.gain(i, supports[at]); l.upper[i] < all[i] {
						t.Fatalf("%s: support %d: bound %v of the gain %v of atom %d", k.Name(), at, l.upper[i], all[i], i)
					}
				}
				if first > 0 {
					if _, _, err := l.Largest(ctx, Cardinality(first)); err != nil {
						return err
					}
				}
				_, bounds, err := l.Leaders(ctx, Cardinality(count))
				checkLeaders(t, s, supports[at], bounds, slices.Sorted(slices.Values(all)))
				return err
			})
			if err != nil || visited != len(supports) {
				t.Fatalf("%s: %d supports of %d, %v", k.Name(), visited, len(supports), err)
			}
		}
	})
}

// checkLeaders compares the bounds of the leaders with the largest of all gains, which are in rising order.
func checkLeaders(t *rapid.T, s *Screen, support, bounds, gains []float64) {
	t.Helper()
	share, gain := s.Looseness()
	total, attained := 0.0, 0.0
	for k, bound := range bounds {
		total, attained = total+bound, attained+gains[len(gains)-1-k]
		count := float64(k + 1)
		if loose := share*(total+count*Mean(support)) + count*gain; bound < gains[len(gains)-1-k] || total-loose > attained*(1+1e-9) {
			t.Fatalf("%s: %d leaders have %v, the last %v; gains of %v, looser than %v", s.kernel.Name(), k+1, total, bound, attained, loose)
		}
	}
	if len(bounds) == 0 && gains[len(gains)-1] > 0 {
		t.Fatalf("%s: no leaders of gains up to %v", s.kernel.Name(), gains[len(gains)-1])
	}
}

// TestCoversRise from 0 to what lies between the largest and the second largest alignments of the whole path, over
// prefixes each longer by the factor.
func TestCoversRise(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		atoms, directions, p := drawData(t, 40, 40, 20)
		n, m := len(atoms)/p, len(directions)/p
		path := rapid.SliceOfNDistinct(rapid.IntRange(0, n-1), 0, min(n, 9), rapid.ID).Draw(t, "path")
		share, factor := rapid.SampledFrom([]float64{0, 0.5, 0.75, 1}).Draw(t, "share"), rapid.SampledFrom([]float64{1, 1.5, 2}).Draw(t, "factor")
		for _, o := range everyOptions() {
			s := mustNew(t, Matrix64{atoms, p}, directions, o)
			got, err := s.Covers(path, share, factor)
			if err != nil || !slices.Equal(got[0], make([]float64, m)) {
				t.Fatalf("%v: begins at %v, %v", o, got[0], err)
			}
			first, second, row, k, last := make([]float64, m), make([]float64, m), make([]float64, m), 0, 0
			for at, i := range path {
				if _, err := s.Row(row, i); err != nil {
					t.Fatal(err)
				}
				for j, value := range row {
					second[j] = max(second[j], min(first[j], value))
					first[j] = max(first[j], value)
				}
				if float64(at+1) < factor*float64(last) && at+1 < len(path) {
					continue
				}
				k, last = k+1, at+1
				for j, value := range got[k] {
					if want := max(got[k-1][j], first[j]-float64(share*(first[j]-second[j]))); value != want {
						t.Fatalf("%v: %d atoms, direction %d: %v, want %v", o, at+1, j, value, want)
					}
				}
			}
			if len(got) != k+1 {
				t.Fatalf("%v: %d covers, want %d", o, len(got), k+1)
			}
		}
	})
}

// The bounds of all supports at once take at most an eighth of the memory of the alignments, two bytes for each, and
// those of one more take more, from 128 directions on; below, and where no alignments are held, there are 8.
func TestSupportsAtOnceTakeAnEighth(t *testing.T) {
	for m := 1; m < 5000; m++ {
		at, alone := supportsAtOnce(m, false), supportsAtOnce(m, true)
		if alone != 8 || at < 8 || m >= 128 && (4*at > 2*m/8 || 4*(at+1) <= 2*m/8) {
			t.Fatalf("%d directions: %d supports at once, %d without alignments", m, at, alone)
		}
	}
}

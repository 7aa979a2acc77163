package screen

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// The atoms that gain most, their gains and what they take off each direction do not depend on how many alignments there is room for.
func TestRoomForRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		atoms, directions, p := drawData(t, 60, 40, 20)
		s := mustNew(t, Matrix64{atoms, p}, directions, Options{})
		few, many := s.NewLagrangian(), s.NewLagrangian()
		few.room = rapid.IntRange(0, 5).Draw(t, "room")
		budget := Cardinality(rapid.IntRange(1, s.n).Draw(t, "count"))
		for range 3 {
			u := make([]float64, s.m)
			for j := range u {
				u[j] = s.full[j] * rapid.Float64Range(0, 1).Draw(t, "u")
			}
			slopes := [2][]float64{make([]float64, s.m), make([]float64, s.m)}
			var found [2][]int32
			for k, l := range []*Lagrangian{few, many} {
				l.Move(u)
				largest, gains, err := l.Largest(context.Background(), budget)
				if err != nil || len(gains) != len(largest) {
					t.Fatalf("%d atoms, %d gains: %v", len(largest), len(gains), err)
				}
				l.Slope(slopes[k], budget, largest)
				if len(l.rows) > max(l.room, len(l.known)) {
					t.Fatalf("%d rows are kept, with room for %d and %d in use", len(l.rows), l.room, len(l.known))
				}
				found[k] = largest
			}
			if !slices.Equal(found[0], found[1]) || !slices.Equal(slopes[0], slopes[1]) {
				t.Fatalf("room for %d: atoms %v, want %v; slope %v, want %v", few.room, found[0], found[1], slopes[0], slopes[1])
			}
		}
	})
}

// TestManyAtomsThatAreNearlyTied are settled a few at a time, those with the largest bounds first, until no other can
// gain as much as the last that fills the budget.
func TestManyAtomsThatAreNearlyTied(t *testing.T) {
	const n, m, p = 300, 8, 2
	for seed := range uint64(20) {
		source := rand.New(rand.NewPCG(seed, 7))
		atoms, directions := gaussian(source, n, p), gaussian(source, m, p)
		for i := range atoms { // less far apart than steps of half precision
			atoms[i] = []float64{1, 0.5}[i%p] + 1e-4*atoms[i]
		}
		r, all := newReference(atoms, directions, p), make([]float64, n)
		for i := range all {
			all[i] = r.gain(i, make([]float64, m))
		}
		s := mustNew(t, Matrix64{atoms, p}, directions, Options{})
		got, gains, err := s.NewLagrangian().Largest(context.Background(), Cardinality(3))
		want, _, _ := filling(Cardinality(3), all)
		if err != nil || !slices.Equal(got, want) || gains[0] != all[want[0]] {
			t.Errorf("seed %d: atoms %v, want %v; %v", seed, got, want, err)
		}
	}
}

// Where a multiplier falls by the least float64, a gain may rise from 0 to it, although a third of it vanishes.
func TestGainsThatRiseBelowTheNormalRange(t *testing.T) {
	const least = math.SmallestNonzeroFloat64
	s := mustNew(t, Matrix64{[]float64{2 * least}, 1}, []float64{1, 1, 1}, Options{})
	l := s.NewLagrangian()
	for count, u := range [][]float64{{2 * least, 2 * least, least}, {2 * least, least, least}} {
		l.Move(u)
		if atoms, _, err := l.Largest(context.Background(), Cardinality(1)); len(atoms) != count || err != nil {
			t.Errorf("%v: %d atoms gain, want %d; %v", u, len(atoms), count, err)
		}
	}
}

// TestRowsBeyondTheRoomAreForgotten: those of other multipliers, before those that are needed now are made.
func TestRowsBeyondTheRoomAreForgotten(t *testing.T) {
	s := mustNew(t, Matrix64{[]float64{1, 2, 3, 4, 5}, 1}, []float64{1, -1}, Options{})
	l := s.NewLagrangian()
	l.room = 3
	for _, list := range [][]int32{{0, 1, 2}, {3, 4}} {
		l.Move([]float64{float64(len(list)), 0})
		if err := l.settle(context.Background(), list); err != nil || len(l.rows) != len(list) {
			t.Errorf("%d rows for %v, %v", len(l.rows), list, err)
		}
	}
}

// TestCandidatesHoldAllWithinTheLoss: every atom that gains at most so much less than the last of those that fill the budget.
func TestCandidatesHoldAllWithinTheLoss(t *testing.T) {
	some := 0
	rapid.Check(t, func(t *rapid.T) {
		atoms, directions, p := drawData(t, 60, 40, 20)
		r := newReference(atoms, directions, p)
		count, share := rapid.IntRange(1, r.n).Draw(t, "count"), rapid.Float64Range(0, 1).Draw(t, "share")
		u, gains := make([]float64, r.m), make([]float64, r.n)
		for j, full := range r.full {
			u[j] = full * rapid.Float64Range(0, 1).Draw(t, "u")
		}
		for i := range gains {
			gains[i] = r.gain(i, u)
		}
		last := slices.Sorted(slices.Values(gains))[r.n-count]
		loss := -share*slices.Max(gains) - 0x1p-40
		for _, o := range everyOptions() {
			l := mustNew(t, Matrix64{atoms, p}, directions, o).NewLagrangian()
			l.Move(u)
			found, err := l.Candidates(context.Background(), Cardinality(count), loss)
			for i, gain := range gains {
				in := slices.Contains(found, i)
				if err != nil || !in && gain >= last+loss*(1-1e-9) {
					t.Fatalf("%v: gains %v: %v are within %v of %v; %v", o, gains, found, loss, last, err)
				}
				if !in {
					some++
				}
			}
			if !slices.IsSorted(found) {
				t.Fatalf("%v: %v", o, found)
			}
		}
	})
	if some == 0 {
		t.Error("every atom was a candidate")
	}
}

// TestLeadersHaveTheLargestBounds, those of the gains at the multipliers 0 at first.
func TestLeadersHaveTheLargestBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		atoms, directions, p := drawData(t, 60, 40, 20)
		s := mustNew(t, Matrix64{atoms, p}, directions, Options{})
		count := rapid.IntRange(1, s.n).Draw(t, "count")
		leaders, bounds, err := s.NewLagrangian().Leaders(context.Background(), Cardinality(count))
		if err != nil {
			t.Fatal(err)
		}
		want := slices.DeleteFunc(slices.Clone(s.empty), func(bound float64) bool { return bound == 0 })
		slices.Sort(want)
		slices.Reverse(want)
		if want = want[:min(count, len(want))]; !slices.Equal(bounds, want) {
			t.Fatalf("atoms %v lead with the bounds %v, want %v", leaders, bounds, want)
		}
		for k, i := range leaders {
			if s.empty[i] != bounds[k] {
				t.Fatalf("the bound of atom %d is %v, not %v", i, s.empty[i], bounds[k])
			}
		}
	})
}

// TestTotalsNextToZero: float64 takes 6/6 and 4/3 of the least number for equal, and two atoms that cost 3 gain 8 of it.
func TestTotalsNextToZero(t *testing.T) {
	const least = math.SmallestNonzeroFloat64
	budget := Budget{Costs: []float64{6, 3, 3}, Capacity: 6}
	if total := Total(Rounding{}, 0, budget, []int32{0}, []float64{6 * least}); total < 8*least {
		t.Errorf("at most %v units are said to be gained", total/least)
	}
}

// TestCandidatesOfNoLoss are at least the atoms that fill the budget, each of which may take the place of the last.
func TestCandidatesOfNoLoss(t *testing.T) {
	for _, o := range everyOptions() {
		l := mustNew(t, Matrix64{[]float64{0.5, 1, 0.75, 1, 0}, 1}, []float64{1}, o).NewLagrangian()
		for count, want := range [][]int{nil, {1, 3}, {1, 3}, {1, 2, 3}, {0, 1, 2, 3}} {
			if count == 0 {
				continue
			}
			if got, err := l.Candidates(context.Background(), Cardinality(count), 0); err != nil || !slices.Equal(got, want) {
				t.Errorf("%v: candidates for %d atoms: %v, want %v; %v", o, count, got, want, err)
			}
		}
	}
}

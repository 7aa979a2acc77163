package gauge

import (
	"cmp"
	"context"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// All atoms are columns at once where they are few, for their dimension too, or their units far apart.
func TestFewAtomsAreColumnsAtOnce(t *testing.T) {
	for _, test := range []struct {
		n, p, unit int
		whole      bool
	}{
		{256, 2, 0, true}, {257, 2, 0, false}, {400, 100, 0, true}, {401, 100, 0, false},
		{300, 2, 299, false}, {300, 2, 300, true}, {300, 2, -301, false}, {300, 2, -302, true},
	} {
		atoms := rows{test.p, make([]float64, test.n*test.p)}
		for k := range test.n {
			atoms.data[k*test.p+k%test.p] = 1
		}
		atoms.data[0] = math.Ldexp(1, max(0, test.unit))
		for k := range test.n {
			atoms.data[k*test.p+1] = math.Ldexp(atoms.data[k*test.p+1], min(0, test.unit))
		}
		if g := New(atoms, test.p); g.whole != test.whole || test.whole && len(g.pool) != test.n {
			t.Errorf("%+v: %d columns, whole %v", test, len(g.pool), g.whole)
		}
	}
}

// A pool of more than 3 p columns forgets all but half as many, those of the basis and then those that were used last.
func TestThePoolKeepsTheYoungest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const n, p = 300, 4
		atoms := rows{p, make([]float64, n*p)}
		for k := range n {
			atoms.data[k*p+k%p] = float64(k + 1)
		}
		g := New(atoms, p)
		size := rapid.IntRange(1, 20).Draw(t, "columns")
		type held struct{ atom, age int }
		var all []held
		for k := range size {
			g.clock = rapid.IntRange(1, 5).Draw(t, "clock")
			g.add(k)
			age := 6 - g.clock
			if k < p && rapid.Bool().Draw(t, "in the basis") {
				g.basis.columns[k], g.pool[k].row, age = k, k, -1
			}
			all = append(all, held{k, age})
		}
		g.clock = 6
		if size > 3*p {
			slices.SortStableFunc(all, func(a, b held) int { return cmp.Compare(a.age, b.age) })
			all = all[:3*p/2]
		}
		want := map[int]bool{}
		for _, h := range all {
			want[h.atom] = true
		}
		g.forget()
		if len(g.pool) != len(want) || len(g.data) != p*len(want) || len(g.all) != len(want) || len(g.reduced) != len(want) || len(g.moves) != len(want) {
			t.Fatalf("%d columns are left of %d, want %d", len(g.pool), size, len(want))
		}
		for k, c := range g.pool {
			if !want[c.atom] || g.data[k*p+c.atom%p] != math.Ldexp(float64(c.atom+1), -g.units[c.atom%p]-c.exponent) {
				t.Fatalf("atom %d is kept as column %d of %v", c.atom, k, g.data[k*p:][:p])
			}
			if c.row >= 0 && g.basis.columns[c.row] != k {
				t.Fatalf("row %d holds column %d, want %d", c.row, g.basis.columns[c.row], k)
			}
		}
		for atom, in := range g.inPool {
			if in != want[atom] {
				t.Fatalf("atom %d is marked %v", atom, in)
			}
		}
	})
}

// A context that has ended stops the method before its first pivot.
func TestEndedContextsStop(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, n := range []int{2, 300} {
		atoms := rows{2, make([]float64, 2*n)}
		for k := range n {
			atoms.data[2*k], atoms.data[2*k+1] = math.Cos(float64(k)), math.Sin(float64(k))
		}
		g := New(atoms, 2)
		if answer := g.Solve(ctx, []float64{1, 0.1}); answer.Outcome != Stopped || g.Pivots > 0 {
			t.Errorf("%d atoms: outcome %v after %d pivots", n, answer.Outcome, g.Pivots)
		}
	}
}

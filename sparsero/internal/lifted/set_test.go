package lifted

import (
	"context"
	"errors"
	"math"
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestTheSetHoldsItsPoints, whose border belongs to it, and no other ones.
func TestTheSetHoldsItsPoints(t *testing.T) {
	for _, test := range []struct {
		z    []float64
		want bool
	}{{nil, true}, {[]float64{1, 0}, true}, {[]float64{0, -1}, true}, {[]float64{1, 0x1p-60}, false}, {[]float64{0.75, 0.75}, false}, {[]float64{0.5, -0.5}, true}} {
		if got := (&Set{}).contains(dyadics(test.z)); got != test.want {
			t.Errorf("the ball holds %v: %t", test.z, got)
		}
	}
	number := rapid.Map(rapid.IntRange(-2, 2), func(k int) float64 { return float64(k) })
	side := rapid.Ptr(number, true)
	rapid.Check(t, func(t *rapid.T) {
		s := &Set{Lower: []float64{-1, -2}, Upper: []float64{1, 0}, Rows: make([]Row, rapid.IntRange(0, 2).Draw(t, "rows"))}
		z := []float64{number.Draw(t, "z"), number.Draw(t, "z")}
		want := z[0] >= -1 && z[0] <= 1 && z[1] <= 0
		multipliers := make([]float64, len(s.Rows))
		for i := range s.Rows {
			row := Row{Columns: []int{1, 0}, Values: []float64{number.Draw(t, "a"), number.Draw(t, "a")}, Lower: side.Draw(t, "lower"), Upper: side.Draw(t, "upper")}
			at := row.Values[0]*z[1] + row.Values[1]*z[0]
			want = want && (row.Lower == nil || *row.Lower <= at) && (row.Upper == nil || at <= *row.Upper)
			if y := number.Draw(t, "y"); row.side(y > 0) != nil {
				multipliers[i] = y
			}
			s.Rows[i] = row
		}
		if got := s.contains(dyadics(z)); got != want {
			t.Fatalf("%+v holds %v: %t", s, z, got)
		}
		to := []float64{number.Draw(t, "t"), number.Draw(t, "t")}
		above, _ := s.above(dyadics(to), multipliers).Float64()
		if want && z[0]*to[0]+z[1]*to[1] > above {
			t.Fatalf("%+v: %v is no bound at %v towards %v", s, above, z, to)
		}
		if plain := math.Abs(to[0]) + max(0, -2*to[1]); len(s.Rows) == 0 && above != plain {
			t.Fatalf("the box reaches %v towards %v, not %v", plain, to, above)
		}
	})
	if norm, _ := (&Set{}).above(dyadics([]float64{3, -4}), nil).Float64(); norm != 5 {
		t.Errorf("the ball reaches %v towards (3, -4)", norm)
	}
}

// TestRootsAreRoundedUp, and by next to nothing.
func TestRootsAreRoundedUp(t *testing.T) {
	for _, v := range []float64{0, 1, 4, 0.25, 2, 3, 0x1p-1073, 0.1, 1e300} {
		root := rootAbove(dyadic(v))
		squared := product(root, root)
		if plain, _ := squared.Float64(); squared.Cmp(dyadic(v)) < 0 || plain != v {
			t.Errorf("the root of %v is %v", v, root)
		}
	}
}

// TestRootsHaveSoManyDigits: the next smaller number with 128 binary digits behind those of the argument is no bound.
func TestRootsHaveSoManyDigits(t *testing.T) {
	for _, v := range []float64{2, 3, 0.75, 0x1p-20 + 1} {
		unit := new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Lsh(Rational(v).Denom(), 128))
		root := fraction(rootAbove(dyadic(v)))
		if count := new(big.Rat).Quo(root, unit); !count.IsInt() {
			t.Errorf("the root of %v is %v units", v, count)
		}
		if below := new(big.Rat).Sub(root, unit); new(big.Rat).Mul(below, below).Cmp(Rational(v)) >= 0 {
			t.Errorf("the root of %v is a unit too large", v)
		}
	}
}

// TestAtomsAreChecked against the set alone, each of those that a decision names; without a set all atoms belong to it.
func TestAtomsAreChecked(t *testing.T) {
	p := &Problem{Dictionary: Dictionary{Atoms: 2, Dimension: 1, Values: [][]float64{{1}, {2}}}}
	for _, test := range []struct {
		set   *Set
		atoms []int
		wrong string
	}{{nil, []int{0, 1}, ""}, {&Set{}, []int{0}, ""}, {&Set{}, []int{0, 1}, "with atom 1"}, {&Set{}, nil, ""}} {
		p.Set = test.set
		err := Checked(func() { p.CheckAtoms(&Decision{Atoms: test.atoms}) })
		var wrong *FalseClaimError
		if (err != nil) != (test.wrong != "") || err != nil && (!errors.As(err, &wrong) || wrong.Claim != "set" || wrong.Claimed != test.wrong) {
			t.Errorf("the set %v and the atoms %v: %v", test.set, test.atoms, err)
		}
	}
}

// TestPoints of a set are those of its map, and without one the atoms as they are.
func TestPoints(t *testing.T) {
	p := &Problem{Dictionary: Dictionary{Values: [][]float64{{1, 2}, {0.5, -4}}}}
	moved := [][]float64{{4, 0, 3}, {-8, 0, 0.5 - 4}}
	for _, test := range []struct {
		set  *Set
		want [][]float64
	}{
		{nil, p.Dictionary.Values}, {&Set{}, p.Dictionary.Values},
		{&Set{Map: []Entries{{[]int{1}, []float64{2}}, {}, {[]int{0, 1}, []float64{1, 1}}}}, moved},
	} {
		p.Set = test.set
		if points := p.Points(); !slices.EqualFunc(points, test.want, slices.Equal) {
			t.Errorf("%+v: %v", test.set, points)
		}
	}
}

// TestProofsEnd at so many nodes where every relaxation leaves a fraction, those of a branch in the order of its parts.
func TestProofsEnd(t *testing.T) {
	p := &Problem{Dictionary: Dictionary{Atoms: 1, Dimension: 1, Values: [][]float64{{1}}}, Model: Model{Columns: []Column{{}, {Integer: true}, {Integer: true}}}}
	v, calls := newProver(p, &Decision{X: make([]float64, 3)}), 0
	v.relax = func(_ context.Context, lower, upper []float64) ([]float64, *Leaf) {
		calls++
		return []float64{0.5, float64(calls) + 0.25, float64(calls) + 0.625}, v.nothing()
	}
	v.node(context.Background(), v.program)
	v.number()
	if calls != MostNodes-1 || len(v.proof.Branches) != MostNodes/2-1 || len(v.proof.Leaves) != MostNodes/2 {
		t.Errorf("%d relaxations, %d branches, %d leaves", calls, len(v.proof.Branches), len(v.proof.Leaves))
	}
	for k, b := range v.proof.Branches { // depth first: the lower parts down to the limit
		if b[0] != 2 || b[1] != k+1 {
			t.Fatalf("branch %d is %v", k, b)
		}
	}
	v.proof.check(p)
}

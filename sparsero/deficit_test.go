package sparsero_test

import (
	"math"
	"math/big"
	"slices"
	"testing"

	"github.com/sparsero/directions/sparsero"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// trueDeficit is Δ_S(s) in rational arithmetic.
func trueDeficit(set *sparsero.AtomicSet, s []float64) *big.Rat {
	d := set.Dictionary()
	full, own := new(big.Rat), new(big.Rat)
	for i := range d.Size() {
		value := new(big.Rat)
		for j, v := range d.Atom(i) {
			value.Add(value, new(big.Rat).Mul(rational(v), rational(s[j])))
		}
		if value.Cmp(full) > 0 {
			full = value
		}
		if value.Cmp(own) > 0 && slices.Contains(set.Atoms(), i) {
			own = value
		}
	}
	return new(big.Rat).Sub(full, own)
}

// drawHardDirection draws directions in which atoms tie, exactly or nearly.
func drawHardDirection(t *rapid.T, set *sparsero.AtomicSet) []float64 {
	d := set.Dictionary()
	s := make([]float64, d.Dim())
	for j := range s {
		s[j] = float64(rapid.IntRange(-3, 3).Draw(t, "entry"))
		if largest := largestOf(d, j); largest > 0 && rapid.IntRange(0, 3).Draw(t, "unit") > 0 {
			s[j] *= 1 / largest // so that coordinates of different units weigh the same
		}
	}
	return s
}

func largestOf(d *sparsero.Dictionary, j int) float64 {
	largest := 0.0
	for i := range d.Size() {
		largest = max(largest, math.Abs(d.Atom(i)[j]))
	}
	return largest
}

// The deficit is never below the truth, 0 where that is, and hardly above it.
func TestDeficitIsNeverBelowTheTruth(t *testing.T) {
	zeros, near := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		set := drawHardSet(t, 4)
		s := drawHardDirection(t, set)
		truth, got := trueDeficit(set, s), set.AlignmentDeficit(s)
		if rational(got).Cmp(truth) < 0 || truth.Sign() == 0 && got != 0 {
			t.Fatalf("deficit %v, truth %s", got, truth.FloatString(40))
		}
		allowed := new(big.Rat).Mul(truth, rational(1+0x1p-51))
		for j, v := range s { // what the sum of the products may miss
			allowed.Add(allowed, rational(0x1p-90*largestOf(set.Dictionary(), j)*math.Abs(v)))
		}
		if rational(got).Cmp(allowed) > 0 {
			t.Fatalf("deficit %v far above the truth %s", got, truth.FloatString(40))
		}
		if truth.Sign() == 0 {
			zeros++
		} else if got < 0x1p-40*set.Dictionary().Support(s) {
			near++
		}
	})
	if !testing.Short() && (zeros == 0 || near == 0) {
		t.Errorf("%d ties and %d near ties were drawn", zeros, near)
	}
}

// Units of the atoms, of single coordinates and of the direction scale it exactly.
func TestDeficitInOtherUnits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		set := drawHardSet(t, 4)
		s := drawHardDirection(t, set)
		d := set.Dictionary()
		atoms, direction := d.Matrix(), slices.Clone(s)
		own, common := rapid.IntRange(-300, 300).Draw(t, "units of the atoms"), rapid.IntRange(-300, 300).Draw(t, "units of the direction")
		for j := range s {
			unit := rapid.IntRange(-200, 200).Draw(t, "units of the coordinate")
			direction[j] = math.Ldexp(s[j], common-unit)
			atoms.Apply(func(_, k int, v float64) float64 {
				if k == j {
					return math.Ldexp(v, own+unit)
				}
				return v
			}, atoms)
		}
		other := newSet(t, newDictionary(t, d.Size(), d.Dim(), atoms.RawMatrix().Data...), set.Atoms(), 1)
		if got, want := other.AlignmentDeficit(direction), math.Ldexp(set.AlignmentDeficit(s), own+common); got != want {
			t.Fatalf("deficit %v in other units, want %v", got, want)
		}
	})
}

func TestDeficitBeyondTheRangeOfFloats(t *testing.T) {
	huge := newSet(t, newDictionary(t, 2, 1, 0x1p1000, -0x1p1000), []int{1}, 1)
	if got := huge.AlignmentDeficit([]float64{0x1p100}); !math.IsInf(got, 1) {
		t.Errorf("deficit of an overflow: %v", got)
	}
	twice := newSet(t, newDictionary(t, 2, 1, 0x1p1000, 0x1p1001), []int{0}, 1)
	if got := twice.AlignmentDeficit([]float64{0x1p100}); !math.IsInf(got, 1) {
		t.Errorf("deficit of an overflow of a chosen atom too: %v", got)
	}
	for name, set := range map[string]*sparsero.AtomicSet{ // where fractions know better
		"of an atom to either side":  newSet(t, newDictionary(t, 2, 2, -0x1p1000, 0x1p1000, 1, 0), []int{1}, 1),
		"of a sum on the way to it":  newSet(t, newDictionary(t, 2, 4, -0x1p1000, -0x1p1000, 0x1p1000, 0x1p1000, 1, 0, 0, 0), []int{1}, 1),
		"of the best of three atoms": newSet(t, newDictionary(t, 3, 2, 0x1p1000, 0x1p1000, -0x1p1000, 0x1p1000, 1, 0), []int{0}, 1),
	} {
		s := []float64{0x1p100, 0x1p100, 0x1p100, 0x1p100}[:set.Dictionary().Dim()]
		if got := set.AlignmentDeficit(s); got != 0 {
			t.Errorf("deficit with an overflow %s: %v", name, got)
		}
	}
	tiny := newSet(t, newDictionary(t, 2, 1, 0x1p-700, 0x1p-701), []int{1}, 1)
	if got := tiny.AlignmentDeficit([]float64{0x1p-700}); got <= 0 {
		t.Errorf("deficit of an underflow: %v", got)
	}
	if got := tiny.AlignmentDeficit(mat.Col(nil, 0, mat.NewDense(1, 1, []float64{math.NaN()}))); !math.IsInf(got, 1) {
		t.Errorf("deficit in the direction NaN: %v", got)
	}
}

// An alignment that fell below all floats on the way to a sum within is not taken for one that is smaller than all others.
func TestSupportBeyondTheRangeOfFloatsIsNoNumber(t *testing.T) {
	d, s := newDictionary(t, 2, 2, -0x1p1000, 0x1p1000, 1, 0), []float64{0x1p100, 0x1p100}
	if atom, value := d.ActiveAtom(s); atom != 0 || !math.IsNaN(value) {
		t.Errorf("support %v at atom %d", value, atom)
	}
	if atom, value := newSet(t, d, []int{1, 0}, 1).WorstAtom(s); atom != 0 || !math.IsNaN(value) {
		t.Errorf("support of the set %v at atom %d", value, atom)
	}
}

// What a direction beyond float64 misses is not known, whatever the coordinates in which all atoms are 0.
func TestDeficitInADirectionBeyondFloat64(t *testing.T) {
	set := newSet(t, newDictionary(t, 1, 2, 0, 5), nil, 1)
	for _, v := range []float64{math.Inf(1), math.Inf(-1), math.NaN()} {
		if got := set.AlignmentDeficit([]float64{v, 1}); !math.IsInf(got, 1) {
			t.Errorf("deficit %v in the direction (%v, 1)", got, v)
		}
	}
}

// TestDeficitOfAtomsThatRoundingHides: a sum in float64 may leave nothing of the largest alignment.
func TestDeficitOfAtomsThatRoundingHides(t *testing.T) {
	for _, first := range [][]float64{{1, 0x1p-60, -1}, {1, -1, 0x1p-60}, {0x1p-60, 1, -1}} {
		set := newSet(t, newDictionary(t, 2, 3, append(first, 0x1p-61, 0, 0)...), []int{1}, 1)
		s := []float64{1, 1, 1}
		deficits, err := set.AlignmentDeficits(mat.NewDense(1, 3, s))
		if err != nil {
			t.Fatal(err)
		}
		_, _, _, compared := set.Compare(set.Dictionary().Alignments(nil, s), s)
		for _, got := range []float64{deficits[0], compared, set.AlignmentDeficit(s)} {
			if got < 0x1p-61 || got > 0x1p-61*(1+1e-9) {
				t.Errorf("atom %v: the deficit is %v, not 2^-61", first, got)
			}
		}
	}
}

// A comparison names the atom and the supports that the dictionary and the set do, in direction 0 and at ties, too.
func TestComparisonNamesTheActiveAtom(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		set := drawHardSet(t, 4)
		s := drawHardDirection(t, set)
		if rapid.IntRange(0, 3).Draw(t, "zero") == 0 {
			clear(s)
		}
		worst, full, restricted, _ := set.Compare(set.Dictionary().Alignments(nil, s), s)
		atom, value := set.Dictionary().ActiveAtom(s)
		if _, own := set.WorstAtom(s); worst != atom || full != value || restricted != own {
			t.Fatalf("atom %d, supports %v and %v, want atom %d, %v and %v", worst, full, restricted, atom, value, own)
		}
	})
}

// An alignment that fell below all floats makes the support no number, even where the sizes of its terms have a sum.
func TestComparisonBeyondTheRangeOfFloats(t *testing.T) {
	d := newDictionary(t, 2, 3, 1, 0, 0, -0x1p1023, -0x1p970*(1+0x1p-26), -0x1p1023*(1-0x1p-52))
	// The second product is a little above 2^970: one rounding of the sum goes up, and two of product and sum go down.
	s := []float64{1, 1 - 0x1p-26 + 0x1p-52, 1}
	if reach := d.AlignmentReach(s); reach != math.MaxFloat64 {
		t.Skipf("products and sums are one instruction here, so that the sizes have the sum %v", reach)
	}
	if worst, full, _, _ := newSet(t, d, []int{0}, 1).Compare(d.Alignments(nil, s), s); worst != 1 || !math.IsNaN(full) {
		t.Errorf("support %v at atom %d, want NaN at atom 1", full, worst)
	}
}

// In direction 0 nothing is compared, and no list of all atoms is made.
func TestDeficitInDirectionZeroListsNoAtoms(t *testing.T) {
	values := make([]float64, 10_000)
	for i := range values {
		values[i] = -float64(i)
	}
	set, err := sparsero.NewAtomicSet(newDictionary(t, len(values), 1, values...), []int{3}, 1)
	if err != nil {
		t.Fatal(err)
	}
	zero := []float64{0}
	lists := testing.AllocsPerRun(3, func() {
		if set.AlignmentDeficit(zero) != 0 {
			t.Error("there is a deficit in direction 0")
		}
	})
	if other := testing.AllocsPerRun(3, func() { set.AlignmentDeficit([]float64{1}) }); lists > other {
		t.Errorf("%v allocations in direction 0, %v in direction 1", lists, other)
	}
}

// The best of the atoms of a set counts, in whatever order they are listed, and an empty dictionary reaches nowhere.
func TestDeficitInTheOrderOfASet(t *testing.T) {
	d := newDictionary(t, 4, 1, 5, 1, 6, 2)
	for _, atoms := range [][]int{{0, 1, 3}, {1, 0, 3}, {3, 1, 0}, {1, 3, 0}} {
		if got := newSet(t, d, atoms, 1).AlignmentDeficit([]float64{1}); got != 1 {
			t.Errorf("atoms %v miss %v, want 1", atoms, got)
		}
	}
	none := &sparsero.Dictionary{}
	if reach, alignments := none.AlignmentReach(nil), none.Alignments(make([]float64, 3), nil); reach != 0 || len(alignments) > 0 {
		t.Errorf("no atoms reach %v, with the alignments %v", reach, alignments)
	}
}

// An atom whose alignment float64 takes for less than 0 is missed all the same, also beside a direction of another size.
func TestDeficitOfAnAlignmentThatRoundsBelowZero(t *testing.T) {
	d := newDictionary(t, 2, 4, 1, 0x3p-55, -1, -0x1p-56, -1, 0, 0, 0)
	set, ones := newSet(t, d, []int{1}, 1), []float64{1, 1, 1, 1}
	if v := d.Alignments(nil, ones)[0]; v >= 0 {
		t.Fatalf("the alignment is %v; this test sees too little", v)
	}
	near := func(got, want float64) bool { return got >= want && got <= want*(1+0x1p-51) }
	if got := set.AlignmentDeficit(ones); !near(got, 0x5p-56) {
		t.Errorf("deficit %v, want %v", got, 0x5p-56)
	}
	directions := mat.NewDense(512, 4, nil)
	directions.Apply(func(k, _ int, _ float64) float64 { return []float64{0x1p-100, 1}[k%2] }, directions)
	deficits, err := set.AlignmentDeficits(directions)
	if err != nil {
		t.Fatal(err)
	}
	for k, got := range deficits {
		if want := 0x5p-56 * directions.At(k, 0); !near(got, want) {
			t.Errorf("deficit %d is %v, want %v", k, got, want)
		}
	}
}

// The largest of norms that are next to each other is found, wherever it stands.
func TestMaxNormAmongNeighbours(t *testing.T) {
	for _, atoms := range [][]float64{{1, 0, 1 + 0x1p-40, 0}, {1 + 0x1p-40, 0, 1, 0}, {0, 1, 0, 1 + 0x1p-31}, {0x1p-500, 0, 0x3p-501, 0}} {
		want := 0.0
		for _, v := range atoms {
			want = max(want, v)
		}
		if got := newDictionary(t, 2, 2, atoms...).MaxNorm(); got != want {
			t.Errorf("of %v the largest norm is %v", atoms, got)
		}
	}
}

// An atom next to the end of float64 is missed although another one's alignment, which is less, rounds to +Inf.
func TestDeficitBesideAnAlignmentThatRoundsToInfinity(t *testing.T) {
	const high, least = math.MaxFloat64 - 0x1p971, 0x1p970
	s := []float64{1, least * (1 - 0x1p-27 + 0x1p-53), 1}
	rounds, exceeds := []float64{high, 1 + 0x1p-27, least}, []float64{high, 1 + 0x1p-27 - 0x1p-52, least * (1 + 0x1p-52)}
	for own, atoms := range [][]float64{slices.Concat(rounds, exceeds), slices.Concat(exceeds, rounds)} {
		d := newDictionary(t, 2, 3, atoms...)
		v := d.Alignments(nil, s) // in the order of sums that the processor takes
		between := math.IsInf(v[own], 1) && !math.IsInf(v[1-own], 1) && !math.IsInf(d.AlignmentReach(s), 1)
		set := newSet(t, d, []int{own}, 1)
		truth := trueDeficit(set, s)
		deficits, err := set.AlignmentDeficits(mat.NewDense(1, 3, s))
		if err != nil {
			t.Fatal(err)
		}
		for _, got := range append(deficits, set.AlignmentDeficit(s)) {
			if truth.Sign() <= 0 || !math.IsInf(got, 1) && rational(got).Cmp(truth) < 0 || between && got > 0x1p900 {
				t.Errorf("deficit %v, truth %s", got, truth.FloatString(0))
			}
		}
	}
}

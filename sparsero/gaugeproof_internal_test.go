package sparsero

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero/internal/gauge"
	"github.com/sparsero/directions/sparsero/internal/rank"
	"gonum.org/v1/gonum/mat"
)

// TestLargeBasesAreNotCombinedExactly, and nothing is said of the sum of their weights.
func TestLargeBasesAreNotCombinedExactly(t *testing.T) {
	const p = 70
	atoms, u := make([]float64, p*p), make([]float64, p)
	for k := range p {
		atoms[k*p+k], u[k] = 1, 1
	}
	g := gaugeOf(t, p, atoms...)
	if answer := g.program.Solve(t.Context(), u); answer.Outcome != gauge.Inside {
		t.Fatalf("the point is not inside: %+v", answer)
	}
	if claim, proven := g.combineExactly(t.Context(), u); proven || g.exact > 0 {
		t.Errorf("%+v, proven %t, %d programs in exact arithmetic", claim, proven, g.exact)
	}
}

// TestMembershipOfPlainPointsNeedsNoExactArithmetic, inside and outside.
func TestMembershipOfPlainPointsNeedsNoExactArithmetic(t *testing.T) {
	g := gaugeOf(t, 2, 1, 0, 0, 1)
	for _, test := range []struct {
		u       []float64
		outside bool
	}{{[]float64{0.25, 0.5}, false}, {[]float64{0.5, 0.5}, false}, {[]float64{2, 2}, true}, {[]float64{-1, 0}, true}} {
		if outside, _, err := g.exceeds(t.Context(), test.u, 1, 1); err != nil || outside != test.outside || g.exact > 0 {
			t.Errorf("%v is outside: %t, %v, %d programs in exact arithmetic", test.u, outside, err, g.exact)
		}
	}
}

// TestAtomsBeyondADirectionAreListed, those whose product exceeds 1, the farthest first.
func TestAtomsBeyondADirectionAreListed(t *testing.T) {
	g := gaugeOf(t, 2, 1, 0, 0.5, 0.5, 1, 1, 3, 1, -5, 0)
	for y, want := range map[[2]float64][]int{{1, 1}: {3, 2}, {0, 1}: nil, {1, 0}: {3}, {-1, 2}: {4}} {
		if got := g.beyond(y[:]); !slices.Equal(got, want) {
			t.Errorf("beyond %v are %v, want %v", y, got, want)
		}
	}
}

// TestExactGaugesOfAllAtomsLieBetweenNeighbours among the floats.
func TestExactGaugesOfAllAtomsLieBetweenNeighbours(t *testing.T) {
	inside := 0
	for seed := range uint64(40) {
		g, source := normalGauge(t, 8, 3, seed)
		claim, err := g.decide(t.Context(), normalPoint(source, 3))
		if err != nil || claim.upper > math.Nextafter(claim.lower, math.Inf(1)) {
			t.Errorf("seed %d: the gauge is in [%v, %v], %v", seed, claim.lower, claim.upper, err)
		}
		if claim.coefficients != nil {
			inside++
		}
	}
	if inside < 10 {
		t.Errorf("%d points are in the cone; this test sees too little", inside)
	}
}

// TestWhatIsOpenIsNeitherInsideNorOutside: a point on a face of too many atoms for exact arithmetic, by weights that are
// thirds, of which float64 leaves open whether the others are 0 or less.
func TestWhatIsOpenIsNeitherInsideNorOutside(t *testing.T) {
	const p, face = 70, 69
	source, atoms := rand.New(rand.NewPCG(3, 3)), mat.NewDense(p+1, p, nil)
	for k := range p {
		third := float64(1+source.IntN(2)) / 3
		for j := range p {
			whole := float64(source.IntN(7) - 3)
			atoms.Set(k, j, 3*whole)
			if k < face {
				atoms.Set(p, j, atoms.At(p, j)+math.Round(3*third)*whole)
			}
		}
	}
	d, err := NewDictionary(atoms, nil)
	if err != nil {
		t.Fatal(err)
	}
	set, err := NewAtomicSet(d, rank.Indices[int](p), 1)
	if err != nil {
		t.Fatal(err)
	}
	outside, unknown, err := set.outside(t.Context(), []int{0, p, 1})
	if err != nil || len(outside) > 0 || !slices.Equal(unknown, []int{p}) {
		t.Errorf("%v are outside, %v open, %v", outside, unknown, err)
	}
	if _, err := set.Outside(t.Context(), []int{0, p}); !errors.Is(err, solver.ErrUnproven) {
		t.Errorf("error %v", err)
	}
}

// TestADirectionSeparatesFromEveryAtom, whichever of them is on the side of the point.
func TestADirectionSeparatesFromEveryAtom(t *testing.T) {
	w := gauge.Pair{High: []float64{1, 1}, Low: make([]float64, 2)}
	for _, test := range []struct {
		atoms []float64
		want  bool
	}{
		{[]float64{-5, 0, -1, 1, 0, -2}, true},
		{[]float64{-5, 0, -1, 2, 0, -2}, false},
		{[]float64{2, -1, -5, 0, 0, -2}, false},
		{[]float64{-5, 0, 0, -2, 1, 0}, false},
	} {
		if got := gaugeOf(t, 2, test.atoms...).separates([]float64{0, 1}, w); got != test.want {
			t.Errorf("the atoms %v are kept away: %t", test.atoms, got)
		}
	}
}

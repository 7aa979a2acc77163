package calibration

import (
	"errors"
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/sparsero/internal/rank"
	"pgregory.net/rapid"
)

// With any error the radius is +Inf and says so.
func TestNoRadiusBesideAnError(t *testing.T) {
	nan := math.NaN()
	rules := append(soundRules(0.5, 0.5, Family{}), soundRules(0.5, 0.5, Subsets(3, 4))[0], Additive{Alpha: 0.5, Delta: 0.5}, SplitConformal{})
	for _, rule := range rules {
		for _, scores := range [][]float64{{1, nan}, {math.Inf(-1)}, {}, nil} {
			radius, err := rule.Calibrate(scores)
			if err == nil || radius.Check() == nil || !math.IsInf(radius.Value.Float(), 1) || radius.Check() == nil || radius.Rank != len(scores)+1 {
				t.Errorf("%s on %v: %+v, %v", rule.recipe().name, scores, radius, err)
			}
			if text := radius.String(); !strings.HasPrefix(text, "no finite radius") || strings.Contains(text, "outside the cone") {
				t.Errorf("%s on %v: %s", rule.recipe().name, scores, text)
			}
		}
	}
	if size := Subsets(3, 4).LogSize(); !math.IsNaN(size) {
		t.Errorf("an impossible family has the logarithm %g", size)
	}
	if (Radius{Value: proof.AtMost(nan)}).Check() == nil {
		t.Error("a radius that is no number is finite")
	}
}

// Split conformal at alphas one unit in the last place beside j/(m+1), against exact arithmetic: one unit less alpha
// costs one rank, one unit more gives nothing away.
func TestSplitConformalOneUnitBesideAFraction(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := rapid.IntRange(2, 5000).Draw(t, "m")
		j := rapid.IntRange(2, m).Draw(t, "j")
		at := float64(j) / float64(m+1)
		for _, alpha := range []float64{math.Nextafter(at, 0), at, math.Nextafter(at, 1)} {
			rank, err := SplitConformal{Alpha: alpha}.Rank(m)
			check(t, err)
			want := m + 1 - j
			if alpha < at {
				want++
			}
			if rank != want {
				t.Fatalf("m=%d, alpha=%v beside %d/%d: rank %d, want %d", m, alpha, j, m+1, rank, want)
			}
			// Exactly: the share (m+1-k)/(m+1) exceeds alpha by less than the rounding of alpha itself.
			excess := new(big.Rat).Sub(big.NewRat(int64(m+1-rank), int64(m+1)), new(big.Rat).SetFloat64(alpha))
			if over, _ := excess.Float64(); over > (math.Nextafter(alpha, 1)-alpha)/2 {
				t.Fatalf("m=%d, alpha=%v: rank %d leaves %g more than alpha", m, alpha, rank, over)
			}
		}
	})
}

// MinSamples is where Rank begins to answer, for every rule.
func TestMinSamplesIsWhereRanksBegin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		denominator := rapid.IntRange(2, 400).Draw(t, "denominator")
		alpha := 1 / float64(denominator)
		if rapid.Bool().Draw(t, "beside") {
			alpha = math.Nextafter(alpha, 0)
		}
		delta := math.Ldexp(1, -rapid.IntRange(1, 40).Draw(t, "halvings"))
		for _, rule := range append(soundRules(alpha, delta, Candidates(4)), Additive{Alpha: alpha, Delta: delta}) {
			need, err := rule.MinSamples()
			check(t, err)
			if _, err := rule.Rank(need); err != nil {
				t.Fatalf("%s refuses the %d samples it asks for: %v", rule.recipe().name, need, err)
			}
			if _, err := rule.Rank(need - 1); err == nil {
				t.Fatalf("%s asks for %d samples and accepts one less", rule.recipe().name, need)
			}
		}
	})
}

// Sample sizes up to the largest: binomial sums against the normal law with its first correction for skewness, whose
// relative error is of the order z^6 / 72 variance.
func TestLargeSamples(t *testing.T) {
	const alpha, delta = 0.05, 1e-5
	for _, m := range []int{1 << 20, 1 << 30, 1 << 40} {
		mean, variance := alpha*float64(m), alpha*(1-alpha)*float64(m)
		normal := func(rank int) float64 { // P(Bin(m, alpha) <= m-rank)
			z := (float64(m-rank) + 0.5 - mean) / math.Sqrt(variance)
			density := math.Exp(-z*z/2) / math.Sqrt(2*math.Pi)
			return math.Erfc(-z/math.Sqrt2)/2 - density*(1-2*alpha)/(6*math.Sqrt(variance))*(z*z-1)
		}
		rank, err := OrderStatistic{Alpha: alpha, Delta: delta}.Rank(m)
		if err != nil {
			t.Fatal(err)
		}
		if certain, err := FailureProbability(m, 1, alpha); err != nil || certain.Float() != 1 {
			t.Errorf("m=%d: the least of all fails with probability %v, %v; want 1", m, certain.Float(), err)
		}
		for _, z := range []float64{-3, -1, 0, 1, 4} {
			rank := m - int(mean-z*math.Sqrt(variance))
			got, err := FailureProbability(m, rank, alpha)
			if want := normal(rank); err != nil || math.Abs(got.Float()-want) > (100/variance+1e-8)*want {
				t.Errorf("m=%d, rank %d: %.12g, %v; the normal law says %.12g", m, rank, got, err, want)
			}
		}
		at, err := FailureProbability(m, rank, alpha)
		below, err2 := FailureProbability(m, rank-1, alpha)
		if err != nil || err2 != nil || at.Float() > delta || below.Float() <= delta {
			t.Errorf("m=%d: rank %d fails with probability %g, the next lower one with %g, %v, %v", m, rank, at, below, err, err2)
		}
	}
}

// TestFailureProbabilityIsRoundedUp: it is no 0 where it is below float64, and rounding errors of a sum of millions of terms do
// not make it too small: 45 decimal digits by themselves give 0.00134989650292527339.
func TestFailureProbabilityIsRoundedUp(t *testing.T) {
	for _, test := range []struct {
		m, rank      int
		alpha, truth float64
	}{{2000, 2000, 0.9, math.SmallestNonzeroFloat64}, {1 << 40, 1<<40 - 329_852_046_779, 0.3, 0.0013498965029252734}} {
		if p, err := FailureProbability(test.m, test.rank, test.alpha); err != nil || p.Float() < test.truth || p.Float() > test.truth*(1+1e-8) {
			t.Errorf("m=%d, rank %d: %.17g, %v, and %.17g without rounding", test.m, test.rank, p.Float(), err, test.truth)
		}
	}
}

// Sizes beyond 2^40 are refused instead of being summed over for hours, and none overflows.
func TestSizesBeyondTheLargest(t *testing.T) {
	rule := OrderStatistic{Alpha: 0.05, Delta: 1e-5}
	for _, m := range []int{1<<40 + 1, 1e15, 1e18, math.MaxInt} {
		for name, err := range map[string]error{
			"Rank":      second(rule.Rank(m)),
			"conformal": second(SplitConformal{Alpha: 0.05}.Rank(m)), "additive": second(Additive{Alpha: 0.05, Delta: 0.1}.Rank(m)),
			"FailureProbability": second(FailureProbability(m, m-3, 0.1)),
			"Clopper-Pearson":    third(ClopperPearson(3, m, 0.95)),
			"subsets":            Subsets(m, m/2).validate(), "candidates": Candidates(m).validate(), "split": second(NewSplit(m, nil)),
		} {
			if err == nil || !strings.Contains(err.Error(), "2^") {
				t.Errorf("%s with %d: %v", name, m, err)
			}
		}
	}
	// An alpha that no sample can meet has a need that no sample has.
	for _, tiny := range []Rule{SplitConformal{Alpha: 1e-300}, DKW{Alpha: 1e-200, Delta: 0.1}, OrderStatistic{Alpha: 1e-300, Delta: 0.1}} {
		if need, err := tiny.MinSamples(); err != nil || need != math.MaxInt {
			t.Errorf("%s: %d, %v", tiny.recipe().name, need, err)
		}
		var small *SampleTooSmallError
		if _, err := tiny.Rank(1 << 40); !errors.As(err, &small) || small.Got != 1<<40 {
			t.Errorf("%s: %v", tiny.recipe().name, err)
		}
	}
	// The largest are answered.
	for name, err := range map[string]error{
		"candidates": Candidates(1 << 40).validate(), "one set": Candidates(1).validate(), "one atom": Subsets(1, 0).validate(),
		"all atoms": Subsets(1<<40, 1<<40).validate(), "Clopper-Pearson": third(ClopperPearson(3, 1<<40, 0.95)),
		"law": second(FailureProbability(1<<40, 1, 0.5)), "conformal": second(SplitConformal{Alpha: 0.05}.Rank(1 << 40)),
	} {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got, want := Subsets(largestCount, largestCount/2).LogSize(), largestCount*math.Ln2-math.Ln2; math.Abs(got-want) > 1e-13*want {
		t.Errorf("half of all sets of 2^40 atoms: %v, want about %v", got, want)
	}
}

// A family covers exactly as many sets as it has.
func TestFamiliesCoverTheirSets(t *testing.T) {
	for _, test := range []struct {
		family Family
		sets   int
	}{
		{Family{}, 1}, {Candidates(7), 7}, {Prefixes(rank.Indices[int](49)), 49}, {Candidates(largestCount - 1), largestCount - 1},
		{Subsets(4, 2), 11}, {Subsets(30, 15), 614429672},
	} {
		if !test.family.covers(test.sets) || test.family.covers(test.sets+1) {
			t.Errorf("%v: covers %d %v, covers %d %v", test.family, test.sets, test.family.covers(test.sets), test.sets+1, test.family.covers(test.sets+1))
		}
	}
	if !Subsets(2000, 2000).covers(math.MaxInt) || !Envelope().covers(1) || Envelope().covers(2) {
		t.Error("the family without end, or the envelope, which has one radius")
	}
}

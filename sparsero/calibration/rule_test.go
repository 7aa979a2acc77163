package calibration

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sparsero/directions/sparsero/internal/rank"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"
)

// Default levels of the paper's calibration experiment (appendix F.1).
const (
	paperAlpha = 0.05
	paperDelta = 1e-5
)

// soundRules are the rules with a guarantee, for the given promise.
func soundRules(alpha, delta float64, family Family) []Rule {
	return []Rule{
		OrderStatistic{Alpha: alpha, Delta: delta, Family: family},
		DKW{Alpha: alpha, Delta: delta, Family: family},
		OrderStatistic{Alpha: alpha, Delta: delta},
		SplitConformal{Alpha: alpha},
	}
}

// Minimal sample sizes at alpha = 0.05, delta = 1e-5. The order-statistic
// column is ceil(ln(M/delta)/-ln 0.95), the DKW column ceil(ln(2M/delta)/0.005).
func TestMinSamplesTable(t *testing.T) {
	for _, test := range []struct {
		family        Family
		logConfidence float64
		exact, twoSd  int
	}{
		{Family{}, 11.51, 225, 2442},
		{Prefixes(rank.Indices[int](31)), 14.95, 292, 3129},
		{Subsets(8, 8), 17.06, 333, 3551},
		{Subsets(2000, 9), 67.11, 1309, 13560},
		{Subsets(2000, 19), 116.51, 2272, 23442},
		{Subsets(2000, 29), 160.49, 3129, 32238},
	} {
		exact := OrderStatistic{Alpha: paperAlpha, Delta: paperDelta, Family: test.family}
		twoSided := DKW{Alpha: paperAlpha, Delta: paperDelta, Family: test.family}
		if got := exact.recipe().logConfidence(); math.Abs(got-test.logConfidence) > 0.005 {
			t.Errorf("%v: ln(M/delta) = %.4f, want %.2f", test.family, got, test.logConfidence)
		}
		for _, pair := range []struct {
			rule Rule
			want int
		}{{exact, test.exact}, {twoSided, test.twoSd}} {
			got, err := pair.rule.MinSamples()
			if err != nil || got != pair.want {
				t.Errorf("%v, %s: MinSamples = %d, %v; want %d", test.family, pair.rule.recipe().name, got, err, pair.want)
			}
		}
	}
}

// Levels k/m at alpha = 0.05, delta = 1e-5, N = 2000; empty cells are
// infeasible. Columns: order statistic / one-sided DKW / two-sided DKW.
func TestLevelTable(t *testing.T) {
	families := []Family{Family{}, Subsets(2000, 9), Subsets(2000, 19), Subsets(2000, 29)}
	for m, row := range map[int][]string{
		1000:  {".9780/-", "-/-", "-/-", "-/-"},
		2000:  {".9700/-", ".9945/-", "-/-", "-/-"},
		5000:  {".9628/.9850", ".9808/-", ".9888/-", ".9938/-"},
		15000: {".9575/.9702", ".9689/.9976", ".9744/-", ".9782/-"},
		50000: {".9541/.9611", ".9606/.9760", ".9640/.9842", ".9663/.9902"},
	} {
		for i, family := range families {
			var cells []string
			for _, rule := range []Rule{
				OrderStatistic{Alpha: paperAlpha, Delta: paperDelta, Family: family},
				DKW{Alpha: paperAlpha, Delta: paperDelta, Family: family},
			} {
				rank, err := rule.Rank(m)
				switch {
				case errors.Is(err, ErrSampleTooSmall):
					cells = append(cells, "-")
				case err != nil:
					t.Fatal(err)
				default:
					cells = append(cells, strings.TrimPrefix(fmt.Sprintf("%.4f", float64(rank)/float64(m)), "0"))
				}
			}
			if got := strings.Join(cells, "/"); got != row[i] {
				t.Errorf("m=%d, %v: levels %s, want %s", m, family, got, row[i])
			}
		}
	}
}

// Ranks stated for m = 1000: conformal 951, order statistic at delta = 1e-5 978.
func TestKnownRanks(t *testing.T) {
	for _, test := range []struct {
		rule Rule
		m    int
		want int
	}{
		{SplitConformal{Alpha: 0.05}, 1000, 951},
		{OrderStatistic{Alpha: 0.05, Delta: 1e-5}, 1000, 978},
		{OrderStatistic{Alpha: 0.1, Delta: 0.1}, 100, 95},
		{Additive{Alpha: 0.05, Delta: 1e-5}, 1000, 950},
		// Products in floating point land above the integer: 60 and 15 without
		// the tolerance.
		{Additive{Alpha: 0.41, Delta: 0.1}, 100, 59},
		{Additive{Alpha: 0.44, Delta: 0.1}, 25, 14},
		{SplitConformal{Alpha: 0.41}, 99, 59},
		{SplitConformal{Alpha: 0.44}, 24, 14},
	} {
		if got, err := test.rule.Rank(test.m); err != nil || got != test.want {
			t.Errorf("%s, m=%d: rank %d, %v; want %d", test.rule.recipe().name, test.m, got, err, test.want)
		}
	}
}

// Of the sound rules DKW alone corrects the level.
func TestCorrections(t *testing.T) {
	for _, rule := range soundRules(paperAlpha, 0.5, Family{}) {
		_, corrects := rule.(DKW)
		if got := rule.recipe().eta(1000); (got != 0) != corrects {
			t.Errorf("%s: correction %g", rule.recipe().name, got)
		}
	}
}

// The rank is minimal: it keeps the promise and the next lower one breaks it;
// MinSamples is the first feasible sample size.
func TestOrderStatisticRankIsMinimal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rule := OrderStatistic{
			Alpha:  rapid.Float64Range(0.005, 0.9).Draw(t, "alpha"),
			Delta:  rapid.Float64Range(1e-6, 0.95).Draw(t, "delta"),
			Family: Candidates(rapid.IntRange(1, 1000).Draw(t, "count")),
		}
		need, err := rule.MinSamples()
		if err != nil {
			t.Fatal(err)
		}
		if need > 1 {
			if _, err := rule.Rank(need - 1); !errors.Is(err, ErrSampleTooSmall) {
				t.Fatalf("rank with %d of %d samples: %v", need-1, need, err)
			}
		}
		m := need + rapid.IntRange(0, 400).Draw(t, "extra")
		rank, err := rule.Rank(m)
		if err != nil {
			t.Fatal(err)
		}
		limit := rule.Delta / math.Exp(rule.Family.LogSize())
		if p := mustProbability(t, m, rank, rule.Alpha); p > limit*(1+1e-9) {
			t.Fatalf("rank %d of %d fails with probability %g > %g", rank, m, p, limit)
		}
		if rank > 1 {
			if p := mustProbability(t, m, rank-1, rule.Alpha); p <= limit*(1-1e-9) {
				t.Fatalf("rank %d of %d would do: %g <= %g", rank-1, m, p, limit)
			}
		}
	})
}

// TestOrderStatisticKeepsDelta at levels just below a tail that float64 sums: no rank is taken whose failure probability exceeds delta.
func TestOrderStatisticKeepsDelta(t *testing.T) {
	for m := 5; m <= 120; m++ {
		tail, fails := new(big.Rat), func(i int) *big.Rat { // with probability C(m,i) 3^(m-i) / 4^m
			share := new(big.Int).Exp(big.NewInt(3), big.NewInt(int64(m-i)), nil)
			return new(big.Rat).SetFrac(share.Mul(share, new(big.Int).Binomial(int64(m), int64(i))), new(big.Int).Lsh(big.NewInt(1), uint(2*m)))
		}
		tail.Set(fails(0))
		for beyond := 1; beyond < min(4, m); beyond++ {
			delta, _ := tail.Add(tail, fails(beyond)).Float64()
			for range 20 {
				rank, err := OrderStatistic{Alpha: 0.25, Delta: delta}.Rank(m)
				if err == nil && rank <= m-beyond && new(big.Rat).SetFloat64(delta).Cmp(tail) < 0 {
					t.Fatalf("rank %d of %d fails with a probability above %v", rank, m, delta)
				}
				delta *= 1 - 0x1p-50
			}
		}
	}
}

// TestOrderStatisticAtItsEdge: so many samples are enough where delta is the failure probability of all of them, of powers and decimals.
func TestOrderStatisticAtItsEdge(t *testing.T) {
	for alpha, delta := range map[float64]float64{0.25: 0.75 * 0.75, 0.5: 0.25, 0.75: 0.0625, 0.9: 0.01, 0.99: 0.0001, 0.3: 0.49, 0.2: 0.64} {
		for sets := 1; float64(sets)*delta < 1 && sets <= 9; sets++ {
			need, err := OrderStatistic{Alpha: alpha, Delta: float64(sets) * delta, Family: Candidates(sets)}.MinSamples()
			if err != nil || need != 2 {
				t.Errorf("alpha %v, delta %v for %d sets: %d samples (%v), want 2", alpha, float64(sets)*delta, sets, need, err)
			}
		}
	}
	if rank, err := (OrderStatistic{Alpha: 0.25, Delta: 531441. / 16777216}).Rank(12); rank != 12 { // 0.75^12, exactly
		t.Errorf("rank %d of 12 (%v)", rank, err)
	}
}

func mustProbability(t *rapid.T, m, rank int, alpha float64) float64 {
	p, err := FailureProbability(m, rank, alpha)
	if err != nil {
		t.Fatal(err)
	}
	return p.Float()
}

// The failure probability is the Beta law below 1-alpha: two roads, a binomial
// sum and the incomplete beta function.
func TestFailureProbabilityIsTheBetaLaw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := rapid.IntRange(1, 3000).Draw(t, "m")
		rank := rapid.IntRange(1, m).Draw(t, "rank")
		alpha := rapid.Float64Range(0.001, 0.999).Draw(t, "alpha")
		law := distuv.Beta{Alpha: float64(rank), Beta: float64(m + 1 - rank)}
		sum, beta := mustProbability(t, m, rank, alpha), law.CDF(1-alpha)
		if math.Abs(sum-beta) > 1e-9*beta+1e-13 {
			t.Fatalf("m=%d k=%d alpha=%g: binomial %g, beta %g", m, rank, alpha, sum, beta)
		}
	})
	if p, _ := FailureProbability(100, 95, 0.1); math.Abs(p.Float()-0.0576) > 5e-5 {
		t.Errorf("m=100, k=95, alpha=0.1: %.5f, want 0.0576", p)
	}
	// A conformal radius at m=1000 violates alpha in .48 of all samples, the
	// plain quantile k=950 in .54 (rounded as stated).
	for rank, want := range map[int]float64{951: 0.48, 950: 0.54} {
		if p, _ := FailureProbability(1000, rank, 0.05); math.Abs(p.Float()-want) > 0.005 {
			t.Errorf("m=1000, k=%d: %.4f, want %.2f", rank, p, want)
		}
	}
}

// Every rank of every sample size up to 50 is the item a full sort finds,
// for distinct scores and for scores with ties.
func TestOrderStatisticExhaustive(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for n := 1; n <= 50; n++ {
		distinct, ties := make([]float64, n), make([]float64, n)
		for i, v := range random.Perm(n) {
			distinct[i] = float64(v + 1)
			ties[i] = float64(v / 3)
		}
		kept := slices.Clone(distinct)
		for k := 1; k <= n; k++ {
			if got := rank.Value(distinct, k); got != float64(k) {
				t.Errorf("n=%d: order statistic %d is %g", n, k, got)
			}
			if got := rank.Value(ties, k); got != float64((k-1)/3) {
				t.Errorf("n=%d with ties: order statistic %d is %g", n, k, got)
			}
		}
		if !slices.Equal(kept, distinct) {
			t.Fatalf("n=%d: the scores were reordered", n)
		}
	}
}

// Why ranks are never passed on as k/n: the quantile routine compares with
// p·n in floating point and returns the 8th of 25 in place of the 7th.
func TestQuantileRoutineMissesRanks(t *testing.T) {
	sorted := make([]float64, 25)
	for i := range sorted {
		sorted[i] = float64(i + 1)
	}
	const n, k = 25, 7
	if got := stat.Quantile(float64(k)/n, stat.Empirical, sorted, nil); got != 8 {
		t.Errorf("stat.Quantile(7/25) = %g; the trap this test records is gone", got)
	}
	if got := rank.Value(sorted, k); got != k {
		t.Errorf("order statistic = %g, want %d", got, k)
	}
}

// The conformal rank for every n up to 50 and alphas that are multiples of a
// percent, against integer arithmetic.
func TestSplitConformalRanksExhaustive(t *testing.T) {
	for percent := 1; percent < 100; percent++ {
		rule := SplitConformal{Alpha: float64(percent) / 100}
		need, err := rule.MinSamples()
		if err != nil {
			t.Fatal(err)
		}
		if want := max(1, (100+percent-1)/percent-1); need != want {
			t.Errorf("alpha=%d%%: MinSamples %d, want %d", percent, need, want)
		}
		for n := 1; n <= 50; n++ {
			want := ((n+1)*(100-percent) + 99) / 100
			got, err := rule.Rank(n)
			if want > n {
				if !errors.Is(err, ErrSampleTooSmall) || n >= need {
					t.Errorf("alpha=%d%%, n=%d: %d, %v; want a refusal below %d", percent, n, got, err, need)
				}
				continue
			}
			if err != nil || got != want || n < need {
				t.Errorf("alpha=%d%%, n=%d: rank %d, %v; want %d", percent, n, got, err, want)
			}
		}
	}
}

// Sound rules: scaling the scores scales the radius, shuffling them changes
// nothing, and a larger alpha never enlarges the radius.
func TestSoundRulesAreEquivariant(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scores := rapid.SliceOfN(rapid.Float64Range(0, 10), 400, 600).Draw(t, "scores")
		scale := math.Ldexp(1, rapid.IntRange(-20, 20).Draw(t, "exponent"))
		seed := rapid.Uint64().Draw(t, "seed")
		scaled := make([]float64, len(scores))
		for i, z := range scores {
			scaled[i] = scale * z
		}
		rand.New(rand.NewPCG(seed, 0)).Shuffle(len(scaled), func(i, j int) {
			scaled[i], scaled[j] = scaled[j], scaled[i]
		})
		narrow, wide := soundRules(0.2, 0.1, Candidates(3)), soundRules(0.3, 0.1, Candidates(3))
		for i, rule := range narrow {
			base, err := rule.Calibrate(scores)
			if err != nil {
				t.Fatal(err)
			}
			other, err := rule.Calibrate(scaled)
			if err != nil {
				t.Fatal(err)
			}
			if other.Value.Float() != scale*base.Value.Float() || other.Rank != base.Rank {
				t.Fatalf("%s: %g for scores times %g, %g before", rule.recipe().name, other.Value, scale, base.Value)
			}
			loose, err := wide[i].Calibrate(scores)
			if err != nil {
				t.Fatal(err)
			}
			if loose.Value.Float() > base.Value.Float() {
				t.Fatalf("%s: radius %g at alpha=0.3 exceeds %g at alpha=0.2", rule.recipe().name, loose.Value, base.Value)
			}
		}
	})
}

// A rule that promises more never returns a smaller rank, and the exact rule
// is never above the DKW rules that promise the same.
func TestRuleOrdering(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		alpha := rapid.Float64Range(0.02, 0.5).Draw(t, "alpha")
		delta := rapid.Float64Range(1e-6, 0.5).Draw(t, "delta")
		family := Subsets(30, rapid.IntRange(0, 30).Draw(t, "budget"))
		two := DKW{Alpha: alpha, Delta: delta, Family: family}
		need, err := two.MinSamples()
		if err != nil {
			t.Fatal(err)
		}
		m := need + rapid.IntRange(0, 2000).Draw(t, "extra")
		ranks := make([]int, 0, 4)
		for _, rule := range []Rule{
			OrderStatistic{Alpha: alpha, Delta: delta, Family: Envelope()},
			OrderStatistic{Alpha: alpha, Delta: delta, Family: family},
			two,
		} {
			rank, err := rule.Rank(m)
			if err != nil {
				t.Fatal(err)
			}
			ranks = append(ranks, rank)
		}
		if !slices.IsSorted(ranks) {
			t.Fatalf("m=%d alpha=%g delta=%g %v: ranks %v", m, alpha, delta, family, ranks)
		}
	})
}

package calibration

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/sparsero"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

func second[A any](_ A, err error) error { return err }

func third[A, B any](_ A, _ B, err error) error { return err }

func testDictionary(t *testing.T) (*sparsero.Dictionary, *sparsero.AtomicSet) {
	t.Helper()
	d, err := sparsero.NewDictionary(mat.NewDense(3, 2, []float64{1, 0, 0, 1, 1, 1}), nil)
	if err != nil {
		t.Fatal(err)
	}
	set, err := sparsero.NewAtomicSet(d, []int{0, 1}, 1)
	if err != nil {
		t.Fatal(err)
	}
	return d, set
}

// Every error names the argument or its value.
func TestBadInput(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	good := []float64{1, 2, 3}
	d, set := testDictionary(t)
	exact := OrderStatistic{Alpha: 0.5, Delta: 0.5}
	wide, parts := mat.NewDense(2, 3, nil), testParts(t)
	tooFew := func(mat.Matrix) ([]float64, error) { return []float64{1}, nil }
	notANumber := func(mat.Matrix) ([]float64, error) { return []float64{nan, 1, 2}, nil }
	hole := mat.NewDense(2, 2, []float64{0, 1, nan, 0})
	for _, test := range []struct {
		name string
		err  error
		word string
	}{
		{"alpha missing", second(OrderStatistic{Delta: 0.1}.MinSamples()), "alpha=0"},
		{"alpha one", second(DKW{Alpha: 1, Delta: 0.1}.Rank(10)), "alpha=1"},
		{"alpha above one", second(SplitConformal{Alpha: 1.5}.Rank(10)), "alpha=1.5"},
		{"alpha negative", second(DKW{Alpha: -0.1, Delta: 0.1}.Calibrate(good)), "alpha=-0.1"},
		{"alpha NaN", second(Additive{Alpha: nan, Delta: 0.1}.Calibrate(good)), "alpha=NaN"},
		{"delta missing", second(OrderStatistic{Alpha: 0.1}.Calibrate(good)), "delta=0"},
		{"delta one", second(DKW{Alpha: 0.1, Delta: 1}.MinSamples()), "delta=1"},
		{"delta NaN", second(Additive{Alpha: 0.1, Delta: nan}.MinSamples()), "delta=NaN"},
		{"no samples", second(exact.Rank(0)), "m=0"},
		{"negative m", second(SplitConformal{Alpha: 0.5}.Rank(-3)), "m=-3"},
		{"empty scores", second(exact.Calibrate(nil)), "scores"},
		{"NaN score", second(exact.Calibrate([]float64{1, nan})), "scores[1]=NaN"},
		{"-Inf score", second(SplitConformal{Alpha: 0.5}.Calibrate([]float64{-inf, 1})), "scores[0]=-Inf"},
		{"budget above N", second(OrderStatistic{Alpha: 0.1, Delta: 0.1, Family: Subsets(60, 70)}.MinSamples()), "B=70"},
		{"negative budget", second(DKW{Alpha: 0.1, Delta: 0.1, Family: Subsets(60, -1)}.Rank(5)), "B=-1"},
		{"no atoms", Subsets(0, 0).validate(), "N=0"},
		{"no candidates", second(exactFor(Candidates(0)).Rank(9)), "0 sets"},
		{"no prefixes", second(exactFor(Prefixes(nil)).Rank(9)), "0 sets"},
		{"too small", second(OrderStatistic{Alpha: 0.05, Delta: 1e-5}.Calibrate(good)), "225"},
		{"rank zero", second(FailureProbability(5, 0, 0.1)), "rank 0"},
		{"rank beyond", second(FailureProbability(5, 6, 0.1)), "rank 6"},
		{"failure alpha", second(FailureProbability(5, 5, 2)), "alpha=2"},
		{"nil set", second(DirectionalScores(nil, hole)), "set"},
		{"nil dictionary", second(fullScores(nil, hole)), "dictionary"},
		{"sample columns", second(DirectionalScores(set, wide)), "3 columns"},
		{"sample NaN", second(fullScores(d, hole)), "NaN"},
		{"empty path", second(PrefixScores(d, nil, hole)), "path"},
		{"path repeats", second(PrefixScores(d, []int{0, 0}, hole)), "atom 0"},
		{"split too short", second(NewSplit(2, nil)), "2 rows"},
		{"split of a thousandth", second(NewSplit(99, &SplitOptions{Shares: [3]float64{998, 1, 1}})), "other fractions than [998 1 1]"},
		{"split of negative size", second(NewSplit(-5, nil)), "-5 rows"},
		{"split longer than a list", second(NewSplit(math.MaxInt32+1, nil)), "2147483648 rows"},
		{"split share 0", second(NewSplit(9, &SplitOptions{Shares: [3]float64{1, 0, 1}})), "fractions [1 0 1]"},
		{"split share negative", second(NewSplit(9, &SplitOptions{Shares: [3]float64{3, 1, -1}})), "fractions [3 1 -1]"},
		{"split share NaN", second(NewSplit(9, &SplitOptions{Shares: [3]float64{nan, 1, 1}})), "fractions [NaN 1 1]"},
		{"split share +Inf", second(NewSplit(9, &SplitOptions{Shares: [3]float64{1, 1, inf}})), "fractions [1 1 +Inf]"},
		{"split shares too large", second(NewSplit(9, &SplitOptions{Shares: [3]float64{1e308, 1e308, 1e308}})), "fractions"},
		{"no selection", second(NewSplit(9, &SplitOptions{Shares: [3]float64{0.1, 8, 1}})), "9 rows"},
		{"no calibration", second(NewSplit(9, &SplitOptions{Shares: [3]float64{8, 0.1, 1}})), "9 rows"},
		{"no report", second(NewSplit(9, &SplitOptions{Shares: [3]float64{4, 5, 0.1}})), "9 rows"},
		{"negative levels", second(Compression{Delta: 0.5, Levels: -1}.Violation(3, 1)), "Levels=-1"},
		{"levels with preference", second(Compression{Delta: 0.5, Levels: 1, Preference: true}.Violation(3, 1)), "Levels=1"},
		{"fewer than none chosen", second(Compression{Delta: 0.5}.MinSamples(-1, 0.1)), "k=-1"},
		{"too many chosen", second(Compression{Delta: 0.5}.MinSamples(1<<40, 0.1)), "k=1099511627776"},
		{"too many samples", second(Compression{Delta: 0.5}.Violation(1<<40+1, 0)), "N=1099511627777"},
		{"split row repeated", second(SplitByIndex(3, []int{0}, []int{1, 1}, []int{2})), "row 1 is listed twice"},
		{"split of two", second(NewSplit(2, nil)), "2 rows"},
		{"split of nothing", second(mustSplit(t).Take(nil)), "samples"},
		{"split row outside", second(SplitByIndex(3, []int{0}, []int{3}, []int{1})), "row 3"},
		{"split row twice", second(SplitByIndex(3, []int{0, 0}, []int{1}, []int{2})), "row 0"},
		{"split part empty", second(SplitByIndex(3, []int{0}, nil, []int{2})), "calibration"},
		{"confidence", second(CountViolations(good, 1, 95)), "confidence=95"},
		{"confidence one", second(CountViolations(good, 1, 1)), "confidence=1"},
		{"confidence zero", second(CountViolations(good, 1, 0)), "confidence=0"},
		{"radius NaN", second(CountViolations(good, nan, 0.95)), "radius NaN"},
		{"no hold-out", second(CountViolations(nil, 1, 0.95)), "scores"},
		{"outcome columns", second(Outcomes(0, []float64{1}, hole)), "row 1"},
		{"direction length", second(Outcomes(0, []float64{1}, mat.NewDense(3, 2, nil))), "length 1"},
		{"outcome NaN", second(Outcomes(0, []float64{1, 1}, hole)), "row 1"},
		{"nil outcomes", second(Outcomes(0, []float64{1}, nil)), "samples"},
		{"empty outcomes", second(Outcomes(0, nil, &mat.Dense{})), "samples"},
		{"conformal alpha", second(SplitConformal{}.MinSamples()), "alpha=0"},
		{"prefixes of nothing", second(PrefixScores(nil, []int{0}, hole)), "dictionary"},
		{"gauges of nothing", second(GaugeScores(context.Background(), nil, hole)), "set"},
		{"rows of nothing", second((&Split{}).Take(wide)), "make it with NewSplit"},
		{"nothing to calibrate", second((&CalibrationSamples{}).Calibrate(exact, firstCoordinate)), "samples"},
		{"nil score to calibrate", second(parts.Calibration.CalibrateAll(exact, nil)), "score"},
		{"few scores to calibrate", second(testParts(t).Calibration.Calibrate(exact, tooFew)), "1 numbers"},
		{"NaN score to calibrate", second(testParts(t).Calibration.Calibrate(exact, notANumber)), "scores[0]=NaN"},
		{"nil rule", second(parts.Calibration.Calibrate(nil, firstCoordinate)), "rule"},
		{"rule out of range", second(parts.Calibration.CalibrateAll(OrderStatistic{}, firstCoordinate)), "alpha=0"},
		{"family out of range", second(parts.Calibration.CalibrateAll(exactFor(Subsets(3, 4)), firstCoordinate)), "B=4"},
		{"rows of another purpose", mustSplit(t).CheckSelection([]int{9}), "row 9"},
		{"radius -Inf", second(CountViolations(good, -inf, 0.95)), "radius -Inf"},
		{"more violations than samples", third(ClopperPearson(6, 5, 0.95)), "6 violations"},
		{"negative violations", third(ClopperPearson(-1, 5, 0.95)), "-1 violations"},
		{"no samples to report", third(ClopperPearson(0, 0, 0.95)), "0 samples"},
		{"share of too many", second(LargestShare(6, 5, 0.1)), "6 violations"},
		{"share without delta", second(LargestShare(0, 5, 0)), "delta=0"},
		{"share for sure", second(LargestShare(0, 5, 1)), "delta=1"},
		{"outcome too large", second(Outcomes(1e308, []float64{1e308, 1}, mat.NewDense(1, 2, []float64{1, 0}))), "outcomes"},
	} {
		if test.err == nil {
			t.Errorf("%s: no error", test.name)
			continue
		}
		text := test.err.Error()
		if !strings.HasPrefix(text, "calibration: ") && !strings.HasPrefix(text, "sparsero: ") {
			t.Errorf("%s: %q does not name its package", test.name, text)
		}
		if !strings.Contains(text, test.word) {
			t.Errorf("%s: %q does not name %q", test.name, text, test.word)
		}
	}
}

func mustSplit(t *testing.T) *Split {
	t.Helper()
	split, err := NewSplit(9, nil)
	if err != nil {
		t.Fatal(err)
	}
	return split
}

func exactFor(family Family) OrderStatistic {
	return OrderStatistic{Alpha: 0.5, Delta: 0.5, Family: family}
}

func TestSampleTooSmallTexts(t *testing.T) {
	family := Subsets(2000, 9)
	for _, test := range []struct {
		rule Rule
		m    int
		text string
		need int
	}{
		{DKW{Alpha: 0.05, Delta: 1e-5, Family: family}, 1000, "calibration: alpha=0.05 needs m >= 13560 samples for N=2000, B=9, delta=1e-05 under the DKW rule, got 1000; the order-statistic rule needs 1309", 13560},
		{OrderStatistic{Alpha: 0.05, Delta: 1e-5, Family: family}, 1000, "calibration: alpha=0.05 needs m >= 1309 samples for N=2000, B=9, delta=1e-05 under the order-statistic rule, got 1000; add 309 samples or accept alpha >= 0.06491", 1309},
		{OrderStatistic{Alpha: 0.05, Delta: 1e-5, Family: Envelope()}, 100, "calibration: alpha=0.05 needs m >= 225 samples for every set, delta=1e-05 under the order-statistic rule, got 100; add 125 samples or accept alpha >= 0.1088", 225},
		{DKW{Alpha: 0.5, Delta: 0.5}, 1, "calibration: alpha=0.5 needs m >= 3 samples for one fixed set, delta=0.5 under the DKW rule, got 1; the order-statistic rule needs 1", 3},
		{SplitConformal{Alpha: 0.05}, 10, "calibration: alpha=0.05 needs m >= 19 samples under the split-conformal rule, got 10; add 9 samples or accept alpha >= 0.09091", 19},
	} {
		if rank, err := test.rule.Rank(test.m); rank != 0 || err == nil {
			t.Errorf("%s: rank %d beside the error %v", test.rule.recipe().name, rank, err)
		}
		scores := make([]float64, test.m)
		radius, err := test.rule.Calibrate(scores)
		var small *SampleTooSmallError
		if !errors.As(err, &small) || !errors.Is(err, ErrSampleTooSmall) {
			t.Fatalf("%s: %v is no *SampleTooSmallError", test.rule.recipe().name, err)
		}
		if err.Error() != test.text {
			t.Errorf("%s:\n got %s\nwant %s", test.rule.recipe().name, err, test.text)
		}
		if small.Need != test.need || small.Got != test.m {
			t.Errorf("%s: need %d, got %d", test.rule.recipe().name, small.Need, small.Got)
		}
		if radius.Check() == nil || radius.Rank != test.m+1 || !math.IsNaN(radius.Level) {
			t.Errorf("%s: the radius beside the error is %+v, want +Inf at rank m+1", test.rule.recipe().name, radius)
		}
		// The printed alternatives work.
		if _, err := test.rule.Rank(small.Need); err != nil {
			t.Errorf("%s refuses the %d samples it asked for: %v", test.rule.recipe().name, small.Need, err)
		}
		if _, err := withAlpha(test.rule, offered(small.SmallestAlpha)).Rank(test.m); err != nil {
			t.Errorf("%s refuses the alpha it offered: %v", test.rule.recipe().name, err)
		}
	}
}

// Where no alpha below one would do, none is offered.
func TestNoAlphaIsOffered(t *testing.T) {
	_, err := OrderStatistic{Alpha: 0.05, Delta: 0.1, Family: Subsets(2000, 500)}.Rank(3)
	var small *SampleTooSmallError
	if !errors.As(err, &small) || small.SmallestAlpha < 1 || small.Need-small.Got != 21901 || strings.Contains(err.Error(), ">= 1") {
		t.Error(err)
	}
}

// An alpha that an error offers has four digits, is not below the one it stands for and is accepted when typed in.
func TestOfferedAlphas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		alpha := rapid.Float64Range(1e-9, 0.5).Draw(t, "alpha")
		if printed := offered(alpha); printed < alpha || printed > alpha*1.002 {
			t.Fatalf("%v is offered as %v", alpha, printed)
		}
		m := rapid.IntRange(1, 40).Draw(t, "m")
		for _, rule := range soundRules(0.01, 0.1, Candidates(2)) {
			var small *SampleTooSmallError
			if _, err := rule.Rank(m); !errors.As(err, &small) || small.SmallestAlpha >= 0.999 {
				continue
			}
			if _, err := withAlpha(rule, offered(small.SmallestAlpha)).Rank(m); err != nil {
				t.Fatalf("%s: %v", rule.recipe().name, err)
			}
		}
	})
}

// offered is an alpha as an error prints it.
func offered(alpha float64) float64 {
	printed, _ := strconv.ParseFloat(fmt.Sprintf("%.4g", proof.AtMost(alpha)), 64)
	return printed
}

func withAlpha(rule Rule, alpha float64) Rule {
	switch r := rule.(type) {
	case OrderStatistic:
		r.Alpha = alpha
		return r
	case DKW:
		r.Alpha = alpha
		return r
	case SplitConformal:
		r.Alpha = alpha
		return r
	default:
		panic("a rule without a minimal alpha")
	}
}

// +Inf scores stand for samples outside the cone: the radius is finite exactly
// as long as their number does not exceed m - k.
func TestInfiniteScores(t *testing.T) {
	rule := SplitConformal{Alpha: 0.2} // m = 9: k = 8, one sample may be outside
	scores := []float64{1, 2, 3, 4, 5, 6, 7, 8, math.Inf(1)}
	radius := mustCalibrate(t, rule, scores)
	if radius.Value.Float() != 8 || radius.Check() != nil || radius.Check() != nil || radius.Infinite != 1 {
		t.Errorf("one outside: %+v, %v", radius, radius.Check())
	}
	scores[0] = math.Inf(1)
	radius = mustCalibrate(t, rule, scores)
	infinite := radius.Check()
	if !errors.Is(infinite, ErrInfiniteRadius) || radius.Check() == nil {
		t.Fatalf("two outside: %+v, %v", radius, infinite)
	}
	const want = "calibration: no finite radius: 2 of 9 samples lie outside the cone of the set, the split-conformal rule tolerates 1; add atoms (a full-dimensional sample in R^p needs at least p+1), take a larger alpha, or, for one decision that is fixed, calibrate that (robust.Solution.RequiredRadii)"
	if infinite.Error() != want {
		t.Errorf("got %s\nwant %s", infinite, want)
	}
	if v, err := CountViolations(scores, math.Inf(1), 0.95); err != nil || v.Violations != 0 {
		t.Errorf("violations of an infinite radius: %+v, %v", v, err)
	}
}

func TestStatementOfAnInfiniteRadiusPromisesNothing(t *testing.T) {
	r := Radius{Rule: "split-conformal", Rank: 3, Samples: 4, Infinite: 2}
	if text := r.String(); !strings.HasPrefix(text, "no finite radius") || !strings.Contains(text, "2 of 4 samples") {
		t.Errorf("statement: %s", text)
	}
}

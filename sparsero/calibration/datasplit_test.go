package calibration

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/sparsero/directions/sparsero"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

func TestSplitPartitionsTheRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.IntRange(20, 300).Draw(t, "size")
		options := &SplitOptions{Shuffle: rapid.Bool().Draw(t, "shuffle"), Seed: rapid.Uint64().Draw(t, "seed")}
		options.Shares = rapid.SampledFrom([][3]float64{{}, {3, 1, 4}, {0.2, 0.5, 0.3}}).Draw(t, "shares")
		shares := options.Shares
		if shares == ([3]float64{}) {
			shares = [3]float64{2, 1, 1}
		}
		total := shares[0] + shares[1] + shares[2]
		split, err := NewSplit(size, options)
		if err != nil {
			t.Fatal(err)
		}
		again, err := NewSplit(size, options)
		if err != nil {
			t.Fatal(err)
		}
		selection, calibration, report := split.Rows()
		againSelection, againCalibration, againReport := again.Rows()
		if !slices.Equal(selection, againSelection) || !slices.Equal(calibration, againCalibration) || !slices.Equal(report, againReport) {
			t.Fatalf("the same seed gave two splits")
		}
		check(t, split.CheckSelection(selection))
		for _, part := range []struct {
			rows  []int
			share float64
		}{{selection, shares[0] / total}, {calibration, shares[1] / total}, {report, shares[2] / total}} {
			if math.Abs(float64(len(part.rows))-part.share*float64(size)) > 1 {
				t.Fatalf("%d of %d rows for a share of %g", len(part.rows), size, part.share)
			}
		}
		all := slices.Concat(selection, calibration, report)
		if !options.Shuffle && !slices.IsSorted(all) {
			t.Fatalf("without shuffle the parts are out of order: %v", all)
		}
		slices.Sort(all)
		for i, row := range all {
			if row != i || len(all) != size {
				t.Fatalf("rows %v are no partition of 0..%d", all, size-1)
			}
		}
	})
}

// The parts of small data sets, and the order that a shuffle gives.
func TestSplitParts(t *testing.T) {
	for size, want := range map[int][3]int{4: {2, 1, 1}, 5: {3, 1, 1}, 6: {3, 2, 1}, 7: {4, 1, 2}, 9: {5, 2, 2}, 100: {50, 25, 25}} {
		split, err := NewSplit(size, nil)
		if err != nil {
			t.Fatal(err)
		}
		selection, calibration, report := split.Rows()
		if got := [3]int{len(selection), len(calibration), len(report)}; got != want {
			t.Errorf("%d rows: parts of %v, want %v", size, got, want)
		}
	}
	for size, refused := range map[int]bool{1: true, 2: true, 3: true, 4: false} {
		if _, err := NewSplit(size, nil); (err != nil) != refused {
			t.Errorf("%d rows: %v", size, err)
		}
	}
	// A seed gives the same split in every version.
	split, err := NewSplit(8, &SplitOptions{Shuffle: true, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if got, _, _ := split.Rows(); !slices.Equal(got, []int{1, 2, 5, 7}) {
		t.Errorf("seed 1 selects rows %v", got)
	}
}

func TestSplitRefusesSharedRows(t *testing.T) {
	_, err := SplitByIndex(6, []int{0, 1, 2}, []int{3, 2}, []int{4, 5})
	if !errors.Is(err, ErrReuse) || !strings.Contains(err.Error(), "row 2") {
		t.Fatalf("overlapping parts: %v", err)
	}
	split, err := SplitByIndex(6, []int{0, 1}, []int{3, 2}, []int{4})
	if err != nil {
		t.Fatal(err)
	}
	// A dictionary built from rows 1 and 3 has seen a calibration row.
	err = split.CheckSelection([]int{1, 3})
	if !errors.Is(err, ErrReuse) || !strings.Contains(err.Error(), "row 3") {
		t.Errorf("leak: %v", err)
	}
	if err := split.CheckSelection([]int{5}); err == nil || errors.Is(err, ErrReuse) {
		t.Errorf("row 5 is in no part: %v", err)
	}
}

// From data to a reported rate: the set is chosen on the first part, the radius
// set on the second, violations counted on the third.
func TestThreePartsEndToEnd(t *testing.T) {
	samples := normalSamples(rand.New(rand.NewPCG(51, 52)), 2000, 2)
	split, err := NewSplit(2000, &SplitOptions{Shuffle: true, Seed: 9})
	if err != nil {
		t.Fatal(err)
	}
	parts, err := split.Take(samples)
	if err != nil {
		t.Fatal(err)
	}
	d, err := sparsero.NewDictionary(parts.Selection, nil)
	if err != nil {
		t.Fatal(err)
	}
	set, err := sparsero.NewAtomicSet(d, []int{0, 1, 2}, 1)
	if err != nil {
		t.Fatal(err)
	}
	rule := OrderStatistic{Alpha: 0.05, Delta: 0.01, Family: Candidates(4)}
	score := func(samples mat.Matrix) ([]float64, error) { return DirectionalScores(set, samples) }
	radius, err := parts.Calibration.Calibrate(rule, score)
	if err != nil || radius.Check() != nil || radius.Rule != "order-statistic" {
		t.Fatalf("%+v, %v", radius, err)
	}
	if _, err := parts.Calibration.Calibrate(rule, score); !errors.Is(err, ErrReuse) {
		t.Errorf("second use: %v", err)
	}
	above := func(scores []float64, err error) ViolationRate {
		if err != nil {
			t.Fatal(err)
		}
		rate, err := CountViolations(scores, radius.Value.Float(), 0.95)
		if err != nil {
			t.Fatal(err)
		}
		return rate
	}
	if polar := above(score(parts.Report)); polar.Samples != 500 || polar.Lower.Float() > 0.05 {
		t.Errorf("directional score: %v", polar)
	}
	if gauge := above(GaugeScores(context.Background(), set, parts.Report)); gauge.Lower.Float() < 0.05 {
		t.Errorf("gauge score: %v; three atoms at this radius hold far fewer samples", gauge)
	}
}

// firstCoordinate is a score for tests: the samples' first column.
func firstCoordinate(samples mat.Matrix) ([]float64, error) { return mat.Col(nil, 0, samples), nil }

func testParts(t *testing.T) *Parts {
	t.Helper()
	split, err := SplitByIndex(8, []int{6, 7}, []int{0, 2, 4}, []int{1, 3, 5})
	if err != nil {
		t.Fatal(err)
	}
	parts, err := split.Take(mat.NewDense(8, 1, []float64{0, 1, 2, 3, 4, 5, 6, 7}))
	if err != nil {
		t.Fatal(err)
	}
	return parts
}

func TestCalibrationRowsSetOneRadius(t *testing.T) {
	parts := testParts(t)
	if parts.Calibration.Len() != 3 || !slices.Equal(mat.Col(nil, 0, parts.Report), []float64{1, 3, 5}) || !slices.Equal(mat.Col(nil, 0, parts.Selection), []float64{6, 7}) {
		t.Fatalf("%d calibration rows, selection %v, report %v", parts.Calibration.Len(), parts.Selection, parts.Report)
	}
	// A refusal depends on m alone and does not use the rows up.
	radius, err := parts.Calibration.Calibrate(SplitConformal{Alpha: 0.05}, firstCoordinate)
	if !errors.Is(err, ErrSampleTooSmall) || radius.Check() == nil {
		t.Fatalf("%+v, %v", radius, err)
	}
	if radius, err := parts.Calibration.Calibrate(nil, firstCoordinate); err == nil || radius.Check() == nil || radius.Samples != 3 {
		t.Fatalf("nil rule: %+v, %v", radius, err)
	}
	broken := errors.New("broken score")
	fail := func(mat.Matrix) ([]float64, error) { return nil, broken }
	looked := testParts(t)
	if _, err := looked.Calibration.Calibrate(SplitConformal{Alpha: 0.4}, fail); !errors.Is(err, broken) {
		t.Fatal(err)
	}
	// A score that fails has looked: it may have copied the rows.
	if _, err := looked.Calibration.Calibrate(SplitConformal{Alpha: 0.4}, firstCoordinate); !errors.Is(err, ErrReuse) {
		t.Fatalf("after a score that failed: %v", err)
	}
	radius, err = parts.Calibration.Calibrate(SplitConformal{Alpha: 0.4}, firstCoordinate)
	if err != nil || radius.Value.Float() != 4 || radius.Rank != 3 {
		t.Fatalf("%+v, %v", radius, err)
	}
	_, err = parts.Calibration.Calibrate(OrderStatistic{Alpha: 0.5, Delta: 0.5}, firstCoordinate)
	if !errors.Is(err, ErrReuse) || !strings.Contains(err.Error(), "split-conformal") {
		t.Fatalf("second radius: %v", err)
	}
}

// Cutting another matrix with the same split (prices and factors of the same
// days) does not give the days back.
func TestLedgerFollowsTheSplit(t *testing.T) {
	split, err := NewSplit(12, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []error{nil, ErrReuse} {
		parts, err := split.Take(mat.NewDense(12, 1+i, nil))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := parts.Calibration.Calibrate(SplitConformal{Alpha: 0.5}, firstCoordinate); !errors.Is(err, want) {
			t.Errorf("cut %d: %v, want %v", i, err, want)
		}
	}
	if _, err := split.Take(mat.NewDense(11, 1, nil)); err == nil || !strings.Contains(err.Error(), "11 rows") {
		t.Errorf("a data set of another size: %v", err)
	}
}

func TestConcurrentCalibrationSucceedsOnce(t *testing.T) {
	parts := testParts(t)
	var successes atomic.Int32
	var group sync.WaitGroup
	for range 8 {
		group.Add(1)
		go func() {
			defer group.Done()
			if _, err := parts.Calibration.Calibrate(SplitConformal{Alpha: 0.5}, firstCoordinate); err == nil {
				successes.Add(1)
			}
		}()
	}
	group.Wait()
	if successes.Load() != 1 {
		t.Errorf("%d radii from one calibration part", successes.Load())
	}
}

func TestCalibrateAllCountsItsSets(t *testing.T) {
	negated := func(samples mat.Matrix) ([]float64, error) {
		scores, err := firstCoordinate(samples)
		for i := range scores {
			scores[i] = -scores[i]
		}
		return scores, err
	}
	parts := testParts(t)
	rule := OrderStatistic{Alpha: 0.7, Delta: 0.1, Family: Candidates(2)}
	lone := rule
	lone.Family = Family{}
	for _, one := range []Rule{lone, SplitConformal{Alpha: 0.7}} {
		if _, err := parts.Calibration.CalibrateAll(one, firstCoordinate, negated); err == nil || !strings.Contains(err.Error(), "Candidates(2)") {
			t.Fatalf("two sets under the promise for one, %v: %v", one, err)
		}
		if _, err := testParts(t).Calibration.CalibrateAll(one, firstCoordinate); err != nil {
			t.Errorf("one set, %v: %v", one, err)
		}
	}
	radii, err := parts.Calibration.CalibrateAll(rule, firstCoordinate, negated)
	if err != nil || len(radii) != 2 || radii[0].Value.Float() != 4 || radii[1].Value.Float() != 0 {
		t.Fatalf("%+v, %v", radii, err)
	}
	if _, err := testParts(t).Calibration.CalibrateAll(rule); err == nil {
		t.Error("no score, no error")
	}
}

// Three rows are enough for a split, and 2^40 for a compression.
func TestLeastAndLargestSizes(t *testing.T) {
	for _, shares := range [][3]float64{{1, 1, 1}, {2, 2, 2}, {0.3, 0.3, 0.3}} {
		split, err := NewSplit(3, &SplitOptions{Shares: shares})
		if err != nil || len(split.rows[0]) != 1 || len(split.rows[1]) != 1 || len(split.rows[2]) != 1 {
			t.Errorf("three rows by %v: %v, %v", shares, split, err)
		}
	}
	if violation, err := (Compression{Delta: 0.5}).Violation(1<<40, 0); err != nil || !(violation.Float() < 1e-10) {
		t.Errorf("2^40 samples: %v, %v", violation, err)
	}
}

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
		size := rapid.IntRange(4, 300).Draw(t, "size")
		options := &SplitOptions{Shuffle: rapid.Bool().Draw(t, "shuffle"), Seed: rapid.Uint64().Draw(t, "seed")}
		split, err := NewSplit(size, options)
		if err != nil {
			t.Fatal(err)
		}
		again, err := NewSplit(size, options)
		if err != nil {
			t.Fatal(err)
		}
		var all []int
		for _, purpose := range []Purpose{ForSelection, ForCalibration, ForReport} {
			rows := split.Rows(purpose)
			if !slices.Equal(rows, again.Rows(purpose)) {
				t.Fatalf("the same seed gave two splits")
			}
			if err := split.Check(purpose, rows); err != nil {
				t.Fatal(err)
			}
			share := map[Purpose]float64{ForSelection: 0.5, ForCalibration: 0.25, ForReport: 0.25}[purpose]
			if math.Abs(float64(len(rows))-share*float64(size)) > 1 {
				t.Fatalf("%v has %d of %d rows", purpose, len(rows), size)
			}
			all = append(all, rows...)
		}
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
		if got := [3]int{len(split.Rows(ForSelection)), len(split.Rows(ForCalibration)), len(split.Rows(ForReport))}; got != want || split.Size() != size {
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
	if got := split.Rows(ForSelection); !slices.Equal(got, []int{1, 2, 5, 7}) {
		t.Errorf("seed 1 selects rows %v", got)
	}
}

func TestSplitRefusesSharedRows(t *testing.T) {
	_, err := SplitByIndex(6, []int{0, 1, 2}, []int{3, 2}, []int{4, 5})
	if !errors.Is(err, ErrReuse) || !strings.Contains(err.Error(), "row 2 belongs to selection and cannot be used for calibration") {
		t.Fatalf("overlapping parts: %v", err)
	}
	split, err := SplitByIndex(6, []int{0, 1}, []int{3, 2}, []int{4})
	if err != nil {
		t.Fatal(err)
	}
	// A dictionary built from rows 1 and 3 has seen a calibration row.
	err = split.Check(ForSelection, []int{1, 3})
	if !errors.Is(err, ErrReuse) || !strings.Contains(err.Error(), "row 3 belongs to calibration and cannot be used for selection") {
		t.Errorf("leak: %v", err)
	}
	if err := split.Check(ForReport, []int{5}); err == nil || errors.Is(err, ErrReuse) {
		t.Errorf("row 5 is in no part: %v", err)
	}
	if split.Rows(-1) != nil || split.Rows(purposes) != nil || Purpose(7).String() != "Purpose(7)" {
		t.Error("purposes that do not exist")
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
	d, err := sparsero.NewDictionary(parts.Selection.Matrix(), nil)
	if err != nil {
		t.Fatal(err)
	}
	set, err := sparsero.NewAtomicSet(d, []int{0, 1, 2}, 1)
	if err != nil {
		t.Fatal(err)
	}
	rule := OrderStatistic{Alpha: 0.05, Delta: 0.01, Family: Candidates(4)}
	radius, err := parts.Calibration.Calibrate(rule, DirectionalScore(set))
	if err != nil || !radius.Finite() || radius.Rule != "order-statistic" {
		t.Fatalf("%+v, %v", radius, err)
	}
	if _, err := parts.Calibration.Calibrate(rule, DirectionalScore(set)); !errors.Is(err, ErrReuse) {
		t.Errorf("second use: %v", err)
	}
	polar, err := parts.Report.Violations(DirectionalScore(set), radius.Value, 0.95)
	if err != nil || polar.Samples != 500 || polar.Lower > 0.05 {
		t.Errorf("directional score: %v, %v", polar, err)
	}
	gauge, err := parts.Report.Violations(GaugeScore(context.Background(), set), radius.Value, 0.95)
	if err != nil || gauge.Lower < 0.05 {
		t.Errorf("gauge score: %v, %v; three atoms at this radius hold far fewer samples", gauge, err)
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
	if !slices.Equal(parts.Calibration.Rows(), []int{0, 2, 4}) || parts.Report.Len() != 3 || parts.Selection.Matrix().At(1, 0) != 7 {
		t.Fatalf("rows %v", parts.Calibration.Rows())
	}
	// A refusal depends on m alone and a failing score gives no radius:
	// neither uses the rows up.
	radius, err := parts.Calibration.Calibrate(SplitConformal{Alpha: 0.05}, firstCoordinate)
	if !errors.Is(err, ErrSampleTooSmall) || radius.Finite() {
		t.Fatalf("%+v, %v", radius, err)
	}
	if radius, err := parts.Calibration.Calibrate(nil, firstCoordinate); err == nil || radius.Finite() || radius.Samples != 3 {
		t.Fatalf("nil rule: %+v, %v", radius, err)
	}
	broken := errors.New("broken score")
	fail := func(mat.Matrix) ([]float64, error) { return nil, broken }
	if _, err := parts.Calibration.Calibrate(SplitConformal{Alpha: 0.4}, fail); !errors.Is(err, broken) {
		t.Fatal(err)
	}
	radius, err = parts.Calibration.Calibrate(SplitConformal{Alpha: 0.4}, firstCoordinate)
	if err != nil || radius.Value != 4 || radius.Rank != 3 {
		t.Fatalf("%+v, %v", radius, err)
	}
	_, err = parts.Calibration.Calibrate(OrderStatistic{Alpha: 0.5, Delta: 0.5}, firstCoordinate)
	if !errors.Is(err, ErrReuse) || !strings.Contains(err.Error(), "by the split-conformal rule and cannot set another by the order-statistic rule") {
		t.Fatalf("second radius: %v", err)
	}
	if violations, err := parts.Report.Violations(firstCoordinate, radius.Value, 0.95); err != nil || violations.Violations != 1 || violations.Samples != 3 {
		t.Errorf("report: %+v, %v", violations, err)
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
	lone.Family = FixedSet()
	envelope := rule
	envelope.Family = Envelope()
	for _, one := range []Rule{lone, envelope, SplitConformal{Alpha: 0.7}} {
		if _, err := parts.Calibration.CalibrateAll(one, firstCoordinate, negated); err == nil || !strings.Contains(err.Error(), "Candidates(2)") {
			t.Fatalf("two sets under the promise for one, %v: %v", one, err)
		}
		if _, err := testParts(t).Calibration.CalibrateAll(one, firstCoordinate); err != nil {
			t.Errorf("one set, %v: %v", one, err)
		}
	}
	radii, err := parts.Calibration.CalibrateAll(rule, firstCoordinate, negated)
	if err != nil || len(radii) != 2 || radii[0].Value != 4 || radii[1].Value != 0 {
		t.Fatalf("%+v, %v", radii, err)
	}
	if _, err := testParts(t).Calibration.CalibrateAll(rule); err == nil {
		t.Error("no score, no error")
	}
}

package synthetic

import (
	"math"
	"testing"

	"github.com/sparsero/directions/sparsero/calibration"
)

// within tells whether two printed numbers can stand for the same quantity, or
// a computed one for a printed one (rounding 0).
func within(a, b printed) bool {
	return math.Abs(a.value-b.value) <= a.rounding+b.rounding+insideTolerance
}

func (p printed) plus(q printed, sign float64) printed {
	return printed{p.value + sign*q.value, p.rounding + q.rounding}
}

// TestPaperCorrections recomputes all 18 corrections of the table at alpha =
// 0.05 and the means of the summaries from the formula of the additive rules.
func TestPaperCorrections(t *testing.T) {
	const atoms, samples = 2000, 1000
	correction := func(m Method, budget int, delta float64) float64 {
		return m.rule(atoms, budget, 0.05, delta).(calibration.Additive).Correction(samples)
	}
	if len(paperCalibration) != 18 {
		t.Fatalf("the table has %d rows, want 18", len(paperCalibration))
	}
	for s, row := range paperCalibration {
		if got := correction(s.method, s.budget, s.delta); !within(printed{value: got}, parse(row[1])) {
			t.Errorf("%+v: correction %.4f, the paper has %s", s, got, row[1])
		}
	}
	budgets, deltas := []int{9, 19, 29}, []float64{1e-5, 1e-4, 1e-3}
	for s, row := range paperByDelta {
		mean := 0.0
		for _, b := range budgets {
			mean += correction(s.method, b, s.delta) / 3
		}
		if !within(printed{value: mean}, parse(row[0])) {
			t.Errorf("%+v: mean correction %.4f, the paper has %s", s, mean, row[0])
		}
	}
	for s, row := range paperByBudget {
		mean := 0.0
		for _, delta := range deltas {
			mean += correction(s.method, s.budget, delta) / 3
		}
		if !within(printed{value: mean}, parse(row[0])) {
			t.Errorf("%+v: mean correction %.4f, the paper has %s", s, mean, row[0])
		}
	}
	var ratio, largest, increase float64
	for _, b := range budgets {
		for _, delta := range deltas {
			union, split := correction(DKWUnion, b, delta), correction(Split, b, delta)
			ratio, largest, increase = ratio+union/split/9, max(largest, union/split), increase+(union-split)/9
		}
	}
	for k, got := range []float64{ratio, largest, increase} {
		if !within(printed{value: got}, parse(paperPairs[k])) {
			t.Errorf("pair statistic %d: %.4f, the paper has %s", k, got, paperPairs[k])
		}
	}
}

// TestPaperRulesHaveNoGuarantee checks that Theorem 3.2 refuses all 36 settings
// of the paper: its correction is above every tested alpha.
func TestPaperRulesHaveNoGuarantee(t *testing.T) {
	settings := 0
	for _, b := range []int{9, 19, 29} {
		for _, alpha := range []float64{0.01, 0.03, 0.05, 0.1} {
			for _, delta := range []float64{1e-5, 1e-4, 1e-3} {
				settings++
				if rank, err := Theorem32.rule(2000, b, alpha, delta).Rank(1000); err == nil {
					t.Errorf("B=%d, alpha=%v, delta=%v: rank %d, want a refusal", b, alpha, delta, rank)
				}
			}
		}
	}
	if settings != 36 {
		t.Errorf("%d settings, want 36", settings)
	}
}

// TestPaperCalibrationAddsUp checks radius = quantile + correction and gap =
// violation - alpha in the paper's rows.
func TestPaperCalibrationAddsUp(t *testing.T) {
	for s, row := range paperCalibration {
		quantile, correction, radius, violation, gap := parse(row[0]), parse(row[1]), parse(row[2]), parse(row[3]), parse(row[4])
		if !within(quantile.plus(correction, 1), radius) {
			t.Errorf("%+v: %v + %v is not %v", s, quantile.value, correction.value, radius.value)
		}
		if !within(violation.plus(printed{value: 0.05}, -1), gap) {
			t.Errorf("%+v: %v - 0.05 is not %v", s, violation.value, gap.value)
		}
		// Violations are counts of 5000 test samples.
		if count := 5000 * violation.value; math.Abs(count-math.Round(count)) > 1e-6 {
			t.Errorf("%+v: violation %v is no multiple of 1/5000", s, violation.value)
		}
	}
}

// TestPaperImpliedNorm derives max_T M_N = max_T Δ_S / G_ratio from every row
// that the tables of F.2 and F.3 share. Each leaves an interval; together they
// leave one of width 1e-4. Hence 2ε̂ alone exceeds the trivial bound, and so does
// every printed sum.
func TestPaperImpliedNorm(t *testing.T) {
	implied := parse(paperImpliedNorm)
	rows, low, high := 0, 0.0, math.Inf(1)
	for policy, column := range map[Policy]int{GreedyCoverage: 3, GreedyMaxGap: 5} {
		for b, row := range paperDecomposition[policy] {
			deficit, ratio := parse(row[0]), parse(paperComparison[b][column])
			if ratio.value == 0 {
				continue
			}
			rows++
			low = max(low, (deficit.value-deficit.rounding)/(ratio.value+ratio.rounding))
			high = min(high, (deficit.value+deficit.rounding)/(ratio.value-ratio.rounding))
		}
	}
	if rows != 5 || low > high || high-low > 1e-4 {
		t.Errorf("%d rows leave [%v, %v]", rows, low, high)
	}
	if implied.value < low-implied.rounding || implied.value > high+implied.rounding {
		t.Errorf("max M_N lies in [%v, %v], not at %s", low, high, paperImpliedNorm)
	}
	if parse(paperTwice).value <= high {
		t.Errorf("2 estimate = %s does not exceed the trivial bound %s", paperTwice, paperImpliedNorm)
	}
}

// TestPaperTablesAgree checks the sums and differences within the other tables.
func TestPaperTablesAgree(t *testing.T) {
	twice := parse(paperTwice)
	if !within(parse(paperEstimate).plus(parse(paperEstimate), 1), twice) || paperRefinement[801] != paperEstimate {
		t.Error("2 estimate is not twice the estimate, or the last net has another one")
	}
	first, last := parse(paperRefinement[26]).value, parse(paperRefinement[801]).value
	if !within(printed{value: 100 * (1 - last/first)}, parse(paperReduction)) {
		t.Errorf("the reduction is %.3f %%, not %s", 100*(1-last/first), paperReduction)
	}
	for policy, rows := range paperDecomposition {
		for b, row := range rows {
			if !within(parse(row[0]).plus(twice, 1), parse(row[1])) {
				t.Errorf("%s, B=%d: %s + %s is not %s", policy, b, row[0], paperTwice, row[1])
			}
		}
	}
	for b, row := range paperComparison {
		if !within(parse(row[2]).plus(parse(row[4]), -1), parse(row[0])) || !within(parse(row[5]).plus(parse(row[3]), -1), parse(row[1])) {
			t.Errorf("B=%d: the differences %s, %s do not fit the ratios %v", b, row[0], row[1], row[2:])
		}
		diverges := parse(row[0]).value*parse(row[1]).value < 0
		if diverges != (paperDiverges[b] == "100") {
			t.Errorf("B=%d: signs diverge: %v, in the paper's list: %v", b, diverges, paperDiverges[b])
		}
	}
}

func TestParse(t *testing.T) {
	for text, want := range map[string]printed{"9": {9, 0}, "-0.0110": {-0.011, 0.00005}, "28.51": {28.51, 0.005}} {
		if got := parse(text); math.Abs(got.value-want.value) > 0 || math.Abs(got.rounding-want.rounding) > 1e-15 {
			t.Errorf("parse(%q) = %v, want %v", text, got, want)
		}
	}
	if !math.IsNaN(parse("").value) {
		t.Error("no text must give NaN")
	}
}

package synthetic

import (
	"math"
	"slices"
	"testing"

	"github.com/sparsero/directions/notebooks/studies/internal/paper"
)

// within tells whether two printed numbers can stand for the same quantity, or
// a computed one for a printed one (rounding 0).
func within(a, b paper.Number) bool {
	return math.Abs(a.Value-b.Value) <= a.Rounding+b.Rounding+insideTolerance
}

func plus(p, q paper.Number, sign float64) paper.Number {
	return paper.Number{Value: p.Value + sign*q.Value, Rounding: p.Rounding + q.Rounding}
}

// paperRow returns what the paper prints in a table for some keys and each of the quantities.
func paperRow(t *testing.T, table string, keys []any, quantities ...string) []paper.Number {
	t.Helper()
	row := make([]paper.Number, len(quantities))
	for k, quantity := range quantities {
		if row[k] = printed.Number(table, append(slices.Clip(keys), quantity)...); math.IsNaN(row[k].Value) {
			t.Fatalf("%s of %v: no value of the paper for %q", table, keys, quantity)
		}
	}
	return row
}

// The settings of the paper's calibration tables.
var (
	paperBudgets = []int{9, 19, 29}
	paperDeltas  = []float64{1e-5, 1e-4, 1e-3}
	paperMethods = []Method{dkwUnion, split}
)

// eachPaperSetting visits the 18 rows of the table at alpha = 0.05.
func eachPaperSetting(t *testing.T, visit func(b int, delta float64, m Method, row []paper.Number)) {
	for _, b := range paperBudgets {
		for _, delta := range paperDeltas {
			for _, m := range paperMethods {
				keys := []any{"1", b, "0.05", delta, m}
				visit(b, delta, m, paperRow(t, "calibration", keys, "Quantile", "Corr.", "Radius", "Viol.", "Gap"))
			}
		}
	}
}

// TestPaperCorrections recomputes all 18 corrections of the table at alpha =
// 0.05 and the means of the summaries from the formula of the additive rules.
func TestPaperCorrections(t *testing.T) {
	const atoms, samples = 2000, 1000
	correction := func(m Method, budget int, delta float64) float64 {
		radius, err := m.rule(atoms, budget, 0.05, delta).Calibrate(make([]float64, samples))
		if err != nil {
			t.Fatal(err)
		}
		return radius.Correction
	}
	byDelta, byBudget := map[Method]map[float64]float64{}, map[Method]map[int]float64{} // mean corrections
	for _, m := range paperMethods {
		byDelta[m], byBudget[m] = map[float64]float64{}, map[int]float64{}
	}
	eachPaperSetting(t, func(b int, delta float64, m Method, row []paper.Number) {
		got := correction(m, b, delta)
		if !within(paper.Number{Value: got}, row[1]) {
			t.Errorf("B=%d, delta=%v, %s: correction %.4f, the paper has %v", b, delta, m, got, row[1])
		}
		byDelta[m][delta] += got / 3
		byBudget[m][b] += got / 3
	})
	for _, m := range paperMethods {
		for delta, mean := range byDelta[m] {
			if row := paperRow(t, "calibration_delta", []any{"1", m, delta}, "Mean corr."); !within(paper.Number{Value: mean}, row[0]) {
				t.Errorf("delta=%v, %s: mean correction %.4f, the paper has %v", delta, m, mean, row[0])
			}
		}
		for b, mean := range byBudget[m] {
			if row := paperRow(t, "calibration_budget", []any{"1", b, m}, "Mean corr."); !within(paper.Number{Value: mean}, row[0]) {
				t.Errorf("B=%d, %s: mean correction %.4f, the paper has %v", b, m, mean, row[0])
			}
		}
	}
	var ratio, largest, increase float64
	for _, b := range paperBudgets {
		for _, delta := range paperDeltas {
			union, split := correction(dkwUnion, b, delta), correction(split, b, delta)
			ratio, largest, increase = ratio+union/split/9, max(largest, union/split), increase+(union-split)/9
		}
	}
	pairs := paperRow(t, "calibration_pairs", nil, "mean ratio of corrections", "largest ratio of corrections", "mean increase of the radius")
	for k, got := range []float64{ratio, largest, increase} {
		if !within(paper.Number{Value: got}, pairs[k]) {
			t.Errorf("pair statistic %d: %.4f, the paper has %v", k, got, pairs[k])
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
				if rank, err := theorem32.rule(2000, b, alpha, delta).Rank(1000); err == nil {
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
	eachPaperSetting(t, func(b int, delta float64, m Method, row []paper.Number) {
		quantile, correction, radius, violation, gap := row[0], row[1], row[2], row[3], row[4]
		if !within(plus(quantile, correction, 1), radius) {
			t.Errorf("B=%d, delta=%v, %s: %v + %v is not %v", b, delta, m, quantile.Value, correction.Value, radius.Value)
		}
		if !within(plus(violation, paper.Number{Value: 0.05}, -1), gap) {
			t.Errorf("B=%d, delta=%v, %s: %v - 0.05 is not %v", b, delta, m, violation.Value, gap.Value)
		}
		// Violations are counts of 5000 test samples.
		if count := 5000 * violation.Value; math.Abs(count-math.Round(count)) > 1e-6 {
			t.Errorf("B=%d, delta=%v, %s: violation %v is no multiple of 1/5000", b, delta, m, violation.Value)
		}
	})
}

// TestPaperImpliedNorm derives max_T M_N = max_T Δ_S / G_ratio from every row
// that the tables of F.2 and F.3 share. Each leaves an interval; together they
// leave one of width 1e-4. Hence 2ε̂ alone exceeds the trivial bound, and so does
// every printed sum.
func TestPaperImpliedNorm(t *testing.T) {
	rows, low, high := 0, 0.0, math.Inf(1)
	var implied, twice paper.Number
	for policy, column := range map[Policy]string{greedyCoverage: "GC G_ratio", greedyMaxGap: "GM G_ratio"} {
		for _, b := range decompositionBudgets {
			row := paperRow(t, "decomposition", []any{policy, b}, "max deficit on T", "trivial bound on T", "2 estimate")
			deficit, ratio := row[0], paperRow(t, "comparison", []any{b}, column)[0]
			if implied, twice = row[1], row[2]; ratio.Value == 0 {
				continue
			}
			rows++
			low = max(low, (deficit.Value-deficit.Rounding)/(ratio.Value+ratio.Rounding))
			high = min(high, (deficit.Value+deficit.Rounding)/(ratio.Value-ratio.Rounding))
		}
	}
	if rows != 5 || low > high || high-low > 1e-4 {
		t.Errorf("%d rows leave [%v, %v]", rows, low, high)
	}
	if implied.Value < low-implied.Rounding || implied.Value > high+implied.Rounding {
		t.Errorf("max M_N lies in [%v, %v], not at %v", low, high, implied)
	}
	if twice.Value <= high {
		t.Errorf("2 estimate = %v does not exceed the trivial bound %v", twice, implied)
	}
}

// TestPaperTablesAgree checks the sums and differences within the other tables.
func TestPaperTablesAgree(t *testing.T) {
	net := paperRow(t, "epsilon", nil, "estimate", "2 estimate", "reduction of the estimate along the path (%)")
	estimate, twice, reduction := net[0], net[1], net[2]
	first, last := paperRow(t, "refinement", []any{26}, "estimate")[0], paperRow(t, "refinement", []any{801}, "estimate")[0]
	if !within(plus(estimate, estimate, 1), twice) || last != estimate {
		t.Error("2 estimate is not twice the estimate, or the last net has another one")
	}
	if percent := 100 * (1 - last.Value/first.Value); !within(paper.Number{Value: percent}, reduction) {
		t.Errorf("the reduction is %.3f %%, not %v", percent, reduction)
	}
	for _, policy := range []Policy{greedyCoverage, greedyMaxGap} {
		for _, b := range decompositionBudgets {
			row := paperRow(t, "decomposition", []any{policy, b}, "max deficit on T", "deficit + 2 estimate", "2 estimate")
			if !within(plus(row[0], twice, 1), row[1]) || row[2] != twice {
				t.Errorf("%s, B=%d: %v + %v is not %v", policy, b, row[0], twice, row[1])
			}
		}
	}
	for _, b := range representativeBudgets {
		row := paperRow(t, "comparison", []any{b}, "Delta F", "Delta G_score", "GC F_ratio", "GC G_ratio", "GM F_ratio", "GM G_ratio")
		if !within(plus(row[2], row[4], -1), row[0]) || !within(plus(row[5], row[3], -1), row[1]) {
			t.Errorf("B=%d: the differences %v, %v do not fit the ratios %v", b, row[0], row[1], row[2:])
		}
		diverges := row[0].Value*row[1].Value < 0
		if listed := printed.Text("divergence", b); diverges != (listed == "100") {
			t.Errorf("B=%d: signs diverge: %v, in the paper's list: %v", b, diverges, listed)
		}
		for k, policy := range []Policy{greedyCoverage, greedyMaxGap} {
			if points := paperRow(t, "trajectories", []any{policy, b}, "F_ratio", "G_ratio"); !slices.Equal(points, row[2+2*k:4+2*k]) {
				t.Errorf("B=%d: the trajectory of %s has %v, the comparison %v", b, policy, points, row[2+2*k:4+2*k])
			}
		}
	}
}

// TestPaperNumbers finds a word in the place of a number, which would count as nothing printed.
func TestPaperNumbers(t *testing.T) {
	for key, text := range printed {
		if math.IsNaN(printed.Number(key).Value) {
			t.Errorf("%q: %q is no number", key, text)
		}
	}
}

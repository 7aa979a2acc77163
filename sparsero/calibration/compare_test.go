package calibration

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

func TestPlanAgreesWithTheRules(t *testing.T) {
	rules := StandardRules(2000, 9, paperAlpha, paperDelta)
	plan, err := Plan(2000, rules...)
	if err != nil {
		t.Fatal(err)
	}
	if len(plan) != len(rules) {
		t.Fatalf("%d rows for %d rules", len(plan), len(rules))
	}
	for i, row := range plan {
		need, err := rules[i].MinSamples()
		if err != nil || row.Need != need || row.Feasible != (need <= 2000) {
			t.Errorf("%s for %v: need %d, feasible %v; the rule needs %d", row.Rule, row.Family, row.Need, row.Feasible, need)
		}
		if row.Feasible != (row.Rank > 0) || row.Feasible == math.IsNaN(row.Level) || !math.IsNaN(row.Radius) {
			t.Errorf("%s for %v: rank %d, level %g, radius %g", row.Rule, row.Family, row.Rank, row.Level, row.Radius)
		}
	}
	frame := plan.Frame()
	if frame.Err != nil || frame.Nrow() != len(rules) {
		t.Fatal(frame.Err)
	}
	want := "rule family guarantee log_family need samples feasible rank level correction radius"
	if got := strings.Join(frame.Names(), " "); got != want {
		t.Errorf("columns %s", got)
	}
}

func TestCompareFillsTheRadii(t *testing.T) {
	scores := make([]float64, 300)
	for j := range scores {
		scores[j] = float64(300 - j)
	}
	rules := StandardRules(50, 3, 0.05, 1e-3)
	comparison, err := Compare(scores, rules...)
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range comparison {
		switch {
		case !row.Feasible && !math.IsInf(row.Radius, 1):
			t.Errorf("%s: infeasible with radius %g", row.Rule, row.Radius)
		case row.Feasible && row.Guarantee != NoGuarantee && row.Radius != float64(row.Rank):
			t.Errorf("%s: rank %d, radius %g", row.Rule, row.Rank, row.Radius)
		case row.Guarantee == NoGuarantee && row.Radius != 285+rules[i].Correction(300):
			t.Errorf("%s: radius %g", row.Rule, row.Radius)
		}
	}
}

// The union of valid radii: the smaller of the two, and all of delta for the
// envelope where the union needs more samples than there are.
func TestEnvelopeUnion(t *testing.T) {
	full, restricted := make([]float64, 1000), make([]float64, 1000)
	for j := range full {
		full[j], restricted[j] = float64(j+1), float64(j+1)/2
	}
	rule := EnvelopeUnion{Alpha: 0.05, Delta: 0.01, Family: Subsets(20, 3)}
	union := mustCalibrate(t, OrderStatistic{Alpha: 0.05, Delta: 0.005, Family: rule.Family}, restricted)
	envelope := mustCalibrate(t, Envelope{Alpha: 0.05, Delta: 0.005}, full)
	got, err := rule.Calibrate(full, restricted)
	if err != nil || got.Value != union.Value || got.Rule != "order-statistic" || got.Delta != 0.01 {
		t.Errorf("half the scores: %+v, %v; union radius %g", got, err, union.Value)
	}
	if got, err = rule.Calibrate(full, full); err != nil || got.Value != envelope.Value || got.Rule != "envelope" {
		t.Errorf("equal scores: %+v, %v; envelope radius %g", got, err, envelope.Value)
	}
	rule.Family = Subsets(2000, 29)
	whole := mustCalibrate(t, Envelope{Alpha: 0.05, Delta: 0.01}, full)
	if got, err = rule.Calibrate(full, restricted); err != nil || got.Value != whole.Value || whole.Rank > envelope.Rank {
		t.Errorf("union out of reach: %+v, %v; envelope at the whole delta %g", got, err, whole.Value)
	}
}

func TestStatements(t *testing.T) {
	scores := []float64{3, 1, 2}
	for _, test := range []struct {
		rule Rule
		want string
	}{
		{OrderStatistic{Alpha: 0.5, Delta: 0.2}, "r=3 (score 3 of 3, order-statistic rule): except with probability 0.2 over the samples, at most a share 0.5 of new samples scores above it, for one fixed set"},
		{SplitConformal{Alpha: 0.5}, "r=2 (score 2 of 3, split-conformal rule): on average over calibration samples, at most a share 0.5 of new samples scores above it"},
		{Additive{Alpha: 0.5, Delta: 0.2}, "r=2.61949 (score 2 of 3, additive rule): no guarantee"},
	} {
		if got := fmt.Sprint(mustCalibrate(t, test.rule, scores)); got != test.want {
			t.Errorf("got %s\nwant %s", got, test.want)
		}
	}
}

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
		if row.Correction != rules[i].recipe().eta(2000) || row.Samples != 2000 {
			t.Errorf("%s for %v: %+v", row.Rule, row.Family, row)
		}
		if row.Feasible != (row.Rank > 0) || row.Feasible == math.IsNaN(row.Level) {
			t.Errorf("%s for %v: rank %d, level %g", row.Rule, row.Family, row.Rank, row.Level)
		}
	}
	frame := plan.Frame()
	if frame.Err != nil || frame.Nrow() != len(rules) {
		t.Fatal(frame.Err)
	}
	want := "rule family guarantee need samples feasible rank level correction"
	if got := strings.Join(frame.Names(), " "); got != want {
		t.Errorf("columns %s", got)
	}
}

func TestStatements(t *testing.T) {
	scores := []float64{3, 1, 2}
	for _, test := range []struct {
		rule Rule
		want string
	}{
		{OrderStatistic{Alpha: 0.5, Delta: 0.2}, "r=3 (score 3 of 3, order-statistic rule): with probability at least 1 - 0.2 over the draw of the calibration samples, at most a fraction 0.5 of new samples scores above it, for one fixed set"},
		{SplitConformal{Alpha: 0.5}, "r=2 (score 2 of 3, split-conformal rule): on average over calibration samples, at most a fraction 0.5 of new samples scores above it"},
		{Additive{Alpha: 0.5, Delta: 0.2}, "r=2.61949 (score 2 of 3, additive rule): no guarantee"},
	} {
		if got := fmt.Sprint(mustCalibrate(t, test.rule, scores)); got != test.want {
			t.Errorf("got %s\nwant %s", got, test.want)
		}
	}
	third := mustCalibrate(t, SplitConformal{Alpha: 0.5}, []float64{1. / 3, 1. / 3, 1. / 3})
	if got := third.String(); !strings.HasPrefix(got, "r=0.333334 ") { // a smaller radius would not cover the samples
		t.Error(got)
	}
}

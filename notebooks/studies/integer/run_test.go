package integer

import (
	"context"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/sparsero/directions/datasets"
	"github.com/sparsero/directions/notebooks/studies/study"
)

var (
	testFamily = datasets.IntegerOptions{Items: 14, Rows: 2, Cardinality: 3, Atoms: 12, HeldOut: 8}
	testConfig = Config{Seeds: []Seeds{{First: 0, Count: 8}, {First: 50, Count: 4}}, Budgets: []int{1, 2, 5}, Draws: 3, StartDecisions: 2}
)

// TestOutcomesAreConsistent checks what must hold in every study.
func TestOutcomesAreConsistent(t *testing.T) {
	r := mustRun(t, testConfig, testFamily)
	baseline, infeasible := 0, 0
	for _, u := range r.Units {
		o := u.Result
		baseline += int(indicator(o.Baseline))
		infeasible += int(indicator(!o.Full))
		if o.Baseline && !o.Full || o.Full && !o.Nominal || o.Nominal != (o.Decisions > 0) || o.Full && o.FullValue < o.NominalValue {
			t.Errorf("seed %d: %+v", o.Seed, o)
		}
		if len(o.Runs) != 5+5+2+2 || len(o.Random) != 2 {
			t.Fatalf("seed %d: %d runs and %d random runs", o.Seed, len(o.Runs), len(o.Random))
		}
		for _, run := range o.Runs {
			for k, c := range run.Cells {
				if (c.HeldOut || c.Dictionary) && !c.Feasible || c.Size > testConfig.Budgets[k] {
					t.Errorf("seed %d, %s, %s: cell %+v", o.Seed, run.Protocol, run.Policy, c)
				}
				if run.Protocol == Nested && o.Full && !c.Feasible {
					t.Errorf("seed %d, %s: infeasible at r = 1 though the whole dictionary is feasible", o.Seed, run.Policy)
				}
			}
		}
		for k := range testConfig.Budgets {
			if o.Random[1].Feasible[k] > o.Random[0].Feasible[k] {
				t.Errorf("seed %d: more random sets are feasible at the larger radius", o.Seed)
			}
		}
	}
	if baseline == 0 || infeasible == 0 {
		t.Errorf("%d baseline seeds, %d infeasible; the family should have both", baseline, infeasible)
	}
}

// TestFullBudget checks that sets are filled up, and that the optimum at r = 1
// stays that of the certified stop.
func TestFullBudget(t *testing.T) {
	c := testConfig
	c.Budgets, c.Protocols = []int{6, 12}, []Protocol{Nested}
	stopped := mustRun(t, c, testFamily)
	c.FullBudget = true
	full := mustRun(t, c, testFamily)
	filled := 0
	for k, u := range full.Units {
		for p := range 2 {
			got, want := u.Result.Runs[p], stopped.Units[k].Result.Runs[p]
			if u.Result.Full && got.Cells[1].Size != 12 {
				t.Errorf("seed %s: %s chose %d atoms of 12", u.Unit, got.Policy, got.Cells[1].Size)
			}
			if u.Result.Full && !slices.Equal(got.Atoms[:len(want.Atoms)], want.Atoms) {
				t.Errorf("seed %s: %v does not begin with %v", u.Unit, got.Atoms, want.Atoms)
			}
			filled += got.Cells[1].Size - want.Cells[1].Size
			if got.Cells[1].Value != want.Cells[1].Value {
				t.Errorf("seed %s: value %v, want %v", u.Unit, got.Cells[1].Value, want.Cells[1].Value)
			}
		}
	}
	if filled == 0 {
		t.Error("no set was filled up; the test says nothing")
	}
}

func TestPaperValues(t *testing.T) {
	success := func(policy Policy, budget int) float64 {
		return printed.Number("success", printedPolicy(policy), budget).Value
	}
	for _, policy := range []Policy{greedyMaxGap, greedyCoverage, maxGammaSum} {
		for _, budget := range (Config{}).withDefaults().Budgets { // every printed rate is a share of 64 seeds
			seeds := success(policy, budget) * 64 / 100
			if !(math.Abs(seeds-math.Round(seeds)) <= 0.0501*64/100) { // printed to a tenth of a percent
				t.Errorf("%s at B = %d: %v %% is no share of 64", policy, budget, success(policy, budget))
			}
		}
	}
	if len(printed) != 2+27+12+10+12 || !math.IsNaN(success(greedyMaxGap, 4)) || success(maxGammaMax, 30) != 31.2 || !math.IsNaN(success("random", 3)) {
		t.Error("values that the paper does not print, or the wrong ones")
	}
}

func TestDefaultsAreThoseOfThePaper(t *testing.T) {
	c := Config{}.withDefaults()
	want := Config{
		Name: "integer", Seeds: []Seeds{{First: 0, Count: 100}, {First: 1000, Count: 100}}, Budgets: []int{1, 2, 3, 5, 7, 10, 15, 20, 30}, Draws: 50,
		Protocols:          []Protocol{Nested, CalibratedAfter, Independent, calibratedThroughout},
		CalibrationSamples: 1000, StartDecisions: 20,
	}
	if !reflect.DeepEqual(c, want) {
		t.Errorf("defaults %+v, want %+v", c, want)
	}
	d := DeclineConfig().withDefaults()
	if err := d.check(); err != nil || d.CalibrationSamples != 100 || !d.FullBudget || d.Draws != 50 {
		t.Errorf("decline study %+v (%v)", d, err)
	}
}

// mustRun runs the study on some data, or ends the test.
func mustRun(t testing.TB, c Config, data datasets.IntegerOptions) *Results {
	t.Helper()
	r, err := Run(context.Background(), data, c, study.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

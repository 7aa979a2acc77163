package integer

import (
	"context"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/sparsero/directions/datasets"
	"github.com/sparsero/directions/notebooks/studies/study"
	"github.com/sparsero/directions/notebooks/studies/study/studytest"
)

var (
	testFamily = datasets.IntegerOptions{Items: 14, Rows: 2, Cardinality: 3, Atoms: 12, HeldOut: 8}
	testConfig = Config{Seeds: []Seeds{{0, 8}, {50, 4}}, Budgets: []int{1, 2, 5}, Draws: 3, StartDecisions: 2}
)

var tested = studyOf(testFamily)

// studyOf is the small study of a source.
func studyOf(source datasets.IntegerOptions) studytest.Study[Config, Outcome, *Results] {
	return studytest.Study[Config, Outcome, *Results]{
		Config: testConfig, Units: 12,
		Run: func(ctx context.Context, c Config, o study.Options) (*Results, error) {
			return Run(ctx, source, c, o)
		},
		Base: func(r *Results) *study.Results[Outcome] { return r.Results },
	}
}

func TestSameStudyOnAnyNumberOfWorkersAndAfterACancel(t *testing.T) {
	tested.CheckWorkersAndCancel(t, 3)
}

func TestResultsOfAnotherConfigurationAreForeign(t *testing.T) {
	other := testFamily
	other.HeldOut++
	tested.CheckForeign(t, map[string]func(*Config){
		"Draws":              func(c *Config) { c.Draws++ },
		"Budgets":            func(c *Config) { c.Budgets = []int{1, 2} },
		"Protocols":          func(c *Config) { c.Protocols = []Protocol{Nested} },
		"CalibrationSamples": func(c *Config) { c.CalibrationSamples = 10 },
		"Delta":              func(c *Config) { c.Delta = 0.1 },
		"StartDecisions":     func(c *Config) { c.StartDecisions = 3 },
		"FullBudget":         func(c *Config) { c.FullBudget = true },
		"Method":             func(c *Config) { c.Method = Enumerate },
		"seed":               func(c *Config) { c.Seed = 1 },
		"study":              func(c *Config) { c.Name = "other" },
	}, map[string]func(study.Options) error{
		"another source": func(o study.Options) error { _, err := Run(context.Background(), other, testConfig, o); return err },
	})
}

func TestBadConfigurations(t *testing.T) {
	tested.CheckRefused(t, map[string]func(*Config){
		"Budgets = [2 1]":                   func(c *Config) { c.Budgets = []int{2, 1} },
		"Budgets = [1 1]":                   func(c *Config) { c.Budgets = []int{1, 1} },
		"Budgets[0] = 0":                    func(c *Config) { c.Budgets = []int{0, 1} },
		"Budgets = []":                      func(c *Config) { c.Budgets = []int{} },
		"budget 13 exceeds the 12 atoms":    func(c *Config) { c.Budgets = []int{1, 13} },
		"Protocols is empty":                func(c *Config) { c.Protocols = []Protocol{} },
		`Protocols[1] = "nested" is`:        func(c *Config) { c.Protocols = []Protocol{Nested, Nested} },
		`Protocols[0] = "neste" is unknown`: func(c *Config) { c.Protocols = []Protocol{"neste"} },
		"Draws = -1":                        func(c *Config) { c.Draws = -1 },
		"CalibrationSamples = -1":           func(c *Config) { c.CalibrationSamples = -1 },
		"StartDecisions = -1":               func(c *Config) { c.StartDecisions = -1 },
		"Delta = 1":                         func(c *Config) { c.Delta = 1 },
		"Delta = NaN":                       func(c *Config) { c.Delta = math.NaN() },
		"Method = Method(7)":                func(c *Config) { c.Method = 7 },
		"Seeds is empty":                    func(c *Config) { c.Seeds = []Seeds{} },
		"Seeds[0] = {First: 3, Count: 0}":   func(c *Config) { c.Seeds = []Seeds{{3, 0}} },
		"Seeds[1] = 5-9 overlaps":           func(c *Config) { c.Seeds = []Seeds{{0, 6}, {5, 5}} },
		"none beyond 64 bits":               func(c *Config) { c.Seeds = []Seeds{{math.MaxUint64, 2}} },
	})
	for want, source := range map[string]datasets.IntegerOptions{"Seed = 3": {Seed: 3}, "Items = -1": {Items: -1}} {
		studytest.CheckError(t, want, func(o study.Options) error {
			_, err := Run(context.Background(), source, testConfig, o)
			return err
		})
	}
	if (Seeds{0, 100}).String() != "0-99" {
		t.Errorf("Seeds{0, 100} is called %v", Seeds{0, 100})
	}
}

// TestOutcomesAreConsistent checks what must hold in every study.
func TestOutcomesAreConsistent(t *testing.T) {
	r := tested.MustRun(t, testConfig, study.Options{})
	baseline, infeasible := 0, 0
	for _, u := range r.Units {
		o := u.Result
		baseline += count(o.Baseline)
		infeasible += count(!o.Full)
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
	stopped := tested.MustRun(t, c, study.Options{})
	c.FullBudget = true
	full := tested.MustRun(t, c, study.Options{})
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
	for policy, rates := range paperSuccess {
		if len(rates) != len(paperBudgets) {
			t.Fatalf("%s has %d rates", policy, len(rates))
		}
		for k, rate := range rates { // every printed rate is a share of 64 seeds
			if seeds := rate * 64 / 100; math.Abs(seeds-math.Round(seeds)) > 0.0501*64/100 { // printed to a tenth of a percent
				t.Errorf("%s at B = %d: %v %% is no share of 64", policy, paperBudgets[k], rate)
			}
		}
	}
	if !math.IsNaN(paperSuccessAt(GreedyMaxGap, 4)) || paperSuccessAt(MaxGammaMax, 30) != 31.2 || !math.IsNaN(paperSuccessAt(Random, 3)) {
		t.Error("values that the paper does not print, or the wrong ones")
	}
}

func TestDefaultsAreThoseOfThePaper(t *testing.T) {
	c := Config{}.withDefaults()
	want := Config{
		Name: "integer", Seeds: []Seeds{{0, 100}, {1000, 100}}, Budgets: []int{1, 2, 3, 5, 7, 10, 15, 20, 30}, Draws: 50,
		Protocols:          []Protocol{Nested, CalibratedAfter, Independent, CalibratedThroughout},
		CalibrationSamples: 1000, Delta: 1e-5, StartDecisions: 20,
	}
	if !reflect.DeepEqual(c, want) {
		t.Errorf("defaults %+v, want %+v", c, want)
	}
	d := DeclineConfig().withDefaults()
	if err := d.validate(); err != nil || d.CalibrationSamples != 100 || !d.FullBudget || d.Draws != 50 {
		t.Errorf("decline study %+v (%v)", d, err)
	}
}

package synthetic

import (
	"context"
	"math"
	"testing"

	"github.com/sparsero/directions/datasets"
	"github.com/sparsero/directions/notebooks/studies/study"
	"github.com/sparsero/directions/notebooks/studies/study/studytest"
)

// testData and testConfig are a study small enough to be run many times.
var (
	testData   = datasets.XShapeOptions{Structured: 40, Isotropic: 20, Decoys: 20, Directions: 60, Probes: 100, Calibration: 400, Test: 300}
	testConfig = Config{
		Seeds: 6, Budgets: []int{2, 4}, PathBudget: 9, SearchBudget: 12, Draws: 2,
		CalibrationBudgets: []int{3, 5}, Refinement: []int{11, 61},
	}
)

// lobes returns the test data of the second mechanism.
func lobes() datasets.XShapeOptions {
	data := testData
	data.Mechanism = datasets.Lobes
	return data
}

var tested = studyOn(testData)

// studyOn is the small study on the data of a source.
func studyOn(source datasets.XShapeOptions) studytest.Study[Config, Outcome, *Results] {
	return studytest.Study[Config, Outcome, *Results]{
		Config: testConfig, Units: 6,
		Run: func(ctx context.Context, c Config, o study.Options) (*Results, error) {
			return Run(ctx, source, c, o)
		},
		Base: func(r *Results) *study.Results[Outcome] { return r.Results },
	}
}

func TestSameStudyOnAnyNumberOfWorkersAndAfterACancel(t *testing.T) {
	tested.CheckWorkersAndCancel(t, 2)
}

func TestASeedIsTheSameInAnyBlock(t *testing.T) {
	more := testConfig
	more.First, more.Seeds = 2, 3
	later := tested.MustRun(t, more, study.Options{})
	if got, want := later.Units[0].Result.Full, tested.MustRun(t, testConfig, study.Options{}).Units[2].Result.Full; got != want {
		t.Errorf("seed 2 has support %v as the first seed and %v as the third", got, want)
	}
}

func TestResultsOfAnotherConfigurationAreForeign(t *testing.T) {
	other := testData
	other.Test++
	tested.CheckForeign(t, map[string]func(*Config){
		"Budgets":            func(c *Config) { c.Budgets = []int{1, 2} },
		"PathBudget":         func(c *Config) { c.PathBudget-- },
		"SearchBudget":       func(c *Config) { c.SearchBudget++ },
		"Draws":              func(c *Config) { c.Draws++ },
		"CalibrationBudgets": func(c *Config) { c.CalibrationBudgets = []int{3} },
		"Alphas":             func(c *Config) { c.Alphas = []float64{0.2} },
		"Deltas":             func(c *Config) { c.Deltas = []float64{0.2} },
		"Scales":             func(c *Config) { c.Scales = []float64{1} },
		"Refinement":         func(c *Config) { c.Refinement = []int{61} },
		"study":              func(c *Config) { c.Name = "other" },
	}, map[string]func(study.Options) error{
		"another mechanism": func(o study.Options) error {
			_, err := studyOn(lobes()).Run(context.Background(), testConfig, o)
			return err
		},
		"other data": func(o study.Options) error {
			_, err := studyOn(other).Run(context.Background(), testConfig, o)
			return err
		},
	})
}

func TestBadConfigurations(t *testing.T) {
	tested.CheckRefused(t, map[string]func(*Config){
		"Seeds = -1":                            func(c *Config) { c.Seeds = -1 },
		"beyond 64 bits":                        func(c *Config) { c.First = math.MaxUint64 - 2 },
		"Budgets = [2 1]":                       func(c *Config) { c.Budgets = []int{2, 1} },
		"Budgets = [2 2]":                       func(c *Config) { c.Budgets = []int{2, 2} },
		"Budgets = []":                          func(c *Config) { c.Budgets = []int{} },
		"Budgets[0] = 13 is outside (0,12]":     func(c *Config) { c.Budgets = []int{13} },
		"PathBudget = 13 is above SearchBudget": func(c *Config) { c.PathBudget = 13 },
		"PathBudget = -2":                       func(c *Config) { c.PathBudget = -2 },
		"budget 81 exceeds the 80 atoms":        func(c *Config) { c.SearchBudget = 81 },
		"Draws = -1":                            func(c *Config) { c.Draws = -1 },
		"CalibrationBudgets[0] = 0":             func(c *Config) { c.CalibrationBudgets = []int{0} },
		"Alphas is empty":                       func(c *Config) { c.Alphas = []float64{} },
		"Alphas[0] = 1":                         func(c *Config) { c.Alphas = []float64{1} },
		"Alphas[1] = 0.1 is repeated":           func(c *Config) { c.Alphas = []float64{0.1, 0.1} },
		"Deltas[0] = NaN":                       func(c *Config) { c.Deltas = []float64{math.NaN()} },
		"Scales[0] = +Inf":                      func(c *Config) { c.Scales = []float64{math.Inf(1)} },
		"goes beyond the 61 directions":         func(c *Config) { c.Refinement = []int{62} },
		"Refinement = [5 3]":                    func(c *Config) { c.Refinement = []int{5, 3} },
	})
}

func TestBadSources(t *testing.T) {
	for want, source := range map[string]datasets.XShapeOptions{
		"Seed = 3":                 {Seed: 3},
		"Decoys = -1":              {Decoys: -1},
		"Mechanism = Mechanism(9)": {Mechanism: 9},
	} {
		studytest.CheckError(t, want, func(o study.Options) error {
			_, err := Run(context.Background(), source, testConfig, o)
			return err
		})
	}
}

package scaling

import (
	"context"
	"math"
	"testing"

	"github.com/sparsero/directions/datasets/adversarial"
	"github.com/sparsero/directions/datasets/features"
	"github.com/sparsero/directions/notebooks/studies/study"
	"github.com/sparsero/directions/notebooks/studies/study/studytest"
)

// testConfig and testSources are a study small enough to be run many times.
var testConfig = Config{
	Seeds: 3, Sizes: []int{40, 90}, MaxBudget: 12, Budgets: []int{1, 2, 5, 12},
	Densities: []float64{0.02, 0.1, 0.2}, Epsilons: []float64{0.1, 0.3}, Draws: 2,
}

func testSources() []adversarial.Task {
	small := adversarial.Generated{Options: features.StandInOptions{Examples: 360, Features: 8, Rank: 4}}
	return []adversarial.Task{
		{Features: small},
		{Features: small, Construction: adversarial.Ensemble{Classifiers: 4, Components: 2}},
	}
}

var tested = studyOf(testSources()...)

// studyOf is the small study of some sources.
func studyOf(sources ...adversarial.Task) studytest.Study[Config, Outcome, *Results] {
	return studytest.Study[Config, Outcome, *Results]{
		Config: testConfig, Units: 3 * len(sources),
		Run: func(ctx context.Context, c Config, o study.Options) (*Results, error) {
			return Run(ctx, sources, c, o)
		},
		Base: func(r *Results) *study.Results[Outcome] { return r.Results },
		Clean: func(o *Outcome) {
			for s := range o.Sizes {
				for p := range o.Sizes[s].Paths {
					o.Sizes[s].Paths[p].Cost = Cost{}
				}
			}
		},
	}
}

func TestSameStudyOnAnyNumberOfWorkersAndAfterACancel(t *testing.T) {
	tested.CheckWorkersAndCancel(t, 2)
}

func TestASeedIsTheSameInAnyBlock(t *testing.T) {
	more := testConfig
	more.First, more.Seeds = 2, 2
	later := studyOf(testSources()[1]).MustRun(t, more, study.Options{}).Units[0].Result
	if first := tested.MustRun(t, testConfig, study.Options{}).Units[5].Result; later.Energy != first.Energy || later.Seed != 2 {
		t.Errorf("seed 2 alone has energy %v, as the third seed %v", later.Energy, first.Energy)
	}
}

func TestResultsOfAnotherConfigurationAreForeign(t *testing.T) {
	other := testSources()
	other[0] = adversarial.Task{Features: adversarial.Generated{Options: features.StandInOptions{Examples: 360, Features: 9, Rank: 4}}}
	against := func(sources ...adversarial.Task) func(study.Options) error {
		return func(o study.Options) error {
			_, err := Run(context.Background(), sources, testConfig, o)
			return err
		}
	}
	tested.CheckForeign(t, map[string]func(*Config){
		"Sizes":     func(c *Config) { c.Sizes = []int{40} },
		"Target":    func(c *Config) { c.Target = 0.9 },
		"MaxBudget": func(c *Config) { c.MaxBudget++ },
		"Budgets":   func(c *Config) { c.Budgets = []int{1} },
		"Densities": func(c *Config) { c.Densities = []float64{0.1} },
		"Epsilons":  func(c *Config) { c.Epsilons = []float64{1} },
		"Draws":     func(c *Config) { c.Draws++ },
		"study":     func(c *Config) { c.Name = "other" },
	}, map[string]func(study.Options) error{"other features": against(other...), "one source": against(other[1:]...)})
}

func TestBadConfigurations(t *testing.T) {
	tested.CheckRefused(t, map[string]func(*Config){
		"Seeds = -1":                     func(c *Config) { c.Seeds = -1 },
		"beyond 64 bits":                 func(c *Config) { c.First = math.MaxUint64 },
		"Target = 1":                     func(c *Config) { c.Target = 1 },
		"Target = NaN":                   func(c *Config) { c.Target = math.NaN() },
		"Sizes = []":                     func(c *Config) { c.Sizes = []int{} },
		"Sizes = [90 40]":                func(c *Config) { c.Sizes = []int{90, 40} },
		"Sizes[0] = 0":                   func(c *Config) { c.Sizes = []int{0, 40} },
		"MaxBudget = 41 exceeds the 40":  func(c *Config) { c.MaxBudget = 41 },
		"MaxBudget = -3":                 func(c *Config) { c.MaxBudget = -3 },
		"Budgets[3] = 13 is outside (0,": func(c *Config) { c.Budgets = []int{1, 2, 3, 13} },
		"Budgets = [2 2]":                func(c *Config) { c.Budgets = []int{2, 2} },
		"Densities[1] = 1.5":             func(c *Config) { c.Densities = []float64{0.5, 1.5} },
		"Epsilons[0] = -1":               func(c *Config) { c.Epsilons = []float64{-1, 1} },
		"Epsilons[0] = NaN":              func(c *Config) { c.Epsilons = []float64{math.NaN()} },
		"Draws = -1":                     func(c *Config) { c.Draws = -1 },
	})
}

func TestBadSources(t *testing.T) {
	same := testSources()[0]
	for want, sources := range map[string][]adversarial.Task{
		"sources is empty": nil, "Training.Seed = 3": {{Training: adversarial.Training{Seed: 3}}}, `both called "single"`: {same, same},
	} {
		studytest.CheckError(t, want, func(o study.Options) error {
			_, err := Run(context.Background(), sources, testConfig, o)
			return err
		})
	}
}

package main

import (
	"context"
	"math"
	"testing"

	"github.com/sparsero/directions/datasets/features"
	"github.com/sparsero/directions/notebooks/studies/adversarial"
	"github.com/sparsero/directions/notebooks/studies/scaling"
	"github.com/sparsero/directions/notebooks/studies/study"
)

// smallScaling and smallTasks are a study small enough to be run many times.
var smallScaling = scaling.Config{
	Seeds: 3, Sizes: []int{40, 90}, MaxBudget: 12, Budgets: []int{1, 2, 5, 12},
	Densities: []float64{0.02, 0.1, 0.2}, Epsilons: []float64{0.1, 0.3}, Draws: 2,
}

func smallTasks() []adversarial.Task {
	small := adversarial.Generated{Options: features.StandInOptions{Examples: 360, Features: 8, Rank: 4}}
	return []adversarial.Task{
		{Features: small},
		{Features: small, Classifiers: 4},
	}
}

// scalingContract is the small study of some sources.
func scalingContract(sources ...adversarial.Task) contract[scaling.Config, scaling.Outcome, *scaling.Results] {
	return contract[scaling.Config, scaling.Outcome, *scaling.Results]{
		Config: smallScaling, Units: 3 * len(sources),
		Run: func(ctx context.Context, c scaling.Config, o study.Options) (*scaling.Results, error) {
			return scaling.Run(ctx, sources, c, o)
		},
		Base: func(r *scaling.Results) *study.Results[scaling.Outcome] { return r.Results },
	}
}

func TestScalingIsTheSameOnAnyNumberOfWorkersAndAfterACancel(t *testing.T) {
	scalingContract(smallTasks()...).checkWorkersAndCancel(t, 2)
}

func TestScalingRefusesUnitsOfAnotherConfiguration(t *testing.T) {
	other := smallTasks()
	other[0] = adversarial.Task{Features: adversarial.Generated{Options: features.StandInOptions{Examples: 360, Features: 9, Rank: 4}}}
	against := func(sources ...adversarial.Task) func(context.Context, study.Options) error {
		return func(ctx context.Context, o study.Options) error {
			_, err := scaling.Run(ctx, sources, smallScaling, o)
			return err
		}
	}
	scalingContract(smallTasks()...).checkForeign(t, map[string]func(*scaling.Config){
		"Sizes":     func(c *scaling.Config) { c.Sizes = []int{40} },
		"MaxBudget": func(c *scaling.Config) { c.MaxBudget++ },
		"Budgets":   func(c *scaling.Config) { c.Budgets = []int{1} },
		"Densities": func(c *scaling.Config) { c.Densities = []float64{0.1} },
		"Epsilons":  func(c *scaling.Config) { c.Epsilons = []float64{1} },
		"Draws":     func(c *scaling.Config) { c.Draws++ },
		"study":     func(c *scaling.Config) { c.Name = "other" },
	}, map[string]func(context.Context, study.Options) error{"other features": against(other...), "one source": against(other[1:]...)})
}

func TestScalingRefusesBadConfigurations(t *testing.T) {
	scalingContract(smallTasks()...).checkRefused(t, map[string]func(*scaling.Config){
		"Seeds = [-1]":               func(c *scaling.Config) { c.Seeds = -1 },
		"Sizes is empty":             func(c *scaling.Config) { c.Sizes = []int{} },
		"Sizes = [90 40]":            func(c *scaling.Config) { c.Sizes = []int{90, 40} },
		"Sizes = [0 40]: 0":          func(c *scaling.Config) { c.Sizes = []int{0, 40} },
		"MaxBudget = [41]":           func(c *scaling.Config) { c.MaxBudget = 41 },
		"MaxBudget = [-3]":           func(c *scaling.Config) { c.MaxBudget = -3 },
		"Budgets = [1 2 3 13]: 13":   func(c *scaling.Config) { c.Budgets = []int{1, 2, 3, 13} },
		"Budgets = [2 2]":            func(c *scaling.Config) { c.Budgets = []int{2, 2} },
		"Densities = [0.5 1.5]: 1.5": func(c *scaling.Config) { c.Densities = []float64{0.5, 1.5} },
		"Epsilons = [-1 1]: -1":      func(c *scaling.Config) { c.Epsilons = []float64{-1, 1} },
		"Epsilons = [NaN]: NaN":      func(c *scaling.Config) { c.Epsilons = []float64{math.NaN()} },
		"Draws = [-1]":               func(c *scaling.Config) { c.Draws = -1 },
	})
}

func TestScalingRefusesBadSources(t *testing.T) {
	same := smallTasks()[0]
	for want, sources := range map[string][]adversarial.Task{
		"has no units": nil, "Attack.Seed = 3": {{Attack: adversarial.Attack{Seed: 3}}}, `both "0 single"`: {same, same},
	} {
		checkError(t, want, func(o study.Options) error {
			_, err := scaling.Run(context.Background(), sources, smallScaling, o)
			return err
		})
	}
}

package main

import (
	"context"
	"testing"

	"github.com/sparsero/directions/datasets"
	"github.com/sparsero/directions/notebooks/studies/study"
	"github.com/sparsero/directions/notebooks/studies/synthetic"
)

// smallXShape and smallSynthetic are a study small enough to be run many times.
var (
	smallXShape    = datasets.XShapeOptions{Structured: 40, Isotropic: 20, Decoys: 20, Directions: 60, Probes: 100, Calibration: 400, Test: 300}
	smallSynthetic = synthetic.Config{
		Seeds: 6, Budgets: []int{2, 4}, PathBudget: 9, SearchBudget: 12, Draws: 2,
		CalibrationBudgets: []int{3, 5}, Refinement: []int{11, 61},
	}
)

// syntheticContract is the small study on the data of a source.
func syntheticContract(source datasets.XShapeOptions) contract[synthetic.Config, synthetic.Outcome, *synthetic.Results] {
	return contract[synthetic.Config, synthetic.Outcome, *synthetic.Results]{
		Config: smallSynthetic, Units: 6,
		Run: func(ctx context.Context, c synthetic.Config, o study.Options) (*synthetic.Results, error) {
			return synthetic.Run(ctx, source, c, o)
		},
		Base: func(r *synthetic.Results) *study.Results[synthetic.Outcome] { return r.Results },
	}
}

func TestSyntheticIsTheSameOnAnyNumberOfWorkersAndAfterACancel(t *testing.T) {
	syntheticContract(smallXShape).checkWorkersAndCancel(t, 2)
}

func TestSyntheticRefusesUnitsOfAnotherConfiguration(t *testing.T) {
	other := smallXShape
	other.Test++
	syntheticContract(smallXShape).checkForeign(t, map[string]func(*synthetic.Config){
		"Budgets":            func(c *synthetic.Config) { c.Budgets = []int{1, 2} },
		"PathBudget":         func(c *synthetic.Config) { c.PathBudget-- },
		"SearchBudget":       func(c *synthetic.Config) { c.SearchBudget++ },
		"Draws":              func(c *synthetic.Config) { c.Draws++ },
		"CalibrationBudgets": func(c *synthetic.Config) { c.CalibrationBudgets = []int{3} },
		"Refinement":         func(c *synthetic.Config) { c.Refinement = []int{61} },
		"study":              func(c *synthetic.Config) { c.Name = "other" },
	}, map[string]func(context.Context, study.Options) error{
		"other data": func(ctx context.Context, o study.Options) error {
			_, err := syntheticContract(other).Run(ctx, smallSynthetic, o)
			return err
		},
	})
}

func TestSyntheticRefusesBadConfigurations(t *testing.T) {
	syntheticContract(smallXShape).checkRefused(t, map[string]func(*synthetic.Config){
		"Seeds = [-1]":                   func(c *synthetic.Config) { c.Seeds = -1 },
		"Budgets = [2 1]":                func(c *synthetic.Config) { c.Budgets = []int{2, 1} },
		"Budgets = [2 2]":                func(c *synthetic.Config) { c.Budgets = []int{2, 2} },
		"Budgets is empty":               func(c *synthetic.Config) { c.Budgets = []int{} },
		"Budgets = [13]: 13":             func(c *synthetic.Config) { c.Budgets = []int{13} },
		"PathBudget = [13]":              func(c *synthetic.Config) { c.PathBudget = 13 },
		"PathBudget = [-2]":              func(c *synthetic.Config) { c.PathBudget = -2 },
		"budget 81 exceeds the 80 atoms": func(c *synthetic.Config) { c.SearchBudget = 81 },
		"Draws = [-1]":                   func(c *synthetic.Config) { c.Draws = -1 },
		"CalibrationBudgets = [0]: 0":    func(c *synthetic.Config) { c.CalibrationBudgets = []int{0} },
		"goes beyond the 61 directions":  func(c *synthetic.Config) { c.Refinement = []int{62} },
		"Refinement = [5 3]":             func(c *synthetic.Config) { c.Refinement = []int{5, 3} },
	})
}

func TestSyntheticRefusesBadSources(t *testing.T) {
	for want, source := range map[string]datasets.XShapeOptions{
		"Seed = 3":    {Seed: 3},
		"Decoys = -1": {Decoys: -1},
	} {
		checkError(t, want, func(o study.Options) error {
			_, err := synthetic.Run(context.Background(), source, smallSynthetic, o)
			return err
		})
	}
}

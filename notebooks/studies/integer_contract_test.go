package main

import (
	"context"
	"testing"

	"github.com/sparsero/directions/datasets"
	"github.com/sparsero/directions/notebooks/studies/integer"
	"github.com/sparsero/directions/notebooks/studies/study"
)

var (
	smallFamily  = datasets.IntegerOptions{Items: 14, Rows: 2, Cardinality: 3, Atoms: 12, HeldOut: 8}
	smallInteger = integer.Config{Seeds: []integer.Seeds{{First: 0, Count: 8}, {First: 50, Count: 4}}, Budgets: []int{1, 2, 5}, Draws: 3, StartDecisions: 2}
)

// integerContract is the small study of a source.
func integerContract(source datasets.IntegerOptions) contract[integer.Config, integer.Outcome, *integer.Results] {
	return contract[integer.Config, integer.Outcome, *integer.Results]{
		Config: smallInteger, Units: 12,
		Run: func(ctx context.Context, c integer.Config, o study.Options) (*integer.Results, error) {
			return integer.Run(ctx, source, c, o)
		},
		Base: func(r *integer.Results) *study.Results[integer.Outcome] { return r.Results },
	}
}

func TestIntegerIsTheSameOnAnyNumberOfWorkersAndAfterACancel(t *testing.T) {
	integerContract(smallFamily).checkWorkersAndCancel(t, 3)
}

func TestIntegerRefusesUnitsOfAnotherConfiguration(t *testing.T) {
	other := smallFamily
	other.HeldOut++
	integerContract(smallFamily).checkForeign(t, map[string]func(*integer.Config){
		"Draws":              func(c *integer.Config) { c.Draws++ },
		"Budgets":            func(c *integer.Config) { c.Budgets = []int{1, 2} },
		"Protocols":          func(c *integer.Config) { c.Protocols = []integer.Protocol{integer.Nested} },
		"CalibrationSamples": func(c *integer.Config) { c.CalibrationSamples = 10 },
		"StartDecisions":     func(c *integer.Config) { c.StartDecisions = 3 },
		"FullBudget":         func(c *integer.Config) { c.FullBudget = true },
		"study":              func(c *integer.Config) { c.Name = "other" },
	}, map[string]func(context.Context, study.Options) error{
		"another source": func(ctx context.Context, o study.Options) error {
			_, err := integer.Run(ctx, other, smallInteger, o)
			return err
		},
	})
}

func TestIntegerRefusesBadConfigurations(t *testing.T) {
	integerContract(smallFamily).checkRefused(t, map[string]func(*integer.Config){
		"Budgets = [2 1]":                   func(c *integer.Config) { c.Budgets = []int{2, 1} },
		"Budgets = [1 1]":                   func(c *integer.Config) { c.Budgets = []int{1, 1} },
		"Budgets = [0 1]: 0 is":             func(c *integer.Config) { c.Budgets = []int{0, 1} },
		"Budgets is empty":                  func(c *integer.Config) { c.Budgets = []int{} },
		"budget 13 exceeds the 12 atoms":    func(c *integer.Config) { c.Budgets = []int{1, 13} },
		"Protocols is empty":                func(c *integer.Config) { c.Protocols = []integer.Protocol{} },
		`Protocols[1] = "nested" is`:        func(c *integer.Config) { c.Protocols = []integer.Protocol{integer.Nested, integer.Nested} },
		`Protocols[0] = "neste" is unknown`: func(c *integer.Config) { c.Protocols = []integer.Protocol{"neste"} },
		"Draws = [-1]":                      func(c *integer.Config) { c.Draws = -1 },
		"CalibrationSamples = [-1]":         func(c *integer.Config) { c.CalibrationSamples = -1 },
		"StartDecisions = [-1]":             func(c *integer.Config) { c.StartDecisions = -1 },
		"integer has no units":              func(c *integer.Config) { c.Seeds = []integer.Seeds{} },
		`both "5"`:                          func(c *integer.Config) { c.Seeds = []integer.Seeds{{First: 0, Count: 6}, {First: 5, Count: 5}} },
	})
	for want, source := range map[string]datasets.IntegerOptions{"Seed = 3": {Seed: 3}, "Items = -1": {Items: -1}} {
		checkError(t, want, func(o study.Options) error {
			_, err := integer.Run(context.Background(), source, smallInteger, o)
			return err
		})
	}
	if (integer.Seeds{First: 0, Count: 100}).String() != "0-99" {
		t.Errorf("Seeds{First: 0, Count: 100} is called %v", integer.Seeds{First: 0, Count: 100})
	}
}

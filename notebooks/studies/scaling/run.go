package scaling

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/sparsero/directions/notebooks/studies/adversarial"
	"github.com/sparsero/directions/notebooks/studies/study"
)

// Results are the outcomes of a study, one unit per finished seed of a source.
type Results struct {
	*study.Results[Outcome]
	config Config
}

// configuration is what the units of a study depend on; the seeds of the
// sources are its units.
type configuration struct {
	Sources []sourceConfiguration
	Config
}

type sourceConfiguration struct {
	Name string
	Data adversarial.Task
}

// Run carries out the scaling experiment of section 5.2 on the dictionaries of the
// tasks, whose names must differ. Each seed of each source is a unit; see
// [study.Run] for workers, progress, cancellation (the results are then partial)
// and resuming. At the default size a unit takes a few seconds and holds some 400 MB.
//
// Errors: no source; a configuration out of range, such as a budget above the
// number of atoms; the errors of a task; those
// of study.Run.
func Run(ctx context.Context, sources []adversarial.Task, c Config, o study.Options) (*Results, error) {
	c = c.withDefaults()
	if err := c.validate(); err != nil {
		return nil, err
	}
	names, described, err := describe(sources)
	if err != nil {
		return nil, err
	}
	var keys []string
	for k := range c.Seeds { // all sources of a seed before the next
		for _, name := range names {
			keys = append(keys, fmt.Sprintf("%d %s", c.First+uint64(k), name))
		}
	}
	results, err := study.Run(ctx, study.Experiment[Outcome]{
		Name: c.Name, Version: Version, Units: keys,
		Configuration: configuration{described, c},
		Run: func(ctx context.Context, number int) (Outcome, error) {
			source := sources[number%len(sources)]
			u, err := newUnit(ctx, source, &c, c.First+uint64(number/len(sources)))
			if err != nil {
				return Outcome{}, err
			}
			return u.outcome(ctx)
		},
		Timeless: timeless,
	}, o)
	if results == nil {
		return nil, err
	}
	return &Results{Results: results, config: c}, err
}

// timeless returns an outcome without the times of its choices.
func timeless(o Outcome) Outcome {
	o.Sizes = slices.Clone(o.Sizes)
	for k := range o.Sizes {
		paths := slices.Clone(o.Sizes[k].Paths)
		for j := range paths {
			paths[j].Cost = Cost{Calls: paths[j].Cost.Calls, ReachCalls: paths[j].Cost.ReachCalls}
		}
		o.Sizes[k].Paths = paths
	}
	return o
}

// describe checks the sources and returns their names and what the files of units
// say about them.
func describe(sources []adversarial.Task) ([]string, []sourceConfiguration, error) {
	if len(sources) == 0 {
		return nil, nil, errors.New("scaling: sources is empty; give at least one, such as adversarial.Task{}")
	}
	names, described := make([]string, len(sources)), make([]sourceConfiguration, len(sources))
	for k, source := range sources {
		names[k] = source.Name()
		if first := slices.Index(names, names[k]); first < k {
			return nil, nil, fmt.Errorf("scaling: sources %d and %d are both called %q; name them apart", first, k, names[k])
		}
		described[k] = sourceConfiguration{names[k], source}
	}
	return names, described, nil
}

// Version is the version of the code behind a study's results; it is raised
// whenever a result changes.
const Version = "1"

// Config describes a study. The zero value is the study of section 5.2 on five
// seeds; its defaults were fixed before the study was run.
type Config struct {
	// Name is the name of the study and the first part of its tables' names.
	// Default "scaling".
	Name string `json:"-"`
	// Data says in a few words what features these are; it is part of the tables'
	// titles, so that generated features are called so wherever they are shown.
	// Default none.
	Data string `json:"-"`
	// First is the first seed and Seeds the number of seeds, at least 1. Each seed
	// of each source is a unit. Defaults 0 and 5.
	First uint64 `json:"-"`
	Seeds int    `json:"-"`
	// Sizes are the dictionary sizes N, increasing. Default 2000, 5000, 10000,
	// 15000 (the paper's).
	Sizes []int
	// Target is the coverage to be reached, in (0,1). Default 0.99 (the paper's).
	Target float64
	// MaxBudget is the largest budget of the policies that choose, at most the
	// smallest size. Default 150; the paper stops at 50.
	MaxBudget int
	// Budgets are the B of the tables, increasing, at most MaxBudget. Default 1, 2,
	// 5, 10, 15, 20, 30, 50, 100, 150.
	Budgets []int
	// Densities are the ρ = B/N of the tables, increasing, in (0,1]; the budget is ρN
	// rounded, at least 1. Those beyond MaxBudget are left out. Default 0.0005, 0.001,
	// 0.002, 0.005, 0.01.
	Densities []float64
	// Epsilons are the radii of certified accuracy, in the unit of the features,
	// increasing, above 0. Default 0.25, 0.5, 1.
	Epsilons []float64
	// Draws is the number of random orders of a unit, at least 1. Default 10.
	Draws int
}

func (c Config) withDefaults() Config {
	c.Name = cmp.Or(c.Name, "scaling")
	c.Seeds, c.MaxBudget, c.Draws = cmp.Or(c.Seeds, 5), cmp.Or(c.MaxBudget, 150), cmp.Or(c.Draws, 10)
	c.Target = cmp.Or(c.Target, 0.99)
	c.Sizes = study.OrDefault(c.Sizes, 2000, 5000, 10000, 15000)
	c.Budgets = study.OrDefault(c.Budgets, 1, 2, 5, 10, 15, 20, 30, 50, 100, 150)
	c.Densities = study.OrDefault(c.Densities, 0.0005, 0.001, 0.002, 0.005, 0.01)
	c.Epsilons = study.OrDefault(c.Epsilons, 0.25, 0.5, 1)
	return c
}

// validate checks a configuration whose defaults are filled in.
func (c Config) validate() error {
	err := cmp.Or(
		study.CheckSeeds("scaling", c.First, c.Seeds),
		study.CheckPositive("scaling", map[string]int{"MaxBudget": c.MaxBudget, "Draws": c.Draws}),
		study.CheckIncreasing("scaling: Sizes", c.Sizes, 0, math.MaxInt32),
		study.CheckIncreasing("scaling: Budgets", c.Budgets, 0, c.MaxBudget),
		study.CheckIncreasing("scaling: Densities", c.Densities, 0, 1),
		study.CheckIncreasing("scaling: Epsilons", c.Epsilons, 0, math.MaxFloat64),
	)
	switch {
	case err != nil:
		return err
	case !(c.Target > 0 && c.Target < 1):
		return fmt.Errorf("scaling: Target = %v is outside (0,1); 0.99 asks for 99 %%", c.Target)
	case c.MaxBudget > c.Sizes[0]:
		return fmt.Errorf("scaling: MaxBudget = %d exceeds the %d atoms of the smallest dictionary; use at most %d", c.MaxBudget, c.Sizes[0], c.Sizes[0])
	}
	return nil
}

// densityBudget returns the budget of a density, ρN rounded and at least 1, and
// false if it is beyond MaxBudget.
func (c Config) densityBudget(density float64, atoms int) (budget int, ok bool) {
	budget = max(int(math.Round(density*float64(atoms))), 1)
	return budget, budget <= c.MaxBudget
}

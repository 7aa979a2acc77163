package scaling

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"github.com/sparsero/directions/notebooks/studies/adversarial"
	"github.com/sparsero/directions/notebooks/studies/internal/setting"
	"github.com/sparsero/directions/notebooks/studies/study"
)

// Results are the outcomes of a study, one unit per finished seed of a source.
type Results struct {
	*study.Results[Outcome]
	config Config
}

// configuration is what the units of a study depend on; the seeds of the sources are its units.
type configuration struct {
	Sources []sourceConfiguration
	Config
}

type sourceConfiguration struct {
	Name string
	Data adversarial.Task
}

// Run carries out the scaling experiment of section 5.2 on the dictionaries of the tasks, at least one, whose names
// must differ. Each seed of each source is a unit; see [study.Run] for workers, progress, cancellation (the results are
// then partial) and resuming. At the default size a unit takes a few seconds and holds some 400 MB.
//
// Errors: a configuration out of range, such as a budget above the number of atoms; the errors
// of a task; those of study.Run.
func Run(ctx context.Context, sources []adversarial.Task, c Config, o study.Options) (*Results, error) {
	c = c.withDefaults()
	if err := c.check(); err != nil {
		return nil, err
	}
	seeds := study.Seeds{First: c.First, Count: c.Seeds}.List()
	var described []sourceConfiguration
	for _, source := range sources {
		described = append(described, sourceConfiguration{source.Name(), source})
	}
	var keys []string
	for _, seed := range seeds { // all sources of a seed before the next
		for _, source := range described {
			keys = append(keys, fmt.Sprintf("%d %s", seed, source.Name))
		}
	}
	results, err := study.Run(ctx, study.Experiment[Outcome]{
		Name: c.Name, Version: version, Units: keys,
		Configuration: configuration{described, c},
		Run: func(ctx context.Context, number int) (Outcome, error) {
			source := sources[number%len(sources)]
			u, err := newUnit(ctx, source, &c, seeds[number/len(sources)])
			if err != nil {
				return Outcome{}, err
			}
			return u.outcome(ctx)
		},
	}, o)
	if err != nil {
		return nil, err
	}
	return &Results{Results: results, config: c}, nil
}

// target is the coverage to be reached (the paper's).
const target = 0.99

// version is the version of the code behind a study's results; it is raised whenever a result changes.
const version = "1"

// Config describes a study. The zero value is the study of section 5.2 on five
// seeds; its defaults were fixed before the study was run.
type Config struct {
	// Name is the name of the study and the first part of its tables' names. Default "scaling".
	Name string `json:"-"`
	// Data says in a few words what features these are; it is part of the tables'
	// titles, so that generated features are called so wherever they are shown.
	Data string `json:"-"`
	// First is the first seed and Seeds the number of seeds. Each seed of each source is a unit. Default 0 and 5.
	First uint64 `json:"-"`
	Seeds int    `json:"-"`
	// Sizes are the dictionary sizes N, increasing. Default 2000, 5000, 10000, 15000 (the paper's).
	Sizes []int
	// MaxBudget is the largest budget of the policies that choose, at most the first of Sizes. Default 150; the
	// paper stops at 50.
	MaxBudget int
	// Budgets are the B of the tables, increasing, at most MaxBudget. Default 1, 2, 5, 10, 15, 20, 30, 50, 100, 150.
	Budgets []int
	// Densities are the B/N of the tables, increasing, inside (0,1); the budget B is rounded, at least 1. Those
	// beyond MaxBudget are left out. Default 0.0005, 0.001, 0.002, 0.005, 0.01.
	Densities []float64
	// Epsilons are the radii of certified accuracy, increasing, in the unit of the features. Default 0.25, 0.5, 1.
	Epsilons []float64
	// Draws is the number of random orders of a unit, at least 1. Default 10.
	Draws int
}

// withDefaults fills in what is zero.
func (c Config) withDefaults() Config {
	c.Name, c.Seeds = cmp.Or(c.Name, "scaling"), cmp.Or(c.Seeds, 5)
	c.Sizes = setting.ListOr(c.Sizes, 2000, 5000, 10000, 15000)
	c.MaxBudget = cmp.Or(c.MaxBudget, 150)
	c.Budgets = setting.ListOr(c.Budgets, 1, 2, 5, 10, 15, 20, 30, 50, 100, 150)
	c.Densities = setting.ListOr(c.Densities, 0.0005, 0.001, 0.002, 0.005, 0.01)
	c.Epsilons = setting.ListOr(c.Epsilons, 0.25, 0.5, 1)
	c.Draws = cmp.Or(c.Draws, 10)
	return c
}

// check reports a setting that is out of range, defaults filled in.
func (c Config) check() error {
	if err := setting.Check("scaling: Sizes", 0, math.Inf(1), c.Sizes...); err != nil {
		return err
	}
	return cmp.Or(
		setting.Check("scaling: Seeds", 0, math.Inf(1), c.Seeds),
		setting.Check("scaling: MaxBudget", 0, float64(c.Sizes[0]+1), c.MaxBudget),
		setting.Check("scaling: Budgets", 0, float64(c.MaxBudget+1), c.Budgets...),
		setting.Check("scaling: Densities", 0, 1, c.Densities...),
		setting.Check("scaling: Epsilons", 0, math.Inf(1), c.Epsilons...),
		setting.Check("scaling: Draws", 0, math.Inf(1), c.Draws),
	)
}

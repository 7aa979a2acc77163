package scaling

import (
	"context"
	"fmt"
	"math"

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
// tasks, at least one, whose names must differ. Each seed of each source is a unit; see
// [study.Run] for workers, progress, cancellation (the results are then partial)
// and resuming. At the default size a unit takes a few seconds and holds some 400 MB.
//
// Errors: a configuration out of range, such as a budget above the number of atoms; the errors
// of a task; those of study.Run.
func Run(ctx context.Context, sources []adversarial.Task, c Config, o study.Options) (*Results, error) {
	c = study.WithDefaults(c)
	if err := study.Check("scaling", c); err != nil {
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
		Name: c.Name, Version: Version, Units: keys,
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
	if results == nil {
		return nil, err
	}
	return &Results{Results: results, config: c}, err
}

// Version is the version of the code behind a study's results; it is raised
// whenever a result changes.
const Version = "1"

// Config describes a study. The zero value is the study of section 5.2 on five
// seeds; its defaults were fixed before the study was run.
type Config struct {
	// Name is the name of the study and the first part of its tables' names.
	Name string `json:"-" default:"\"scaling\""`
	// Data says in a few words what features these are; it is part of the tables'
	// titles, so that generated features are called so wherever they are shown.
	Data string `json:"-"`
	// First is the first seed and Seeds the number of seeds. Each seed of each source is a unit.
	First uint64 `json:"-"`
	Seeds int    `json:"-" default:"5" range:"[1,]"`
	// Sizes are the dictionary sizes N (by default the paper's).
	Sizes []int `default:"[2000,5000,10000,15000]" range:"[1,]"`
	// Target is the coverage to be reached (by default the paper's).
	Target float64 `default:"0.99" range:"(0,1)"`
	// MaxBudget is the largest budget of the policies that choose; the paper stops at 50.
	MaxBudget int `default:"150" range:"[1,Sizes]"`
	// Budgets are the B of the tables.
	Budgets []int `default:"[1,2,5,10,15,20,30,50,100,150]" range:"[1,MaxBudget]"`
	// Densities are the ρ = B/N of the tables; the budget is ρN
	// rounded, at least 1. Those beyond MaxBudget are left out.
	Densities []float64 `default:"[0.0005,0.001,0.002,0.005,0.01]" range:"(0,1]"`
	// Epsilons are the radii of certified accuracy, in the unit of the features.
	Epsilons []float64 `default:"[0.25,0.5,1]" range:"(0,)"`
	// Draws is the number of random orders of a unit.
	Draws int `default:"10" range:"[1,]"`
}

// densityBudget returns the budget of a density, ρN rounded and at least 1, and
// false if it is beyond MaxBudget.
func (c Config) densityBudget(density float64, atoms int) (budget int, ok bool) {
	budget = max(int(math.Round(density*float64(atoms))), 1)
	return budget, budget <= c.MaxBudget
}

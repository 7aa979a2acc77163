package synthetic

import (
	"context"
	"fmt"

	"github.com/sparsero/directions/datasets"
	"github.com/sparsero/directions/notebooks/studies/study"
)

// Results are the outcomes of a study, one unit per finished seed.
type Results struct {
	*study.Results[Outcome]
	config Config
	probes int // of a seed
}

// configuration is what the units of a study depend on; the seeds are
// its units.
type configuration struct {
	Mechanism string
	Data      datasets.XShapeOptions
	Config
}

// Run carries out the synthetic experiment of section 5.1 and appendix F on the
// X-shaped data. Each seed is a unit; see [study.Run] for workers, progress, cancellation (the
// results are then partial) and resuming. A unit takes about a second at
// the default size.
//
// Errors: a configuration out of range; those of datasets.NewXShape; a budget above the number of atoms; a net larger than the set of directions; those of
// study.Run.
func Run(ctx context.Context, data datasets.XShapeOptions, c Config, o study.Options) (*Results, error) {
	if data.Seed != 0 {
		return nil, fmt.Errorf("synthetic: Seed = %d of the data; leave it 0, because every seed of a study draws its own data", data.Seed)
	}
	c = study.WithDefaults(c)
	if err := study.Check("synthetic", c); err != nil {
		return nil, err
	}
	seeds := study.Seeds{First: c.First, Count: c.Seeds}.List()
	drawn := data
	drawn.Seed = c.First
	first, err := datasets.NewXShape(drawn) // before anything is written
	if err != nil {
		return nil, err
	}
	results, err := study.Run(ctx, study.Experiment[Outcome]{
		Name: c.Name, Version: Version, Units: study.Keys(seeds),
		Configuration: configuration{data.Mechanism.String(), data, c},
		Run: func(ctx context.Context, number int) (Outcome, error) {
			u, err := newUnit(data, &c, seeds[number])
			if err != nil {
				return Outcome{}, err
			}
			return u.outcome(ctx)
		},
	}, o)
	if results == nil {
		return nil, err
	}
	return &Results{Results: results, config: c, probes: first.Probes.RawMatrix().Rows}, err
}

// Version is the version of the code behind a study's results; it is raised
// whenever a result changes.
const Version = "2"

// Config describes a study. The zero value is the study of section 5.1 on 100
// seeds, with the paper's budgets and levels; its defaults were fixed before the study was run.
type Config struct {
	// Name is the name of the study and the first part of its tables' names.
	Name string `json:"-" default:"\"synthetic\""`
	// First is the first seed and Seeds the number of seeds; each seed is a unit.
	First uint64 `json:"-"`
	Seeds int    `json:"-" default:"100" range:"[1,]"`
	// Budgets are the B of the support error and of the radius.
	Budgets []int `default:"[2,4,8,16,32]" range:"[1,SearchBudget]"`
	// PathBudget is the largest budget of the comparison of surrogate and
	// certificate, which uses all of 1, ..., PathBudget. With four methods, 31 gives the paper's 124 points.
	PathBudget int `default:"31" range:"[1,SearchBudget]"`
	// SearchBudget is how far the search for a budget without deficit goes.
	SearchBudget int `default:"64" range:"[1,]"`
	// Draws is the number of random nested sets of a seed.
	Draws int `default:"20" range:"[1,]"`
	// CalibrationBudgets, Alphas and Deltas are the grid of the calibration
	// ablation. The radius by budget uses Alpha = 0.05 and Delta = 1e-5.
	CalibrationBudgets []int     `default:"[9,19,29]" range:"[1,SearchBudget]"`
	Alphas             []float64 `default:"[0.01,0.03,0.05,0.1]" range:"(0,1)"`
	Deltas             []float64 `default:"[1e-5,1e-4,1e-3]" range:"(0,1)"`
	// Scales multiply the samples in the calibration ablation, as a change of
	// units does.
	Scales []float64 `default:"[1,10]" range:"(0,)"`
	// Refinement are the sizes |T| of the nested nets.
	Refinement []int `default:"[26,51,101,201,401,801]" range:"[1,]"`
}

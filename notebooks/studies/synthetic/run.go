package synthetic

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"github.com/sparsero/directions/datasets"
	"github.com/sparsero/directions/notebooks/studies/internal/setting"
	"github.com/sparsero/directions/notebooks/studies/study"
)

// Results are the outcomes of a study, one unit per finished seed.
type Results struct {
	*study.Results[Outcome]
	config Config
	probes int // of a seed
}

// configuration is what the units of a study depend on; the seeds are its units.
type configuration struct {
	Data datasets.XShapeOptions
	Config
}

// Run carries out the synthetic experiment of section 5.1 and appendix F on the X-shaped data. Each seed is a unit; see
// [study.Run] for workers, progress, cancellation (the results are then partial) and resuming. A unit takes about a
// second at the default size.
//
// Errors: a configuration out of range; those of datasets.NewXShape; a budget above the number of atoms; a net larger
// than the set of directions; those of study.Run.
func Run(ctx context.Context, data datasets.XShapeOptions, c Config, o study.Options) (*Results, error) {
	if data.Seed != 0 {
		return nil, fmt.Errorf("synthetic: Seed = %d of the data; leave it 0, because every seed of a study draws its own data", data.Seed)
	}
	c = c.withDefaults()
	if err := c.check(); err != nil {
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
		Name: c.Name, Version: version, Units: study.Keys(seeds),
		Configuration: configuration{data, c},
		Run: func(ctx context.Context, number int) (Outcome, error) {
			u, err := newUnit(data, &c, seeds[number])
			if err != nil {
				return Outcome{}, err
			}
			return u.outcome(ctx)
		},
	}, o)
	if err != nil {
		return nil, err
	}
	return &Results{Results: results, config: c, probes: first.Probes.RawMatrix().Rows}, nil
}

// version is the version of the code behind a study's results; it is raised whenever a result changes.
const version = "2"

// Config describes a study. The zero value is the study of section 5.1 on 100
// seeds, with the paper's budgets and levels; its defaults were fixed before the study was run.
type Config struct {
	// Name is the name of the study and the first part of its tables' names. Default "synthetic".
	Name string `json:"-"`
	// First is the first seed and Seeds the number of seeds; each seed is a unit. Default 0 and 100.
	First uint64 `json:"-"`
	Seeds int    `json:"-"`
	// Budgets are the B of the support error and of the radius, increasing, at most SearchBudget.
	// Default 2, 4, 8, 16, 32.
	Budgets []int
	// PathBudget is the largest budget of the comparison of surrogate and certificate, which uses all of 1, ...,
	// PathBudget, at most SearchBudget. Default 31, which gives the paper's 124 points with four methods.
	PathBudget int
	// SearchBudget is how far the search for a budget without deficit goes, at most the number of atoms. Default 64.
	SearchBudget int
	// Draws is the number of random nested sets of a seed, at least 1. Default 20.
	Draws int
	// CalibrationBudgets are the B of the calibration ablation, increasing, at most SearchBudget. Default 9, 19, 29.
	CalibrationBudgets []int
	// Refinement are the sizes |T| of the nested nets, increasing. Default 26, 51, 101, 201, 401, 801.
	Refinement []int
}

// withDefaults fills in what is zero.
func (c Config) withDefaults() Config {
	c.Name, c.Seeds = cmp.Or(c.Name, "synthetic"), cmp.Or(c.Seeds, 100)
	c.Budgets = setting.ListOr(c.Budgets, 2, 4, 8, 16, 32)
	c.PathBudget, c.SearchBudget = cmp.Or(c.PathBudget, 31), cmp.Or(c.SearchBudget, 64)
	c.Draws = cmp.Or(c.Draws, 20)
	c.CalibrationBudgets = setting.ListOr(c.CalibrationBudgets, 9, 19, 29)
	c.Refinement = setting.ListOr(c.Refinement, 26, 51, 101, 201, 401, 801)
	return c
}

// check reports a setting that is out of range, defaults filled in.
func (c Config) check() error {
	beyond := float64(c.SearchBudget + 1)
	return cmp.Or(
		setting.Check("synthetic: Seeds", 0, math.Inf(1), c.Seeds),
		setting.Check("synthetic: SearchBudget", 0, math.Inf(1), c.SearchBudget),
		setting.Check("synthetic: Budgets", 0, beyond, c.Budgets...),
		setting.Check("synthetic: PathBudget", 0, beyond, c.PathBudget),
		setting.Check("synthetic: Draws", 0, math.Inf(1), c.Draws),
		setting.Check("synthetic: CalibrationBudgets", 0, beyond, c.CalibrationBudgets...),
		setting.Check("synthetic: Refinement", 0, math.Inf(1), c.Refinement...),
	)
}

package synthetic

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"strconv"

	"github.com/sparsero/directions/datasets"
	"github.com/sparsero/directions/notebooks/studies/study"
)

// Results are the outcomes of a study, one unit per finished seed.
type Results struct {
	*study.Results[Outcome]
	config Config
	probes int // number of probes of a seed
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
// results are then partial) and resuming. A unit takes about half a second at
// the default size.
//
// Errors: a configuration out of range; those of datasets.NewXShape; a budget above the number of atoms; a net larger than the set of directions; those of
// study.Run.
func Run(ctx context.Context, data datasets.XShapeOptions, c Config, o study.Options) (*Results, error) {
	if data.Seed != 0 {
		return nil, fmt.Errorf("synthetic: Seed = %d of the data; leave it 0, because every seed of a study draws its own data", data.Seed)
	}
	c = c.withDefaults()
	if err := c.validate(); err != nil {
		return nil, err
	}
	drawn := data
	drawn.Seed = c.First
	first, err := datasets.NewXShape(drawn) // before anything is written
	if err != nil {
		return nil, err
	}
	keys := make([]string, c.Seeds)
	for k := range keys {
		keys[k] = strconv.FormatUint(c.First+uint64(k), 10)
	}
	results, err := study.Run(ctx, study.Experiment[Outcome]{
		Name: c.Name, Version: Version, Units: keys,
		Configuration: configuration{data.Mechanism.String(), data, c},
		Run: func(ctx context.Context, number int) (Outcome, error) {
			u, err := newUnit(data, &c, c.First+uint64(number))
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
// seeds; its defaults were fixed before the study was run.
type Config struct {
	// Name is the name of the study and the first part of its tables' names.
	// Default "synthetic".
	Name string `json:"-"`
	// First is the first seed and Seeds the number of seeds, at least 1; each
	// seed is a unit. Defaults 0 and 100.
	First uint64 `json:"-"`
	Seeds int    `json:"-"`
	// Budgets are the B of the support error and of the radius, increasing, at
	// least 1. Default 2, 4, 8, 16, 32 (the paper's).
	Budgets []int
	// PathBudget is the largest budget of the comparison of surrogate and
	// certificate, which uses all of 1, ..., PathBudget. Default 31, which with
	// four methods gives the paper's 124 points.
	PathBudget int
	// SearchBudget is how far the search for a budget without deficit goes; at
	// least PathBudget and every budget. Default 64.
	SearchBudget int
	// Draws is the number of random nested sets of a seed, at least 1. Default 20.
	Draws int
	// CalibrationBudgets, Alphas and Deltas are the grid of the calibration
	// ablation. Defaults 9, 19, 29; 0.01, 0.03, 0.05, 0.1; 1e-5, 1e-4, 1e-3
	// (the paper's), each increasing. The radius by budget uses Alpha = 0.05 and Delta = 1e-5.
	CalibrationBudgets []int
	Alphas, Deltas     []float64
	// Scales multiply the samples in the calibration ablation, as a change of
	// units does; increasing. Default 1, 10.
	Scales []float64
	// Refinement are the sizes |T| of the nested nets, increasing. Default 26,
	// 51, 101, 201, 401, 801 (the paper's).
	Refinement []int
}

func (c Config) withDefaults() Config {
	c.Name = cmp.Or(c.Name, "synthetic")
	c.Seeds, c.Draws = cmp.Or(c.Seeds, 100), cmp.Or(c.Draws, 20)
	c.PathBudget, c.SearchBudget = cmp.Or(c.PathBudget, 31), cmp.Or(c.SearchBudget, 64)
	c.Budgets = study.OrDefault(c.Budgets, 2, 4, 8, 16, 32)
	c.CalibrationBudgets = study.OrDefault(c.CalibrationBudgets, 9, 19, 29)
	c.Refinement = study.OrDefault(c.Refinement, 26, 51, 101, 201, 401, 801)
	c.Alphas, c.Deltas = study.OrDefault(c.Alphas, 0.01, 0.03, 0.05, 0.1), study.OrDefault(c.Deltas, 1e-5, 1e-4, 1e-3)
	c.Scales = study.OrDefault(c.Scales, 1, 10)
	return c
}

// validate checks a configuration whose defaults are filled in.
func (c Config) validate() error {
	belowOne := math.Nextafter(1, 0)
	err := cmp.Or(
		study.CheckSeeds("synthetic", c.First, c.Seeds),
		study.CheckPositive("synthetic", map[string]int{"PathBudget": c.PathBudget, "SearchBudget": c.SearchBudget, "Draws": c.Draws}),
		study.CheckIncreasing("synthetic: Budgets", c.Budgets, 0, c.SearchBudget),
		study.CheckIncreasing("synthetic: CalibrationBudgets", c.CalibrationBudgets, 0, c.SearchBudget),
		study.CheckIncreasing("synthetic: Refinement", c.Refinement, 0, math.MaxInt),
		study.CheckIncreasing("synthetic: Alphas", c.Alphas, 0, belowOne),
		study.CheckIncreasing("synthetic: Deltas", c.Deltas, 0, belowOne),
		study.CheckIncreasing("synthetic: Scales", c.Scales, 0, math.MaxFloat64),
	)
	if err == nil && c.PathBudget > c.SearchBudget {
		err = fmt.Errorf("synthetic: PathBudget = %d is above SearchBudget = %d; raise SearchBudget", c.PathBudget, c.SearchBudget)
	}
	return err
}

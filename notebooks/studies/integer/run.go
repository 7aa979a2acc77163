package integer

import (
	"context"
	"fmt"
	"strconv"

	"github.com/sparsero/directions/datasets"
	"github.com/sparsero/directions/notebooks/studies/study"
)

// Results are the outcomes of a study, one unit per finished seed.
type Results struct {
	*study.Results[Outcome]
	config Config
}

// configuration is what the units of a study depend on; the seeds are
// its units.
type configuration struct {
	Instances string
	Config
	Method string // "auto": files of units say how programs were solved
}

// Run carries out the integer experiment of section 5.3 on the instances of a
// family. Each seed is a unit; see [study.Run] for workers, progress,
// cancellation (the results are then partial) and resuming. Units take about a
// tenth of a second each at the default size.
//
// Errors: those of datasets.NewIntegerInstance and of [NewEnumeration]; a configuration
// out of range; a budget above the number of atoms; those of study.Run.
func Run(ctx context.Context, instances datasets.IntegerOptions, c Config, o study.Options) (*Results, error) {
	if instances.Seed != 0 {
		return nil, fmt.Errorf("integer: Seed = %d of the instances; leave it 0, because every seed of a study draws its own instance", instances.Seed)
	}
	c = c.withDefaults()
	if err := c.validate(); err != nil {
		return nil, err
	}
	var seeds []uint64
	var keys []string
	for _, block := range c.Seeds {
		for k := range block.Count {
			seeds = append(seeds, block.First+uint64(k))
			keys = append(keys, strconv.FormatUint(block.First+uint64(k), 10))
		}
	}
	results, err := study.Run(ctx, study.Experiment[Outcome]{
		Name: c.Name, Version: Version, Seed: c.Seed, Units: keys,
		Configuration: configuration{instances.String(), c, "auto"},
		Run: func(ctx context.Context, number int) (Outcome, error) {
			drawn := instances
			drawn.Seed = seeds[number]
			instance, err := datasets.NewIntegerInstance(drawn)
			if err != nil {
				return Outcome{}, err
			}
			u, err := newUnit(instance, &c, seeds[number])
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

package synthetic

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

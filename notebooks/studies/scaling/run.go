package scaling

import (
	"context"
	"errors"
	"fmt"
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

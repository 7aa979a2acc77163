package main

import (
	"context"

	"github.com/sparsero/directions/datasets"
	"github.com/sparsero/directions/sparsero/study"
	"github.com/sparsero/directions/sparsero/study/integer"
	"github.com/sparsero/directions/sparsero/study/synthetic"
)

// entry is one study of the command. Its name is also that of its results
// file, its side file, and the first part of its tables' names.
type entry struct {
	name  string
	title string
	run   func(context.Context, study.Options) ([]study.Table, study.Record, error)
}

// catalogue lists the studies in the order in which they run.
var catalogue = []entry{
	{"integer", "section 5.3: robust integer programs, seeds 0-99 and 1000-1099", integerStudy(datasets.IntegerOptions{}, integer.Config{Name: "integer"})},
	{"integer_decline", "how success can decline at large budgets, seeds 2000-2099",
		integerStudy(datasets.IntegerOptions{Homogeneous: true, Reserve: 0.1}, integer.DeclineConfig())},
	{"synthetic", "section 5.1: X-shaped data in the plane, 100 seeds", syntheticStudy(datasets.XShapeOptions{}, synthetic.Config{Name: "synthetic"})},
	{"synthetic_lobes", "section 5.1 with the second generator, 100 seeds",
		syntheticStudy(datasets.XShapeOptions{Mechanism: datasets.Lobes}, synthetic.Config{Name: "synthetic_lobes"})},
}

func integerStudy(source datasets.IntegerOptions, config integer.Config) func(context.Context, study.Options) ([]study.Table, study.Record, error) {
	return func(ctx context.Context, o study.Options) ([]study.Table, study.Record, error) {
		results, err := integer.Run(ctx, source, config, o)
		if err != nil {
			return nil, study.Record{}, err
		}
		return results.Tables(), results.Record, nil
	}
}

func syntheticStudy(source datasets.XShapeOptions, config synthetic.Config) func(context.Context, study.Options) ([]study.Table, study.Record, error) {
	return func(ctx context.Context, o study.Options) ([]study.Table, study.Record, error) {
		results, err := synthetic.Run(ctx, source, config, o)
		if err != nil {
			return nil, study.Record{}, err
		}
		return results.Tables(), results.Record, nil
	}
}

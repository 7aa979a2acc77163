package main

import (
	"context"

	"github.com/sparsero/directions/datasets"
	"github.com/sparsero/directions/notebooks/studies/integer"
	"github.com/sparsero/directions/notebooks/studies/scaling"
	"github.com/sparsero/directions/notebooks/studies/study"
	"github.com/sparsero/directions/notebooks/studies/synthetic"
)

// results are those of any study.
type results interface {
	About() study.Record
	Tables() []study.Table
}

// runner runs a study.
type runner func(context.Context, study.Options) (results, error)

// entry is one study of the command. Its name is also that of the folder of its
// units, its side file, and the first part of its tables' names.
type entry struct {
	name  string
	title string
	run   runner
	needs []string // files without which it cannot run
}

// catalogue lists the studies in the order in which they run.
var catalogue = []entry{
	{name: "integer", title: "section 5.3: robust integer programs, seeds 0-99 and 1000-1099",
		run: integerStudy(datasets.IntegerOptions{}, integer.Config{Name: "integer"})},
	{name: "integer_decline", title: "how success can decline at large budgets, seeds 2000-2099",
		run: integerStudy(datasets.IntegerOptions{Homogeneous: true, Reserve: 0.1}, integer.DeclineConfig())},
	{name: "synthetic", title: "section 5.1: X-shaped data in the plane, 100 seeds",
		run: syntheticStudy(datasets.XShapeOptions{}, synthetic.Config{Name: "synthetic"})},
	{name: "synthetic_lobes", title: "section 5.1 with the second generator, 100 seeds",
		run: syntheticStudy(datasets.XShapeOptions{Mechanism: datasets.Lobes}, synthetic.Config{Name: "synthetic_lobes"})},
	{name: "scaling_standin", title: "section 5.2: dictionaries up to 15,000 x 512, generated stand-in features",
		run: scalingStudy(generatedFeatures, scaling.Config{Name: "scaling_standin", Data: "generated stand-in features"})},
}

func integerStudy(source datasets.IntegerOptions, config integer.Config) runner {
	return func(ctx context.Context, o study.Options) (results, error) {
		return integer.Run(ctx, source, config, o)
	}
}

func syntheticStudy(source datasets.XShapeOptions, config synthetic.Config) runner {
	return func(ctx context.Context, o study.Options) (results, error) {
		return synthetic.Run(ctx, source, config, o)
	}
}

package main

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"

	"github.com/sparsero/directions/datasets"
	"github.com/sparsero/directions/datasets/features"
	"github.com/sparsero/directions/notebooks/studies/adversarial"
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

// runner runs a study. Its error matches fs.ErrNotExist if the features are not there.
type runner func(context.Context, study.Options) (results, error)

// entry is one study of the command. Its name is also that of the file of its
// units, its side file, and the first part of its tables' names.
type entry struct {
	name  string
	title string
	run   runner
}

// catalogue lists the studies in the order in which they run, those of real features in a folder at the
// end. Each computes so many of its seeds, 0 for all.
func catalogue(data string, seeds int) []entry {
	decline := integer.DeclineConfig()
	decline.Seeds = blocks(seeds, 2000)
	return append([]entry{
		{name: "integer", title: "section 5.3: robust integer programs, seeds 0-99 and 1000-1099",
			run: running(integer.Run, datasets.IntegerOptions{}, integer.Config{Name: "integer", Seeds: blocks(seeds, 0, 1000)})},
		{name: "integer_decline", title: "how success can decline at large budgets, seeds 2000-2099",
			run: running(integer.Run, datasets.IntegerOptions{Homogeneous: true, Reserve: 0.1}, decline)},
		{name: "synthetic", title: "section 5.1: X-shaped data in the plane, 100 seeds",
			run: running(synthetic.Run, datasets.XShapeOptions{}, synthetic.Config{Name: "synthetic", Seeds: seeds})},
		scalingStudy("scaling_standin", "dictionaries up to 15,000 x 512, generated stand-in features", "generated stand-in features", seeds, generatedFeatures),
		scalingStudy("scaling_digits", "real handwritten digits, even against odd, 64 grey values", "real handwritten digits, even against odd", seeds, handwrittenDigits),
	}, frozenStudies(data, seeds)...)
}

// blocks returns blocks of so many seeds each, 0 for 100, from some seeds on.
func blocks(count int, first ...uint64) (all []study.Seeds) {
	for _, seed := range first {
		all = append(all, study.Seeds{First: seed, Count: cmp.Or(count, 100)})
	}
	return all
}

// running runs a study of generated data.
func running[Source, Config any, Results results](run func(context.Context, Source, Config, study.Options) (Results, error), source Source, config Config) runner {
	return func(ctx context.Context, o study.Options) (results, error) {
		return run(ctx, source, config, o)
	}
}

// defaultData is where real features are looked for, beside the project.
var defaultData = filepath.Join("..", "shared", "data")

// scalingSources are the dictionaries of the scaling study: the paper's, the
// ensemble, and the paper's with attacks that stop earlier or later.
func scalingSources(f adversarial.Features) []adversarial.Task {
	sources := []adversarial.Task{
		{Features: f}, {Features: f, Classifiers: 50},
	}
	for _, steps := range []int{5, 10, 20} {
		sources = append(sources, adversarial.Task{Features: f, Attack: adversarial.Attack{Steps: steps, Step: 0.1}})
	}
	return sources
}

// scalingStudy is the study on the features that load returns; data says what they are.
func scalingStudy(name, title, data string, seeds int, load func() (adversarial.Features, error)) entry {
	return entry{name: name, title: "section 5.2: " + title, run: func(ctx context.Context, o study.Options) (results, error) {
		f, err := load()
		if err != nil {
			return nil, err
		}
		return scaling.Run(ctx, scalingSources(f), scaling.Config{Name: name, Data: data, Seeds: seeds}, o)
	}}
}

// generatedFeatures are those of a machine without real ones.
func generatedFeatures() (adversarial.Features, error) { return adversarial.Generated{}, nil }

// handwrittenDigits are the real features that come with the module.
func handwrittenDigits() (adversarial.Features, error) {
	return adversarial.Frozen{Train: features.Digits()}, nil
}

// frozenStudies are the studies of real features in a folder.
func frozenStudies(folder string, seeds int) []entry {
	var all []entry
	for _, pair := range [][2]string{{"cat", "dog"}, {"automobile", "truck"}} {
		name := pair[0] + "_" + pair[1]
		data := fmt.Sprintf("real features of %s and %s images, 64 of a ResNet-56", pair[0], pair[1])
		load := func() (adversarial.Features, error) { return frozen(filepath.Join(folder, "cifar10_"+name)) }
		all = append(all, scalingStudy("scaling_"+name, data, data, seeds, load))
	}
	return all
}

// frozen reads features and labels for training, and those of the test, from files whose names begin so.
func frozen(files string) (f adversarial.Frozen, err error) {
	if f.Train, err = features.LoadNPY(files+"_train_x.npy", files+"_train_y.npy"); err == nil {
		f.Test, err = features.LoadNPY(files+"_test_x.npy", files+"_test_y.npy")
	}
	return f, err
}

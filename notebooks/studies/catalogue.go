package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

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

// scalingStudy runs the study on the features that load returns.
func scalingStudy(load func() (adversarial.Features, error), config scaling.Config) runner {
	return func(ctx context.Context, o study.Options) (results, error) {
		f, err := load()
		if err != nil {
			return nil, err
		}
		return scaling.Run(ctx, scalingSources(f), config, o)
	}
}

// generatedFeatures are those of a machine without real ones.
func generatedFeatures() (adversarial.Features, error) { return adversarial.Generated{}, nil }

// frozenStudies are the studies of real features in a folder.
func frozenStudies(folder string) []entry {
	var all []entry
	for _, pair := range [][2]string{{"cat", "dog"}, {"automobile", "truck"}} {
		name := pair[0] + "_" + pair[1]
		var files []string
		for _, part := range []string{"train_x", "train_y", "test_x", "test_y"} {
			files = append(files, filepath.Join(folder, "cifar10_"+name+"_"+part+".npy"))
		}
		all = append(all, fileStudy(name, fmt.Sprintf("real features of %s and %s images, 64 of a ResNet-56", pair[0], pair[1]), files))
	}
	return all
}

// fileStudy is the scaling study on the features of some files.
func fileStudy(name, data string, files []string) entry {
	name = "scaling_" + name
	load := func() (adversarial.Features, error) { return frozen(files) }
	return entry{name: name, title: "section 5.2: " + data, needs: files, run: scalingStudy(load, scaling.Config{Name: name, Data: data})}
}

// frozen reads training features and labels and, if there are more files, those of the test.
func frozen(files []string) (f adversarial.Frozen, err error) {
	if len(files) != 2 && len(files) != 4 {
		return f, fmt.Errorf("studies: cannot read features from %s; %s", strings.Join(files, ","), ownForm)
	}
	if f.Train, err = features.LoadNPY(files[0], files[1]); err == nil && len(files) == 4 {
		f.Test, err = features.LoadNPY(files[2], files[3])
	}
	return f, err
}

// ownForm says what the flag -features takes.
const ownForm = "give NAME=X.npy,Y.npy (features, labels), or those of training and of test examples"

// ownStudy is the study of a user's features.
func ownStudy(argument string) (entry, error) {
	name, list, found := strings.Cut(argument, "=")
	if !found || name == "" || list == "" || strings.ContainsAny(name, `/\ `) {
		return entry{}, fmt.Errorf("studies: -features %q is not understood; %s", argument, ownForm)
	}
	return fileStudy(name, "features "+name, strings.Split(list, ",")), nil
}

// missing names a file that an entry needs and that is not there, "" if there is none.
func (e entry) missing() string {
	for _, file := range e.needs {
		if _, err := os.Stat(file); errors.Is(err, os.ErrNotExist) {
			return file
		}
	}
	return ""
}

package main

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sparsero/directions/notebooks/studies/adversarial"
	"github.com/sparsero/directions/notebooks/studies/scaling"
	"github.com/sparsero/directions/notebooks/studies/study"
)

// scalingStudies are the features of the stored scaling studies.
func scalingStudies(t *testing.T) map[string]adversarial.Features {
	t.Helper()
	digits, err := handwrittenDigits()
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]adversarial.Features{"scaling_standin": adversarial.Generated{}, "scaling_digits": digits}
	for _, name := range []string{"cat_dog", "automobile_truck"} {
		f, err := frozen(filepath.Join(realData, "cifar10_"+name))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			t.Logf("%s is not compared: %v", name, err)
		case err != nil:
			t.Fatal(err)
		default:
			all["scaling_"+name] = f
		}
	}
	return all
}

// TestStoredScalingTablesAreReproduced computes the smallest dictionaries of one
// seed again and compares them with the stored rows. The columns about all 15,000
// atoms are left out.
func TestStoredScalingTablesAreReproduced(t *testing.T) {
	for name, f := range scalingStudies(t) {
		sources := scalingSources(f)[:2]
		if testing.Short() {
			sources = sources[:1]
		}
		config := scaling.Config{Name: name, First: 3, Seeds: 1, Sizes: []int{2000}}
		results, err := scaling.Run(context.Background(), sources, config, study.Options{})
		if err != nil {
			t.Fatal(err)
		}
		rows := rowsOf(t, study.Table{Name: name, Frame: results.Seeds()})
		if len(rows) != 1+len(sources) {
			t.Fatalf("%s: %d rows", name, len(rows))
		}
		compareStored(t, name+"_seeds", rows, 3, "Energy", "Cosine")
	}
}

// TestStudiesOfAbsentFeaturesAreLeftOut, unless they are named.
func TestStudiesOfAbsentFeaturesAreLeftOut(t *testing.T) {
	stopped, stop := context.WithCancel(context.Background())
	stop()
	left, all := 0, catalogue(t.TempDir(), 0)
	for _, e := range all {
		if _, err := e.run(stopped, study.Options{}); errors.Is(err, fs.ErrNotExist) {
			left++
		} else if err != nil {
			t.Errorf("%s: %v", e.name, err)
		}
	}
	if left != 2 || len(all) != 7 {
		t.Errorf("%d of %d studies miss their features, want 2", left, len(all))
	}
	folder := t.TempDir()
	err := run(context.Background(), []string{"-data", folder, "-results", folder, "-work", folder, "scaling_cat_dog"}, &bytes.Buffer{})
	if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "cifar10_cat_dog_train_x.npy") {
		t.Errorf("a study without its features: error = %v", err)
	}
}

package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"path/filepath"
	"slices"
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
	for _, e := range frozenStudies(realData) {
		if file := e.missing(); file != "" {
			t.Logf("%s is not compared: %s is not there", e.name, file)
			continue
		}
		f, err := frozen(e.needs)
		if err != nil {
			t.Fatal(err)
		}
		all[e.name] = f
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
		var text bytes.Buffer
		if err := (study.Table{Name: name, Frame: results.Seeds()}).WriteCSV(&text); err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(&text).ReadAll()
		if err != nil || len(rows) != 1+len(sources) {
			t.Fatalf("%s: %d rows (%v)", name, len(rows), err)
		}
		kept := readTable(t, filepath.Join(stored, name+"_seeds.csv"))
		if !slices.Equal(rows[0], kept[0]) {
			t.Fatalf("%s: columns %q, stored %q", name, rows[0], kept[0])
		}
		for _, row := range rows[1:] {
			found := slices.IndexFunc(kept, func(other []string) bool { return slices.Equal(other[:3], row[:3]) })
			if found < 0 {
				t.Fatalf("%s has no row of %q", name, row[:3])
			}
			for _, column := range []string{"Energy", "Cosine"} {
				j := slices.Index(rows[0], column)
				row[j] = kept[found][j]
			}
			if !sameCells(row, kept[found]) {
				t.Errorf("%s: computed %v, stored %v", name, row, kept[found])
			}
		}
	}
}

// TestStudiesOfAbsentFeaturesAreLeftOut, unless they are named.
func TestStudiesOfAbsentFeaturesAreLeftOut(t *testing.T) {
	all := entries(t.TempDir())
	left := 0
	for _, e := range all {
		if e.missing() != "" {
			left++
		}
	}
	if left != 2 || len(all) != len(catalogue)+2 {
		t.Errorf("%d of %d studies miss their features, want 2", left, len(all))
	}
	folder := t.TempDir()
	err := run(context.Background(), []string{"-data", folder, "-results", folder, "-work", folder, "scaling_cat_dog"}, &bytes.Buffer{})
	if err == nil || !strings.Contains(err.Error(), "cifar10_cat_dog_train_x.npy") {
		t.Errorf("a study without its features: error = %v", err)
	}
}

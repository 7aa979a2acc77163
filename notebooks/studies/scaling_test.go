package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sbinet/npyio/npy"
	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/notebooks/studies/adversarial"
	"github.com/sparsero/directions/notebooks/studies/scaling"
	"github.com/sparsero/directions/notebooks/studies/study"
)

// scalingStudies are the features of the stored scaling studies.
func scalingStudies(t *testing.T) map[string]adversarial.Features {
	t.Helper()
	all := map[string]adversarial.Features{"scaling_standin": adversarial.Generated{}}
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

func TestOwnFeatures(t *testing.T) {
	folder := t.TempDir()
	save := func(name string, value any) string {
		var content bytes.Buffer
		if err := npy.Write(&content, value); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, content.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	x := save("x.npy", mat.NewDense(80, 2, slices.Repeat([]float64{1, 2, 3, 1}, 40)))
	y := save("y.npy", slices.Repeat([]int8{0, 1}, 40))
	pair := x + "," + y
	own, err := ownStudy("pets=" + pair)
	if err != nil || own.name != "scaling_pets" || own.missing() != "" {
		t.Fatalf("%+v (%v)", own, err)
	}
	stopped, stop := context.WithCancel(context.Background())
	stop()
	results, err := own.run(stopped, study.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if record := results.About(); record.Study != "scaling_pets" || !strings.Contains(string(record.Configuration), `"Examples":80`) {
		t.Errorf("the configuration of %s is %s", record.Study, record.Configuration)
	}
	for want, arguments := range map[string][]string{
		`-features "pets" is not understood`:  {"-features", "pets"},
		`-features "a/b=x.npy" is not unders`: {"-features", "a/b=x.npy"},
		"cannot read features from x.txt":     {"-features", "pets=x.txt"},
		"cannot read features from x.npy":     {"-features", "pets=x.npy"},
		"those of training and of test":       {"-features", "pets=" + pair + "," + x},
		"is called scaling_standin already":   {"-features", "standin=" + pair},
		"absent.npy":                          {"-features", "pets=" + filepath.Join(folder, "absent.npy") + "," + y},
		"cifar10_cat_dog_train_x.npy":         {"-data", folder, "scaling_cat_dog"},
	} {
		arguments = append([]string{"-results", filepath.Join(folder, "results"), "-work", filepath.Join(folder, "work")}, arguments...)
		if err := run(context.Background(), arguments, &bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: error = %v, want %q", arguments, err, want)
		}
	}
	if _, err := os.Stat(filepath.Join(folder, "results")); err == nil {
		t.Error("tables were written")
	}
}

// TestStudiesOfAbsentFeaturesAreLeftOut runs none of the studies, because the
// context has ended, and looks at what the command says about the others.
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
}

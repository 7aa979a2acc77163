package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/sparsero/directions/datasets/adversarial"
	"github.com/sparsero/directions/sparsero/study"
	"github.com/sparsero/directions/sparsero/study/scaling"
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
	table := filepath.Join(folder, "own.csv")
	text := "a,b,label\n" + strings.Repeat("1,2,cat\n3,1,dog\n", 40)
	if err := os.WriteFile(table, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	own, err := ownStudy("pets=" + table)
	if err != nil || own.name != "scaling_pets" || own.missing() != "" {
		t.Fatalf("%+v (%v)", own, err)
	}
	stopped, stop := context.WithCancel(context.Background())
	stop()
	_, record, err := own.run(stopped, study.Options{})
	if err != nil || record.Study != "scaling_pets" || !strings.Contains(string(record.Configuration), `"Examples":80`) {
		t.Errorf("the configuration is %s (%v)", record.Configuration, err)
	}
	for want, arguments := range map[string][]string{
		`-features "pets" is not understood`:  {"-features", "pets"},
		`-features "a/b=x.npy" is not unders`: {"-features", "a/b=x.npy"},
		"cannot read features from x.txt":     {"-features", "pets=x.txt"},
		"cannot read features from x.npy":     {"-features", "pets=x.npy"},
		"one file too many":                   {"-features", "pets=" + strings.Join([]string{table, table, table}, ",")},
		"is called scaling_standin already":   {"-features", "standin=" + table},
		"absent.csv":                          {"-features", "pets=" + filepath.Join(folder, "absent.csv")},
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

// TestStatementsAboutTheScalingStudy looks up, in the stored tables, the numbers
// that the documentation of package scaling states, rounded as there.
func TestStatementsAboutTheScalingStudy(t *testing.T) {
	for _, s := range []struct {
		table  string
		match  []string // cells that the row must contain
		column string
		want   string
	}{
		{"scaling_standin_dictionaries", []string{"single", "share of energy along w"}, "median", "0.96"},
		{"scaling_cat_dog_dictionaries", []string{"single", "share of energy along w"}, "median", "0.96"},
		{"scaling_automobile_truck_dictionaries", []string{"single", "share of energy along w"}, "median", "0.96"},
		{"scaling_standin_minimum", []string{"ensemble", "2000", "greedy-coverage", "reporting"}, "median", "97"},
		{"scaling_standin_minimum", []string{"ensemble", "15000", "greedy-coverage", "reporting"}, "median", "97"},
		{"scaling_cat_dog_minimum", []string{"ensemble", "2000", "greedy-coverage", "reporting"}, "median", "92"},
		{"scaling_cat_dog_minimum", []string{"ensemble", "15000", "greedy-coverage", "reporting"}, "median", "96"},
		{"scaling_cat_dog_minimum", []string{"ensemble", "2000", "any (lower bound)"}, "median", "51"},
		{"scaling_cat_dog_minimum", []string{"single, 20 x 0.1", "2000", "greedy-coverage", "reporting"}, "median", "5"},
		{"scaling_cat_dog_minimum", []string{"single, 20 x 0.1", "5000", "greedy-coverage", "reporting"}, "median", "6"},
		{"scaling_cat_dog_minimum", []string{"single, 20 x 0.1", "10000", "greedy-coverage", "reporting"}, "median", "8"},
		{"scaling_cat_dog_minimum", []string{"single, 20 x 0.1", "15000", "greedy-coverage", "reporting"}, "median", "10"},
		{"scaling_standin_random", []string{"single", "15000", "measured without replacement"}, "median", "3"},
		{"scaling_cat_dog_random", []string{"single", "15000", "measured without replacement"}, "median", "24"},
		{"scaling_standin_random", []string{"ensemble", "15000", "measured without replacement"}, "median", "501"},
		{"scaling_cat_dog_random", []string{"ensemble", "15000", "measured without replacement"}, "median", "520"},
		{"scaling_cat_dog_penalty", []string{"ensemble", "15000", "1", "greedy-maxgap", "pen_S/pen_D"}, "median", "0.02"},
		{"scaling_cat_dog_certified", []string{"ensemble", "15000", "1", "0.5", "greedy-maxgap"}, "CertAcc_S", "0.85"},
		{"scaling_cat_dog_certified", []string{"ensemble", "15000", "1", "0.5", "greedy-maxgap"}, "CertAcc_D", "0.76"},
		{"scaling_standin_penalty", []string{"ensemble", "15000", "150", "greedy-coverage", "inflation"}, "median", "+Inf"},
		{"scaling_cat_dog_penalty", []string{"ensemble", "15000", "150", "greedy-coverage", "inflation"}, "median", "77"},
		{"scaling_cat_dog_certified", []string{"ensemble", "15000", "150", "0.5", "greedy-coverage"}, "CertAcc inflated", "0"},
	} {
		got := lookUp(t, s.table, s.match, s.column)
		if number, err := strconv.ParseFloat(got, 64); err == nil {
			_, decimals, _ := strings.Cut(s.want, ".")
			got = strconv.FormatFloat(number, 'f', len(decimals), 64)
		}
		if got != s.want {
			t.Errorf("%s, %v: %s is %s, the documentation of package scaling says %s", s.table, s.match, s.column, got, s.want)
		}
	}
}

// TestPaperBudgetsAreBracketed looks at what the documentation says of every N.
func TestPaperBudgetsAreBracketed(t *testing.T) {
	for _, data := range []string{"standin", "cat_dog", "automobile_truck"} {
		for size, paper := range map[string]float64{"2000": 10, "5000": 15, "10000": 20, "15000": 30} {
			budget := func(dictionary string) float64 {
				text := lookUp(t, "scaling_"+data+"_minimum", []string{dictionary, size, "greedy-coverage", "reporting"}, "median")
				value, err := strconv.ParseFloat(text, 64)
				if err != nil {
					t.Fatal(err)
				}
				return value
			}
			if low, high := budget("single, 20 x 0.1"), budget("single, 10 x 0.1"); low >= paper || high <= paper || high <= 50 || budget("single") != 2 {
				t.Errorf("%s, N = %s: budgets %v and %v beside the paper's %v, %v by default", data, size, low, high, paper, budget("single"))
			}
		}
	}
}

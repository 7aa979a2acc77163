package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sparsero/directions/datasets"
	"github.com/sparsero/directions/notebooks/studies/integer"
	"github.com/sparsero/directions/notebooks/studies/study"
)

// stored is the folder of the committed tables, realData that of real features.
var (
	stored   = filepath.Join("..", "results")
	realData = filepath.Join("..", "..", defaultData)
)

// TestStoredTablesBelongToThePresentCode compares the side files with the
// configurations and versions in the catalogue, without computing anything.
func TestStoredTablesBelongToThePresentCode(t *testing.T) {
	stopped, stop := context.WithCancel(context.Background())
	stop()
	for _, e := range catalogue(realData, 0) {
		results, err := e.run(stopped, study.Options{})
		if errors.Is(err, fs.ErrNotExist) {
			t.Logf("%s is not compared: %v", e.name, err)
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		record := results.About()
		text, err := os.ReadFile(filepath.Join(stored, e.name+".json"))
		if err != nil {
			t.Errorf("%v; run go run ./notebooks/studies %s", err, e.name)
			continue
		}
		var side study.Record
		if err := json.Unmarshal(text, &side); err != nil {
			t.Fatal(err)
		}
		if side.Study != e.name || record.Study != e.name {
			t.Errorf("study %q has a side file of %q and runs as %q", e.name, side.Study, record.Study)
		}
		if side.Hash != record.Hash || side.Version != record.Version || !slices.Equal(side.Keys, record.Keys) || side.Partial() {
			t.Errorf("the tables of %s belong to %v, %d units; the code has %v, %d units, or other seeds; delete the file of its units and run go run ./notebooks/studies %s",
				e.name, side.Origin, side.Done, record.Origin, len(record.Keys), e.name)
		}
	}
}

// TestStoredIntegerTablesAreReproduced computes some seeds of each integer
// study again and compares them with the stored rows.
func TestStoredIntegerTablesAreReproduced(t *testing.T) {
	decline := integer.DeclineConfig()
	decline.Seeds = []integer.Seeds{{First: 2040, Count: 3}}
	for _, test := range []struct {
		source datasets.IntegerOptions
		config integer.Config
	}{
		{datasets.IntegerOptions{}, integer.Config{Seeds: []integer.Seeds{{First: 17, Count: 3}, {First: 1060, Count: 3}}}},
		{datasets.IntegerOptions{Homogeneous: true, Reserve: 0.1}, decline},
	} {
		results, err := integer.Run(context.Background(), test.source, test.config, study.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, table := range results.Tables() {
			if strings.HasSuffix(table.Name, "_instances") || strings.HasSuffix(table.Name, "_outcomes") {
				compareStored(t, table.Name, rowsOf(t, table), 1)
			}
		}
	}
}

// TestAllStoredTablesAreReproduced computes everything again, which takes many minutes: other tests compute some seeds of each
// study again in every run.
func TestAllStoredTablesAreReproduced(t *testing.T) {
	if os.Getenv("DIRECTIONS_LONG") != "all" {
		t.Skip("computes all stored studies again: make test-long PACKAGE=./notebooks/studies")
	}
	folder := t.TempDir()
	arguments := []string{"-results", filepath.Join(folder, "results"), "-work", filepath.Join(folder, "work"), "-data", realData}
	if err := run(context.Background(), arguments, os.Stdout); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(folder, "results", "*.csv"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no tables were written (%v)", err)
	}
	for _, file := range files {
		compareStored(t, strings.TrimSuffix(filepath.Base(file), ".csv"), readTable(t, file), 0)
	}
}

func TestCommand(t *testing.T) {
	var out bytes.Buffer
	if err := run(context.Background(), []string{"-list"}, &out); err != nil || !strings.Contains(out.String(), "integer_decline") {
		t.Errorf("-list printed %q (%v)", out.String(), err)
	}
	if err := run(context.Background(), []string{"integers"}, &out); err == nil || !strings.Contains(err.Error(), `"integers"`) {
		t.Errorf("unknown study: error = %v", err)
	}
	chosen, err := choose(catalogue("", 0), []string{"integer_decline", "integer_decline"})
	if err != nil || len(chosen) != 1 || chosen[0].name != "integer_decline" {
		t.Errorf("chose %v (%v)", chosen, err)
	}
	folder := t.TempDir()
	stopped, stop := context.WithCancel(context.Background())
	stop()
	err = run(stopped, []string{"-results", filepath.Join(folder, "results"), "-work", filepath.Join(folder, "work"), "integer"}, &out)
	if err == nil || !strings.Contains(err.Error(), "0 of 200") {
		t.Errorf("interrupted command: error = %v", err)
	}
	if _, err := os.Stat(filepath.Join(folder, "results")); err == nil {
		t.Error("an interrupted study wrote tables")
	}
}

// TestCommandKeepsForeignFiles runs a tiny study through the command into
// folders that hold something else.
func TestCommandKeepsForeignFiles(t *testing.T) {
	folder := t.TempDir()
	tiny := entry{name: "tiny", run: running(integer.Run, datasets.IntegerOptions{Items: 8, Cardinality: 2, Atoms: 5},
		integer.Config{Name: "tiny", Seeds: []integer.Seeds{{First: 0, Count: 2}}, Budgets: []int{1, 2}, Draws: 1})}
	s := settings{results: filepath.Join(folder, "results"), work: filepath.Join(folder, "work")}
	var out bytes.Buffer
	if err := s.carryOut(context.Background(), tiny, &out); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "tiny: 2 of 2 units") || !strings.Contains(out.String(), "9 tables") {
		t.Errorf("the command printed %q", out.String())
	}
	other := entry{name: "tiny", run: running(integer.Run, datasets.IntegerOptions{Items: 8, Cardinality: 2, Atoms: 5},
		integer.Config{Name: "tiny", Seeds: []integer.Seeds{{First: 0, Count: 2}}, Budgets: []int{1, 2}, Draws: 2})}
	if err := s.carryOut(context.Background(), other, &out); !errors.Is(err, study.ErrForeign) {
		t.Errorf("units of another configuration: error = %v", err)
	}
}

// TestSeeds computes two seeds of a study, and then one more.
func TestSeeds(t *testing.T) {
	folder := t.TempDir()
	command := func(seeds string) string {
		var out bytes.Buffer
		arguments := []string{"-seeds", seeds, "-results", filepath.Join(folder, "results"), "-work", filepath.Join(folder, "work"), "integer"}
		if err := run(context.Background(), arguments, &out); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	if out := command("1"); !strings.Contains(out, "0 of 2 units") || !strings.Contains(out, "2 of 2 units") {
		t.Errorf("one seed of each block: %s", out)
	}
	if out := command("2"); !strings.Contains(out, "2 of 4 units") || !strings.Contains(out, "4 of 4 units") {
		t.Errorf("two seeds of each block: %s", out)
	}
	if err := run(context.Background(), []string{"-seeds", "2"}, &bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), "-results") {
		t.Errorf("a trial in the folder of all seeds: error = %v", err)
	}
	compareStored(t, "integer_instances", readTable(t, filepath.Join(folder, "results", "integer_instances.csv")), 1)
}

package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
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
	for _, e := range entries(realData) {
		if file := e.missing(); file != "" {
			t.Logf("%s is not compared: %s is not there", e.name, file)
			continue
		}
		results, err := e.run(stopped, study.Options{})
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
		if side.Hash != record.Hash || side.Version != record.Version || side.Seed != record.Seed || !slices.Equal(side.Keys, record.Keys) || side.Partial || side.Done != record.Total {
			t.Errorf("the tables of %s belong to configuration %.8s, version %s, seed %d, %d units; the code has %.8s, %s, %d, %d, or other seeds; run go run ./notebooks/studies -replace %s",
				e.name, side.Hash, side.Version, side.Seed, side.Done, record.Hash, record.Version, record.Seed, record.Total, e.name)
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
				compareRows(t, table, bySeed(t, readTable(t, filepath.Join(stored, table.Name+".csv"))))
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
		got, want := readTable(t, file), readTable(t, filepath.Join(stored, filepath.Base(file)))
		if len(got) != len(want) {
			t.Errorf("%s has %d rows, stored are %d", filepath.Base(file), len(got), len(want))
			continue
		}
		for i := range got {
			if !sameCells(got[i], want[i]) {
				t.Errorf("%s, line %d: %v, stored is %v", filepath.Base(file), i+1, got[i], want[i])
			}
		}
	}
}

func readTable(t *testing.T, path string) [][]string {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// bySeed groups the rows of a table by their first column.
func bySeed(t *testing.T, rows [][]string) map[string][][]string {
	t.Helper()
	if rows[0][0] != "Seed" {
		t.Fatalf("the first column is %q, want Seed", rows[0][0])
	}
	groups := make(map[string][][]string)
	for _, row := range rows[1:] {
		groups[row[0]] = append(groups[row[0]], row)
	}
	return groups
}

// compareRows compares each row of a table with the stored row of its seed.
func compareRows(t *testing.T, table study.Table, stored map[string][][]string) {
	t.Helper()
	var text bytes.Buffer
	if err := table.WriteCSV(&text); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&text).ReadAll()
	if err != nil || len(rows) < 2 {
		t.Fatalf("%s: %d rows (%v)", table.Name, len(rows), err)
	}
	used := make(map[string]int)
	for _, row := range rows[1:] {
		seed, number := row[0], used[row[0]]
		used[seed]++
		if number >= len(stored[seed]) || !sameCells(row, stored[seed][number]) {
			t.Errorf("%s, seed %s: computed %v, stored %v", table.Name, seed, row, stored[seed])
			return
		}
	}
}

// sameCells compares texts exactly and numbers up to rounding, which may
// differ between processors.
func sameCells(a, b []string) bool {
	const rounding = 1e-9
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] == b[i] {
			continue
		}
		x, errX := strconv.ParseFloat(a[i], 64)
		y, errY := strconv.ParseFloat(b[i], 64)
		if errX != nil || errY != nil || !(math.Abs(x-y) <= rounding*(1+math.Abs(x))) {
			return false
		}
	}
	return true
}

func TestCommand(t *testing.T) {
	var out bytes.Buffer
	if err := run(context.Background(), []string{"-list"}, &out); err != nil || !strings.Contains(out.String(), "integer_decline") {
		t.Errorf("-list printed %q (%v)", out.String(), err)
	}
	if err := run(context.Background(), []string{"integers"}, &out); err == nil || !strings.Contains(err.Error(), `no study is called "integers"; choose from integer, integer_decline`) {
		t.Errorf("unknown study: error = %v", err)
	}
	chosen, err := choose(catalogue, []string{"integer_decline", "integer_decline"})
	if err != nil || len(chosen) != 1 || chosen[0].name != "integer_decline" {
		t.Errorf("chose %v (%v)", chosen, err)
	}
	folder := t.TempDir()
	stopped, stop := context.WithCancel(context.Background())
	stop()
	err = run(stopped, []string{"-results", filepath.Join(folder, "results"), "-work", filepath.Join(folder, "work"), "integer"}, &out)
	if err == nil || !strings.Contains(err.Error(), "integer was interrupted after 0 of 200 units") {
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
	if err := s.carryOut(context.Background(), other, &out); err == nil || !strings.Contains(err.Error(), "-replace") {
		t.Errorf("tables of another configuration: error = %v", err)
	}
	s.replace = true
	if err := s.carryOut(context.Background(), other, &out); err != nil {
		t.Errorf("with -replace: %v", err)
	}
}

package main

// What every study promises: the same outcomes on any number of workers and after an interruption,
// units that refuse another configuration, and settings that are refused by name.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sparsero/directions/notebooks/studies/study"
)

// tabled are the results of a study.
type tabled interface{ Tables() []study.Table }

// contract is a study with configuration C, outcomes R and results S, small enough to
// be run many times.
type contract[C, R any, S tabled] struct {
	Config C
	// Units is the number of units of the configuration.
	Units int
	// Run runs the study.
	Run func(ctx context.Context, c C, o study.Options) (S, error)
	// Base returns what all studies have in their results.
	Base func(S) *study.Results[R]
}

// mustRun runs the study or ends the test.
func (s contract[C, R, S]) mustRun(t testing.TB, c C, o study.Options) S {
	t.Helper()
	r, err := s.Run(context.Background(), c, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// encoded returns the outcomes as text.
func (s contract[C, R, S]) encoded(t testing.TB, r S) string {
	t.Helper()
	var outcomes []R
	for _, u := range s.Base(r).Units {
		outcomes = append(outcomes, u.Result)
	}
	text, err := json.Marshal(outcomes)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// checkWorkersAndCancel compares an uninterrupted run on one worker with runs on
// several, one of them cancelled after the given number of units and resumed.
func (s contract[C, R, S]) checkWorkersAndCancel(t *testing.T, cancelAfter int) {
	t.Helper()
	want := s.encoded(t, s.mustRun(t, s.Config, study.Options{Workers: 1}))
	if got := s.encoded(t, s.mustRun(t, s.Config, study.Options{Workers: 4})); got != want {
		t.Error("four workers gave other outcomes than one")
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	o := study.Options{Workers: 2, Path: filepath.Join(t.TempDir(), "units"), Progress: func(done, _ int) {
		if done == cancelAfter {
			cancel()
		}
	}}
	partial, err := s.Run(ctx, s.Config, o)
	if err != nil {
		t.Fatal(err)
	}
	if r := s.Base(partial); !r.Partial || r.Done < cancelAfter || r.Done == s.Units {
		t.Fatalf("cancelled run: %d units of %d, partial %v", r.Done, s.Units, r.Partial)
	}
	for _, table := range partial.Tables() {
		if table.Frame.Err != nil {
			t.Errorf("table %s of partial results: %v", table.Name, table.Frame.Err)
		}
	}
	o.Progress = nil
	if got := s.encoded(t, s.mustRun(t, s.Config, o)); got != want {
		t.Error("the resumed study differs from the uninterrupted one")
	}
}

// checkForeign stores results and checks that a study with another configuration, and each other
// study, takes none of them; the units stay as they were.
func (s contract[C, R, S]) checkForeign(t *testing.T, changes map[string]func(*C), others map[string]func(context.Context, study.Options) error) {
	t.Helper()
	o := study.Options{Path: filepath.Join(t.TempDir(), "units")}
	s.mustRun(t, s.Config, o)
	kept := readFolder(t, o.Path)
	stopped, stop := context.WithCancel(context.Background())
	stop()
	check := func(name string, want int, run func(context.Context, study.Options) error) {
		found := -1
		o.Progress = func(done, _ int) { found = done }
		if err := run(stopped, o); err != nil || found != want {
			t.Errorf("%s: %d stored units were taken, want %d (%v)", name, found, want, err)
		}
	}
	study := func(c C) func(context.Context, study.Options) error {
		return func(ctx context.Context, o study.Options) error {
			_, err := s.Run(ctx, c, o)
			return err
		}
	}
	check("the same study", s.Units, study(s.Config))
	for field, change := range changes {
		c := s.Config
		change(&c)
		check("another "+field, 0, study(c))
	}
	for name, run := range others {
		check(name, 0, run)
	}
	if !maps.Equal(readFolder(t, o.Path), kept) {
		t.Error("the units were changed")
	}
}

// checkShards computes the study in so many shards, which share a folder, and compares outcomes and tables of the whole
// with those of one run that stores nothing.
func (s contract[C, R, S]) checkShards(t *testing.T, counts ...int) {
	t.Helper()
	whole := s.mustRun(t, s.Config, study.Options{})
	for _, count := range counts {
		o := study.Options{Path: filepath.Join(t.TempDir(), "units")}
		for k := range count {
			o.Shard = study.Shard{Index: k, Count: count}
			if r := s.Base(s.mustRun(t, s.Config, o)); r.Partial != (count > 1) || r.Total != s.Units {
				t.Errorf("shard %v: %d of %d units, partial %v", o.Shard, r.Done, r.Total, r.Partial)
			}
		}
		found := -1
		together := s.mustRun(t, s.Config, study.Options{Path: o.Path, Progress: func(done, _ int) { found = done }})
		if found != s.Units || s.encoded(t, together) != s.encoded(t, whole) {
			t.Errorf("%d shards stored %d of %d units, or give other outcomes than one run", count, found, s.Units)
		}
		s.compareTables(t, together, whole)
	}
}

// compareTables compares the tables of two runs byte for byte.
func (s contract[C, R, S]) compareTables(t *testing.T, got, want S) {
	t.Helper()
	for k, table := range want.Tables() {
		var a, b bytes.Buffer
		if err := errors.Join(got.Tables()[k].WriteCSV(&a), table.WriteCSV(&b)); err != nil {
			t.Fatal(err)
		}
		if a.String() != b.String() {
			t.Errorf("table %s differs:\n%s\nwant\n%s", table.Name, a.String(), b.String())
		}
	}
}

// readFolder returns the files of a folder by name.
func readFolder(t *testing.T, path string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(path)
	if err != nil {
		t.Fatal(err)
	}
	contents := make(map[string]string)
	for _, entry := range entries {
		content, err := os.ReadFile(filepath.Join(path, entry.Name()))
		if err != nil {
			t.Fatal(err)
		}
		contents[entry.Name()] = string(content)
	}
	return contents
}

// checkRefused checks that each change of the configuration gives an error with the
// given words, and no units.
func (s contract[C, R, S]) checkRefused(t *testing.T, changes map[string]func(*C)) {
	t.Helper()
	for want, change := range changes {
		c := s.Config
		change(&c)
		checkError(t, want, func(o study.Options) error {
			_, err := s.Run(context.Background(), c, o)
			return err
		})
	}
}

// checkError checks that a run gives an error with the given words, and no units.
func checkError(t *testing.T, want string, run func(study.Options) error) {
	t.Helper()
	o := study.Options{Path: filepath.Join(t.TempDir(), "units")}
	if err := run(o); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error = %v, want %q", err, want)
	}
	if _, err := os.Stat(o.Path); err == nil {
		t.Errorf("%s: units were stored", want)
	}
}

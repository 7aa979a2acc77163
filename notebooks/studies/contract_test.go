package main

// What every study promises: the same outcomes on any number of workers and after an interruption,
// units that refuse another configuration, and settings that are refused by name.

import (
	"context"
	"encoding/json"
	"errors"
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
	o := study.Options{Workers: 2, Path: filepath.Join(t.TempDir(), "units.jsonl"), Progress: func(done, _ int) {
		if done == cancelAfter {
			cancel()
		}
	}}
	partial, err := s.Run(ctx, s.Config, o)
	if err != nil {
		t.Fatal(err)
	}
	if r := s.Base(partial); !r.Partial() || r.Done < cancelAfter || r.Done == s.Units {
		t.Fatalf("cancelled run: %d units of %d, partial %v", r.Done, s.Units, r.Partial())
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
// study, refuses the file, which stays as it was.
func (s contract[C, R, S]) checkForeign(t *testing.T, changes map[string]func(*C), others map[string]func(context.Context, study.Options) error) {
	t.Helper()
	o := study.Options{Path: filepath.Join(t.TempDir(), "units.jsonl")}
	s.mustRun(t, s.Config, o)
	kept := readFile(t, o.Path)
	computed := -s.Units
	o.Progress = func(done, _ int) { computed += done }
	s.mustRun(t, s.Config, o)
	if computed != 0 {
		t.Errorf("the same study takes %d units more than the %d stored", computed, s.Units)
	}
	check := func(name string, run func(context.Context, study.Options) error) {
		if err := run(context.Background(), o); !errors.Is(err, study.ErrForeign) {
			t.Errorf("%s: error = %v, want ErrForeign", name, err)
		}
	}
	for field, change := range changes {
		c := s.Config
		change(&c)
		check("another "+field, func(ctx context.Context, o study.Options) error {
			_, err := s.Run(ctx, c, o)
			return err
		})
	}
	for name, run := range others {
		check(name, run)
	}
	if readFile(t, o.Path) != kept {
		t.Error("the units were changed")
	}
}

// readFile returns the text of a file.
func readFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
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
	o := study.Options{Path: filepath.Join(t.TempDir(), "units.jsonl")}
	if err := run(o); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error = %v, want %q", err, want)
	}
	if _, err := os.Stat(o.Path); err == nil {
		t.Errorf("%s: units were stored", want)
	}
}

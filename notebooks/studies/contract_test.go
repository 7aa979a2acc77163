package main

// What every study promises: the same outcomes on any number of workers, a record that tells another configuration, and
// settings that are refused by name.

import (
	"context"
	"encoding/json"
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

// checkWorkersAndCancel compares a run on one worker with one on several, and cancels one after the given number of units.
func (s contract[C, R, S]) checkWorkersAndCancel(t *testing.T, cancelAfter int) {
	t.Helper()
	want := s.encoded(t, s.mustRun(t, s.Config, study.Options{Workers: 1}))
	if got := s.encoded(t, s.mustRun(t, s.Config, study.Options{Workers: 4})); got != want {
		t.Error("four workers gave other outcomes than one")
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	o := study.Options{Workers: 2, Progress: func(done, _ int) {
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
}

// checkRecord checks that the record of each changed configuration, and of each other study, is another one.
func (s contract[C, R, S]) checkRecord(t *testing.T, changes map[string]func(*C), others map[string]func(context.Context) (S, error)) {
	t.Helper()
	stopped, stop := context.WithCancel(context.Background())
	stop()
	records := map[string]string{}
	check := func(name string, results S, err error) {
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		record := s.Base(results).About()
		key := record.Study + " " + record.Hash
		if records[key] != "" {
			t.Errorf("the study with %s has the record of that with %s", name, records[key])
		}
		records[key] = name
	}
	results, err := s.Run(stopped, s.Config, study.Options{})
	check("no change", results, err)
	for field, change := range changes {
		c := s.Config
		change(&c)
		results, err := s.Run(stopped, c, study.Options{})
		check("another "+field, results, err)
	}
	for name, run := range others {
		results, err := run(stopped)
		check(name, results, err)
	}
}

// checkRefused checks that each change of the configuration gives an error with the
// given words.
func (s contract[C, R, S]) checkRefused(t *testing.T, changes map[string]func(*C)) {
	t.Helper()
	for want, change := range changes {
		c := s.Config
		change(&c)
		_, err := s.Run(context.Background(), c, study.Options{})
		checkError(t, want, err)
	}
}

// checkError checks that a run gave an error with the given words.
func checkError(t *testing.T, want string, err error) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error = %v, want %q", err, want)
	}
}

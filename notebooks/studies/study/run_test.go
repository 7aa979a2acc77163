package study

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
)

// walk is the result of the test experiment: a few numbers that use all their bits.
type walk struct {
	Mean  float64
	Path  []float64
	Count uint64
	Note  string
}

type walkConfiguration struct {
	Steps int
	Scale float64
}

// walks is an experiment of random walks; computed counts the units it runs.
func walks(units, steps int, computed *atomic.Int64) Experiment[walk] {
	keys := make([]string, units)
	for i := range keys {
		keys[i] = strconv.Itoa(i)
	}
	return Experiment[walk]{
		Name: "walks", Version: "1", Configuration: walkConfiguration{Steps: steps, Scale: 0.1}, Units: keys,
		Run: func(ctx context.Context, unit int) (walk, error) {
			if err := ctx.Err(); err != nil {
				return walk{}, err
			}
			if computed != nil {
				computed.Add(1)
			}
			random := rand.New(rand.NewPCG(7, uint64(unit)))
			w := walk{Count: random.Uint64(), Note: "<&> é\u2028"}
			position := 0.0
			for range steps {
				position += 0.1 * random.NormFloat64()
				w.Path = append(w.Path, position)
				w.Mean += position / float64(steps)
			}
			return w, nil
		},
	}
}

func mustRun(t *testing.T, e Experiment[walk], o Options) *Results[walk] {
	t.Helper()
	results, err := Run(context.Background(), e, o)
	if err != nil {
		t.Fatal(err)
	}
	return results
}

// sameBits compares results by the bits of their numbers.
func sameBits(t *testing.T, got, want *Results[walk]) {
	t.Helper()
	if text := difference(got, want); text != "" {
		t.Fatal(text)
	}
}

// difference says where results differ in a bit of their numbers, "" if they do not.
func difference(got, want *Results[walk]) string {
	if got.Done != want.Done || got.Partial() != want.Partial() || got.Hash != want.Hash || len(got.Units) != len(want.Units) {
		return fmt.Sprintf("got %d units of %d, want %d of %d", got.Done, len(got.Keys), want.Done, len(want.Keys))
	}
	for i, w := range want.Units {
		g := got.Units[i]
		same := g.Unit == w.Unit && g.Result.Count == w.Result.Count && g.Result.Note == w.Result.Note &&
			math.Float64bits(g.Result.Mean) == math.Float64bits(w.Result.Mean) && len(g.Result.Path) == len(w.Result.Path)
		for k := 0; same && k < len(w.Result.Path); k++ {
			same = math.Float64bits(g.Result.Path[k]) == math.Float64bits(w.Result.Path[k])
		}
		if !same {
			return fmt.Sprintf("unit %q differs:\n got %+v\nwant %+v", w.Unit, g.Result, w.Result)
		}
	}
	return ""
}

func TestSameResultsOnAnyNumberOfWorkers(t *testing.T) {
	want := mustRun(t, walks(20, 5, nil), Options{Workers: 1})
	if want.Done != 20 || want.Partial() {
		t.Fatalf("got %d units, partial %v", want.Done, want.Partial())
	}
	for _, workers := range []int{0, 2, 4, 50} {
		sameBits(t, mustRun(t, walks(20, 5, nil), Options{Workers: workers}), want)
	}
	sameBits(t, mustRun(t, walks(20, 5, nil), Options{Workers: 4, Path: filepath.Join(t.TempDir(), "new", "walks")}), want)
}

func TestCancelledStudyIsPartialAndGoesOn(t *testing.T) {
	want := mustRun(t, walks(12, 5, nil), Options{Workers: 1})
	path := filepath.Join(t.TempDir(), "walks")
	var computed atomic.Int64
	ctx, cancel := context.WithCancel(context.Background())
	partial, err := Run(ctx, walks(12, 5, &computed), Options{Workers: 2, Path: path, Progress: func(done, _ int) {
		if done == 4 {
			cancel()
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if !partial.Partial() || partial.Done < 4 || partial.Done == 12 || partial.Done != len(partial.Units) {
		t.Fatalf("after cancelling at 4 units: %d units, partial %v", partial.Done, partial.Partial())
	}
	sameBits(t, mustRun(t, walks(12, 5, &computed), Options{Workers: 2, Path: path}), want)
	if computed.Load() != 12 {
		t.Errorf("%d units were computed in the two runs, want each of the 12 once", computed.Load())
	}
	again := mustRun(t, walks(12, 5, &computed), Options{Path: path})
	if computed.Load() != 12 || again.Done != 12 || again.UnitSeconds <= 0 {
		t.Errorf("a finished study computed %d more units, has %d and took %v s", computed.Load()-12, again.Done, again.UnitSeconds)
	}
}

func TestMoreAndFewerUnitsShareAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "walks")
	mustRun(t, walks(4, 5, nil), Options{Path: path})
	var computed atomic.Int64
	sameBits(t, mustRun(t, walks(9, 5, &computed), Options{Path: path}), mustRun(t, walks(9, 5, nil), Options{}))
	if computed.Load() != 5 {
		t.Errorf("going from 4 to 9 units computed %d units, want 5", computed.Load())
	}
	before := readFile(t, path)
	sameBits(t, mustRun(t, walks(2, 5, nil), Options{Path: path}), mustRun(t, walks(2, 5, nil), Options{}))
	if readFile(t, path) != before {
		t.Error("asking for fewer units changed the file")
	}
}

func TestFailedUnitIsNamedAndTheOthersKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "walks")
	broken := walks(6, 5, nil)
	inner, cause := broken.Run, errors.New("no solution")
	broken.Run = func(ctx context.Context, unit int) (walk, error) {
		if unit >= 3 {
			return walk{}, cause
		}
		return inner(ctx, unit)
	}
	if _, err := Run(context.Background(), broken, Options{Workers: 1, Path: path}); !errors.Is(err, cause) || !strings.Contains(err.Error(), `unit "3"`) {
		t.Errorf("error = %v, want the cause and the failed unit", err)
	}
	var computed atomic.Int64
	mustRun(t, walks(6, 5, &computed), Options{Path: path})
	if computed.Load() != 3 {
		t.Errorf("the repaired study computed %d units, want the 3 missing ones", computed.Load())
	}
}

// A configuration that fails at its first unit is corrected next: nothing must
// stand in the way, and what has results must stay.
func TestFailureBeforeTheFirstUnitLeavesNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "walks")
	broken := walks(3, 5, nil)
	broken.Run = func(context.Context, int) (walk, error) { return walk{}, errors.New("no such data") }
	if _, err := Run(context.Background(), broken, Options{Path: path}); err == nil {
		t.Fatal("a broken study has no error")
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the failed run left a file (%v)", err)
	}
	mustRun(t, walks(2, 6, nil), Options{Path: path})
	before := readFile(t, path)
	broken = walks(4, 6, nil)
	broken.Run = func(context.Context, int) (walk, error) { return walk{}, errors.New("no such data") }
	if _, err := Run(context.Background(), broken, Options{Path: path}); err == nil || readFile(t, path) != before {
		t.Errorf("results were changed by a failed run (%v)", err)
	}
}

func TestResultThatCannotBeStored(t *testing.T) {
	e := walks(2, 5, nil)
	e.Run = func(context.Context, int) (walk, error) { return walk{Mean: math.NaN()}, nil }
	if _, err := Run(context.Background(), e, Options{}); err == nil || !strings.Contains(err.Error(), "NaN") {
		t.Errorf("error = %v, want one that speaks of NaN", err)
	}
}

// TestInterruptionIsNoFailure ends the context before the run and by its deadline; a unit that fails is an
// error though its failure ended the context of the others.
func TestInterruptionIsNoFailure(t *testing.T) {
	cause := errors.New("the user has left")
	stopped, stop := context.WithCancelCause(context.Background())
	stop(cause)
	expired, cancel := context.WithTimeout(context.Background(), 0)
	defer cancel()
	for _, ctx := range []context.Context{stopped, expired} {
		if results, err := Run(ctx, walks(3, 5, nil), Options{}); err != nil || results.Done != 0 || !results.Partial() {
			t.Errorf("%v: %+v (%v)", context.Cause(ctx), results, err)
		}
	}
	broken := walks(50, 5, nil)
	broken.Run = func(ctx context.Context, unit int) (walk, error) {
		if unit == 1 {
			return walk{}, cause
		}
		<-ctx.Done() // of the failure, else the test would not end
		return walk{}, ctx.Err()
	}
	if _, err := Run(context.Background(), broken, Options{Workers: 3}); !errors.Is(err, cause) {
		t.Errorf("error = %v, want the failure", err)
	}
}

func TestProgress(t *testing.T) {
	path := filepath.Join(t.TempDir(), "walks")
	mustRun(t, walks(2, 5, nil), Options{Path: path})
	var seen []string
	mustRun(t, walks(4, 5, nil), Options{Workers: 1, Path: path, Progress: func(done, total int) {
		seen = append(seen, fmt.Sprintf("%d/%d", done, total))
	}})
	if got, want := strings.Join(seen, " "), "2/4 3/4 4/4"; got != want {
		t.Errorf("progress %q, want %q", got, want)
	}
}

func TestInvalidExperiments(t *testing.T) {
	for want, change := range map[string]func(*Experiment[walk]){
		"units":         func(e *Experiment[walk]) { e.Units = nil },
		`both "0"`:      func(e *Experiment[walk]) { e.Units[1] = "0" },
		"configuration": func(e *Experiment[walk]) { e.Configuration = math.Inf(1) },
	} {
		e, o := walks(3, 5, nil), Options{Path: filepath.Join(t.TempDir(), "walks")}
		change(&e)
		if _, err := Run(context.Background(), e, o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error = %v, want %q", err, want)
		}
		if _, err := os.Stat(o.Path); err == nil {
			t.Errorf("%s: a file was created", want)
		}
	}
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

func writeFile(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

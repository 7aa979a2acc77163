package study

import (
	"context"
	"errors"
	"fmt"
	"maps"
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
		Name: "walks", Version: "1", Seed: 7, Configuration: walkConfiguration{Steps: steps, Scale: 0.1}, Units: keys,
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
	if got.Done != want.Done || got.Partial != want.Partial || got.Hash != want.Hash || len(got.Units) != len(want.Units) {
		t.Fatalf("got %d units (partial %v), want %d (partial %v)", got.Done, got.Partial, want.Done, want.Partial)
	}
	for i, w := range want.Units {
		g := got.Units[i]
		same := g.Unit == w.Unit && g.Result.Count == w.Result.Count && g.Result.Note == w.Result.Note &&
			math.Float64bits(g.Result.Mean) == math.Float64bits(w.Result.Mean) && len(g.Result.Path) == len(w.Result.Path)
		for k := 0; same && k < len(w.Result.Path); k++ {
			same = math.Float64bits(g.Result.Path[k]) == math.Float64bits(w.Result.Path[k])
		}
		if !same {
			t.Fatalf("unit %q differs:\n got %+v\nwant %+v", w.Unit, g.Result, w.Result)
		}
	}
}

func TestSameResultsOnAnyNumberOfWorkers(t *testing.T) {
	want := mustRun(t, walks(20, 5, nil), Options{Workers: 1})
	if want.Done != 20 || want.Partial {
		t.Fatalf("got %d units, partial %v", want.Done, want.Partial)
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
	if !partial.Partial || partial.Done < 4 || partial.Done == 12 || partial.Done != len(partial.Units) {
		t.Fatalf("after cancelling at 4 units: %d units, partial %v", partial.Done, partial.Partial)
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

func TestMoreAndFewerUnitsShareAFolder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "walks")
	mustRun(t, walks(4, 5, nil), Options{Path: path})
	var computed atomic.Int64
	sameBits(t, mustRun(t, walks(9, 5, &computed), Options{Path: path}), mustRun(t, walks(9, 5, nil), Options{}))
	if computed.Load() != 5 {
		t.Errorf("going from 4 to 9 units computed %d units, want 5", computed.Load())
	}
	before := readFolder(t, path)
	sameBits(t, mustRun(t, walks(2, 5, nil), Options{Path: path}), mustRun(t, walks(2, 5, nil), Options{}))
	if !maps.Equal(readFolder(t, path), before) {
		t.Error("asking for fewer units changed the folder")
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
	results, err := Run(context.Background(), broken, Options{Workers: 1, Path: path})
	if !errors.Is(err, cause) || !strings.Contains(err.Error(), `unit "3" of walks`) {
		t.Errorf("error = %v, want the cause and the first failed unit", err)
	}
	if !results.Partial || results.Done != 3 {
		t.Errorf("%d units done, partial %v; want 3, true", results.Done, results.Partial)
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
		t.Errorf("the failed run left a folder (%v)", err)
	}
	mustRun(t, walks(2, 6, nil), Options{Path: path})
	before := readFolder(t, path)
	broken = walks(4, 6, nil)
	broken.Run = func(context.Context, int) (walk, error) { return walk{}, errors.New("no such data") }
	if _, err := Run(context.Background(), broken, Options{Path: path}); err == nil || !maps.Equal(readFolder(t, path), before) {
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
		"walks has no units":                  func(e *Experiment[walk]) { e.Units = nil },
		`units 0 and 1 of walks are both "0"`: func(e *Experiment[walk]) { e.Units[1] = "0" },
		"the configuration of walks cannot":   func(e *Experiment[walk]) { e.Configuration = math.Inf(1) },
	} {
		e, o := walks(3, 5, nil), Options{Path: filepath.Join(t.TempDir(), "walks")}
		change(&e)
		if _, err := Run(context.Background(), e, o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error = %v, want %q", err, want)
		}
		if _, err := os.Stat(o.Path); err == nil {
			t.Errorf("%s: a folder was created", want)
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

// readFolder returns the files of a folder by name.
func readFolder(t *testing.T, path string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(path)
	if err != nil {
		t.Fatal(err)
	}
	contents := make(map[string]string)
	for _, entry := range entries {
		contents[entry.Name()] = readFile(t, filepath.Join(path, entry.Name()))
	}
	return contents
}

func writeFile(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

package study

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"
)

// finishedFile returns the file of a finished study.
func finishedFile(t *testing.T, units, steps int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "walks.jsonl")
	mustRun(t, walks(units, steps, nil), Options{Workers: 1, Path: path})
	return path
}

// TestFileOfUnits has a line for the origin and one for each unit.
func TestFileOfUnits(t *testing.T) {
	path := finishedFile(t, 2, 1)
	mustRun(t, walks(3, 1, nil), Options{Workers: 1, Path: path})
	lines := strings.SplitAfter(readFile(t, path), "\n")
	for k, begin := range []string{`{"study":"walks","version":"1","configuration_hash":`, `{"unit":"0",`, `{"unit":"1",`, `{"unit":"2",`} {
		if !strings.HasPrefix(lines[k], begin) || !strings.HasSuffix(lines[k], "}\n") {
			t.Errorf("line %d is %q", k+1, lines[k])
		}
	}
	if len(lines) != 5 || lines[4] != "" || !strings.Contains(lines[0], `"configuration":{"Steps":1,"Scale":0.1}`) {
		t.Errorf("%q", lines)
	}
}

// TestTornFiles cuts the file of units after every byte: the next run computes what is
// incomplete, and nothing else; and the run after it nothing.
func TestTornFiles(t *testing.T) {
	path := finishedFile(t, 2, 1)
	content, want := readFile(t, path), mustRun(t, walks(2, 1, nil), Options{})
	ends := []int{ // of the units; their line breaks may be missing
		len(strings.Join(strings.SplitAfter(content, "\n")[:2], "")) - 1, len(content) - 1,
	}
	for cut := range len(content) + 1 {
		writeFile(t, path, content[:cut])
		whole := 0
		for _, end := range ends {
			if cut >= end {
				whole++
			}
		}
		var computed atomic.Int64
		for run := range 2 {
			sameBits(t, mustRun(t, walks(2, 1, &computed), Options{Workers: 1, Path: path}), want)
			if int(computed.Load()) != 2-whole {
				t.Fatalf("cut after byte %d of %d: %d units were computed after run %d, want %d", cut, len(content), computed.Load(), run, 2-whole)
			}
		}
	}
}

// TestInterruptedAgainAndAgain tears the file at random bytes between runs that ask for different
// numbers of units, some of them cancelled: what was whole is never computed again.
func TestInterruptedAgainAndAgain(t *testing.T) {
	folder := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		path := filepath.Join(folder, "walks.jsonl")
		os.Remove(path)
		for range rapid.IntRange(1, 5).Draw(t, "runs") {
			count, most := rapid.IntRange(1, 8).Draw(t, "units"), rapid.IntRange(0, 8).Draw(t, "units before the end")
			stored := wholeUnits(path)
			var computed atomic.Int64
			ctx, cancel := context.WithCancel(context.Background())
			results, err := Run(ctx, walks(count, 2, &computed), Options{Workers: rapid.IntRange(1, 3).Draw(t, "workers"), Path: path, Progress: func(done, _ int) {
				if done >= most {
					cancel()
				}
			}})
			cancel()
			if err != nil {
				t.Fatal(err)
			}
			for _, unit := range results.Units {
				if !stored[unit.Unit] {
					computed.Add(-1)
				}
			}
			if computed.Load() != 0 {
				t.Fatalf("%d units were computed again", computed.Load())
			}
			if text, err := os.ReadFile(path); err == nil {
				if err := os.Truncate(path, int64(rapid.IntRange(0, len(text)).Draw(t, "cut"))); err != nil {
					t.Fatal(err)
				}
			}
		}
		got, err := Run(context.Background(), walks(8, 2, nil), Options{Path: path})
		if err != nil {
			t.Fatal(err)
		}
		want, err := Run(context.Background(), walks(8, 2, nil), Options{})
		if err != nil || difference(got, want) != "" {
			t.Fatalf("%s (%v)", difference(got, want), err)
		}
	})
}

// wholeUnits returns the keys of the units that stand in a file with their last brace.
func wholeUnits(path string) map[string]bool {
	keys := make(map[string]bool)
	text, _ := os.ReadFile(path) // none yet: no units
	for line := range strings.Lines(string(text)) {
		if key, found := strings.CutPrefix(line, `{"unit":"`); found && strings.HasSuffix(strings.TrimSpace(line), "}}") {
			keys[key[:strings.IndexByte(key, '"')]] = true
		}
	}
	return keys
}

// TestAnotherExperimentIsRefused runs experiments that differ in one property with the file of a
// finished one: it is an error that changes nothing.
func TestAnotherExperimentIsRefused(t *testing.T) {
	for name, change := range map[string]func(*Experiment[walk]){
		"study":         func(e *Experiment[walk]) { e.Name = "runs" },
		"version":       func(e *Experiment[walk]) { e.Version = "2" },
		"configuration": func(e *Experiment[walk]) { e.Configuration = walkConfiguration{Steps: 3, Scale: 0.2} },
	} {
		path := finishedFile(t, 2, 3)
		before := readFile(t, path)
		var computed atomic.Int64
		e := walks(2, 3, &computed)
		change(&e)
		if _, err := Run(context.Background(), e, Options{Path: path}); !errors.Is(err, ErrForeign) || !strings.Contains(err.Error(), path) {
			t.Errorf("another %s: error = %v, want ErrForeign and the file", name, err)
		}
		if readFile(t, path) != before || computed.Load() != 0 {
			t.Errorf("another %s computed %d units, or changed the file", name, computed.Load())
		}
	}
}

// TestAFileOfSomethingElseIsLeftAlone, whether it has lines of JSON or not.
func TestAFileOfSomethingElseIsLeftAlone(t *testing.T) {
	path := finishedFile(t, 2, 1)
	_, units, _ := strings.Cut(readFile(t, path), "\n")
	for _, text := range []string{"a,b\n1,2\n", "{}\n", "null\n", "\n", "x", units, `{"study":"walkers` + "\n"} {
		writeFile(t, path, text)
		if _, err := Run(context.Background(), walks(2, 1, nil), Options{Path: path}); !errors.Is(err, ErrForeign) || readFile(t, path) != text {
			t.Errorf("%q: error = %v, and now %q", text, err, readFile(t, path))
		}
	}
}

// TestUnitsOfAnotherTypeAreComputedAgain resumes with a result type that no longer fits.
func TestUnitsOfAnotherTypeAreComputedAgain(t *testing.T) {
	type mean struct{ Mean float64 }
	path := finishedFile(t, 2, 3)
	other, computed := walks(2, 3, nil), 0
	results, err := Run(context.Background(), Experiment[mean]{
		Name: other.Name, Version: other.Version, Configuration: other.Configuration, Units: other.Units,
		Run: func(context.Context, int) (mean, error) { computed++; return mean{5}, nil },
	}, Options{Workers: 1, Path: path})
	if err != nil || computed != 2 || results.Units[1].Result.Mean != 5 {
		t.Errorf("%d units were computed: %+v (%v)", computed, results, err)
	}
}

// TestTwoRunsMayShareAFile computes a study inside a unit of the same study.
func TestTwoRunsMayShareAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "walks.jsonl")
	want := mustRun(t, walks(2, 3, nil), Options{})
	first := walks(2, 3, nil)
	inner := first.Run
	first.Run = func(ctx context.Context, unit int) (walk, error) {
		second, err := Run(ctx, walks(2, 3, nil), Options{Path: path})
		if err != nil {
			return walk{}, err
		}
		sameBits(t, second, want)
		return inner(ctx, unit)
	}
	sameBits(t, mustRun(t, first, Options{Workers: 1, Path: path}), want)
	var computed atomic.Int64
	sameBits(t, mustRun(t, walks(2, 3, &computed), Options{Path: path}), want)
	if computed.Load() != 0 {
		t.Errorf("%d units were computed again", computed.Load())
	}
}

func TestUnusablePath(t *testing.T) {
	blocked := filepath.Join(t.TempDir(), "file")
	writeFile(t, blocked, "")
	for _, path := range []string{filepath.Dir(blocked), filepath.Join(blocked, "walks.jsonl")} {
		if _, err := Run(context.Background(), walks(2, 3, nil), Options{Path: path}); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s was accepted as a file (%v)", path, err)
		}
	}
}

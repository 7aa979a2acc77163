package study

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
)

// finishedFile returns the results file of a finished study with its lines in unit order.
func finishedFile(t *testing.T, units, steps int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "walks.jsonl")
	mustRun(t, walks(units, steps, nil), Options{Workers: 1, Path: path})
	return readFile(t, path)
}

// TestTornWrites cuts a finished file after every byte, as a kill during a
// write does, and resumes.
func TestTornWrites(t *testing.T) {
	const units = 2
	content := finishedFile(t, units, 1)
	want := mustRun(t, walks(units, 1, nil), Options{})
	path := filepath.Join(t.TempDir(), "walks.jsonl")
	for cut := range len(content) + 1 {
		writeFile(t, path, content[:cut])
		var computed atomic.Int64
		got, err := Run(context.Background(), walks(units, 1, &computed), Options{Workers: 1, Path: path})
		if err != nil {
			t.Fatalf("cut after byte %d of %d: %v", cut, len(content), err)
		}
		sameBits(t, got, want)
		// A line is whole when at most its newline is missing; the header always is or is written anew.
		whole := max(0, strings.Count(content[:min(cut+1, len(content))], "\n")-1)
		if int(computed.Load()) != units-whole || got.Resumed != whole {
			t.Fatalf("cut after byte %d: computed %d units and resumed %d; want %d and %d", cut, computed.Load(), got.Resumed, units-whole, whole)
		}
		again := mustRun(t, walks(units, 1, nil), Options{Path: path})
		if again.Resumed != units {
			t.Fatalf("cut after byte %d: the repaired file holds %d units", cut, again.Resumed)
		}
	}
}

// TestZeroedTail resumes from a file whose last line is zeros, as a power cut leaves it.
func TestZeroedTail(t *testing.T) {
	content := finishedFile(t, 3, 3)
	path := filepath.Join(t.TempDir(), "walks.jsonl")
	last := strings.LastIndexByte(strings.TrimSuffix(content, "\n"), '\n') + 1
	writeFile(t, path, content[:last]+strings.Repeat("\x00", len(content)-last))
	got := mustRun(t, walks(3, 3, nil), Options{Path: path})
	if got.Resumed != 2 || got.Partial {
		t.Errorf("resumed %d units, partial %v; want 2, false", got.Resumed, got.Partial)
	}
}

// TestEveryChangedByteIsNoticed changes each byte of a finished file.
func TestEveryChangedByteIsNoticed(t *testing.T) {
	content := finishedFile(t, 2, 3)
	want := mustRun(t, walks(2, 3, nil), Options{})
	path := filepath.Join(t.TempDir(), "walks.jsonl")
	for i := range len(content) {
		for _, flip := range []byte{0x01, 0x20, 0x80} {
			changed := []byte(content)
			changed[i] ^= flip
			writeFile(t, path, string(changed))
			got, err := Run(context.Background(), walks(2, 3, nil), Options{Workers: 1, Path: path})
			if i == len(content)-1 { // without its newline the last line counts as torn
				if err != nil {
					t.Fatalf("last newline changed: %v", err)
				}
				sameBits(t, got, want)
				continue
			}
			if !errors.Is(err, ErrCorrupt) && !errors.Is(err, ErrForeign) {
				t.Fatalf("byte %d (%q) changed by %#x: error = %v", i, content[i], flip, err)
			}
			if readFile(t, path) != string(changed) {
				t.Fatalf("byte %d changed by %#x: the file was overwritten", i, flip)
			}
		}
	}
}

func TestCorruptLineIsNamed(t *testing.T) {
	content := finishedFile(t, 4, 3)
	lines := strings.SplitAfter(content, "\n")
	for name, test := range map[string]struct {
		content string
		line    int
		want    string
	}{
		"changed digit": {strings.Replace(content, `"Mean":0.`, `"Mean":1.`, 1), 0, "does not match its checksum"},
		"no JSON":       {lines[0] + lines[1] + "hello\n" + lines[2], 3, "not a record"},
		"empty line":    {lines[0] + "\n" + lines[1], 2, "not a record"},
		"unit twice":    {content + lines[2], 6, `unit "1" is already on line 3`},
		"header twice":  {lines[0] + lines[0], 2, "not a record"},
		"header":        {strings.Replace(content, `"seed":7`, `"seed":8`, 1), 1, "does not match its checksum"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "walks.jsonl")
			writeFile(t, path, test.content)
			_, err := Run(context.Background(), walks(4, 3, nil), Options{Path: path})
			if !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), path) {
				t.Fatalf("error = %v, want ErrCorrupt with %q and the path", err, test.want)
			}
			if test.line != 0 && !strings.Contains(err.Error(), fmt.Sprintf("line %d of", test.line)) {
				t.Errorf("error = %v, want line %d", err, test.line)
			}
			if readFile(t, path) != test.content {
				t.Error("the file was changed")
			}
		})
	}
}

func TestForeignFileIsNamed(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*Experiment[walk])
		field  string
		text   string
	}{
		"study":         {func(e *Experiment[walk]) { e.Name = "runs" }, "study", "its study is walks, this experiment has runs"},
		"version":       {func(e *Experiment[walk]) { e.Version = "2" }, "version", "its version is 1"},
		"seed":          {func(e *Experiment[walk]) { e.Seed = 8 }, "seed", "its seed is 7, this experiment has 8"},
		"configuration": {func(e *Experiment[walk]) { e.Configuration = walkConfiguration{Steps: 3, Scale: 0.2} }, "configuration field Scale", "is 0.1, this experiment has 0.2"},
		"missing field": {func(e *Experiment[walk]) { e.Configuration = map[string]int{"Steps": 3} }, "configuration field Scale", "has absent"},
		"other kind":    {func(e *Experiment[walk]) { e.Configuration = 3 }, "configuration", "this experiment has 3"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "walks.jsonl")
			content := finishedFile(t, 2, 3)
			writeFile(t, path, content)
			e := walks(2, 3, nil)
			test.change(&e)
			_, err := Run(context.Background(), e, Options{Path: path})
			if !errors.Is(err, ErrForeign) || !strings.Contains(err.Error(), "its "+test.field+" is ") || !strings.Contains(err.Error(), test.text) {
				t.Fatalf("error = %v, want ErrForeign about %s with %q", err, test.field, test.text)
			}
			if readFile(t, path) != content {
				t.Error("the file was changed")
			}
		})
	}
	for name, content := range map[string]string{"CSV": "policy,B\ngreedy,1\n", "no newline": "notes", "JSON": "{\"a\":1}\n"} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "walks.jsonl")
			writeFile(t, path, content)
			if _, err := Run(context.Background(), walks(2, 3, nil), Options{Path: path}); !errors.Is(err, ErrForeign) {
				t.Errorf("error = %v, want ErrForeign", err)
			}
			if readFile(t, path) != content {
				t.Error("the file was changed")
			}
		})
	}
}

// TestResultOfAnotherTypeIsNoticed resumes with a result type that no longer fits.
func TestResultOfAnotherTypeIsNoticed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "walks.jsonl")
	writeFile(t, path, finishedFile(t, 2, 3))
	other := walks(2, 3, nil)
	_, err := Run(context.Background(), Experiment[struct{ Mean float64 }]{
		Name: other.Name, Version: other.Version, Seed: other.Seed, Configuration: other.Configuration, Units: other.Units,
		Run: func(context.Context, int) (struct{ Mean float64 }, error) { return struct{ Mean float64 }{}, nil },
	}, Options{Path: path})
	if !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), "does not fit") {
		t.Errorf("error = %v, want ErrCorrupt that says the result does not fit", err)
	}
}

func TestTwoRunsDoNotShareAFile(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "plan9" {
		t.Skip("this system has no lock that ends with the process")
	}
	path := filepath.Join(t.TempDir(), "walks.jsonl")
	first := walks(2, 3, nil)
	inner := first.Run
	first.Run = func(ctx context.Context, unit int) (walk, error) {
		if _, err := Run(ctx, walks(2, 3, nil), Options{Path: path}); !errors.Is(err, ErrBusy) {
			t.Errorf("second run: error = %v, want ErrBusy", err)
		}
		return inner(ctx, unit)
	}
	mustRun(t, first, Options{Workers: 1, Path: path})
	mustRun(t, walks(2, 3, nil), Options{Path: path}) // free again
}

func TestUnusablePath(t *testing.T) {
	if _, err := Run(context.Background(), walks(2, 3, nil), Options{Path: t.TempDir()}); err == nil {
		t.Error("a folder was accepted as results file")
	}
	blocked := filepath.Join(t.TempDir(), "file")
	writeFile(t, blocked, "x")
	if _, err := Run(context.Background(), walks(2, 3, nil), Options{Path: filepath.Join(blocked, "walks.jsonl")}); err == nil {
		t.Error("a path below a file was accepted")
	}
}

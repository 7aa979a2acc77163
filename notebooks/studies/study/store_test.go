package study

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// finishedFolder returns the folder of a finished study and its only file.
func finishedFolder(t *testing.T, units, steps int) (folder, file string) {
	t.Helper()
	folder = filepath.Join(t.TempDir(), "walks")
	mustRun(t, walks(units, steps, nil), Options{Workers: 1, Path: folder})
	files, err := os.ReadDir(folder)
	if err != nil || len(files) != 1 {
		t.Fatalf("%d files of units (%v)", len(files), err)
	}
	return folder, filepath.Join(folder, files[0].Name())
}

// TestTornFiles cuts the file of units after every byte: the next run computes what is
// incomplete, and nothing else.
func TestTornFiles(t *testing.T) {
	folder, file := finishedFolder(t, 2, 1)
	content, want := readFile(t, file), mustRun(t, walks(2, 1, nil), Options{})
	second := strings.LastIndex(content, "\n")
	for cut := range len(content) + 1 {
		writeFile(t, file, content[:cut])
		whole := 0
		if cut >= second {
			whole++
		}
		if cut == len(content) {
			whole++
		}
		var computed atomic.Int64
		sameBits(t, mustRun(t, walks(2, 1, &computed), Options{Workers: 1, Path: folder}), want)
		if int(computed.Load()) != 2-whole {
			t.Fatalf("cut after byte %d of %d: %d units were computed, want %d", cut, len(content), computed.Load(), 2-whole)
		}
		sameBits(t, mustRun(t, walks(2, 1, &computed), Options{Path: folder}), want)
		if int(computed.Load()) != 2-whole {
			t.Fatalf("cut after byte %d of %d: the units after the torn one were lost", cut, len(content))
		}
	}
}

// TestAnotherExperimentHasItsOwnFile runs experiments that differ in one property in the folder of
// a finished one: none takes its units, and its file stays.
func TestAnotherExperimentHasItsOwnFile(t *testing.T) {
	for name, change := range map[string]func(*Experiment[walk]){
		"study":         func(e *Experiment[walk]) { e.Name = "runs" },
		"version":       func(e *Experiment[walk]) { e.Version = "2" },
		"seed":          func(e *Experiment[walk]) { e.Seed = 8 },
		"configuration": func(e *Experiment[walk]) { e.Configuration = walkConfiguration{Steps: 3, Scale: 0.2} },
	} {
		folder, file := finishedFolder(t, 2, 3)
		before := readFile(t, file)
		var computed atomic.Int64
		e := walks(2, 3, &computed)
		change(&e)
		mustRun(t, e, Options{Path: folder})
		if computed.Load() != 2 {
			t.Errorf("another %s computed %d units, want both", name, computed.Load())
		}
		if files := readFolder(t, folder); len(files) != 2 || readFile(t, file) != before {
			t.Errorf("another %s left %d files, or changed the first", name, len(files))
		}
	}
}

// TestUnitsOfAnotherTypeAreComputedAgain resumes with a result type that no longer fits.
func TestUnitsOfAnotherTypeAreComputedAgain(t *testing.T) {
	type mean struct{ Mean float64 }
	folder, _ := finishedFolder(t, 2, 3)
	other, computed := walks(2, 3, nil), 0
	results, err := Run(context.Background(), Experiment[mean]{
		Name: other.Name, Version: other.Version, Seed: other.Seed, Configuration: other.Configuration, Units: other.Units,
		Run: func(context.Context, int) (mean, error) { computed++; return mean{5}, nil },
	}, Options{Workers: 1, Path: folder})
	if err != nil || computed != 2 || results.Units[1].Result.Mean != 5 {
		t.Errorf("%d units were computed: %+v (%v)", computed, results, err)
	}
}

// TestTwoRunsMayShareAFolder computes a study inside a unit of the same study.
func TestTwoRunsMayShareAFolder(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "walks")
	want := mustRun(t, walks(2, 3, nil), Options{})
	first := walks(2, 3, nil)
	inner := first.Run
	first.Run = func(ctx context.Context, unit int) (walk, error) {
		second, err := Run(ctx, walks(2, 3, nil), Options{Path: folder})
		if err != nil {
			return walk{}, err
		}
		sameBits(t, second, want)
		return inner(ctx, unit)
	}
	sameBits(t, mustRun(t, first, Options{Workers: 1, Path: folder}), want)
	var computed atomic.Int64
	sameBits(t, mustRun(t, walks(2, 3, &computed), Options{Path: folder}), want)
	if computed.Load() != 0 {
		t.Errorf("%d units were computed again", computed.Load())
	}
}

func TestUnusablePath(t *testing.T) {
	blocked := filepath.Join(t.TempDir(), "file")
	writeFile(t, blocked, "x")
	for _, path := range []string{blocked, filepath.Join(blocked, "walks")} {
		if _, err := Run(context.Background(), walks(2, 3, nil), Options{Path: path}); err == nil || !strings.Contains(err.Error(), blocked) {
			t.Errorf("%s was accepted as a folder (%v)", path, err)
		}
	}
}

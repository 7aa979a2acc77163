package study

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// finishedFolder returns the folder of a finished study and one of its files.
func finishedFolder(t *testing.T, units, steps int) (folder, file string) {
	t.Helper()
	folder = filepath.Join(t.TempDir(), "walks")
	mustRun(t, walks(units, steps, nil), Options{Workers: 1, Path: folder})
	return folder, filepath.Join(folder, "1.json")
}

// TestTornFiles cuts the file of a unit after every byte: what is incomplete is named and stays.
func TestTornFiles(t *testing.T) {
	folder, file := finishedFolder(t, 2, 1)
	content := readFile(t, file)
	for cut := range len(content) - 1 { // without its newline the object is whole
		writeFile(t, file, content[:cut])
		_, err := Run(context.Background(), walks(2, 1, nil), Options{Path: folder})
		if !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), file) {
			t.Fatalf("cut after byte %d of %d: error = %v, want ErrCorrupt with the path", cut, len(content), err)
		}
		if readFile(t, file) != content[:cut] {
			t.Fatalf("cut after byte %d: the file was changed", cut)
		}
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	var computed atomic.Int64
	sameBits(t, mustRun(t, walks(2, 1, &computed), Options{Path: folder}), mustRun(t, walks(2, 1, nil), Options{}))
	if computed.Load() != 1 {
		t.Errorf("%d units were computed, want the one whose file was removed", computed.Load())
	}
}

// TestUnfinishedFilesDoNotCount resumes beside what a kill during a write leaves.
func TestUnfinishedFilesDoNotCount(t *testing.T) {
	folder, file := finishedFolder(t, 2, 3)
	if err := os.Rename(file, file+".123.unfinished"); err != nil {
		t.Fatal(err)
	}
	if got := mustRun(t, walks(2, 3, nil), Options{Path: folder}); got.Resumed != 1 || got.Partial {
		t.Errorf("resumed %d units, partial %v; want 1, false", got.Resumed, got.Partial)
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
		"other kind":    {func(e *Experiment[walk]) { e.Configuration = 3 }, "configuration field Steps", "is 3, this experiment has absent"},
	} {
		t.Run(name, func(t *testing.T) {
			folder, _ := finishedFolder(t, 2, 3)
			before := readFolder(t, folder)
			e := walks(2, 3, nil)
			test.change(&e)
			_, err := Run(context.Background(), e, Options{Path: folder})
			if !errors.Is(err, ErrForeign) || !strings.Contains(err.Error(), "its "+test.field+" is ") || !strings.Contains(err.Error(), test.text) {
				t.Fatalf("error = %v, want ErrForeign about %s with %q", err, test.field, test.text)
			}
			if !maps.Equal(readFolder(t, folder), before) {
				t.Error("the folder was changed")
			}
		})
	}
	for content, want := range map[string]error{"policy,B\ngreedy,1\n": ErrCorrupt, "notes": ErrCorrupt, "": ErrCorrupt, "{\"a\":1}\n": ErrForeign} {
		folder, file := finishedFolder(t, 2, 3)
		writeFile(t, file, content)
		if _, err := Run(context.Background(), walks(2, 3, nil), Options{Path: folder}); !errors.Is(err, want) {
			t.Errorf("a file that holds %q: error = %v, want %v", content, err, want)
		}
		if readFile(t, file) != content {
			t.Errorf("a file that holds %q was changed", content)
		}
	}
	folder, file := finishedFolder(t, 3, 3)
	writeFile(t, file, readFile(t, filepath.Join(folder, "2.json")))
	if _, err := Run(context.Background(), walks(3, 3, nil), Options{Path: folder}); !errors.Is(err, ErrForeign) || !strings.Contains(err.Error(), "its unit is 2, this experiment has 1") {
		t.Errorf("the file of another unit: error = %v", err)
	}
}

// TestKeysStayInTheFolder stores units whose keys are no file names.
func TestKeysStayInTheFolder(t *testing.T) {
	root := t.TempDir()
	e := walks(4, 3, nil)
	e.Units = []string{"../0", "single, 5 x 0.1/1", "..", `a\b:c*`}
	want := mustRun(t, e, Options{Path: filepath.Join(root, "walks")})
	again := mustRun(t, e, Options{Path: filepath.Join(root, "walks")})
	sameBits(t, again, want)
	if again.Resumed != 4 {
		t.Errorf("%d units were resumed, want 4", again.Resumed)
	}
	if files := readFolder(t, filepath.Join(root, "walks")); len(files) != 4 {
		t.Errorf("%d files, want 4", len(files))
	}
	if entries, err := os.ReadDir(root); err != nil || len(entries) != 1 {
		t.Errorf("%d entries beside the folder (%v)", len(entries)-1, err)
	}
}

// TestResultOfAnotherTypeIsNoticed resumes with a result type that no longer fits.
func TestResultOfAnotherTypeIsNoticed(t *testing.T) {
	folder, _ := finishedFolder(t, 2, 3)
	other := walks(2, 3, nil)
	_, err := Run(context.Background(), Experiment[struct{ Mean float64 }]{
		Name: other.Name, Version: other.Version, Seed: other.Seed, Configuration: other.Configuration, Units: other.Units,
		Run: func(context.Context, int) (struct{ Mean float64 }, error) { return struct{ Mean float64 }{}, nil },
	}, Options{Path: folder})
	if !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), "does not fit") {
		t.Errorf("error = %v, want ErrCorrupt that says the result does not fit", err)
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
}

func TestUnusablePath(t *testing.T) {
	blocked := filepath.Join(t.TempDir(), "file")
	writeFile(t, blocked, "x")
	for _, path := range []string{blocked, filepath.Join(blocked, "walks")} {
		if _, err := Run(context.Background(), walks(2, 3, nil), Options{Path: path}); err == nil {
			t.Errorf("%s was accepted as a folder", path)
		}
	}
}

package ipynb

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// interpreter writes a shell script that stands for Python: it prints the report, copies the notebook prepared for it
// to the place of the executed copy, and ends with the given status. Called to export, it writes a page.
func interpreter(t *testing.T, report, prepared string, status int) string {
	t.Helper()
	absolutePath, err := filepath.Abs(prepared)
	if err != nil {
		t.Fatal(err)
	}
	script := fmt.Sprintf(`#!/bin/sh
if [ "$3" = html ]; then echo page >"$5"; exit 0; fi
cat <<'REPORT'
%s
REPORT
cp '%s' "$5"
exit %d
`, report, absolutePath, status)
	path := filepath.Join(t.TempDir(), "python")
	if err := os.WriteFile(path, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

const goodReport = `{"event": "start", "cells": 2}
{"event": "cell", "index": 1, "seconds": 0.5}
{"event": "cell", "index": 2, "seconds": 1.5}`

// runOnce executes a copy of testdata/fresh.ipynb with the interpreter and returns the result, the path of that copy
// and the folder of outputs.
func runOnce(t *testing.T, python string, save bool) (result Result, path, output string) {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("testdata", "fresh.ipynb"))
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	path, output = filepath.Join(root, "part", "fresh.ipynb"), filepath.Join(root, "out")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, content, 0o644); err != nil {
		t.Fatal(err)
	}
	var progress strings.Builder
	runner := Runner{Python: python, Root: root, Output: output, Limit: time.Minute, Save: save, Progress: &progress}
	result = runner.Run(context.Background(), path)
	t.Log(progress.String())
	return result, path, output
}

func TestRunKeepsCopyAndPage(t *testing.T) {
	result, path, output := runOnce(t, interpreter(t, goodReport, "testdata/executed.ipynb", 0), false)
	if len(result.Failures) > 0 || result.Name != "part/fresh" || result.Cells != 2 || result.Executed != 2 {
		t.Errorf("result %+v, want part/fresh with 2 of 2 cells", result)
	}
	for _, name := range []string{"fresh.ipynb", "fresh.html", "fresh.log"} {
		if _, err := os.Stat(filepath.Join(output, "part", name)); err != nil {
			t.Error(err)
		}
	}
	if document, err := Read(path); err != nil || len(document.Failures()) == 0 {
		t.Errorf("the notebook itself was changed without being asked (%v)", err)
	}
}

func TestRunSavesOnlyWhatSucceeded(t *testing.T) {
	_, path, _ := runOnce(t, interpreter(t, goodReport, "testdata/executed.ipynb", 0), true)
	if document, err := Read(path); err != nil || len(document.Failures()) > 0 {
		t.Errorf("a successful run was not saved (%v)", err)
	}
	result, path, _ := runOnce(t, interpreter(t, goodReport, "testdata/fresh.ipynb", 0), true)
	if got := strings.Join(result.Failures, "\n"); got != "not executed: cell 1, 2" {
		t.Errorf("failures %q, want the two cells that were not executed", got)
	}
	if document, err := Read(path); err != nil || len(document.Failures()) == 0 {
		t.Errorf("a failed run was saved (%v)", err)
	}
}

func TestRunAllKeepsTheOrder(t *testing.T) {
	content, err := os.ReadFile(filepath.Join("testdata", "fresh.ipynb"))
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	names := []string{"a", "b", "c", "d", "e"}
	var paths []string
	for _, name := range names {
		paths = append(paths, filepath.Join(root, name+extension))
		if err := os.WriteFile(paths[len(paths)-1], content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	python := interpreter(t, goodReport, "testdata/executed.ipynb", 0)
	for _, jobs := range []int{1, 2, 8} {
		var progress strings.Builder
		runner := Runner{Python: python, Root: root, Output: t.TempDir(), Limit: time.Minute, Progress: &progress}
		results := runner.RunAll(context.Background(), paths, jobs)
		if len(results) != len(names) || Failed(results) != 0 {
			t.Fatalf("%d jobs: %d results, %d failed, want %d and 0", jobs, len(results), Failed(results), len(names))
		}
		for k, name := range names {
			if results[k].Name != name {
				t.Errorf("%d jobs: result %d is of %s, want %s", jobs, k, results[k].Name, name)
			}
			line := "    cell  2 of 2     1.5 s  ok\n"
			if jobs > 1 {
				line = name + line
			}
			if !strings.Contains(progress.String(), heading+name+"\n") || !strings.Contains(progress.String(), line) {
				t.Errorf("%d jobs: no heading of %s or no line %q in\n%s", jobs, name, line, progress.String())
			}
		}
		stopped, stop := context.WithCancel(context.Background())
		stop()
		if results := runner.RunAll(stopped, paths, jobs); len(results) != 0 {
			t.Errorf("%d jobs: %d results after the end of the context", jobs, len(results))
		}
	}
}

func TestRunFails(t *testing.T) {
	stopped := goodReport + "\n" + `{"event": "failure", "error": "DeadKernelError: Kernel died"}`
	cases := map[string]struct{ python, want string }{
		"driver fails":   {interpreter(t, goodReport, "testdata/executed.ipynb", 3), "exit status 3"},
		"kernel dies":    {interpreter(t, stopped, "testdata/executed.ipynb", 0), "Kernel died"},
		"no copy":        {interpreter(t, goodReport, "testdata/absent.ipynb", 0), "no such file"},
		"no interpreter": {filepath.Join(t.TempDir(), "absent"), "make doctor"},
	}
	for name, c := range cases {
		result, _, _ := runOnce(t, c.python, false)
		if got := strings.Join(result.Failures, "\n"); !strings.Contains(got, c.want) {
			t.Errorf("%s: failures %q, want %q in them", name, got, c.want)
		}
	}
}

// TestKernel executes notebooks with the real kernel. What a student sees as an error must be one here.
func TestKernel(t *testing.T) {
	python := os.Getenv("DIRECTIONS_PYTHON")
	if python == "" {
		t.Skip("needs the kernel: make test sets DIRECTIONS_PYTHON and JUPYTER_PATH")
	}
	cases := []struct {
		name  string
		limit time.Duration
		want  []string
	}{
		{"fresh", time.Minute, nil},
		{"panic", time.Minute, []string{`cell 2 failed: exit status 2; it begins with: panic("the cell gives up")`, "not executed: cell 3"}},
		{"compile", time.Minute, []string{"cell 1 failed", `it begins with: var count int = "one"`}},
		{"endless", 5 * time.Second, []string{"timed out"}},
	}
	for _, c := range cases {
		var progress strings.Builder
		output := t.TempDir()
		runner := Runner{Python: python, Root: "testdata", Output: output, Limit: c.limit, Progress: &progress}
		result := runner.Run(context.Background(), filepath.Join("testdata", c.name+extension))
		failures := strings.Join(result.Failures, "\n")
		if (len(c.want) == 0) != (failures == "") {
			t.Errorf("%s: failures %q\n%s", c.name, failures, progress.String())
		}
		for _, want := range c.want {
			if !strings.Contains(failures, want) {
				t.Errorf("%s: failures %q, want %q in them", c.name, failures, want)
			}
		}
		if c.name == "fresh" {
			checkChart(t, filepath.Join(output, "fresh.ipynb"))
		}
	}
}

// checkChart checks that the specification which the kernel sent as a string is an object in the executed copy.
func checkChart(t *testing.T, path string) {
	t.Helper()
	document, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, output := range document.Cells()[2].Outputs {
		data, _ := output["data"].(map[string]any)
		if specification, ok := data["application/vnd.vegalite.v5+json"].(map[string]any); ok && specification["mark"] == "point" {
			return
		}
	}
	t.Errorf("no Vega-Lite object among the outputs %v", document.Cells()[2].Outputs)
}

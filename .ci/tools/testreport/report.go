package main

import (
	"encoding/json"
	"fmt"
	"io"
	"sort"
	"strings"
)

// event is a line of go test -json, as documented by go doc test2json.
type event struct {
	Action  string
	Package string
	Test    string
	Output  string
}

// report follows the events of a run of go test: it counts top-level tests and examples, prints the line of each
// package as go test does, and shows the output of what failed.
type report struct {
	w                       io.Writer
	passed, failed, skipped int
	output                  map[string]*strings.Builder
	failedIn                map[string]int
	reasons                 map[string]int
}

func newReport(w io.Writer) *report {
	return &report{w: w, output: map[string]*strings.Builder{}, failedIn: map[string]int{}, reasons: map[string]int{}}
}

// add takes one line of the stream. What is no event is passed on as it is.
func (r *report) add(line []byte) {
	var e event
	if json.Unmarshal(line, &e) != nil || e.Action == "" {
		fmt.Fprintf(r.w, "%s\n", line)
		return
	}
	switch {
	case e.Action == "output":
		r.keep(e)
	case e.Action == "build-output":
		fmt.Fprint(r.w, e.Output)
	case e.Test != "":
		r.finishTest(e)
	case e.Action == "fail":
		r.finishFailedPackage(e)
	}
}

// keep remembers what a test printed, and shows the closing lines of packages at once.
func (r *report) keep(e event) {
	if e.Test == "" && closing(e.Output) {
		fmt.Fprint(r.w, e.Output)
		return
	}
	key := e.Package + " " + top(e.Test)
	if r.output[key] == nil {
		r.output[key] = &strings.Builder{}
	}
	r.output[key].WriteString(e.Output)
}

// finishTest counts a top-level test when it ends.
func (r *report) finishTest(e event) {
	if strings.Contains(e.Test, "/") {
		return
	}
	key := e.Package + " " + e.Test
	switch e.Action {
	case "pass":
		r.passed++
	case "skip":
		r.skipped++
		r.reasons[reason(r.text(key))]++
	case "fail":
		r.failed++
		r.failedIn[e.Package]++
		fmt.Fprint(r.w, r.text(key))
	default:
		return
	}
	delete(r.output, key)
}

// finishFailedPackage counts a package that failed without a failing test: it did not build, crashed or ran too long.
func (r *report) finishFailedPackage(e event) {
	if r.failedIn[e.Package] > 0 {
		return
	}
	r.failed++
	for _, key := range r.keys(e.Package) {
		fmt.Fprint(r.w, r.text(key))
	}
}

// keys lists what a package printed outside its finished tests, in a fixed order.
func (r *report) keys(pkg string) []string {
	var keys []string
	for key := range r.output {
		if strings.HasPrefix(key, pkg+" ") {
			keys = append(keys, key)
		}
	}
	sort.Strings(keys)
	return keys
}

func (r *report) text(key string) string {
	if r.output[key] == nil {
		return ""
	}
	return r.output[key].String()
}

// finish prints why tests were skipped, and the counts.
func (r *report) finish() {
	var reasons []string
	for text, count := range r.reasons {
		reasons = append(reasons, fmt.Sprintf("%4d skipped: %s", count, text))
	}
	sort.Strings(reasons)
	for _, line := range reasons {
		fmt.Fprintln(r.w, line)
	}
	fmt.Fprintf(r.w, "%d passed, %d failed, %d skipped\n", r.passed, r.failed, r.skipped)
}

// top is the top-level test of a subtest.
func top(test string) string {
	name, _, _ := strings.Cut(test, "/")
	return name
}

// closing tells whether a line is go test's verdict on a package.
func closing(line string) bool {
	return strings.HasPrefix(line, "ok  \t") || strings.HasPrefix(line, "FAIL\t") || strings.HasPrefix(line, "?   \t")
}

// reason is the message of t.Skip in the output of a test.
func reason(output string) string {
	for _, line := range strings.Split(output, "\n") {
		if place, message, found := strings.Cut(strings.TrimSpace(line), ": "); found && strings.Contains(place, ".go:") {
			return message
		}
	}
	return "no reason given"
}

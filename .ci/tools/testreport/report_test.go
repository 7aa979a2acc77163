package main

import (
	"strings"
	"testing"
)

// follow feeds lines to a report and returns it with what it printed.
func follow(lines ...string) (*report, string) {
	var printed strings.Builder
	r := newReport(&printed)
	for _, line := range lines {
		r.add([]byte(line))
	}
	r.finish()
	return r, printed.String()
}

func TestReportCountsTopLevelTestsOnce(t *testing.T) {
	r, printed := follow(
		`{"Action":"pass","Package":"p","Test":"TestA/first"}`,
		`{"Action":"pass","Package":"p","Test":"TestA"}`,
		`{"Action":"pass","Package":"p","Test":"ExampleB"}`,
		`{"Action":"output","Package":"p","Output":"ok  \tp\t0.1s\n"}`,
		`{"Action":"pass","Package":"p"}`,
	)
	if r.passed != 2 || r.failed != 0 || r.skipped != 0 {
		t.Errorf("counted %d passed, %d failed, %d skipped, want 2, 0, 0", r.passed, r.failed, r.skipped)
	}
	if !strings.Contains(printed, "ok  \tp\t0.1s\n") || !strings.HasSuffix(printed, "2 passed, 0 failed, 0 skipped\n") {
		t.Errorf("printed %q", printed)
	}
}

func TestReportShowsOutputOfFailuresOnly(t *testing.T) {
	r, printed := follow(
		`{"Action":"output","Package":"p","Test":"TestGood","Output":"quiet\n"}`,
		`{"Action":"pass","Package":"p","Test":"TestGood"}`,
		`{"Action":"output","Package":"p","Test":"TestBad/part","Output":"want 1, got 2\n"}`,
		`{"Action":"fail","Package":"p","Test":"TestBad/part"}`,
		`{"Action":"fail","Package":"p","Test":"TestBad"}`,
		`{"Action":"output","Package":"p","Output":"FAIL\tp\t0.1s\n"}`,
		`{"Action":"fail","Package":"p"}`,
	)
	if r.passed != 1 || r.failed != 1 {
		t.Errorf("counted %d passed, %d failed, want 1, 1", r.passed, r.failed)
	}
	if strings.Contains(printed, "quiet") || !strings.Contains(printed, "want 1, got 2") {
		t.Errorf("printed %q", printed)
	}
}

func TestReportCountsPackageThatDidNotFinish(t *testing.T) {
	r, printed := follow(
		`{"ImportPath":"p","Action":"build-output","Output":"p.go:1: undefined: x\n"}`,
		`{"Action":"fail","Package":"p","FailedBuild":"p"}`,
		`{"Action":"output","Package":"q","Test":"TestCrash","Output":"fatal error: out of memory\n"}`,
		`{"Action":"fail","Package":"q"}`,
	)
	if r.failed != 2 {
		t.Errorf("counted %d failed, want 2", r.failed)
	}
	for _, wanted := range []string{"undefined: x", "out of memory"} {
		if !strings.Contains(printed, wanted) {
			t.Errorf("%q is missing in %q", wanted, printed)
		}
	}
}

func TestReportGivesReasonsOfSkips(t *testing.T) {
	r, printed := follow(
		`{"Action":"output","Package":"p","Test":"TestLong","Output":"    long_test.go:7: set DIRECTIONS_LONG=1\n"}`,
		`{"Action":"skip","Package":"p","Test":"TestLong"}`,
	)
	if r.skipped != 1 || !strings.Contains(printed, "   1 skipped: set DIRECTIONS_LONG=1\n") {
		t.Errorf("counted %d skipped and printed %q", r.skipped, printed)
	}
}

func TestReportPassesOnWhatIsNoEvent(t *testing.T) {
	if _, printed := follow("go: downloading x"); !strings.HasPrefix(printed, "go: downloading x\n") {
		t.Errorf("printed %q", printed)
	}
}

package study

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// childPath is the variable that turns the test binary into a slow run of the
// test study, for its parent to kill.
const childPath = "STUDY_TEST_RESULTS_FILE"

// killUnits units of killPause each: long enough for a starved parent to kill
// the child in the middle.
const (
	killUnits = 30
	killPause = 100 * time.Millisecond
)

func TestMain(m *testing.M) {
	path := os.Getenv(childPath)
	if path == "" {
		os.Exit(m.Run())
	}
	slow := walks(killUnits, 200, nil)
	inner := slow.Run
	slow.Run = func(ctx context.Context, unit int) (walk, error) {
		time.Sleep(killPause)
		return inner(ctx, unit)
	}
	if _, err := Run(context.Background(), slow, Options{Workers: 2, Path: path}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// TestKilledRunGoesOn kills a run several times at different moments, then
// finishes it.
func TestKilledRunGoesOn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "walks.jsonl")
	lines := 0
	for _, until := range []int{1, 6, 13, 21} {
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), childPath+"="+path)
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		waitForLines(t, path, until)
		if err := child.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = child.Wait() // reports the kill
		after := strings.Count(readFile(t, path), "\n")
		if after < lines {
			t.Fatalf("the file shrank from %d to %d lines", lines, after)
		}
		lines = after
	}
	var computed atomic.Int64
	got := mustRun(t, walks(killUnits, 200, &computed), Options{Workers: 2, Path: path})
	sameBits(t, got, mustRun(t, walks(killUnits, 200, nil), Options{Workers: 1}))
	if got.Resumed < lines-1 || int(computed.Load()) != killUnits-got.Resumed {
		t.Errorf("%d lines were in the file; resumed %d units and computed %d of %d", lines, got.Resumed, computed.Load(), killUnits)
	}
	if got.Resumed == killUnits || got.Resumed == 0 {
		t.Errorf("resumed %d of %d units; the kills were to fall in the middle", got.Resumed, killUnits)
	}
	if again := mustRun(t, walks(killUnits, 200, nil), Options{Path: path}); again.Resumed != killUnits {
		t.Errorf("the finished file holds %d units, want each of the %d once", again.Resumed, killUnits)
	}
}

// waitForLines waits until the file has at least so many complete lines.
func waitForLines(t *testing.T, path string, lines int) {
	t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		content, err := os.ReadFile(path)
		if err == nil && strings.Count(string(content), "\n") >= lines {
			return
		}
	}
	t.Fatalf("no %d lines in %s after 2 min", lines, path)
}

//go:build unix

package study

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
)

// The variables that turn the test binary into a run of the test study, for its
// parent to disturb: the results file, the folder of the tables ("" for none),
// the pause of each unit, and the largest file that it may write ("" for any).
const (
	childPath   = "STUDY_TEST_RESULTS_FILE"
	childTables = "STUDY_TEST_TABLES"
	childPause  = "STUDY_TEST_PAUSE"
	childLimit  = "STUDY_TEST_FILE_LIMIT"
)

// The test study of these tests: few steps, so that its results file is smaller
// than its largest table.
const (
	faultUnits = 20
	faultSteps = 10
	faultPause = time.Millisecond
)

func TestMain(m *testing.M) {
	path := os.Getenv(childPath)
	if path == "" {
		os.Exit(m.Run())
	}
	if err := runChild(path); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func runChild(path string) error {
	if text := os.Getenv(childLimit); text != "" {
		limit, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			return err
		}
		signal.Ignore(syscall.SIGXFSZ) // then a write beyond the limit is an error, as on a full disk
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: limit, Max: limit}); err != nil {
			return err
		}
	}
	pause, err := time.ParseDuration(os.Getenv(childPause))
	if err != nil {
		return err
	}
	slow := walks(faultUnits, faultSteps, nil)
	inner := slow.Run
	slow.Run = func(ctx context.Context, unit int) (walk, error) {
		time.Sleep(pause)
		return inner(ctx, unit)
	}
	fmt.Println("begun")
	results, err := Run(context.Background(), slow, Options{Workers: 2, Path: path})
	if folder := os.Getenv(childTables); err == nil && folder != "" {
		err = results.WriteTables(folder, false, faultTables()...)
	}
	return err
}

// faultTables are some tables of different size; the last is the largest.
func faultTables() []Table {
	var tables []Table
	for k := range 12 {
		values := make([]float64, 1+500*k)
		for i := range values {
			values[i] = 1 / float64(i+3)
		}
		tables = append(tables, Table{Name: fmt.Sprintf("walks_%02d", k), Title: "Reciprocals.", Frame: dataframe.New(series.New(values, series.Float, "v"))})
	}
	return tables
}

// place is where a disturbed study keeps its files.
type place struct{ path, folder string }

func newPlace(t *testing.T) place {
	folder := t.TempDir()
	return place{filepath.Join(folder, "walks.jsonl"), filepath.Join(folder, "tables")}
}

// start starts a child and waits until it has begun.
func (p place) start(t *testing.T, pause time.Duration, more ...string) (child *exec.Cmd, complaint *bytes.Buffer) {
	t.Helper()
	child, complaint = exec.Command(os.Args[0]), new(bytes.Buffer)
	child.Env = append(append(os.Environ(), childPath+"="+p.path, childTables+"="+p.folder, childPause+"="+pause.String()), more...)
	child.Stderr = complaint
	output, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(output).ReadString('\n'); err != nil {
		t.Fatalf("the child said %q (%v)", line, err)
	}
	return child, complaint
}

// lines counts the finished lines of the results file, 0 where there is none.
func (p place) lines() int {
	content, err := os.ReadFile(p.path)
	if err != nil {
		return 0
	}
	return bytes.Count(content, []byte("\n"))
}

// side reads the side file; found is false where there is none.
func (p place) side(t *testing.T) (side sideFile, found bool) {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(p.folder, "walks.json"))
	if errors.Is(err, os.ErrNotExist) {
		return side, false
	}
	if err == nil {
		err = json.Unmarshal(content, &side)
	}
	if err != nil {
		t.Fatalf("the side file is damaged: %v", err)
	}
	return side, true
}

// checkGoesOn lets the next run finish, by itself, and compares everything with a
// study that nothing disturbed: no finished unit is computed again, none is there
// twice, and the folder holds the tables and the side file and nothing else.
func (p place) checkGoesOn(t *testing.T) {
	t.Helper()
	finished := max(p.lines()-1, 0)
	var computed atomic.Int64
	got := mustRun(t, walks(faultUnits, faultSteps, &computed), Options{Workers: 2, Path: p.path})
	sameBits(t, got, mustRun(t, walks(faultUnits, faultSteps, nil), Options{}))
	if got.Resumed < finished || int(computed.Load()) != faultUnits-got.Resumed || p.lines() != faultUnits+1 {
		t.Errorf("%d units were finished; the next run resumed %d, computed %d and left %d lines", finished, got.Resumed, computed.Load(), p.lines())
	}
	if err := got.WriteTables(p.folder, false, faultTables()...); err != nil {
		t.Fatalf("the next run does not go on: %v", err)
	}
	if side, _ := p.side(t); side.Writing || len(side.Tables) != len(faultTables()) {
		t.Errorf("the side file lists %d tables, being written: %v", len(side.Tables), side.Writing)
	}
	for _, table := range faultTables() {
		p.checkTable(t, table, true)
	}
	if files, err := os.ReadDir(p.folder); err != nil || len(files) != len(faultTables())+1 {
		t.Errorf("%d files in the folder of %d tables (%v)", len(files), len(faultTables()), err)
	}
}

// checkTable compares a table with what it must hold; unless it must be there, it may be missing.
func (p place) checkTable(t *testing.T, table Table, present bool) {
	t.Helper()
	var want bytes.Buffer
	if err := table.WriteCSV(&want); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(p.folder, table.Name+".csv"))
	if errors.Is(err, os.ErrNotExist) && !present {
		return
	}
	if err != nil || !bytes.Equal(got, want.Bytes()) {
		t.Errorf("table %s has %d bytes, want %d (%v)", table.Name, len(got), want.Len(), err)
	}
}

// TestKillsAtRandomMoments kills a study at random moments, half of the times while
// it writes its tables and else several times on its way, and lets the next run finish.
func TestKillsAtRandomMoments(t *testing.T) {
	rounds, long := 6, os.Getenv("DIRECTIONS_LONG") != ""
	if long {
		rounds = 50
	}
	random := rand.New(rand.NewPCG(20260105, 0))
	whole, writing := undisturbed(t)
	kills, amid := 0, 0
	for range rounds {
		p := newPlace(t)
		child, _ := p.start(t, faultPause)
		p.awaitTables(t)
		p.kill(t, child, time.Duration(random.Float64()*float64(writing)))
		if side, _ := p.side(t); side.Writing {
			amid++
		}
		p.checkGoesOn(t)
		p = newPlace(t)
		for range 3 {
			child, _ := p.start(t, faultPause)
			p.kill(t, child, time.Duration(random.Float64()*float64(whole)/2))
		}
		p.checkGoesOn(t)
		kills += 4
	}
	t.Logf("%d kills, %d of them while tables were written", kills, amid)
	if long && amid < rounds/4 {
		t.Errorf("%d of %d kills fell among the tables; the test says little about them", amid, kills)
	}
}

// kill ends a child after a moment. Nothing that was finished may be gone, and
// every table that is there must be whole.
func (p place) kill(t *testing.T, child *exec.Cmd, moment time.Duration) {
	t.Helper()
	time.Sleep(moment)
	before := p.lines()
	if err := child.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		t.Fatal(err)
	}
	child.Wait() // reports the kill
	if after := p.lines(); after < before {
		t.Errorf("the results file shrank from %d to %d lines", before, after)
	}
	for _, table := range faultTables() {
		p.checkTable(t, table, false)
	}
}

// awaitTables waits until a child begins to write tables.
func (p place) awaitTables(t *testing.T) {
	t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); time.Now().Before(deadline); {
		if _, found := p.side(t); found {
			return
		}
	}
	t.Fatal("no tables after 2 min")
}

// undisturbed returns how long a child runs, and how much of that it writes tables.
func undisturbed(t *testing.T) (whole, writing time.Duration) {
	p := newPlace(t)
	child, complaint := p.start(t, faultPause)
	begin := time.Now()
	p.awaitTables(t)
	first := time.Now()
	if err := child.Wait(); err != nil {
		t.Fatalf("%v: %s", err, complaint)
	}
	whole, writing = time.Since(begin), time.Since(first)
	p.checkGoesOn(t)
	return whole, writing
}

// TestFullDisk lets writes fail, first of the results file and then of the
// largest table.
func TestFullDisk(t *testing.T) {
	results := newPlace(t)
	mustRun(t, walks(faultUnits, faultSteps, nil), Options{Path: results.path})
	size := len(readFile(t, results.path))
	for name, test := range map[string]struct {
		limit int
		file  string
	}{
		"header":  {20, ".jsonl"},
		"results": {size / 2, ".jsonl"},
		"tables":  {2 * size, ".csv"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			child, complaint := p.start(t, 0, childLimit+"="+strconv.Itoa(test.limit))
			if err := child.Wait(); err == nil || !strings.Contains(complaint.String(), test.file) || !strings.Contains(complaint.String(), "file too large") {
				t.Fatalf("the run ended with %v and said %q", err, complaint)
			}
			if name == "header" {
				if _, err := os.Stat(p.path); err == nil {
					t.Error("a results file without a header was left behind")
				}
			}
			p.checkGoesOn(t)
		})
	}
}

// TestManyWriters starts several runs at once: one that finds the results file in
// use is refused, and all others write their tables.
func TestManyWriters(t *testing.T) {
	p, other := newPlace(t), newPlace(t)
	other.folder = p.folder
	var children []*exec.Cmd
	var complaints []*bytes.Buffer
	for _, where := range []place{p, p, other, p} {
		child, complaint := where.start(t, 10*time.Millisecond)
		children, complaints = append(children, child), append(complaints, complaint)
	}
	refused := 0
	for k, child := range children {
		if err := child.Wait(); err == nil {
			continue
		}
		if refused++; !strings.Contains(complaints[k].String(), "another run is writing to "+p.path) {
			t.Errorf("run %d: %s", k, complaints[k])
		}
	}
	if refused > 2 {
		t.Errorf("%d of 3 runs with one results file were refused", refused)
	}
	p.checkGoesOn(t)
	other.checkGoesOn(t)
}

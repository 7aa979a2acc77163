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
	"github.com/sparsero/directions/notebooks/studies/internal/tally"
)

// The variables that turn the test binary into a run of the test study, for its
// parent to disturb: the file of the units, the folder of the tables ("" for none),
// the pause of each unit, and the largest file that it may write ("" for any).
const (
	childPath   = "STUDY_TEST_UNITS"
	childTables = "STUDY_TEST_TABLES"
	childPause  = "STUDY_TEST_PAUSE"
	childLimit  = "STUDY_TEST_FILE_LIMIT"
)

// The test study of these tests: few steps, so that the file of a unit is smaller
// than the largest table.
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
		err = results.WriteTables(folder, faultTables(results)...)
	}
	return err
}

// faultTables are some tables of different size, the first of the results and the last the largest.
func faultTables(results *Results[walk]) []Table {
	means := results.Summarise("unit,mean", func(w *walk, g *tally.Groups) {
		g.Add([]any{w.Count}, w.Mean)
	}, func(_ []any, numbers [][]float64) []any { return []any{numbers[0][0]} })
	tables := []Table{{Name: "walks_means", Title: "Means.", Frame: means}}
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

// units counts the finished units.
func (p place) units(t *testing.T) int {
	t.Helper()
	e := walks(faultUnits, faultSteps, nil)
	record, err := e.record()
	if err != nil {
		t.Fatal(err)
	}
	units, err := openUnits[walk](Options{Path: p.path}, record.Origin)
	if err != nil {
		t.Fatal(err)
	}
	return len(units.finished)
}

// listed returns the tables of the side file.
func (p place) listed(t *testing.T) []tableRecord {
	t.Helper()
	var side sideFile
	if err := json.Unmarshal([]byte(readFile(t, filepath.Join(p.folder, "walks.json"))), &side); err != nil {
		t.Error(err)
	}
	return side.Tables
}

// checkGoesOn lets the next run finish, by itself, and compares everything with a
// study that nothing disturbed: no finished unit is computed again, and every
// table is there.
func (p place) checkGoesOn(t *testing.T) {
	t.Helper()
	finished := p.units(t)
	var computed atomic.Int64
	got := mustRun(t, walks(faultUnits, faultSteps, &computed), Options{Workers: 2, Path: p.path})
	want := mustRun(t, walks(faultUnits, faultSteps, nil), Options{})
	sameBits(t, got, want)
	if int(computed.Load()) != faultUnits-finished || p.units(t) != faultUnits {
		t.Errorf("%d units were finished; the next run computed %d and left %d", finished, computed.Load(), p.units(t))
	}
	if err := got.WriteTables(p.folder, faultTables(got)...); err != nil {
		t.Fatalf("the next run does not go on: %v", err)
	}
	if listed := p.listed(t); len(listed) != len(faultTables(want)) {
		t.Errorf("the side file lists %d tables", len(listed))
	}
	for _, table := range faultTables(want) {
		p.checkTable(t, table)
	}
}

// checkTable compares a table with what it must hold.
func (p place) checkTable(t *testing.T, table Table) {
	t.Helper()
	var want bytes.Buffer
	if err := table.WriteCSV(&want); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(p.folder, table.Name+".csv"))
	if err != nil || !bytes.Equal(got, want.Bytes()) {
		t.Errorf("table %s has %d bytes, want %d (%v)", table.Name, len(got), want.Len(), err)
	}
}

// TestKillsAtRandomMoments kills a study at random moments, half of the times while
// it writes its tables and else several times on its way, and lets the next run finish.
func TestKillsAtRandomMoments(t *testing.T) {
	rounds := 6
	if os.Getenv("DIRECTIONS_LONG") != "" {
		rounds = 50
	}
	random := rand.New(rand.NewPCG(20260105, 0))
	whole, writing := undisturbed(t)
	for range rounds {
		p := newPlace(t)
		child, _ := p.start(t, faultPause)
		p.awaitTables(t)
		p.kill(t, child, time.Duration(random.Float64()*float64(writing)))
		p.checkGoesOn(t)
		p = newPlace(t)
		for range 3 {
			child, _ := p.start(t, faultPause)
			p.kill(t, child, time.Duration(random.Float64()*float64(whole)/2))
		}
		p.checkGoesOn(t)
	}
}

// kill ends a child after a moment. Nothing that was finished may be gone.
func (p place) kill(t *testing.T, child *exec.Cmd, moment time.Duration) {
	t.Helper()
	time.Sleep(moment)
	before := p.units(t)
	if err := child.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		t.Fatal(err)
	}
	child.Wait() // reports the kill
	if after := p.units(t); after < before {
		t.Errorf("of %d finished units %d are left", before, after)
	}
}

// awaitTables waits until a child begins to write tables.
func (p place) awaitTables(t *testing.T) {
	t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); time.Now().Before(deadline); {
		if _, err := os.Stat(filepath.Join(p.folder, "walks_means.csv")); err == nil {
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

// TestFullDisk lets writes fail, first of the units and then of the largest table.
func TestFullDisk(t *testing.T) {
	for file, limit := range map[string]int{".jsonl": 20, ".csv": 20_000} {
		p := newPlace(t)
		child, complaint := p.start(t, 0, childLimit+"="+strconv.Itoa(limit))
		if err := child.Wait(); err == nil || !strings.Contains(complaint.String(), file) || !strings.Contains(complaint.String(), "file too large") {
			t.Fatalf("%s: the run ended with %v and said %q", file, err, complaint)
		}
		p.checkGoesOn(t)
	}
}

// TestManyWriters starts several runs at once, three of them with one file: all end well.
func TestManyWriters(t *testing.T) {
	p, other := newPlace(t), newPlace(t)
	other.folder = p.folder
	var children []*exec.Cmd
	var complaints []*bytes.Buffer
	for _, where := range []place{p, p, other, p} {
		child, complaint := where.start(t, 10*time.Millisecond)
		children, complaints = append(children, child), append(complaints, complaint)
	}
	for k, child := range children {
		if err := child.Wait(); err != nil {
			t.Errorf("run %d: %v: %s", k, err, complaints[k])
		}
	}
	p.checkGoesOn(t)
	other.checkGoesOn(t)
}

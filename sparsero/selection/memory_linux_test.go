package selection_test

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sparsero/directions/sparsero/selection"
)

// TestAFileThatIsRefusedIsClosed, whatever it is refused for.
func TestAFileThatIsRefusedIsClosed(t *testing.T) {
	path := write(t, npy(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2, 1), }", []float64{1, 2}))
	if _, err := selection.OpenNPY(path); err == nil {
		t.Fatal("an array of three dimensions is opened")
	}
	open, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip(err)
	}
	for _, file := range open {
		if target, err := os.Readlink(filepath.Join("/proc/self/fd", file.Name())); err == nil && target == path {
			t.Errorf("file %s is still open", target)
		}
	}
}

// workload is a run whose peak memory is measured in a process of its own.
type workload struct {
	name            string
	n, m, p, budget int
	storage         selection.Storage
	limit           int64 // peak resident bytes
}

var workloads = []workload{
	{"held", 100_000, 1000, 512, 50, selection.Screened, 750e6},
	{"streamed", 1_000_000, 1000, 64, 20, selection.Streamed, 1e9},
}

// The variables that make the test binary run one workload.
const (
	workloadVariable = "DIRECTIONS_WORKLOAD"
	fileVariable     = "DIRECTIONS_FILE"
)

func TestPeakMemory(t *testing.T) {
	if os.Getenv("DIRECTIONS_LONG") == "" {
		t.Skip("writes and selects from dictionaries of 200 MB: set DIRECTIONS_LONG=1 or run make test-long")
	}
	for _, w := range workloads {
		t.Run(w.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "atoms.npy")
			if err := writeRandomAtoms(path, w.n, w.p); err != nil {
				t.Fatal(err)
			}
			command := exec.Command(os.Args[0], "-test.run=^TestRunWorkload$", "-test.v")
			command.Env = append(os.Environ(), workloadVariable+"="+w.name, fileVariable+"="+path)
			output, err := command.CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, output)
			}
			peak := int64(command.ProcessState.SysUsage().(*syscall.Rusage).Maxrss) * 1024
			for line := range strings.Lines(string(output)) {
				if _, report, ok := strings.Cut(line, ": chose"); ok {
					t.Log("chose " + strings.TrimSpace(report))
				}
			}
			t.Logf("peak %d MB, processor time %v", peak/1e6, command.ProcessState.UserTime()+command.ProcessState.SystemTime())
			if peak > w.limit {
				t.Errorf("peak memory is %d MB, above %d MB", peak/1e6, w.limit/1e6)
			}
		})
	}
}

// TestRunWorkload is the other process.
func TestRunWorkload(t *testing.T) {
	k := slices.IndexFunc(workloads, func(w workload) bool { return w.name == os.Getenv(workloadVariable) })
	if k < 0 {
		t.Skip("it is the process that TestPeakMemory starts")
	}
	w := workloads[k]
	file, err := selection.OpenNPY(os.Getenv(fileVariable))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	start := time.Now()
	c := mustCoverage(t, file, gaussian(w.m, w.p, 9), &selection.CoverageOptions{Storage: w.storage})
	built := time.Since(start)
	s, err := selection.Greedy{SkipBounds: true}.Select(context.Background(), c, w.budget)
	if err != nil {
		t.Fatal(err)
	}
	if s.Len() != w.budget {
		t.Fatalf("%d atoms, want %d", s.Len(), w.budget)
	}
	t.Logf("chose %v: alignments %v, greedy %v, %d oracle calls", s.Atoms[:5], built, time.Since(start)-built, s.OracleCalls[s.Len()-1])
}

// writeRandomAtoms writes n atoms of independent normal float32 values.
func writeRandomAtoms(path string, n, p int) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	w := bufio.NewWriterSize(file, 1<<20)
	fmt.Fprintf(w, "%s", npy(1, header("<f4", n, p), []float32{}))
	source := rand.New(rand.NewPCG(10, 11))
	value := make([]byte, 4)
	for range n * p {
		binary.LittleEndian.PutUint32(value, math.Float32bits(float32(source.NormFloat64())))
		if _, err := w.Write(value); err != nil {
			return err
		}
	}
	return w.Flush()
}

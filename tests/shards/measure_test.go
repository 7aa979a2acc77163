// Package shards measures selection from a dictionary in blocks, whose workers are processes, against one process with
// all atoms: a small dictionary as a test, and
//
//	make shards
//
// 10 million atoms, which takes 8 GB of memory and of files, and a quarter of an hour on two cores.
package shards

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/csv"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/sparsero/input"
	"github.com/sparsero/directions/sparsero/selection"
	"github.com/sparsero/directions/sparsero/selection/shard"
)

var (
	atoms      = flag.Int("shards.atoms", 20_000, "number of atoms")
	dim        = flag.Int("shards.dim", 64, "dimension of the atoms")
	directions = flag.Int("shards.directions", 256, "number of probe directions")
	budget     = flag.Int("shards.budget", 50, "number of atoms to choose")
	workers    = flag.Int("shards.workers", 2, "workers at a time")
	counts     = flag.String("shards.blocks", "1,8", "numbers of blocks")
	folder     = flag.String("shards.folder", "", "folder of the files, which are kept; default a temporary one")
	table      = flag.String("shards.table", "", "file for the table")
	patience   = flag.Duration("shards.patience", 5*time.Second, "time after which a worker of the last row is stopped")
	whole      = flag.Bool("shards.whole", false, "be the process with all atoms")
)

// TestMain is a worker or the process with all atoms where the measurement starts this program as one.
func TestMain(m *testing.M) {
	var err error
	flag.Parse()
	switch {
	case flag.Arg(0) == "work":
		err = work(flag.Arg(1), flag.Arg(2))
	case *whole:
		err = selectFromAll()
	default:
		os.Exit(m.Run())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// row is a line of the table.
type row struct {
	Blocks, Rounds, Candidates, Same, Chosen, Failures int
	Seconds, PeakMB                                    float64 // peak of the largest process but the centre
	Task, Sent, Received                               int64   // bytes
	Atoms                                              []int   `json:",omitempty"`
	Bounds                                             []float64
}

// Picks and bounds from blocks, with workers that are killed or slow too, are those of one process. The table says what it
// took.
func TestBlocksAgainstOneProcess(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the peak of a process is read as Linux tells it")
	}
	s := settings{*folder}
	if s.folder == "" {
		s.folder = t.TempDir()
	}
	if err := s.measure(t); err != nil {
		t.Fatal(err)
	}
}

// settings are the folder of the files, beside the flags.
type settings struct{ folder string }

// measure writes the files, runs all and writes the table.
func (s settings) measure(t *testing.T) error {
	if err := s.generate(); err != nil {
		return err
	}
	one, err := s.oneProcess()
	if err != nil {
		return err
	}
	t.Logf("one process: %.1f s, %.0f MB", one.Seconds, one.PeakMB)
	rows := []row{one}
	list := strings.Split(*counts, ",")
	for k, count := range append(list, list[len(list)/2]) {
		blocks, err := strconv.Atoi(count)
		if err != nil {
			return err
		}
		r, err := s.spread(blocks, k == len(list))
		if err != nil {
			return err
		}
		same := slices.Equal(r.Atoms, one.Atoms) && slices.Equal(r.Bounds, one.Bounds)
		t.Logf("%d blocks: %d rounds, %.1f s, %.0f MB a worker, %d failures, equal to one process: %v", blocks, r.Rounds, r.Seconds, r.PeakMB, r.Failures, same)
		if !same {
			return fmt.Errorf("the atoms or bounds of %d blocks are not those of one process", blocks)
		}
		rows = append(rows, r)
	}
	return s.write(rows)
}

func (s settings) probes() *mat.Dense {
	source, probes := rand.New(rand.NewPCG(1, 0)), mat.NewDense(*directions, *dim, nil)
	probes.Apply(func(int, int, float64) float64 { return source.NormFloat64() }, probes)
	return probes
}

func (s settings) file() string { return filepath.Join(s.folder, fmt.Sprintf("atoms-%d.npy", *atoms)) }

// generate writes Gaussian atoms in float32, unless they are there.
func (s settings) generate() error {
	if existing, err := selection.OpenNPY(s.file()); err == nil {
		return existing.Close()
	}
	if err := os.MkdirAll(s.folder, 0o777); err != nil {
		return err
	}
	file, err := os.Create(s.file())
	if err != nil {
		return err
	}
	buffer, source := bufio.NewWriterSize(file, 1<<20), rand.New(rand.NewPCG(2, 0))
	_, err = buffer.Write(input.Header{Kind: "<f4", Shape: []int{*atoms, *dim}}.Bytes())
	values := make([]float32, *dim)
	for i := 0; i < *atoms && err == nil; i++ {
		for k := range values {
			values[k] = float32(source.NormFloat64())
		}
		err = binary.Write(buffer, binary.LittleEndian, values)
	}
	return errors.Join(err, buffer.Flush(), file.Close())
}

// oneProcess runs greedy with all atoms in a process of its own.
func (s settings) oneProcess() (r row, err error) {
	program, err := os.Executable()
	if err != nil {
		return r, err
	}
	command := exec.Command(program, "-shards.whole", "-shards.atoms", strconv.Itoa(*atoms), "-shards.dim", strconv.Itoa(*dim),
		"-shards.directions", strconv.Itoa(*directions), "-shards.budget", strconv.Itoa(*budget), "-shards.folder", s.folder)
	command.Stderr = os.Stderr
	text, err := command.Output()
	if err != nil {
		return r, err
	}
	return r, json.Unmarshal(text, &r)
}

// selectFromAll is the process with all atoms.
func selectFromAll() error {
	s := settings{*folder}
	source, err := selection.OpenNPY(s.file())
	if err != nil {
		return err
	}
	defer source.Close()
	started := time.Now()
	coverage, err := selection.NewCoverage(source, s.probes(), nil)
	if err != nil {
		return err
	}
	path, err := selection.Greedy{StopAtFull: true}.Select(context.Background(), coverage, *budget)
	if err != nil {
		return err
	}
	r := row{Chosen: path.Len(), Same: path.Len(), Candidates: *atoms, Seconds: time.Since(started).Seconds(), Atoms: path.Atoms, Bounds: path.Bounds}
	if r.PeakMB, err = peak(); err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(r)
}

// spread runs a selection from blocks, with workers that fail if asked.
func (s settings) spread(blocks int, failing bool) (r row, err error) {
	blocksFolder, marks := filepath.Join(s.folder, fmt.Sprintf("blocks-%d-of-%d", blocks, *atoms)), filepath.Join(s.folder, "marks")
	if err := errors.Join(os.RemoveAll(marks), os.MkdirAll(marks, 0o777)); err != nil {
		return r, err
	}
	opened, err := shard.Open(blocksFolder)
	if err != nil {
		if opened, err = shard.Cut(s.file(), blocksFolder, blocks); err != nil {
			return r, err
		}
	}
	program, err := os.Executable()
	if err != nil {
		return r, err
	}
	opened.Command, opened.Workers = []string{program, "work", blocksFolder}, *workers
	os.Setenv("SHARDS_MARKS", marks)
	os.Unsetenv("SHARDS_FAIL")
	if failing {
		os.Setenv("SHARDS_FAIL", "1")
		opened.Patience = *patience
	}
	started := time.Now()
	result, err := shard.Select(context.Background(), opened, s.probes(), *budget, nil)
	if err != nil {
		return r, err
	}
	last := result.Rounds[len(result.Rounds)-1]
	r = row{
		Blocks: blocks, Rounds: last.Number, Candidates: last.Candidates, Same: result.Same, Chosen: result.Selection.Len(),
		Seconds: time.Since(started).Seconds(), Task: int64(last.Task), Atoms: result.Selection.Atoms, Bounds: result.Selection.Bounds,
	}
	r.Sent, r.Received, r.Failures = opened.Traffic()
	r.PeakMB, err = largestMark(marks)
	return r, err
}

// work is a worker. It notes its peak memory; in a failing run block 3 is killed and block 5 sleeps, each once.
func work(path, number string) error {
	marks := os.Getenv("SHARDS_MARKS")
	mark := filepath.Join(marks, "failed-"+number)
	if _, err := os.Stat(mark); os.Getenv("SHARDS_FAIL") != "" && err != nil && (number == "3" || number == "5") {
		if err := os.WriteFile(mark, []byte("0"), 0o666); err != nil {
			return err
		}
		if itself, err := os.FindProcess(os.Getpid()); number == "3" && err == nil {
			_ = itself.Kill()
		}
		time.Sleep(time.Hour)
	}
	block, err := strconv.Atoi(number)
	if err != nil {
		return err
	}
	opened, err := shard.Open(path)
	if err != nil {
		return err
	}
	task := new(shard.Task)
	if err := json.NewDecoder(os.Stdin).Decode(task); err != nil {
		return err
	}
	answer, err := opened.Work(context.Background(), block, task, nil)
	if err != nil {
		return err
	}
	if err := json.NewEncoder(os.Stdout).Encode(answer); err != nil {
		return err
	}
	megabytes, err := peak()
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(marks, strconv.Itoa(os.Getpid())), []byte(strconv.FormatFloat(megabytes, 'g', -1, 64)), 0o666)
}

// peak returns the most memory that this process ever had resident, in MB.
func peak() (float64, error) {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, fmt.Errorf("%w; measure on Linux, which tells the peak of a process", err)
	}
	_, line, _ := strings.Cut(string(text), "VmHWM:")
	kilobytes, err := strconv.ParseFloat(strings.Fields(line)[0], 64)
	return kilobytes * 1024 / 1e6, err
}

func largestMark(folder string) (largest float64, err error) {
	names, err := filepath.Glob(filepath.Join(folder, "*"))
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return 0, err
		}
		value, err := strconv.ParseFloat(string(text), 64)
		if err != nil {
			return 0, err
		}
		largest = max(largest, value)
	}
	return largest, err
}

// write stores the table.
func (s settings) write(rows []row) error {
	if *table == "" {
		return nil
	}
	file, err := os.Create(*table)
	if err != nil {
		return err
	}
	writer := csv.NewWriter(file)
	lines := [][]string{{"atoms", "dim", "directions", "budget", "cores", "workers", "blocks", "rounds", "candidates", "chosen", "same", "failures", "seconds", "peak_mb", "task_bytes", "sent_bytes", "received_bytes"}}
	for _, r := range rows {
		line := []string{}
		for _, v := range []int{*atoms, *dim, *directions, *budget, runtime.NumCPU(), *workers, r.Blocks, r.Rounds, r.Candidates, r.Chosen, r.Same, r.Failures} {
			line = append(line, strconv.Itoa(v))
		}
		line = append(line, strconv.FormatFloat(r.Seconds, 'f', 1, 64), strconv.FormatFloat(r.PeakMB, 'f', 0, 64))
		for _, v := range []int64{r.Task, r.Sent, r.Received} {
			line = append(line, strconv.FormatInt(v, 10))
		}
		lines = append(lines, line)
	}
	return errors.Join(writer.WriteAll(lines), file.Close())
}

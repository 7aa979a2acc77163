// Command shards measures selection from a dictionary in blocks against one process with all atoms.
//
//	go run ./notebooks/tools/shards                     10 million atoms, 5 GB of files, about half an hour on two cores
//	go run ./notebooks/tools/shards -atoms 200000       a small run
//
// It writes notebooks/results/shards.csv, one row for each number of blocks: 0 for one process with all atoms. In the
// last row one worker is killed and one is slow.
package main

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
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/sparsero/input"
	"github.com/sparsero/directions/sparsero/selection"
	"github.com/sparsero/directions/sparsero/selection/shard"
)

// settings are the flags.
type settings struct {
	atoms, dim, directions, budget, workers int
	blocks                                  string
	folder, out                             string
	patience                                time.Duration
}

func main() {
	var s settings
	flag.IntVar(&s.atoms, "atoms", 10_000_000, "number of atoms")
	flag.IntVar(&s.dim, "dim", 64, "dimension of the atoms")
	flag.IntVar(&s.directions, "directions", 256, "number of probe directions")
	flag.IntVar(&s.budget, "budget", 50, "number of atoms to choose")
	flag.IntVar(&s.workers, "workers", 2, "workers at a time")
	flag.StringVar(&s.blocks, "blocks", "16,64,256", "numbers of blocks")
	flag.StringVar(&s.folder, "folder", filepath.Join("build", "shards"), "folder of the files")
	flag.StringVar(&s.out, "out", filepath.Join("notebooks", "results", "shards.csv"), "file for the figures")
	flag.DurationVar(&s.patience, "patience", time.Minute, "time after which a worker of the last row is stopped")
	flag.Parse()
	var err error
	switch {
	case flag.Arg(0) == "work":
		err = work(flag.Arg(1), flag.Arg(2))
	case flag.Arg(0) == "whole":
		err = whole(s)
	default:
		err = s.measure()
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

// measure writes the files, runs all and writes the table.
func (s settings) measure() error {
	if err := s.generate(); err != nil {
		return err
	}
	one, err := s.oneProcess()
	if err != nil {
		return err
	}
	rows := []row{one}
	counts := strings.Split(s.blocks, ",")
	for k, count := range append(counts, counts[len(counts)/2]) {
		blocks, err := strconv.Atoi(count)
		if err != nil {
			return err
		}
		r, err := s.spread(blocks, k == len(counts))
		if err != nil {
			return err
		}
		same := slices.Equal(r.Atoms, one.Atoms) && slices.Equal(r.Bounds, one.Bounds)
		fmt.Printf("%d blocks: %d rounds, %.1f s, %.0f MB a worker, %d failures, equal to one process: %v\n", blocks, r.Rounds, r.Seconds, r.PeakMB, r.Failures, same)
		if !same {
			return fmt.Errorf("the atoms or bounds of %d blocks are not those of one process", blocks)
		}
		rows = append(rows, r)
	}
	return s.write(rows)
}

func (s settings) probes() *mat.Dense {
	source, probes := rand.New(rand.NewPCG(1, 0)), mat.NewDense(s.directions, s.dim, nil)
	probes.Apply(func(int, int, float64) float64 { return source.NormFloat64() }, probes)
	return probes
}

func (s settings) file() string { return filepath.Join(s.folder, fmt.Sprintf("atoms-%d.npy", s.atoms)) }

// generate writes Gaussian atoms in float32, unless they are there.
func (s settings) generate() error {
	if _, err := selection.OpenNPY(s.file()); err == nil {
		return nil
	}
	if err := os.MkdirAll(s.folder, 0o777); err != nil {
		return err
	}
	file, err := os.Create(s.file())
	if err != nil {
		return err
	}
	buffer, source := bufio.NewWriterSize(file, 1<<20), rand.New(rand.NewPCG(2, 0))
	_, err = buffer.Write(input.Header{Kind: "<f4", Shape: []int{s.atoms, s.dim}}.Bytes())
	values := make([]float32, s.dim)
	for i := 0; i < s.atoms && err == nil; i++ {
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
	command := exec.Command(program, "-atoms", strconv.Itoa(s.atoms), "-dim", strconv.Itoa(s.dim), "-directions", strconv.Itoa(s.directions),
		"-budget", strconv.Itoa(s.budget), "-folder", s.folder, "whole")
	command.Stderr = os.Stderr
	text, err := command.Output()
	if err != nil {
		return r, err
	}
	err = json.Unmarshal(text, &r)
	fmt.Printf("one process: %.1f s, %.0f MB\n", r.Seconds, r.PeakMB)
	return r, err
}

func whole(s settings) error {
	atoms, err := selection.OpenNPY(s.file())
	if err != nil {
		return err
	}
	defer atoms.Close()
	started := time.Now()
	coverage, err := selection.NewCoverage(atoms, s.probes(), nil)
	if err != nil {
		return err
	}
	path, err := selection.Greedy{StopAtFull: true}.Select(context.Background(), coverage, s.budget)
	if err != nil {
		return err
	}
	r := row{Chosen: path.Len(), Same: path.Len(), Candidates: s.atoms, Seconds: time.Since(started).Seconds(), Atoms: path.Atoms, Bounds: path.Bounds}
	if r.PeakMB, err = peak(); err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(r)
}

// spread runs a selection from blocks, with workers that fail if asked.
func (s settings) spread(blocks int, failing bool) (r row, err error) {
	folder, marks := filepath.Join(s.folder, fmt.Sprintf("blocks-%d-of-%d", blocks, s.atoms)), filepath.Join(s.folder, "marks")
	if err := errors.Join(os.RemoveAll(marks), os.MkdirAll(marks, 0o777)); err != nil {
		return r, err
	}
	opened, err := shard.Open(folder)
	if err != nil {
		if opened, err = shard.Cut(s.file(), folder, blocks); err != nil {
			return r, err
		}
	}
	program, err := os.Executable()
	if err != nil {
		return r, err
	}
	engine := &shard.Processes{Folder: opened, Command: []string{program, "work", folder}, Workers: s.workers}
	os.Setenv("SHARDS_MARKS", marks)
	os.Unsetenv("SHARDS_FAIL")
	if failing {
		os.Setenv("SHARDS_FAIL", "1")
		engine.Patience = s.patience
	}
	started := time.Now()
	result, err := shard.Select(context.Background(), engine, s.probes(), s.budget, nil)
	if err != nil {
		return r, err
	}
	last := result.Rounds[len(result.Rounds)-1]
	r = row{
		Blocks: blocks, Rounds: last.Number, Candidates: last.Candidates, Same: result.Same, Chosen: result.Selection.Len(),
		Seconds: time.Since(started).Seconds(), Task: int64(last.Task), Atoms: result.Selection.Atoms, Bounds: result.Selection.Bounds,
	}
	r.Sent, r.Received, r.Failures = engine.Traffic()
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
	folder, err := shard.Open(path)
	if err != nil {
		return err
	}
	task := new(shard.Task)
	if err := json.NewDecoder(os.Stdin).Decode(task); err != nil {
		return err
	}
	answer, err := folder.Work(context.Background(), block, task, nil)
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
	file, err := os.Create(s.out)
	if err != nil {
		return err
	}
	table := csv.NewWriter(file)
	lines := [][]string{{"atoms", "dim", "directions", "budget", "cores", "workers", "blocks", "rounds", "candidates", "chosen", "same", "failures", "seconds", "peak_mb", "task_bytes", "sent_bytes", "received_bytes"}}
	for _, r := range rows {
		line := []string{}
		for _, v := range []int{s.atoms, s.dim, s.directions, s.budget, runtime.NumCPU(), s.workers, r.Blocks, r.Rounds, r.Candidates, r.Chosen, r.Same, r.Failures} {
			line = append(line, strconv.Itoa(v))
		}
		line = append(line, strconv.FormatFloat(r.Seconds, 'f', 1, 64), strconv.FormatFloat(r.PeakMB, 'f', 0, 64))
		for _, v := range []int64{r.Task, r.Sent, r.Received} {
			line = append(line, strconv.FormatInt(v, 10))
		}
		lines = append(lines, line)
	}
	return errors.Join(table.WriteAll(lines), file.Close())
}

// Command shards chooses atoms from a dictionary in blocks: it cuts a NumPy file into blocks, works for a block, and
// is the centre that asks workers on this machine or others.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/sparsero/input"
	"github.com/sparsero/directions/sparsero/selection/shard"
)

const usage = `usage:
  shards cut ATOMS.npy FOLDER BLOCKS       write the rows of a file as blocks, and their manifest
  shards describe FOLDER FILE...           write the manifest of blocks that are there, in the order of their rows
  shards work FOLDER BLOCK                 answer the task on the standard input for a block
  shards select [flags] FOLDER PROBES.npy  choose atoms from all blocks; the answer is JSON
flags of select:
`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run carries out a command.
func run(ctx context.Context, arguments []string, stdin io.Reader, stdout, stderr io.Writer) error {
	command, rest := "", arguments
	if len(arguments) > 0 {
		command, rest = arguments[0], arguments[1:]
	}
	switch {
	case command == "cut" && len(rest) == 3:
		return cut(rest[0], rest[1], rest[2])
	case command == "describe" && len(rest) > 1:
		_, err := shard.Describe(rest[0], rest[1:]...)
		return err
	case command == "work" && len(rest) == 2:
		return work(ctx, rest[0], rest[1], stdin, stdout)
	case command == "select":
		return choose(ctx, rest, stdout, stderr)
	}
	fmt.Fprint(stderr, usage)
	flags, _ := selectFlags()
	flags.SetOutput(stderr)
	flags.PrintDefaults()
	if strings.TrimLeft(command, "-") == "help" || strings.TrimLeft(command, "-") == "h" {
		return nil
	}
	return fmt.Errorf("shards: %q with %d arguments is none of these", command, len(rest))
}

func cut(atoms, folder, count string) error {
	blocks, err := strconv.Atoi(count)
	if err != nil {
		return fmt.Errorf("shards: %s blocks; give a number", input.Quote(count))
	}
	_, err = shard.Cut(atoms, folder, blocks)
	return err
}

// work reads a task and writes the answer of a block.
func work(ctx context.Context, path, number string, stdin io.Reader, stdout io.Writer) error {
	folder, err := shard.Open(path)
	if err != nil {
		return err
	}
	block, err := strconv.Atoi(number)
	if err != nil {
		return fmt.Errorf("shards: the block %s; give a number", input.Quote(number))
	}
	task := new(shard.Task)
	if err := json.NewDecoder(stdin).Decode(task); err != nil {
		return fmt.Errorf("shards: the task on the standard input: %w", err)
	}
	answer, err := folder.Work(ctx, block, task, nil)
	if err != nil {
		return err
	}
	return json.NewEncoder(stdout).Encode(answer)
}

// settings are the flags of select.
type settings struct {
	budget, workers, attempts int
	patience                  time.Duration
	command                   string
	options                   shard.Options
}

func selectFlags() (*flag.FlagSet, *settings) {
	s, flags := new(settings), flag.NewFlagSet("select", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.IntVar(&s.budget, "budget", 10, "`number` of atoms to choose")
	flags.IntVar(&s.workers, "workers", 0, "`number` of blocks asked at a time (0: one for each core)")
	flags.IntVar(&s.attempts, "attempts", 3, "`number` of times a block is asked before its failure ends the run")
	flags.DurationVar(&s.patience, "patience", 0, "`time` after which a worker is stopped and its block asked again (0: none)")
	flags.StringVar(&s.command, "command", "", "`words` that start a worker, such as \"ssh host shards work FOLDER\"; the block's number is added (default: this program)")
	flags.IntVar(&s.options.Rounds, "rounds", 0, "`number` of paths verified at most (0: 20)")
	flags.IntVar(&s.options.Propose, "propose", 0, "`number` of atoms that a block proposes (0: the budget)")
	flags.BoolVar(&s.options.SkipBounds, "skip-bounds", false, "leave out the bounds on the best choice, which take most of the time")
	return flags, s
}

// choose is the centre of a selection.
func choose(ctx context.Context, arguments []string, stdout, stderr io.Writer) error {
	flags, s := selectFlags()
	if err := flags.Parse(arguments); err != nil {
		return fmt.Errorf("shards: %w; \"shards help\" lists the flags", err)
	}
	if flags.NArg() != 2 {
		return errors.New("shards: name the folder and the file of the probe directions, after the flags")
	}
	folder, err := shard.Open(flags.Arg(0))
	if err != nil {
		return err
	}
	probes, err := input.LoadArray(flags.Arg(1))
	if err != nil {
		return fmt.Errorf("shards: %w", err)
	}
	if len(probes.Shape) != 2 || len(probes.Values) == 0 {
		return fmt.Errorf("shards: %s has the shape %s; give M×p probe directions", flags.Arg(1), input.ShapeText(probes.Shape))
	}
	command := strings.Fields(s.command)
	if len(command) == 0 {
		program, err := os.Executable()
		if err != nil {
			return fmt.Errorf("shards: %w", err)
		}
		command = []string{program, "work", flags.Arg(0)}
	}
	engine := &shard.Processes{Folder: folder, Command: command, Workers: s.workers, Attempts: s.attempts, Patience: s.patience}
	s.options.Progress = func(r shard.Round) {
		fmt.Fprintf(stderr, "round %d: %d candidates, %d picks verified, %d better atoms, %d bytes to each block, %.1f s\n",
			r.Number, r.Candidates, r.Same, r.Joined, r.Task, r.Elapsed.Seconds())
	}
	result, err := shard.Select(ctx, engine, mat.NewDense(probes.Shape[0], probes.Shape[1], probes.Values), s.budget, &s.options)
	if err != nil {
		return err
	}
	sent, received, failures := engine.Traffic()
	fmt.Fprintf(stderr, "%d atoms, verified: %v; %d bytes sent, %d received, %d workers failed\n", result.Selection.Len(), result.Verified, sent, received, failures)
	return json.NewEncoder(stdout).Encode(result)
}

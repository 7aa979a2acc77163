package shard

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sparsero/directions/sparsero/input"
	"github.com/sparsero/directions/sparsero/internal/parallel"
	"github.com/sparsero/directions/sparsero/selection"
)

// Local asks blocks in the memory of this process, one after the other, each on all cores.
type Local struct {
	// Blocks are the atoms, in the order of their indices; p is that of the first.
	Blocks []selection.Source
	// Resources of each block.
	Resources Resources
}

// Size implements [Engine].
func (l *Local) Size() (n int) {
	if l.check() != nil {
		return 0
	}
	for _, block := range l.Blocks {
		n += block.Size()
	}
	return n
}

// Dim implements [Engine].
func (l *Local) Dim() int {
	if l.check() != nil {
		return 0
	}
	return l.Blocks[0].Dim()
}

// check returns an error if there is no block, or none behind one.
func (l *Local) check() error {
	if l == nil || len(l.Blocks) == 0 || slices.ContainsFunc(l.Blocks, func(b selection.Source) bool { return input.Missing(b) }) {
		return errNoAtoms
	}
	return nil
}

// Run implements [Engine].
func (l *Local) Run(ctx context.Context, task *Task) (merged *Answer, err error) {
	if err := l.check(); err != nil {
		return nil, err
	}
	from := 0
	for _, block := range l.Blocks {
		answer, err := Work(ctx, block, from, task, &l.Resources)
		if err != nil {
			return nil, err
		}
		if merged, err = Merge(merged, answer); err != nil {
			return nil, err
		}
		from += block.Size()
	}
	return merged, nil
}

// Processes asks each block of a folder with a command of its own, which reads the task from
// its standard input and writes the answer to its standard output: on this machine
//
//	go run ./sparsero/cmd/shards work FOLDER BLOCK
//
// or the same on another one, behind ssh or what starts jobs there.
type Processes struct {
	Folder *Folder
	// Command is the command; the number of the block is added to it.
	Command []string
	// Workers is how many commands run at a time. Default 0, GOMAXPROCS.
	Workers int
	// Attempts is how often a block is asked before its failure is an error. Default 0, 3.
	Attempts int
	// Patience is how long a command may take before it is stopped, which counts as a
	// failure. Default 0, without limit.
	Patience time.Duration

	sent, received, failures atomic.Int64
}

// Size implements [Engine].
func (e *Processes) Size() int {
	if e == nil {
		return 0
	}
	return e.Folder.Size()
}

// Dim implements [Engine].
func (e *Processes) Dim() int { return e.Folder.Dim() }

// MarshalJSON is an error: an engine cannot travel.
func (e *Processes) MarshalJSON() ([]byte, error) {
	return nil, errors.New("shard: an engine has no form in JSON; write its folder and its command")
}

// Traffic returns how many bytes tasks and answers took since the start, and how many commands
// failed.
func (e *Processes) Traffic() (sent, received int64, failures int) {
	return e.sent.Load(), e.received.Load(), int(e.failures.Load())
}

// Run implements [Engine].
func (e *Processes) Run(ctx context.Context, task *Task) (*Answer, error) {
	if e == nil || e.Folder.Size() < 1 {
		return nil, errNoAtoms
	}
	if len(e.Command) == 0 {
		return nil, errors.New("shard: there is no command; give one that reads a task and writes an answer")
	}
	text, err := json.Marshal(task)
	if err != nil {
		return nil, fmt.Errorf("shard: %w", err)
	}
	workers := e.Workers
	if workers < 1 {
		workers = runtime.GOMAXPROCS(0)
	}
	var merged *Answer
	var lock sync.Mutex
	err = parallel.Blocks(ctx, workers, len(e.Folder.Blocks), 1, func(_, block, _ int) error {
		answer, err := e.ask(ctx, block, text)
		if err != nil {
			return err
		}
		lock.Lock()
		defer lock.Unlock()
		merged, err = Merge(merged, answer)
		return err
	})
	return merged, err
}

// ask runs the command of a block until it answers, at most Attempts times.
func (e *Processes) ask(ctx context.Context, block int, task []byte) (answer *Answer, err error) {
	attempts := e.Attempts
	if attempts < 1 {
		attempts = 3
	}
	for range attempts {
		if answer, err = e.attempt(ctx, block, task); err == nil || ctx.Err() != nil {
			return answer, err
		}
		e.failures.Add(1)
	}
	return nil, fmt.Errorf("shard: block %d failed %d times, at last: %w", block, attempts, err)
}

func (e *Processes) attempt(ctx context.Context, block int, task []byte) (*Answer, error) {
	if e.Patience > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, e.Patience)
		defer cancel()
	}
	var output, complaint bytes.Buffer
	command := exec.CommandContext(ctx, e.Command[0], append(e.Command[1:len(e.Command):len(e.Command)], strconv.Itoa(block))...)
	command.Stdin, command.Stdout, command.Stderr = bytes.NewReader(task), &output, &complaint
	command.WaitDelay = time.Second // for pipes that children of the command hold open
	err := command.Run()
	e.sent.Add(int64(len(task)))
	e.received.Add(int64(output.Len()))
	if err != nil {
		return nil, fmt.Errorf("%w: %s", errors.Join(err, ctx.Err()), strings.TrimSpace(complaint.String()))
	}
	answer := new(Answer)
	if err := json.Unmarshal(output.Bytes(), answer); err != nil {
		return nil, fmt.Errorf("the answer is cut short or none: %w", err)
	}
	return answer, nil
}

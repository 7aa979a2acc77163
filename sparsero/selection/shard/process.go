package shard

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/sparsero/directions/sparsero/internal/parallel"
)

// usualAttempts is how often a block is asked unless Folder.Attempts says otherwise.
const usualAttempts = 3

// Run implements [Engine]: by a process for each block if there is a Command, and otherwise in
// this one, one block after the other, each on all cores.
func (f *Folder) Run(ctx context.Context, task *Task) (merged *Answer, err error) {
	if f.Size() < 1 {
		return nil, errNoAtoms
	}
	ask, workers := func(block int) (*Answer, error) { return f.Work(ctx, block, task, nil) }, 1
	if len(f.Command) > 0 {
		text, err := json.Marshal(task)
		if err != nil {
			return nil, fmt.Errorf("shard: %w", err)
		}
		ask = func(block int) (*Answer, error) { return f.ask(ctx, block, text) }
		workers = cmp.Or(f.Workers, runtime.GOMAXPROCS(0))
	}
	var lock sync.Mutex
	err = parallel.Blocks(ctx, workers, len(f.Blocks), 1, func(_, block, _ int) error {
		answer, err := ask(block)
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

// Traffic returns how many bytes tasks and answers took since the start, and how many processes
// failed.
func (f *Folder) Traffic() (sent, received int64, failures int) {
	return f.sent.Load(), f.received.Load(), int(f.failures.Load())
}

// ask runs the command of a block until it answers, at most Attempts times.
func (f *Folder) ask(ctx context.Context, block int, task []byte) (answer *Answer, err error) {
	attempts := cmp.Or(max(0, f.Attempts), usualAttempts)
	for range attempts {
		if answer, err = f.attempt(ctx, block, task); err == nil || ctx.Err() != nil {
			return answer, err
		}
		f.failures.Add(1)
	}
	return nil, fmt.Errorf("shard: block %d failed %d times, at last: %w", block, attempts, err)
}

func (f *Folder) attempt(ctx context.Context, block int, task []byte) (*Answer, error) {
	if f.Patience > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, f.Patience)
		defer cancel()
	}
	var output, complaint bytes.Buffer
	command := exec.CommandContext(ctx, f.Command[0], append(f.Command[1:len(f.Command):len(f.Command)], strconv.Itoa(block))...)
	command.Stdin, command.Stdout, command.Stderr = bytes.NewReader(task), &output, &complaint
	command.WaitDelay = time.Second // for pipes that children of the command hold open
	err := command.Run()
	f.sent.Add(int64(len(task)))
	f.received.Add(int64(output.Len()))
	if err != nil {
		return nil, fmt.Errorf("%w: %s", errors.Join(err, ctx.Err()), strings.TrimSpace(complaint.String()))
	}
	answer := new(Answer)
	if err := json.Unmarshal(output.Bytes(), answer); err != nil {
		return nil, fmt.Errorf("the answer is cut short or none: %w", err)
	}
	return answer, nil
}

package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/cmd/internal/command"
	"github.com/sparsero/directions/sparsero/selection/shard"
)

// cut writes the rows of a file as blocks of a folder.
func cut(c *command.Call) (value, words any, unmet error) {
	count := c.Flags.Int("blocks", 64, "`number` of blocks, whose sizes differ by at most one")
	c.Parse(2, 2)
	return wrote(must(shard.Cut(c.Files[0], c.Files[1], *count)), c.Files[1])
}

// describe writes the manifest of blocks that are there.
func describe(c *command.Call) (value, words any, unmet error) {
	c.Parse(2, math.MaxInt)
	return wrote(must(shard.Describe(c.Files[0], c.Files[1:]...)), c.Files[0])
}

func wrote(folder *shard.Folder, path string) (value, words any, unmet error) {
	return folder.Blocks, fmt.Sprintf("%s: %d atoms of dimension %d in %d blocks, and their manifest", path, folder.Size(), folder.Dim(), len(folder.Blocks)), nil
}

// work answers the task on the standard input for a block.
func work(c *command.Call) (value, words any, unmet error) {
	c.Parse(2, 2)
	block, err := strconv.Atoi(c.Files[1])
	if err != nil {
		fail(fmt.Errorf("the block %q is no number; give one from 0 on", c.Files[1]))
	}
	folder, task := must(shard.Open(c.Files[0])), new(shard.Task)
	if err := json.NewDecoder(os.Stdin).Decode(task); err != nil {
		fail(fmt.Errorf("the task on the standard input: %w; it is what the centre sends to -command", err))
	}
	fail(json.NewEncoder(os.Stdout).Encode(must(folder.Work(c, block, task, nil))))
	return nil, nil, nil
}

// blockFlags are the flags of select for a folder of blocks.
type blockFlags struct {
	command           string
	workers, attempts int
	patience          time.Duration
	options           shard.Options
}

func newBlockFlags(c *command.Call) *blockFlags {
	b := new(blockFlags)
	c.Flags.StringVar(&b.command, "command", "", "blocks: `words` that start a worker, such as \"ssh host sparsero work FOLDER\"; the block's number is added (default: this program)")
	c.Flags.IntVar(&b.workers, "workers", 0, "blocks: `number` of workers at a time (0: one for each core)")
	c.Flags.IntVar(&b.attempts, "attempts", 3, "blocks: `number` of times a block is asked before its failure ends the run")
	c.Flags.DurationVar(&b.patience, "patience", 0, "blocks: `time` after which a worker is stopped and its block asked again (0: none)")
	c.Flags.IntVar(&b.options.Rounds, "rounds", 0, "blocks: `number` of paths verified at most (0: 20)")
	c.Flags.IntVar(&b.options.Propose, "propose", 0, "blocks: `number` of atoms that a block proposes (0: the budget)")
	c.Flags.BoolVar(&b.options.SkipBounds, "skip-bounds", false, "blocks: leave out the bounds on the best choice, which take most of the time")
	return b
}

// choose is the centre of a selection from the blocks of a folder.
func (b *blockFlags) choose(c *command.Call, probes *sparsero.Dictionary, budget int, out string) (value, words any, unmet error) {
	folder := must(shard.Open(c.Files[0]))
	folder.Command, folder.Workers, folder.Attempts, folder.Patience = strings.Fields(b.command), b.workers, b.attempts, b.patience
	if len(folder.Command) == 0 {
		folder.Command = []string{must(os.Executable()), "work", c.Files[0]}
	}
	b.options.Progress = func(r shard.Round) {
		c.Say("round %d: %d candidates, %d picks verified, %d better atoms, %d bytes to each block, %.1f s",
			r.Number, r.Candidates, r.Same, r.Joined, r.Task, r.Elapsed.Seconds())
	}
	result := must(shard.Select(c, folder, probes.Matrix(), budget, &b.options))
	sent, received, failures := folder.Traffic()
	c.Say("%d bytes sent, %d received, %d workers failed", sent, received, failures)
	if !result.Verified {
		unmet = fmt.Errorf("%w: %d of %d picks are proven to be those of one machine; raise -rounds", errUnmet, result.Same, result.Selection.Len())
	}
	if out != "" && len(result.Chosen) > 0 {
		save(out, must(shard.Dictionary(result.Chosen)), result)
	}
	return result, steps(result.Selection), unmet
}

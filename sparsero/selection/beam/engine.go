// Package beam runs the tasks of package shard on Apache Beam: on Prism in this process, and
// by the same pipeline on Flink, Spark and Dataflow (README.md).
//
//	Create(blocks) -> Reshuffle -> ParDo(Work) -> Combine(Merge) -> ParDo(one file)
//
// There are no side inputs, which some runners lack. The answer of a block is a pure function
// of its rows and the task, and Merge is idempotent: a runner may repeat what it likes.
package beam

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism" // and universal

	"github.com/sparsero/directions/sparsero/selection/shard"
)

const manifest = "manifest.json" // the file of a folder that lists its blocks

// Engine asks the blocks of a folder, by one Beam job for each task. It implements
// [shard.Engine]. The flag -runner is prism, universal or another that the program imports;
// Beam's flags belong to the process, so one Run at a time.
type Engine struct {
	// Folder holds the blocks and their manifest, as shard.Cut and shard.Describe write
	// them: a path that is the same on all workers, or gs://bucket/folder.
	Folder string
	// Scratch is a folder that this process and all workers read and write: it holds a task
	// and its answer while a job runs. Default "", Folder.
	Scratch string
	// Resources of each block.
	Resources shard.Resources

	blocks *shard.Folder
}

// Open reads the manifest of a folder. It is an error if it is missing or contradicts itself.
func Open(ctx context.Context, folder string) (*Engine, error) {
	local, remove, err := fetch(ctx, folder, manifest)
	if err != nil {
		return nil, fmt.Errorf("beam: %s: %w", folder, err)
	}
	blocks, err := shard.Open(local)
	return &Engine{Folder: folder, blocks: blocks}, errors.Join(err, remove())
}

// Size implements [shard.Engine].
func (e *Engine) Size() int { return e.blocks.Size() }

// Dim implements [shard.Engine].
func (e *Engine) Dim() int { return e.blocks.Dim() }

// Run implements [shard.Engine]: it runs a job to its end. It is an error if the program has
// not called beam.Init, the job fails, or it leaves no answer.
func (e *Engine) Run(ctx context.Context, task *shard.Task) (answer *shard.Answer, err error) {
	if e.blocks == nil {
		return nil, errors.New("beam: the engine has no blocks; make it with Open")
	}
	if !beam.Initialized() {
		return nil, errors.New("beam: Beam is not initialized; call its beam.Init at the start of main, after flag.Parse: workers begin there")
	}
	job := join(cmp.Or(e.Scratch, e.Folder), "beam-"+rand.Text())
	taskFile, answerFile := job+"-task.json", job+"-answer.json"
	defer removeFile(context.WithoutCancel(ctx), taskFile)
	if err := writeJSON(ctx, taskFile, task); err != nil {
		return nil, fmt.Errorf("beam: the task cannot be written: %w", err)
	}
	defer removeFile(context.WithoutCancel(ctx), answerFile)
	if _, err := beam.Run(ctx, cmp.Or(*runners.Runner, "prism"), e.pipeline(taskFile, answerFile)); err != nil {
		return nil, fmt.Errorf("beam: the job failed: %w", err)
	}
	if err := readJSON(ctx, answerFile, &answer); err != nil {
		return nil, fmt.Errorf("beam: the job left no answer: %w; run it without -async, with a scratch folder that all workers write", err)
	}
	return answer, nil
}

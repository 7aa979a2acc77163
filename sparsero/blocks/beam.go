package blocks

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism" // and universal
)

// Beam asks the blocks of a folder, by one job of Apache Beam for each task. The flag -runner is prism, universal or
// another that the program imports; Beam's flags belong to the process, so one Run at a time.
type Beam struct {
	// Folder holds the blocks and their manifest, as [Cut] and [Describe] write
	// them: a path that is the same on all workers, or gs://bucket/folder.
	Folder string
	// Scratch is a folder that this process and all workers read and write: it holds a task
	// and its answer while a job runs. Default "", Folder.
	Scratch string
	// Resources of each block.
	Resources Resources

	blocks *Folder
}

// OpenBeam reads the manifest of a folder. It has the errors of [Open].
func OpenBeam(ctx context.Context, folder string) (*Beam, error) {
	local, remove, err := fetch(ctx, folder, manifestName)
	if err != nil {
		return nil, fmt.Errorf("blocks: %s: %w", folder, err)
	}
	opened, err := Open(local)
	return &Beam{Folder: folder, blocks: opened}, errors.Join(err, remove())
}

// Size implements [Engine].
func (b *Beam) Size() int { return b.blocks.Size() }

// Dim implements [Engine].
func (b *Beam) Dim() int { return b.blocks.Dim() }

// Run implements [Engine]: it runs a job to its end. It is an error if the program has
// not called beam.Init, the job fails, or it leaves no answer.
func (b *Beam) Run(ctx context.Context, task *Task) (answer *Answer, err error) {
	if b.blocks == nil {
		return nil, errors.New("blocks: the engine has no blocks; make it with OpenBeam")
	}
	if !beam.Initialized() {
		return nil, errors.New("blocks: Beam is not initialized; call its beam.Init at the start of main, after flag.Parse: workers begin there")
	}
	job := join(cmp.Or(b.Scratch, b.Folder), "beam-"+rand.Text())
	taskFile, answerFile := job+"-task.json", job+"-answer.json"
	defer removeFile(context.WithoutCancel(ctx), taskFile)
	if err := writeJSON(ctx, taskFile, task); err != nil {
		return nil, fmt.Errorf("blocks: the task cannot be written: %w", err)
	}
	defer removeFile(context.WithoutCancel(ctx), answerFile)
	if _, err := beam.Run(ctx, cmp.Or(*runners.Runner, "prism"), b.pipeline(taskFile, answerFile)); err != nil {
		return nil, fmt.Errorf("blocks: the job failed: %w", err)
	}
	if err := readJSON(ctx, answerFile, &answer); err != nil {
		return nil, fmt.Errorf("blocks: the job left no answer: %w; run it without -async, with a scratch folder that all workers write", err)
	}
	return answer, nil
}

package beam

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/sparsero/directions/sparsero/selection/shard"
)

// Workers are told by name what to run, so all of it is registered.
func init() {
	register.DoFn2x2[context.Context, shard.File, *shard.Answer, error](&workFn{})
	register.Function2x2(shard.Merge)
	register.DoFn2x1[context.Context, *shard.Answer, error](&writeFn{})
	beam.RegisterCoder(reflect.TypeFor[*shard.Answer](), encode, decode)
}

// pipeline reads a task from a file and writes the merged answer to another.
func (e *Engine) pipeline(taskFile, answerFile string) *beam.Pipeline {
	pipeline, scope := beam.NewPipelineWithRoot()
	blocks := beam.Reshuffle(scope, beam.CreateList(scope, e.blocks.Blocks)) // over the workers
	answers := beam.ParDo(scope, &workFn{Folder: e.Folder, TaskFile: taskFile, Resources: e.Resources}, blocks)
	beam.ParDo0(scope, &writeFn{AnswerFile: answerFile}, beam.Combine(scope, shard.Merge, answers))
	return pipeline
}

// workFn answers the task for a block. Its exported fields travel.
type workFn struct {
	Folder, TaskFile string
	Resources        shard.Resources

	task *shard.Task
}

// Setup reads the task, once for many blocks.
func (f *workFn) Setup(ctx context.Context) error { return readJSON(ctx, f.TaskFile, &f.task) }

// ProcessElement answers for a block. Work compares its checksum.
func (f *workFn) ProcessElement(ctx context.Context, block shard.File) (answer *shard.Answer, err error) {
	local, remove, err := fetch(ctx, f.Folder, manifest, block.Name)
	if err != nil {
		return nil, fmt.Errorf("%s of %s: %w", block.Name, f.Folder, err)
	}
	defer func() { err = errors.Join(err, remove()) }()
	folder, err := shard.Open(local)
	if err != nil {
		return nil, err
	}
	k := slices.Index(folder.Blocks, block)
	if k < 0 {
		return nil, fmt.Errorf("%s is not in the manifest of %s as it was; open the folder again", block.Name, f.Folder)
	}
	return folder.Work(ctx, k, f.task, &f.Resources)
}

// writeFn writes the merged answer.
type writeFn struct{ AnswerFile string }

func (f *writeFn) ProcessElement(ctx context.Context, answer *shard.Answer) error {
	return writeJSON(ctx, f.AnswerFile, answer)
}

func encode(answer *shard.Answer) ([]byte, error) { return json.Marshal(answer) }
func decode(text []byte) (answer *shard.Answer, err error) {
	return answer, json.Unmarshal(text, &answer)
}

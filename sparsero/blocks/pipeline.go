package blocks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
)

// Workers are told by name what to run, so all of it is registered.
func init() {
	register.DoFn2x2[context.Context, File, *Answer, error](&workFn{})
	register.Function2x2(Merge)
	register.DoFn2x1[context.Context, *Answer, error](&writeFn{})
	beam.RegisterCoder(reflect.TypeFor[*Answer](), encode, decode)
}

// pipeline reads a task from a file and writes the merged answer to another.
func (b *Beam) pipeline(taskFile, answerFile string) *beam.Pipeline {
	pipeline, scope := beam.NewPipelineWithRoot()
	files := beam.Reshuffle(scope, beam.CreateList(scope, b.blocks.Blocks)) // over the workers
	answers := beam.ParDo(scope, &workFn{Folder: b.Folder, TaskFile: taskFile, Resources: b.Resources}, files)
	beam.ParDo0(scope, &writeFn{AnswerFile: answerFile}, beam.Combine(scope, Merge, answers))
	return pipeline
}

// workFn answers the task for a block. Its exported fields travel.
type workFn struct {
	Folder, TaskFile string
	Resources        Resources

	task *Task
}

// Setup reads the task, once for many blocks.
func (f *workFn) Setup(ctx context.Context) error { return readJSON(ctx, f.TaskFile, &f.task) }

// ProcessElement answers for a block. Work compares its checksum.
func (f *workFn) ProcessElement(ctx context.Context, block File) (answer *Answer, err error) {
	local, remove, err := fetch(ctx, f.Folder, manifestName, block.Name)
	if err != nil {
		return nil, fmt.Errorf("%s of %s: %w", block.Name, f.Folder, err)
	}
	defer func() { err = errors.Join(err, remove()) }()
	folder, err := Open(local)
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

func (f *writeFn) ProcessElement(ctx context.Context, answer *Answer) error {
	return writeJSON(ctx, f.AnswerFile, answer)
}

func encode(answer *Answer) ([]byte, error) { return json.Marshal(answer) }
func decode(text []byte) (answer *Answer, err error) {
	return answer, json.Unmarshal(text, &answer)
}

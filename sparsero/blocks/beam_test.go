package blocks

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/graph"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/memfs"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	"github.com/sparsero/directions/sparsero/internal/input"
	"github.com/sparsero/directions/sparsero/selection"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

var ctx = context.Background()

// Every test runs on Prism in this process.
func TestMain(m *testing.M) {
	flag.Parse()
	log.LogLevel = "error"
	beam.Init()
	os.Exit(m.Run())
}

// tester is a test or a property.
type tester interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
}

func must[T any](value T, err error) func(tester) T {
	return func(t tester) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

// random returns numbers of few values, so that ties are frequent, but for the last column, in which all rows differ: no
// two blocks have the same content.
func random(seed uint64, n, p int) *mat.Dense {
	source := rand.New(rand.NewPCG(seed, 1))
	values := make([]float64, n*p)
	for k := range values {
		values[k] = float64(source.IntN(9)-4) / 4
		if k%p == p-1 {
			values[k] = float64(k) / 0x1p20
		}
	}
	return mat.NewDense(n, p, values)
}

// writeBlocks writes atoms as blocks of the given sizes, which may repeat.
func writeBlocks(t tester, folder string, atoms *mat.Dense, sizes ...int) {
	t.Helper()
	_, p := atoms.Dims()
	names, from := make([]string, len(sizes)), 0
	for k, size := range sizes {
		var text bytes.Buffer
		if err := input.WriteMatrix(&text, mat.DenseCopyOf(atoms.Slice(from, from+size, 0, p))); err != nil {
			t.Fatal(err)
		}
		names[k] = fmt.Sprintf("block-%d.npy", k)
		if err := os.WriteFile(filepath.Join(folder, names[k]), text.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
		from += size
	}
	must(Describe(folder, names...))(t)
}

// tasks ask for all that a task can ask for.
func tasks(t tester, engine Engine, directions *mat.Dense) []*Task {
	t.Helper()
	first, second, third := must(NewTask(directions))(t), must(NewTask(directions))(t), must(NewTask(directions))(t)
	first.Propose, second.Largest, third.Worst = 3, 4, 2
	proposed := must(engine.Run(ctx, first))(t).Proposed
	for _, atom := range proposed[:min(2, len(proposed))] {
		second.Path = append(second.Path, Step{Atom: atom, Gain: 0.01})
	}
	return []*Task{first, second, third}
}

// text is an answer with the bits of its numbers.
func text(t tester, answer *Answer) string {
	t.Helper()
	return string(must(json.Marshal(answer))(t))
}

// splits are those that a centre may stumble over.
func splits() map[string]struct {
	atoms *mat.Dense
	sizes []int
} {
	atoms := random(1, 24, 3)
	twice := mat.NewDense(48, 3, nil)
	twice.Stack(atoms, atoms)
	equal := mat.NewDense(6, 3, nil)
	for i := range 6 {
		equal.SetRow(i, []float64{1, 0.5, -1})
	}
	return map[string]struct {
		atoms *mat.Dense
		sizes []int
	}{
		"one block":             {atoms, []int{24}},
		"one atom each":         {atoms, slices.Repeat([]int{1}, 24)},
		"uneven":                {atoms, []int{1, 20, 3}},
		"all atoms come twice":  {twice, []int{20, 28}},
		"all atoms are equal":   {equal, []int{2, 1, 3}},
		"a block of zeros only": {mat.NewDense(3, 3, []float64{0, 0, 0, 0, 0, 0, 1, 2, 3}), []int{2, 1}},
	}
}

// Answers of Beam are those of one process, the same to the last bit.
func TestAnswersAreThoseOfOneProcess(t *testing.T) {
	directions := random(2, 10, 3)
	for name, split := range splits() {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			writeBlocks(t, folder, split.atoms, split.sizes...)
			engine, want := must(OpenBeam(ctx, folder))(t), must(Open(folder))(t)
			if engine.Size() != want.Size() || engine.Dim() != want.Dim() {
				t.Fatalf("%d×%d atoms, want %d×%d", engine.Size(), engine.Dim(), want.Size(), want.Dim())
			}
			for _, task := range tasks(t, want, directions) {
				got := text(t, must(engine.Run(ctx, task))(t))
				if expected := text(t, must(want.Run(ctx, task))(t)); got != expected {
					t.Errorf("the answer is\n%s\nwant\n%s", got, expected)
				}
			}
			requireOnlyBlocks(t, folder, len(split.sizes))
		})
	}
}

// requireOnlyBlocks finds what a job has left behind.
func requireOnlyBlocks(t *testing.T, folder string, blocks int) {
	t.Helper()
	if left := must(os.ReadDir(folder))(t); len(left) != blocks+1 {
		t.Errorf("the folder holds %v, want %d blocks and the manifest", left, blocks)
	}
}

// A selection over any split is that of greedy on one machine.
func TestSelectIsGreedyOnOneMachine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		folder := must(os.MkdirTemp("", "beam-test-"))(t)
		defer os.RemoveAll(folder)
		n := rapid.IntRange(1, 30).Draw(t, "N")
		atoms, directions := random(rapid.Uint64().Draw(t, "seed"), n, 3), random(rapid.Uint64().Draw(t, "seed of T"), 8, 3)
		var sizes []int
		for left := n; left > 0; {
			sizes = append(sizes, rapid.IntRange(1, left).Draw(t, "size"))
			left -= sizes[len(sizes)-1]
		}
		writeBlocks(t, folder, atoms, sizes...)
		budget := rapid.IntRange(1, min(n, 6)).Draw(t, "B")
		result := must(Select(ctx, must(OpenBeam(ctx, folder))(t), directions, budget, &Options{Rounds: n + 1, Propose: 1}))(t)
		coverage := must(selection.NewCoverage(&matrixRows{atoms}, directions, nil))(t)
		want := must(selection.Greedy{StopAtFull: true}.Select(ctx, coverage, budget))(t)
		got := result.Selection
		if !result.Verified || result.Same != want.Len() || !slices.Equal(got.Atoms, want.Atoms) ||
			!slices.Equal(got.Gains, want.Gains) || !slices.Equal(got.Coverage, want.Coverage) {
			t.Fatalf("Beam chose %+v (verified %v up to %d), one machine %+v", got, result.Verified, result.Same, want)
		}
	})
}

// matrixRows are atoms in memory.
type matrixRows struct{ *mat.Dense }

func (r *matrixRows) Size() int { n, _ := r.Dims(); return n }
func (r *matrixRows) Dim() int  { _, p := r.Dims(); return p }

func (r *matrixRows) Rows(buffer []float64, from, to int) ([]float64, error) {
	p := r.Dim()
	return buffer[:copy(buffer, r.RawMatrix().Data[from*p:to*p])], nil
}

// Blocks in an object store, here one in memory, give the same answers.
func TestObjectStore(t *testing.T) {
	folder := t.TempDir()
	writeBlocks(t, folder, random(3, 20, 3), 7, 6, 7)
	for _, entry := range must(os.ReadDir(folder))(t) {
		memfs.Write("memfs://bucket/"+entry.Name(), must(os.ReadFile(filepath.Join(folder, entry.Name())))(t))
	}
	engine, want := must(OpenBeam(ctx, "memfs://bucket/"))(t), must(Open(folder))(t)
	for _, task := range tasks(t, want, random(4, 9, 3)) {
		if got, expected := text(t, must(engine.Run(ctx, task))(t)), text(t, must(want.Run(ctx, task))(t)); got != expected {
			t.Errorf("the answer is\n%s\nwant\n%s", got, expected)
		}
	}
	if left := must(memfs.New(ctx).List(ctx, "memfs://bucket/*"))(t); len(left) != 4 {
		t.Errorf("the store holds %v, want 3 blocks and the manifest", left)
	}
	if left, _ := filepath.Glob(filepath.Join(os.TempDir(), "beam-blocks-*")); len(left) > 0 {
		t.Errorf("copies of blocks are left: %v", left)
	}
}

// Runners repeat what failed and may run it twice at once: blocks that come more than once, in
// any order, and a merged answer that is written again change nothing.
func TestRepeatedWorkChangesNothing(t *testing.T) {
	folder := t.TempDir()
	writeBlocks(t, folder, random(5, 30, 3), 10, 5, 15)
	want := must(Open(folder))(t)
	for k, task := range tasks(t, want, random(6, 9, 3)) {
		taskFile, answerFile := filepath.Join(folder, fmt.Sprint("task", k)), filepath.Join(folder, fmt.Sprint("answer", k))
		if err := writeJSON(ctx, taskFile, task); err != nil {
			t.Fatal(err)
		}
		pipeline, scope := beam.NewPipelineWithRoot()
		var descriptors []File
		for _, k := range []int{2, 0, 1, 1, 2, 0, 2} {
			descriptors = append(descriptors, want.Blocks[k])
		}
		answers := beam.ParDo(scope, &workFn{Folder: folder, TaskFile: taskFile}, beam.CreateList(scope, descriptors))
		merged := beam.Combine(scope, Merge, answers)
		beam.ParDo0(scope, &writeFn{AnswerFile: answerFile}, merged)
		beam.ParDo0(scope, &writeFn{AnswerFile: answerFile}, merged)
		must(beam.Run(ctx, "prism", pipeline))(t)
		var answer *Answer
		if err := readJSON(ctx, answerFile, &answer); err != nil {
			t.Fatal(err)
		}
		if got, expected := text(t, answer), text(t, must(want.Run(ctx, task))(t)); got != expected {
			t.Errorf("the answer is\n%s\nwant\n%s", got, expected)
		}
	}
}

// A failure is told with its reason and leaves nothing behind; the next job runs.
func TestFailures(t *testing.T) {
	folder := t.TempDir()
	writeBlocks(t, folder, random(7, 9, 3), 3, 3, 3)
	engine := must(OpenBeam(ctx, folder))(t)
	task := must(NewTask(random(8, 4, 3)))(t)
	path := filepath.Join(folder, "block-1.npy")
	whole := must(os.ReadFile(path))(t)
	spoilt := slices.Clone(whole)
	spoilt[len(spoilt)-1] ^= 1
	for reason, content := range map[string][]byte{"checksum": spoilt, "no such file": nil} {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if content != nil {
			if err := os.WriteFile(path, content, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := engine.Run(ctx, task); err == nil || !strings.Contains(err.Error(), "block-1.npy") || !strings.Contains(err.Error(), reason) {
			t.Errorf("%s: the error is %v", reason, err)
		}
		if err := os.WriteFile(path, whole, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	ended, end := context.WithCancel(ctx)
	end()
	if _, err := engine.Run(ended, task); err == nil {
		t.Error("a context that has ended is no error")
	}
	if _, err := engine.Run(ctx, nil); err == nil {
		t.Error("a task that is nil is no error")
	}
	must(engine.Run(ctx, task))(t)
	requireOnlyBlocks(t, folder, 3)
	if _, err := (&Beam{Folder: folder}).Run(ctx, task); err == nil || !strings.Contains(err.Error(), "Open") {
		t.Errorf("an engine without blocks: the error is %v", err)
	}
	for _, folder := range []string{filepath.Join(folder, "none"), "memfs://none", "unknown://none"} {
		if _, err := OpenBeam(ctx, folder); err == nil || !strings.Contains(err.Error(), "none") {
			t.Errorf("%s: the error is %v", folder, err)
		}
	}
}

// A merge that fails ends the job.
func TestContradictionsAreTold(t *testing.T) {
	pipeline, scope := beam.NewPipelineWithRoot()
	answers := beam.Create(scope, &Answer{Task: "a"}, &Answer{Task: "b"})
	beam.ParDo0(scope, &writeFn{AnswerFile: filepath.Join(t.TempDir(), "answer")}, beam.Combine(scope, Merge, answers))
	if _, err := beam.Run(ctx, "prism", pipeline); err == nil || !strings.Contains(err.Error(), "different tasks") {
		t.Errorf("answers to two tasks are merged: the error is %v", err)
	}
}

// Runners differ in what they have; all have what this graph is made of, and not all have side
// inputs.
func TestGraphHasNoSideInputs(t *testing.T) {
	folder := t.TempDir()
	writeBlocks(t, folder, random(9, 4, 3), 2, 2)
	edges, _, err := must(OpenBeam(ctx, folder))(t).pipeline("task", "answer").Build()
	if err != nil {
		t.Fatal(err)
	}
	allowed := map[graph.Opcode]bool{graph.Impulse: true, graph.ParDo: true, graph.Reshuffle: true, graph.CoGBK: true, graph.Combine: true}
	found := map[graph.Opcode]int{}
	for _, edge := range edges {
		found[edge.Op]++
		if !allowed[edge.Op] {
			t.Errorf("%s is a %s", edge, edge.Op)
		}
		if len(edge.Input) > 1 || len(edge.Input) == 1 && edge.Input[0].Kind != graph.Main {
			t.Errorf("%s has side inputs", edge)
		}
		if edge.DoFn != nil && (edge.DoFn.IsSplittable() || len(edge.DoFn.PipelineState()) > 0) {
			t.Errorf("%s is splittable or has a state", edge)
		}
	}
	if found[graph.Combine] != 1 || found[graph.Reshuffle] != 1 {
		t.Errorf("the graph has %v, want one Combine and one Reshuffle", found)
	}
}

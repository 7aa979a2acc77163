// Package compare measures this module beside NumPy and SciPy: the workloads are benchmarks here, those of the peers are
// in peers.py, and compare.py runs both in turn on the same data, checks that the results agree and stores the figures.
// make compare calls it.
package compare

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/datasets"
	"github.com/sparsero/directions/notebooks/studies/integer"
	"github.com/sparsero/directions/solver"
	_ "github.com/sparsero/directions/solver/highs" // both sides solve integer programs with HiGHS
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/robust"
	"github.com/sparsero/directions/sparsero/selection"
)

// task is what compare.py leaves in the file task.json of the folder COMPARE_DATA: the sizes of the arrays beside it,
// which are float32 in row order without a header, and the settings of the workloads.
type task struct {
	Atoms, Directions, Dimension, Budget int
	Radius                               float64
	Seed                                 uint64 // of the integer instance
	Sets                                 [][]int
	folder                               string
}

// readTask skips a benchmark that compare.py did not call.
func readTask(b *testing.B) task {
	folder := os.Getenv("COMPARE_DATA")
	if folder == "" {
		b.Skip("needs the data of the peers: make compare")
	}
	text, err := os.ReadFile(filepath.Join(folder, "task.json"))
	if err != nil {
		b.Fatal(err)
	}
	t := task{folder: folder}
	if err := json.Unmarshal(text, &t); err != nil {
		b.Fatal(err)
	}
	return t
}

// array reads an array of the task.
func (t task) array(b *testing.B, name string, rows int) *mat.Dense {
	content, err := os.ReadFile(filepath.Join(t.folder, name+".float32"))
	if err != nil {
		b.Fatal(err)
	}
	single, values := make([]float32, rows*t.Dimension), make([]float64, rows*t.Dimension)
	if _, err := binary.Decode(content, binary.LittleEndian, single); err != nil {
		b.Fatal(err)
	}
	for k, v := range single {
		values[k] = float64(v)
	}
	return mat.NewDense(rows, t.Dimension, values)
}

func (t task) dictionary(b *testing.B) *sparsero.Dictionary {
	d, err := sparsero.NewDictionary(t.array(b, "atoms", t.Atoms), nil)
	if err != nil {
		b.Fatal(err)
	}
	return d
}

// measure times the work and leaves its result for compare.py.
func (t task) measure(b *testing.B, work func() (any, error)) {
	var result any
	var err error
	runtime.GC()
	for b.Loop() {
		if result, err = work(); err != nil {
			b.Fatal(err)
		}
	}
	text, err := json.Marshal(result)
	if err == nil {
		err = os.WriteFile(filepath.Join(t.folder, "result.json"), text, 0o644)
	}
	if err != nil {
		b.Fatal(err)
	}
}

// choice is what a rule chose and the value that it reached.
type choice struct {
	Picks []int
	Value float64
}

func byCoverage(s *selection.Selection, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return choice{s.Atoms, s.Coverage[s.Len()-1]}, nil
}

func byDeficit(s *selection.Selection, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return choice{s.Atoms, s.WorstDeficit[s.Len()-1]}, nil
}

// BenchmarkScoresGreedy computes the alignments and runs greedy.
func BenchmarkScoresGreedy(b *testing.B) {
	t := readTask(b)
	atoms, directions, ctx := t.dictionary(b), t.array(b, "directions", t.Directions), context.Background()
	t.measure(b, func() (any, error) {
		c, err := selection.NewCoverage(atoms, directions, nil)
		if err != nil {
			return nil, err
		}
		return byCoverage(selection.Greedy{SkipBounds: true}.Select(ctx, c, t.Budget))
	})
}

// onScores measures a rule on alignments that are there.
func onScores(b *testing.B, rule func(ctx context.Context, c *selection.Coverage, budget int) (any, error)) {
	t, ctx := readTask(b), context.Background()
	c, err := selection.NewCoverage(t.dictionary(b), t.array(b, "directions", t.Directions), nil)
	if err != nil {
		b.Fatal(err)
	}
	t.measure(b, func() (any, error) { return rule(ctx, c, t.Budget) })
}

func BenchmarkGreedy(b *testing.B) {
	onScores(b, func(ctx context.Context, c *selection.Coverage, budget int) (any, error) {
		return byCoverage(selection.Greedy{SkipBounds: true}.Select(ctx, c, budget))
	})
}

func BenchmarkMaxGap(b *testing.B) {
	onScores(b, func(ctx context.Context, c *selection.Coverage, budget int) (any, error) {
		return byDeficit(selection.MaxGap{SkipBounds: true}.Select(ctx, c, budget))
	})
}

func BenchmarkSetCover(b *testing.B) {
	onScores(b, func(ctx context.Context, c *selection.Coverage, budget int) (any, error) {
		return byDeficit(selection.SetCover{SkipBounds: true}.Select(ctx, c, budget))
	})
}

// BenchmarkProgram solves min <c,x> + r max(0, max_i <d_i,x>) over the box [-1,1]^n.
func BenchmarkProgram(b *testing.B) {
	t := readTask(b)
	region := solver.NewModel("box")
	for _, cost := range t.array(b, "cost", 1).RawRowView(0) {
		region.AddColumn(solver.Column{Bounds: solver.Between(-1, 1), Cost: cost})
	}
	problem, err := robust.NewProblem(t.dictionary(b), region, sparsero.Identity(t.Dimension))
	if err != nil {
		b.Fatal(err)
	}
	t.measure(b, func() (any, error) {
		s, err := problem.SolveFull(context.Background(), t.Radius, nil)
		if err != nil {
			return nil, err
		}
		return s.Value, nil
	})
}

// instance draws the integer instance of the task.
func (t task) instance(b *testing.B) *datasets.IntegerInstance {
	i, err := datasets.NewIntegerInstance(datasets.IntegerOptions{Seed: t.Seed})
	if err != nil {
		b.Fatal(err)
	}
	return i
}

// optima collects the value of each set, nil for an infeasible one.
func (t task) optima(solve func(atoms []int) (float64, error)) (any, error) {
	values := make([]*float64, len(t.Sets))
	for k, atoms := range t.Sets {
		value, err := solve(atoms)
		if errors.Is(err, solver.ErrInfeasible) {
			continue
		}
		if err != nil {
			return nil, err
		}
		values[k] = &value
	}
	return values, nil
}

// BenchmarkIntegerPrograms solves a robust integer program for each set by HiGHS.
func BenchmarkIntegerPrograms(b *testing.B) {
	t := readTask(b)
	problem, err := integer.Problem(t.instance(b))
	if err != nil {
		b.Fatal(err)
	}
	exact := &robust.Options{Solver: &solver.Options{RelativeGap: -1}}
	t.measure(b, func() (any, error) {
		return t.optima(func(atoms []int) (float64, error) {
			s, err := problem.Solve(context.Background(), atoms, 1, exact)
			if err != nil {
				return 0, err
			}
			return s.Value, nil
		})
	})
}

// BenchmarkEnumeration lists the decisions of the instance, then looks up every set.
func BenchmarkEnumeration(b *testing.B) {
	t := readTask(b)
	instance := t.instance(b)
	t.measure(b, func() (any, error) {
		e, err := integer.NewEnumeration(instance)
		if err != nil {
			return nil, err
		}
		return t.optima(func(atoms []int) (float64, error) {
			d, err := e.Solve(atoms, 1)
			if err != nil {
				return 0, err
			}
			return d.Value, nil
		})
	})
}

// BenchmarkInstance does no work: it hands the integer instance to the peers.
func BenchmarkInstance(b *testing.B) {
	t := readTask(b)
	i := t.instance(b)
	t.measure(b, func() (any, error) {
		return map[string]any{
			"cost": [][]float64{i.Cost}, "base": rows(i.Base), "extra": rows(i.Extra), "atoms": rows(i.Dictionary.Matrix()), "cardinality": i.Cardinality,
		}, nil
	})
}

func rows(m *mat.Dense) (list [][]float64) {
	count, _ := m.Dims()
	for k := range count {
		list = append(list, m.RawRowView(k))
	}
	return list
}

// TestSidesAgree runs every workload on small data, once on each side: picks and optima must be the same.
func TestSidesAgree(t *testing.T) {
	if os.Getenv("COMPARE_DATA") != "" {
		t.Skip("called by compare.py")
	}
	python := "/usr/bin/python3"
	if exec.Command(python, "-c", "import numpy, scipy.optimize; scipy.optimize.milp").Run() != nil {
		t.Skip("no NumPy and SciPy for " + python)
	}
	output, err := exec.Command(python, "compare.py", "-quick", "-binary", os.Args[0]).CombinedOutput()
	t.Logf("%s", output)
	if err != nil {
		t.Fatal(err)
	}
}

//go:build unix

// Package compare measures this module beside NumPy, SciPy and pandas: the workloads are benchmarks here, those of the peers are
// in peers.py, and compare.py runs both in turn on the same data, checks that the results agree and stores the figures.
// make compare calls it.
package compare

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/sparsero/directions/solver"
	_ "github.com/sparsero/directions/solver/highs" // both sides solve integer programs with HiGHS
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/calibration"
	"github.com/sparsero/directions/sparsero/convex"
	"github.com/sparsero/directions/sparsero/robust"
	"github.com/sparsero/directions/sparsero/selection"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// task is what compare.py leaves in the file task.json of the folder COMPARE_DATA: the sizes of the arrays beside it,
// which are float32 in row order without a header, and the settings of the workloads.
type task struct {
	Atoms, Directions, Dimension, Budget int
	Radius                               float64
	Costs, Gammas                        []float64 // of the atoms of a knapsack; of the budget sets
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

// measure leaves the processor seconds of the work and its result for compare.py.
func (t task) measure(b *testing.B, work func() (any, error)) {
	var result any
	var err error
	runtime.GC()
	before := usage(b)
	for b.Loop() {
		if result, err = work(); err != nil {
			b.Fatal(err)
		}
	}
	seconds := (usage(b).Processor - before.Processor) / float64(b.N)
	text, err := json.Marshal(map[string]any{"Seconds": seconds, "Result": result})
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
		return byCoverage(selection.Greedy{}.Select(ctx, c, t.Budget))
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
		return byCoverage(selection.Greedy{}.Select(ctx, c, budget))
	})
}

func BenchmarkMaxGap(b *testing.B) {
	onScores(b, func(ctx context.Context, c *selection.Coverage, budget int) (any, error) {
		return byDeficit(selection.MaxGap{}.Select(ctx, c, budget))
	})
}

func BenchmarkSetCover(b *testing.B) {
	onScores(b, func(ctx context.Context, c *selection.Coverage, budget int) (any, error) {
		return byDeficit(selection.SetCover{}.Select(ctx, c, budget))
	})
}

func BenchmarkKnapsack(b *testing.B) {
	onScores(b, func(ctx context.Context, c *selection.Coverage, budget int) (any, error) {
		rule := selection.Knapsack{Costs: readTask(b).Costs, Capacity: 2 * float64(budget)}
		return byCoverage(rule.Select(ctx, c, budget))
	})
}

// BenchmarkFullScores scores the directions as calibration samples, under the whole dictionary.
func BenchmarkFullScores(b *testing.B) {
	t := readTask(b)
	samples := t.array(b, "directions", t.Directions)
	full, err := sparsero.FullSet(t.dictionary(b), 1)
	if err != nil {
		b.Fatal(err)
	}
	t.measure(b, func() (any, error) { return calibration.DirectionalScores(full, samples) })
}

// BenchmarkGauge computes the gauges of the directions over all atoms; -1 stands for one that is infinite.
func BenchmarkGauge(b *testing.B) {
	t := readTask(b)
	samples := t.array(b, "directions", t.Directions)
	full, err := sparsero.FullSet(t.dictionary(b), 1)
	if err != nil {
		b.Fatal(err)
	}
	t.measure(b, func() (any, error) {
		scores, err := calibration.GaugeScores(context.Background(), full, samples)
		for j, v := range scores {
			if math.IsInf(v, 1) {
				scores[j] = -1
			}
		}
		return scores, err
	})
}

// BenchmarkDays moves a window over the atoms: the directions are those that follow it, one each day. The optimum of the day
// before is not measured.
func BenchmarkDays(b *testing.B) {
	t := readTask(b)
	later, days := t.array(b, "directions", t.Directions), make([]*sparsero.Dictionary, t.Directions)
	for k := range days {
		var err error
		if days[k], err = sparsero.NewDictionary(later.Slice(k, k+1, 0, t.Dimension), nil); err != nil {
			b.Fatal(err)
		}
	}
	region, whole := solver.NewModel("portfolio"), solver.Row{Bounds: solver.Equal(1)}
	for range t.Dimension {
		whole.Columns = append(whole.Columns, region.AddColumn(solver.Column{Bounds: solver.Between(0, 1)}))
		whole.Values = append(whole.Values, 1)
	}
	region.AddRow(whole)
	problem, err := robust.NewProblem(t.dictionary(b), region, sparsero.Identity(t.Dimension))
	if err != nil {
		b.Fatal(err)
	}
	before, err := problem.SolveFull(context.Background(), t.Radius, nil)
	if err != nil {
		b.Fatal(err)
	}
	t.measure(b, func() (any, error) {
		s, values := before, make([]float64, len(days))
		for k, day := range days {
			rolled, start, err := s.Problem().Roll(day, []int{0}, s.Atoms)
			if err != nil {
				return nil, err
			}
			if s, err = rolled.SolveFull(context.Background(), t.Radius, &robust.Options{Start: start}); err != nil {
				return nil, err
			}
			values[k] = s.Value
		}
		return values, nil
	})
}

// BenchmarkRows builds and solves max <c,x> over the box [-1,1]^n where every row <a_k,x> + r max(0, max_i <d_i,x>) <= 1 has
// an equal share of the atoms as its own. As the array of the other side, the dictionary of all atoms is there before.
func BenchmarkRows(b *testing.B) {
	t := readTask(b)
	nominal, atoms, cost := t.array(b, "directions", t.Directions), t.dictionary(b), t.array(b, "cost", 1).RawRowView(0)
	all := make([]int, t.Atoms)
	for i := range all {
		all[i] = i
	}
	t.measure(b, func() (any, error) {
		region := solver.NewModel("box")
		for _, c := range cost {
			region.AddColumn(solver.Column{Bounds: solver.Between(-1, 1), Cost: -c})
		}
		rows, share := make([]robust.Constraint, t.Directions), t.Atoms/t.Directions
		for k := range rows {
			own, err := atoms.Subset(all[k*share : (k+1)*share])
			if err != nil {
				return nil, err
			}
			rows[k] = robust.Constraint{Nominal: nominal.RawRowView(k), Map: sparsero.Identity(t.Dimension), Limit: 1, Dictionary: own}
		}
		problem, err := robust.NewProblem(nil, region, sparsero.AffineMap{}, rows...)
		if err != nil {
			return nil, err
		}
		s, err := problem.SolveFull(context.Background(), t.Radius, nil)
		if err != nil {
			return nil, err
		}
		return s.Value, nil
	})
}

// problem is min <c,x> + r max(0, max_i <d_i,x>) over the box [-1,1]^n.
func (t task) problem(b *testing.B) *robust.Problem {
	region := solver.NewModel("box")
	for _, cost := range t.array(b, "cost", 1).RawRowView(0) {
		region.AddColumn(solver.Column{Bounds: solver.Between(-1, 1), Cost: cost})
	}
	problem, err := robust.NewProblem(t.dictionary(b), region, sparsero.Identity(t.Dimension))
	if err != nil {
		b.Fatal(err)
	}
	return problem
}

// BenchmarkProgram solves a problem over all atoms.
func BenchmarkProgram(b *testing.B) {
	t := readTask(b)
	problem := t.problem(b)
	t.measure(b, func() (any, error) {
		s, err := problem.SolveFull(context.Background(), t.Radius, nil)
		if err != nil {
			return nil, err
		}
		return s.Value, nil
	})
}

// BenchmarkDesign solves it and designs from its atoms, with a certificate that no atom left out counts.
func BenchmarkDesign(b *testing.B) {
	t, ctx := readTask(b), context.Background()
	problem := t.problem(b)
	t.measure(b, func() (any, error) {
		full, err := problem.SolveFull(ctx, t.Radius, nil)
		if err != nil {
			return nil, err
		}
		design, err := problem.Design(ctx, len(full.Atoms), t.Radius, &robust.DesignOptions{Start: full.Atoms})
		if err != nil {
			return nil, err
		}
		if !design.Certified {
			return nil, fmt.Errorf("the design stopped by %v", design.Stop)
		}
		return design.Solution.FullValue(), nil
	})
}

// overBudget solves a problem whose budget set has the widths.
func overBudget(widths []float64, gamma float64, region *solver.Model, q sparsero.AffineMap, rows ...robust.Constraint) (float64, error) {
	set, err := convex.NewBudget(widths, gamma)
	if err != nil {
		return 0, err
	}
	problem, err := robust.NewConvex(set, region, q, rows...)
	if err != nil {
		return 0, err
	}
	s, err := problem.SolveFull(context.Background(), 1, nil)
	if err != nil {
		return 0, err
	}
	return s.Value, nil
}

// BenchmarkPortfolio is section 5 of Bertsimas and Sim (2004), as peers.py says it.
func BenchmarkPortfolio(b *testing.B) {
	t := readTask(b)
	region, deviations := solver.NewModel("portfolio"), make([]float64, t.Atoms)
	whole := solver.Row{Bounds: solver.Equal(1)}
	for k := range deviations {
		i := float64(k + 1)
		deviations[k] = 0.05 / 450 * math.Sqrt(2*i*150*151)
		whole.Columns = append(whole.Columns, region.AddColumn(solver.Column{Bounds: solver.AtLeast(0), Cost: -(1.15 + 0.05/150*i)}))
		whole.Values = append(whole.Values, 1)
	}
	region.AddRow(whole)
	t.measure(b, func() (any, error) { return overBudget(deviations, t.Gammas[0], region, sparsero.Identity(t.Atoms)) })
}

// BenchmarkBudgetKnapsacks is their section 6.1 for several budgets, as peers.py says it.
func BenchmarkBudgetKnapsacks(b *testing.B) {
	t := readTask(b)
	region, widths, weights := solver.NewModel("knapsack"), make([]float64, t.Atoms), make([]float64, t.Atoms)
	for j := range weights {
		weights[j] = float64(20 + 7*j%10)
		widths[j] = 0.1 * weights[j]
		region.AddColumn(solver.Column{Bounds: solver.Between(0, 1), Cost: -float64(16 + 11*j%62), Integer: true})
	}
	capacity := robust.Constraint{Name: "capacity", Nominal: weights, Map: sparsero.Identity(t.Atoms), Limit: 20 * float64(t.Atoms)}
	t.measure(b, func() (any, error) {
		values := make([]float64, len(t.Gammas))
		for k, gamma := range t.Gammas {
			var err error
			if values[k], err = overBudget(widths, gamma, region, sparsero.AffineMap{}, capacity); err != nil {
				return nil, err
			}
		}
		return values, nil
	})
}

func BenchmarkLoadNPY(b *testing.B) { load(b, "table.npy") }
func BenchmarkLoadCSV(b *testing.B) { load(b, "table.csv") }

// load reads a dictionary and sums its numbers.
func load(b *testing.B, name string) {
	t := readTask(b)
	t.measure(b, func() (any, error) {
		d, err := sparsero.LoadDictionary(filepath.Join(t.folder, name))
		if err != nil {
			return nil, err
		}
		sum := 0.0
		for i := range d.Size() {
			sum += floats.Sum(d.RawRowView(i))
		}
		return sum, nil
	})
}

// TestSidesAgree runs every workload on small data, once on each side: picks and optima must be the same.
func TestSidesAgree(t *testing.T) {
	if os.Getenv("COMPARE_DATA") != "" {
		t.Skip("called by compare.py")
	}
	python := "/usr/bin/python3"
	if exec.Command(python, "-c", "import numpy, pandas, scipy.optimize; scipy.optimize.milp").Run() != nil {
		t.Skip("no NumPy, SciPy and pandas for " + python)
	}
	output, err := exec.Command(python, "compare.py", "-quick", "-binary", os.Args[0]).CombinedOutput()
	t.Logf("%s", output)
	if err != nil {
		t.Fatal(err)
	}
}

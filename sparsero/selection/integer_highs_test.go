//go:build cgo

package selection_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/highs"
	"github.com/sparsero/directions/sparsero/selection"
)

// integerOptimum is the largest coverage of at most so many atoms by an integer program, another way to it than branching on
// the Lagrangian bound.
func integerOptimum(t *testing.T, in instance, budget int) float64 {
	t.Helper()
	table := make([][]float64, in.coverage.Size())
	m, _ := in.directions.Dims()
	for i := range table {
		for j := range m {
			table[i] = append(table[i], alignment(in, i, j))
		}
	}
	result, err := solver.Solve(context.Background(), facilityLocation(table, budget), &solver.Options{Backend: highs.Backend{}})
	if err != nil || result.Check() != nil {
		t.Fatal(err, result.Check())
	}
	return result.Objective / float64(m)
}

func alignment(in instance, i, j int) float64 {
	total := 0.0
	for k, value := range in.directions.RawRowView(j) {
		total += value * in.atoms.At(i, k)
	}
	return total
}

// facilityLocation writes the program. Column i is the choice of atom i.
func facilityLocation(table [][]float64, budget int) *solver.Model {
	model := solver.NewModel("coverage as facility location")
	model.SetMaximize(true)
	limit := solver.Row{Name: "budget", Bounds: solver.AtMost(float64(budget))}
	for i := range table {
		model.AddColumn(solver.Column{Name: fmt.Sprintf("choose %d", i), Bounds: solver.Between(0, 1), Integer: true})
		limit.Columns, limit.Values = append(limit.Columns, i), append(limit.Values, 1)
	}
	model.AddRow(limit)
	for j := range table[0] {
		serve := solver.Row{Name: fmt.Sprintf("direction %d", j), Group: "one atom per direction", Bounds: solver.AtMost(1)}
		for i, row := range table {
			alignment := row[j]
			if alignment <= 0 {
				continue
			}
			column := model.AddColumn(solver.Column{Bounds: solver.Between(0, 1), Cost: alignment})
			model.AddRow(solver.Row{Group: "only chosen atoms serve", Bounds: solver.AtMost(0), Columns: []int{column, i}, Values: []float64{1, -1}})
			serve.Columns, serve.Values = append(serve.Columns, column), append(serve.Values, 1)
		}
		model.AddRow(serve)
	}
	return model
}

// Branching and the integer program find the same optimum where brute force would take long.
func TestExactAgreesWithTheIntegerProgram(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds, under the race detector half a minute, in which it looks at nothing that runs side by side")
	}
	for seed := range uint64(4) {
		in := randomInstance(t, 40, 5, 60, 800+seed)
		for _, budget := range []int{3, 6} {
			s := selectAtoms(t, selection.Exact{}, in.coverage, budget)
			if got, want := in.coverage.Value(s.Atoms), integerOptimum(t, in, budget); got < want*(1-1e-6) || got > want*(1+1e-6) {
				t.Errorf("seed %d, B=%d: %v by branching, %v by the integer program", seed, budget, got, want)
			}
		}
	}
}

// Greedy on random instances is far above its a-priori guarantee, and the
// a-posteriori bound knows most of that: p=5, N=40, |T|=60, B=3.
func TestGreedyIsBetterThanItsGuarantee(t *testing.T) {
	for seed := range uint64(3) {
		in := randomInstance(t, 40, 5, 60, 800+seed)
		greedy := selectAtoms(t, selection.Greedy{}, in.coverage, 3)
		ratio := greedy.Coverage[2] / integerOptimum(t, in, 3)
		if ratio < 0.9 || greedy.OptimalityRatio(3).Float() > ratio+1e-6 || greedy.OptimalityRatio(3).Float() < ratio-.02 {
			t.Errorf("seed %d: greedy/optimum %v, proved %v, guaranteed %v", seed, ratio, greedy.OptimalityRatio(3), selection.GreedyGuarantee(3))
		}
	}
}

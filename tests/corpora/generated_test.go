package corpora

import (
	"fmt"
	"math"

	"github.com/sparsero/directions/solver"
)

// generated returns the programs of SciPy's scipy/optimize/tests/test_linprog.py that are made by a rule or by NumPy's
// generator with seed 0, with the optima that stand there, and cubes of Klee and Minty in more dimensions.
func generated() []*problem {
	problems := []*problem{
		magicSquare(false), magicSquare(true), assignmentPolytope(), zeroColumn1(), zeroColumn2(), redundantEquation(),
		roots("enzo_example_c_with_degeneracy", 20, 1, 0), roots("enzo_example_c_with_unboundedness", 50, 0, 0),
		roots("enzo_example_c_with_infeasibility", 50, 0, 1), zeroRow(true), zeroRow(false),
	}
	for _, dimension := range []int{4, 8, 12} {
		problems = append(problems, kleeMinty(dimension))
	}
	return problems
}

// addColumns adds columns with the given costs and one pair of bounds.
func (p *problem) addColumns(costs []float64, lower, upper float64) {
	for _, cost := range costs {
		p.model.AddColumn(solver.Column{Bounds: solver.Between(lower, upper), Cost: cost})
	}
}

// addRow adds a row of all columns.
func (p *problem) addRow(lower, upper float64, values []float64) {
	p.model.AddRow(solver.Row{Bounds: solver.Between(lower, upper), Columns: upTo(len(values)), Values: values})
}

func (p *problem) withOptimum(optimum float64) *problem {
	p.status, p.optimum = solver.Optimal, optimum
	return p
}

func (p *problem) withStatus(status solver.Status) *problem {
	p.status = status
	return p
}

func upTo(n int) []int {
	all := make([]int, n)
	for k := range all {
		all[k] = k
	}
	return all
}

func ones(n int, v float64) []float64 {
	all := make([]float64, n)
	for k := range all {
		all[k] = v
	}
	return all
}

var infinity = math.Inf(1)

// magicSquare is the relaxation of a magic square of order 3, x_kij = 1 where cell (i,j) holds number k+1, with random
// costs (test_bug_7044: rank-deficient equations; test_magic_square_sparse_no_presolve with upper bounds of 1).
func magicSquare(bounded bool) *problem {
	const n, sum = 3, 15
	p := newProblem(fmt.Sprintf("bug_7044 magic square, bounded %v", bounded))
	p.guards = "rank-deficient equations"
	upper := infinity
	if bounded {
		upper = 1
	}
	p.addColumns(newLegacy(0).uniforms(n*n*n*n), 0, upper)
	row := func(side float64, weight func(k, i, j int) float64) {
		values := make([]float64, 0, n*n*n*n)
		for k := range n * n {
			for i := range n {
				for j := range n {
					values = append(values, weight(k, i, j))
				}
			}
		}
		p.addRow(side, side, values)
	}
	is := func(holds bool, v int) float64 {
		if holds {
			return float64(v)
		}
		return 0
	}
	for number := range n * n {
		row(1, func(k, _, _ int) float64 { return is(k == number, 1) })
	}
	for cell := range n * n {
		row(1, func(_, i, j int) float64 { return is(n*i+j == cell, 1) })
	}
	for line := range n {
		row(sum, func(k, i, _ int) float64 { return is(i == line, k+1) })
	}
	for line := range n {
		row(sum, func(k, _, j int) float64 { return is(j == line, k+1) })
	}
	row(sum, func(k, i, j int) float64 { return is(i == j, k+1) })
	row(sum, func(k, i, j int) float64 { return is(i+j == n-1, k+1) })
	return p.withOptimum(1.730550597)
}

// assignmentPolytope has 400 columns whose lines of a 20×20 grid sum to at most 1, with exponential gains
// (test_lpgen_problem).
func assignmentPolytope() *problem {
	const n = 20
	p := newProblem("lpgen_problem")
	costs := newLegacy(0).uniforms(n * n)
	for k, u := range costs {
		costs[k] = math.Log(1 - u) // minus an exponential variable
	}
	p.addColumns(costs, 0, infinity)
	for i := range n {
		row := solver.Row{Bounds: solver.AtMost(1), Values: ones(n, 1)}
		for j := range n {
			row.Columns = append(row.Columns, n*i+j)
		}
		p.model.AddRow(row)
	}
	for j := range n {
		column := solver.Row{Bounds: solver.AtMost(1), Values: ones(n, 1)}
		for i := range n {
			column.Columns = append(column.Columns, n*i+j)
		}
		p.model.AddRow(column)
	}
	return p.withOptimum(-64.049494229)
}

// zeroColumn1 has a column in no equation (test_zero_column_1).
func zeroColumn1() *problem {
	r := newLegacy(0)
	p := newProblem("zero_column_1")
	costs := r.uniforms(4)
	costs[1] = 1
	p.addColumns(costs, -10, 10)
	p.model.SetColumnBounds(2, solver.AtLeast(-10))
	p.model.SetColumnBounds(3, solver.Bounds{})
	p.addRow(-infinity, 3, []float64{1, 0, 1, 1})
	p.addEquations(r, 3)
	return p.withOptimum(-9.7087836730413404)
}

// addEquations draws equations of four columns, the second of which they leave out, and then their sides.
func (p *problem) addEquations(r *legacy, count int) {
	matrix := r.uniforms(4 * count)
	for i, side := range r.uniforms(count) {
		values := matrix[4*i : 4*i+4]
		values[1] = 0
		p.addRow(side, side, values)
	}
}

// zeroColumn2 has a column in no row that falls for ever (test_zero_column_2).
func zeroColumn2() *problem {
	r := newLegacy(0)
	p := newProblem("zero_column_2")
	costs := r.uniforms(4)
	costs[1] = -1
	p.addColumns(costs, -infinity, infinity)
	p.addEquations(r, 2)
	matrix := r.uniforms(8)
	for i, side := range r.uniforms(2) {
		values := matrix[4*i : 4*i+4]
		values[1] = 0
		p.addRow(-infinity, side, values)
	}
	return p.withStatus(solver.Unbounded)
}

// zeroRow has an equation or inequality without columns that nothing satisfies (test_zero_row_3 and 4).
func zeroRow(equation bool) *problem {
	r := newLegacy(0)
	p := newProblem(fmt.Sprintf("zero_row_3 and 4, equation %v", equation))
	p.addColumns(r.uniforms(4), 0, infinity)
	matrix, sides := r.uniforms(8), r.uniforms(2)
	for i, side := range sides {
		values, lower := matrix[4*i:4*i+4], side
		if i == 0 {
			values = make([]float64, 4)
		}
		if !equation {
			lower, side = -infinity, -side
		}
		p.addRow(lower, side, values)
	}
	return p.withStatus(solver.Infeasible)
}

// redundantEquation has two parallel equations with different sides (test_remove_redundancy_infeasibility).
func redundantEquation() *problem {
	const n = 10
	r := newLegacy(0)
	p := newProblem("remove_redundancy_infeasibility")
	p.addColumns(r.uniforms(n), 0, infinity)
	matrix, sides := r.uniforms(n*n), r.uniforms(n)
	for j := range n {
		matrix[n*(n-1)+j] = 2 * matrix[n*(n-2)+j]
	}
	sides[n-1] *= -1
	for i, side := range sides {
		p.addRow(side, side, matrix[n*i:n*i+n])
	}
	return p.withStatus(solver.Infeasible)
}

// roots has the equations Σ (cos φ_k - 1) x_k = Σ sin φ_k x_k = side with φ_k = 2π(k+first)/(count+1): degenerate with
// the optimum 0, unbounded where φ_0 = 0, infeasible for the side 1.
func roots(name string, count, first int, side float64) *problem {
	p := newProblem(name)
	p.addColumns(ones(count, -1), 0, infinity)
	cosines, sines := make([]float64, count), make([]float64, count)
	for k := range count {
		angle := 2 * math.Pi * float64(k+first) / float64(count+1)
		cosines[k], sines[k] = math.Cos(angle)-1, math.Sin(angle)
	}
	p.addRow(side, side, cosines)
	p.addRow(side, side, sines)
	switch {
	case side != 0:
		return p.withStatus(solver.Infeasible)
	case first == 0:
		return p.withStatus(solver.Unbounded)
	}
	p.point = make([]float64, count)
	return p.withOptimum(0)
}

// kleeMinty is max Σ 10^(n-j) x_j, x_i + 2 Σ_{j<i} 10^(i-j) x_j <= 100^(i-1), through all 2^n corners of which
// Dantzig's rule goes; the optimum is the last right-hand side (Chvátal 1983, chapter 4).
func kleeMinty(n int) *problem {
	p := newProblem(fmt.Sprintf("Klee and Minty's cube in %d dimensions", n))
	p.model.SetMaximize(true)
	for j := range n {
		p.model.AddColumn(solver.Column{Bounds: solver.AtLeast(0), Cost: math.Pow(10, float64(n-1-j))})
	}
	for i := range n {
		values := make([]float64, i+1)
		for j := range i {
			values[j] = 2 * math.Pow(10, float64(i-j))
		}
		values[i] = 1
		p.addRow(-infinity, math.Pow(100, float64(i)), values)
	}
	return p.withOptimum(math.Pow(100, float64(n-1)))
}

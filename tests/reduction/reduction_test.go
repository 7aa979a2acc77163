// Package reduction compares the choice of atoms with scenario reduction: methods that choose few cost scenarios before the problem is solved
// (Goerigk and Khosravi; Fairbrother, Goerigk and Khosravi, arXiv 2410.08863; k-means) beside those that choose while it is solved.
package reduction

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/sparsero/directions/solver"
	_ "github.com/sparsero/directions/solver/highs"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/robust"
	"github.com/sparsero/directions/sparsero/selection"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// most bounds the factors t that are looked for; a set that is not worth even that is of no use.
const most = 20

var ctx = context.Background()

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// instance is min max_i c_i'x over x in {0,1}^n with Ax >= b, or Ax = b.
type instance struct {
	costs [][]float64 // N×n, positive
	rows  [][]float64 // A
	sides []float64   // b
	exact bool        // Ax = b
}

// selecting is to take half of n items.
func selecting(random *rand.Rand, scenarios, n int) *instance {
	all := make([]float64, n)
	floats.AddConst(1, all)
	return &instance{drawCosts(random, scenarios, n), [][]float64{all}, []float64{float64(n / 2)}, true}
}

// covering is vertex cover on a random graph of n vertices and 2 n edges.
func covering(random *rand.Rand, scenarios, n int) *instance {
	c := &instance{costs: drawCosts(random, scenarios, n)}
	for range 2 * n {
		from, edge := random.IntN(n), make([]float64, n)
		edge[from], edge[(from+1+random.IntN(n-1))%n] = 1, 1
		c.rows, c.sides = append(c.rows, edge), append(c.sides, 1)
	}
	return c
}

func drawCosts(random *rand.Rand, scenarios, n int) [][]float64 {
	costs := make([][]float64, scenarios)
	for i := range costs {
		costs[i] = make([]float64, n)
		for k := range costs[i] {
			costs[i][k] = float64(1 + random.IntN(100))
		}
	}
	return costs
}

// problem is the robust problem over some scenarios: the atoms are the scenarios and b(x) = 0.
func (c *instance) problem(scenarios [][]float64) *robust.Problem {
	n := len(scenarios[0])
	region, all := solver.NewModel("reduction"), make([]int, n)
	for k := range all {
		all[k] = region.AddColumn(solver.Column{Bounds: solver.Between(0, 1), Integer: true})
	}
	for i, row := range c.rows {
		bounds := solver.AtLeast(c.sides[i])
		if c.exact {
			bounds = solver.Equal(c.sides[i])
		}
		region.AddRow(solver.Row{Bounds: bounds, Columns: all, Values: row})
	}
	atoms := must(sparsero.NewDictionary(matrix(scenarios), nil))
	return must(robust.NewProblem(atoms, region, sparsero.Identity(n)))
}

func matrix(rows [][]float64) *mat.Dense {
	m := mat.NewDense(len(rows), len(rows[0]), nil)
	for i, row := range rows {
		m.SetRow(i, row)
	}
	return m
}

// worst is max_i c_i'x over all scenarios.
func (c *instance) worst(x []float64) float64 {
	worst := 0.0
	for _, cost := range c.costs {
		worst = max(worst, floats.Dot(cost, x))
	}
	return worst
}

// covers adds to a model what says that scenario i is never more than the sum of weights mu_j times the representatives, for nonnegative
// x or, if aware, for x in the relaxation of X alone, by the dual of min (sum mu_j r_j - c_i)'x: A'y - β <= sum mu_j r_j - c_i, b'y - 1'β >= 0.
func (c *instance) covers(model *solver.Model, i int, representatives [][]float64, mu []int, aware bool) {
	var y, beta []int
	if aware {
		dual := solver.Row{Bounds: solver.AtLeast(0)}
		for r := range c.rows {
			bounds := solver.Between(0, 1000)
			if c.exact {
				bounds = solver.Between(-1000, 1000)
			}
			y = append(y, model.AddColumn(solver.Column{Bounds: bounds}))
			dual.Columns, dual.Values = append(dual.Columns, y[r]), append(dual.Values, c.sides[r])
		}
		for range c.costs[i] {
			beta = append(beta, model.AddColumn(solver.Column{Bounds: solver.Between(0, 10000)}))
			dual.Columns, dual.Values = append(dual.Columns, beta[len(beta)-1]), append(dual.Values, -1)
		}
		model.AddRow(dual)
	}
	for k, cost := range c.costs[i] {
		row := solver.Row{Bounds: solver.AtLeast(cost)}
		for j, representative := range representatives {
			row.Columns, row.Values = append(row.Columns, mu[j]), append(row.Values, representative[k])
		}
		if aware {
			for r := range c.rows {
				row.Columns, row.Values = append(row.Columns, y[r]), append(row.Values, -c.rows[r][k])
			}
			row.Columns, row.Values = append(row.Columns, beta[k]), append(row.Values, 1)
		}
		model.AddRow(row)
	}
}

// guarantee returns the smallest t with max_i c_i'x <= t max_j r_j'x for all x of the relaxation.
func (c *instance) guarantee(representatives [][]float64) float64 {
	t := 1.0
	for i := range c.costs {
		model := solver.NewModel("guarantee")
		mu := make([]int, len(representatives))
		for j := range mu {
			mu[j] = model.AddColumn(solver.Column{Bounds: solver.Between(0, most), Cost: 1})
		}
		c.covers(model, i, representatives, mu, true)
		r := must(solver.Solve(ctx, model, nil))
		if must(r, r.Check()).Objective > t {
			t = r.Objective
		}
	}
	return t
}

// reduce chooses count scenarios with the smallest t by an integer program: for nonnegative x (Goerigk and Khosravi) or, if aware, for x in
// the relaxation of X (Fairbrother, Goerigk and Khosravi).
func (c *instance) reduce(ctx context.Context, count int, aware bool) []int {
	model := solver.NewModel("reduction")
	t := model.AddColumn(solver.Column{Bounds: solver.Between(1, most), Cost: 1})
	chosen, total := make([]int, len(c.costs)), solver.Row{Bounds: solver.AtMost(float64(count))}
	for j := range chosen {
		chosen[j] = model.AddColumn(solver.Column{Bounds: solver.Between(0, 1), Integer: true})
		total.Columns, total.Values = append(total.Columns, chosen[j]), append(total.Values, 1)
	}
	model.AddRow(total)
	for i := range c.costs {
		mu, sum := make([]int, len(c.costs)), solver.Row{Bounds: solver.AtMost(0), Columns: []int{t}, Values: []float64{-1}}
		for j := range mu {
			mu[j] = model.AddColumn(solver.Column{Bounds: solver.Between(0, most)})
			sum.Columns, sum.Values = append(sum.Columns, mu[j]), append(sum.Values, 1)
			model.AddRow(solver.Row{Bounds: solver.AtMost(0), Columns: []int{mu[j], chosen[j]}, Values: []float64{1, -most}})
		}
		model.AddRow(sum)
		c.covers(model, i, c.costs, mu, aware)
	}
	r := must(solver.Solve(ctx, model, nil))
	if r.X == nil {
		panic(r.Check())
	}
	var indices []int
	for j, column := range chosen {
		if r.X[column] > 0.5 {
			indices = append(indices, j)
		}
	}
	return indices
}

// kMeans returns the centres of count clusters: the best of 20 runs of Lloyd's algorithm.
func (c *instance) kMeans(random *rand.Rand, count int) [][]float64 {
	var best [][]float64
	least := math.Inf(1)
	for range 20 {
		var centres [][]float64
		for _, j := range random.Perm(len(c.costs))[:count] {
			centres = append(centres, append([]float64(nil), c.costs[j]...))
		}
		loss := math.Inf(1)
		for {
			sums, sizes, sum := make([][]float64, count), make([]float64, count), 0.0
			for _, cost := range c.costs {
				nearest, distance := 0, math.Inf(1)
				for j, centre := range centres {
					if d := floats.Distance(cost, centre, 2); d < distance {
						nearest, distance = j, d
					}
				}
				if sums[nearest] == nil {
					sums[nearest] = make([]float64, len(cost))
				}
				floats.Add(sums[nearest], cost)
				sizes[nearest]++
				sum += distance * distance
			}
			for j := range centres {
				if sizes[j] > 0 {
					floats.ScaleTo(centres[j], 1/sizes[j], sums[j])
				}
			}
			if sum >= loss*(1-1e-12) {
				break
			}
			loss = sum
		}
		if loss < least {
			best, least = centres, loss
		}
	}
	return best
}

// greedy chooses by coverage of probes: optimal decisions of single scenarios, an approximation of where X will be.
func (c *instance) greedy(count int) []int {
	var probes [][]float64
	for _, cost := range c.costs {
		probes = append(probes, must(c.problem([][]float64{cost}).SolveFull(ctx, 1, nil)).X)
	}
	coverage := must(selection.NewCoverage(must(sparsero.NewDictionary(matrix(c.costs), nil)), matrix(probes), nil))
	return must(selection.Greedy{}.Select(ctx, coverage, count)).Atoms
}

// pick returns the scenarios with some positions.
func (c *instance) pick(indices []int) (scenarios [][]float64) {
	for _, i := range indices {
		scenarios = append(scenarios, c.costs[i])
	}
	return scenarios
}

// outcome is what a method gives: how many scenarios, the worst cost of its decision, the factor that was known before the problem was solved (NaN if
// none), and the one that is known afterwards, the worst cost over a proven lower bound on the optimum.
type outcome struct {
	scenarios            int
	value, before, after float64
}

// solve solves the problem over representatives, which lie in the convex hull of the scenarios, so that its value is a lower bound.
func (c *instance) solve(representatives [][]float64, before float64) outcome {
	s := must(c.problem(representatives).SolveFull(ctx, 1, nil))
	value := c.worst(s.X)
	return outcome{len(representatives), value, before, value / s.LowerBound.Float()}
}

// design chooses while it solves, at most count scenarios.
func (c *instance) design(count int) outcome {
	p := c.problem(c.costs)
	d := must(p.Design(ctx, count, 1, &robust.DesignOptions{Rule: robust.MostViolated}))
	value := c.worst(d.Solution.X)
	return outcome{len(d.Atoms), value, math.NaN(), value / d.Solution.LowerBound.Float()}
}

func (o outcome) String() string {
	return fmt.Sprintf("%d scenarios, value %.4f, factor %.4f before and %.4f after", o.scenarios, o.value, o.before, o.after)
}

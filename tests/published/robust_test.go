package published

import (
	"context"
	"math"
	"testing"

	"github.com/sparsero/directions/solver"
	_ "github.com/sparsero/directions/solver/highs"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/convex"
	"github.com/sparsero/directions/sparsero/robust"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

var ctx = context.Background()

// must ends the test where a step has failed.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// columns makes a region that minimises costs, of columns between the same bounds.
func columns(lower, upper float64, costs ...float64) *solver.Model {
	region := solver.NewModel("published")
	for _, cost := range costs {
		region.AddColumn(solver.Column{Bounds: solver.Between(lower, upper), Cost: cost})
	}
	return region
}

// atMost adds a row of all columns.
func atMost(region *solver.Model, limit float64, values ...float64) {
	region.AddRow(solver.Row{Bounds: solver.AtMost(limit), Columns: upTo(len(values)), Values: values})
}

func equal(region *solver.Model, value float64, values ...float64) {
	region.AddRow(solver.Row{Bounds: solver.Equal(value), Columns: upTo(len(values)), Values: values})
}

func upTo(n int) []int {
	all := make([]int, n)
	for k := range all {
		all[k] = k
	}
	return all
}

func ones(n int) []float64 {
	all := make([]float64, n)
	floats.AddConst(1, all)
	return all
}

// row is ⟨nominal, x⟩ + max ⟨u, Mx + c⟩ <= limit, for the rows of M.
func row(nominal []float64, limit float64, constant []float64, matrix ...[]float64) robust.Constraint {
	m := mat.NewDense(len(matrix), len(nominal), nil)
	for i, values := range matrix {
		m.SetRow(i, values)
	}
	return robust.Constraint{Nominal: nominal, Limit: limit, Map: sparsero.AffineMap{Matrix: m, Constant: constant}}
}

// over solves a region with robust rows over a convex set.
func over(set convex.Set, region *solver.Model, rows ...robust.Constraint) *robust.Solution {
	return must(must(robust.NewConvex(set, region, sparsero.AffineMap{}, rows...)).SolveFull(ctx, 1, nil))
}

// corners returns the corners of a box as atoms.
func corners(widths ...float64) *sparsero.Dictionary {
	p := len(widths)
	atoms := mat.NewDense(1<<p, p, nil)
	for k := range 1 << p {
		for j, width := range widths {
			if k>>j&1 == 1 {
				width = -width
			}
			atoms.Set(k, j, width)
		}
	}
	return must(sparsero.NewDictionary(atoms, nil))
}

// drugs: two raw materials with uncertain contents of an active agent, two drugs.
func drugs(*testing.T) []float64 {
	region := columns(0, 1e5, 100, 199.9, 700-6200, 800-6900)
	atMost(region, 1000, 1, 1, 0, 0)
	atMost(region, 2000, 0, 0, 90, 100)
	atMost(region, 800, 0, 0, 40, 50)
	atMost(region, 100000, 100, 199.9, 700, 800)
	agent := row([]float64{-0.01, -0.02, 0.5, 0.6}, 0, nil, []float64{1, 0, 0, 0}, []float64{0, 1, 0, 0})
	p := must(robust.NewProblem(corners(0.00005, 0.0004), region, sparsero.AffineMap{}, agent))
	nominal, full := must(p.SolveFull(ctx, 0, nil)), must(p.SolveFull(ctx, 1, nil))
	return []float64{nominal.Value, nominal.X[1], nominal.X[2], full.Value, full.X[0], full.X[2]}
}

// chips is the region of BIM, which makes logic and memory chips.
func chips(integer bool) *solver.Model {
	region := solver.NewModel("BIM")
	region.AddColumn(solver.Column{Bounds: solver.Between(0, 1000), Cost: -12, Integer: integer})
	region.AddColumn(solver.Column{Bounds: solver.Between(0, 1500), Cost: -9, Integer: integer})
	atMost(region, 1750, 1, 1)
	return region
}

func copper() robust.Constraint {
	return row([]float64{4, 2}, 4800, nil, []float64{1, 0}, []float64{0, 1})
}

func profit(s *robust.Solution) []float64 { return []float64{-s.Value, s.X[0], s.X[1]} }

// chipsInBox: copper use within a box, for more and more uncertainty.
func chipsInBox(*testing.T) []float64 {
	box := must(robust.NewProblem(corners(1, 1), chips(false), sparsero.AffineMap{}, copper()))
	whole := must(robust.NewProblem(corners(1, 1), chips(true), sparsero.AffineMap{}, copper()))
	values := append(profit(must(box.SolveFull(ctx, 0, nil))), profit(must(box.SolveFull(ctx, 0.05, nil)))...)
	for k := range 12 {
		values = append(values, -must(whole.SolveFull(ctx, 0.025*float64(k), nil)).Value)
	}
	return values
}

// chipsInMeasuredBox: the box of measured quantiles, which reaches 0.0618 above 4 and 0.0328 above 2.
func chipsInMeasuredBox(*testing.T) []float64 {
	low, high := []float64{3.922766922829344, 1.9701110863753781}, []float64{4.061793174956137, 2.0328386701386703}
	atoms := mat.NewDense(4, 2, nil)
	for k := range 4 {
		for j := range 2 {
			end := low[j]
			if k>>j&1 == 1 {
				end = high[j]
			}
			atoms.Set(k, j, end-[]float64{4, 2}[j])
		}
	}
	dictionary := must(sparsero.NewDictionary(atoms, nil))
	box := must(robust.NewProblem(dictionary, chips(false), sparsero.AffineMap{}, copper()))
	whole := must(robust.NewProblem(dictionary, chips(true), sparsero.AffineMap{}, copper()))
	return append(profit(must(box.SolveFull(ctx, 1, nil))), profit(must(whole.SolveFull(ctx, 1, nil)))...)
}

func chipsInBudget(*testing.T) []float64 {
	return profit(over(must(convex.NewBudget([]float64{0.01, 0.01}, 2)), chips(true), copper()))
}

func chipsInBall(*testing.T) []float64 {
	ball := must(convex.NewBall(2, 2, 0.05))
	return append(profit(over(ball, chips(false), copper())), profit(over(ball, chips(true), copper()))...)
}

func chipsAdversarial(*testing.T) []float64 {
	return profit(over(must(convex.NewBudget([]float64{0.8, 0.4}, 1.5)), chips(false), copper()))
}

// chipsMistaken is what the book solves in its place: the scenario (1, 0.5) without the factor 0.2.
func chipsMistaken(*testing.T) []float64 {
	scenario := must(sparsero.NewDictionary(mat.NewDense(1, 2, []float64{4 * 1, 2 * 0.5}), nil))
	return profit(must(must(robust.NewProblem(scenario, chips(false), sparsero.AffineMap{}, copper())).SolveFull(ctx, 1, nil)))
}

// stocks are means and deviations of 150 stocks.
func stocks() (means, deviations []float64) {
	for i := 1; i <= 150; i++ {
		means = append(means, 1.15+0.05/150*float64(i))
		deviations = append(deviations, 0.05/450*math.Sqrt(2*float64(i)*150*151))
	}
	return means, deviations
}

func portfolio(means []float64) *solver.Model {
	region := columns(0, 1, floats.ScaleTo(make([]float64, len(means)), -1, means)...)
	equal(region, 1, ones(len(means))...)
	return region
}

func priceOfRobustness(*testing.T) []float64 {
	means, deviations := stocks()
	problem := must(robust.NewConvex(must(convex.NewBudget(deviations, 5)), portfolio(means), sparsero.Identity(150)))
	return []float64{-must(problem.SolveFull(ctx, 1, nil)).Value}
}

// firstOfCvxro: (Pu + a)'x <= 10 for all u of the unit ball.
func firstOfCvxro(*testing.T) []float64 {
	s := over(must(convex.NewBall(2, 2, 1)), columns(-1000, 1000, 2, 1), row([]float64{0.4, 0.5}, 10, nil, []float64{1, 1}, []float64{2, 0}))
	return []float64{s.Value, s.X[0], s.X[1]}
}

// inventory is Ben-Tal's production over 24 periods with rules that are affine in the demands seen before: p_it = p0 + sum_{s<t} P_its d_s. The
// deviations of the demands from their means are in a box. The second value is the cost of the mean demands, kept to the worst cost.
func inventory(*testing.T) []float64 {
	const periods, factories = 24, 3
	season := func(t int) float64 { return 1 + 0.5*math.Sin(math.Pi*float64(t)/12) }
	demand, widths := make([]float64, periods), make([]float64, periods)
	for t := range periods {
		demand[t], widths[t] = 1000*season(t), 200*season(t)
	}
	region := solver.NewModel("inventory")
	base, slope := [factories][periods]int{}, [factories][periods][periods]int{}
	for i := range factories {
		for t := range periods {
			base[i][t] = region.AddColumn(solver.Column{Bounds: solver.Between(-1e5, 1e5)})
			for s := range t {
				slope[i][t][s] = region.AddColumn(solver.Column{Bounds: solver.Between(-100, 100)})
			}
		}
	}
	n := region.Columns()
	// rule is a sum of rules with weights, as a function of the columns and the deviations.
	type rule struct {
		nominal []float64
		change  sparsero.AffineMap
	}
	empty := func() rule {
		return rule{make([]float64, n), sparsero.AffineMap{Matrix: mat.NewDense(periods, n, nil), Constant: make([]float64, periods)}}
	}
	add := func(r rule, weight float64, i, t int) {
		r.nominal[base[i][t]] += weight
		for s := range t {
			column := slope[i][t][s]
			r.nominal[column] += weight * demand[s]
			r.change.Matrix.Set(s, column, r.change.Matrix.At(s, column)+weight)
		}
	}
	constraint := func(name string, r rule, limit float64) robust.Constraint {
		return robust.Constraint{Name: name, Nominal: r.nominal, Map: r.change, Limit: limit}
	}
	var rows []robust.Constraint
	cost := empty()
	for i := range factories {
		total := empty()
		for t := range periods {
			least, most := empty(), empty()
			add(least, -1, i, t)
			add(most, 1, i, t)
			rows = append(rows, constraint("", least, 0), constraint("", most, 567))
			add(total, 1, i, t)
			add(cost, []float64{1, 1.5, 2}[i]*season(t), i, t)
		}
		rows = append(rows, constraint("", total, 13600))
	}
	for t := range periods { // 500 <= 500 + what is made - what is asked for <= 2000
		most, least, asked := empty(), empty(), 0.0
		for s := range t + 1 {
			for i := range factories {
				add(most, 1, i, s)
				add(least, -1, i, s)
			}
			asked += demand[s]
			most.change.Constant[s], least.change.Constant[s] = -1, 1
		}
		rows = append(rows, constraint("", most, 1500+asked), constraint("", least, -asked))
	}
	solve := func(objective rule, rows []robust.Constraint) *solver.Result {
		model := region.Clone()
		for k, value := range objective.nominal {
			model.SetCost(k, value)
		}
		boxRows(model, widths, rows)
		r := must(solver.Solve(ctx, model, nil))
		must(r, r.Check())
		return r
	}
	worst := region.AddColumn(solver.Column{Bounds: solver.Between(-1e6, 1e6)})
	n++
	bound := empty() // the worst cost - worst <= 0
	copy(bound.nominal, cost.nominal)
	bound.nominal[worst] = -1
	bound.change.Matrix.Slice(0, periods, 0, n-1).(*mat.Dense).Copy(cost.change.Matrix)
	rows = append(rows, constraint("worst cost", bound, 0))
	least := empty()
	least.nominal[worst] = 1
	first := solve(least, rows)
	region.SetColumnBounds(worst, solver.AtMost(first.Objective*(1+1e-9)))
	return []float64{first.Objective, solve(cost, rows).Objective}
}

// boxRows writes robust rows over |u_s| <= w_s as they are: ⟨nominal, x⟩ + sum_s w_s t_s <= limit with t_s >= |q_s(x)|.
func boxRows(model *solver.Model, widths []float64, rows []robust.Constraint) {
	for _, row := range rows {
		nominal := solver.Row{Bounds: solver.AtMost(row.Limit)}
		for k, value := range row.Nominal {
			nominal.Columns, nominal.Values = append(nominal.Columns, k), append(nominal.Values, value)
		}
		for s, width := range widths {
			t := model.AddColumn(solver.Column{Bounds: solver.AtLeast(0)})
			nominal.Columns, nominal.Values = append(nominal.Columns, t), append(nominal.Values, width)
			change := row.Map.Matrix.RawRowView(s)
			for _, sign := range []float64{1, -1} { // t >= sign q
				side := solver.Row{Bounds: solver.AtLeast(sign * row.Map.Constant[s]), Columns: []int{t}, Values: []float64{1}}
				for k, value := range change {
					if value != 0 {
						side.Columns, side.Values = append(side.Columns, k), append(side.Values, -sign*value)
					}
				}
				model.AddRow(side)
			}
		}
		model.AddRow(nominal)
	}
}

package published

import (
	"math"
	"testing"

	"github.com/sparsero/directions/solver"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/mathext/prng"
)

// optimum solves a model and checks its status.
func optimum(model *solver.Model) *solver.Result {
	r := must(solver.Solve(ctx, model, nil))
	return must(r, r.Check())
}

func meanVariance(*testing.T) []float64 {
	means, deviations := stocks()
	region := portfolio(means)
	for i, sigma := range deviations {
		region.AddQuadratic(i, i, 5*sigma*sigma)
	}
	return []float64{-optimum(region).Objective}
}

// normals returns what numpy.random.seed(1) and two calls of numpy.random.normal(size=(rows, columns)) give: the Mersenne twister with polar
// pairs, the second of which is used first.
func normals(rows, columns int) (first, second *mat.Dense) {
	source := prng.NewMT19937()
	source.Seed(1)
	uniform := func() float64 {
		high, low := source.Uint32()>>5, source.Uint32()>>6
		return (float64(high)*(1<<26) + float64(low)) / (1 << 53)
	}
	values := make([]float64, 0, 2*rows*columns+1)
	for len(values) < 2*rows*columns {
		x, y := 2*uniform()-1, 2*uniform()-1
		if r := x*x + y*y; r < 1 && r != 0 {
			factor := math.Sqrt(-2 * math.Log(r) / r)
			values = append(values, factor*y, factor*x)
		}
	}
	return mat.NewDense(rows, columns, values[:rows*columns]), mat.NewDense(rows, columns, values[rows*columns:2*rows*columns])
}

// The numbers that a thousand notebooks show for seed 1.
func TestNormals(t *testing.T) {
	first, _ := normals(1, 3)
	for k, want := range []float64{1.62434536, -0.61175641, -0.52817175} {
		if math.Abs(first.At(0, k)-want) > 1e-8 {
			t.Errorf("number %d is %.9g, want %.9g", k, first.At(0, k), want)
		}
	}
}

// wasserstein is the linear program of Corollary 5.1 of Mohajerin Esfahani and Kuhn: x, λ, τ, s_j and γ_kj.
func wasserstein(*testing.T) []float64 {
	const n, m, epsilon, rho, alpha = 30, 10, 0.01, 10, 0.2
	common, own := normals(n, m)
	model := solver.NewModel("wasserstein")
	column := func(cost float64, bounds solver.Bounds) int {
		return model.AddColumn(solver.Column{Cost: cost, Bounds: bounds})
	}
	for range m {
		column(0, solver.AtLeast(0))
	}
	equal(model, 1, ones(m)...)
	lambda, tau := column(epsilon, solver.Bounds{}), column(0, solver.Bounds{})
	for j := range n {
		s := column(1./n, solver.Bounds{})
		for _, piece := range [][2]float64{{-1, rho}, {-1 - rho/alpha, rho - rho/alpha}} {
			a, b := piece[0], piece[1]
			epigraph := solver.Row{Bounds: solver.AtMost(0), Columns: []int{tau, s}, Values: []float64{b, -1}}
			for i := range m {
				z := max(0.02*common.At(j, i)+0.03*float64(i+1)+0.025*float64(i+1)*own.At(j, i), -1)
				gamma := column(0, solver.AtLeast(0))
				epigraph.Columns, epigraph.Values = append(epigraph.Columns, i, gamma), append(epigraph.Values, a*z, 1+z)
				for _, sign := range []float64{1, -1} { // |γ + a x| <= λ
					model.AddRow(solver.Row{Bounds: solver.AtMost(0), Columns: []int{gamma, i, lambda}, Values: []float64{sign, sign * a, -1}})
				}
			}
			model.AddRow(epigraph)
		}
	}
	return []float64{optimum(model).Objective}
}

// satisficing is the linear program of Theorem 9 of Long, Sim and Zhou; the second value is k0 + w k1 of the robust form, k0 = ‖x‖_∞ and
// k1 = ‖x‖_∞ / ε.
func satisficing(*testing.T) []float64 {
	const s, n, beta, epsilon, tau, weight = 300, 10, 0.10, 0.05, 0.125, 10
	common, own := normals(s, n)
	model := solver.NewModel("satisficing")
	for range n {
		model.AddColumn(solver.Column{Bounds: solver.AtLeast(0)})
	}
	equal(model, 1, ones(n)...)
	largest := model.AddColumn(solver.Column{Cost: 1})
	level := model.AddColumn(solver.Column{})
	for i := range n {
		model.AddRow(solver.Row{Bounds: solver.AtMost(0), Columns: []int{i, largest}, Values: []float64{1, -1}})
	}
	mean, excess := make([]float64, n), solver.Row{Bounds: solver.AtMost(beta), Columns: []int{level}, Values: []float64{1}}
	for j := range s {
		beyond := model.AddColumn(solver.Column{Bounds: solver.AtLeast(0)})
		excess.Columns, excess.Values = append(excess.Columns, beyond), append(excess.Values, 1/(epsilon*s))
		loss := solver.Row{Bounds: solver.AtLeast(0), Columns: []int{beyond, level}, Values: []float64{1, 1}}
		for i := range n {
			z := 0.05*common.At(j, i) + 0.02*float64(i+1) + 0.03*float64(i+1)*own.At(j, i)
			mean[i] += z / s
			loss.Columns, loss.Values = append(loss.Columns, i), append(loss.Values, z)
		}
		model.AddRow(loss)
	}
	model.AddRow(excess)
	model.AddRow(solver.Row{Bounds: solver.AtLeast(tau), Columns: upTo(n), Values: mean})
	r := optimum(model)
	return []float64{r.X[1], r.X[2], r.Objective * (1 + weight/epsilon)}
}

// planning is the financial planning of Birge and Louveaux: stocks and bonds over three periods, with eight scenarios.
func planning(*testing.T) []float64 {
	good, bad := [2]float64{1.25, 1.14}, [2]float64{1.06, 1.12}
	model := solver.NewModel("planning")
	add := func(cost float64) int { return model.AddColumn(solver.Column{Cost: cost, Bounds: solver.AtLeast(0)}) }
	add(0)
	add(0)
	equal(model, 55, 1, 1)
	// invest adds what follows when the holdings have grown, depth periods before the end.
	var invest func(holdings [2]int, depth int)
	invest = func(holdings [2]int, depth int) {
		for _, growth := range [][2]float64{good, bad} {
			row := solver.Row{Columns: holdings[:], Values: []float64{growth[0], growth[1]}}
			if depth == 0 {
				row.Bounds = solver.Equal(80)
				row.Columns, row.Values = append(row.Columns, add(-1./8), add(4./8)), append(row.Values, -1, 1)
				model.AddRow(row)
				continue
			}
			next := [2]int{add(0), add(0)}
			row.Bounds = solver.Equal(0)
			row.Columns, row.Values = append(row.Columns, next[0], next[1]), append(row.Values, -1, -1)
			model.AddRow(row)
			invest(next, depth-1)
		}
	}
	invest([2]int{0, 1}, 2)
	r := optimum(model)
	return []float64{-r.Objective, r.X[0], r.X[1]}
}

// farmer is the farmer of Birge and Louveaux, who divides 500 acres among wheat, corn and beets before the yields are known: the costs of mean
// yields, of three scenarios together, of a plan for mean yields in the scenarios, and the mean of plans that know the scenario.
func farmer(*testing.T) []float64 {
	// plan minimises the mean cost over factors on the yields, for given acres if there are any.
	plan := func(acres []float64, factors ...float64) *solver.Result {
		model := columns(0, 500, 150, 230, 260)
		for k, acre := range acres {
			model.SetColumnBounds(k, solver.Equal(acre))
		}
		atMost(model, 500, 1, 1, 1)
		for _, factor := range factors {
			share := 1 / float64(len(factors))
			add := func(price, most float64) int {
				return model.AddColumn(solver.Column{Cost: price * share, Bounds: solver.Between(0, most)})
			}
			for crop, need := range []float64{200, 240} { // yield + bought - sold >= need
				bought, sold := add([]float64{238, 210}[crop], math.Inf(1)), add([]float64{-170, -150}[crop], math.Inf(1))
				model.AddRow(solver.Row{Bounds: solver.AtLeast(need), Columns: []int{crop, bought, sold}, Values: []float64{[]float64{2.5, 3}[crop] * factor, 1, -1}})
			}
			dear, cheap := add(-36, 6000), add(-10, math.Inf(1))
			model.AddRow(solver.Row{Bounds: solver.AtLeast(0), Columns: []int{2, dear, cheap}, Values: []float64{20 * factor, -1, -1}})
		}
		return optimum(model)
	}
	scenarios := []float64{0.8, 1, 1.2}
	mean, here := plan(nil, 1), plan(nil, scenarios...)
	var knowing []float64
	for _, factor := range scenarios {
		knowing = append(knowing, -plan(nil, factor).Objective/3)
	}
	return []float64{-mean.Objective, -here.Objective, -plan(mean.X[:3], scenarios...).Objective, floats.Sum(knowing)}
}

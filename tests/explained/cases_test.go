package explained

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/sparsero/directions/datasets"
	"github.com/sparsero/directions/datasets/dow30"
	"github.com/sparsero/directions/datasets/grid"
	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/robust"
	"gonum.org/v1/gonum/mat"
)

// model is a robust model that may be infeasible at a radius.
type model struct {
	name        string
	problem     *robust.Problem
	radius      float64
	constraints []robust.Constraint // once asked for
}

func must[T any](t testing.TB, value T, err error) T {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return value
}

// few is how many models of a family are explained in short tests.
const few = 2

// grids are dispatches that have to survive each outage, with ratings that are lowered, or outages at a larger radius.
func grids(t testing.TB, all bool) (list []model) {
	cases := []struct {
		name    string
		factors []float64
		radii   []float64
	}{
		{"5_pjm", []float64{1, 0.95, 0.9, 0.8}, []float64{1, 1.5, 2.5, 6}},
		{"14_ieee", []float64{1, 0.95, 0.9, 0.8, 0.7}, []float64{1, 1.5, 3, 6}},
		{"30_ieee", []float64{1.2, 1.1, 1, 0.95}, []float64{1, 1.5, 3, 6}},
		{"57_ieee", []float64{1, 0.8, 0.7}, []float64{1, 2.5, 4}},
		{"118_ieee", []float64{1, 1.3}, []float64{1}},
	}
	for k, c := range cases {
		if !all && k > 2 {
			break
		}
		for f, factor := range c.factors {
			for r, radius := range c.radii {
				if !all && f+r > 0 {
					continue
				}
				if p := security(t, c.name, factor); p != nil {
					list = append(list, model{fmt.Sprintf("case%s with ratings x %g", c.name, factor), p, radius, nil})
				}
			}
		}
	}
	return list
}

// security is the problem of a grid of PGLib-OPF beside the repository, nil if that is not there.
func security(t testing.TB, name string, factor float64) *robust.Problem {
	g := grid.IEEE30()
	if file, err := os.Open(filepath.Join("..", "..", "..", "shared", "data", "pglib", "pglib_opf_case"+name+".m")); err == nil {
		defer file.Close()
		g, err = grid.Read(file)
		must(t, g, err)
	} else if name != "30_ieee" {
		return nil
	}
	g.SeriesAdmittance = true
	for k := range g.Branches {
		g.Branches[k].Rating *= factor
	}
	n, err := grid.NewNetwork(g)
	events, _ := must(t, n, err).Outages()
	p, err := n.Security(events, 1)
	return must(t, p, err)
}

// portfolios are some whose loss on each stress day of the Dow Jones has a limit that is too low for the return that
// they have to bring.
func portfolios(t testing.TB, all bool) (list []model) {
	count := few
	if all {
		count = 96
	}
	prices, err := dow30.Load("")
	returns, err := must(t, prices, err).CompleteReturns(prices.Dates[0])
	must(t, returns, err)
	for k := range count {
		random := rand.New(rand.NewPCG(uint64(k), 30))
		first, days := random.IntN(1200), 250+random.IntN(1000)
		rows := make([]int, days)
		for i := range rows {
			rows[i] = first + i
		}
		window, err := returns.Rows(rows)
		dictionary, err := datasets.StressDictionary(must(t, window, err), 20+random.IntN(180))
		must(t, dictionary, err)
		means := window.Means()
		n, best := len(means), 0.0
		region := solver.NewModel("portfolio")
		budget, target := solver.Row{Name: "budget", Bounds: solver.Between(1, 1)}, solver.Row{Name: "return"}
		for j, mean := range means {
			best = math.Max(best, mean)
			region.AddColumn(solver.Column{Name: window.Tickers[j], Bounds: solver.Between(0, 0.2+0.3*random.Float64()), Cost: -mean})
			budget.Columns, budget.Values = append(budget.Columns, j), append(budget.Values, 1)
		}
		target.Columns, target.Values, target.Bounds = budget.Columns, means, solver.AtLeast(best*(0.2+0.5*random.Float64()))
		region.AddRow(budget)
		region.AddRow(target)
		identity := sparsero.AffineMap{Matrix: mat.NewDense(n, n, nil)}
		for j := range n {
			identity.Matrix.Set(j, j, 1)
		}
		loss := robust.Constraint{Name: "loss of a day", Nominal: make([]float64, n), Map: identity, Limit: 0.005 + 0.02*random.Float64()}
		p, err := robust.NewProblem(dictionary, region, sparsero.AffineMap{}, loss)
		list = append(list, model{fmt.Sprintf("days %d to %d", first, first+days), must(t, p, err), 1, nil})
	}
	return list
}

// networks are flows in random networks whose arcs lose a share that is uncertain, to demands that are too high.
func networks(t testing.TB, all bool) (list []model) {
	count := few
	if all {
		count = 86
	}
	for k := range count {
		random := rand.New(rand.NewPCG(uint64(k), 77))
		nodes := 5 + random.IntN(18)
		type arc struct{ from, to int }
		var arcs []arc
		region := solver.NewModel("network")
		add := func(from, to int) {
			arcs = append(arcs, arc{from, to})
			region.AddColumn(solver.Column{Name: fmt.Sprintf("%d: %d-%d", len(arcs), from, to), Bounds: solver.Between(0, 5+20*random.Float64()), Cost: 1 + random.Float64()})
		}
		for v := 1; v < nodes; v++ {
			add(random.IntN(v), v)
			add(random.IntN(v), v)
			if other := random.IntN(nodes); other != v {
				add(v, other)
			}
		}
		scenarios := mat.NewDense(10+random.IntN(60), len(arcs), nil)
		scenarios.Apply(func(int, int, float64) float64 {
			if random.IntN(4) > 0 {
				return 0
			}
			return random.Float64() / 3
		}, scenarios)
		dictionary, err := sparsero.NewDictionary(scenarios, nil)
		must(t, dictionary, err)
		var constraints []robust.Constraint
		for v := 1; v < nodes; v++ { // demand + out - in + what is lost on the way in <= 0
			demand := 4 * random.Float64()
			c := robust.Constraint{Name: fmt.Sprint("node ", v), Nominal: make([]float64, len(arcs)), Limit: -demand}
			c.Map = sparsero.AffineMap{Matrix: mat.NewDense(len(arcs), len(arcs), nil)}
			for a, arc := range arcs {
				switch v {
				case arc.from:
					c.Nominal[a]++
				case arc.to:
					c.Nominal[a]--
					c.Map.Matrix.Set(a, a, 1)
				}
			}
			constraints = append(constraints, c)
		}
		p, err := robust.NewProblem(dictionary, region, sparsero.AffineMap{}, constraints...)
		list = append(list, model{fmt.Sprintf("%d nodes, %d arcs", nodes, len(arcs)), must(t, p, err), 2 + 2*random.Float64(), nil})
	}
	return list
}

package solver_test

import (
	"math"
	"testing"

	"github.com/sparsero/directions/solver"
	"pgregory.net/rapid"
)

// optimum is a point at the bounds of its two columns and of its row, with duals that fit the costs.
type optimum struct {
	x, a, cost, d    [2]float64
	y                float64
	columns          [2]solver.Bounds
	row              func(activity float64) solver.Bounds
	maximise, square bool
}

func drawOptimum(t *rapid.T) *optimum {
	size := rapid.SampledFrom([]float64{0.01, 0.5, 3, 1e4})
	signed := func(name string) float64 {
		return size.Draw(t, name) * rapid.SampledFrom([]float64{-1, 1}).Draw(t, "sign")
	}
	o := &optimum{y: signed("dual"), row: solver.Equal, maximise: rapid.Bool().Draw(t, "maximise")}
	for j := range o.x {
		o.x[j], o.a[j], o.cost[j] = signed("x"), signed("coefficient"), signed("cost")
		o.columns[j] = solver.Equal(o.x[j])
	}
	return o
}

// fit gives the columns the reduced costs of the costs.
func (o *optimum) fit() {
	for j := range o.d {
		o.d[j] = o.cost[j] - o.a[j]*o.y
	}
	if o.square {
		o.d[0] += 2 * o.x[0]
	}
}

// check asks the model, in its own sense.
func (o *optimum) check(feasibility, optimality float64) error {
	m, sign := solver.NewModel("two columns"), 1.0
	if m.SetMaximize(o.maximise); o.maximise {
		sign = -1
	}
	for j := range o.x {
		m.AddColumn(solver.Column{Bounds: o.columns[j], Cost: sign * o.cost[j]})
	}
	m.AddRow(solver.Row{Bounds: o.row(o.a[0]*o.x[0] + o.a[1]*o.x[1]), Columns: []int{0, 1}, Values: o.a[:]})
	if o.square {
		m.AddQuadratic(0, 0, sign)
	}
	return m.CheckOptimality(o.x[:], []float64{sign * o.y}, []float64{sign * o.d[0], sign * o.d[1]}, feasibility, optimality)
}

// term is the larger of two magnitudes, at least 1.
func term(a, b float64) float64 { return max(1, math.Abs(a), math.Abs(b)) }

// misses make an optimum miss one condition by a share of what its documentation allows.
var misses = []struct {
	name string
	do   func(o *optimum, share, feasibility, optimality float64)
}{
	{"nothing", func(*optimum, float64, float64, float64) {}},
	{"row", func(o *optimum, share, feasibility, _ float64) {
		o.y = 0
		o.row = func(v float64) solver.Bounds {
			return solver.Equal(v + share*feasibility*min(1e6, term(o.a[0]*o.x[0], o.a[1]*o.x[1])))
		}
	}},
	{"column", func(o *optimum, share, feasibility, _ float64) {
		o.y, o.cost = 0, [2]float64{}
		o.columns[1] = solver.Equal(o.x[1] + share*feasibility*min(1e6, term(o.x[1], 0)))
	}},
	{"gap", func(o *optimum, share, _, optimality float64) {
		o.cost[0] = o.a[0]*o.y + math.Copysign(term(o.a[0]*o.y, 0), o.cost[0])
		o.fit()
		scale, g := 1+math.Abs(o.d[0]*o.x[0]), term(o.cost[0], o.cost[1])
		if math.Abs(o.d[1]) > optimality*min(1e6*g, term(o.cost[1], o.a[1]*o.y)) {
			scale += math.Abs(o.d[1] * o.x[1])
		}
		if math.Abs(o.y) > optimality*g/max(math.Abs(o.a[0]), math.Abs(o.a[1])) {
			scale += math.Abs(o.y * (o.a[0]*o.x[0] + o.a[1]*o.x[1]))
		}
		if away := math.Abs(share) * 1e-6 * scale / o.d[0]; away > 0 {
			o.columns[0] = solver.AtLeast(o.x[0] - away)
		} else {
			o.columns[0] = solver.AtMost(o.x[0] - away)
		}
	}},
	{"multiplier of no bound", func(o *optimum, share, _, optimality float64) {
		d := share * optimality * term(o.a[0]*o.y, 0) * math.Copysign(1, o.x[0])
		o.cost[0] = o.a[0]*o.y + d
		if o.columns[0] = solver.AtLeast(o.x[0]); d > 0 {
			o.columns[0] = solver.AtMost(o.x[0])
		}
	}},
	{"multiplier of a row without bound", func(o *optimum, share, _, optimality float64) {
		o.y = share * optimality * term(o.cost[0], o.cost[1]) / max(math.Abs(o.a[0]), math.Abs(o.a[1])) * math.Copysign(1, o.y)
		if o.row = solver.AtLeast; o.y > 0 {
			o.row = solver.AtMost
		}
	}},
	{"digits of the gradient", func(o *optimum, share, _, optimality float64) {
		o.square, o.y, o.cost[1] = true, 0, 0
		o.x[0] = share * optimality * 0x1p51
		o.cost[0], o.columns[0] = -2*o.x[0], solver.Bounds{}
	}},
}

// TestOptimalityIsJudgedAsDocumented: each condition may be missed by as much as CheckOptimality says, and by no more.
func TestOptimalityIsJudgedAsDocumented(t *testing.T) {
	tolerance := rapid.SampledFrom([]float64{1e-7, 1e-5})
	rapid.Check(t, func(t *rapid.T) {
		for _, miss := range misses {
			for _, share := range []float64{-1.01, -0.99, 0.99, 1.01} {
				feasibility, optimality := tolerance.Draw(t, "feasibility"), tolerance.Draw(t, "optimality")
				o := drawOptimum(t)
				miss.do(o, share, feasibility, optimality)
				o.fit()
				if err := o.check(feasibility, optimality); (err == nil) != (math.Abs(share) < 1 || miss.name == "nothing") {
					t.Fatalf("%s missed by %g of what is allowed: %v\n%+v", miss.name, share, err, o)
				}
				if miss.name != "nothing" {
					continue
				}
				g := term(o.cost[0], o.cost[1])
				o.d[1] += share * optimality * min(1e6*g, term(o.cost[1], o.a[1]*o.y))
				if err := o.check(feasibility, optimality); (err == nil) != (math.Abs(share) < 1) {
					t.Fatalf("stationarity missed by %g of what is allowed: %v\n%+v", share, err, o)
				}
			}
		}
	})
}

package published

import (
	"context"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero/convex"
	"github.com/sparsero/directions/sparsero/robust"
)

// polyhedron is { u : lower <= u <= upper, ‖Au‖ <= 1 in the 1-norm } around a centre that it holds, as deviations from it; without A a box.
func polyhedron(centre, lower, upper []float64, a ...[]float64) convex.Gauged {
	model := solver.NewModel("set")
	for k := range centre {
		model.AddColumn(solver.Column{Bounds: solver.Between(lower[k]-centre[k], upper[k]-centre[k])})
	}
	for signs := range 1 << len(a) {
		if len(a) == 0 {
			break
		}
		sum := make([]float64, len(centre))
		for i, values := range a {
			sign := 1.0
			if signs>>i&1 == 1 {
				sign = -1
			}
			for k, v := range values {
				sum[k] += sign * v
			}
		}
		atMost(model, 1, sum...)
	}
	return must(convex.NewPolyhedron(context.Background(), model, nil))
}

// identityRow is ⟨centre + u, x⟩ <= limit.
func identityRow(centre []float64, limit float64) robust.Constraint {
	matrix := make([][]float64, len(centre))
	for k := range matrix {
		matrix[k] = make([]float64, len(centre))
		matrix[k][k] = 1
	}
	return row(centre, limit, nil, matrix...)
}

// twoIntervals: max x1 + x2 with u1 x1 + x2 <= 2, u2 x1 + x2 <= 6, u1 in [0.3, 0.5], u2 in [0, 2].
func twoIntervals(*testing.T) []float64 {
	s := over(must(convex.NewBudget([]float64{0.1, 1}, 2)), columns(0, 100, -1, -1),
		row([]float64{0.4, 1}, 2, nil, []float64{1, 0}, []float64{0, 0}), row([]float64{1, 1}, 6, nil, []float64{0, 0}, []float64{1, 0}))
	return s.X
}

// polyhedralSet: max x1 + x2 with u1 x1 <= 3, u2 x2 <= 1 for 0.3 <= u1 <= 1.5, 0.5 <= u2 <= 1.5, |2 u1 + 4 u2 - 4| <= 1.
func polyhedralSet(*testing.T) []float64 {
	centre := []float64{0.8, 0.6} // 2 u1 + 4 u2 = 4
	set := polyhedron(centre, []float64{0.3, 0.5}, []float64{1.5, 1.5}, []float64{2, 4})
	s := over(set, columns(0, 100, -1, -1), row([]float64{centre[0], 0}, 3, nil, []float64{1, 0}, []float64{0, 0}),
		row([]float64{0, centre[1]}, 1, nil, []float64{0, 0}, []float64{0, 1}))
	return s.X
}

// budgetSet: max 0.1 x1 + 9.9 x2 with u'x <= 21, u = (2, 6) up to one deviation of 1.
func budgetSet(*testing.T) []float64 {
	return over(must(convex.NewBudget([]float64{1, 1}, 1)), columns(0, 10, -0.1, -9.9), identityRow([]float64{2, 6}, 21)).X
}

// fiveColumns: max 5 x1 + 4 x2 + 3 x3 + 2 x4 + x5, x_i <= 2 i, u'x <= 100 for 0 <= u_i <= i + 4 and a norm of some of them.
func fiveColumns() *solver.Model {
	region := columns(0, 0, -5, -4, -3, -2, -1)
	for k := range 5 {
		region.SetColumnBounds(k, solver.Between(0, 2*float64(k+1)))
	}
	return region
}

func oneNorm(*testing.T) []float64 {
	centre, zero := []float64{5. / 3, 3, 3.5, 2.5, 5}, make([]float64, 5)
	set := polyhedron(centre, zero, []float64{5, 6, 7, 8, 9}, []float64{3, 0, 0, 0, 0}, []float64{0, 0, 0, 2, 0}, []float64{0, 0, 0, 0, 1})
	return over(set, fiveColumns(), identityRow(centre, 100)).X
}

func maximumNorm(*testing.T) []float64 {
	set := must(convex.NewBudget([]float64{1, 3, 3.5, 1, 1}, 5))
	return over(set, fiveColumns(), identityRow([]float64{2.5, 3, 3.5, 2.5, 2.5}, 100)).X
}

// twoNorm: u2 and u3 are at their largest, 6 and 7, as x >= 0; the ball moves 3 u1, 2 u4 and u5 around 5.
func twoNorm(*testing.T) []float64 {
	uncertain := row([]float64{5. / 3, 6, 7, 2.5, 5}, 100, nil, []float64{1. / 3, 0, 0, 0, 0}, []float64{0, 0, 0, 0.5, 0}, []float64{0, 0, 0, 0, 1})
	return over(must(convex.NewBall(3, 2, 1)), fiveColumns(), uncertain).X
}

// twoFactors: max 20 x + 10 y, u x + w y <= 10, u in 5 +- 2, w in 3 +- 1, 0 <= x <= 8, 2 <= y <= 10.
func twoFactors(*testing.T) []float64 {
	region := columns(0, 8, -20, -10)
	region.SetColumnBounds(1, solver.Between(2, 10))
	return over(must(convex.NewBudget([]float64{2, 1}, 2)), region, identityRow([]float64{5, 3}, 10)).X
}

// stockists buy B before the demand D is known and sell S <= min(B, D); the deviations of D have a weighted 1-norm of at most size. The last
// of the solves has B1 + B2 <= (D1 + D2)/2 as well.
func stockists(*testing.T) (values []float64) {
	solve := func(size float64, most float64, half bool) {
		region := columns(0, 1000, 1, 1, -3, -3) // B1, B2, S1, S2
		region.SetColumnBounds(0, solver.Between(0, most))
		atMost(region, 0, -1, 0, 1, 0)
		atMost(region, 0, 0, -1, 0, 1)
		sold := func(nominal []float64, limit float64, constant ...float64) robust.Constraint {
			return row(nominal, limit, constant, make([]float64, 4), make([]float64, 4))
		}
		rows := []robust.Constraint{sold([]float64{0, 0, 1, 0}, 20, -10, 0), sold([]float64{0, 0, 0, 1}, 10, 0, -5)}
		if half {
			region.SetCost(3, -3.1)
			rows = append(rows, sold([]float64{1, 1, 0, 0}, 15, -5, -2.5))
		}
		values = append(values, over(must(convex.NewBall(2, 1, size)), region, rows...).X[:2]...)
	}
	solve(1.5, 1000, false)
	solve(1, 1000, false)
	solve(1, 8, false)
	solve(1, 8, true)
	return values
}

// newsvendor: max min sum S(D) - x/2, sum S(D) <= x, 0 <= S_i(D) <= D_i, where at most two of five demands fall to a half; first with sales that
// do not know D, then with sales that are affine in it.
func newsvendor(*testing.T) (values []float64) {
	mean, widths := []float64{28, 32, 38, 40, 46}, []float64{14, 16, 19, 20, 23}
	set := must(convex.NewBudget(widths, 2))
	for _, affine := range []bool{false, true} {
		const n = 2 + 5 + 25 // z, x, S_i, and S_ij in front of the deviation of D_j
		region := columns(-1000, 1000, make([]float64, n)...)
		region.SetCost(0, -1)
		for k := 7; k < n && !affine; k++ {
			region.SetColumnBounds(k, solver.Equal(0))
		}
		// sales is weight sum_i S_i over some i.
		sales := func(weight float64, which ...int) robust.Constraint {
			r := row(make([]float64, n), 0, make([]float64, 5), make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n))
			for _, i := range which {
				r.Nominal[2+i] = weight
				for j := range 5 {
					r.Map.Matrix.Set(j, 7+5*i+j, weight)
				}
			}
			return r
		}
		profit, stock := sales(-1, 0, 1, 2, 3, 4), sales(1, 0, 1, 2, 3, 4)
		profit.Nominal[0], profit.Nominal[1], stock.Nominal[1] = 1, 0.5, -1
		rows := []robust.Constraint{profit, stock}
		for i := range 5 {
			most := sales(1, i)
			most.Limit, most.Map.Constant[i] = mean[i], -1
			rows = append(rows, most, sales(-1, i))
		}
		s := over(set, region, rows...)
		values = append(values, -s.Value, s.X[1])
	}
	return values
}

// wholeNumbers: twoIntervals with whole x and a value of 1.1 for the first.
func wholeNumbers(*testing.T) []float64 {
	region := columns(0, 100, -1.1, -1)
	region.SetInteger(0, true)
	region.SetInteger(1, true)
	s := over(must(convex.NewBudget([]float64{0.1, 1}, 2)), region,
		row([]float64{0.4, 1}, 2, nil, []float64{1, 0}, []float64{0, 0}), row([]float64{1, 1}, 6, nil, []float64{0, 0}, []float64{1, 0}))
	return s.X
}

package proof

import (
	"context"
	"math"
	"math/big"
	"slices"

	"github.com/sparsero/directions/solver/internal/program"
	"github.com/sparsero/directions/solver/proof/directed"
	"github.com/sparsero/directions/solver/proof/exact"
)

// proposer proposes an optimal point of a linear program that has one; nil if it finds none.
type proposer = func(ctx context.Context, p *Program) (x []float64)

// leastFall is how much a ray must improve the objective, relative to its terms: along the others a program is unbounded by
// rounding errors of its costs.
const leastFall = 1e-9

// Ray returns a direction along which the objective falls for ever and that leads out of no row and no bound, rounded
// from one of which that is proven to the last bit; nil where none is found. It panics if the program does not fit
// together or there is no proposer.
func Ray(ctx context.Context, p *Program, propose proposer) []float64 {
	ctx = program.Context(ctx)
	checkProposer(p, propose)
	cone := program.Recession(p)
	steepest := propose(ctx, cone)
	if len(steepest) != len(p.Cost) {
		return nil
	}
	fall, size := program.Objective(cone, steepest)
	if !(fall < -leastFall*size) || fall/2 == 0 {
		return nil
	}
	return Point(ctx, program.Falling(cone, fall/2), steepest, propose)
}

// Point returns a point that keeps to all bounds and rows of a program, rounded from one that does so to the last bit: any
// one if the program is small, otherwise one near x, which does so up to tolerances. It is nil where none is found. The
// objective has no say. It panics if the program and x do not fit together or there is no proposer.
func Point(ctx context.Context, p *Program, x []float64, propose proposer) []float64 {
	ctx = program.Context(ctx)
	checkProposer(p, propose)
	program.CheckCount("proof", "coordinates of a point", x, len(p.Cost))
	if p = program.Feasibility(p); keeps(p, x) {
		return x
	}
	var point []*big.Rat
	if program.IsSmall(p) {
		point = exact.Solve(ctx, p).X
	} else {
		inner, _ := program.Elastic(p, -mostSlack, 0, true) // rounding errors do not lead out of a row from there
		if inside := propose(ctx, inner); len(inside) >= len(x) && keeps(p, inside[:len(x)]) {
			return inside[:len(x)]
		}
		point = pointNear(ctx, p, x)
	}
	if exact.CheckPoint(p, point) != nil {
		return nil
	}
	return program.Floats(point)
}

func checkProposer(p *Program, propose proposer) {
	if program.Check("proof", p); propose == nil {
		panic("proof: the proposer is nil; give a function that solves linear programs")
	}
}

// keeps tells whether a point keeps to all bounds and rows to the last bit; one that is not finite has no fractions.
func keeps(p *Program, x []float64) bool {
	doubtful := *p
	doubtful.Rows = slices.DeleteFunc(slices.Clone(p.Rows), func(r Row) bool { // those that need no fractions
		var sum directed.Sum
		for k, j := range r.Columns {
			sum.AddProduct(r.Values[k], x[j])
		}
		return sum.Lower() >= r.Lower && sum.Upper() <= r.Upper
	})
	return exact.CheckPoint(&doubtful, rationals(x)) == nil
}

const (
	// mostSlack is far above rounding errors, and so small that rows seldom compete for it.
	mostSlack = 0x1p-10
	// repairArea is the number of columns times rows up to which a point is repaired, within about a tenth of a second.
	repairArea = 40_000
	// repairReach is how far the entries of a point may be moved, relative to their sizes, to make rows exact.
	repairReach = 0x1p-32
	// repairTight is how close an activity must be to a side, relative to its terms, for the row to take part: what
	// repairReach moves does not reach the others.
	repairTight = 0x1p-20
)

// pointNear returns a rational point that differs from x in the entries other than 0 alone, by little, and keeps to the rows
// that x is close to a side of. It is nil if there is none or the work is too much.
func pointNear(ctx context.Context, p *Program, x []float64) []*big.Rat {
	near, position := &Program{}, make(map[int]int)
	for j, v := range x {
		if v == 0 {
			continue
		}
		position[j] = len(near.Cost)
		reach := repairReach * math.Abs(v)
		near.Cost = append(near.Cost, 0)
		near.Lower = append(near.Lower, math.Max(p.Lower[j], v-reach))
		near.Upper = append(near.Upper, math.Min(p.Upper[j], v+reach))
	}
	for i := range p.Rows {
		activity, size := program.Activity(&p.Rows[i], x)
		side := repairTight * size
		if size == 0 || activity-side > p.Rows[i].Lower && activity+side < p.Rows[i].Upper {
			continue
		}
		row := Row{Lower: p.Rows[i].Lower, Upper: p.Rows[i].Upper}
		for k, j := range p.Rows[i].Columns {
			if at, inUse := position[j]; inUse {
				row.Columns, row.Values = append(row.Columns, at), append(row.Values, p.Rows[i].Values[k])
			}
		}
		near.Rows = append(near.Rows, row)
	}
	if len(near.Cost)*(1+len(near.Rows)) > repairArea {
		return nil
	}
	answer := exact.Solve(ctx, near)
	if answer.Status != exact.Optimal {
		return nil
	}
	point := rationals(x)
	for j, at := range position {
		point[j] = answer.X[at]
	}
	return point
}

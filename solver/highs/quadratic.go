//go:build cgo

package highs

import (
	"context"
	"math"

	"github.com/sparsero/directions/solver"
)

// solveQuadratic solves a convex quadratic program. The quadratic solver of
// HiGHS 1.10 sometimes walks in circles, ends without a status, or reports an
// optimum far out on an unbounded ray. Its iterations are therefore limited, its
// optima verified, and where that fails package solver's interior point method
// decides.
func (s *engine) solveQuadratic(ctx context.Context, result *solver.Result) error {
	out := s.run(ctx)
	verified := s.interpret(out, result) && result.Status.HasPoint()
	circling := out.ending == endedCount && s.options.IterationLimit == 0
	if ctx.Err() != nil || (verified && !circling) {
		return nil
	}
	o := s.options
	o.TimeLimit = 0
	interior, err := solver.InteriorPoint{}.Open(s.model, &o)
	if err != nil {
		return err
	}
	inner, err := interior.Solve(ctx)
	if err != nil {
		return err
	}
	inner.Solver = solverName() + ", then " + inner.Solver
	inner.Iterations += result.Iterations
	*result = *inner
	return nil
}

// settle leaves nothing but a status without a point.
func (s *engine) settle(result *solver.Result, status solver.Status) {
	*result = solver.Result{
		Status: status, Objective: math.NaN(), Bound: math.NaN(), Gap: math.Inf(1),
		Iterations: result.Iterations, Nodes: result.Nodes, Solver: result.Solver, Model: result.Model,
	}
}

// quadraticIterations is the iteration limit of HiGHS's quadratic solver for a
// model of the given size: a healthy run takes about columns + rows.
func quadraticIterations(columns, rows int) int { return 200 + 2*(columns+rows) }

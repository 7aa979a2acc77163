// Package solver describes linear, convex quadratic and mixed-integer programs
// and solves them through interchangeable backends.
//
// # Model
//
// A Model is
//
//	min (or max)  offset + c'x + sum_{i<=j} q_ij x_i x_j
//	subject to    rowLower <= A x <= rowUpper
//	              lower    <=  x  <= upper,   x_j whole for integer columns,
//
// with sparse rows. Columns and rows have names, and rows belong to named
// groups, so that reports use the names of the caller. Building never
// fails; Validate, Open and Solve report all mistakes at once.
//
// Models come from MPS files by ReadMPS and go to them by WriteMPS, from and to LP files by
// solver/highs, and from and to JSON.
//
// # Result
//
// Solve returns a Result with a Status. There is a point only where the status
// allows one (Optimal, FeasibleLimit), so that zeros are never mistaken for an
// answer, and Check turns every other status into an error that says what
// happened and what to do next:
//
//	res, err := solver.Solve(ctx, model, nil)
//	if err == nil {
//		err = res.Check()
//	}
//
// An error of Solve itself means a malformed model, one the backend cannot
// solve, or a broken installation.
//
// Duals are derivatives: RowDuals[i] is the change of the reported objective per
// unit of the active bound of row i, in minimisations and maximisations alike
// (see Result). CheckOptimality verifies them.
//
// # Sessions
//
// Open keeps a solver at a model, which may change between solves; after new rows,
// costs and bounds DualSimplex starts from the last basis:
//
//	session, err := solver.Open(model, nil)
//	for {
//		res, err := session.Solve(ctx)
//		...
//		model.AddRow(cut)
//	}
//
// # Backends
//
//	              linear  quadratic  integer  cgo   warm start
//	solver/highs  yes     no         yes      yes   no
//	DualSimplex   yes     no         no       no    after any change
//	InteriorPoint yes     convex     no       no    no
//	Exact         small   no         no       no    no
//
// Importing solver/highs, usually for its effect alone, makes HiGHS the default
// backend for integers and large programs, as database drivers do. Otherwise the
// default is PureGo. Linear programs that fit a dense tableau go to DualSimplex either
// way, which is many times faster on them, and quadratic ones to InteriorPoint.
// Options.Backend overrides the choice. What a backend cannot solve is an
// error of ErrUnsupported.
//
// # Units and proofs
//
// A backend sees a model in units of its own: rows, columns, costs and bounds times
// powers of two that bring the numbers near 1. Models that differ by powers of two
// therefore have results that differ by powers of two, to the last bit.
//
// What a backend says is not taken on trust. Result.Lower comes from weak duality at
// the multipliers, on the model itself, with every sum rounded outwards (package
// directed); for integer models from a branch and bound over such bounds. Infeasible
// rests on Farkas multipliers that are checked in the same way, Unbounded on a ray.
// Doubts about small models are settled in exact arithmetic (package exact). So a loose
// tolerance, a limit or an error of a backend makes a bound looser, but not false.
//
// # Limits and cancellation
//
// A context that is cancelled or reaches its deadline, Options.IterationLimit and
// Options.NodeLimit end a solve early with status Limit or FeasibleLimit and a Cause.
//
// # Infeasible models
//
// Explain names a smallest set of row groups, rows and bounds that contradict
// each other.
//
// Where things are:
//
//	model, bounds, integer, validate      what is to be solved, and its bad input
//	options, tolerances                   limits of iterations and nodes, and the numbers that tolerances default to; time is the deadline of the context
//	backend, backends                     what solves a model, and which one is taken; HiGHS is in package highs
//	session, judge, result, status        a solve, what of it is proven, and its words, limits included
//	explain, deletionfilter, conflict     why nothing is feasible
//	mps, json                             files of models
package solver

// Package solver describes linear, convex quadratic and mixed-integer programs and solves them through interchangeable
// backends.
//
// Where things are:
//
//	model, bounds, evaluate            columns, rows, objective; ranges; value, activity, violation and optimality of a point
//	validate, contradiction            mistakes of a model, convexity among them; models that no solver need see
//	derived, minimisation              models made from a model (relaxed, recession); its form for the methods
//	options, tolerances                limits of iterations and nodes, and the defaults; by how much a checked answer may miss rows, the values behind the zero of Options.FeasibilityTolerance and OptimalityTolerance (inside a method: internal/dualsimplex, internal/interior)
//	backends, exact                    what a method is, those in pure Go, and which serves by default; the exact one. HiGHS is in package highs
//	session                            a solver kept at a model, and which backend it gets
//	scaling, scalingtree               the powers of two of rows and columns; the order in which they are set
//	judge, integer                     what of a result is proven; the same for integer models, by branch and bound
//	result, status                     what a solve returns; the words and errors of each outcome, limits included
//	explain, deletionfilter, conflict  why nothing is feasible; the search for a smallest set; its words
//	mps, mpsread, mpsentries           writing MPS files; reading them; the entries of each section and what they make of a row
//	json, readjson                     models as JSON; JSON that a person wrote, and what is refused in it
//
// # Model
//
// A Model is
//
//	min (or max)  offset + c'x + sum_{i<=j} q_ij x_i x_j
//	subject to    rowLower <= A x <= rowUpper
//	              lower    <=  x  <= upper,   x_j whole for integer columns,
//
// with sparse rows. Columns and rows have names, and rows belong to named groups, so that reports use the names of the
// caller. Building never fails; Validate, Open and Solve report all mistakes at once.
//
// # Result
//
// Solve returns a Result with a Status. There is a point only where the status allows one (Optimal, FeasibleLimit), so that
// zeros are never mistaken for an answer, and Check turns every other status into an error that says what happened and what
// to do next:
//
//	res, err := solver.Solve(ctx, model, nil)
//	if err == nil {
//		err = res.Check()
//	}
//
// An error of Solve itself means a malformed model, one the backend cannot solve, or a broken installation.
//
// Duals are derivatives: RowDuals[i] is the change of the reported objective per unit of the active bound of row i, in
// minimisations and maximisations alike (see Result). CheckOptimality verifies them.
//
// # Sessions
//
// Open keeps a solver at a model, which may change between solves; after new rows, costs and bounds DualSimplex starts from
// the last basis.
//
// # Backends
//
//	              linear  quadratic  integer  cgo   warm start
//	solver/highs  yes     no         yes      yes   no
//	DualSimplex   yes     no         no       no    after any change
//	InteriorPoint yes     convex     no       no    no
//	Exact         small   no         no       no    no
//
// Importing solver/highs, usually for its effect alone, makes HiGHS the default backend for integers and large programs, as
// database drivers do. Otherwise the default is PureGo. Linear programs that fit a dense tableau go to DualSimplex either
// way, which is many times faster on them, and quadratic ones to InteriorPoint. Options.Backend overrides the choice. What a
// backend cannot solve is an error of ErrUnsupported.
//
// # Units and proofs
//
// A backend sees a model in units of its own: rows, columns, costs and bounds times powers of two that bring the numbers
// near 1. Models that differ by powers of two therefore have results that differ by powers of two, to the last bit.
//
// What a backend says is not taken on trust. Result.Lower comes from weak duality at the multipliers, on the model itself,
// with every sum rounded outwards (package directed); for integer models from a branch and bound over such bounds.
// Infeasible rests on Farkas multipliers that are checked in the same way, Unbounded on a ray. Doubts about small models are
// settled in exact arithmetic (package exact). So a loose tolerance, a limit or an error of a backend makes a bound looser,
// but not false.
//
// A nil context stands for context.Background(), and nil options for the defaults.
package solver

// Package highs connects package solver to the HiGHS optimiser through
// github.com/lanl/highs. Importing it, usually for this effect alone,
//
//	import _ "github.com/sparsero/directions/solver/highs"
//
// makes HiGHS the default backend for linear, convex quadratic and
// mixed-integer programs.
//
// It needs cgo and the HiGHS library, version 1.10 or 1.11, found by
// pkg-config; `make setup` installs it. Without cgo the package still compiles
// but does not become the default, and opening a session with it returns an
// error that matches solver.ErrUnavailable and says what to install.
//
// # What it adds to the binding
//
// The binding (v1.0.0) and the library (1.10.0) have traps that give wrong
// answers or crashes. Sessions of this package are safe from the ones below, and
// for each there is a test named TestTrap... that fails without the shield and,
// where that can be done safely, shows that the trap is still there.
//
// Of the binding:
//
//   - It frees a model while its solution is still read (use after free).
//     Sessions keep the model alive through every call and free it when closed,
//     not when a finaliser happens to run.
//   - Rows and Hessian columns without entries shift those behind them. Empty
//     rows are checked here and stay here, Hessians get a start for each column.
//   - A model without rows makes it panic. It gets a free row.
//   - After a time limit it returns an error and hides the incumbent. Sessions
//     read the incumbent, its bound and its gap.
//   - NaN is solved to "optimal". Package solver rejects it.
//   - Missing costs count as 1 and missing lower bounds as -Inf. Every field is
//     always filled.
//   - Of repeated entries the last one wins. Package solver sums them.
//   - Contradicting bounds are an error. Here they are Infeasible.
//   - Infeasible and unbounded models come with the point 0. Results without a
//     feasible point have no point.
//
// Of the library:
//
//   - Coefficients of at most 1e-9 are dropped, which the binding calls an
//     error. They are left out here; bounds are proven on the model itself.
//   - The time limit counts from the first solve of a model on, and an interrupt
//     is remembered by later solves. Here each solve has its own.
//   - The number of threads is fixed by the first solve on each operating
//     system thread, and asking for another number later is an error. Here it
//     belongs to the session.
//   - The presolve of integer programs gives wrong optima: for fractional bounds
//     of integer columns, for parallel columns, for implied integers. Bounds are
//     rounded here, and the presolve is off unless Backend.Presolve is set.
//   - Unbounded integer programs are called "unbounded or infeasible", and
//     presolve sometimes calls feasible programs infeasible or unbounded. Such
//     claims are confirmed by programs that have an optimum.
//   - The solver for quadratic programs walks in circles without end, or reports
//     an optimum far out on an unbounded ray. Its iterations are limited, its
//     optima verified, and solver.InteriorPoint stands behind it.
//
// Optima of continuous programs are verified against the optimality conditions;
// where the check fails, HiGHS is asked again from scratch and without presolve
// before a result becomes NumericalTrouble. An optimum of an integer program
// cannot be verified short of solving it again.
//
// # Cancellation
//
// Cancelling the context interrupts the simplex method, interior point and
// branch and bound from inside. Phases that cannot be interrupted (presolve,
// the quadratic solver) are given a second; after that Solve returns while the
// library finishes in the background on memory of its own, and the session
// rebuilds its state for the next solve.
package highs

// Package highs connects package solver to the HiGHS optimiser through github.com/lanl/highs.
//
// Where things are:
//
//	backend            what users call, with HiGHS and without
//	open, unavailable  models and versions that are refused; what is said without HiGHS
//	options, engine    settings and tolerances that are handed over; how a model is
//	solve              one solve: attempts, deadline, interrupt
//	report             status, point, what of an answer is believed, and by how much it may miss (bounds of integer models: solver/integer.go)
//	bridge             C memory, calls that the binding lacks, versions that are accepted
//	lp                 files in LP format
//
// Importing it, usually for this effect alone,
//
//	import _ "github.com/sparsero/directions/solver/highs"
//
// makes HiGHS the default backend for linear and mixed-integer programs. Quadratic ones go to solver.InteriorPoint with and
// without it.
//
// It needs cgo and the HiGHS library, version 1.10 or 1.11, found by pkg-config; `make setup` installs it. Without cgo the
// package still compiles but does not become the default, and opening a session with it returns an error that matches
// solver.ErrUnsupported and says what to install.
//
// # What it adds to the binding
//
// The binding (v1.0.0) and the library (1.10.0) have traps that give wrong answers or crashes. This package is safe from
// them, and for each there is a test named TestTrap... that fails without the shield and, where that can be done safely,
// shows that the trap is still there. The worst:
//
//   - The binding frees a model while its solution is still read, shifts what
//     stands behind empty rows, panics without rows and hides the incumbent after
//     a limit.
//   - It takes NaN, repeated entries, missing costs and contradicting bounds for
//     something else. Package solver never passes them on.
//   - The library drops coefficients of at most 1e-9; they are left out here, and
//     bounds are proven on the model itself.
//   - Its time limit and interrupts outlive the solve they were meant for. Here
//     each run has a model, and with it a clock, of its own. It runs on one thread.
//   - The presolve of integer programs gives wrong optima; it is off. Claims of
//     presolve alone are asked again.
//   - The solver for quadratic programs walks in circles without end, or reports
//     an optimum far out on an unbounded ray. It is not used.
//
// # Cancellation
//
// Cancelling the context interrupts the simplex method, interior point and branch and bound from inside. Presolve, which
// cannot be interrupted, is given a second; after that Solve returns while the library finishes in the background on memory
// of its own: every run gets a model of its own.
package highs

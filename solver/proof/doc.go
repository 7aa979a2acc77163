// Package proof is the one place in which a claim is made. Solvers and rules propose: points, multipliers, rays, trees,
// directions. Each function of this package takes a program, or points, together with such evidence and returns a claim or
// a refusal; what it is given may be as wrong as it likes. A bound is an [Upper] or a [Lower].
//
// Where things are:
//
//	bound, text               Upper and Lower; how they are written on the safe side
//	duality, implied, repair  weak duality and Farkas; bounds that rows imply; multipliers moved where a column has no bound
//	relaxation                weak duality for many functions over one polyhedron
//	ray                       rays, and points near others
//	search, integral          branch and bound for whole numbers, which column is split next; objectives that whole points can have
//	curvature                 whether a quadratic objective curves down
//
//	claim                               evidence                        function
//	the minimum is at least b           multipliers, any                DualBound, with fractions exact.Bound
//	a function less others is at most b  multipliers and weights         Relaxation.Maximum
//	no point is feasible                multipliers of Farkas           Infeasible
//	some point is feasible              a point near it                 Point
//	the objective falls for ever        a direction near one            Ray
//	the minimum in whole numbers        relaxations of a tree           Search
//	a quadratic objective curves down   its Hessian                     NotConvex
//
// Sums are taken in float64 with all rounding errors on the safe side (package directed), and in fractions (package exact)
// only where that leaves a doubt.
//
// A nil context stands for context.Background().
package proof

import "github.com/sparsero/directions/solver/internal/program"

// Program is a linear or convex quadratic program in the plain form that methods solve.
type Program = program.Program

// Row is one constraint of a [Program].
type Row = program.Row

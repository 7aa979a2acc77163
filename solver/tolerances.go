package solver

import "time"

// All tolerances of the package. Those of a method stand with the method, in solver/internal, those for answers of
// HiGHS in highs/report.go.
const (
	// feasibilityTolerance is how far a row may be missed, relative to its terms, by a point that counts as feasible, and how
	// far bounds and rows may be missed by what a backend answers; Options can replace it for backends.
	feasibilityTolerance = 1e-7
	// optimalityTolerance is how far a dual bound may be missed by what a backend answers.
	optimalityTolerance = 1e-7
	// provenGap is the distance between objective and bound, relative to the size of their terms, up to which an optimum counts
	// as proven; beyond, exact arithmetic is asked. Options.RelativeGap can replace it for integer models.
	provenGap = 1e-6
	// nodeGap is how close to the objective, relative to the size of its terms, the bound of a node of a branch and bound must
	// come to be closed; a requested gap that is larger replaces it.
	nodeGap = 1e-9
	// gapNoise is the distance between objective and bound, relative to the largest terms that the objective can have, that is
	// taken for rounding errors; summaries leave such gaps out.
	gapNoise = 1e-12
	// integralityTolerance is how far a value may be from a whole number and still count as whole.
	integralityTolerance = 1e-6
	// wholeTolerance is how far a bound of an integer column may be from a whole number and still count as that number.
	wholeTolerance = 1e-9
	// convexityTolerance is the relative size of a negative eigenvalue of the Hessian that is taken for rounding error.
	convexityTolerance = 1e-9
	// negligibleValue is the size of a scaled value, relative to the largest one, that is taken for a rounding error of 0; it is
	// far below the other tolerances.
	negligibleValue = 1e-11
	// leastPoint is the least size that the largest scaled value of a point counts with there: an interior point method comes as
	// near to 0 as float64 has numbers, where it is the only point.
	leastPoint = 1e-20
	// noiseBits is by how many powers of two a bound of a row must be smaller than the terms of the row to be taken for a
	// rounding error.
	noiseBits = 44
	// farReach is the scaled size beyond which a bound says nothing about the sizes that a column takes.
	farReach = 0x1p20
)

// What proofs may cost.
const (
	// proofWork bounds a proof by branch and bound: nodes times the size of the tableau.
	proofWork = 2e9
	// proofNodes bounds its nodes.
	proofNodes = 20000
	// rootGrace is the time that a bound for an integer model may take after its context has ended.
	rootGrace = time.Second
)

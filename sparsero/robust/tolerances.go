package robust

// All tolerances of this package. They are relative to what their sentence names. No proof rests on one: they say when
// work ends and what counts as satisfied.
const (
	// solutionTolerance is how accurate solutions are, relative to the terms at hand: the default of Options.Tolerance.
	solutionTolerance = 1e-7
	// designTolerance is the default of DesignOptions.Tolerance; it lies above the accuracy of the solves.
	designTolerance = 1e-6
	// limitTolerance is the violation, relative to the limit and the terms of the left-hand side, that counts as
	// none; mixed-integer codes accept points that are off by this much.
	limitTolerance = 1e-6
	// slackTolerance is the negative slack, relative to the terms of a row, that counts as none where the question is
	// whether there is a feasible point: far above rounding errors.
	slackTolerance = 1e-9
	// boundTolerance is how far below the lower bound of the solver, relative to the terms of the objective, the bound of a
	// proof may end.
	boundTolerance = 1e-9
	// radiusAccuracy is the relative width at which the bisection for the largest feasible radius ends.
	radiusAccuracy = 1e-6
	// cancelled is the size of a sum, relative to its terms, at or below which it is their rounding error.
	cancelled = 1e-10
	// sumNoise is more than rounding leaves of a sum that is 0, relative to its terms.
	sumNoise = 0x1p-50
	// pointNoise is what rounding leaves of a row that a solver satisfies, relative to the terms that the bounds of the
	// columns allow.
	pointNoise = 1e-12
	// multiplierNoise is the multiplier, relative to the radius, that is a rounding error, if what it adds to each cost
	// is one, relative to that cost.
	multiplierNoise = 1e-14
	// leastCeiling is the size from which on nothing that counts in a ceiling of alignments is below float64.
	leastCeiling = 0x1p-900
	// coordinateNoise is the size, relative to the bounds of its column, below which a coordinate of a solver's point may
	// stand for 0.
	coordinateNoise = 0x1p-50
	// farTerm is how many times larger than the median a term may be to count among those that the bounds of the columns
	// allow: a bound can stand for none.
	farTerm = 0x1p20
	// smallestValue is how small a value may be, relative to the largest of those that Tune compares, for gaps to be
	// measured by it.
	smallestValue = 1e-6
	// alphaSlack makes the smallest share of violations that a sample allows acceptable in spite of rounding.
	alphaSlack = 1e-9
	// tiedLevel raises the levels of Tune, relative to the terms of q(x) and of the alignments, so that draws which a decision of a
	// solver ties with an atom up to rounding count as covered.
	tiedLevel = 1e-9
	// unitReserve is less than 1 by more than the four roundings of a factor that scales multipliers to a sum.
	unitReserve = 1 - 0x1p-50
)

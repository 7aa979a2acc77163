package dualsimplex

// Tolerances of the tableau, meant for coefficients and costs of at most about 1.
const (
	// primalTolerance is how far a basic variable may be outside its bounds, relative
	// to max(1, |bound|); two orders below what is checked in the end.
	primalTolerance = 1e-9
	// dualTolerance is how wrong the sign of a reduced cost may be; small costs beside large ones count.
	dualTolerance = 1e-12
	// pivotTolerance is the smallest entry to pivot on.
	pivotTolerance = 1e-9
	// goodPivot is an entry that is preferred to smaller ones.
	goodPivot = 1e-6
)

// Limits of the work; that of the size is Limit.
const (
	// stallLimit is the number of iterations without progress, per row and column, after which Bland's rule takes over.
	stallLimit = 1
	// iterationFactor bounds the iterations of one solve, per row and column.
	iterationFactor = 20
	// evaluationInterval is the number of iterations after which the values are computed anew.
	evaluationInterval = 64
	// basicRefinements is the number of corrections of a basic solution; one is enough
	// unless the tableau has lost most of its digits.
	basicRefinements = 2
	// attempts is how often a program is solved, from the second time on without the last
	// basis, when an answer fails its check.
	attempts = 2
)

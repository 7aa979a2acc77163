package interior

// Tolerances and limits of the method.
const (
	// iterations bounds the iterations; 10 to 30 are usual.
	iterations = 200
	// target is the relative size of residuals and gap to stop at.
	target = 1e-13
	// patience is the number of steps without progress to stop at.
	patience = 20
	// stepShare is the share of the way to the boundary that is walked.
	stepShare = 0.995
	// regularisation is added to the diagonal of the scaled Newton matrix; refinement steps remove its effect.
	regularisation = 1e-11
	// refinements is the number of refinement steps of each Newton system.
	refinements = 3
	// leastStep is the length of a step, as a share of the whole, at or below which the method ends.
	leastStep = 1e-12
)

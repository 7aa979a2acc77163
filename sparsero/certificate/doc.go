// Package certificate proves how much a robust model loses when it keeps only a few atoms S of a dictionary.
//
// Where things are:
//
//	pointwise, uniform                the deficit at one decision; its supremum over all decisions
//	net, gridnet, lipschitz           finite sets of directions that stand for all; how many points a grid has, and where they stand; for a q that is not affine, from its constants
//	partition, norm                   the radius and the width of a grid's cells, as the atoms see them; lengths of q(x)
//	netbound                          what a net of a given radius proves
//	hausdorff, inflation              the distance of the sets; the radius at which one holds the other
//	probeset                          directions without a proven radius, and estimates from them
//	box, region, extremes             boxes around X; what X must be; extreme values over X
//	projection, minimumnorm           the nearest point of a hull; Wolfe's method
//	pseudometric                      distances of directions as the atoms see them
//	pullback                          atoms as functions of x
//	options                           settings and the largest net
//
// What a decision loses is said in words by package robust (summary.go, tunereport.go).
//
// The loss is the value gap min Φ_N - min Φ_S of the robust objectives
//
//	Φ_S(x) = b(x) + r max(0, max_{i in S} ⟨d_i, q(x)⟩),   x in X.
//
// Every certificate here is an upper bound on it. They form a ladder, from sharp and local to coarse and general:
//
//	value gap  <=  Pointwise  <=  Uniform  <=  NetBound
//
// Bounds on a net are capped by the trivial one as the net sees it, r (max_t M_[N](t) + ε); the exact trivial bound, r max_x
// M_[N](q(x)), is the [Uniform] certificate of the empty set.
//
// # Which certificate
//
//	what you know                      use                    it bounds
//	a minimiser of the small model     NewPointwise           gap and regret of this b
//	X a polyhedron, q affine           SolveUniform           the gap of every b
//	only the length of q(x)            MeasureHausdorff       the gap of every b and such X
//	q Lipschitz, few dimensions        NewNetBound            the gap of every b
//	nothing but the atoms              SolveInflation         all of it, by a larger radius
//	nothing at all                     the trivial bound      the gap of every b
//
// Package robust evaluates the whole ladder in one call, Problem.Ladder, and where the full model can be solved, its gap
// itself.
//
// A [Net] can only be made by functions that prove its radius. Directions that were merely sampled or revealed are a
// [ProbeSet]: what they give is an estimate, and the types keep the two apart.
//
// A nil context stands for context.Background(), and nil options for the defaults.
package certificate

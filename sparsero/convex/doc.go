// Package convex holds uncertainty sets that are given by their support function: budgets of uncertainty, boxes, balls,
// ellipsoids, polyhedra and weights of scenarios. [robust.NewConvex] solves the robust program over one of them by
// cutting planes, and designs few of its points; tutorial 11 compares sets on the same samples under one promise.
//
// Where things are:
//
//	set                    what a set is: support, worst case, gauge, compact form
//	budget, ball           boxes and budgets; balls and the Wasserstein ball
//	ellipsoid, polyhedron  ellipsoids, also fitted ones; rows and bounds, intersections
//	cvar                   weights of scenarios: conditional value at risk
//	file                   the forms of sets in design files
//
//	set                                                  constructor
//	|u_k| <= w_k                                         NewBudget(w, p)
//	|u_k| <= w_k and Σ |u_k|/w_k <= Γ (Bertsimas, Sim)   NewBudget(w, Γ)
//	‖u‖ <= t in the norm 1, 2 or ∞                       NewBall
//	u'Σ^{-1}u <= t²                                      NewEllipsoid, FitEllipsoid
//	rows and bounds of a model, intersections of them    NewPolyhedron
//	W1 ball around samples, for losses affine in u       NewWasserstein
//	weights of scenarios (Rockafellar, Uryasev)          NewCVaR
//
// Those of the first two lines, the norms 1 and ∞, polyhedra and NewCVaR are [Compact]: the robust program over them is
// solved as one program.
//
// A set holds deviations from a nominal value and with it 0; [robust.Around] moves a mean into the nominal
// part. All sets that are listed above and have rows or bounds intersect exactly as a polyhedron that has all of them.
//
// A nil context stands for context.Background(), and nil options for the defaults.
//
// [robust.NewConvex]: https://pkg.go.dev/github.com/sparsero/directions/sparsero/robust#NewConvex
// [robust.Around]: https://pkg.go.dev/github.com/sparsero/directions/sparsero/robust#Around
package convex

// Package lifted holds robust problems in the form in which their bounds are proven, and the proofs: what a design file
// states, and what a solution claims, is evaluated here; a lower bound that needs fractions is proven here. Multipliers come from anywhere; what they prove is
// computed without rounding.
//
//	problem, proof, longnumber                   what is stated: the keys of design files
//	check, fault                                 whether its parts fit together, and how a check ends
//	evaluation, lifted, lagrangian, duality      values of a decision, and weak duality for a proof
//	curvature, squares                           that a quadratic cost is convex: judged, and shown
//	prove, repair, leaf                          proofs from multipliers in float64
package lifted

// Package lifted holds robust problems in the form in which their bounds are proven, and the proofs: what a design file
// states, and what a solution claims, is evaluated here; a lower bound that needs fractions is proven here. Multipliers come
// from anywhere; what they prove is computed without rounding.
//
// Where things are:
//
//	problem, proof, number  what is stated: the keys of design files, the hash of atoms; proofs; numbers of any length
//	set                     a convex set in the place of all atoms: its points and its support
//	check, errors           whether its parts fit together; how a check ends, and its words
//	evaluation              exact values of a decision
//	lifted, duality         the program of the lower bounds and its Lagrangian; weak duality over branches
//	curvature, squares      that a quadratic cost is convex: judged; shown
//	prove, repair           proofs from multipliers in float64; fractions where those fail
//	vipr, viprproof         a certificate in VIPR: its version, sections, statements and the form of each line; what is derived, and why
package lifted

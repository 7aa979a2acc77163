// Package robust builds, solves and designs (Algorithm 1) the robust programs of the paper,
//
//	min_{x in X}  Φ_S(x) = b(x) + r max(0, max_{i in S} ⟨d_i, q(x)⟩),
//
// for a dictionary of atoms d_i, a polyhedron X (integer variables allowed), a
// linear or convex quadratic b, an affine q, and, besides the robust objective,
// any number of robust constraints of the same form.
//
// [Problem.Solve] solves the restricted model with the chosen atoms S,
// [Problem.SolveFull] the model with all N atoms by cutting planes, and
// [Problem.Design] chooses the atoms while it solves (Algorithm 1 in its
// corrected form). [Solution.GapBound] bounds both the value gap min Φ_N - min Φ_S
// and the regret of the solution under the full dictionary; it refuses where the
// solution violates a robust constraint of the full model.
//
// # Which method
//
//	what you want                                        method
//	a decision for atoms chosen elsewhere                Problem.Solve
//	the optimum against all N atoms                      Problem.SolveFull
//	few atoms, chosen by the problem, certified          Problem.Design
//	these two, over a convex set                         NewConvex, then OracleProblem.SolveFull, Design
//	these two, over atoms that are not in memory         NewOracleProblem, then the same
//	a set of its own for a row                           Constraint.Dictionary
//	few atoms, a gap and a share of violations to keep   Problem.Tune
//	few atoms, and a decision that is safe for all N     Problem.SolveSafe
//	every bound on what a choice loses                   Problem.Ladder
//	which atoms the value rests on                       Solution.Dual
//	whether a choice suffices for this problem           Problem.Sufficiency
//	why there is no feasible decision, or up to which r  Problem.Explain
//	an answer that others can check                      Save of the result, designfile.Verify
//	Algorithm 1 as the paper prints it                   DesignOptions.AsPrinted
//
// Linear models and those with a convex quadratic b need no solver but those of
// package solver; for integer variables import solver/highs as well.
//
// Where things are:
//
//	problem, constraint, rows, around     the robust problem and its rows
//	solve, cuttingplanes, solveoptions    the restricted and the full model
//	design*                               Algorithm 1; designprinted as the paper prints it; designfile writes the file
//	oracle*, convexset, compact           sets that are no dictionary
//	solution, evaluation, gapbound        a decision, its words, its bounds, and what of a constraint is allowed to be missed
//	dual, sufficiency, ladder             duality and the chain of certificates
//	explanation, largestradius            why nothing is feasible
//	tune*, outofsample, requiredradius    promises about new draws
package robust

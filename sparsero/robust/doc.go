// Package robust builds, solves and designs (Algorithm 1) the robust programs of the paper.
//
// Where things are:
//
//	problem, constraint          the robust problem and its arguments; robust constraints
//	roll                         the problem a step later, atoms dropped and added
//	around, directsum            a mean moved into the nominal part; rows with sets of their own
//	oracle, oracleproblem        how atoms that are not listed are asked for; problems over them
//	convexset, compact           problems over convex sets; the one program for those that are compact
//	epigraph                     Model: writes the restricted model in epigraph form, its rows rounded to relaxations
//	master                       the same, open for more rows; the words where it is infeasible or unbounded
//	look                         which alignments a step has to compute, and which only stay below those of the rows
//	solve, options               Solve, the restricted model; Options of every solve and their defaults
//	cuttingplanes                SolveFull, the full model: which rows it adds and when it ends
//	design, designoptions        Algorithm 1: its result, log and state; its options and their defaults
//	designrun, designrule        the loop: when it solves, adds atoms and ends; which atom a rule prefers
//	designprinted                Algorithm 1 as the paper prints it
//	probes                       the revealed directions T: coverage, gains, deficits
//	solution, summary            a decision, its multipliers, the loss that a tolerance allows; the sentence on what it loses (digits here, their safe side: solver/proof/text.go)
//	evaluation                   values of a decision under all atoms, rounded up
//	worstcase, pullback          r M_[N](q(x)) rounded up; ⟨d_i, q(x)⟩ as a function of x
//	termsizes, tolerances        sizes of terms over the column bounds; the tolerances relative to them
//	lowerbound                   what multipliers prove by weak duality, over convex sets too
//	gapbound, ladder             the difference alone (its upper end: evaluation, from worstcase, its lower end: lowerbound); which certificates, and by which options
//	enclosure                    SolveSafe: the full model between two restricted ones
//	dual                         the worst case of a solution, on few atoms by Carathéodory
//	explanation, feasibility     why nothing is feasible, in words; whether something is, and which rows conflict
//	largestradius                the bisection for the largest feasible radius
//	outofsample                  promises about a new draw of sampled atoms
//	requiredradius, samplereuse  the radius that a draw needs; draws that the dictionary has seen are refused
//	tunedemands                  demands of Tune, its options, and how far a step misses them
//	tune, tuneevidence           the walk from atom to atom; which radii are tried by default, and which draws bound the share of violations
//	tunereport                   Tune's answer in words and tables; demands that are not met, and what would meet them
//	convexfile                   convex sets in files, and the points that prove bounds there
//	save, fileproblem            Save and SolutionOf; the problem in the form of files and proofs
//
// A robust program is
//
//	min_{x in X}  Φ_S(x) = b(x) + r max(0, max_{i in S} ⟨d_i, q(x)⟩),
//
// for a dictionary of atoms d_i, a polyhedron X (integer variables allowed), a linear or convex quadratic b, an affine q,
// and, besides the robust objective, any number of robust constraints of the same form.
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
//	the same program after a day, old atoms dropped      Problem.Roll, then SolveFull with its start
//	few atoms, a gap and a share of violations to keep   Problem.Tune
//	few atoms, and a decision that is safe for all N     Problem.SolveSafe
//	a bound on what a choice loses, and every bound      Solution.GapBound, Problem.Ladder
//	which atoms the value rests on                       Solution.Dual
//	why there is no feasible decision, or up to which r  Problem.Explain
//	an answer that others can check                      Solution.Save, also of Design.Solution, or Tuned.Save; designfile.Verify
//	Algorithm 1 as the paper prints it                   DesignOptions.AsPrinted
//
// Linear models and those with a convex quadratic b need no solver but those of package solver; for integer variables import
// solver/highs as well.
//
// A nil context stands for context.Background(), and nil options for the defaults.
package robust

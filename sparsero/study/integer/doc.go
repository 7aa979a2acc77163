// Package integer is the experiment of section 5.3 of the paper: how many atoms
// a robust integer program needs before its optimum withstands scenarios that
// were held out.
//
// An [Instance] chooses K of n items at least cost under m rows whose use
// depends on the scenario. A policy chooses atoms S from the dictionary of
// scenarios, the program is solved for S, and the optimum is tested on held-out
// scenarios: it succeeds if it exists and violates no row. [Run] does this for
// every seed, [Policy], [Protocol] and budget; [Results] turns the outcomes into
// the four tables of the paper with the paper's value beside each of ours, and
// adds what the paper leaves out: censored medians, monotonicity, paired
// comparisons. Instances come from a [Source] such as datasets.IntegerOptions.
//
// # Two roads to an optimum
//
// An [Enumeration] lists all choices of K items once and answers any set of
// atoms at any radius by scanning 64-bit masks, in microseconds to milliseconds.
// [Instance.Problem] states the same program for package robust, which solves it
// with solver/highs as a mixed-integer program, in tenths of a second, without a
// bound on the size. The tests check each against the other. The largest radius
// at which a set has a decision ([Enumeration.LargestRadius]) says why success
// can fall when the radius grows with the budget.
//
// # What the paper does not say
//
// The paper's generator, its max-gamma and the way in which its sets depend on
// the budget are not public. Instances of the same sizes, three readings of
// max-gamma and four protocols stand in their place. All defaults were fixed
// before the study was run; nothing was changed after looking at its tables.
//
// # Results, and how they differ from the paper
//
// The tables are in notebooks/results (integer_*.csv for seeds 0-99 and
// 1000-1099, integer_decline_*.csv for the study of the decline). In short, for
// both blocks of seeds:
//
//   - 60 and 60 of 100 seeds are feasible with the whole dictionary and without
//     violations (paper: 64; the reserve of the instances was chosen for such a
//     share). 75 and 75 are feasible; the paper's text calls all others
//     infeasible.
//   - Greedy policies need few atoms: the median onset is 2 and 3 (nested) or 2
//     and 2 (calibrated after selection), as in the paper (2). Their mean is 3,
//     not 6.3: at a fixed radius nothing delays a success to B = 30.
//   - Max-gamma is later: median 8.5 and 5 over the seeds that certify (paper:
//     7), but 17.5 and 15 when the seeds that never certify are counted too,
//     which the paper's definition leaves out. A ranking at the nominal optimum
//     (max-gamma-x0) is much better: censored median 5 and 8.5.
//   - At one radius, success of greedy policies rises to 100 %. The paper's
//     falls from 62 % to 34 %. Since every set is feasible when the whole
//     dictionary is, a fall to infeasibility needs a radius that grows with the
//     budget, or another change between budgets that the paper does not
//     describe. With r(B) it appears, mildly: from 79 % at B = 7 to 74 to 76 %
//     at B = 30.
//   - With equally tight instances and a small calibration sample the fall takes
//     the paper's shape (integer_decline): greedy rises to 48 % at B = 5 and
//     falls to 27 % at B = 30, where 67 to 69 % of the programs are infeasible,
//     and random sets overtake greedy from B = 7 on, as they do in the paper at
//     B = 10 and 15. This shows a mechanism; that the paper's numbers come from
//     it is not known.
//   - Random sets succeed in 28 % at B = 3 (paper 22.9) and in 64 % at B = 15
//     (paper 69.8), with standard deviations of 34 to 37 points between seeds
//     (paper 23 to 34).
//   - Nested sets at one radius never lose a success on the dictionary, as
//     Corollary 2.4 says (0 of 150 seeds). On held-out scenarios they can (9 of
//     120 for greedy-maxgap), so the paper's remark that a nested schedule would
//     recover monotonicity holds for the dictionary only.
//   - Seeds outside the baseline are sometimes certified (3 and 5 of 40 for
//     nested greedy-maxgap; paper: 3 of 36): the optimum for such a set violates
//     some atom of the dictionary but no held-out scenario.
package integer

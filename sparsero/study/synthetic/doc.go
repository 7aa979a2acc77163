// Package synthetic is the experiment of section 5.1 and appendix F.1 to F.3 of
// the paper: which atoms of a planar dictionary matter, how well coverage
// predicts the worst deficit, what a sampled net proves, and how a radius is
// calibrated.
//
// A seed draws an X-shaped distribution and a dictionary with decoys
// (a [Source] such as datasets.XShapeOptions). [Run] does for every seed what the paper does for one:
// paths of all policies, the support error in direction (1,0), the net estimate
// along a refinement path, the terms of Theorem 3.1, and the calibration
// ablation. [Results] turns the outcomes into the paper's tables, with the
// paper's value beside the median and the 5/95 % band over the seeds. It adds
// what the paper leaves out: the true radius of the net and the exact deficit
// on the whole circle, both tie rules of max-gap and the set cover, and sound
// calibration rules, on data and on data in units ten times smaller.
//
// # Two roads to a number
//
// [CircleDeficit] is a distance of hulls and [CircleRadius] a branch and bound
// over arcs; the tests compare both with a fine circle and with a proven net.
// Ratios, zero budgets, radii and violations are recomputed from their
// definitions. The paper's own tables are checked against each other: all 18
// corrections follow from the formula of calibration.Additive, and five rows
// together imply max_T M_N = 3.2377.
//
// # What the paper does not say
//
// The paper's generator is not public. Both mechanisms of the data are inferred
// from its tables; TopAct is the number of directions in which an atom is
// active, and max-gap decides ties by the lowest index unless its name says
// otherwise. All defaults were fixed before the study was run; nothing was
// changed after looking at its tables.
//
// # Results, and how they differ from the paper
//
// The tables are in notebooks/results (synthetic_*.csv for the first mechanism,
// synthetic_lobes_*.csv for the second, 100 seeds each).
//
//   - Surrogate against certificate is as in the paper: Pearson 0.80 and
//     Spearman 0.92 in the median (paper 0.855 and 0.962, inside both bands),
//     0.86 and 0.95 with the second mechanism. Greedy coverage and max-gap
//     diverge at small budgets only: 4 budgets in the median, the largest 4.
//     Which ones depends on the seed; {1,3,4} occurs once.
//   - Greedy coverage leaves no deficit on T from B = 8 on (paper 9), max-gap
//     from 25 on (band 18 to 32; paper 17). Of the lag, tie-breaking is the
//     cause: with ties by coverage gain max-gap needs 9, and the set cover
//     needs 8, the number of active atoms and so the least possible. The
//     paper's 17 is inside the band of the second mechanism (13 to 36).
//   - The net estimate falls as the paper's does (2.75 to 1.46; paper 2.55 to
//     1.82) and is not a net radius: the true radius on the circle is 7 % larger
//     in the median and up to 48 % at the 95 % point. A maximum over probes can
//     only be too small.
//   - The sum of Theorem 3.1 is a weak bound here. With the true radius it is
//     3.33 for greedy coverage at B = 9, where the trivial bound is 3.74 and the
//     exact deficit on the circle 0.02. The paper's sum 3.6486 at a deficit of 0
//     exceeds the trivial bound 3.2377 that its own tables imply.
//   - No deficit on T does not mean none on the circle: at B = 9 the 95 % point
//     of the exact deficit of greedy coverage is 2.87. It comes from six seeds; in
//     all of them, and in seven more, no direction of T comes within 50 degrees of
//     straight up, or of straight down.
//   - Mean distances to the net are smaller than the paper's (0.0093; paper
//     0.0139), so its directions are more spread out than ours.
//   - The paper's 8 metric atoms fit the vertices of conv(D ∪ {0}) (9) or the
//     active atoms (8) with the first mechanism, those of conv(D ∪ -D) (7) with
//     the second. Its text does not say which it counts.
//   - Quantiles and radii are inside the bands. Violations at alpha = 0.05 are
//     not: the paper's DKW union has 0.0490 at B = 9 (ours 0.034), its Split
//     0.0588 (ours 0.042). A low quantile in its one calibration sample, or test
//     samples unlike it, would explain both; Split exceeds alpha in 19 of our
//     100 seeds, and reaches 0.0588 in fewer than 5.
//   - The additive rules of the paper's tables depend on the unit. With samples
//     ten times larger DKW union exceeds alpha = 0.05 in 41 instead of 2 seeds
//     (B = 9, delta = 1e-5), where delta would allow none. Theorem 3.2 itself
//     refuses all 36 settings: its correction is above every alpha. The exact
//     order statistic of the one set, or of the envelope, accepts 11 of 12 settings
//     of each budget and exceeds alpha in no seed, in either unit. (With the
//     second mechanism one seed does so once, at alpha = 0.05 and delta = 1e-3,
//     by less than the noise of 5000 test samples.)
package synthetic

// Package integer is the experiment of section 5.3 of the paper: how many atoms a robust integer program needs before its
// optimum withstands scenarios that were held out.
//
// Where things are:
//
//	run          settings, protocols and policies of a study, and its units
//	policies     which atoms a policy takes, and the random streams
//	unit         what one seed measures
//	enumeration  all choices of K items, listed once; the same program for package robust
//	tables       the tables of the paper; monotonicity and paired comparisons
//
// An instance chooses K of n items at least cost under m rows whose use depends on the scenario. A policy chooses atoms S
// from the dictionary of scenarios, the program is solved for S, and the optimum is tested on held-out scenarios: it
// succeeds if it exists and violates no row. [Run] does this for every seed, [Policy], [Protocol] and budget; [Results]
// turns the outcomes into the four tables of the paper and adds what it leaves out: censored medians, monotonicity, paired
// comparisons. Instances come from [datasets.IntegerOptions].
//
// Tutorial 38 lists what the paper does not say and what stands in its place. All defaults were fixed before the study was
// run.
package integer

// Package synthetic is the experiment of section 5.1 and appendix F.1 to F.3 of the paper: which atoms of a planar
// dictionary matter, how well coverage predicts the worst deficit, what a sampled net proves, and how a radius is
// calibrated.
//
// Where things are:
//
//	run           settings of a study, and its units
//	unit, circle  what one seed measures; net radius and deficit on the circle, exactly
//	calibration   the ablation of the calibration rules
//	tables        the tables beside the paper's values
//
// [Run] does for every seed what the paper does for one, on [datasets.XShapeOptions]. [Results] turns the outcomes into the
// paper's tables, with the paper's value beside the median and the 5/95 % band over the seeds. It adds what the paper
// leaves out: the true radius of the net and the exact deficit on the whole circle, both tie rules of max-gap and the set
// cover, and sound calibration rules, on data and on data in units ten times smaller.
//
// Tutorial 36 lists what the paper does not say and what stands in its place. All defaults were fixed before the study was
// run.
package synthetic

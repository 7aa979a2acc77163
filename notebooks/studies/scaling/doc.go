// Package scaling is the experiment of section 5.2 and appendix F.4 of the paper: how many of N mined directions cover what
// all of them cover.
//
// Where things are:
//
//	run        settings of a study, and its units
//	unit       what one seed measures: paths, bounds, smallest budgets, random sets
//	certified  certified accuracy and its penalties
//	tables     the tables beside the paper's values
//
// Dictionaries and directions come from an [adversarial.Task]. [Run] measures for every seed and N the coverage of greedy,
// max-gap and random sets, the smallest budget that reaches a target with a bound that no policy can beat, and the
// certified accuracy of appendix F.4 beside what it hides. [Results] turns the outcomes into tables with quartiles over the
// seeds.
//
// Selection is that of package selection, exact over float32 bounds; coverage of the reporting directions is computed in
// float64.
//
// CertAcc_S, the paper's certified accuracy, counts margins above ω pen_S, pen_S = max_{i in S} |<d_i,w>|. It is larger for
// fewer and for worse atoms, so it certifies nothing against the whole dictionary; CertAcc_D does, and so does the penalty
// times [InflationBound].
//
// Tutorial 37 lists what the paper does not say and what stands in its place. All defaults were fixed before the study was
// run.
package scaling

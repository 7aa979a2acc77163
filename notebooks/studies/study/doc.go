// Package study runs numerical experiments that take a while: in parallel, cancellable, and resumable after a kill.
//
// Where things are:
//
//	run     an experiment, its units and how they run; blocks of seeds
//	units   the file that a run goes on from; what identifies an experiment
//	tables  tables as CSV with a side file
//
// An [Experiment] is cut into units that do not depend on each other, such as one random seed each. [Run] computes them on
// all cores and appends each result to a file as it ends; the next run of the same experiment goes on from there. The
// results are those of an uninterrupted run to the last bit, whatever the number of cores. The experiments of the paper live
// in the packages beside this one.
package study

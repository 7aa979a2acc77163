// Package study runs numerical experiments that take a while: in parallel and cancellable.
//
// Where things are:
//
//	run     an experiment, its units and how they run; blocks of seeds
//	record  what identifies an experiment
//	tables  tables as CSV with a side file
//
// An [Experiment] is cut into units that do not depend on each other, such as one random seed each. [Run] computes them on
// all cores. The experiments of the paper live in the packages beside this one.
package study

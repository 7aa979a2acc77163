// Package study runs numerical experiments that take a while: in parallel,
// cancellable, and resumable after a kill.
//
// An [Experiment] is cut into units that do not depend on each other, such as
// one random seed each. [Run] computes them on all cores and appends each
// result to a file as it ends; the next run of the same experiment goes on from
// there. The results are those of an uninterrupted run to the last bit, whatever
// the number of cores. [Record.WriteTables] writes tables made of them as CSV
// files, with a side file that says where they come from.
//
// The experiments of the paper live in the packages beside this one.
package study

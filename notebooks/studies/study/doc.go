// Package study runs numerical experiments that take a while: in parallel,
// cancellable, and resumable after a kill.
//
// An [Experiment] is cut into units that do not depend on each other, such as
// one random seed each. [Run] computes them on all cores and appends each
// result to a file as it ends; the next run with the same experiment goes on from
// there. The results are those of an uninterrupted run to the last bit, whatever
// the number of cores. [Record.WriteTables] writes tables made of them as CSV
// files, with a side file that says where they come from.
//
// A file of units is named after the experiment, its version, its seed and a hash of its
// configuration, so that experiments do not meet in a folder: another configuration
// begins a file of its own. A run that asks for more units goes on in the same folder, a run
// that asks for fewer leaves the others in it, and folders of runs that computed
// different shards can be copied together.
//
// The experiments of the paper live in the packages beside this one.
package study

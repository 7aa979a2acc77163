// Package study runs numerical experiments that take a while: in parallel,
// cancellable, with progress, and resumable after a kill.
//
// An [Experiment] is cut into units that do not depend on each other, such as
// one random seed each. [Run] computes them on all cores and writes each
// result to a file of its own as it ends; the next run with the same experiment
// goes on from there. The results are those of an uninterrupted run to the last
// bit, whatever the number of cores. [Record.WriteTables] writes tables made of
// them as CSV files, with a side file that says where they come from.
//
// # Files of units
//
// The folder of an experiment holds a file for each finished unit, a JSON object named by the
// unit's key:
//
//	{"study":"integer","version":"1","seed":0,"configuration_hash":"…","configuration":{…},
//	 "unit":"17","result":{…},"seconds":0.12}
//
// A file appears in one step once it is whole, so that a kill loses the units under way
// and nothing else. Each says where it belongs: one that belongs to another study, version,
// seed or configuration is named as such ([ErrForeign]), one that cannot be read too
// ([ErrCorrupt]). Neither is ever overwritten. A run that asks for more units goes on in the
// same folder, a run that asks for fewer leaves the others in it, and folders of runs that
// computed different units of one experiment can be copied together.
//
// The experiments of the paper live in the packages beside this one.
package study

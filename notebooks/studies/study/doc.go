// Package study runs numerical experiments that take a while: in parallel,
// cancellable, with progress, and resumable after a kill.
//
// An [Experiment] is cut into units that do not depend on each other, such as
// one random seed each. [Run] computes them on all cores and appends each
// result to a results file as it ends; the next run with the same experiment
// goes on from there. The results are those of an uninterrupted run to the last
// bit, whatever the number of cores. [Record.WriteTables] writes tables made of
// them as CSV files, with a side file that says where they come from and what
// the run took ([Usage]).
//
// # Results files
//
// A results file is text: on each line a checksum, the CRC-32 (IEEE) of what follows,
// and a JSON object. The first line is the header:
//
//	90ab12cd {"format":"directions-study-2","study":"integer","version":"1","seed":0,
//	 "configuration_hash":"…","configuration":{…}}
//
// Every other line is a finished unit, in the order in which they ended:
//
//	12cd90ab {"unit":"17","result":{…},"seconds":0.12}
//
// Lines are appended and brought to disk one at a time, so that a kill can only leave
// an incomplete last line: it is cut off, and its unit computed again. Any
// other damage is reported with its line ([ErrCorrupt]); a file that belongs
// to another study, version, seed or configuration is named as such
// ([ErrForeign]). Neither is ever overwritten. A lock keeps two runs from
// writing to one file at a time.
//
// The list of units is not part of the header: a run that asks for more seeds
// goes on in the same file, a run that asks for fewer leaves the others in it.
//
// The experiments of the paper live in the packages beside this one.
package study

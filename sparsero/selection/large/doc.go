// Package large selects atoms from dictionaries that are too large, or that one
// waits too long for, with the float64 matrix of alignments of package selection.
//
// [NewCoverage] computes the alignments of N atoms with M probe directions in
// float32 and keeps them as bounds in 2NM bytes, a quarter of a float64 matrix;
// with [Options.Stream] it keeps none and recomputes what it needs from the atoms,
// which may stay in a file ([OpenNPY]). Whatever the bounds leave open is computed
// again in float64, so [Greedy], [MaxGap] and [SetCover] choose the atoms, in the
// same order, that the plain float64 algorithms choose, and all values they report
// are float64 values. They are the same to the last bit on any number of cores,
// held or streamed, on every processor.
//
// The results are of the type of package selection.
package large

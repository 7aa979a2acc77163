// Package screen evaluates support coverage over dictionaries that are large,
// fast and without a loss of accuracy. All alignments of atoms with probe
// directions are computed in float32 together with a rigorous bound of their
// error. The bounds decide what is clear; only atoms and directions that they
// leave open are computed again in float64. Every number and every choice that
// leaves the package is that of the plain float64 algorithm.
//
// The reference is: alignment <d,s> = a chain of fused multiply-adds in the order
// of the coordinates; gain = the sum over directions of what exceeds the present
// support, in four interleaved partial sums, divided by the number of directions.
//
// A [Screen] holds the N×M alignments, rounded up to half precision so that they
// take a quarter of the float64 space and stay upper bounds, or recomputes the rows
// it needs from the atoms when it is told to stream.
package screen

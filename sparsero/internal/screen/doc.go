// Package screen computes exact coverage choices on large dictionaries, using a float32 pre-pass. All alignments of atoms
// with probe directions are computed in float32 together with a rigorous bound of their error. The bounds decide what is
// clear; only atoms and directions that they leave open are settled in float64. Every number and every choice that leaves
// the package is that of the plain float64 algorithm. Atoms, directions and alignments are scaled by powers of two, so units
// do not matter.
//
// Where things are:
//
//	atoms, screen        where atoms come from; the alignments, how they are held, and their error
//	memory, cost         bytes that a run takes; alignments, bounds and bytes read (OracleCalls: search)
//	block, pass          alignments of a block of atoms; one pass over all
//	spread               the norms and units of directions, and the rounding error of coverage
//	levels               bounds of all gains at once, by direction
//	state, bounds        the support of a chosen set and its gains; upper bounds of gains
//	search               greedy's lazy search and ties
//	swap, maxgap, cover  the searches of those rules
//	budget               what a set of atoms may cost
//	lagrangian, along    bounds on the best set under a budget; at all supports of a path in one pass
//	row                  the float64 alignments that these need, and keep
//	active               the atom that is worst in each direction
//
// The reference is: alignment <d,s> = a chain of fused multiply-adds in the order of the coordinates; gain = the sum over
// directions of what exceeds the present support, in four interleaved partial sums, divided by the number of directions.
//
// A [Screen] holds the N×M alignments, rounded up to half precision so that they take a quarter of the float64 space
// and stay upper bounds; for many atoms once more as levels of 8 bits, by direction; or none when it is told to stream:
// then it recomputes the rows it needs from the atoms.
package screen

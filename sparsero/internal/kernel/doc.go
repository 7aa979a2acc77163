// Package kernel holds the loops that selection spends its time in: the float32 product of a block of atoms with all
// probe directions, the passes over one row of alignments, and those over the levels of many atoms. [Best] picks the
// implementation at run time: assembly for AVX-512 or AVX2 on amd64, the same loops in Go elsewhere.
//
// Where things are:
//
//	kernel                                    what an implementation does, which are there, how far float32 is off
//	kernel_amd64, kernel_arm64, kernel_other  the implementations of each processor
//	cpu_amd64                                 what the processor can do
//	portable                                  the loops in Go
//	product, alignments                       float32 products of blocks; float64 alignments, the same bits everywhere
//	half                                      half precision, rounded up
//	level                                     levels of 8 bits, rounded up, by direction
//
// Float32 results are a screen, not an answer. They differ between processors within [RoundingBound]; callers decide with
// that bound and settle what it leaves open with [Kernel.Alignments], whose float64 bits are the same on every processor.
package kernel

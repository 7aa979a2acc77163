// Package designfile writes, reads and checks design files. A design file holds one robust decision, the problem it
// belongs to, what is claimed about it, and a proof; anybody can check it without the software that wrote it. FORMAT.md
// says what its keys mean.
//
// Where things are:
//
//	format          the keys, at the top and in Provenance, name and version of the format
//	save, encode    what may be written; its bytes, the digits of numbers included
//	decode          what is read: version, then keys and numbers
//	verify, claims  the check and its words; each claim against its exact value (the arithmetic is in internal/lifted)
//	dictionary      atoms in files of their own (CSV with commas alone, NPY), and their hash
//	vipr            what a VIPR certificate, which other checkers read, cannot say; all of its lines but the first: internal/lifted/vipr.go
//
// [Content.Save] writes a file, and refuses to write one that the check finds false. [Verify] is the only way to read
// one: what it returns was checked. verify.py, in the folder of this package, checks files with nothing but Python; it
// shares no code with this package.
//
// Package robust fills the fields of [Content]; this one knows no solver.
package designfile

// Package designfile writes, reads and checks design files. A design file holds one robust decision, the problem it
// belongs to, what is claimed about it, and a proof; anybody can check it without the software that wrote it. FORMAT.md
// says what its keys mean.
//
// [Content.Save] writes a file, and refuses to write one that the check finds false. [Verify] is the only way to read
// one: what it returns was checked. verify.py, in the folder of this package, checks files with nothing but Python; it
// shares no code with this package.
//
// The fields of [Content] are the keys of the format, for writing and for reading. Package robust fills them; this one knows
// no solver. What is claimed is computed without rounding in package lifted of the folder internal.
//
// Where things are:
//
//	format, encode, save                  keys and bytes
//	decode                                what is read: numbers, unknown and doubled keys
//	claims, verify                        what is checked, and the words for it; the arithmetic is in internal/lifted
//	vipr                                  the proof as a VIPR certificate, which other checkers read
package designfile

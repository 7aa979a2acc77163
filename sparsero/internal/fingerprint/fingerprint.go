// Package fingerprint tells dictionaries apart by their numbers. It is apart from package lifted, which a program that chooses atoms
// need not be linked with.
package fingerprint

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"slices"
)

// Of returns the SHA-256, in hexadecimal, of the number of atoms and their dimension as 64-bit little-endian integers
// followed by the atoms as little-endian float64, one after the other; -0 counts as 0. O(Np).
func Of(dimension int, atoms [][]float64) string {
	digest := sha256.New()
	sizes := binary.LittleEndian.AppendUint64(nil, uint64(len(atoms)))
	digest.Write(binary.LittleEndian.AppendUint64(sizes, uint64(dimension)))
	var buffer []byte
	for _, atom := range atoms {
		buffer = slices.Grow(buffer[:0], 8*len(atom))[:8*len(atom)]
		for j, v := range atom {
			binary.LittleEndian.PutUint64(buffer[8*j:], math.Float64bits(v+0)) // -0 + 0 is 0
		}
		digest.Write(buffer)
	}
	return hex.EncodeToString(digest.Sum(nil))
}

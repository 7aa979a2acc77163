package lifted

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
)

// Hash returns the SHA-256, in hexadecimal, of the number of atoms and their dimension as 64-bit little-endian integers
// followed by the atoms as little-endian float64, one after the other; -0 counts as 0. O(Np).
func Hash(dimension int, atoms [][]float64) string {
	digest := sha256.New()
	sizes := binary.LittleEndian.AppendUint64(nil, uint64(len(atoms)))
	digest.Write(binary.LittleEndian.AppendUint64(sizes, uint64(dimension)))
	var buffer []byte
	for _, atom := range atoms {
		buffer = buffer[:0]
		for _, v := range atom {
			buffer = binary.LittleEndian.AppendUint64(buffer, math.Float64bits(v+0)) // -0 + 0 is 0
		}
		digest.Write(buffer)
	}
	return hex.EncodeToString(digest.Sum(nil))
}

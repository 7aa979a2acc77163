package kernel

import (
	"fmt"
	"math"
	"unsafe"
)

const (
	// StripBits is the number of bits of a [Strip].
	StripBits = 512
	// StripMultiple is what the number of strips given to Subtract must be divisible by.
	StripMultiple = 8
	// LeastPlanes is the number of binary digits that counters have at least.
	LeastPlanes = 4
)

// Strip has one bit for each of 512 things: of thing i bit i%64 of word i/64.
type Strip [StripBits / 64]uint64

// Set sets one bit to a value.
func (s *Strip) Set(i int, on bool) {
	word, bit := &s[i/64], uint64(1)<<(i%64)
	if *word &^= bit; on {
		*word |= bit
	}
}

// Has tells whether a bit is set.
func (s *Strip) Has(i int) bool { return s[i/64]>>(i%64)&1 == 1 }

// Floor is the least [Half] that reaches it: the number whose bits it has, if that is
// not negative. Every number reaches [NoFloor], none [Unreachable].
type Floor int16

const (
	NoFloor     Floor = math.MinInt16
	Unreachable Floor = math.MaxInt16
)

// FloorAt returns the floor that is reached by the numbers that are at least x, which is
// not larger than MaxHalf: NoFloor if x is not positive.
func FloorAt(x float32) Floor {
	if !(x > 0) {
		return NoFloor
	}
	return Floor(halfAbove(x))
}

// ReachedBy returns 1 if h reaches the floor, else 0, without a branch. Numbers that are
// not negative are ordered as their bits are; all others have the sign bit, and are below.
func (f Floor) ReachedBy(h Half) uint64 { return 1 - uint64(int64(Floor(h))-int64(f))>>63 }

// Reach sets bit j%64 of mask[j/64*stride] to whether row[j] reaches floor[j]. The
// length of row must be a positive multiple of ColumnMultiple; bits beyond it stay as
// they are.
func (k *Kernel) Reach(mask []uint64, stride int, row []Half, floor []Floor) {
	if len(row) == 0 || len(row)%ColumnMultiple != 0 || len(floor) != len(row) || stride < 1 || len(mask) <= (len(row)-1)/64*stride {
		panic(fmt.Sprintf("kernel: row of length %d with %d floors and a mask of %d words, every %dth used", len(row), len(floor), len(mask), stride))
	}
	k.reach(&mask[0], stride, &row[0], &floor[0], len(row))
}

// Subtract takes the bits of the strips in the given rows of a matrix from 512
// counters at once. Plane d has the binary digit d of every counter; there are at
// least LeastPlanes of them. Counters that fall below zero begin again at the top. The
// number of rows must be divisible by StripMultiple. The same rows of the matrix next,
// which may be this one, are fetched into the cache on the way.
func (k *Kernel) Subtract(planes, matrix []Strip, rows []int32, next *Strip) {
	if len(planes) < LeastPlanes || len(rows)%StripMultiple != 0 {
		panic(fmt.Sprintf("kernel: %d strips taken from %d planes", len(rows), len(planes)))
	}
	for _, row := range rows {
		_ = matrix[row]
	}
	if len(rows) > 0 {
		k.subtract(&planes[0], len(planes), &matrix[0], &rows[0], len(rows), next)
	}
}

// Largest returns the largest value of 512 counters and sets having to those that have
// it. Without planes all counters are zero.
func (k *Kernel) Largest(planes []Strip, having *Strip) int {
	return k.largest(unsafe.SliceData(planes), len(planes), having)
}

// Transpose exchanges rows and columns of a matrix of 64×64 bits.
func (k *Kernel) Transpose(a *[64]uint64) { k.transpose(a) }

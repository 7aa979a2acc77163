package kernel

import "math"

// Half is a number in the 16-bit binary format of IEEE 754: 11 significant bits,
// magnitudes up to [MaxHalf], steps of 2^-24 next to zero.
type Half uint16

// MaxHalf is the largest magnitude of a [Half].
const MaxHalf = 65504

// Float32 returns the value of a finite number.
func (h Half) Float32() float32 {
	// The exponent field lands in its place 112 too low, for subnormal numbers too.
	magnitude := math.Float32frombits(uint32(h&0x7fff)<<13) * 0x1p112
	return math.Float32frombits(math.Float32bits(magnitude) | uint32(h&0x8000)<<16)
}

// halfAbove returns the least half-precision number that is not below x, for magnitudes of at most MaxHalf.
func halfAbove(x float32) Half {
	bits := math.Float32bits(x)
	sign := Half(bits >> 16 & 0x8000)
	magnitude := math.Float32frombits(bits & 0x7fffffff)
	var h Half
	if magnitude < 0x1p-14 {
		h = Half(magnitude * 0x1p24) // a multiple of the least step, rounded down
	} else {
		h = Half((math.Float32bits(magnitude) - 112<<23) >> 13) // rounded down
	}
	if sign == 0 && h.Float32() < magnitude {
		h++
	}
	return h | sign
}

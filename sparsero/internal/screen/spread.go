package screen

import (
	"math"
	"math/bits"
	"slices"
)

// unit is the relative error of one float64 rounding.
const unit = 0x1p-53

// Rounding bounds what float64 loses: with the alignments <d_i,s> of exact arithmetic, a
// coverage or gain lies within Relative of its float64 value, and that within Absolute of
// the coverage in float64 alignments. Both are 0 where nothing is rounded.
type Rounding struct{ Relative, Absolute float64 }

// spread knows of some vectors, for each coordinate, the largest magnitude and, as long
// as sums of products may all be exact, the exponent of the last bit.
type spread struct {
	largest []float64
	last    []int // nil if sums are rounded
}

// noBits is the exponent of the last bit of zero.
const noBits = math.MaxInt32

func newSpread(p int) spread {
	return spread{largest: make([]float64, p), last: slices.Repeat([]int{noBits}, p)}
}

// note takes in an atom that is to be multiplied with m directions.
func (g *spread) note(atom []float64, directions *spread, m int) {
	for k, value := range atom {
		if size := math.Abs(value); size > g.largest[k] {
			g.largest[k] = size
		}
	}
	if g.last == nil {
		return
	}
	for k, value := range atom {
		g.last[k] = min(g.last[k], lastBit(value))
	}
	if !g.exactWith(directions, m) {
		g.last = nil
	}
}

// noteAll takes in vectors that are stored one after the other.
func (g *spread) noteAll(vectors []float64) {
	p := len(g.largest)
	for i, value := range vectors {
		g.largest[i%p] = max(g.largest[i%p], math.Abs(value))
		g.last[i%p] = min(g.last[i%p], lastBit(value))
	}
}

// join takes in what another spread knows.
func (g *spread) join(other *spread) {
	for k, size := range other.largest {
		g.largest[k] = max(g.largest[k], size)
	}
	if g.last == nil || other.last == nil {
		g.last = nil
		return
	}
	for k, last := range other.last {
		g.last[k] = min(g.last[k], last)
	}
}

// exactWith tells whether every sum of p m products of entries has few enough bits to be
// exact: all are multiples of one power of two, and below 2^53 of them.
func (g *spread) exactWith(directions *spread, m int) bool {
	if g.last == nil || directions.last == nil {
		return false
	}
	lowest, highest := noBits, math.MinInt32
	for k := range g.largest {
		if g.largest[k] == 0 || directions.largest[k] == 0 {
			continue
		}
		lowest = min(lowest, g.last[k]+directions.last[k])
		highest = max(highest, bitsAbove(g.largest[k])+bitsAbove(directions.largest[k]))
	}
	return lowest == noBits || lowest >= bits.Len(uint(m))-1074 && highest+bits.Len(uint(len(g.largest)*m))-lowest <= 53
}

// rounding returns the bounds for the atoms g with the given directions.
func (g *spread) rounding(directions *spread, rows []float64) Rounding {
	p := len(g.largest)
	m := len(rows) / p
	if g.exactWith(directions, m) {
		if m&(m-1) == 0 { // dividing by m is exact too
			return Rounding{}
		}
		return Rounding{Relative: 2 * unit}
	}
	// A chain of p fused multiply-adds errs by at most p units of sum |d_k s_k| (Higham
	// 2002, section 3.1).
	sizes := 0.0
	for i, value := range rows {
		sizes += g.largest[i%p] * math.Abs(value)
	}
	return Rounding{
		Relative: float64(m+8) * unit,
		Absolute: sizes*(1+slack)/float64(m)*(float64(p+1)*unit) + float64(p)*0x1p-1074, // the least number, for products that underflow
	}
}

// lastBit returns the exponent of the last bit of x.
func lastBit(x float64) int {
	if x == 0 {
		return noBits
	}
	fraction, exponent := math.Frexp(x)
	return exponent - 53 + bits.TrailingZeros64(uint64(math.Ldexp(math.Abs(fraction), 53)))
}

// bitsAbove returns the least e with |x| < 2^e.
func bitsAbove(x float64) int {
	_, exponent := math.Frexp(x)
	return exponent
}

package screen

import (
	"math"
	"math/bits"
	"slices"

	"github.com/sparsero/directions/solver/proof/directed"
	"gonum.org/v1/gonum/floats"
)

// unit is the relative error of one float64 rounding.
const unit = 0x1p-53

// Rounding bounds what float64 loses: with the alignments <d_i,s> of exact arithmetic, a
// coverage or gain lies within Relative of its float64 value, and that within Absolute of
// the coverage in float64 alignments. Both are 0 where nothing is rounded.
type Rounding struct{ Relative, Absolute float64 }

// AtMost returns an upper bound of the exact value of a set from its float64 value.
func (r Rounding) AtMost(value float64) float64 {
	return directed.SumUpper(r.GainAtMost(value), r.Absolute)
}

// AtLeast returns a lower bound, not below zero.
func (r Rounding) AtLeast(value float64) float64 {
	return max(0, directed.SumLower(directed.ProductLower(value, directed.SumLower(1, -r.Relative)), -r.Absolute))
}

// GainAtMost returns an upper bound of the exact value of a gain.
func (r Rounding) GainAtMost(gain float64) float64 {
	return directed.ProductUpper(gain, directed.SumUpper(1, r.Relative))
}

// Tighten lowers bounds[b-1], of the value of any b atoms, to that of a set plus the b largest
// gains there, in falling order.
func (r Rounding) Tighten(bounds []float64, value float64, gains []float64) {
	total := r.AtMost(value)
	for b := range bounds {
		if b < len(gains) {
			total = directed.SumUpper(total, r.GainAtMost(gains[b]))
		}
		bounds[b] = min(bounds[b], total)
	}
}

// Spread knows of some vectors, for each coordinate, the largest magnitude and, as long
// as sums of products may all be exact, the exponent of the last bit.
type Spread struct {
	Largest []float64
	Last    []int // nil once sums are known to be rounded
}

// noBits is the exponent of the last bit of zero.
const noBits = math.MaxInt32

func newSpread(p int) Spread {
	return Spread{Largest: make([]float64, p), Last: slices.Repeat([]int{noBits}, p)}
}

// spreadOf returns the spread of vectors of dimension p that are stored one after the other.
func spreadOf(vectors []float64, p int) Spread {
	g := newSpread(p)
	for ; len(vectors) > 0; vectors = vectors[p:] {
		g.note(vectors[:p])
	}
	return g
}

// note takes in a vector.
func (g *Spread) note(vector []float64) {
	for k, value := range vector {
		if size := math.Abs(value); size > g.Largest[k] {
			g.Largest[k] = size
		}
	}
	g.noteBits(vector)
}

// noteBits takes in the last bits of a vector.
func (g *Spread) noteBits(vector []float64) {
	for k := range g.Last {
		g.Last[k] = min(g.Last[k], lastBit(vector[k]))
	}
}

// Join takes in what another spread of the same dimension knows.
func (g *Spread) Join(other *Spread) {
	for k, size := range other.Largest {
		g.Largest[k] = max(g.Largest[k], size)
	}
	if g.Last == nil || other.Last == nil {
		g.Last = nil
		return
	}
	for k, last := range other.Last {
		g.Last[k] = min(g.Last[k], last)
	}
}

// exactWith tells whether every sum of p m products of entries has few enough bits to be exact: all are multiples of
// one power of two, and below 2^53 of them, and no mean of their differences with other numbers is below the normal
// range.
func (g *Spread) exactWith(directions *Spread, m int) bool {
	if g.Last == nil {
		return false
	}
	lowest, highest := noBits, math.MinInt32
	for k := range g.Largest {
		if g.Largest[k] == 0 || directions.Largest[k] == 0 {
			continue
		}
		lowest = min(lowest, g.Last[k]+directions.Last[k])
		highest = max(highest, bitsAbove(g.Largest[k])+bitsAbove(directions.Largest[k]))
	}
	return lowest == noBits || lowest >= bits.Len(uint(m))+53-1022 && highest+bits.Len(uint(len(g.Largest)*m))-lowest <= 53
}

// Rounding returns the bounds for n atoms with the spread g and the given directions, one after the other.
func (g *Spread) Rounding(n int, rows []float64) Rounding {
	p := len(g.Largest)
	m := len(rows) / p
	if g.Last != nil {
		directions := spreadOf(rows, p)
		switch exact := g.exactWith(&directions, m); {
		case exact && m&(m-1) == 0: // dividing by m is exact too
			return Rounding{}
		case exact:
			return Rounding{Relative: 2 * unit}
		}
	}
	// A chain of p fused multiply-adds errs by at most p units of sum |d_k s_k| (Higham 2002, section 3.1). One unit
	// more is not enough for the roundings of these sums where p (m+2p) is above 2^53; slack is.
	sizes := make([]float64, p)
	for ; len(rows) > 0; rows = rows[p:] {
		for k, value := range rows[:p] {
			sizes[k] += float64(g.Largest[k] * math.Abs(value))
		}
	}
	return Rounding{
		Relative: float64(m+8) * unit,
		// The least number for each product that underflows, and for the mean in each gain and in the value.
		Absolute: floats.Sum(sizes)*(1+slack)/float64(m)*(float64(p+1)*unit) + float64(p+n+2)*0x1p-1074,
	}
}

// lastBit returns the exponent of the last bit of x.
func lastBit(x float64) int {
	const mantissaBits, leastExponent = 52, -1074
	word := math.Float64bits(x)
	exponent, mantissa := int(word>>mantissaBits&0x7ff), word&(1<<mantissaBits-1)
	switch {
	case exponent > 0: // a normal number has a leading one that is not written
		exponent, mantissa = exponent-1, mantissa|1<<mantissaBits
	case mantissa == 0:
		return noBits
	}
	return exponent + leastExponent + bits.TrailingZeros64(mantissa)
}

// bitsAbove returns the least e with |x| < 2^e.
func bitsAbove(x float64) int {
	_, exponent := math.Frexp(x)
	return exponent
}

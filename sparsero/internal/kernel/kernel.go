package kernel

import (
	"fmt"
	"math/bits"
	"slices"
)

const (
	// RowMultiple is what the number of rows of a product must be divisible by.
	RowMultiple = 12
	// ColumnMultiple is what the number of columns of a product, and the length
	// of a row given to Halve, Excess and Above, must be divisible by.
	ColumnMultiple = 32
	// MaskMultiple is what the number of columns of a mask given to Recount, 64 a word, must be divisible by.
	MaskMultiple = 512
	// CountMultiple is what the number of counts given to Recount must be divisible by.
	CountMultiple = 8
)

const (
	// chunk is how many products are added up before the sum is added to the
	// result. It bounds the rounding error: see [RoundingBound].
	chunk = 64
	// depthBlock is how many coordinates of the panels are used at a time, so
	// that a panel stays in the first two levels of cache. A multiple of chunk.
	depthBlock = 512
)

// Kernel is one implementation of the loops. It has no state and may be used by several goroutines at once.
type Kernel struct {
	name       string
	narrowStep int
	lanes      int           // partial sums of excess
	tile, tail tile[float32] // tail: the last columns, where a tile would compute too many; none if zero
	excess     func(row *Half, floor, weight *float32, n int, e float32, next *Half) float32
	above      func(mask *uint64, row *Half, floor, weight *float32, n int, e float32, next *Half)
	recount    func(counts *int32, from, n int, masks, open *uint64, words int, most int32) (at, renewed int)
	halve      func(dst *Half, src *float32, n int)
	narrow     func(dst *float32, src *float64, n int, scale float64, largest *float64) float64
	chains     func(k int, d, t *float64, columns *int32, groups int, sums *float64, ahead int)
	quantize   func(tile *uint8, rows *float32, stride, n int, weight, e *float32, perStep, margin float32, top *uint8)
	cover      func(sums *uint32, tiles *uint8, count, size int, list *int32, n int, from, to *uint8)
	chainTile  tile[float64]
	chainTail  tile[float64] // like tail
}

// tile computes a part of a product: rows×columns entries of c from k coordinates of a, by rows, and a panel b.
// add tells whether c holds the sum over the coordinates before.
type tile[T float32 | float64] struct {
	rows, columns int
	multiply      func(k int, a *T, lda int, b *T, c *T, ldc int, add bool)
}

var available = usable()

// Best returns the fastest kernel of this processor.
func Best() *Kernel { return available[0] }

// All returns every kernel that runs on this processor, fastest first.
func All() []*Kernel { return append([]*Kernel(nil), available...) }

// Name returns the instruction set: avx512, avx2 or portable.
func (k *Kernel) Name() string { return k.name }

// RoundingBound returns η such that every entry c of Multiply, and the entry c' that exact arithmetic gives for the
// float64 vectors a and b that were rounded to float32, satisfy |c-c'| <= η ‖a‖₂‖b‖₂ for p coordinates when nothing
// underflows or overflows. A product passes through at most min(p,64)+1 roundings in its chunk and one per chunk, and
// its factors were rounded once each (Higham 2002, Lemma 3.1, with the Cauchy-Schwarz inequality).
func RoundingBound(p int) float64 {
	const unit = 0x1p-24
	roundings := float64(min(p, chunk) + 1 + (p+chunk-1)/chunk + 2)
	return roundings * unit / (1 - roundings*unit)
}

// SumBound returns a bound on the relative error of the sum that Excess takes
// over a row of the given length, the subtraction of the floor included.
func (k *Kernel) SumBound(length int) float64 {
	const unit = 0x1p-24
	roundings := float64(length/k.lanes + 8) // along a lane, between at most 32 lanes, one subtraction
	return roundings * unit / (1 - roundings*unit)
}

// Excess returns sum_j max(0, row[j] + e weight[j] - floor[j]), rounded in any
// order. The length must be a positive multiple of ColumnMultiple. What follows
// next is fetched into the cache on the way; it is where the next call will read.
func (k *Kernel) Excess(row []Half, floor, weight []float32, e float32, next *Half) float32 {
	checkRow(len(row), len(floor), len(weight))
	return k.excess(&row[0], &floor[0], &weight[0], len(row), e, next)
}

// Above sets bit j%64 of mask[j/64] to whether row[j] + e weight[j] > floor[j], and the bits of the last
// word beyond the row to 0. Length and next are as for Excess.
func (k *Kernel) Above(mask []uint64, row []Half, floor, weight []float32, e float32, next *Half) {
	checkRow(len(row), len(floor), len(weight))
	mask[(len(row)-1)/64] = 0 // which panics where the mask is too short
	k.above(&mask[0], &row[0], &floor[0], &weight[0], len(row), e, next)
}

// Recount goes through the counts from a place on that are above most. It sets each to the number of bits that its
// mask has in common with open, and stops where this is above most: there, or at the end. renewed is how many it set.
// The number of counts is a multiple of CountMultiple; mask i begins at word i len(open), a multiple of
// MaskMultiple/64. It panics where these do not fit.
func (k *Kernel) Recount(counts []int32, from int, masks, open []uint64, most int32) (at, renewed int) {
	n := len(counts)
	if n%CountMultiple != 0 || from < 0 || from > n || len(open)%(MaskMultiple/64) != 0 || len(masks) != n*len(open) {
		panic(fmt.Sprintf("kernel: %d counts from %d on, %d words of masks of %d", n, from, len(masks), len(open)))
	}
	if from == n {
		return n, 0
	}
	return k.recount(&counts[0], from, n, &masks[0], &open[0], len(open), most)
}

// Halve sets dst[i] to the least half-precision number that is not below src[i], for magnitudes of at most [MaxHalf].
// The length must be a positive multiple of ColumnMultiple.
func (k *Kernel) Halve(dst []Half, src []float32) {
	checkRow(len(dst), len(src), len(src))
	k.halve(&dst[0], &src[0], len(dst))
}

func checkRow(row, floor, weight int) {
	if row%ColumnMultiple != 0 || floor != row || weight != row {
		panic(fmt.Sprintf("kernel: row of length %d with floor %d and weight %d", row, floor, weight))
	}
}

// Narrow sets dst[i] to float32(scale src[i]), raises largest[i] to |src[i]| and returns sum_i (scale src[i])²,
// rounded in any order.
func (k *Kernel) Narrow(dst []float32, src []float64, scale float64, largest []float64) float64 {
	dst, largest = dst[:len(src)], largest[:len(src)]
	whole := len(src) / k.narrowStep * k.narrowStep
	squares := 0.0
	if whole > 0 {
		squares = k.narrow(&dst[0], &src[0], whole, scale, &largest[0])
	}
	if whole < len(src) {
		squares += narrowPortable(&dst[whole], &src[whole], len(src)-whole, scale, &largest[whole])
	}
	return squares
}

const (
	// chained is how many alignments are computed side by side.
	chained = 8
	// fetchedAhead is how many bytes before they are needed, at least, rows that follow each other are fetched:
	// enough to hide how long memory takes.
	fetchedAhead = 16 << 10
	// fetched is the length up to which such rows are fetched: so many stay in the second level of cache twice.
	fetched = 4096
)

// Alignments sets dst[i] to the alignment <d,s> in float64, where s is row columns[i] of the matrix t with len(d)
// columns. Every alignment is a chain of fused multiply-adds in the order of the coordinates, so all kernels return the
// same bits.
func (k *Kernel) Alignments(dst []float64, d, t []float64, columns []int32) {
	p, n := len(d), len(columns)
	rows := uint(len(t) / p)
	for _, j := range columns {
		if uint(j) >= rows { // or negative
			panic(fmt.Sprintf("kernel: row %d of %d", j, rows))
		}
	}
	switch dst = dst[:n]; {
	case n == 0:
	case n < chained:
		list, sums := slices.Repeat(columns[n-1:], chained), make([]float64, chained)
		copy(list, columns)
		k.chains(p, &d[0], &t[0], &list[0], 1, &sums[0], 0)
		copy(dst, sums)
	default:
		ahead := 0
		if p <= fetched && int(columns[n-1]-columns[0]) == n-1 {
			ahead = max(fetchedAhead, 8*chained*p)
		}
		k.chains(p, &d[0], &t[0], &columns[0], n/chained, &dst[0], ahead)
		if n%chained > 0 { // those that are left over, and some again
			k.chains(p, &d[0], &t[0], &columns[n-chained], 1, &dst[n-chained], 0)
		}
	}
}

// Positions appends to list the positions of the ones in mask that are below n.
func Positions(list []int32, mask []uint64, n int) []int32 {
	for k, word := range mask {
		for ; word != 0; word &= word - 1 {
			j := 64*k + bits.TrailingZeros64(word)
			if j >= n {
				return list
			}
			list = append(list, int32(j))
		}
	}
	return list
}

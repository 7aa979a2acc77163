package kernel

import "fmt"

const (
	// TileAtoms is how many atoms have their levels side by side: that of atom k with direction j is number
	// TileAtoms j + k of a tile.
	TileAtoms = 64
	// LevelRows is how many rows Quantize takes at a time.
	LevelRows = 16
	// MaxLevel is the highest level.
	MaxLevel = 255
	// levelMargin, in steps, covers the float32 rounding of what is rounded up to a level. Where the level is not 0 or
	// MaxLevel anyway, its terms are below 2^12 in magnitude, so that each of at most four roundings moves it by 2^-13
	// at most.
	levelMargin = 0x1p-10
)

// Quantize rounds alignments up to levels, whole numbers of steps from 0 to MaxLevel. For LevelRows rows, stride apart,
// it sets
//
//	tile[TileAtoms j + k] = min(MaxLevel, max(0, ⌈perStep rows[k stride + j] + e[k] weight[j]⌉)),
//
// or one more, and raises top[k] to the largest level of row k. e[k] weight[j] must be from 0 to 16 MaxLevel.
// len(weight) must be a positive multiple of ColumnMultiple. It panics where the lengths do not fit. Tiles of 256
// columns at a time stay in the first level of cache until all their rows are there.
func (k *Kernel) Quantize(tile []uint8, rows []float32, stride int, weight, e []float32, perStep float32, top []uint8) {
	n := len(weight)
	if n%ColumnMultiple != 0 || stride < n || len(e) != LevelRows || len(top) != LevelRows ||
		len(tile) < TileAtoms*(n-1)+LevelRows || len(rows) < (LevelRows-1)*stride+n {
		panic(fmt.Sprintf("kernel: %d columns of rows %d apart, %d alignments, %d levels, %d errors", n, stride, len(rows), len(tile), len(e)))
	}
	largest := make([]uint8, LevelRows)
	k.quantize(&tile[0], &rows[0], stride, n, &weight[0], &e[0], perStep, levelMargin, &largest[0])
	for i, level := range largest {
		top[i] = max(top[i], level)
	}
}

// Cover adds to each of the sums what its atom has of levels between two floors, over the listed directions:
//
//	sum_{j in list} max(0, min(level[j], to[j]) - from[j]).
//
// The tiles follow each other, one for TileAtoms sums, each of len(from) = len(to) directions. The list may
// be in any order; a direction that it has twice counts twice. It panics where the lengths do not fit, or for a
// direction outside.
func (k *Kernel) Cover(sums []uint32, tiles []uint8, list []int32, from, to []uint8) {
	count, size, n := len(sums)/TileAtoms, TileAtoms*len(from), len(list)
	if len(sums)%TileAtoms != 0 || len(tiles) != count*size || len(to) != len(from) {
		panic(fmt.Sprintf("kernel: %d sums, %d levels, floors of %d and %d directions", len(sums), len(tiles), len(from), len(to)))
	}
	for _, j := range list {
		if uint(j) >= uint(len(from)) { // or negative
			panic(fmt.Sprintf("kernel: direction %d of %d", j, len(from)))
		}
	}
	if count == 0 || n == 0 {
		return
	}
	k.cover(&sums[0], &tiles[0], count, size, &list[0], n, &from[0], &to[0])
}

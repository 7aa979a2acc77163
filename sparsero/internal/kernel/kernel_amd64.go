package kernel

// The assembly behind this file: tiles of products, and the loops over rows and masks. Lengths must be positive
// multiples of what one turn of a loop takes.

//go:noescape
func tileAVX512(k int, a *float32, lda int, b *float32, c *float32, ldc int, add bool)

//go:noescape
func excessAVX512(row *Half, floor, weight *float32, n int, e float32, next *Half) float32

//go:noescape
func aboveAVX512(mask *uint64, row *Half, floor, weight *float32, n int, e float32, next *Half)

//go:noescape
func halveAVX512(dst *Half, src *float32, n int)

//go:noescape
func narrowAVX512(dst *float32, src *float64, n int, scale float64, largest *float64) float64

//go:noescape
func quantizeAVX512(tile *uint8, rows *float32, stride, n int, weight, e *float32, perStep, margin float32, top *uint8)

//go:noescape
func coverAVX512(sums *uint32, tiles *uint8, count, size int, list *int32, n int, from, to *uint8)

//go:noescape
func tileAVX2(k int, a *float32, lda int, b *float32, c *float32, ldc int, add bool)

//go:noescape
func excessAVX2(row *Half, floor, weight *float32, n int, e float32, next *Half) float32

//go:noescape
func aboveAVX2(mask *uint64, row *Half, floor, weight *float32, n int, e float32, next *Half)

//go:noescape
func recountAVX2(counts *int32, from, n int, masks, open *uint64, words int, most int32) (at, renewed int)

//go:noescape
func halveAVX2(dst *Half, src *float32, n int)

//go:noescape
func narrowAVX2(dst *float32, src *float64, n int, scale float64, largest *float64) float64

//go:noescape
func quantizeAVX2(tile *uint8, rows *float32, stride, n int, weight, e *float32, perStep, margin float32, top *uint8)

//go:noescape
func coverAVX2(sums *uint32, tiles *uint8, count, size int, list *int32, n int, from, to *uint8)

//go:noescape
func chainTileAVX512(k int, a *float64, lda int, b *float64, c *float64, ldc int, add bool)

//go:noescape
func chainTileAVX2(k int, a *float64, lda int, b *float64, c *float64, ldc int, add bool)

//go:noescape
func chainsFMA(k int, d, t *float64, columns *int32, groups int, sums *float64, ahead int)

// usable lists the kernels of this processor, fastest first.
func usable() []*Kernel {
	avx2, avx512 := vectorUnits()
	var kernels []*Kernel
	if avx512 {
		kernels = append(kernels, &Kernel{
			name: "avx512", narrowStep: 16, lanes: 32,
			tile: tile[float32]{12, 32, tileAVX512}, tail: tile[float32]{6, 16, tileAVX2},
			chainTile: tile[float64]{12, 16, chainTileAVX512}, chainTail: tile[float64]{6, 8, chainTileAVX2},
			excess: excessAVX512, above: aboveAVX512, recount: recountAVX2,
			halve: halveAVX512, narrow: narrowAVX512, chains: chainsFMA,
			quantize: quantizeAVX512, cover: coverAVX512,
		})
	}
	if avx2 {
		kernels = append(kernels, &Kernel{
			name: "avx2", narrowStep: 8, lanes: 16,
			tile: tile[float32]{6, 16, tileAVX2}, chainTile: tile[float64]{6, 8, chainTileAVX2},
			excess: excessAVX2, above: aboveAVX2, recount: recountAVX2,
			halve: halveAVX2, narrow: narrowAVX2, chains: chainsFMA,
			quantize: quantizeAVX2, cover: coverAVX2,
		})
	}
	return append(kernels, portable)
}

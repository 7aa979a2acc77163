package kernel

// The tile of Multiply and the loop of Cover in NEON, which every arm64 processor has. The other loops are those of the
// portable kernel.

//go:noescape
func tileNEON(k int, a *float32, lda int, b *float32, c *float32, ldc int, add bool)

//go:noescape
func coverNEON(sums *uint32, tiles *uint8, count, size int, list *int32, n int, from, to *uint8)

// usable lists the kernels of this processor, fastest first.
func usable() []*Kernel {
	neon := *portable
	neon.name, neon.tile, neon.cover = "neon", tile[float32]{6, 16, tileNEON}, coverNEON
	return []*Kernel{&neon, portable}
}

package kernel

// The tile of Multiply in NEON, which every arm64 processor has. The loops over
// one row are those of the portable kernel.

//go:noescape
func tileNEON(k int, a *float32, lda int, b *float32, c *float32, ldc int, add bool)

// usable lists the kernels of this processor, fastest first.
func usable() []*Kernel {
	neon := *portable
	neon.name, neon.tile = "neon", tile[float32]{6, 16, tileNEON}
	return []*Kernel{&neon, portable}
}

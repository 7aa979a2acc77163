package sparsero

import (
	"context"
	"runtime"

	"github.com/sparsero/directions/sparsero/internal/kernel"
	"github.com/sparsero/directions/sparsero/internal/parallel"
)

// Alignments returns ⟨d_i,s⟩ for every atom, in dst if that has room for N numbers. It costs O(Np) on
// all cores. An alignment is a chain of fused multiply-adds over the coordinates in their order, here as
// everywhere in the module, so its bits depend neither on the number of cores nor on the processor. It
// panics if s does not have length p.
func (d *Dictionary) Alignments(dst, s []float64) []float64 {
	d.mustMatch("s", s)
	n, p := d.dims()
	if n == 0 {
		return dst[:0]
	}
	if cap(dst) < n {
		dst = make([]float64, n)
	}
	dst = dst[:n]
	workers := min(runtime.GOMAXPROCS(0), 1+n*p/alignmentWork)
	_ = parallel.Blocks(context.Background(), workers, n, alignmentBlock, func(_, first, last int) error {
		var rows [alignmentBlock]int32
		for k := range last - first {
			rows[k] = int32(k)
		}
		kernel.Best().Alignments(dst[first:last], s, d.atoms.RawMatrix().Data[first*p:last*p], rows[:last-first])
		return nil
	}) // no work here fails, and the context never ends
	return dst
}

const (
	// alignmentBlock is the number of atoms that one call of the kernel takes.
	alignmentBlock = 256
	// alignmentWork is the number of products that outweighs starting a goroutine.
	alignmentWork = 1 << 18
)

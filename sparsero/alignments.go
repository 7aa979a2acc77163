package sparsero

import (
	"runtime"
	"sync"

	"github.com/sparsero/directions/sparsero/internal/kernel"
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
	fill := func(from, to int) {
		var rows [alignmentBlock]int32
		for first := from; first < to; first += alignmentBlock {
			last := min(first+alignmentBlock, to)
			for k := range last - first {
				rows[k] = int32(k)
			}
			kernel.Best().Alignments(dst[first:last], s, d.atoms.RawMatrix().Data[first*p:last*p], rows[:last-first])
		}
	}
	workers := min(runtime.GOMAXPROCS(0), 1+n*p/alignmentWork)
	var group sync.WaitGroup
	for w := 1; w < workers; w++ {
		group.Add(1)
		go func() {
			defer group.Done()
			fill(w*n/workers, (w+1)*n/workers)
		}()
	}
	fill(0, n/workers)
	group.Wait()
	return dst
}

const (
	// alignmentBlock is the number of atoms that one call of the kernel takes.
	alignmentBlock = 256
	// alignmentWork is the number of products that outweighs starting a goroutine.
	alignmentWork = 1 << 18
)

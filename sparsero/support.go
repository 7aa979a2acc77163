package sparsero

import (
	"context"
	"fmt"
	"math"
	"runtime"

	"github.com/sparsero/directions/sparsero/internal/input"
	"github.com/sparsero/directions/sparsero/internal/kernel"
	"github.com/sparsero/directions/sparsero/internal/parallel"
	"github.com/sparsero/directions/sparsero/internal/rank"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Support returns the support of the full dictionary at unit radius,
//
//	M_[N](s) = max(0, max_i <d_i,s>),
//
// in O(Np) time, NaN as for [Dictionary.ActiveAtom]. It panics if s does not have length p.
func (d *Dictionary) Support(s []float64) float64 {
	_, value := d.ActiveAtom(s)
	return value
}

// ActiveAtom returns the lowest index of an atom that attains [Dictionary.Support] in direction s, and the value. When
// every <d_i,s> is negative the null atom is active: the index is [NullAtom] and the value 0. Where the sum of an
// alignment falls below all floats, the value is NaN. It panics if s does not have length p.
func (d *Dictionary) ActiveAtom(s []float64) (index int, value float64) {
	return rank.Active(d.Alignments(nil, s), nil)
}

// Scores returns the N×M matrix of alignments <d_i,s_j> for the M×p matrix whose rows are directions, with the bits of
// [Dictionary.Alignments]. It costs O(NMp) time on all cores and 8NM bytes. It is an error if directions is nil or
// empty, has another number of columns than p, or holds NaN or Inf.
func (d *Dictionary) Scores(directions mat.Matrix) (*mat.Dense, error) {
	if err := input.CheckRows("directions", "direction", directions, d.Dim()); err != nil {
		return nil, fmt.Errorf("sparsero: %w", err)
	}
	m, p := directions.Dims()
	scores := mat.NewDense(d.Size(), m, nil)
	kernel.Scores(scores.RawMatrix().Data, d.atoms.RawMatrix().Data, input.Owned(directions).RawMatrix().Data, p)
	return scores, nil
}

// Pseudometric returns the distance between two directions as the dictionary sees it,
//
//	d_D(s,t) = max_i |<d_i, s-t>|,
//
// in O(Np) time. It is symmetric and obeys the triangle inequality, but is zero between different directions whenever
// the atoms do not span the space. It panics if s or t does not have length p.
func (d *Dictionary) Pseudometric(s, t []float64) float64 {
	d.mustMatch("s", s)
	d.mustMatch("t", t)
	difference := floats.SubTo(make([]float64, len(s)), s, t)
	return floats.Norm(d.Alignments(nil, difference), math.Inf(1))
}

func (d *Dictionary) mustMatch(name string, v []float64) {
	if len(v) != d.Dim() {
		panic(fmt.Sprintf("sparsero: %s has length %d but the atoms have dimension %d", name, len(v), d.Dim()))
	}
}

// Alignments returns ⟨d_i,s⟩ for every atom, in dst if that has room for N numbers. It costs O(Np) on all cores. An
// alignment is a chain of fused multiply-adds over the coordinates in their order, here as everywhere in the module, so
// its bits depend neither on the number of cores nor on the processor. It panics if s does not have length p.
func (d *Dictionary) Alignments(dst, s []float64) []float64 {
	d.mustMatch("s", s)
	n, p := d.dims()
	if n == 0 {
		return dst[:0]
	}
	if cap(dst) < n {
		dst = make([]float64, n)
	}
	if dst = dst[:n]; isZero(s) {
		clear(dst)
		return dst
	}
	workers := min(runtime.GOMAXPROCS(0), 1+n*p/alignmentWork)
	_ = parallel.Blocks(context.Background(), workers, n, alignmentBlock, func(_, first, last int) error {
		kernel.Best().Alignments(dst[first:last], s, d.atoms.RawMatrix().Data[first*p:last*p], blockRows[:last-first])
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

// blockRows are the rows of a block.
var blockRows = rank.Indices[int32](alignmentBlock)

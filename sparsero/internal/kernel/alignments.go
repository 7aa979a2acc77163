package kernel

import (
	"context"
	"runtime"

	"github.com/sparsero/directions/sparsero/internal/parallel"
)

const (
	// blockAtoms is how many atoms are multiplied at a time: a multiple of the rows of every tile, few
	// enough that their alignments stay in the second level of cache.
	blockAtoms = 48
	// atomGap is the distance between atoms, so that those of a tile do not compete for the same sets of the cache.
	atomGap = 8
	// chainDepth is how many coordinates of a panel are used at a time, so that it stays in the first level of cache.
	chainDepth = 256
	// blockDirections is how many directions one goroutine takes at a time.
	blockDirections = 512
)

// Block multiplies atoms with a block of directions in float64. The alignments have the bits of
// [Kernel.Alignments]. It belongs to one goroutine.
type Block struct {
	panels panels[float64]
	stride int       // between atoms
	atoms  []float64 // as many as are multiplied at a time
	values []float64 // their alignments
}

// NewBlock lays out directions of dimension p, one after the other.
func NewBlock(k *Kernel, directions []float64, p int) *Block {
	b := &Block{panels: newPanels(len(directions)/p, p, k.chainTile, k.chainTail, k.chainTile.columns)}
	b.panels.Fill(directions, 0, len(directions)/p)
	b.stride = p + atomGap
	b.atoms, b.values = make([]float64, blockAtoms*b.stride), make([]float64, blockAtoms*b.panels.columns)
	return b
}

// Each calls visit for every i from 0 to n-1, in this order, with the alignments of atom(i), which has p coordinates, with
// all directions. They are valid during the call.
func (b *Block) Each(n int, atom func(i int) []float64, visit func(i int, alignments []float64)) {
	rows, columns := b.panels.tile.rows, b.panels.columns
	for from := 0; from < n; from += blockAtoms {
		count := min(blockAtoms, n-from)
		for i := range count {
			copy(b.atoms[i*b.stride:], atom(from+i))
		}
		multiply(chainDepth, b.values, columns, b.atoms, b.stride, (count+rows-1)/rows*rows, &b.panels)
		for i := range count {
			visit(from+i, b.values[i*columns:][:b.panels.rows:b.panels.rows])
		}
	}
}

// Scores sets scores[i*m+j] to the alignment of atom i with direction j, for m directions of dimension p, on all cores.
func Scores(scores, atoms, directions []float64, p int) {
	m := len(directions) / p
	newGrid(len(atoms)/p, m).run(func(_, from, to, first, last int) {
		atom := func(i int) []float64 { return atoms[(from+i)*p:][:p] }
		NewBlock(Best(), directions[first*p:last*p], p).Each(to-from, atom, func(i int, alignments []float64) {
			copy(scores[(from+i)*m+first:], alignments)
		})
	})
}

// Largest returns max(0, max_{i in chosen} <d_i, s_j>) for m directions s_j, on all cores in O(|chosen| m p). Atoms (N×p)
// and directions (m×p) are stored by rows; their alignments must be numbers.
func Largest(atoms []float64, chosen []int, directions []float64, p int) []float64 {
	m := len(directions) / p
	g := newGrid(len(chosen), m)
	found := make([]float64, g.groups*m)
	g.run(func(group, from, to, first, last int) {
		best := found[group*m+first : group*m+last]
		atom := func(i int) []float64 { return atoms[chosen[from+i]*p:][:p] }
		NewBlock(Best(), directions[first*p:last*p], p).Each(to-from, atom, func(_ int, alignments []float64) {
			for j, v := range alignments {
				if v > best[j] {
					best[j] = v
				}
			}
		})
	})
	largest := found[:m]
	for k, v := range found[m:] {
		if v > largest[k%m] {
			largest[k%m] = v
		}
	}
	return largest
}

// grid divides the product of n atoms and m directions among the cores: blocks of directions, and groups of atoms where
// there are too few blocks.
type grid struct{ n, m, width, groups int }

func newGrid(n, m int) grid {
	g := grid{n: n, m: m, width: min(m, blockDirections)}
	g.groups = max(1, min(runtime.GOMAXPROCS(0)*g.width/m, n/blockAtoms))
	return g
}

// run calls work for every group of atoms from..to-1 with every block of directions first..last-1.
func (g grid) run(work func(group, from, to, first, last int)) {
	blocks := (g.m + g.width - 1) / g.width
	_ = parallel.Blocks(context.Background(), runtime.GOMAXPROCS(0), blocks*g.groups, 1, func(_, task, _ int) error {
		group, first := task%g.groups, task/g.groups*g.width
		work(group, g.n*group/g.groups, g.n*(group+1)/g.groups, first, min(first+g.width, g.m))
		return nil
	}) // no work here fails, and the context never ends
}

package kernel

import (
	"math"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/sparsero/directions/sparsero/internal/rank"
	"pgregory.net/rapid"
)

// Every alignment of a block has the bits of the plain chain, whatever its place.
func TestBlocksHaveTheBitsOfAlignments(t *testing.T) {
	eachKernel(t, func(t *rapid.T, k *Kernel) {
		n, m := rapid.IntRange(1, 2*blockAtoms+5).Draw(t, "N"), rapid.IntRange(1, 40).Draw(t, "M")
		p := rapid.OneOf(rapid.IntRange(1, 20), rapid.IntRange(510, 515), rapid.IntRange(1020, 1030)).Draw(t, "p")
		atoms, directions := drawVector(t, "atoms", n*p), drawVector(t, "directions", m*p)
		want, next := make([]float64, m), 0
		NewBlock(k, directions, p).Each(n, func(i int) []float64 { return atoms[i*p : (i+1)*p] }, func(i int, alignments []float64) {
			if i != next || len(alignments) != m {
				t.Fatalf("visit of atom %d with %d alignments, want atom %d with %d", i, len(alignments), next, m)
			}
			next++
			k.Alignments(want, atoms[i*p:(i+1)*p], directions, rank.Indices[int32](m))
			for j, v := range alignments {
				if math.Float64bits(v) != math.Float64bits(want[j]) {
					t.Fatalf("atom %d, direction %d: %v, want %v", i, j, v, want[j])
				}
			}
		})
		if next != n {
			t.Fatalf("%d of %d atoms were visited", next, n)
		}
	})
}

// TestTilesFillTheirRows: what is multiplied at a time ends where a tile of every kernel ends, none reads or writes
// beyond.
func TestTilesFillTheirRows(t *testing.T) {
	for _, k := range All() {
		for _, rows := range []int{k.chainTile.rows, max(1, k.chainTail.rows)} {
			if blockAtoms%rows != 0 {
				t.Errorf("%s: blocks of %d atoms, tiles of %d", k.Name(), blockAtoms, rows)
			}
		}
		for _, rows := range []int{k.tile.rows, max(1, k.tail.rows)} {
			if RowMultiple%rows != 0 {
				t.Errorf("%s: multiples of %d atoms, tiles of %d", k.Name(), RowMultiple, rows)
			}
		}
	}
}

// Work is divided by blocks of directions, and where these are fewer than the cores by groups of at least a block of atoms.
func TestGridsKeepTheCoresBusy(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	for _, test := range []struct{ n, m, groups, blocks int }{
		{10 * blockAtoms, 3, 4, 1}, {3 * blockAtoms, 3, 3, 1}, {blockAtoms - 1, 3, 1, 1},
		{10 * blockAtoms, 2 * blockDirections, 2, 2}, {10 * blockAtoms, 9 * blockDirections, 1, 9},
	} {
		g := newGrid(test.n, test.m)
		var lock sync.Mutex
		places, tasks := make([]int, test.n*test.m), 0
		g.run(func(_, from, to, first, last int) {
			lock.Lock()
			defer lock.Unlock()
			tasks++
			for i := from; i < to; i++ {
				for j := first; j < last; j++ {
					places[i*test.m+j]++
				}
			}
		})
		if g.groups != test.groups || tasks != test.groups*test.blocks || slices.Min(places) != 1 || slices.Max(places) != 1 {
			t.Errorf("%d×%d: %d groups, %d tasks, each place %d to %d times, want %d groups of %d blocks, once",
				test.n, test.m, g.groups, tasks, slices.Min(places), slices.Max(places), test.groups, test.blocks)
		}
	}
	directions := []float64{1, -1, 2}
	atoms, chosen := make([]float64, 9*blockAtoms), rank.Indices[int](9*blockAtoms)
	for i := range atoms {
		atoms[i] = float64(i - 4) // the largest ones stand at both ends
	}
	if got := Largest(atoms, chosen, directions, 1); !slices.Equal(got, []float64{float64(len(atoms)) - 5, 4, 2 * (float64(len(atoms)) - 5)}) {
		t.Errorf("largest alignments %v", got)
	}
}

// Scores and Largest do not depend on how the work is divided.
func TestScoresAndLargestDoNotDependOnTheGrid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, m, p := rapid.IntRange(1, 300).Draw(t, "N"), rapid.IntRange(1, 2*blockDirections+7).Draw(t, "M"), rapid.IntRange(1, 9).Draw(t, "p")
		atoms, directions := drawVector(t, "atoms", n*p), drawVector(t, "directions", m*p)
		scores, row := make([]float64, n*m), make([]float64, m)
		Scores(scores, atoms, directions, p)
		want := make([]float64, m)
		chosen := rapid.SliceOfNDistinct(rapid.IntRange(0, n-1), 0, n, rapid.ID[int]).Draw(t, "chosen")
		for i := range n {
			Best().Alignments(row, atoms[i*p:(i+1)*p], directions, rank.Indices[int32](m))
			for j, v := range row {
				if scores[i*m+j] != v {
					t.Fatalf("score (%d,%d) is %v, want %v", i, j, scores[i*m+j], v)
				}
				if slices.Contains(chosen, i) {
					want[j] = max(want[j], v)
				}
			}
		}
		for j, v := range Largest(atoms, chosen, directions, p) {
			if v != want[j] {
				t.Fatalf("the largest alignment with direction %d is %v, want %v", j, v, want[j])
			}
		}
	})
}

func BenchmarkLargest(b *testing.B) {
	const n, m, p = 15_000, 500, 512
	atoms, directions := make([]float64, n*p), make([]float64, m*p)
	for i := range atoms {
		atoms[i] = math.Sin(float64(i))
	}
	for i := range directions {
		directions[i] = math.Cos(float64(3 * i))
	}
	for b.Loop() {
		Largest(atoms, rank.Indices[int](n), directions, p)
	}
	reportRate(b, 2*n*m*p)
}

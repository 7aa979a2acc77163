package screen

import (
	"context"
	"math/rand/v2"
	"runtime"
	"testing"
)

// The estimate must not be below what is really allocated, nor far above. On a busy machine one worker may do what was meant for two.
func TestMemoryIsEstimated(t *testing.T) {
	const n, m, p = 60000, 300, 16
	source := rand.New(rand.NewPCG(1, 2))
	atoms, directions := Matrix64{gaussian(source, n, p), p}, gaussian(source, m, p)
	for _, o := range []Options{{Workers: 2}, {Workers: 2, Stream: true}, {Workers: 2, Levels: true}} {
		before := heapInUse()
		s := mustNew(t, atoms, directions, o)
		state := s.NewState()
		search := state.NewSearch()
		for range 3 {
			best, _, err := search.Best(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			state.Add(best)
		}
		used := heapInUse() - before
		estimate := Memory(n, m, p, o)
		if used > estimate || used < estimate/4 {
			t.Errorf("%+v: %d bytes in use, estimated %d", o, used, estimate)
		}
		runtime.KeepAlive(search)
	}
}

// TestMemoryOfAtomsAndDirections: each of many directions takes 16 bytes for each coordinate, and each of many atoms
// twice 32, the numbers of the screen and of a search, two for each direction, and four for each of eight supports. Each of
// two searches holds the alignments of a block of atoms. Levels take a byte for each direction, eight for their sum and
// four for what each search knows of it.
func TestMemoryOfAtomsAndDirections(t *testing.T) {
	const m, n = 10_000_000, 1_000_000
	o := Options{Workers: 1}
	if growth := Memory(2*n, 64, 2, o) - Memory(n, 64, 2, o); growth != (2*32+2*64+4*8)*n {
		t.Errorf("%d atoms take %d bytes", n, growth)
	}
	levels := Options{Workers: 1, Levels: true}
	if growth := Memory(2*n, 64, 2, levels) - Memory(n, 64, 2, levels); growth != (2*32+2*64+4*8+64+8+2*4)*n {
		t.Errorf("%d atoms with levels take %d bytes", n, growth)
	}
	if growth := Memory(1, m, 3, o) - Memory(1, m, 2, o); growth < 16*m || growth > 16.1*m {
		t.Errorf("a coordinate of %d directions takes %d bytes", m, growth)
	}
	if growth, least := Memory(1, 2*m, 2, o)-Memory(1, m, 2, o), 2*4*int64(o.blockSize(m, 2))*m; growth < least {
		t.Errorf("%d directions take %d bytes, less than %d for blocks of alignments in single precision", m, growth, least)
	}
}

func heapInUse() int64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}

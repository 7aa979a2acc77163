package selection

import (
	"context"
	"fmt"

	"github.com/sparsero/directions/sparsero/internal/enum"
	"github.com/sparsero/directions/sparsero/internal/screen"
)

// Storage is the way a [Coverage] holds its alignments. Results do not depend on it.
type Storage int

const (
	// Automatic is Screened, and Streamed where that would not fit into memory.
	Automatic Storage = iota
	// Screened holds upper bounds of the alignments from a product in float32: about
	// 2NM bytes. What they leave open is computed again in float64.
	Screened
	// Streamed holds nothing: bounds are computed again from the atoms, which are
	// read several times, whenever they are needed. About 56N bytes.
	Streamed
)

// String returns the name of the storage.
func (s Storage) String() string { return enum.Name(s, "automatic", "screened", "streamed") }

// CoverageOptions tunes [NewCoverage]. Nil and the zero value work.
type CoverageOptions struct {
	Storage     Storage         // how the alignments are held; default Automatic
	Workers     int             // number of goroutines, which no result depends on; default 0, GOMAXPROCS
	MemoryLimit int64           // bytes for the alignments and a selection, the atoms not counted; default 0, what the machine has available
	Context     context.Context // ends the computation of the alignments when it ends; default context.Background()
}

// context returns the context in use.
func (o *CoverageOptions) context() context.Context {
	if o.Context == nil {
		return context.Background()
	}
	return o.Context
}

func (o *CoverageOptions) screen(s Storage) screen.Options {
	return screen.Options{Workers: o.Workers, Stream: s == Streamed}
}

// choose returns the storage to use, or why none fits.
func (o *CoverageOptions) choose(n, m, p int) (Storage, error) {
	switch {
	case o.MemoryLimit < 0:
		return 0, fmt.Errorf("selection: the memory limit is %d bytes; use 0 for what is available", o.MemoryLimit)
	case o.Workers < 0:
		return 0, fmt.Errorf("selection: %d workers; use 0 for one on each processor", o.Workers)
	case o.Storage < Automatic || o.Storage > Streamed:
		return 0, fmt.Errorf("selection: unknown storage %v; use Automatic, Screened or Streamed", o.Storage)
	}
	limit := o.MemoryLimit
	if limit == 0 {
		limit = availableMemory()
	}
	storage := o.Storage
	if storage == Automatic {
		if storage = Screened; o.memory(n, m, p, Screened) > limit {
			storage = Streamed
		}
	}
	if need := o.memory(n, m, p, storage); need > limit {
		return 0, &MemoryError{Atoms: n, Directions: m, Storage: storage, Need: need, Available: limit, Streamed: o.memory(n, m, p, Streamed)}
	}
	return storage, nil
}

func (o *CoverageOptions) memory(n, m, p int, s Storage) int64 {
	return screen.Memory(n, m, p, o.screen(s))
}

package selection

import (
	"context"
	"fmt"

	"github.com/sparsero/directions/sparsero/internal/screen"
)

// Storage is the way a [Coverage] holds its alignments. Results do not depend on it.
type Storage int

const (
	// Automatic is Dense for up to a million alignments, else Screened, and Streamed
	// where that would not fit into memory.
	Automatic Storage = iota
	// Dense holds all alignments in float64: about 10NM bytes.
	Dense
	// Screened holds upper bounds of the alignments from a product in float32: about
	// 2NM bytes. What they leave open is computed again in float64.
	Screened
	// Streamed holds nothing: bounds are computed again from the atoms, which are
	// read several times, whenever they are needed. About 56N bytes.
	Streamed
)

// String returns the name of the storage.
func (s Storage) String() string {
	switch s {
	case Automatic:
		return "automatic"
	case Dense:
		return "dense"
	case Screened:
		return "screened"
	case Streamed:
		return "streamed"
	}
	return fmt.Sprintf("Storage(%d)", int(s))
}

// denseCells is the largest number of alignments that Automatic holds in float64.
const denseCells = 1 << 20

// CoverageOption tunes [NewCoverage].
type CoverageOption func(*coverageOptions)

type coverageOptions struct {
	context     context.Context
	storage     Storage
	workers     int
	memoryLimit int64
}

// WithStorage says how the alignments are held. Default Automatic.
func WithStorage(s Storage) CoverageOption { return func(o *coverageOptions) { o.storage = s } }

// WithWorkers sets the number of goroutines. Results do not depend on it. Default 0,
// GOMAXPROCS.
func WithWorkers(n int) CoverageOption { return func(o *coverageOptions) { o.workers = n } }

// WithMemoryLimit sets how many bytes the alignments and a selection may take, the atoms
// not counted. Default 0, what the machine has available.
func WithMemoryLimit(bytes int64) CoverageOption {
	return func(o *coverageOptions) { o.memoryLimit = bytes }
}

// WithContext ends the computation of the alignments when the context ends. Default
// context.Background().
func WithContext(ctx context.Context) CoverageOption {
	return func(o *coverageOptions) { o.context = ctx }
}

func collect(options []CoverageOption) coverageOptions {
	o := coverageOptions{context: context.Background()}
	for _, option := range options {
		if option != nil {
			option(&o)
		}
	}
	return o
}

func (o *coverageOptions) screen(s Storage) screen.Options {
	return screen.Options{Workers: o.workers, Dense: s == Dense, Stream: s == Streamed}
}

// choose returns the storage to use, or why none fits.
func (o *coverageOptions) choose(n, m, p int) (Storage, error) {
	switch {
	case o.context == nil:
		return 0, fmt.Errorf("selection: the context is nil; use context.Background()")
	case o.memoryLimit < 0:
		return 0, fmt.Errorf("selection: the memory limit is %d bytes; use 0 for what is available", o.memoryLimit)
	case o.workers < 0:
		return 0, fmt.Errorf("selection: %d workers; use 0 for one on each processor", o.workers)
	case o.storage < Automatic || o.storage > Streamed:
		return 0, fmt.Errorf("selection: unknown storage %v; use Automatic, Dense, Screened or Streamed", o.storage)
	}
	limit := o.memoryLimit
	if limit == 0 {
		limit = availableMemory()
	}
	storage := o.storage
	if storage == Automatic {
		switch {
		case n <= denseCells/m && o.memory(n, m, p, Dense) <= limit:
			storage = Dense
		case o.memory(n, m, p, Screened) <= limit:
			storage = Screened
		default:
			storage = Streamed
		}
	}
	if need := o.memory(n, m, p, storage); need > limit {
		return 0, &MemoryError{Atoms: n, Directions: m, Storage: storage, Need: need, Available: limit, Streamed: o.memory(n, m, p, Streamed)}
	}
	return storage, nil
}

func (o *coverageOptions) memory(n, m, p int, s Storage) int64 {
	return screen.Memory(n, m, p, o.screen(s))
}

package selection

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/sparsero/directions/sparsero/internal/enum"
	"github.com/sparsero/directions/sparsero/internal/screen"
)

// Storage is the way a [Coverage] holds its alignments. Results do not depend on it.
type Storage int

const (
	// automatic is Screened, and Streamed where that would not fit into memory.
	automatic Storage = iota
	// Screened holds upper bounds of the alignments from a product in float32: about 2NM bytes, or 3NM where NM exceeds
	// four million. What they leave open is computed again in float64.
	Screened
	// Streamed holds nothing: bounds are computed again from the atoms, which are
	// read several times, whenever they are needed. About 96N bytes.
	Streamed
)

// String returns the name of the storage.
func (s Storage) String() string { return enum.Name(s, "automatic", "screened", "streamed") }

// CoverageOptions tunes [NewCoverage]. Nil and the zero value work.
type CoverageOptions struct {
	Storage     Storage         // how the alignments are held; default automatic
	Workers     int             // number of goroutines, which no result depends on; default 0, GOMAXPROCS
	MemoryLimit int64           // bytes for the alignments and a selection, the atoms not counted; default 0, what the machine has available
	Context     context.Context // ends the computation of the alignments when it ends; default context.Background()
}

func (o *CoverageOptions) screen(n, m int, s Storage) screen.Options {
	return screen.Options{Workers: o.Workers, Stream: s == Streamed, Levels: many(n, m)}
}

// choose returns the storage to use, or why none fits.
func (o *CoverageOptions) choose(n, m, p int) (Storage, error) {
	switch {
	case o.MemoryLimit < 0:
		return 0, fmt.Errorf("selection: the memory limit is %d bytes; use 0 for what is available", o.MemoryLimit)
	case o.Workers < 0:
		return 0, fmt.Errorf("selection: %d workers; use 0 for one on each processor", o.Workers)
	case o.Storage < automatic || o.Storage > Streamed:
		return 0, fmt.Errorf("selection: unknown storage %v; use Screened or Streamed, or leave it out", o.Storage)
	}
	limit := o.MemoryLimit
	if limit == 0 {
		limit = availableMemory("")
	}
	storage := o.Storage
	if storage == automatic {
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
	return screen.Memory(n, m, p, o.screen(n, m, s))
}

// Memory is an estimate, in bytes, of what [NewCoverage] and one selection take besides the atoms.
type Memory struct{ Screened, Streamed int64 }

// EstimateMemory estimates the memory for n atoms of dimension p and m probe directions with each [Storage]; of the
// options (nil for the defaults) it looks at the workers alone. It is zero where a size is below 1.
func EstimateMemory(n, m, p int, options *CoverageOptions) Memory {
	if min(n, m, p) < 1 {
		return Memory{}
	}
	options = cmp.Or(options, &CoverageOptions{})
	return Memory{options.memory(n, m, p, Screened), options.memory(n, m, p, Streamed)}
}

// MemoryError says that a selection was refused because it would not fit.
type MemoryError struct {
	Atoms, Directions int
	Storage           Storage // the one that does not fit
	Need              int64   // estimate in bytes
	Available         int64   // bytes that may be used
	Streamed          int64   // estimate for Streamed
}

// Error names what is needed, what there is, and streaming.
func (e *MemoryError) Error() string {
	text := fmt.Sprintf("selection: %d atoms with %d directions need %s (%v) but %s may be used; ",
		e.Atoms, e.Directions, amount(e.Need), e.Storage, amount(e.Available))
	switch {
	case e.Storage == Streamed:
		return text + "use fewer directions or atoms, or raise MemoryLimit"
	case e.Streamed <= e.Available:
		return text + "set Storage to Streamed, which needs " + amount(e.Streamed) + " and more time, or raise MemoryLimit"
	}
	return text + "even Streamed needs " + amount(e.Streamed) + "; use fewer directions or atoms, or raise MemoryLimit"
}

// amount writes bytes in the unit that leaves at least two digits.
func amount(bytes int64) string {
	if bytes < 100e6 {
		return fmt.Sprintf("%.1f MB", float64(bytes)/1e6)
	}
	return fmt.Sprintf("%.2f GB", float64(bytes)/1e9)
}

// availableMemory returns how many bytes this process may still allocate: what the machine and the control group leave,
// whose files begin with root. Where a system does not tell, that part is no limit.
func availableMemory(root string) int64 {
	available := int64(math.MaxInt64)
	if free, ok := number(root+"/proc/meminfo", "MemAvailable:"); ok {
		available = 1024 * free
	}
	if limit, ok := number(root+"/sys/fs/cgroup/memory.max", ""); ok {
		used, _ := number(root+"/sys/fs/cgroup/memory.current", "")
		cached, _ := number(root+"/sys/fs/cgroup/memory.stat", "inactive_file ")
		available = min(available, limit-used+cached)
	}
	return max(available, 0)
}

// number reads the number after the name that begins a line of a file.
func number(path, name string) (value int64, ok bool) {
	text, _ := os.ReadFile(path) // no file has no number
	for line := range strings.Lines(string(text)) {
		if digits, found := strings.CutPrefix(line, name); found {
			value, err := strconv.ParseInt(strings.Trim(digits, " kB\n"), 10, 64)
			return value, err == nil
		}
	}
	return 0, false
}

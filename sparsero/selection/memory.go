package selection

import (
	"bufio"
	"bytes"
	"fmt"
	"math"
	"os"
	"strconv"
)

// Memory is an estimate, in bytes, of what [NewCoverage] and one selection take
// besides the atoms.
type Memory struct{ Screened, Streamed int64 }

// EstimateMemory estimates the memory for n atoms of dimension p and m probe
// directions with each [Storage]; of the options (nil for the defaults) it looks at the workers alone. It is
// zero where a size is below 1.
func EstimateMemory(n, m, p int, options *CoverageOptions) Memory {
	if min(n, m, p) < 1 {
		return Memory{}
	}
	if options == nil {
		options = &CoverageOptions{}
	}
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

// availableMemory returns how many bytes this process may still allocate: what the
// machine and the control group leave. Where a system does
// not tell, that part is no limit.
func availableMemory() int64 {
	available := int64(math.MaxInt64)
	if free, ok := entry("/proc/meminfo", "MemAvailable:"); ok {
		available = min(available, 1024*free)
	}
	if limit, ok := number("/sys/fs/cgroup/memory.max"); ok {
		if used, ok := number("/sys/fs/cgroup/memory.current"); ok {
			cached, _ := entry("/sys/fs/cgroup/memory.stat", "inactive_file")
			available = min(available, limit-used+cached)
		}
	}
	return max(available, 0)
}

// number reads a file that holds one number.
func number(path string) (int64, bool) {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, false
	}
	value, err := strconv.ParseInt(string(bytes.TrimSpace(text)), 10, 64)
	return value, err == nil
}

// entry reads the number after a name in a file with one name per line.
func entry(path, name string) (int64, bool) {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, false
	}
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		if fields := bytes.Fields(lines.Bytes()); len(fields) >= 2 && string(fields[0]) == name {
			value, err := strconv.ParseInt(string(fields[1]), 10, 64)
			return value, err == nil
		}
	}
	return 0, false
}

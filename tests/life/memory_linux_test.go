package life

import (
	"bytes"
	"context"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"testing"

	"github.com/sparsero/directions/solver"
)

const (
	// warmUp solves come before the first measurement, so that pools and arenas have their size.
	warmUp = 5_000
	// solves is the number of solves between the measurements.
	solves = 50_000
	// growth is what the resident memory may grow by, in bytes: 40 for each solve would be a leak of any structure.
	growth = 2 << 20
	// rounds is the number of measurements that have to agree. A leak grows in each of them. HiGHS and the allocator of C
	// keep some megabytes for each thread of the system that calls them, a round can be the first in which one does, and
	// a machine with other work to do moves solves to more of them; but there are fewer such threads than rounds.
	rounds = 20
)

// memoryBackends are the backends whose memory is watched; with cgo there is HiGHS too, whose memory only the process
// knows of.
var memoryBackends = map[string]solver.Backend{"dual simplex": solver.DualSimplex}

// TestSolvesDoNotGrowTheMemory solves a small model again and again, from scratch and in a session.
func TestSolvesDoNotGrowTheMemory(t *testing.T) {
	if os.Getenv("DIRECTIONS_LONG") == "" {
		t.Skip("solves 50,000 programs with each backend: set DIRECTIONS_LONG=1 or run make test-long")
	}
	for name, backend := range memoryBackends {
		t.Run(name, func(t *testing.T) {
			m, options := newRegion(), &solver.Options{Backend: backend}
			session := must(solver.Open(m, options))(t)
			repeat := func(count int) {
				for k := range count {
					if k%2 == 0 {
						must(solver.Solve(context.Background(), m, options))(t)
						continue
					}
					m.SetCost(0, -1-0.1*float64(k%7))
					must(session.Solve(context.Background()))(t)
				}
			}
			repeat(warmUp)
			var left, heapLeft int64
			for range rounds {
				before, heapBefore := resident(t), heap()
				repeat(solves)
				left, heapLeft = resident(t)-before, heap()-heapBefore
				t.Logf("%d solves left %.1f MB of %.1f MB resident, %.2f MB in the heap of Go", solves, mega(left), mega(before), mega(heapLeft))
				if left <= growth && heapLeft <= growth {
					return
				}
			}
			t.Errorf("in each of %d rounds, %d solves left more than %.1f MB: in the last %.1f MB resident, %.1f MB in the heap of Go", rounds, solves, mega(growth), mega(left), mega(heapLeft))
		})
	}
}

func mega(bytes int64) float64 { return float64(bytes) / (1 << 20) }

// heap returns the bytes that Go still needs.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// resident returns the memory that the process holds, once Go has given back what it does not need.
func resident(t *testing.T) int64 {
	debug.FreeOSMemory()
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Fatal(err)
	}
	pages, err := strconv.ParseInt(string(bytes.Fields(text)[1]), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return pages * int64(os.Getpagesize())
}

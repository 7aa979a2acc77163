//go:build unix

package compare

import (
	"context"
	"runtime"
	"runtime/debug"
	"syscall"
	"testing"

	"github.com/sparsero/directions/sparsero/selection"
)

// growth is what one process measures for a number of atoms.
type growth struct {
	Storage string
	Calls   int // gains that greedy bounded
	// First is scores and greedy in memory that the process has not touched before, Again the same in memory that it has,
	// and Bounds that with the bounds of greedy.
	First, Again, Bounds cost
}

// cost is the processor time that some work took, in seconds, of it in the system, which handed out so many pages. Time on the clock
// would tell about the neighbours on a shared machine.
type cost struct {
	Processor, System float64
	Faults            int64
}

func usage(b *testing.B) cost {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return cost{float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9, float64(u.Stime.Nano()) / 1e9, int64(u.Minflt)}
}

// BenchmarkGrowth computes the alignments and runs greedy, at first in memory that the system has yet to hand out.
func BenchmarkGrowth(b *testing.B) {
	t, g := readTask(b), growth{}
	atoms, directions := t.dictionary(b), t.array(b, "directions", t.Directions)
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	choose := func(rule selection.Greedy) cost {
		before := usage(b)
		c, err := selection.NewCoverage(atoms, directions, nil)
		if err != nil {
			b.Fatal(err)
		}
		s, err := rule.Select(context.Background(), c, t.Budget)
		if err != nil {
			b.Fatal(err)
		}
		after := usage(b)
		g.Storage, g.Calls = c.Storage().String(), s.OracleCalls[s.Len()-1]
		return cost{after.Processor - before.Processor, after.System - before.System, after.Faults - before.Faults}
	}
	t.measure(b, func() (any, error) {
		debug.FreeOSMemory() // what reading left behind
		g.First = choose(selection.Greedy{SkipBounds: true})
		runtime.GC()
		g.Again = choose(selection.Greedy{SkipBounds: true})
		runtime.GC()
		g.Bounds = choose(selection.Greedy{})
		return g, nil
	})
}

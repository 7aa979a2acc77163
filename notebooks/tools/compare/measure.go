package compare

import (
	"context"
	"math"
	"runtime"
	"slices"
	"time"
)

// pause lets the threads of the other side fall asleep: those of OpenBLAS spin for
// about 30 milliseconds after a product.
const pause = 60 * time.Millisecond

const (
	// warmUp is how many seconds a side works before it is timed, and how many it is
	// timed at least. For so long a processor that has slept is slower, by a quarter
	// where this was measured, and fetches what the other side drove out of its caches.
	warmUp = 0.1
	// lasting is how many seconds a workload takes to which that makes no difference.
	lasting = 1
)

// side runs a workload once and returns the seconds it took.
type side func() (seconds float64, err error)

// ours makes a side of a function of this module.
func ours(work func() error) side {
	return func() (float64, error) {
		begin := time.Now()
		err := work()
		return time.Since(begin).Seconds(), err
	}
}

// times are the seconds of the repetitions of one side.
type times []float64

func (t times) median() float64 {
	sorted := slices.Sorted(slices.Values(t))
	middle := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[middle]
	}
	return (sorted[middle-1] + sorted[middle]) / 2
}

func (t times) least() float64 {
	if len(t) == 0 {
		return math.NaN()
	}
	return slices.Min(t)
}

// turn runs a side once and returns the seconds it took if that was lasting. Else the
// side warms up and is then timed for as long, and the median of its runs counts.
func turn(run side) (float64, error) {
	first, err := run()
	if err != nil || first >= lasting {
		return first, err
	}
	if _, err := repeat(run, warmUp-first); err != nil {
		return 0, err
	}
	timed, err := repeat(run, warmUp)
	return timed.median(), err
}

// repeat runs a side until it has worked for the given seconds.
func repeat(run side, seconds float64) (taken times, err error) {
	for total := 0.0; total < seconds; {
		last, err := run()
		if err != nil {
			return nil, err
		}
		total += last
		taken = append(taken, last)
	}
	return taken, nil
}

// inTurn runs the sides one after the other, as often as asked.
func inTurn(ctx context.Context, repetitions int, sides ...side) ([]times, error) {
	all := make([]times, len(sides))
	for range repetitions {
		for k, run := range sides {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			timed := run
			if repetitions > 1 { // else nobody asks for the time
				runtime.GC() // neither side pays for what the other left
				time.Sleep(pause)
				timed = func() (float64, error) { return turn(run) }
			}
			seconds, err := timed()
			if err != nil {
				return nil, err
			}
			all[k] = append(all[k], seconds)
		}
	}
	return all, nil
}

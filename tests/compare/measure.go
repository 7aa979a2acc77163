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

// shortest is how many seconds a side works in its turn at least. A workload of a
// millisecond is repeated for so long, else it would be timed while the processor
// wakes up and fetches what the other side drove out of its caches.
const shortest = 0.05

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

// turn runs a side once and returns the seconds it took. If they are fewer than the
// given ones, that run was to warm up: the side runs on until it has worked for so
// long, and the median of these runs counts.
func turn(run side, seconds float64) (float64, error) {
	first, err := run()
	if err != nil || first >= seconds {
		return first, err
	}
	var taken times
	for total := 0.0; total < seconds; {
		last, err := run()
		if err != nil {
			return 0, err
		}
		total += last
		taken = append(taken, last)
	}
	return taken.median(), nil
}

// inTurn runs the sides one after the other, as often as asked.
func inTurn(ctx context.Context, repetitions int, sides ...side) ([]times, error) {
	all := make([]times, len(sides))
	for range repetitions {
		for k, run := range sides {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			atLeast := 0.0
			if repetitions > 1 { // else nobody asks for the time
				runtime.GC() // neither side pays for what the other left
				time.Sleep(pause)
				atLeast = shortest
			}
			seconds, err := turn(run, atLeast)
			if err != nil {
				return nil, err
			}
			all[k] = append(all[k], seconds)
		}
	}
	return all, nil
}

package parallel

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
)

// After an error nothing more is begun, and the error of the first range is the one that comes back.
func TestBlocksStopAtAnError(t *testing.T) {
	for _, workers := range []int{1, 4} {
		var calls atomic.Int64
		err := Blocks(context.Background(), workers, 16000, 16, func(_, first, _ int) error {
			calls.Add(1)
			return fmt.Errorf("range %d", first)
		})
		if err == nil || err.Error() != "range 0" || calls.Load() > int64(workers) {
			t.Errorf("%d workers: %v after %d calls", workers, err, calls.Load())
		}
	}
}

func TestBlocksCoverEveryIndexOnce(t *testing.T) {
	for _, m := range []int{0, 1, 15, 16, 17, 83} {
		for _, workers := range []int{0, 1, 3, 100} {
			counts := make([]int, m)
			if err := Blocks(context.Background(), workers, m, 16, func(_, first, last int) error {
				for j := first; j < last; j++ {
					counts[j]++
				}
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			for j, count := range counts {
				if count != 1 {
					t.Fatalf("m=%d, %d workers: index %d visited %d times", m, workers, j, count)
				}
			}
		}
	}
}

func TestEachCallsEveryIndexOnce(t *testing.T) {
	for _, m := range []int{0, 1, 15, 16, 17, 83} {
		counts := make([]int, m)
		if err := Each(context.Background(), m, func(j int) { counts[j]++ }); err != nil {
			t.Fatal(err)
		}
		for j, count := range counts {
			if count != 1 {
				t.Fatalf("m=%d: index %d visited %d times", m, j, count)
			}
		}
	}
}

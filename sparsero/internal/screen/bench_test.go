package screen

import (
	"context"
	"fmt"
	"testing"

	"github.com/sparsero/directions/sparsero/internal/kernel"
	"github.com/sparsero/directions/sparsero/internal/parallel"
)

// size is a workload: N atoms of dimension p, M probe directions, budget B.
type size struct{ n, m, p, budget int }

func (s size) String() string { return fmt.Sprintf("N=%d,M=%d,p=%d,B=%d", s.n, s.m, s.p, s.budget) }

var sizes = []size{{2000, 801, 2, 32}, {15000, 1000, 512, 50}}

// eachWorkload runs a benchmark on every kind and size of data.
func eachWorkload(b *testing.B, run func(b *testing.B, w size, atoms, directions []float64)) {
	for _, w := range sizes {
		for _, kind := range []string{"isotropic", "clustered"} {
			atoms, directions := benchmarkInstance(b, kind, w.n, w.m, w.p)
			b.Run(kind+"/"+w.String(), func(b *testing.B) { run(b, w, atoms, directions) })
		}
	}
}

// BenchmarkProduct is the float32 product alone, with the factors in float32
// already and a result of 4NM bytes: the yardstick of the benchmarks that follow.
func BenchmarkProduct(b *testing.B) {
	eachWorkload(b, func(b *testing.B, w size, atoms, directions []float64) {
		k := kernel.Best()
		left, right := make([]float32, len(atoms)), make([]float32, len(directions))
		k.Narrow(left, atoms, 1, make([]float64, len(atoms)))
		k.Narrow(right, directions, 1, make([]float64, len(directions)))
		n := w.n / kernel.RowMultiple * kernel.RowMultiple
		workers := Options{}.workers()
		start := processorTime()
		for b.Loop() {
			panels := kernel.NewPanels(k, w.m, w.p)
			panels.Fill(right, 0, w.m)
			stride := panels.Columns() + 16
			c := make([]float32, n*stride)
			err := parallel.Blocks(context.Background(), workers, n, blockRows, func(_, from, to int) error {
				kernel.Multiply(c[from*stride:], stride, left[from*w.p:], w.p, to-from, panels)
				return nil
			})
			if err != nil {
				b.Fatal(err)
			}
		}
		reportProcessorTime(b, start)
	})
}

func BenchmarkScores(b *testing.B) {
	eachWorkload(b, func(b *testing.B, w size, atoms, directions []float64) {
		start := processorTime()
		for b.Loop() {
			mustNew(b, Matrix64{atoms, w.p}, directions, Options{})
		}
		reportProcessorTime(b, start)
	})
}

// BenchmarkGreedy starts from given scores.
func BenchmarkGreedy(b *testing.B) {
	eachWorkload(b, func(b *testing.B, w size, atoms, directions []float64) {
		s := mustNew(b, Matrix64{atoms, w.p}, directions, Options{})
		calls := 0
		start := processorTime()
		for b.Loop() {
			calls = chooseGreedily(b, s, w.budget)
		}
		reportProcessorTime(b, start)
		b.ReportMetric(float64(calls), "bounds")
	})
}

func BenchmarkScoresAndGreedy(b *testing.B) {
	eachWorkload(b, func(b *testing.B, w size, atoms, directions []float64) {
		start := processorTime()
		for b.Loop() {
			chooseGreedily(b, mustNew(b, Matrix64{atoms, w.p}, directions, Options{}), w.budget)
		}
		reportProcessorTime(b, start)
	})
}

// BenchmarkGrowth shows the time of scores and greedy against N.
func BenchmarkGrowth(b *testing.B) {
	const largest, m, p, budget = 200000, 1000, 64, 50
	atoms, directions := benchmarkInstance(b, "clustered", largest, m, p)
	for _, n := range []int{2000, 5000, 10000, 20000, 50000, 100000, largest} {
		b.Run(fmt.Sprintf("N=%d", n), func(b *testing.B) {
			start := processorTime()
			for b.Loop() {
				chooseGreedily(b, mustNew(b, Matrix64{atoms[:n*p], p}, directions, Options{}), budget)
			}
			reportProcessorTime(b, start)
		})
	}
}

func chooseGreedily(b *testing.B, s *Screen, budget int) (calls int) {
	b.Helper()
	state := s.NewState()
	search := state.NewSearch()
	for range budget {
		best, _, err := search.Best(context.Background())
		if err != nil {
			b.Fatal(err)
		}
		state.Add(best)
	}
	return search.Calls()
}

func BenchmarkMaxGap(b *testing.B) {
	eachWorkload(b, func(b *testing.B, w size, atoms, directions []float64) {
		s := mustNew(b, Matrix64{atoms, w.p}, directions, Options{})
		for _, byGain := range []bool{false, true} {
			b.Run(fmt.Sprintf("byGain=%v", byGain), func(b *testing.B) {
				start := processorTime()
				for b.Loop() {
					state := s.NewState()
					search := state.NewGapSearch(byGain)
					for range w.budget {
						best, err := search.Best(context.Background())
						if err != nil {
							b.Fatal(err)
						}
						state.Add(best)
					}
				}
				reportProcessorTime(b, start)
			})
		}
	})
}

// BenchmarkCover is the bisection of the set-cover rule with 20 thresholds.
func BenchmarkCover(b *testing.B) {
	eachWorkload(b, func(b *testing.B, w size, atoms, directions []float64) {
		s := mustNew(b, Matrix64{atoms, w.p}, directions, Options{})
		start := processorTime()
		for b.Loop() {
			search := s.NewCoverSearch()
			lower, upper := 0.0, s.NewState().WorstDeficit()
			for range 20 {
				middle := lower + (upper-lower)/2
				_, ok, err := search.Within(context.Background(), middle, w.budget)
				if err != nil {
					b.Fatal(err)
				}
				if ok {
					upper = middle
				} else {
					lower = middle
				}
			}
		}
		reportProcessorTime(b, start)
	})
}

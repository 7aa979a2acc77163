package sparsero_test

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/sparsero/directions/sparsero"
	"gonum.org/v1/gonum/mat"
)

// Every alignment is one chain of fused multiply-adds, whatever the block, the
// number of cores and the processor.
func TestAlignments(t *testing.T) {
	for _, shape := range [][2]int{{1, 1}, {7, 3}, {256, 5}, {1000, 700}} {
		n, p := shape[0], shape[1]
		atoms, s := gaussian(n, p, 1), gaussian(1, p, 2).RawRowView(0)
		d, err := sparsero.NewDictionary(atoms, nil)
		if err != nil {
			t.Fatal(err)
		}
		var got []float64
		for _, cores := range []int{1, 3} {
			for i := range got {
				got[i] = math.NaN() // what is not computed again must show
			}
			before := runtime.GOMAXPROCS(cores)
			got = d.Alignments(got, s)
			if after := runtime.GOMAXPROCS(before); after != cores {
				t.Errorf("%d cores are %d afterwards", cores, after)
			}
			for i, value := range got {
				want := 0.0
				for k, v := range d.RawRowView(i) {
					want = math.FMA(s[k], v, want)
				}
				if value != want {
					t.Fatalf("N=%d, p=%d, %d cores: alignment %d is %v, want %v", n, p, cores, i, value, want)
				}
			}
		}
	}
}

// With direction 0 every alignment is 0, and nothing is left of what stood there.
func TestAlignmentsInDirectionZero(t *testing.T) {
	d, err := sparsero.NewDictionary(gaussian(5, 2, 1), nil)
	if err != nil {
		t.Fatal(err)
	}
	values := slices.Repeat([]float64{math.NaN()}, 7)
	for i, v := range d.Alignments(values, []float64{0, math.Copysign(0, -1)}) {
		if v != 0 || math.Signbit(v) {
			t.Errorf("alignment %d is %v, want 0", i, v)
		}
	}
	if !math.IsNaN(values[5]) {
		t.Error("alignments are written behind the last atom")
	}
}

func BenchmarkAlignments(b *testing.B) {
	d := benchmarkDictionary(b, 15000, 512)
	s := gaussian(1, 512, 2).RawRowView(0)
	var values []float64
	for b.Loop() {
		values = d.Alignments(values, s)
	}
}

func gaussian(rows, columns int, seed uint64) *mat.Dense {
	source := rand.New(rand.NewPCG(seed, 0))
	m := mat.NewDense(rows, columns, nil)
	m.Apply(func(_, _ int, _ float64) float64 { return source.NormFloat64() }, m)
	return m
}

package screen

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sparsero/directions/sparsero/internal/kernel"
	"pgregory.net/rapid"
)

// drawData draws atoms and directions of one of the kinds above.
func drawData(t *rapid.T, maxAtoms, maxProbes, maxDim int) (atoms, directions []float64, p int) {
	n := rapid.IntRange(1, maxAtoms).Draw(t, "N")
	m := rapid.IntRange(1, maxProbes).Draw(t, "M")
	p = rapid.IntRange(1, maxDim).Draw(t, "p")
	source := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 3))
	kind := rapid.SampledFrom([]string{"gaussian", "clustered", "duplicated", "integers", "nearly tied", "cancelling"}).Draw(t, "kind")
	switch kind {
	case "cancelling":
		atoms, directions = cancelling(source, n, m, p, rapid.SampledFrom([]float64{1e-3, 1e-5, 1e-7}).Draw(t, "size"))
		return atoms, directions, p
	case "clustered":
		all := clustered(source, n+m, p, 5, 0.1)
		return all[:n*p], all[n*p:], p
	case "duplicated":
		return duplicated(source, n, p, 4), gaussian(source, m, p), p
	case "integers":
		return integers(source, n, p, 2), integers(source, m, p, 2), p
	case "nearly tied":
		return nearlyTied(source, n, p, 4), gaussian(source, m, p), p
	}
	return gaussian(source, n, p), gaussian(source, m, p), p
}

func TestGreedyEqualsPlainFloat64(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		atoms, directions, p := drawData(t, 60, 70, 80)
		r := newReference(atoms, directions, p)
		warm := []int{}
		if r.n > 2 && rapid.Bool().Draw(t, "warm") {
			warm = []int{1}
		}
		budget := rapid.IntRange(1, r.n-len(warm)).Draw(t, "budget")
		want := r.greedy(warm, budget)
		for _, o := range everyOptions() {
			s := mustNew(t, Matrix64{atoms, p}, directions, o)
			comparePaths(t, o, screenGreedy(t, s, warm, budget), want)
			for j, value := range s.Full() {
				if value != r.full[j] {
					t.Fatalf("%v: full support %v in direction %d, want %v", o, value, j, r.full[j])
				}
			}
		}
	})
}

// The order of the atoms decides how often the support rises, not what it is.
func TestFullSupportInEveryOrder(t *testing.T) {
	const n, m, p = 2500, 64, 4
	source := rand.New(rand.NewPCG(3, 9))
	for name, length := range map[string]func(i int) float64{
		"growing": func(i int) float64 { return 1 + float64(i)/n },
		"falling": func(i int) float64 { return 2 - float64(i)/n },
		"equal":   func(i int) float64 { return 1 },
		"equal, but the first longer by less than any bound shows": func(i int) float64 { return 1 + 0x1p-50*float64(max(0, 1-i)) },
	} {
		atom, directions := gaussian(source, 1, p), gaussian(source, m, p)
		atoms := make([]float64, 0, n*p)
		for i := range n {
			for _, a := range atom {
				atoms = append(atoms, a*length(i))
			}
		}
		r := newReference(atoms, directions, p)
		for _, o := range everyOptions() {
			s := mustNew(t, Matrix64{atoms, p}, directions, o)
			for j, full := range r.full {
				if s.full[j] != full {
					t.Fatalf("%s, %v: full support %v in direction %d, want %v", name, o, s.full[j], j, full)
				}
			}
		}
	}
}

// What is stored must be what its comment says: an upper bound of the float64
// alignment, and above it by at most twice the tolerance and a step.
func TestStoredAlignmentsAreBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		atoms, directions, p := drawData(t, 30, 40, 200)
		r := newReference(atoms, directions, p)
		for _, k := range kernel.All() {
			s := mustNew(t, Matrix64{atoms, p}, directions, Options{Kernel: k})
			for i := range r.n {
				if gain := r.gain(i, make([]float64, r.m)); s.empty[i] < gain {
					t.Fatalf("%s: bound %v of the gain %v of atom %d", k.Name(), s.empty[i], gain, i)
				}
				for j, value := range r.scores[i] {
					stored := float64(s.scores[i*s.columns+j].Float32())
					tolerance := float64(s.tolerance[i])*float64(s.weight[j]) + underflow
					if above := stored + tolerance - math.Ldexp(value, s.exponent); above < 0 || above > 2*tolerance+0x1p-10*math.Abs(stored)+0x1p-24 {
						t.Fatalf("%s: atom %d, direction %d: stored %v, alignment %v, tolerance %v", k.Name(), i, j, stored, math.Ldexp(value, s.exponent), tolerance)
					}
				}
			}
		}
	})
}

// The scale of the first atoms must not matter for those that follow.
func TestLaterAtomsMayBeMuchLarger(t *testing.T) {
	const n, m, p = 700, 40, 6
	source := rand.New(rand.NewPCG(1, 9))
	atoms, directions := gaussian(source, n, p), gaussian(source, m, p)
	for _, large := range []float64{1e8, 1e30, 0x1p780} { // in the end near 2^900, after atoms near 2^-900
		if large == 0x1p780 {
			for k := range atoms[:n/2*p] {
				atoms[k] *= 0x1p-900
			}
		}
		for i := n / 2; i < n; i++ {
			for k := range p {
				atoms[i*p+k] *= large
			}
		}
		want := newReference(atoms, directions, p).greedy(nil, 20)
		for _, o := range everyOptions() {
			comparePaths(t, o, screenGreedy(t, mustNew(t, Matrix64{atoms, p}, directions, o), nil, 20), want)
		}
	}
}

// Data of any size within the range of float64 are scaled, in both directions.
func TestSizesOfTheData(t *testing.T) {
	const n, m, p = 50, 30, 4
	source := rand.New(rand.NewPCG(2, 9))
	for _, sizes := range [][2]float64{{1e-100, 1e100}, {1e100, 1e100}, {1e-100, 1e-100}, {1e-300, 1e250}, {1e250, 1e-300}, {1e150, 1e140},
		{1e-160, 1e-160}, {1e-200, 1e-200}, {1e-310, 1e300}, {1e-310, 1}, {1, 1e-310}, {0, 1}, {1, 0}} {
		atoms, directions := gaussian(source, n, p), gaussian(source, m, p)
		for k := range atoms {
			atoms[k] *= sizes[0]
		}
		for k := range directions {
			directions[k] *= sizes[1]
		}
		want := newReference(atoms, directions, p).greedy(nil, 10)
		comparePaths(t, sizes, screenGreedy(t, mustNew(t, Matrix64{atoms, p}, directions, Options{}), nil, 10), want)
	}
	atoms, directions := gaussian(source, n, p), gaussian(source, m, p)
	for k := range atoms {
		atoms[k] *= 1e200
	}
	for k := range directions {
		directions[k] *= 1e200
	}
	if _, err := New(context.Background(), Matrix64{atoms, p}, directions, Options{}); !errors.Is(err, ErrRange) {
		t.Fatalf("alignments of 1e400: error %v, want %v", err, ErrRange)
	} // A sum over a million directions may overflow though no alignment does.
	for m, want := range map[int]error{1: nil, 1 << 20: ErrRange} {
		if _, err := New(context.Background(), Matrix64{[]float64{0x1p500}, 1}, slices.Repeat([]float64{0x1p498}, m), Options{}); !errors.Is(err, want) {
			t.Fatalf("%d alignments of 2^998: error %v, want %v", m, err, want)
		}
	} // The norm of a direction may overflow though no coordinate does.
	if _, err := New(context.Background(), Matrix64{atoms, p}, slices.Repeat([]float64{1e308}, p), Options{}); !errors.Is(err, ErrRange) {
		t.Fatalf("a direction of norm 2e308: error %v, want %v", err, ErrRange)
	}
	if _, err := New(context.Background(), Matrix64{atoms, p}, []float64{0, 1, math.Inf(1), 2}, Options{}); err == nil || !strings.Contains(err.Error(), "+Inf at position 2") {
		t.Fatalf("a direction with Inf: error %v", err)
	}
}

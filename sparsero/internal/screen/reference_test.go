package screen

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sparsero/directions/sparsero/internal/kernel"
)

// reference is the plain float64 algorithm, written without regard to speed.
type reference struct {
	n, p, m int
	scores  [][]float64
	full    []float64
}

func newReference(atoms, directions []float64, p int) *reference {
	r := &reference{n: len(atoms) / p, p: p, m: len(directions) / p}
	r.full = make([]float64, r.m)
	for i := range r.n {
		row := make([]float64, r.m)
		for j := range r.m {
			for k := range p {
				row[j] = math.FMA(atoms[i*p+k], directions[j*p+k], row[j])
			}
			r.full[j] = max(r.full[j], row[j])
		}
		r.scores = append(r.scores, row)
	}
	return r
}

func (r *reference) gain(i int, current []float64) float64 {
	var sums [4]float64
	for j, value := range r.scores[i] {
		lane := j % 4
		if j >= r.m/4*4 {
			lane = 0
		}
		sums[lane] += max(0, value-current[j])
	}
	return ((sums[0] + sums[1]) + (sums[2] + sums[3])) / float64(r.m)
}

func (r *reference) raise(i int, current []float64) {
	for j, value := range r.scores[i] {
		current[j] = max(current[j], value)
	}
}

func (r *reference) worst(current []float64) float64 {
	worst := 0.0
	for j, value := range current {
		worst = max(worst, r.full[j]-value)
	}
	return worst
}

// step is what a path reports at one step.
type step struct {
	atom               int
	gain, value, worst float64
}

// greedy evaluates every atom at every step, after the atoms of a warm start.
func (r *reference) greedy(warm []int, budget int) []step {
	current := make([]float64, r.m)
	taken := make([]bool, r.n)
	for _, i := range warm {
		r.raise(i, current)
		taken[i] = true
	}
	var path []step
	for range budget {
		best, bestGain := -1, -1.0
		for i := range r.n {
			if gain := r.gain(i, current); !taken[i] && gain > bestGain {
				best, bestGain = i, gain
			}
		}
		r.raise(best, current)
		taken[best] = true
		path = append(path, step{best, bestGain, Mean(current), r.worst(current)})
	}
	return path
}

// screenGreedy is the same through a screen.
func screenGreedy(t fataler, s *Screen, warm []int, budget int) []step {
	t.Helper()
	state := s.NewState()
	for _, i := range warm {
		state.Add(i)
	}
	search := state.NewSearch()
	var path []step
	for range budget {
		best, gain, err := search.Best(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		state.Add(best)
		path = append(path, step{best, gain, state.Value(), state.WorstDeficit()})
	}
	return path
}

// maxGap looks at every alignment at every step.
func (r *reference) maxGap(warm []int, budget int, byGain bool) []step {
	current := make([]float64, r.m)
	taken := make([]bool, r.n)
	for _, i := range warm {
		r.raise(i, current)
		taken[i] = true
	}
	var path []step
	for range budget {
		best, bestWorst, bestGain := -1, math.Inf(1), 0.0
		for i := range r.n {
			if taken[i] {
				continue
			}
			after := append([]float64(nil), current...)
			r.raise(i, after)
			worst, gain := r.worst(after), r.gain(i, current)
			if worst < bestWorst || worst == bestWorst && byGain && gain > bestGain {
				best, bestWorst, bestGain = i, worst, gain
			}
		}
		gain := r.gain(best, current)
		r.raise(best, current)
		taken[best] = true
		path = append(path, step{best, gain, Mean(current), r.worst(current)})
	}
	return path
}

// screenMaxGap is the same through a screen.
func screenMaxGap(t fataler, s *Screen, warm []int, budget int, byGain bool) []step {
	t.Helper()
	state := s.NewState()
	for _, i := range warm {
		state.Add(i)
	}
	search := state.NewGapSearch(byGain)
	var path []step
	for range budget {
		best, err := search.Best(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		gain := state.Gain(best)
		state.Add(best)
		path = append(path, step{best, gain, state.Value(), state.WorstDeficit()})
	}
	return path
}

// cover runs greedy set cover at threshold tau over all alignments.
func (r *reference) cover(tau float64, budget int) ([]int, bool) {
	open := map[int]bool{}
	for j, full := range r.full {
		if full > tau {
			open[j] = true
		}
	}
	var cover []int
	for len(open) > 0 {
		best, bestCount := -1, 0
		for i, row := range r.scores {
			count := 0
			for j := range open {
				if r.full[j]-row[j] <= tau {
					count++
				}
			}
			if count > bestCount {
				best, bestCount = i, count
			}
		}
		if len(cover) == budget {
			return nil, false
		}
		cover = append(cover, best)
		for j := range open {
			if r.full[j]-r.scores[best][j] <= tau {
				delete(open, j)
			}
		}
	}
	return cover, true
}

// Matrix64 is a dictionary in memory, N rows of p values.
type Matrix64 struct {
	Data []float64
	P    int
}

// Size implements [Source].
func (m Matrix64) Size() int { return len(m.Data) / m.P }

// Dim implements [Source].
func (m Matrix64) Dim() int { return m.P }

// Rows implements [Source] without copying.
func (m Matrix64) Rows(_ []float64, from, to int) ([]float64, error) {
	return m.Data[from*m.P : to*m.P], nil
}

type fataler interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

func mustNew(t fataler, atoms Source, directions []float64, o Options) *Screen {
	t.Helper()
	s, err := New(context.Background(), atoms, directions, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// everyOptions lists all kernels and storages, with one and several workers.
func everyOptions() []Options {
	var list []Options
	for _, k := range kernel.All() {
		for _, workers := range []int{1, 3} {
			list = append(list, Options{Workers: workers, Kernel: k}, Options{Workers: workers, Stream: true, Kernel: k}, Options{Workers: workers, Levels: true, Kernel: k})
		}
	}
	return list
}

func (o Options) String() string {
	return fmt.Sprintf("%s stream=%v levels=%v workers=%d", o.Kernel.Name(), o.Stream, o.Levels, o.Workers)
}

func comparePaths(t fataler, what any, got, want []step) {
	t.Helper()
	for k := range want {
		if got[k] != want[k] {
			t.Fatalf("%v: step %d is %+v, the plain float64 algorithm has %+v", what, k, got[k], want[k])
		}
	}
}

// The kinds of dictionaries on which the screen must not differ from float64.

func gaussian(source *rand.Rand, n, p int) []float64 {
	values := make([]float64, n*p)
	for i := range values {
		values[i] = source.NormFloat64()
	}
	return values
}

// clustered draws atoms around few centres; spread sets how close they are.
func clustered(source *rand.Rand, n, p, centres int, spread float64) []float64 {
	middle := gaussian(source, centres, p)
	values := gaussian(source, n, p)
	for i := range n {
		c := source.IntN(centres)
		for k := range p {
			values[i*p+k] = middle[c*p+k] + spread*values[i*p+k]
		}
	}
	return values
}

// duplicated repeats few atoms many times.
func duplicated(source *rand.Rand, n, p, distinct int) []float64 {
	return clustered(source, n, p, distinct, 0)
}

// integers draws small integers: zero atoms, repeated atoms, and gains that are
// equal without the atoms being equal.
func integers(source *rand.Rand, n, p, most int) []float64 {
	values := make([]float64, n*p)
	for i := range values {
		values[i] = float64(source.IntN(2*most+1) - most)
	}
	return values
}

// nearlyTied repeats few atoms with changes of single bits of float64, which no
// float32 number can tell apart.
func nearlyTied(source *rand.Rand, n, p, distinct int) []float64 {
	values := duplicated(source, n, p, distinct)
	for range n {
		k := source.IntN(len(values))
		values[k] = math.Nextafter(values[k], float64(2*source.IntN(2)-1)*10)
	}
	return values
}

// cancelling draws atoms that are all but orthogonal to directions that are all but
// equal: alignments are smaller than the float32 errors of what they are the sums
// of.
func cancelling(source *rand.Rand, n, m, p int, size float64) (atoms, directions []float64) {
	common := gaussian(source, 1, p)
	atoms, directions = gaussian(source, n, p), gaussian(source, m, p)
	squares := 0.0
	for _, c := range common {
		squares += c * c
	}
	for i := range n {
		along := 0.0
		for k, c := range common {
			along += atoms[i*p+k] * c
		}
		for k, c := range common {
			atoms[i*p+k] -= along / squares * c
		}
	}
	for j := range m {
		for k, c := range common {
			directions[j*p+k] = c + size*directions[j*p+k]
		}
	}
	return atoms, directions
}

func benchmarkInstance(tb testing.TB, kind string, n, m, p int) (atoms, directions []float64) {
	source := rand.New(rand.NewPCG(5, 6))
	switch kind {
	case "isotropic":
		return gaussian(source, n, p), gaussian(source, m, p)
	case "clustered":
		all := clustered(source, n+m, p, 200, 0.5)
		return all[:n*p], all[n*p:]
	}
	tb.Fatalf("unknown kind %s", kind)
	return nil, nil
}

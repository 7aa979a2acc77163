package screen

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sparsero/directions/sparsero/internal/kernel"
	"github.com/sparsero/directions/sparsero/internal/rank"
	"pgregory.net/rapid"
)

// No alignment exceeds its level, but for what is beyond the highest, and those of atoms as large as the sampled ones
// are no more than two steps, the errors of both bounds aside, below it.
func TestLevelsAreBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		atoms, directions, p := drawData(t, 150, 40, 60)
		far := rapid.SampledFrom([]float64{1, 1, 1e3, 1e-3}).Draw(t, "size of the last atom")
		for k := range p {
			atoms[len(atoms)-1-k] *= far
		}
		r := newReference(atoms, directions, p)
		for _, k := range kernel.All() {
			s := mustNew(t, Matrix64{atoms, p}, directions, Options{Kernel: k, Levels: true})
			for i := range r.n {
				checkLevels(t, s, r, i)
			}
		}
	})
}

func checkLevels(t fataler, s *Screen, r *reference, i int) {
	t.Helper()
	v, beyond, sum := s.levels, 0.0, uint32(0)
	tolerance := float64(s.tolerance[i]) / v.step
	for j, value := range r.scores[i] {
		level := v.tile(i)[kernel.TileAtoms*j+i%kernel.TileAtoms]
		steps := math.Ldexp(value, s.exponent) / v.step
		sum += uint32(level)
		beyond += max(0, steps-kernel.MaxLevel)
		if steps > float64(level) && level < kernel.MaxLevel || float64(level) > max(0, steps)+2+2*tolerance {
			t.Fatalf("%s: atom %d, direction %d: level %d for %v steps, tolerance %v", s.kernel.Name(), i, j, level, steps, tolerance)
		}
	}
	most := (beyond+float64(r.m)*tolerance*2.1)*(1+1e-5) + 1
	more := v.sum[i] - float64(sum)
	if more < beyond || more > most && tolerance <= widestError/2 || more != math.Trunc(more) {
		t.Fatalf("%s: atom %d has levels of %v and %v more, but %v are beyond", s.kernel.Name(), i, sum, more, beyond)
	}
}

// A later atom may change the scale: nothing of the levels at the one before is left.
func TestLevelsAtTheLastScale(t *testing.T) {
	const n, m, p = blockRows + 10, 20, 3
	source := rand.New(rand.NewPCG(6, 2))
	atoms, directions := gaussian(source, n, p), gaussian(source, m, p)
	atoms[len(atoms)-1] = 1e6
	r, s := newReference(atoms, directions, p), mustNew(t, Matrix64{atoms, p}, directions, Options{Levels: true})
	for i := range n {
		checkLevels(t, s, r, i)
	}
}

// Levels are bounds where alignments are far smaller than what they are the sums of, so that the errors of single precision
// make whole steps.
func TestLevelsOfSumsThatCancel(t *testing.T) {
	for _, size := range []float64{1e-3, 1e-5, 1e-7} {
		atoms, directions := cancelling(rand.New(rand.NewPCG(8, 3)), 100, 60, 20, size)
		r := newReference(atoms, directions, 20)
		s := mustNew(t, Matrix64{atoms, 20}, directions, Options{Levels: true})
		for i := range r.n {
			checkLevels(t, s, r, i)
			if gain := r.gain(i, make([]float64, r.m)); !(s.empty[i] >= gain) || math.IsInf(s.empty[i], 1) {
				t.Errorf("size %v: the gain %v of atom %d is bounded by %v", size, gain, i, s.empty[i])
			}
		}
	}
}

// What alignments exceed the highest level by counts to the last part of a step: the first atom, which is not among those
// that choose the steps, has the same alignment with all directions.
func TestLevelsBeyondTheHighest(t *testing.T) {
	const n, m = 100, 64
	for _, steps := range []float64{-0.5, 0, 0.3, 0.9, 1.5, 40} {
		atoms := slices.Repeat([]float64{1}, n)
		atoms[1] = headroom * (1 + steps/kernel.MaxLevel)
		directions := slices.Repeat([]float64{1}, m)
		s := mustNew(t, Matrix64{atoms, 1}, directions, Options{Levels: true})
		checkLevels(t, s, newReference(atoms, directions, 1), 1)
		if want := atoms[1]; s.empty[1] < want || s.empty[1] > 1.01*want {
			t.Errorf("%v steps beyond: the gain of %v is bounded by %v", steps, want, s.empty[1])
		}
	}
}

// Of the atoms whose alignment reaches a value none is taken out, and of the others all that are more than the errors
// of the levels below it, in any part and for values above and below all alignments.
func TestLevelsTellWhichAtomsReachAValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		atoms, directions, p := drawData(t, 150, 40, 60)
		r := newReference(atoms, directions, p)
		s := mustNew(t, Matrix64{atoms, p}, directions, Options{Levels: true})
		source := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "parts"), 1))
		for range 20 {
			part, list := make([]int32, r.n), rank.Indices[int32](source.IntN(r.n)+1)
			for k, i := range source.Perm(r.n) {
				part[k] = int32(i)
			}
			j, value := source.IntN(r.m), s.levels.step*float64(source.IntN(600)-300)
			if source.IntN(2) == 0 {
				value = math.Ldexp(r.scores[source.IntN(r.n)][j], s.exponent) // attained
			}
			kept := s.levels.reaching(slices.Clone(list), part, int32(j), value)
			for _, k := range list {
				i := part[k]
				alignment, errors := math.Ldexp(r.scores[i][j], s.exponent), 1.01*s.levels.step+2*float64(s.tolerance[i])
				least := min(value, kernel.MaxLevel*s.levels.step) - errors
				if in := slices.Contains(kept, k); !in && alignment >= value || in && max(0, alignment) < least {
					t.Fatalf("atom %d, aligned by %v, is kept at %v: %v", i, alignment, value, in)
				}
			}
		}
	})
}

// The bounds of the levels hold along a path of supports, and say as much as from scratch.
func TestLevelsBoundGainsAlongAPath(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		atoms, directions, p := drawData(t, 150, 40, 60)
		r := newReference(atoms, directions, p)
		s := mustNew(t, Matrix64{atoms, p}, directions, Options{Levels: true, Workers: rapid.IntRange(1, 3).Draw(t, "workers")})
		along, support := s.newCovered(), make([]float64, r.m)
		for range 4 {
			r.raise(rapid.IntRange(0, r.n-1).Draw(t, "atom"), support)
			upper, once := slices.Repeat([]float64{math.Inf(1)}, r.n), slices.Repeat([]float64{math.Inf(1)}, r.n)
			for _, err := range []error{along.lower(context.Background(), upper, support), s.newCovered().lower(context.Background(), once, support)} {
				if err != nil {
					t.Fatal(err)
				}
			}
			if !slices.Equal(upper, once) {
				t.Fatalf("bounds %v along the path, %v from scratch", upper, once)
			}
			for i, bound := range upper {
				if gain := r.gain(i, support); bound < gain {
					t.Fatalf("atom %d gains %v, more than %v", i, gain, bound)
				}
			}
		}
	})
}

// The levels leave few isotropic atoms that greedy bounds one by one.
func TestLevelsAreTight(t *testing.T) {
	const n, m, p, budget = 5000, 512, 64, 20
	source := rand.New(rand.NewPCG(3, 9))
	atoms, directions := gaussian(source, n, p), gaussian(source, m, p)
	calls := func(o Options) int {
		search := mustNew(t, Matrix64{atoms, p}, directions, o).NewState().NewSearch()
		for range budget {
			best, _, err := search.Best(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			search.state.Add(best)
		}
		return search.Calls() - n
	}
	if with, without := calls(Options{Levels: true}), calls(Options{}); with > 20*budget || without < 2*n {
		t.Errorf("%d atoms bounded one by one, %d without levels", with, without)
	}
}

// Levels are held where their sums fit 32 bits.
func TestSumsOfLevelsFit(t *testing.T) {
	o, most := Options{Levels: true}, math.MaxUint32/kernel.MaxLevel
	if !o.levels(most) || o.levels(most+1) || uint32(most)*kernel.MaxLevel < math.MaxUint32-kernel.MaxLevel {
		t.Errorf("levels of %d directions: %v, of one more: %v", most, o.levels(most), o.levels(most+1))
	}
}

// Where alignments are not held, neither are levels.
func TestNoLevelsOfAStream(t *testing.T) {
	s := mustNew(t, Matrix64{[]float64{1, 2}, 1}, []float64{1, -1}, Options{Levels: true, Stream: true})
	if s.newCovered() != nil {
		t.Error("a stream has levels")
	}
}

// A path that was cut short begins anew: no level is counted twice.
func TestLevelsAfterTheContextEnds(t *testing.T) {
	source := rand.New(rand.NewPCG(8, 1))
	atoms, directions := gaussian(source, 3000, 8), gaussian(source, 64, 8)
	s := mustNew(t, Matrix64{atoms, 8}, directions, Options{Levels: true, Workers: 1})
	ctx := &endsAfter{Context: context.Background(), calls: 2}
	c, cut, whole := s.newCovered(), slices.Clone(s.empty), slices.Clone(s.empty)
	if err := c.lower(ctx, cut, s.full); err == nil {
		t.Fatal("no error of the context")
	}
	for _, err := range []error{c.lower(context.Background(), cut, s.full), s.newCovered().lower(context.Background(), whole, s.full)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(cut, whole) {
		t.Error("levels were counted twice")
	}
}

// endsAfter is a context that ends after some calls of Err.
type endsAfter struct {
	context.Context
	calls int
}

func (c *endsAfter) Err() error {
	if c.calls--; c.calls < 0 {
		return context.Canceled
	}
	return nil
}

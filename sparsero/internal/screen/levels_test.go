package screen

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sparsero/directions/sparsero/internal/kernel"
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

func checkLevels(t *rapid.T, s *Screen, r *reference, i int) {
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
	if more := v.sum[i] - float64(sum); more < beyond || more > most && tolerance <= widestError/2 {
		t.Fatalf("%s: atom %d has levels of %v in all, %v more than they are, but %v are beyond", s.kernel.Name(), i, v.sum[i], more, beyond)
	}
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

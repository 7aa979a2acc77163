package screen

import (
	"context"
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/sparsero/directions/sparsero/internal/kernel"
	"gonum.org/v1/gonum/floats"
	"pgregory.net/rapid"
)

// TestNumbersOfAtoms: alignments with one direction are those of the plain algorithm, norms those of exact sums in any units, and
// the exact coverage of all atoms is within the rounding of that in float64.
func TestNumbersOfAtoms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		atoms, directions, p := drawData(t, 60, 12, 12)
		size := math.Ldexp(1, rapid.SampledFrom([]int{0, 0, -700, 700}).Draw(t, "size"))
		for k := range atoms {
			atoms[k] *= size
		}
		r := newReference(atoms, directions, p)
		s := mustNew(t, Matrix64{atoms, p}, directions, Options{Stream: rapid.Bool().Draw(t, "stream")})
		norms, err := s.Norms()
		if err != nil {
			t.Fatal(err)
		}
		for i, norm := range norms {
			sum := exactDot(atoms[i*p:][:p], atoms[i*p:][:p])
			want, _ := new(big.Float).Sqrt(new(big.Float).SetPrec(100).SetRat(sum)).Float64()
			if math.Abs(norm-want) > 1e-14*want {
				t.Fatalf("atom %d has the norm %v, want %v", i, norm, want)
			}
		}
		coverage := new(big.Rat)
		for j := range r.m {
			direction, most := directions[j*p:][:p], new(big.Rat)
			values, err := s.AlignmentsWith(direction)
			for i, value := range values {
				if value != r.scores[i][j] || err != nil {
					t.Fatalf("atom %d has the alignment %v with direction %d, want %v; %v", i, value, j, r.scores[i][j], err)
				}
				if exact := exactDot(atoms[i*p:][:p], direction); exact.Cmp(most) > 0 {
					most = exact
				}
			}
			coverage.Add(coverage, most)
		}
		coverage.Quo(coverage, big.NewRat(int64(r.m), 1))
		lower, upper := s.Rounding.AtLeast(s.FullValue()), s.Rounding.AtMost(s.FullValue())
		if new(big.Rat).SetFloat64(lower).Cmp(coverage) > 0 || new(big.Rat).SetFloat64(upper).Cmp(coverage) < 0 {
			t.Fatalf("all atoms cover %v, not between %v and %v", coverage.FloatString(30), lower, upper)
		}
	})
	s := mustNew(t, Matrix64{[]float64{0x1p700}, 1}, []float64{1}, Options{})
	if _, err := s.AlignmentsWith([]float64{0x1p400}); !errors.Is(err, ErrRange) {
		t.Errorf("an alignment of 2^1100: %v", err)
	}
}

func exactDot(a, b []float64) *big.Rat {
	sum := new(big.Rat)
	for k, v := range a {
		sum.Add(sum, new(big.Rat).Mul(new(big.Rat).SetFloat64(v), new(big.Rat).SetFloat64(b[k])))
	}
	return sum
}

// spoiling reads atoms into the memory that it is given, and fails on one after it has written there.
type spoiling struct {
	Matrix64
	fails int
}

var errSpoiled = errors.New("spoiled")

func (m *spoiling) Rows(buffer []float64, from, to int) ([]float64, error) {
	copy(buffer, m.Data[from*m.P:to*m.P])
	if from <= m.fails && m.fails < to {
		return nil, errSpoiled
	}
	return buffer[:(to-from)*m.P], nil
}

// TestAFailedReadLeavesNoAtomBehind: the atom read before is read again.
func TestAFailedReadLeavesNoAtomBehind(t *testing.T) {
	source := &spoiling{Matrix64{[]float64{1, 2, 3, 4}, 2}, noAtom}
	s := mustNew(t, source, []float64{1, 0, 0, 1}, Options{})
	b := s.newBlock()
	b.columns = slices.Clone(s.all)
	source.fails = 1
	for _, i := range []int{0, 1, 0} {
		values, err := b.align(i)
		if (i == 1) != errors.Is(err, errSpoiled) || i == 0 && !slices.Equal(values, []float64{1, 2}) {
			t.Errorf("atom %d has the alignments %v: %v", i, values, err)
		}
	}
	if _, err := New(context.Background(), source, []float64{1, 0}, Options{}); !errors.Is(err, errSpoiled) {
		t.Errorf("a screen of atoms that cannot be read: %v", err)
	}
}

// What is rounded upward is the least single precision number that is not below, and what is rounded downward is below by at
// least what underflow takes, and by no more than a last digit besides.
func TestRoundedUpwardAndDownward(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.OneOf(rapid.Float64Range(-1e30, 1e30), rapid.Map(rapid.Float32Range(-100, 100), func(v float32) float64 { return float64(v) }),
			rapid.SampledFrom([]float64{0, underflow, -underflow, 0x1p-149, 1, -1})).Draw(t, "x")
		up, down := upward(x), downward(x)
		if before := math.Nextafter32(up, float32(math.Inf(-1))); float64(up) < x || float64(before) >= x {
			t.Fatalf("%v is rounded upward to %v", x, up)
		}
		after := math.Nextafter32(math.Nextafter32(down, float32(math.Inf(1))), float32(math.Inf(1)))
		if x-float64(down) < underflow || x-float64(after) >= underflow {
			t.Fatalf("%v is rounded downward to %v", x, down)
		}
	})
}

// The weight of a direction is at least its norm in the units of the screen, and hardly more; beyond the last one it is 0.
func TestWeightsAreAtLeastTheNorms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		atoms, directions, p := drawData(t, 5, 40, 10)
		s := mustNew(t, Matrix64{atoms, p}, directions, Options{})
		for j, weight := range s.weight {
			squares := new(big.Rat)
			if j < s.m {
				squares = exactDot(directions[j*p:][:p], directions[j*p:][:p])
			}
			norm, _ := squares.Float64()
			norm = math.Ldexp(math.Sqrt(norm), s.exponent-s.atomExponent)
			if w := float64(weight); w < norm*(1-1e-15) || w > norm*(1+1e-5)+1e-40 {
				t.Fatalf("direction %d of the norm %v has the weight %v", j, norm, w)
			}
		}
	})
}

// TestSizesThatDoNotFit: a screen needs atoms, coordinates, and whole directions.
func TestSizesThatDoNotFit(t *testing.T) {
	for name, c := range map[string]struct {
		source     Source
		directions []float64
	}{
		"no atoms":         {Matrix64{nil, 2}, []float64{1, 2}},
		"no coordinates":   {pointless{}, []float64{1, 2}},
		"no directions":    {Matrix64{[]float64{1, 2}, 2}, nil},
		"half a direction": {Matrix64{[]float64{1, 2}, 2}, []float64{1, 2, 3}},
	} {
		if _, err := New(context.Background(), c.source, c.directions, Options{}); err == nil || !strings.Contains(err.Error(), "do not fit") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// pointless is a dictionary of two atoms without coordinates.
type pointless struct{ Matrix64 }

func (pointless) Size() int { return 2 }

// TestScaleOfLaterAtoms: the largest atom sets the scale also where the first block does not hold it, and atoms whose norms are beyond
// float64 have none.
func TestScaleOfLaterAtoms(t *testing.T) {
	for _, large := range []float64{1, -3, 0x1p500, 0x1p-500} {
		atoms := slices.Repeat([]float64{large * 0x1p-40}, blockRows+1)
		atoms[blockRows] = large
		s := mustNew(t, Matrix64{atoms, 1}, []float64{1}, Options{})
		if scaled := math.Ldexp(math.Abs(large), s.atomExponent); scaled < 1<<(usualExponent-1) || scaled >= 1<<usualExponent {
			t.Errorf("%v becomes %v, want a number below 2^%d", large, scaled, usualExponent)
		}
	}
	const p = 2048
	long := slices.Repeat([]float64{math.MaxFloat64}, p)
	if _, err := New(context.Background(), Matrix64{long, p}, slices.Repeat([]float64{0x1p-30}, p), Options{}); !errors.Is(err, ErrRange) {
		t.Errorf("an atom of the norm 2^1029: %v", err)
	}
}

// The support of all atoms takes about one alignment for each direction, because the bounds of all atoms rule out the
// others. Where every atom exceeds all before, so many are open that some are settled before the end, to keep few.
func TestAlignmentsOfTheFullSupport(t *testing.T) {
	const n, m, p = 4000, 64, 8
	source := rand.New(rand.NewPCG(3, 1))
	directions, atoms := gaussian(source, m, p), gaussian(source, n, p)
	rising := make([]float64, 0, n*p)
	for i := range n {
		for _, value := range atoms[:p] {
			rising = append(rising, value*float64(1+i))
		}
	}
	for _, test := range []struct {
		name        string
		atoms       []float64
		least, most int64
	}{
		{"in any order", atoms, m, 2 * m},
		{"rising", rising, 6 * m, n * m / 16},
	} {
		s, r := mustNew(t, Matrix64{test.atoms, p}, directions, Options{Workers: 1}), newReference(test.atoms, directions, p)
		if cost := s.Cost().Alignments; cost < test.least || cost > test.most || !slices.Equal(s.Full(), r.full) {
			t.Errorf("%s: %d alignments, outside [%d,%d], or another support", test.name, cost, test.least, test.most)
		}
	}
}

// TestStepsOfHalfPrecision: by the roundings of float32 an atom may have the largest alignment although its stored one
// is a step of half precision below that of another, next to zero too. One that lies further below is not computed in
// float64.
func TestStepsOfHalfPrecision(t *testing.T) {
	const p, n, short = 8, 100, 0x1p-28 // alignments with a direction that is so short are next to zero
	for steps, want := range map[float64]int64{1: 4, 1.6: 3, 2: 2} {
		atoms := []float64{1 - steps*0x1p-10, 0x1p-1 - steps*0x1p-4, 1, 0x1p-1}
		s := mustNew(t, Matrix64{atoms, 2}, []float64{1, 0, 0, short}, Options{Workers: 1})
		if cost := s.Cost().Alignments; cost != want {
			t.Fatalf("an atom %v steps below another: %d alignments with two directions, want %d", steps, cost, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		source := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		direction, atoms := gaussian(source, 1, p), gaussian(source, n, p)
		floats.Scale(1/floats.Norm(direction, 2), direction)
		stored := rapid.SampledFrom([]float64{0.625, 1, 1.125, 1.375}).Draw(t, "stored")
		for i := range n {
			atom := atoms[i*p:][:p]
			floats.AddScaled(atom, stored*(1+1e-8*source.Float64())-floats.Dot(atom, direction), direction)
		}
		for _, length := range []float64{1, short} {
			directions := slices.Concat(direction, slices.Repeat([]float64{1}, p))
			floats.Scale(length, directions[:p])
			s := mustNew(t, Matrix64{atoms, p}, directions, Options{})
			if want := newReference(atoms, directions, p).full; !slices.Equal(s.Full(), want) {
				t.Fatalf("a direction of length %v: support %v, want %v", length, s.Full(), want)
			}
		}
	})
}

// TestTheWantedKernel computes, and the best one where none is wanted.
func TestTheWantedKernel(t *testing.T) {
	for _, k := range kernel.All() {
		if got := mustNew(t, Matrix64{[]float64{1}, 1}, []float64{1}, Options{Kernel: k}).kernel; got.Name() != k.Name() {
			t.Errorf("%s is wanted, %s computes", k.Name(), got.Name())
		}
	}
	if got := mustNew(t, Matrix64{[]float64{1}, 1}, []float64{1}, Options{}).kernel; got.Name() != kernel.Best().Name() {
		t.Errorf("%s computes", got.Name())
	}
}

// TestTheLargestNorm counts every vector, the last one too, in any units.
func TestTheLargestNorm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, n := rapid.IntRange(1, 3).Draw(t, "p"), rapid.IntRange(1, 5).Draw(t, "n")
		at, unit := rapid.IntRange(0, n-1).Draw(t, "at"), rapid.SampledFrom([]int{0, -900, 900}).Draw(t, "unit")
		vectors := make([]float64, n*p)
		for k := range vectors {
			vectors[k] = math.Ldexp(1, unit-9)
		}
		vectors[at*p] = math.Ldexp(1, unit)
		s := mustNew(t, Matrix64{make([]float64, p), p}, make([]float64, p), Options{})
		if norm := math.Ldexp(s.largestNorm(vectors), -unit); !(norm >= 1 && norm < 1.001) {
			t.Fatalf("vector %d of %v has the norm 1 in its unit, and the largest is said to be %v", at, vectors, norm)
		}
	})
}

// Without a number of workers a screen takes as many as there are processors, and leaves these alone.
func TestWorkersAreThoseOfTheProcess(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	atoms := Matrix64{slices.Repeat([]float64{1}, 10), 1}
	for workers, want := range map[int]int{0: 3, -1: 3, 1: 1, 2: 2, 40: 10} {
		if s := mustNew(t, atoms, []float64{1}, Options{Workers: workers}); s.workers != want || runtime.GOMAXPROCS(0) != 3 {
			t.Errorf("%d asked for: %d workers, %d processors", workers, s.workers, runtime.GOMAXPROCS(0))
		}
	}
}

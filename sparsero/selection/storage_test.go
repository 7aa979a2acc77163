package selection_test

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/selection"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

func mustCoverage(t fataler, atoms selection.Source, directions mat.Matrix, options *selection.CoverageOptions) *selection.Coverage {
	t.Helper()
	c, err := selection.NewCoverage(atoms, directions, options)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// randomFloat32 returns atoms that fill several blocks.
func randomFloat32(n, p int, seed uint64) []float32 {
	source := rand.New(rand.NewPCG(seed, 1))
	data := make([]float32, n*p)
	for k := range data {
		data[k] = float32(source.NormFloat64())
	}
	return data
}

func dictionaryOf(t fataler, data []float32, p int) *sparsero.Dictionary {
	t.Helper()
	values := make([]float64, len(data))
	for k, value := range data {
		values[k] = float64(value)
	}
	d, err := sparsero.NewDictionary(mat.NewDense(len(data)/p, p, values), nil)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

var storages = []selection.Storage{selection.Screened, selection.Streamed}

// storedRules are the rules that go through the bounds of the alignments, with options.
func storedRules(warm []int) []selection.Policy {
	return append(allPolicies(),
		selection.Greedy{Start: warm}, selection.Greedy{Plain: true, Start: warm}, selection.Greedy{StopAtFull: true},
		selection.MaxGap{Start: warm})
}

// sameBits compares everything but the time and what depends on the float32 bounds.
func sameBits(a, b *selection.Selection) bool {
	return a.Policy == b.Policy && slices.Equal(a.Atoms, b.Atoms) && slices.Equal(a.Labels, b.Labels) && slices.Equal(a.Gains, b.Gains) &&
		slices.Equal(a.Coverage, b.Coverage) && slices.Equal(a.WorstDeficit, b.WorstDeficit) && slices.Equal(a.Bounds, b.Bounds) &&
		slices.Equal(a.Cost, b.Cost) && a.FullCoverage == b.FullCoverage && a.Partial == b.Partial
}

func TestResultsDoNotDependOnTheStorage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawInstance(t, 30, 6, 40)
		n := in.coverage.Size()
		budget := rapid.IntRange(1, n).Draw(t, "budget")
		warm := []int{rapid.IntRange(0, n-1).Draw(t, "warm")}
		for _, policy := range storedRules(warm) {
			var first *selection.Selection
			for _, storage := range storages {
				c := mustCoverage(t, in.dictionary, in.directions, &selection.CoverageOptions{Storage: storage})
				s := selectAtoms(t, policy, c, budget)
				if first == nil {
					first = s
				}
				if !sameBits(s, first) {
					t.Fatalf("%v: %+v, %v: %+v", storage, s, storages[0], first)
				}
				if c.Storage() != storage || c.Value(s.Atoms) != in.coverage.Value(s.Atoms) || !slices.Equal(c.Deficits(s.Atoms), in.coverage.Deficits(s.Atoms)) {
					t.Fatalf("%v: value %v, deficits %v", c.Storage(), c.Value(s.Atoms), c.Deficits(s.Atoms))
				}
			}
		}
	})
}

// Where levels are held, too.
func TestResultsOfManyAtomsDoNotDependOnTheStorage(t *testing.T) {
	const n, m, p = 8803, 513, 17
	for seed := range uint64(6) {
		d, directions := dictionaryOf(t, randomFloat32(n, p, seed), p), gaussian(m, p, seed)
		costs := make([]float64, n)
		for i := range costs {
			costs[i] = float64(1 + i%3)
		}
		for _, policy := range []selection.Policy{selection.Greedy{}, selection.Random{Seed: seed}, selection.Knapsack{Costs: costs, Capacity: 40}} {
			var found [2]*selection.Selection
			for k, storage := range storages {
				found[k] = selectAtoms(t, policy, mustCoverage(t, d, directions, &selection.CoverageOptions{Storage: storage}), 40)
			}
			if !sameBits(found[0], found[1]) {
				t.Errorf("seed %d, %T: atoms %v and %v, bounds %v and %v", seed, policy, found[0].Atoms, found[1].Atoms, found[0].Bounds, found[1].Bounds)
			}
		}
	}
}

// Everything but the time has the same bits on any number of goroutines, several blocks
// of atoms and several storages.
func TestResultsDoNotDependOnTheWorkers(t *testing.T) {
	const n, m, p, budget = 2500, 90, 12, 15
	d, directions := dictionaryOf(t, randomFloat32(n, p, 1), p), gaussian(m, p, 1)
	for _, policy := range []selection.Policy{selection.Greedy{Start: []int{7}}, selection.MaxGap{}, selection.MaxGap{ByGain: true},
		selection.SetCover{}, selection.TopActivation{}} {
		var first *selection.Selection
		for _, storage := range storages {
			calls := []int(nil)
			for _, workers := range []int{1, 2, 7} {
				s := selectAtoms(t, policy, mustCoverage(t, d, directions, &selection.CoverageOptions{Storage: storage, Workers: workers}), budget)
				if first == nil {
					first = s
				}
				if calls == nil {
					calls = s.OracleCalls
				}
				if !sameBits(s, first) || !slices.Equal(s.OracleCalls, calls) {
					t.Fatalf("%v, %d workers: %+v, first %+v", storage, workers, s, first)
				}
			}
		}
	}
}

// A regular hexagon probed along a pentagon: alignments tie up to the last bit.
func TestStoragesAgreeWhereTheLastBitDecides(t *testing.T) {
	ring := func(corners int) *mat.Dense {
		m := mat.NewDense(corners, 2, nil)
		for k := range corners {
			sin, cos := math.Sincos(2 * math.Pi * float64(k) / float64(corners))
			m.SetRow(k, []float64{cos, sin})
		}
		return m
	}
	in := newInstance(t, ring(6), ring(5))
	want := selectAtoms(t, selection.Greedy{Plain: true}, in.coverage, 5)
	for _, storage := range storages {
		c := mustCoverage(t, in.dictionary, in.directions, &selection.CoverageOptions{Storage: storage})
		if got := selectAtoms(t, selection.Greedy{}, c, 5); !sameBits(got, want) {
			t.Errorf("%v chooses %v, plain greedy %v", storage, got.Atoms, want.Atoms)
		}
	}
}

func TestSkippedBoundsAreThoseOfTheDictionary(t *testing.T) {
	in := randomInstance(t, 100, 4, 30, 4)
	for _, policy := range []selection.Policy{selection.Greedy{SkipBounds: true}, selection.MaxGap{SkipBounds: true}, selection.SetCover{SkipBounds: true}} {
		for _, bound := range selectAtoms(t, policy, in.coverage, 3).Bounds {
			if bound.Float() < in.coverage.Full() || bound.Float() > in.coverage.Full()+rounding {
				t.Errorf("%s: bound %v, full coverage %v", name(policy), bound, in.coverage.Full())
			}
		}
	}
}

// The storage follows the size and the memory; what does not fit is refused in advance
// with the way that would.
func TestMemoryIsRefusedInAdvance(t *testing.T) {
	const n, m, p = 30000, 200, 8
	d, directions := dictionaryOf(t, randomFloat32(n, p, 5), p), gaussian(m, p, 5)
	estimate := selection.EstimateMemory(n, m, p, nil)
	if least := int64(2 * n * m); estimate.Screened < least || estimate.Streamed >= least {
		t.Fatalf("estimate %+v for a matrix of %d halves", estimate, least)
	}
	if c := mustCoverage(t, d, directions, nil); c.Storage() != selection.Screened {
		t.Errorf("%d alignments are %v", n*m, c.Storage())
	}
	if c := mustCoverage(t, d, directions, &selection.CoverageOptions{MemoryLimit: estimate.Screened}); c.Storage() != selection.Screened {
		t.Errorf("just enough memory makes the alignments %v", c.Storage())
	}
	limit := (estimate.Screened + estimate.Streamed) / 2
	if c := mustCoverage(t, d, directions, &selection.CoverageOptions{MemoryLimit: limit}); c.Storage() != selection.Streamed {
		t.Errorf("little memory makes the alignments %v", c.Storage())
	}
	for _, test := range []struct {
		options selection.CoverageOptions
		storage selection.Storage
	}{
		{selection.CoverageOptions{MemoryLimit: limit, Storage: selection.Screened}, selection.Screened},
		{selection.CoverageOptions{MemoryLimit: 1000, Storage: selection.Screened}, selection.Screened},
		{selection.CoverageOptions{MemoryLimit: 1000}, selection.Streamed},
	} {
		_, err := selection.NewCoverage(d, directions, &test.options)
		var refused *selection.MemoryError
		if !errors.As(err, &refused) {
			t.Fatalf("error %v, want a MemoryError", err)
		}
		if refused.Storage != test.storage || refused.Need <= refused.Available {
			t.Errorf("refusal %+v: %v", refused, err)
		}
	}
}

// brokenAtoms cannot be read beyond some atom.
type brokenAtoms struct {
	selection.Source
	until int
}

var errBroken = errors.New("the disk is gone")

func (b brokenAtoms) Rows(buffer []float64, from, to int) ([]float64, error) {
	if to > b.until {
		return nil, errBroken
	}
	return b.Source.Rows(buffer, from, to)
}

// notFinite puts an infinity into one atom.
type notFinite struct{ selection.Source }

func (n notFinite) Rows(buffer []float64, from, to int) ([]float64, error) {
	rows, err := n.Source.Rows(buffer, from, to)
	rows = slices.Clone(rows)
	if from <= 777 && 777 < to {
		rows[3*(777-from)+1] = math.Inf(1)
	}
	return rows, err
}

func TestAtomsThatCannotBeUsed(t *testing.T) {
	d, good := dictionaryOf(t, randomFloat32(1000, 3, 1), 3), mat.NewDense(2, 3, []float64{1, 0, 0, 0, 1, 0})
	for name, test := range map[string]struct {
		atoms      selection.Source
		directions mat.Matrix
		text       string
		options    selection.CoverageOptions
	}{
		"alignments too large": {d, mat.NewDense(1, 3, []float64{1e308, 1e308, 1e308}), "rescale", selection.CoverageOptions{}},
		"unreadable":           {brokenAtoms{d, 500}, good, errBroken.Error(), selection.CoverageOptions{}},
		"unreadable at once":   {brokenAtoms{d, 0}, good, errBroken.Error(), selection.CoverageOptions{}},
		"not finite":           {notFinite{d}, good, "atom 777", selection.CoverageOptions{}},
		"negative limit":       {d, good, "-1", selection.CoverageOptions{MemoryLimit: -1}},
		"negative workers":     {d, good, "workers", selection.CoverageOptions{Workers: -1}},
		"unknown storage":      {d, good, "Storage(7)", selection.CoverageOptions{Storage: 7}},
	} {
		for _, storage := range storages {
			t.Run(name+"/"+storage.String(), func(t *testing.T) {
				options := test.options
				options.Storage = cmp.Or(options.Storage, storage)
				_, err := selection.NewCoverage(test.atoms, test.directions, &options)
				wantError(t, err, test.text)
			})
		}
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	for _, storage := range storages {
		if _, err := selection.NewCoverage(d, good, &selection.CoverageOptions{Storage: storage, Context: ended}); !errors.Is(err, context.Canceled) {
			t.Errorf("%v: error %v after the context ended", storage, err)
		}
	}
}

// An error of the atoms after the coverage was built reaches the caller, with no
// selection.
func TestReadErrorsDuringSelection(t *testing.T) {
	broken := &brokenAtoms{dictionaryOf(t, randomFloat32(1000, 3, 1), 3), 1000}
	c := mustCoverage(t, broken, gaussian(20, 3, 1), &selection.CoverageOptions{Storage: selection.Streamed})
	broken.until = 0
	for _, policy := range storedRules([]int{3}) {
		s, err := policy.Select(context.Background(), c, 5)
		if !errors.Is(err, errBroken) || s != nil {
			t.Errorf("%s: selection %v, error %v", name(policy), s, err)
		}
	}
	told := func(s selection.Step) { t.Errorf("atom %d, which could not be read, is told of", s.Atom) }
	if _, err := (selection.Greedy{Start: []int{3}, Progress: told}).Select(context.Background(), c, 5); !errors.Is(err, errBroken) {
		t.Errorf("error %v", err)
	}
}

// The choices at the size that the speed is quoted for.
func TestStoragesAgreeAtFullSize(t *testing.T) {
	if os.Getenv("DIRECTIONS_LONG") != "all" {
		t.Skip("selects from 15,000 atoms with 1,000 directions, streamed: set DIRECTIONS_LONG=all or run make test-long")
	}
	const n, m, p, budget = 15000, 1000, 512, 50
	for name, centres := range map[string]int{"isotropic": 0, "clustered": 200} {
		t.Run(name, func(t *testing.T) {
			atoms, directions := gaussian(n, p, 5), gaussian(m, p, 6)
			if middle := gaussian(max(centres, 1), p, 7); centres > 0 {
				for _, cloud := range []*mat.Dense{atoms, directions} {
					rows, _ := cloud.Dims()
					for i := range rows {
						floats.AddScaledTo(cloud.RawRowView(i), middle.RawRowView(i%centres), 0.5, cloud.RawRowView(i))
					}
				}
			}
			d := newInstance(t, atoms, directions).dictionary
			streamed := mustCoverage(t, d, directions, &selection.CoverageOptions{Storage: selection.Streamed})
			screened := mustCoverage(t, d, directions, nil)
			for _, policy := range []selection.Policy{selection.Greedy{}, selection.MaxGap{}, selection.MaxGap{ByGain: true}, selection.SetCover{}} {
				want := selectAtoms(t, policy, streamed, budget)
				got := selectAtoms(t, policy, screened, budget)
				if !sameBits(got, want) {
					t.Fatalf("%s: screened %v, streamed %v", got.Policy, got.Atoms, want.Atoms)
				}
			}
			plain := selectAtoms(t, selection.Greedy{Plain: true}, screened, budget)
			if want := selectAtoms(t, selection.Greedy{}, screened, budget); !sameBits(plain, want) {
				t.Fatalf("plain greedy %v, lazy %v", plain.Atoms, want.Atoms)
			}
		})
	}
}

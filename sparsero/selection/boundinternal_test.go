package selection

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/internal/screen"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// Values of sets are widened by all that float64 may have lost, outwards on both sides.
func TestRoundingGoesOutwards(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rational := func(v float64) *big.Rat { return new(big.Rat).SetFloat64(v) }
		value := rapid.Float64Range(0, 10).Draw(t, "value")
		r := screen.Rounding{Relative: rapid.Float64Range(0, 0.1).Draw(t, "relative"), Absolute: rapid.Float64Range(0, 0.1).Draw(t, "absolute")}
		lost := new(big.Rat).Mul(rational(value), rational(r.Relative))
		lost.Add(lost, rational(r.Absolute))
		if most := new(big.Rat).Add(rational(value), lost); rational(r.AtMost(value)).Cmp(most) < 0 {
			t.Fatalf("%v is said to be at most %v", value, r.AtMost(value))
		}
		least := new(big.Rat).Sub(rational(value), lost)
		if got := r.AtLeast(value); rational(got).Cmp(least) > 0 && got != 0 || got < 0 {
			t.Fatalf("%v is said to be at least %v", value, got)
		}
	})
}

// Of many atoms, too, no bound is below the exact optimum, of any number of atoms and of a knapsack.
func TestBoundsOfManyAtomsAreNeverBelowTheOptimum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, m, p := rapid.IntRange(1, 6).Draw(t, "n"), rapid.IntRange(1, 5).Draw(t, "m"), rapid.IntRange(1, 3).Draw(t, "p")
		draw := func(rows int, name string) *mat.Dense {
			whole := rapid.SliceOfN(rapid.IntRange(-9, 9), rows*p, rows*p).Draw(t, name)
			matrix := mat.NewDense(rows, p, nil)
			matrix.Apply(func(i, k int, _ float64) float64 { return float64(whole[i*p+k]) / 3 }, matrix)
			return matrix
		}
		atoms, directions := draw(n, "atoms"), draw(m, "directions")
		d, err := sparsero.NewDictionary(atoms, nil)
		if err != nil {
			t.Skip(err)
		}
		c, err := NewCoverage(d, directions, nil)
		if err != nil {
			t.Fatal(err)
		}
		costs := make([]float64, n)
		for i := range costs {
			costs[i] = float64(1 + i%3)
		}
		for _, rule := range []Policy{Greedy{SkipBounds: true}, Random{Seed: 1}, Knapsack{Costs: costs, Capacity: 4}} {
			s, err := rule.Select(context.Background(), c, n)
			if err != nil {
				t.Fatal(err)
			}
			if s.Len() == 0 {
				continue
			}
			b := newBounding(c, s, c.screen.NewLagrangian())
			b.many = true
			if err := cmp.Or(b.covers(context.Background(), c), b.draft(context.Background()), b.draft(context.Background())); err != nil {
				t.Fatal(err)
			}
			for k, bound := range b.bounds {
				for set := range 1 << n {
					if count, cost := weigh(set, costs); s.costs == nil && count <= k+1 || s.costs != nil && cost <= 4 {
						if sum, most := exactSum(atoms, directions, set), new(big.Rat).SetFloat64(bound); most.Mul(most, big.NewRat(int64(m), 1)).Cmp(sum) < 0 {
							t.Fatalf("%T, budget %d: bound %v, set %b covers %v", rule, k+1, bound, set, sum.FloatString(30))
						}
					}
				}
			}
		}
	})
}

// Where alignments and their sums are exact, sums at multipliers between these are not: bounds hold all the same.
func TestBoundsOfManyAtomsBetweenExactAlignments(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const n, m, p = 3, 32, 7 // sums over probes take all 53 bits of float64
		draw := func(rows, bits int, name string) *mat.Dense {
			whole := rapid.SliceOfN(rapid.IntRange(7<<(bits-3), 1<<bits-1), rows*p, rows*p).Draw(t, name)
			matrix := mat.NewDense(rows, p, nil)
			matrix.Apply(func(i, k int, _ float64) float64 { return float64(whole[i*p+k]) }, matrix)
			return matrix
		}
		atoms, directions := draw(n, 23, "atoms"), draw(m, 22, "directions")
		c := coverageOf(t, atoms, directions)
		s, err := Greedy{SkipBounds: true}.Select(context.Background(), c, n)
		if err != nil {
			t.Fatal(err)
		}
		b := newBounding(c, s, c.screen.NewLagrangian())
		if b.rounding != (screen.Rounding{}) {
			t.Fatalf("%+v is rounded", b.rounding)
		}
		b.many = true
		if err := b.covers(context.Background(), c); err != nil {
			t.Fatal(err)
		}
		last := new(big.Rat).SetFloat64(b.bounds[len(b.bounds)-1])
		if sum := exactSum(atoms, directions, 1<<n-1); last.Mul(last, big.NewRat(m, 1)).Cmp(sum) < 0 {
			t.Fatalf("bound %v, all atoms cover %v", last, sum)
		}
	})
}

// A draft over the atoms that gain most lowers the bound of all.
func TestDraftsLowerTheBound(t *testing.T) {
	source, points := rand.New(rand.NewPCG(3, 5)), mat.NewDense(460, 8, nil)
	points.Apply(func(int, int, float64) float64 { return source.NormFloat64() }, points)
	c, ctx := costCoverage(t, points, 400), context.Background()
	s, err := Greedy{SkipBounds: true}.Select(ctx, c, 5)
	if err != nil {
		t.Fatal(err)
	}
	b := newBounding(c, s, c.screen.NewLagrangian())
	if err := b.covers(ctx, c); err != nil {
		t.Fatal(err)
	}
	before := b.bounds[4]
	if err := b.draft(ctx); err != nil || !(b.bounds[4] < before) || b.bounds[4] < s.Coverage[4] {
		t.Errorf("bound %v after %v, %v; %v are covered", b.bounds[4], before, err, s.Coverage[4])
	}
}

// fragile are atoms that cannot be read any more once they are broken.
type fragile struct {
	Source
	broken bool
}

var errFragile = errors.New("the disk is gone")

func (f *fragile) Rows(buffer []float64, from, to int) ([]float64, error) {
	if f.broken {
		return nil, errFragile
	}
	return f.Source.Rows(buffer, from, to)
}

// Atoms that cannot be read while the bounds of many are found are an error.
func TestReadErrorsDuringBounds(t *testing.T) {
	draw := func(rows int) *mat.Dense {
		source, m := rand.New(rand.NewPCG(5, 5)), mat.NewDense(rows, 4, nil)
		m.Apply(func(int, int, float64) float64 { return source.NormFloat64() }, m)
		return m
	}
	d, err := sparsero.NewDictionary(draw(60), nil)
	if err != nil {
		t.Fatal(err)
	}
	atoms := &fragile{Source: d}
	c, err := NewCoverage(atoms, draw(40), &CoverageOptions{Storage: Streamed})
	if err != nil {
		t.Fatal(err)
	}
	s, err := Greedy{SkipBounds: true}.Select(t.Context(), c, 5)
	if err != nil {
		t.Fatal(err)
	}
	b := newBounding(c, s, c.screen.NewLagrangian())
	b.many = true
	if err := b.covers(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	atoms.broken = true
	if err := b.usual(t.Context(), c); !errors.Is(err, errFragile) {
		t.Errorf("error %v", err)
	}
}

// weigh counts the members of a set and adds up their costs.
func weigh(set int, costs []float64) (count int, cost float64) {
	for i, c := range costs {
		if set>>i&1 == 1 {
			count, cost = count+1, cost+c
		}
	}
	return count, cost
}

// exactSum adds up the largest alignments of a set with all directions.
func exactSum(atoms, directions *mat.Dense, set int) *big.Rat {
	n, p := atoms.Dims()
	m, _ := directions.Dims()
	sum := new(big.Rat)
	for j := range m {
		largest := new(big.Rat)
		for i := range n {
			aligned := new(big.Rat)
			for k := range p {
				x, y := new(big.Rat).SetFloat64(atoms.At(i, k)), new(big.Rat).SetFloat64(directions.At(j, k))
				aligned.Add(aligned, x.Mul(x, y))
			}
			if set>>i&1 == 1 && aligned.Cmp(largest) > 0 {
				largest = aligned
			}
		}
		sum.Add(sum, largest)
	}
	return sum
}

// What the system says of memory counts where it is said, and not otherwise.
func TestMemoryFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "meminfo")
	if err := os.WriteFile(path, []byte("MemTotal: 9 kB\nMemAvailable: 7 kB\nShort\nBroken: many\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]int64{"MemAvailable:": 7, "MemTotal:": 9} {
		if got, ok := number(path, name); !ok || got != want {
			t.Errorf("%s %d, %v", name, got, ok)
		}
	}
	for _, name := range []string{"Swap:", "Short", "Broken:"} {
		if got, ok := number(path, name); ok {
			t.Errorf("%s is said to be %d", name, got)
		}
	}
	if got, ok := number(path+".gone", "MemTotal:"); ok {
		t.Errorf("a missing file says %d", got)
	}
	if got, ok := number(path+".gone", ""); ok {
		t.Errorf("a missing file says %d", got)
	}
	if err := os.WriteFile(path, []byte("12\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, ok := number(path, ""); !ok || got != 12 {
		t.Errorf("number %d, %v", got, ok)
	}
}

// What may be allocated is what the machine and the control group leave, each where it is said.
func TestAvailableMemory(t *testing.T) {
	const none = "no file"
	for _, test := range []struct {
		free, limit, used, cached string
		want                      int64
	}{
		{"", "", "", "", math.MaxInt64},
		{"7", "9000", none, none, 7 << 10},
		{none, "5000", none, none, 5000},
		{none, "9000", "5000", none, 4000},
		{none, "9000", none, "1000", 10000},
		{none, "9223372036854771712", none, none, 9223372036854771712},
		{none, none, "5", "1", math.MaxInt64},
		{"7", "", "", "", 7 << 10},
		{"7", "max", "5", "1", 7 << 10},
		{"7", "9000", "5000", "1000", 5000},
		{"7", "9000", "1000", "1000", 7 << 10},
		{"", "9000", "5000", "", 4000},
		{"", "9000", "", "", 9000},
		{"7", "9000", "9999", "", 0},
	} {
		root := t.TempDir()
		for name, text := range map[string]string{
			"proc/meminfo": "MemAvailable: " + test.free + " kB", "sys/fs/cgroup/memory.max": test.limit,
			"sys/fs/cgroup/memory.current": test.used, "sys/fs/cgroup/memory.stat": "inactive_file " + test.cached,
		} {
			path := filepath.Join(root, name)
			if strings.Contains(text, none) {
				continue
			}
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if got := availableMemory(root); got != test.want {
			t.Errorf("%+v: %d", test, got)
		}
	}
}

package calibration

import (
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/sparsero/directions/sparsero"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// drawSizes draws numbers of one of three kinds: generic, a coarse grid, and very different sizes.
func drawSizes(t *rapid.T, name string, rows, columns int) *mat.Dense {
	m, kind := mat.NewDense(rows, columns, nil), rapid.IntRange(0, 2).Draw(t, name+" kind")
	source := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, name), 3))
	m.Apply(func(_, _ int, _ float64) float64 {
		switch kind {
		case 0:
			return source.NormFloat64()
		case 1:
			return float64(source.IntN(5) - 2)
		}
		return math.Ldexp(source.NormFloat64(), source.IntN(60)-30)
	}, m)
	return m
}

// Blocked scores have the bits of the plain loop over samples.
func TestScoresHaveTheBitsOfThePlainLoop(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, m, p := rapid.IntRange(1, 150).Draw(t, "N"), rapid.IntRange(1, 60).Draw(t, "m"), rapid.IntRange(1, 40).Draw(t, "p")
		samples := drawSizes(t, "samples", m, p)
		d, err := sparsero.NewDictionary(drawSizes(t, "atoms", n, p), nil)
		if err != nil {
			t.Fatal(err)
		}
		chosen := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "S"), 1)).Perm(n)[:rapid.IntRange(0, n).Draw(t, "|S|")]
		set, err := sparsero.NewAtomicSet(d, chosen, 1)
		if err != nil {
			t.Fatal(err)
		}
		full, err := fullScores(d, samples)
		if err != nil {
			t.Fatal(err)
		}
		directional, err := DirectionalScores(set, samples)
		if err != nil {
			t.Fatal(err)
		}
		for j := range m {
			if want := d.Support(samples.RawRowView(j)); math.Float64bits(full[j]) != math.Float64bits(want) {
				t.Fatalf("full score %d is %v, want %v", j, full[j], want)
			}
			if _, want := set.WorstAtom(samples.RawRowView(j)); math.Float64bits(directional[j]) != math.Float64bits(want) {
				t.Fatalf("directional score %d is %v, want %v", j, directional[j], want)
			}
		}
	})
}

// allocated returns the bytes that a call allocates.
func allocated(call func()) int {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	call()
	runtime.ReadMemStats(&after)
	return int(after.TotalAlloc - before.TotalAlloc)
}

// The scores of many samples go through blocks: they hold neither all alignments nor a copy of the atoms.
func TestFullScoresAllocateBlocksAlone(t *testing.T) {
	const n, m, p = 20_000, 300, 8
	random := rand.New(rand.NewPCG(1, 1))
	atoms, samples := mat.NewDense(n, p, nil), mat.NewDense(m, p, nil)
	for _, values := range []*mat.Dense{atoms, samples} {
		values.Apply(func(_, _ int, _ float64) float64 { return random.NormFloat64() }, values)
	}
	d, err := sparsero.NewDictionary(atoms, nil)
	if err != nil {
		t.Fatal(err)
	}
	full, err := sparsero.FullSet(d, 1)
	if err != nil {
		t.Fatal(err)
	}
	used := allocated(func() {
		if _, err := DirectionalScores(full, samples); err != nil {
			t.Error(err)
		}
	})
	if most := n * p * 8 / 2; used > most {
		t.Errorf("%d bytes for %d samples of %d atoms, want at most %d", used, m, n, most)
	}
}

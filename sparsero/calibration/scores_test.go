package calibration

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sparsero/directions/sparsero"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// drawMatrix draws entries on a coarse grid, so that zero rows, repeated rows
// and ties occur.
func drawMatrix(t *rapid.T, name string, rows, columns int) *mat.Dense {
	values := rapid.SliceOfN(rapid.IntRange(-3, 3), rows*columns, rows*columns).Draw(t, name)
	m := mat.NewDense(rows, columns, nil)
	for i, v := range values {
		m.RawMatrix().Data[i] = float64(v) / 2
	}
	return m
}

// Scores against the definition, prefixes against sets, and Z_S <= Z_[N].
func TestDirectionalScores(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, p := rapid.IntRange(1, 7).Draw(t, "N"), rapid.IntRange(1, 4).Draw(t, "p")
		samples := drawMatrix(t, "samples", rapid.IntRange(1, 40).Draw(t, "m"), p)
		d, err := sparsero.NewDictionary(drawMatrix(t, "atoms", n, p), nil)
		if err != nil {
			t.Fatal(err)
		}
		seed := rapid.Uint64().Draw(t, "seed")
		path := rand.New(rand.NewPCG(seed, 1)).Perm(n)
		prefixes, err := PrefixScores(d, path, samples)
		if err != nil {
			t.Fatal(err)
		}
		full, err := fullScores(d, samples)
		if err != nil {
			t.Fatal(err)
		}
		m, _ := samples.Dims()
		for b := 1; b <= n; b++ {
			set, err := sparsero.NewAtomicSet(d, path[:b], 3)
			if err != nil {
				t.Fatal(err)
			}
			scores, err := DirectionalScores(set, samples)
			if err != nil {
				t.Fatal(err)
			}
			for j := range m {
				want := 0.
				for _, i := range path[:b] {
					want = math.Max(want, mat.Dot(mat.NewVecDense(p, d.Atom(i)), samples.RowView(j)))
				}
				if math.Abs(scores[j]-want) > 1e-12 || math.Abs(prefixes.At(j, b-1)-want) > 1e-12 {
					t.Fatalf("sample %d, b=%d: %g and %g, want %g", j, b, scores[j], prefixes.At(j, b-1), want)
				}
				if scores[j] > full[j] || b == n && scores[j] != full[j] {
					t.Fatalf("sample %d: Z_S=%g, Z_N=%g", j, scores[j], full[j])
				}
			}
		}
	})
}

// A prefix has the scores of its set to the last bit, so that a radius of the one tests the other.
func TestPrefixScoresHaveTheBitsOfTheirSets(t *testing.T) {
	random := rand.New(rand.NewPCG(50, 1))
	atoms, samples := mat.NewDense(20, 50, nil), mat.NewDense(100, 50, nil)
	for _, m := range []*mat.Dense{atoms, samples} {
		m.Apply(func(_, _ int, _ float64) float64 { return random.NormFloat64() }, m)
	}
	atoms.SetRow(0, append([]float64{1e16, 1, -1e16, 1}, make([]float64, 46)...))
	d, err := sparsero.NewDictionary(atoms, nil)
	if err != nil {
		t.Fatal(err)
	}
	path := random.Perm(20)
	prefixes, err := PrefixScores(d, path, samples)
	if err != nil {
		t.Fatal(err)
	}
	for b := range path {
		set, err := sparsero.NewAtomicSet(d, path[:b+1], 1)
		if err != nil {
			t.Fatal(err)
		}
		scores, err := DirectionalScores(set, samples)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(scores, mat.Col(nil, b, prefixes)) {
			t.Errorf("the first %d atoms have other bits as a prefix", b+1)
		}
	}
}

package gauge

import (
	"context"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sparsero/directions/sparsero/internal/kernel"
	"github.com/sparsero/directions/sparsero/internal/rank"
	"pgregory.net/rapid"
)

// rows are atoms one after the other.
type rows struct {
	p    int
	data []float64
}

func (r rows) Size() int            { return len(r.data) / r.p }
func (r rows) Atom(k int) []float64 { return r.data[k*r.p:][:r.p] }
func (r rows) Alignments(dst, y []float64) {
	kernel.Best().Alignments(dst, y, r.data, rank.Indices[int32](len(dst)))
}

func rational(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }

// exactWeights solves Σ a_k atom_k = u for p atoms in rational arithmetic.
func exactWeights(atoms [][]float64, u []float64) []*big.Rat {
	p := len(u)
	matrix := make([][]*big.Rat, p)
	for j := range matrix {
		matrix[j] = make([]*big.Rat, p+1)
		for k := range p {
			matrix[j][k] = rational(atoms[k][j])
		}
		matrix[j][p] = rational(u[j])
	}
	for k := range p {
		pivot := k
		for matrix[pivot][k].Sign() == 0 {
			pivot++
		}
		matrix[k], matrix[pivot] = matrix[pivot], matrix[k]
		for j := range p {
			if j == k || matrix[j][k].Sign() == 0 {
				continue
			}
			factor := new(big.Rat).Quo(matrix[j][k], matrix[k][k])
			for c := k; c <= p; c++ {
				matrix[j][c] = new(big.Rat).Sub(matrix[j][c], new(big.Rat).Mul(factor, matrix[k][c]))
			}
		}
	}
	weights := make([]*big.Rat, p)
	for k := range weights {
		weights[k] = new(big.Rat).Quo(matrix[k][p], matrix[k][k])
	}
	return weights
}

// exactDefect is ‖I - R B‖ in the maximum norm.
func exactDefect(g *Program) *big.Rat {
	inverse, columns, largest := g.basis.inverse, g.matrix(), new(big.Rat)
	for i := range g.dim {
		row := new(big.Rat)
		for j := range g.dim {
			entry := new(big.Rat)
			if i == j {
				entry.SetInt64(1)
			}
			for k := range g.dim {
				entry.Sub(entry, new(big.Rat).Mul(rational(inverse.At(i, k)), rational(columns.At(k, j))))
			}
			row.Add(row, entry.Abs(entry))
		}
		if row.Cmp(largest) > 0 {
			largest = row
		}
	}
	return largest
}

// sizeOfProduct is the largest sum of a row of |R| |B|.
func sizeOfProduct(g *Program) float64 {
	largest, columns := 0.0, g.matrix()
	for i := range g.dim {
		row := 0.0
		for j := range g.dim {
			for k := range g.dim {
				row += math.Abs(g.basis.inverse.At(i, k) * columns.At(k, j))
			}
		}
		largest = max(largest, row)
	}
	return largest
}

// checkCombination compares the weights of the basis with the exact ones.
func checkCombination(t interface {
	Fatalf(string, ...any)
	Helper()
}, atoms rows, c *Combination, u []float64) {
	t.Helper()
	basis := make([][]float64, len(c.Atoms))
	for i, k := range c.Atoms {
		basis[i] = atoms.Atom(k)
	}
	for i, exact := range exactWeights(basis, u) {
		miss := new(big.Rat).Add(rational(c.High[i]), rational(c.Low[i]))
		if miss.Sub(exact, miss); miss.Abs(miss).Cmp(rational(c.Error[i])) > 0 {
			t.Fatalf("weight %d: %v + %v within %v, exactly %s", i, c.High[i], c.Low[i], c.Error[i], exact.FloatString(40))
		}
	}
}

// The weights of a basis lie within their errors of the exact ones, at their full number of coordinates too.
func TestCombinationsEncloseTheExactWeights(t *testing.T) {
	proven := 0
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.IntRange(1, 5).Draw(t, "p")
		n := p + rapid.IntRange(0, 2).Draw(t, "atoms that are 0")
		atoms, u := rows{p, make([]float64, n*p)}, make([]float64, p)
		for k := range p {
			unit, weight := rapid.IntRange(-20, 20).Draw(t, "unit"), rapid.Float64Range(1, 9).Draw(t, "weight")
			for j := range p {
				v := rapid.Float64Range(-0.1, 0.1).Draw(t, "entry")
				if j == k {
					v += rapid.SampledFrom([]float64{-1, 1}).Draw(t, "sign")
				}
				atoms.data[k*p+j] = math.Ldexp(v, unit)
				u[j] += weight * atoms.data[k*p+j]
			}
		}
		g := New(atoms, p)
		if answer := g.Solve(context.Background(), u); answer.Outcome != Inside {
			t.Fatalf("outcome %v for positive weights", answer.Outcome)
		}
		if exact := exactDefect(g); exact.Cmp(rational(g.defect())) > 0 {
			t.Fatalf("I - R B has the norm %s, bounded by %v", exact.FloatString(30), g.defect())
		}
		off, _ := exactDefect(g).Float64()
		if rounding := float64(2*p+4) * 0x1p-53 * sizeOfProduct(g); g.defect() < 2*rounding*(1-1e-9) || g.defect() > 2*(off+2*rounding)*(1+1e-9) {
			t.Fatalf("I - R B has the norm %v up to %v, bounded by %v", off, rounding, g.defect())
		}
		if c, ok := g.Combination(); ok && len(c.Atoms) == p {
			proven++
			checkCombination(t, atoms, c, u)
			for i, width := range c.Error {
				if width > 0x1p-60*math.Max(c.High[i], 1) {
					t.Fatalf("weight %d: %v within %v says little", i, c.High[i], width)
				}
			}
		}
	})
	if proven == 0 {
		t.Error("no combination was proven")
	}
}

// What an inverse that is not exact misses of one weight counts for the others, which it gives without a rest.
func TestCombinationsOfAnInverseThatIsNotExact(t *testing.T) {
	const away = 0x1p-12
	for _, u := range [][]float64{{1, 0}, {0, 1}, {1, 1}, {3, -away}} {
		atoms := rows{2, []float64{1, away, away, 1}}
		g := New(atoms, 2)
		g.unit, g.lossy = g.scale(g.point, u)
		for k := range 2 {
			g.basis.columns[k], g.pool[k].row = k, k
			g.basis.inverse.Set(k, k, 2) // of the atoms without what they have of each other, in units of the program
		}
		c, ok := g.Combination()
		if !ok {
			t.Fatalf("%v: nothing is proven", u)
		}
		checkCombination(t, atoms, c, u)
	}
}

// What an ill-conditioned basis gives is enclosed or refused, not wrong.
func TestIllConditionedBases(t *testing.T) {
	refused := 0
	for digits := 16; digits < 50; digits++ { // that the rows 3, 5 and 6.3, 10.5 share
		atoms := rows{2, []float64{3, 6.3, 5, 10.5 + math.Ldexp(1, -digits)}}
		u := []float64{3./3 + 5./7, atoms.data[1]/3 + atoms.data[3]/7}
		g := New(atoms, 2)
		if answer := g.Solve(context.Background(), u); answer.Outcome != Inside {
			refused++
			continue
		}
		c, ok := g.Combination()
		if !ok {
			refused++
			continue
		}
		checkCombination(t, atoms, c, u)
	}
	if refused == 34 {
		t.Error("every system was refused")
	}
}

// Weights of a basis next to a singular one are enclosed or refused, and refused where its inverse has no digits.
func TestBasesNextToSingularOnes(t *testing.T) {
	refused := 0
	for digits := 16; digits < 50; digits++ {
		atoms := rows{2, []float64{3, 6.3, 5, 10.5 + math.Ldexp(1, -digits)}}
		u := []float64{3./3 + 5./7, atoms.data[1]/3 + atoms.data[3]/7}
		g := New(atoms, 2)
		g.unit, g.lossy = g.scale(g.point, u)
		g.basis.columns = []int{0, 1}
		if !g.refresh() {
			continue
		}
		if c, ok := g.Combination(); ok {
			checkCombination(t, atoms, c, u)
		} else if refused++; digits < 30 {
			t.Errorf("a determinant of 2^-%d is refused", digits)
		}
	}
	if refused == 0 {
		t.Error("no basis was refused")
	}
}

// Where atoms are generated, answers do not depend on points before, and the pool holds what one point asks for.
func TestPointsBeforeAreForgotten(t *testing.T) {
	const n, p = 3000, 10
	source := rand.New(rand.NewPCG(1, 1))
	atoms := rows{p, make([]float64, n*p)}
	for k := range atoms.data {
		atoms.data[k] = source.NormFloat64()
	}
	kept, u := New(atoms, p), make([]float64, p)
	for range 60 {
		for j := range u {
			u[j] = source.NormFloat64()
		}
		anew := New(atoms, p)
		for _, g := range []*Program{kept, anew} {
			if answer := g.Solve(context.Background(), u); answer.Outcome != Inside {
				t.Fatalf("outcome %v", answer.Outcome)
			}
		}
		checkState(t, kept)
		got, proven := kept.Combination()
		want, _ := anew.Combination()
		if !proven || !slices.Equal(got.Atoms, want.Atoms) || !slices.Equal(got.High, want.High) || !slices.Equal(got.Low, want.Low) {
			t.Fatalf("%v from a program that was used, %v from a new one", got, want)
		}
		if len(kept.pool) != len(anew.pool) || kept.Columns <= len(kept.pool) && kept.Columns != anew.Columns {
			t.Fatalf("%d columns in the pool, %d in a new one", len(kept.pool), len(anew.pool))
		}
	}
}

// A direction is orthogonal to the atoms of its basis in two words, far beyond one.
func TestDirectionsOfTwoWords(t *testing.T) {
	source := rand.New(rand.NewPCG(2, 2))
	for p := 5; p < 30; p += 3 {
		atoms, u := rows{p, make([]float64, (p-1)*p)}, make([]float64, p)
		for k := range atoms.data {
			atoms.data[k] = source.NormFloat64()
		}
		for k := range p - 1 {
			for j, v := range atoms.Atom(k) {
				u[j] += v / 3 // rounded out of the span of the atoms
			}
		}
		g := New(atoms, p)
		answer := g.Solve(context.Background(), u)
		if answer.Outcome != Outside {
			t.Fatalf("p = %d: outcome %v", p, answer.Outcome)
		}
		w := g.Direction(answer, true)
		for k := range p - 1 {
			sum := new(big.Rat)
			for j, v := range atoms.Atom(k) {
				word := new(big.Rat).Add(rational(w.High[j]), rational(w.Low[j]))
				sum.Add(sum, word.Mul(word, rational(v)))
			}
			if v, _ := sum.Float64(); v > 0 || v < -1e-16 {
				t.Errorf("p = %d: product %g with atom %d", p, v, k)
			}
		}
	}
}

// A point of any size is worked on as one of size 1, whichever of its coordinates are 0.
func TestPointsOfAnySize(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.IntRange(1, 4).Draw(t, "p")
		whole := rapid.Map(rapid.IntRange(-3, 3), func(k int) float64 { return float64(k) })
		atoms := rows{p, rapid.SliceOfN(whole, 6*p, 6*p).Draw(t, "atoms")}
		u := rapid.SliceOfN(whole, p, p).Filter(func(u []float64) bool { return slices.Max(u) > 0 }).Draw(t, "u")
		size, far := rapid.IntRange(-1000, 1000).Draw(t, "size"), make([]float64, p)
		for j, v := range u {
			far[j] = math.Ldexp(v, size)
		}
		near, distant := New(atoms, p), New(atoms, p)
		want, got := near.Solve(context.Background(), u), distant.Solve(context.Background(), far)
		if got != want || !slices.Equal(distant.basis.columns, near.basis.columns) {
			t.Fatalf("%v from %v at 2^%d, %v from %v at 1", got, distant.basis.columns, size, want, near.basis.columns)
		}
	})
}

package selection_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/sparsero/directions/sparsero/selection"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// exactCoverage is |T| F(S;T) in exact arithmetic for every set S of atoms, by bit mask.
func exactCoverage(atoms, directions *mat.Dense) []*big.Rat {
	n, p := atoms.Dims()
	m, _ := directions.Dims()
	values := make([]*big.Rat, 1<<n)
	for mask := range values {
		values[mask] = new(big.Rat)
	}
	alignments := make([]*big.Rat, n)
	for j := range m {
		for i := range n {
			alignments[i] = new(big.Rat)
			for k := range p {
				term := new(big.Rat).SetFloat64(atoms.At(i, k))
				alignments[i].Add(alignments[i], term.Mul(term, new(big.Rat).SetFloat64(directions.At(j, k))))
			}
		}
		for mask := range values {
			best := new(big.Rat)
			for _, i := range members(mask) {
				if alignments[i].Cmp(best) > 0 {
					best = alignments[i]
				}
			}
			values[mask].Add(values[mask], best)
		}
	}
	return values
}

// drawHard draws instances on which float64 loses most: mixed scales, cancellation, atoms
// that differ in single bits.
func drawHard(t *rapid.T) (atoms, directions *mat.Dense) {
	n, p, m := rapid.IntRange(1, 6).Draw(t, "N"), rapid.IntRange(1, 3).Draw(t, "p"), rapid.IntRange(1, 6).Draw(t, "M")
	integers := rapid.Bool().Draw(t, "integers")
	atoms, directions = drawMatrix(t, "atom", n, p, integers), drawMatrix(t, "direction", m, p, integers)
	switch rapid.SampledFrom([]string{"plain", "mixed", "cancelling", "nearly tied"}).Draw(t, "kind") {
	case "mixed":
		atoms.Apply(func(_, _ int, v float64) float64 { return math.Ldexp(v, rapid.IntRange(-40, 40).Draw(t, "size")) }, atoms)
	case "cancelling":
		for i := range n {
			atoms.Set(i, 0, atoms.At(i, 0)+1e9)
		}
		if p > 1 {
			for j := range m {
				directions.Set(j, 1, -1e9)
			}
		}
	case "nearly tied":
		for i := 1; i < n; i++ {
			for k := range p {
				atoms.Set(i, k, math.Nextafter(atoms.At(i-1, k), math.Inf(1)))
			}
		}
	}
	return atoms, directions
}

// Bounds are never below the optimum and ratios never above the truth, in exact
// arithmetic.
func TestBoundsHoldInExactArithmetic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		atoms, directions := drawHard(t)
		in := newInstance(t, atoms, directions)
		n, _ := atoms.Dims()
		m, _ := directions.Dims()
		values := exactCoverage(atoms, directions)
		for _, policy := range allPolicies() {
			checkBounds(t, selectAtoms(t, policy, in.coverage, n), values, m)
		}
	})
}

// checkBounds compares a selection with the exact values of all sets for m directions.
func checkBounds(t *rapid.T, s *selection.Selection, values []*big.Rat, m int) {
	t.Helper()
	mask := 0
	for b := 1; b <= s.Len(); b++ {
		optimum := new(big.Rat)
		for set, value := range values {
			if len(members(set)) <= b && value.Cmp(optimum) > 0 {
				optimum = value
			}
		}
		bound := new(big.Rat).SetFloat64(s.Bounds[b-1].Float())
		if bound.Mul(bound, big.NewRat(int64(m), 1)); bound.Cmp(optimum) < 0 {
			t.Fatalf("%s, B=%d: bound %v, below the optimum by %v", s.Policy, b, s.Bounds[b-1], new(big.Rat).Sub(optimum, bound).FloatString(40))
		}
		mask |= 1 << s.Atoms[b-1]
		ratio := new(big.Rat).SetFloat64(s.OptimalityRatio(b).Float())
		if ratio.Mul(ratio, optimum); ratio.Cmp(values[mask]) > 0 {
			t.Fatalf("%s, B=%d: ratio %v is above the truth", s.Policy, b, s.OptimalityRatio(b))
		}
	}
}

// Gains that a mean below the normal range rounds to 0 count: of 40 atoms on a circle, 13 cover more by 2^-1074 than
// a bound that took them for nothing.
func TestBoundsCountGainsThatVanish(t *testing.T) {
	const n = 40
	circle := mat.NewDense(n, 2, nil)
	for i := range n {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / n)
		circle.SetRow(i, []float64{5e-161 * cos, 5e-161 * sin})
	}
	s := selectAtoms(t, selection.Greedy{}, newInstance(t, circle, circle).coverage, n-1)
	for b := 2; b < n; b++ {
		value, even := new(big.Rat), make([]int, b) // evenly on the circle
		for k := range even {
			even[k] = k * n / b
		}
		for j := range n {
			best := new(big.Rat)
			for _, i := range even {
				alignment := new(big.Rat)
				for k := range 2 {
					term := new(big.Rat).SetFloat64(circle.At(i, k))
					alignment.Add(alignment, term.Mul(term, new(big.Rat).SetFloat64(circle.At(j, k))))
				}
				if alignment.Cmp(best) > 0 {
					best = alignment
				}
			}
			value.Add(value, best)
		}
		bound := new(big.Rat).SetFloat64(s.Bounds[b-1].Float())
		if bound.Mul(bound, big.NewRat(n, 1)).Cmp(value) < 0 {
			t.Errorf("B=%d: bound %v, but %d even atoms cover more", b, s.Bounds[b-1], b)
		}
	}
}

// Where nothing is rounded, what is proven optimal says so exactly.
func TestExactTiesStayExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 9).Draw(t, "N")
		scale := math.Ldexp(1, rapid.IntRange(-200, 200).Draw(t, "unit"))
		atoms, directions := drawMatrix(t, "atom", n, 2, true), drawMatrix(t, "direction", 8, 2, true)
		atoms.Scale(scale, atoms)
		in := newInstance(t, atoms, directions)
		s := selectAtoms(t, selection.Greedy{StopAtFull: true}, in.coverage, n)
		for b, value := range s.Coverage {
			if optimum := bruteForce(in.coverage, b+1); s.Bounds[b].Float() < optimum {
				t.Fatalf("bounds %v, optimum %v at %d", s.Bounds, optimum, b+1)
			}
			if value == s.Bounds[b].Float() && s.OptimalityRatio(b+1).Float() != 1 || value == s.FullCoverage && s.Bounds[b].Float() != value {
				t.Fatalf("coverage %v, bounds %v, ratio %v", s.Coverage, s.Bounds, s.OptimalityRatio(b+1))
			}
		}
	})
}

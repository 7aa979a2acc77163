package sparsero

import (
	"fmt"
	"math"
	"math/big"
	"slices"

	"github.com/sparsero/directions/solver/directed"
	"github.com/sparsero/directions/sparsero/input"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// AlignmentDeficit returns
//
//	Δ_S(s) = M_[N](s) - max(0, max_{i in S} <d_i,s>) >= 0,
//
// how much of the full dictionary's support the chosen atoms miss in direction
// s, not scaled by the radius. The result is never below the exact value for these
// numbers, mostly by one unit in the last place above it, and it is 0 where that is
// 0; it is +Inf where float64 does not carry Σ_j max_i |d_ij| |s_j|. It costs O(Np) and panics if s does not
// have length p.
func (a *AtomicSet) AlignmentDeficit(s []float64) float64 {
	return a.deficit(a.dictionary.Alignments(nil, s), s)
}

// Compare compares the set with the whole dictionary in direction s, from the alignments of
// all atoms with s as [Dictionary.Alignments] returns them, in O(N) time: the atom that
// [Dictionary.ActiveAtom] names, M_[N](s) and M_S(s), not scaled by the radius, and the deficit
// of [AtomicSet.AlignmentDeficit]. It panics if there are not N alignments, or s does not have
// length p.
func (a *AtomicSet) Compare(alignments, s []float64) (worst int, full, restricted, deficit float64) {
	a.dictionary.mustMatch("s", s)
	if len(alignments) != a.dictionary.Size() {
		panic(fmt.Sprintf("sparsero: got %d alignments for %d atoms; use Dictionary.Alignments", len(alignments), a.dictionary.Size()))
	}
	worst, full = active(alignments, nil)
	for _, i := range a.atoms {
		restricted = max(restricted, alignments[i])
	}
	return worst, full, restricted, a.deficit(alignments, s)
}

// AlignmentDeficits returns Δ_S(s) for each row s of an M×p matrix, in O(NMp)
// time. It is an error if directions is empty, not finite, or has another
// number of columns than p.
func (a *AtomicSet) AlignmentDeficits(directions mat.Matrix) ([]float64, error) {
	d := a.dictionary
	if err := input.CheckRows("directions", "direction", directions, d.Dim()); err != nil {
		return nil, fmt.Errorf("sparsero: %w", err)
	}
	rows, _ := directions.Dims()
	deficits := make([]float64, rows)
	direction, alignments := make([]float64, d.Dim()), make([]float64, d.Size())
	for j := range rows {
		mat.Row(direction, j, directions)
		deficits[j] = a.deficit(d.Alignments(alignments, direction), direction)
	}
	return deficits, nil
}

// deficit returns Δ_S(s) from all alignments with s. The atoms whose alignments lie
// within rounding of the largest are compared again, as differences in twice the
// precision, or exactly where that leaves the sign open.
func (a *AtomicSet) deficit(alignments, s []float64) float64 {
	if len(alignments) == 0 {
		return 0 // a set that was not built holds the null atom alone
	}
	slack := 2 * a.dictionary.AlignmentError(s)
	reach := max(0, slices.Max(alignments))
	if !(reach+slack < math.Inf(1)) { // an overflow, or a direction that is not finite
		return math.Inf(1)
	}
	best, level := NullAtom, 0.0
	for _, i := range a.atoms {
		v := alignments[i]
		if v >= level-slack && (v > level+slack || a.dictionary.excess(i, best, s) > 0) {
			best, level = i, v
		}
	}
	deficit := 0.0
	for i, v := range alignments {
		if v >= reach-slack && v >= level-slack && !slices.Contains(a.atoms, i) {
			deficit = max(deficit, a.dictionary.excess(i, best, s))
		}
	}
	return deficit
}

// excess returns <d_i - d_k, s> rounded up; it is positive exactly where the difference is.
func (d *Dictionary) excess(i, k int, s []float64) float64 {
	left, right := slices.Clone(d.atoms.RawRowView(i)), slices.Clone(s)
	if k != NullAtom {
		for j, v := range d.atoms.RawRowView(k) {
			left, right = append(left, -v), append(right, s[j])
		}
	}
	return dotUpper(left, right)
}

// dotUpper returns Σ_k a_k b_k rounded up; it is positive exactly where the sum is: rational
// arithmetic decides what twice the precision leaves open.
func dotUpper(a, b []float64) float64 {
	if lower, upper := directed.Dot(a, b); upper <= 0 || lower > 0 {
		return upper
	}
	exact := new(big.Rat)
	for k, v := range a {
		product := new(big.Rat).SetFloat64(v)
		exact.Add(exact, product.Mul(product, new(big.Rat).SetFloat64(b[k])))
	}
	return roundUp(exact)
}

// AlignmentReach is Σ_j max_i |d_ij| |s_j|, a size that no alignment <d_i,s> exceeds, but
// for rounding. It panics if s does not have length p.
func (d *Dictionary) AlignmentReach(s []float64) float64 {
	d.mustMatch("s", s)
	size := 0.0
	for j, v := range s {
		if d.reach[j] != 0 { // 0 times +Inf is 0 here
			size += d.reach[j] * math.Abs(v)
		}
	}
	return size
}

// AlignmentError bounds the rounding error of <d_i,s> in float64, in whatever order its
// products are added, for every atom: twice (p+1) 2^-53 Σ_j max_i |d_ij| |s_j|, and what
// underflows. It panics if s does not have length p.
func (d *Dictionary) AlignmentError(s []float64) float64 {
	p := float64(len(s))
	return (p+1)*0x1p-52*d.AlignmentReach(s) + p*math.SmallestNonzeroFloat64
}

// measure sets the largest norm and the largest size of each coordinate.
func (d *Dictionary) measure() {
	d.reach = make([]float64, d.Dim())
	for i := range d.Size() {
		row := d.atoms.RawRowView(i)
		d.maxNorm = max(d.maxNorm, floats.Norm(row, 2))
		for j, v := range row {
			d.reach[j] = max(d.reach[j], math.Abs(v))
		}
	}
}

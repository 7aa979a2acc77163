package sparsero

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"runtime"
	"slices"
	"sync"

	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/solver/proof/directed"
	"github.com/sparsero/directions/sparsero/internal/input"
	"github.com/sparsero/directions/sparsero/internal/kernel"
	"github.com/sparsero/directions/sparsero/internal/parallel"
	"github.com/sparsero/directions/sparsero/internal/rank"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// AlignmentDeficit returns
//
//	Δ_S(s) = M_[N](s) - max(0, max_{i in S} <d_i,s>) >= 0,
//
// how much of the full dictionary's support the chosen atoms miss in direction s, not scaled by the radius. The result
// is never below the exact value for these numbers, mostly by one unit in the last place above it, and it is 0 where
// that is 0; it is +Inf where float64 does not carry Σ_j max_i |d_ij| |s_j|. It costs O(Np) and panics if s does not
// have length p.
func (a *AtomicSet) AlignmentDeficit(s []float64) float64 {
	_, _, _, deficit := a.Compare(a.dictionary.Alignments(nil, s), s)
	return deficit
}

// Compare compares the set with the whole dictionary in direction s, from the alignments of all atoms with s as
// [Dictionary.Alignments] returns them, in O(N) time: the atom that [Dictionary.ActiveAtom] names, M_[N](s) and M_S(s),
// not scaled by the radius, and the deficit of [AtomicSet.AlignmentDeficit]. For an atom outside the set that is below
// M_S(s) an upper bound that is, too, may stand. It panics if there are not N alignments, or s does not have length p.
func (a *AtomicSet) Compare(alignments, s []float64) (worst int, full, restricted, deficit float64) {
	a.dictionary.mustMatch("s", s)
	if len(alignments) != a.dictionary.Size() {
		panic(fmt.Sprintf("sparsero: got %d alignments for %d atoms; use Dictionary.Alignments", len(alignments), a.dictionary.Size()))
	}
	if len(alignments) == 0 {
		return NullAtom, 0, 0, 0 // a set that was not built holds the null atom alone
	}
	leading, chosen := newLeaders(a.dictionary, s), newLeaders(a.dictionary, s)
	for i, v := range alignments {
		if v < leading.floor[0] && v >= -math.MaxFloat64 {
			continue // as nearly all are
		}
		leading.take(0, i, v)
	}
	if worst, full = leading.active(); isZero(s) { // all are equal
		worst, full = rank.Active(alignments[:1], nil)
	}
	for _, i := range a.atoms {
		restricted = max(restricted, alignments[i])
		chosen.see(i, alignments[i:i+1])
	}
	return worst, full, restricted, a.dictionary.deficit(leading, chosen, 0, s)
}

// AlignmentDeficits returns Δ_S(s) for each row s of an M×p matrix, in O(NMp) time. It is an error if directions is
// empty, not finite, or has another number of columns than p.
func (a *AtomicSet) AlignmentDeficits(directions mat.Matrix) ([]float64, error) {
	d := a.dictionary
	if err := input.CheckRows("directions", "direction", directions, d.Dim()); err != nil {
		return nil, fmt.Errorf("sparsero: %w", err)
	}
	m, p := directions.Dims()
	rows, deficits := input.Owned(directions).RawMatrix().Data, make([]float64, m)
	member := make([]bool, d.Size())
	for _, i := range a.atoms {
		member[i] = true
	}
	width := min(deficitDirections, max(1, m/runtime.GOMAXPROCS(0)))
	_ = parallel.Blocks(context.Background(), runtime.GOMAXPROCS(0), m, width, func(_, first, last int) error {
		full, chosen := newLeaders(d, rows[first*p:last*p]), newLeaders(d, rows[first*p:last*p])
		kernel.NewBlock(kernel.Best(), rows[first*p:last*p], p).Each(d.Size(), d.RawRowView, func(i int, alignments []float64) {
			full.see(i, alignments)
			if member[i] {
				chosen.see(i, alignments)
			}
		})
		for j := range last - first {
			deficits[first+j] = d.deficit(full, chosen, j, rows[(first+j)*p:][:p])
		}
		return nil
	}) // no work here fails, and the context never ends
	return deficits, nil
}

// deficitDirections is how many directions are compared at a time.
const deficitDirections = 512

// leaders are those of the vectors seen whose alignments with a direction lie within rounding of the largest, or of 0.
type leaders struct {
	reach, slack []float64 // the largest alignment, at least 0, and the distance that counts as rounding
	floor        []float64 // their difference
	found        [][]leader
}

type leader struct {
	index     int
	alignment float64
}

func newLeaders(d *Dictionary, directions []float64) *leaders {
	p := d.Dim()
	m := len(directions) / p
	l := &leaders{make([]float64, m), make([]float64, m), make([]float64, m), make([][]leader, m)}
	for j := range m {
		l.slack[j] = 2 * d.AlignmentError(directions[j*p:][:p])
		if l.floor[j] = -l.slack[j]; isZero(directions[j*p:][:p]) {
			l.floor[j] = math.Inf(1) // all would lead, by nothing
		}
	}
	return l
}

func (l *leaders) see(index int, alignments []float64) {
	for j, v := range alignments {
		if !(v < l.floor[j]) { // nor where one of them is beyond float64
			l.take(j, index, v)
		}
	}
}

// take notes a vector whose alignment with direction j reaches the floor.
func (l *leaders) take(j, index int, v float64) {
	l.found[j] = append(l.found[j], leader{index, v})
	if v > l.reach[j] {
		if l.reach[j], l.floor[j] = v, v-l.slack[j]; math.IsInf(v, 1) {
			l.floor[j] = math.Inf(-1) // its size is not known: all that follow may lead
		}
	}
}

// active is what [rank.Active] says of the vectors seen, for the first direction.
func (l *leaders) active() (index int, value float64) {
	indices, alignments := make([]int, len(l.found[0])), make([]float64, len(l.found[0]))
	for k, seen := range l.found[0] {
		indices[k], alignments[k] = seen.index, seen.alignment
	}
	return rank.Active(alignments, indices)
}

// deficit returns Δ_S(s) for direction j of the leaders among all atoms and among those of the set. They are compared
// again, as differences in twice the precision, or exactly where that leaves the sign open.
func (d *Dictionary) deficit(full, chosen *leaders, j int, s []float64) float64 {
	if slices.ContainsFunc(s, func(v float64) bool { return v-v != 0 }) {
		return math.Inf(1) // the direction is not finite
	}
	slack, reach := full.slack[j], full.reach[j]
	if math.IsInf(reach, 1) {
		slack = reach // all are compared again
	}
	best, level, covered := NullAtom, 0.0, make(map[int]bool, len(chosen.found[j]))
	slices.SortFunc(chosen.found[j], func(a, b leader) int { return a.index - b.index })
	for _, l := range chosen.found[j] {
		covered[l.index] = true
		if v := l.alignment; !(v < level-slack) && (v > level+slack || d.excess(l.index, best, s) > 0) {
			best, level = l.index, v
		}
	}
	deficit := 0.0
	for _, l := range full.found[j] { // those of the set exceed its best one by nothing
		if v := l.alignment; !covered[l.index] && !(v < reach-slack || v < level-slack) {
			deficit = max(deficit, d.excess(l.index, best, s))
		}
	}
	return deficit
}

// excess returns <d_i - d_k, s> rounded up; it is positive exactly where the difference is.
func (d *Dictionary) excess(i, k int, s []float64) float64 {
	return differenceUpper(d.atoms.RawRowView(i), d.Atom(k), s)
}

// differenceUpper returns <a - b, s> rounded up; it is positive exactly where the product is: rational arithmetic
// decides what twice the precision leaves open.
func differenceUpper(a, b, s []float64) float64 {
	var sum directed.Sum
	for j, v := range a {
		sum.AddProduct(v, s[j])
	}
	for j, v := range b {
		sum.AddProduct(-v, s[j])
	}
	if upper := sum.Upper(); upper <= 0 || sum.Lower() > 0 && upper < math.Inf(1) {
		return upper
	}
	exact := new(big.Rat)
	for j, v := range a {
		difference := new(big.Rat).SetFloat64(v)
		difference.Sub(difference, new(big.Rat).SetFloat64(b[j]))
		exact.Add(exact, difference.Mul(difference, new(big.Rat).SetFloat64(s[j])))
	}
	return proof.UpperOf(exact).Float()
}

// AlignmentReach is Σ_j max_i |d_ij| |s_j|, a size that no alignment <d_i,s> exceeds, but
// for rounding. It panics if s does not have length p.
func (d *Dictionary) AlignmentReach(s []float64) float64 {
	d.mustMatch("s", s)
	if len(s) == 0 {
		return 0
	}
	size, reach := 0.0, d.reach()
	for j, v := range s {
		if reach[j] != 0 { // 0 times +Inf is 0 here
			size += reach[j] * math.Abs(v)
		}
	}
	return size
}

// AlignmentError bounds the rounding error of <d_i,s> in float64, in whatever order its products are added, for every
// atom: twice (p+1) 2^-53 Σ_j max_i |d_ij| |s_j|, and what underflows. It panics if s does not have length p.
func (d *Dictionary) AlignmentError(s []float64) float64 {
	p := float64(len(s))
	return (p+1)*0x1p-52*d.AlignmentReach(s) + p*math.SmallestNonzeroFloat64
}

// The share of the largest norm so far from which on a norm is computed with care, and the norm from whose square nothing that
// counts is lost below the range of float64.
const (
	nearNorm  = 1 - 0x1p-30
	smallNorm = 0x1p-400
)

// measured prepares the largest norm and sizes for the first call that asks for them, as a dictionary that comes from a
// file, or is a part of another one, may need neither.
func (d *Dictionary) measured() *Dictionary {
	d.norm = sync.OnceValue(d.largestNorm)
	d.reach = sync.OnceValue(func() []float64 { sizes, _ := largestSizes(d.atoms); return sizes })
	return d
}

// largestNorm is the largest norm of an atom, +Inf for one beyond float64.
func (d *Dictionary) largestNorm() (largest float64) {
	for i := range d.Size() {
		atom := d.atoms.RawRowView(i)
		// A sum of squares, which takes a sixth of the time, tells most norms from the largest one.
		if quick := math.Sqrt(floats.Dot(atom, atom)); !(quick > smallNorm && quick < largest*nearNorm) {
			if norm := floats.Norm(atom, 2); !(norm <= largest) {
				largest = norm
			}
		}
	}
	return largest
}

// sizedTogether is how many numbers outweigh a call that measures them.
const sizedTogether = 256

// largestSizes is the largest size of each coordinate, and the sum of the squares of all numbers, in one pass.
func largestSizes(atoms *mat.Dense) (sizes []float64, squares float64) {
	n, p := atoms.Dims()
	wide := p * min(n, 1+sizedTogether/p)                         // some atoms at a time
	sizes, single := make([]float64, wide), make([]float32, wide) // which nobody reads
	for rows := range slices.Chunk(atoms.RawMatrix().Data[:n*p], wide) {
		squares += kernel.Best().Narrow(single, rows, 1, sizes)
	}
	for j := p; j < wide; j++ {
		sizes[j%p] = max(sizes[j%p], sizes[j])
	}
	return slices.Clone(sizes[:p]), squares
}

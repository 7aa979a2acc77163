package robust

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/internal/rank"
)

// exposed is a direction q(x) through which a decision meets the uncertainty, with its alignments ⟨d_i, q(x)⟩ with all
// atoms of the dictionary.
type exposed struct {
	direction, alignments []float64
	outside               *outside // nil if all atoms are in the dictionary
}

// outside is what an oracle says of the atoms that are not in the dictionary.
type outside struct {
	upper float64 // at least 0; ⟨d, q(x)⟩ is at most this
	exact bool    // the direction is q(x) without rounding errors
}

// expose evaluates one exposure at x: O(Np) on all cores.
func (p *Problem) expose(exposure int, x []float64) exposed {
	return exposed{direction: p.exposureMap(exposure).Apply(x)}.with(p.dictionary)
}

// with returns the same with the alignments of the atoms of a dictionary.
func (e exposed) with(d *sparsero.Dictionary) exposed {
	e.alignments = d.Alignments(nil, e.direction)
	return e
}

// exposeAll evaluates every exposure at x.
func (p *Problem) exposeAll(x []float64) []exposed {
	var all []exposed
	for _, exposure := range p.exposures() {
		all = append(all, p.expose(exposure, x))
	}
	return all
}

// scaled multiplies the direction by 2^exponent.
func (e exposed) scaled(exponent int) exposed {
	scale := func(values []float64) []float64 {
		scaled := make([]float64, len(values))
		for k, v := range values {
			scaled[k] = math.Ldexp(v, exponent)
		}
		return scaled
	}
	return exposed{direction: scale(e.direction), alignments: scale(e.alignments)}
}

// probes is the growing set T of directions of Algorithm 1 with the atoms S that serve them.
type probes struct {
	revealed   []exposed
	full, best []float64 // M_[N] and M_S in each direction
	atoms      []int
	chosen     []bool
	most       []float64 // |T| times the gain of each atom is at most this but for rounding; +Inf where nothing is known
	computed   int       // gains
}

func newProbes(atoms int) *probes {
	t := &probes{}
	t.extend(atoms)
	return t
}

// extend makes room for so many atoms, of whose gains nothing is known unless T is empty.
func (t *probes) extend(atoms int) {
	most := 0.0
	if len(t.revealed) > 0 {
		most = math.Inf(1)
	}
	t.most = append(t.most, slices.Repeat([]float64{most}, atoms-len(t.most))...)
	t.chosen = append(t.chosen, make([]bool, atoms-len(t.chosen))...)
}

// reveal adds a direction to T.
func (t *probes) reveal(e exposed) {
	best := 0.0
	for _, i := range t.atoms {
		best = max(best, e.alignments[i])
	}
	for i, alignment := range e.alignments {
		t.most[i] += max(0, alignment-best)
	}
	t.revealed = append(t.revealed, e)
	t.full, t.best = append(t.full, max(0, slices.Max(e.alignments))), append(t.best, best)
}

// grow takes in the atoms that a dictionary has behind those known so far.
func (t *probes) grow(d *sparsero.Dictionary) {
	for s, e := range t.revealed {
		t.revealed[s] = e.with(d)
	}
	t.extend(d.Size())
}

// choose adds an atom to S.
func (t *probes) choose(atom int) {
	t.chosen[atom] = true
	t.atoms = append(t.atoms, atom)
	for s, e := range t.revealed {
		t.best[s] = max(t.best[s], e.alignments[atom])
	}
}

// coverage returns F(S;T) and F([N];T), 0 without directions.
func (t *probes) coverage() (restricted, full float64) {
	for s := range t.revealed {
		restricted += t.best[s]
		full += t.full[s]
	}
	size := float64(max(1, len(t.revealed)))
	return restricted / size, full / size
}

// gain returns by how much F(S;T) would grow with an atom; T must not be empty. It adds as package selection does, in
// four sums by s modulo 4, the last |T| modulo 4 directions in the first, so that both find the same bits.
func (t *probes) gain(atom int) float64 {
	t.computed++
	var sums [4]float64
	whole := len(t.revealed) / 4 * 4
	for s, e := range t.revealed {
		k := 0
		if s < whole {
			k = s % 4
		}
		sums[k] += max(0, e.alignments[atom]-t.best[s])
	}
	return ((sums[0] + sums[1]) + (sums[2] + sums[3])) / float64(len(t.revealed))
}

// largestGain returns the atom outside S with the largest gain, of those that are not closed, ties to the lowest index;
// sparsero.NullAtom if there is none. An atom that joins S never raises a gain, and a direction that joins T raises it by
// what that says: most gains need not be computed again.
func (t *probes) largestGain(closed []bool) int {
	size := float64(len(t.revealed))
	rounding := 1 + (size+8)*0x1p-50 // of two sums over T and a few products
	open := func(i int) bool { return !t.chosen[i] && !closed[i] }
	best, largest := sparsero.NullAtom, 0.0
	look := func(i int) {
		gain := t.gain(i)
		t.most[i] = gain * size
		if best == sparsero.NullAtom || rank.Ahead(gain, i, largest, best) {
			best, largest = i, gain
		}
	}
	for i, most := range t.most {
		if open(i) && (best == sparsero.NullAtom || most > t.most[best]) {
			best = i
		}
	}
	if best == sparsero.NullAtom {
		return best
	}
	look(best)
	for i, most := range t.most {
		if most*rounding >= largest*size && i != best && open(i) {
			look(i)
		}
	}
	return best
}

// smallestDeficit returns the atom outside S with which S misses least over T, of those that are not closed, ties to the larger
// gain; sparsero.NullAtom if there is none.
func (t *probes) smallestDeficit(closed []bool) int {
	deficits := make([]float64, len(t.chosen))
	for s, e := range t.revealed {
		for i, alignment := range e.alignments {
			deficits[i] = max(deficits[i], t.full[s]-max(t.best[s], alignment))
		}
	}
	best := sparsero.NullAtom
	for i, deficit := range deficits {
		if t.chosen[i] || closed[i] {
			continue
		}
		if best == sparsero.NullAtom || deficit < deficits[best] || deficit == deficits[best] && t.gain(i) > t.gain(best) {
			best = i
		}
	}
	return best
}

// matrix returns the directions as rows, nil if there are none.
func (t *probes) matrix() *mat.Dense {
	if len(t.revealed) == 0 {
		return nil
	}
	m := mat.NewDense(len(t.revealed), len(t.revealed[0].direction), nil)
	for s, e := range t.revealed {
		m.SetRow(s, e.direction)
	}
	return m
}

package robust

import (
	"cmp"
	"math"
	"slices"

	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/internal/input"
	"gonum.org/v1/gonum/mat"
)

// exposed is a direction q(x) through which a decision meets the uncertainty, with its alignments ⟨d_i, q(x)⟩ with all
// atoms of its set, and where these atoms and the coordinates begin among those of all sets. In the place of an
// alignment that is below the largest of the model's rows there may be an upper bound, which is below that, too.
type exposed struct {
	direction, alignments []float64
	atom, coordinate      int
	outside               *outside // nil if all atoms are in the dictionary
}

// alignment is that of an atom of the problem, 0 for those of other sets.
func (e exposed) alignment(atom int) float64 {
	if atom < e.atom || atom >= e.atom+len(e.alignments) {
		return 0
	}
	return e.alignments[atom-e.atom]
}

// outside is what an oracle says of the atoms that are not in the dictionary.
type outside struct {
	upper float64 // at least 0; ⟨d, q(x)⟩ is at most this
	exact bool    // the direction is q(x) without rounding errors
}

// expose evaluates one exposure at x: O(Np) on all cores.
func (p *Problem) expose(exposure int, x []float64) exposed {
	set := p.dictionary.at(exposure)
	return exposed{direction: p.exposureMap(exposure).Apply(x), atom: set.atom, coordinate: set.coordinate}.with(set.dictionary)
}

// with returns the same with the alignments of the atoms of a dictionary.
func (e exposed) with(d *sparsero.Dictionary) exposed {
	e.alignments = d.Alignments(nil, e.direction)
	return e
}

func (p *Problem) exposeAll(x []float64) []exposed {
	exposures := p.exposures()
	all := make([]exposed, len(exposures))
	for k, exposure := range exposures {
		all[k] = p.expose(exposure, x)
	}
	return all
}

func (e exposed) scaled(exponent int) exposed {
	scale := func(values []float64) []float64 {
		scaled := make([]float64, len(values))
		for k, v := range values {
			scaled[k] = math.Ldexp(v, exponent)
		}
		return scaled
	}
	e.direction, e.alignments = scale(e.direction), scale(e.alignments)
	return e
}

// probes is the growing set T of directions of Algorithm 1 with the atoms S that serve them. Of the alignments it keeps
// those above M_S, without which no atom gains; S grows, so that they only become fewer.
type probes struct {
	directions [][]float64
	coordinate []int       // of the first number of each direction
	full, best []float64   // M_[N] and M_S in each direction
	above      [][]aligned // in each direction the alignments above M_S, by atom
	atoms      []int
	chosen     []bool
	sums       [][4]float64 // for each atom, zeros between two calls of gains
	found      []aligned    // room for a list that nobody keeps, so that it grows to its size once
}

// aligned is an atom with its alignment, or with its gain.
type aligned struct {
	atom  int
	value float64
}

func (t *probes) reveal(e exposed) {
	best := 0.0
	for _, i := range t.atoms {
		best = max(best, e.alignment(i))
	}
	t.found = exceeding(t.found[:0], best, e.alignments, e.atom)
	t.directions, t.coordinate = append(t.directions, e.direction), append(t.coordinate, e.coordinate)
	t.above = append(t.above, slices.Clone(t.found))
	t.full, t.best = append(t.full, max(0, slices.Max(e.alignments))), append(t.best, best)
}

// exceeding appends the alignments above a level of atoms from one on.
func exceeding(list []aligned, level float64, alignments []float64, from int) []aligned {
	for i, v := range alignments {
		if v > level {
			list = append(list, aligned{from + i, v})
		}
	}
	return list
}

// grow takes in the atoms that a dictionary has behind those known so far.
func (t *probes) grow(d *sparsero.Dictionary) {
	for s, direction := range t.directions {
		t.above[s] = exceeding(t.above[s], t.best[s], d.Alignments(nil, direction)[len(t.chosen):], len(t.chosen))
	}
	t.chosen = append(t.chosen, make([]bool, d.Size()-len(t.chosen))...)
}

func (t *probes) choose(atom int) {
	t.chosen[atom] = true
	t.atoms = append(t.atoms, atom)
	for s := range t.directions {
		if best := t.alignment(s, atom); best > t.best[s] {
			t.best[s] = best
			t.above[s] = slices.DeleteFunc(t.above[s], func(a aligned) bool { return a.value <= best })
		}
	}
}

// alignment is that of an atom in a direction, or M_S where it is not above that.
func (t *probes) alignment(s, atom int) float64 {
	k, found := slices.BinarySearchFunc(t.above[s], atom, func(a aligned, atom int) int { return cmp.Compare(a.atom, atom) })
	if !found {
		return t.best[s]
	}
	return t.above[s][k].value
}

// coverage returns F(S;T) and F([N];T), 0 without directions.
func (t *probes) coverage() (restricted, full float64) {
	for s := range t.directions {
		restricted += t.best[s]
		full += t.full[s]
	}
	size := float64(max(1, len(t.directions)))
	return restricted / size, full / size
}

// gains lists the atoms with which F(S;T) would grow, in no order, with by how much, until the next call of a method; T must
// not be empty.
func (t *probes) gains() []aligned {
	t.sums, t.found = append(t.sums, make([][4]float64, len(t.chosen)-len(t.sums))...), t.found[:0]
	for s, above := range t.above {
		group := t.group(s)
		for _, a := range above {
			t.sums[a.atom][group] += a.value - t.best[s]
		}
	}
	for _, above := range t.above {
		for _, a := range above {
			if sums := &t.sums[a.atom]; *sums != [4]float64{} {
				t.found = append(t.found, aligned{a.atom, t.mean(sums)})
				*sums = [4]float64{}
			}
		}
	}
	return t.found
}

// gain returns by how much F(S;T) would grow with an atom, with the bits of gains.
func (t *probes) gain(atom int) float64 {
	var sums [4]float64
	for s, best := range t.best {
		sums[t.group(s)] += t.alignment(s, atom) - best
	}
	return t.mean(&sums)
}

// group says in which of four sums a direction counts: by s modulo 4, the last |T| modulo 4 directions in the first. So
// package selection adds, and both find the same bits.
func (t *probes) group(s int) int {
	if s < len(t.above)/4*4 {
		return s % 4
	}
	return 0
}

// mean is the mean over T of what is in the four sums.
func (t *probes) mean(sums *[4]float64) float64 {
	return ((sums[0] + sums[1]) + (sums[2] + sums[3])) / float64(len(t.above))
}

// worstDeficit returns what S with an atom misses at most, over T.
func (t *probes) worstDeficit(atom int) float64 {
	deficit := 0.0
	for s, full := range t.full {
		deficit = max(deficit, full-t.alignment(s, atom))
	}
	return deficit
}

// matrix returns the directions as rows in all p coordinates, nil if there are none, or more than memory holds.
func (t *probes) matrix(p int) *mat.Dense {
	if len(t.directions) == 0 || input.CheckSize("T", len(t.directions), p) != nil {
		return nil
	}
	m := mat.NewDense(len(t.directions), p, nil)
	for s, direction := range t.directions {
		copy(m.RawRowView(s)[t.coordinate[s]:], direction)
	}
	return m
}

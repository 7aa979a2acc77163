package robust

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/sparsero"
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
}

// reveal adds a direction to T.
func (t *probes) reveal(e exposed) {
	best := 0.0
	for _, i := range t.atoms {
		best = max(best, e.alignments[i])
	}
	t.revealed = append(t.revealed, e)
	t.full, t.best = append(t.full, max(0, slices.Max(e.alignments))), append(t.best, best)
}

// grow takes in the atoms that a dictionary has behind those known so far.
func (t *probes) grow(d *sparsero.Dictionary) {
	for s, e := range t.revealed {
		t.revealed[s] = e.with(d)
	}
	t.chosen = append(t.chosen, make([]bool, d.Size()-len(t.chosen))...)
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

// gains returns by how much F(S;T) would grow with each atom; T must not be empty. It adds as package selection does, in
// four sums by s modulo 4, the last |T| modulo 4 directions in the first, so that both find the same bits.
func (t *probes) gains() []float64 {
	var sums [4][]float64
	for k := range sums {
		sums[k] = make([]float64, len(t.chosen))
	}
	for s, e := range t.revealed {
		sum := sums[0]
		if s < len(t.revealed)/4*4 {
			sum = sums[s%4]
		}
		for i, alignment := range e.alignments {
			sum[i] += max(0, alignment-t.best[s])
		}
	}
	gains := sums[0]
	for i := range gains {
		gains[i] = ((sums[0][i] + sums[1][i]) + (sums[2][i] + sums[3][i])) / float64(len(t.revealed))
	}
	return gains
}

// worstDeficits returns what S with each atom misses at most, over T.
func (t *probes) worstDeficits() []float64 {
	deficits := make([]float64, len(t.chosen))
	for s, e := range t.revealed {
		for i, alignment := range e.alignments {
			deficits[i] = max(deficits[i], t.full[s]-max(t.best[s], alignment))
		}
	}
	return deficits
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

package robust

import (
	"math"

	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/internal/kernel"
	"gonum.org/v1/gonum/floats"
)

// look evaluates all exposures at x, from the second time on by what the last look tells: near the end of the work the
// decision moves little, and nearly all atoms stay below those of the model.
func (m *master) look(x []float64) []exposed {
	before := m.looked
	if before == nil {
		m.looked = m.problem.exposeAll(x)
		return m.looked
	}
	exposures, own := m.problem.exposures(), m.problem.dictionary.bySet(m.atoms)
	all := make([]exposed, len(before))
	for k, exposure := range exposures {
		set := m.problem.dictionary.at(exposure)
		all[k] = before[k]
		all[k].direction, all[k].alignments = m.problem.exposureMap(exposure).Apply(x), make([]float64, set.dictionary.Size())
		all[k].settle(set.dictionary, own[set]) // what the rows cover, before bounds stand there
	}
	for k, covered := range m.covered(all) {
		set := m.problem.dictionary.at(exposures[k])
		if near, few := all[k].near(set.dictionary, before[k], covered); few {
			all[k].settle(set.dictionary, append(near, own[set]...))
		} else {
			all[k].alignments = set.dictionary.Alignments(all[k].alignments, all[k].direction)
		}
	}
	m.looked = all
	return all
}

// settle computes the alignments of some atoms of the dictionary.
func (e exposed) settle(d *sparsero.Dictionary, atoms []int) {
	rows, _ := d.Rows(nil, 0, d.Size()) // in memory, which does not fail
	values, places := make([]float64, len(atoms)), make([]int32, len(atoms))
	for k, i := range atoms {
		places[k] = int32(i)
	}
	kernel.Best().Alignments(values, e.direction, rows, places)
	for k, i := range atoms {
		e.alignments[i] = values[k]
	}
}

// near sets every alignment to a bound, and lists the atoms whose bound is not below a level, unless they are many. No
// alignment has grown since the look before by more than Σ_j max_i |d_ij| |Δ_j|, where Δ is the way between both
// directions, and rounding errors.
func (e exposed) near(d *sparsero.Dictionary, before exposed, level float64) (atoms []int, few bool) {
	way := floats.SubTo(make([]float64, len(e.direction)), e.direction, before.direction)
	growth := d.AlignmentReach(way) + lookRoundings*(d.AlignmentError(way)+d.AlignmentError(e.direction))
	below := func(bound float64) bool { return bound < level && !math.IsInf(bound, -1) }
	left := len(e.alignments) / aloneShare
	for i, v := range before.alignments {
		if e.alignments[i] = v + growth; below(e.alignments[i]) {
			continue
		}
		if left--; left < 0 {
			return nil, false
		}
	}
	for i, bound := range e.alignments {
		if !below(bound) {
			atoms = append(atoms, i)
		}
	}
	return atoms, true
}

const (
	// lookRoundings is how often the errors of alignments with Δ and with the direction count in a bound: 4 and 6 times
	// would do, for Δ, for the look before, whose error is at most both, for this one, and for what counts as a tie.
	lookRoundings = 8
	// aloneShare is the share of the atoms, one in so many, up to which those that are left are looked at alone: more
	// are read faster with all the others, in order.
	aloneShare = 8
)

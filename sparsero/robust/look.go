package robust

import (
	"math"
	"slices"

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
	exposures, atoms := m.problem.exposures(), slices.Sorted(slices.Values(m.atoms))
	all, own := make([]exposed, len(before)), make([][]int32, len(before))
	for k, exposure := range exposures {
		set := m.problem.dictionary.at(exposure)
		all[k], own[k] = before[k], set.own(atoms)
		all[k].direction, all[k].alignments = m.problem.exposureMap(exposure).Apply(x), make([]float64, set.dictionary.Size())
		all[k].settle(set.dictionary, own[k])
	}
	for k, covered := range m.covered(all) {
		d := m.problem.dictionary.at(exposures[k]).dictionary
		if near, few := all[k].near(d, before[k], covered); few {
			all[k].settle(d, append(near, own[k]...))
		} else {
			all[k].alignments = d.Alignments(all[k].alignments, all[k].direction)
		}
	}
	m.looked = all
	return all
}

// own lists those of the sorted atoms that are in the set, by their places in its dictionary.
func (s *summand) own(atoms []int) (places []int32) {
	from, _ := slices.BinarySearch(atoms, s.atom)
	to, _ := slices.BinarySearch(atoms, s.atom+s.dictionary.Size())
	for _, atom := range atoms[from:to] {
		places = append(places, int32(atom-s.atom))
	}
	return places
}

// settle computes the alignments of some atoms of the dictionary.
func (e exposed) settle(d *sparsero.Dictionary, atoms []int32) {
	rows, _ := d.Rows(nil, 0, d.Size()) // in memory, which does not fail
	values := make([]float64, len(atoms))
	kernel.Best().Alignments(values, e.direction, rows, atoms)
	for k, i := range atoms {
		e.alignments[i] = values[k]
	}
}

// near sets every alignment to a bound, and lists the atoms whose bound is not below a level, unless they are many. No
// alignment has grown since the look before by more than Σ_j max_i |d_ij| |Δ_j|, where Δ is the way between both
// directions, and rounding errors.
func (e exposed) near(d *sparsero.Dictionary, before exposed, level float64) (atoms []int32, few bool) {
	way := floats.SubTo(make([]float64, len(e.direction)), e.direction, before.direction)
	growth := d.AlignmentReach(way) + lookRoundings*(d.AlignmentError(way)+d.AlignmentError(e.direction))
	most := len(e.alignments) / manyToOneNear
	for i, v := range before.alignments {
		bound := v + growth
		if e.alignments[i] = bound; bound < level && !math.IsInf(bound, -1) {
			continue
		}
		if len(atoms) == most {
			return nil, false
		}
		atoms = append(atoms, int32(i))
	}
	return atoms, true
}

const (
	// lookRoundings is how often the errors of alignments with Δ and with the direction count in a bound: 4 and 6 times
	// would do, for Δ, for the look before, whose error is at most both, for this one, and for what counts as a tie.
	lookRoundings = 8
	// manyToOneNear is how many atoms there are for each that may be looked at alone: all in their order are read faster.
	manyToOneNear = 8
)

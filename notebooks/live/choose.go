package live

import (
	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/selection"
)

// choice asks for greedy's picks, and what the set of their radius makes of a direction and of a point.
type choice struct {
	atoms
	Probes, Budget   int
	Radius           float64
	Direction, Point []float64
}

// chosen is the answer. Coverage and Proven are shares, for 1, 2, … atoms.
type chosen struct {
	Chosen                   []int
	Labels                   []string
	Gains, Coverage          []float64
	Proven                   []proof.Lower
	Support, Full, Deficit   float64 // in the direction, the first times the radius, the others at radius 1
	WorstChosen, WorstOfAll  string
	Gauge                    float64 // of the point, +Inf outside the cone
	Hull, SetHull            [][]float64
	ReachedByFew, ReachedAll []float64 // the heights over the probes, if a page can draw so many
}

// mostHeights is the largest number of probes whose heights a page draws.
const mostHeights = 360

func choose(c *choice) any {
	d := c.dictionary()
	answer := &chosen{}
	probes := c.probes(c.Probes, d.Dim())
	indices, kept := candidates(d)
	coverage := must(selection.NewCoverage(kept, probes, nil))
	answer.pick(coverage, indices, min(c.Budget, coverage.Size()))
	set := must(sparsero.NewAtomicSet(d, answer.Chosen, c.Radius))
	for _, i := range answer.Chosen {
		answer.Labels = append(answer.Labels, d.Label(i))
	}
	if len(c.Direction) > 0 {
		worst, _ := set.WorstAtom(c.Direction)
		all, height := d.ActiveAtom(c.Direction)
		answer.Support, answer.Full, answer.Deficit = set.Support(c.Direction), height, set.AlignmentDeficit(c.Direction)
		answer.WorstChosen, answer.WorstOfAll = d.Label(worst), d.Label(all)
	}
	if len(c.Point) > 0 {
		var err error
		answer.Gauge, _, err = set.Gauge(c.Point)
		check(err)
	}
	if rows := probes.RawMatrix().Rows; rows <= mostHeights {
		answer.ReachedAll = coverage.Deficits(nil)
		for j, missed := range must(set.AlignmentDeficits(probes)) {
			answer.ReachedByFew = append(answer.ReachedByFew, answer.ReachedAll[j]-missed)
		}
	}
	if d.Dim() == 2 {
		answer.Hull, answer.SetHull = hull(d, indices), hull(d, answer.Chosen)
	}
	return answer
}

// pick lets greedy choose until nothing is to be gained; indices are the places of the candidates in the dictionary.
func (c *chosen) pick(coverage *selection.Coverage, indices []int, budget int) {
	s := must(selection.Greedy{}.Select(background, coverage, budget))
	for b, i := range s.Atoms {
		if s.Gains[b] <= 0 {
			break
		}
		if len(indices) > 0 {
			i = indices[i]
		}
		c.Chosen, c.Gains = append(c.Chosen, i), append(c.Gains, s.Gains[b])
		c.Coverage, c.Proven = append(c.Coverage, s.CoverageRatio(b+1)), append(c.Proven, s.OptimalityRatio(b+1))
	}
}

// hull are the corners of conv({0} ∪ {d_i}) in the plane, counter-clockwise.
func hull(d *sparsero.Dictionary, indices []int) (corners [][]float64) {
	x, y := []float64{0}, []float64{0}
	for _, i := range indices {
		x, y = append(x, d.Atom(i)[0]), append(y, d.Atom(i)[1])
	}
	for _, k := range sparsero.PlanarHull(x, y) {
		corners = append(corners, []float64{x[k], y[k]})
	}
	return corners
}

package certificate

import (
	"container/heap"
	"context"
	"math"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
)

// proofAccuracy is the relative accuracy to which Prove determines a radius.
const proofAccuracy = 1e-2

// Prove determines how good a net the probes are of q(X), for an affine q and a
// polyhedron X, by branch and bound over cells of X,
//
//	sup_{x in X} min_t d_D(q(x), t),
//
// to one per cent, and returns them as a [Net] with the proven radius. With
// epsilon > 0 it answers the question "are they an epsilon-net?" instead, which is
// quicker: a *NotANetError (errors.Is ErrNotANet) carries a point of X that is farther
// away than epsilon. Use 0 to ask for the radius itself.
//
// The work grows like |T| N times the number of cells, which is exponential in n:
// meant for n up to about 4. When MaxPoints cells do not suffice, or the context is
// cancelled, the net carries the larger radius proven by then and is Partial.
func (p *ProbeSet) Prove(ctx context.Context, region *solver.Model, q sparsero.AffineMap, epsilon float64, o *NetOptions) (*Net, error) {
	if epsilon != 0 {
		if err := checkEpsilon(epsilon); err != nil {
			return nil, err
		}
	}
	limit, err := o.limit()
	if err != nil {
		return nil, err
	}
	cells, err := newPartition(ctx, p.dictionary, region, q, o.solverOptions())
	if err != nil {
		return nil, err
	}
	landmarks, err := newLandmarks(cells, p.directions)
	if err != nil {
		return nil, err
	}
	s := &proof{partition: cells, landmarks: landmarks, epsilon: epsilon}
	if err := s.run(ctx, limit); err != nil {
		return nil, err
	}
	net := newNet(p.dictionary, landmarks.directions, s.upper, "proven")
	net.partial = s.partial
	return net, nil
}

// proof is the branch and bound of Prove: upper bounds per cell in a queue, a
// lower bound from centres that lie in X.
type proof struct {
	partition    *partition
	landmarks    *landmarks
	epsilon      float64
	open         cellHeap
	examined     int
	lower, upper float64
	witness      []float64
	partial      bool
}

func (s *proof) run(ctx context.Context, limit int) error {
	s.push(s.partition.root())
	for len(s.open) > 0 {
		s.upper = math.Max(s.lower, s.open[0].priority)
		if s.settled() {
			break
		}
		if s.examined >= limit || ctx.Err() != nil {
			s.partial = true
			break
		}
		for _, part := range s.partition.halves(heap.Pop(&s.open).(prioritised).cell) {
			s.push(part)
		}
	}
	if s.examined == 0 {
		return errEmptyRegion
	}
	if s.epsilon > 0 && s.lower > s.epsilon {
		return &NotANetError{Epsilon: s.epsilon, X: s.witness, Distance: s.lower}
	}
	return nil
}

// settled reports that the question is answered.
func (s *proof) settled() bool {
	if s.epsilon > 0 && (s.upper <= s.epsilon || s.lower > s.epsilon) {
		return true
	}
	return s.upper <= s.lower*(1+proofAccuracy)
}

// push queues a cell that may meet X with the bound of the nearest direction, and
// uses its centre, if it lies in X, as a witness.
func (s *proof) push(c cell) {
	if s.partition.misses(c.centre, c.shape.half) {
		return
	}
	s.examined++
	heap.Push(&s.open, prioritised{c, s.landmarks.reach(c, 0)})
	if s.partition.misses(c.centre, make([]float64, len(c.centre))) {
		return
	}
	point := cell{centre: c.centre, shape: &shape{half: make([]float64, len(c.centre))}}
	if distance := s.landmarks.reach(point, s.lower) - 2*s.landmarks.rounding; distance > s.lower {
		s.lower, s.witness = distance, c.centre
	}
}

package certificate

import (
	"container/heap"
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
)

// AdaptiveNet returns an ε-net of q(X) for an affine q and a polyhedron X by
// refinement: starting from the box around X it halves the cell in which q can
// move most, along the axis that matters most, until every cell that meets X is
// within epsilon of a revealed direction or of its own centre. Cells that are long in
// directions no atom sees stay whole, so it needs fewer points than GridNet. [Net.Radius]
// adds to epsilon what rounding can contribute.
//
// A cancelled context yields a Partial net whose larger radius is proven too.
// When MaxPoints is exceeded the error is a *NetTooLargeError.
func AdaptiveNet(ctx context.Context, d *sparsero.Dictionary, region *solver.Model, q sparsero.AffineMap, epsilon float64, o *NetOptions) (*Net, error) {
	p, limit, err := prepare(ctx, d, region, q, epsilon, o)
	if err != nil {
		return nil, err
	}
	r := &refinement{partition: p, epsilon: epsilon, limit: limit}
	if o != nil && o.Directions != nil {
		if r.revealed, err = newLandmarks(p, o.Directions); err != nil {
			return nil, err
		}
	}
	if err := r.run(ctx); err != nil {
		return nil, err
	}
	return r.net(), nil
}

// refinement is the state of AdaptiveNet.
type refinement struct {
	partition *partition
	epsilon   float64
	limit     int
	revealed  *landmarks // nil for none
	open      cellHeap   // cells still to be settled, largest radius first
	centres   [][]float64
	shapes    []*shape
	covered   float64 // largest proven distance of a cell from the revealed direction it uses
	partial   bool
}

func (r *refinement) run(ctx context.Context) error {
	heap.Push(&r.open, prioritised{r.partition.root(), 0})
	for len(r.open) > 0 {
		if ctx.Err() != nil {
			r.partial = true
			break
		}
		c := heap.Pop(&r.open).(prioritised).cell
		if r.partition.misses(c.centre, c.shape.half) {
			continue
		}
		if c.shape.radius > r.epsilon {
			for _, part := range r.partition.halves(c) {
				heap.Push(&r.open, prioritised{part, part.shape.radius})
			}
		} else if distance := r.revealed.reach(c, r.epsilon); distance <= r.epsilon {
			r.covered = math.Max(r.covered, distance)
		} else {
			r.accept(c)
		}
		if points := len(r.open) + len(r.centres); points > r.limit {
			return &NetTooLargeError{Epsilon: r.epsilon, Points: float64(points), Limit: r.limit, Reachable: r.largest()}
		}
	}
	for _, rest := range r.open {
		if !r.partition.misses(rest.centre, rest.shape.half) {
			r.accept(rest.cell)
		}
	}
	if len(r.centres) == 0 && r.covered == 0 && r.revealed == nil {
		return errEmptyRegion
	}
	return nil
}

func (r *refinement) accept(c cell) {
	r.centres, r.shapes = append(r.centres, c.centre), append(r.shapes, c.shape)
}

// largest is the radius that has been reached so far.
func (r *refinement) largest() float64 {
	largest := r.covered
	for _, c := range r.open {
		largest = math.Max(largest, c.shape.radius)
	}
	return largest
}

// net joins the revealed directions and the centres.
func (r *refinement) net() *Net {
	if len(r.centres) == 0 {
		n := newNet(r.partition.dictionary, r.revealed.directions, r.covered, "adaptive")
		n.partial = r.partial
		return n
	}
	n := r.partition.net(r.centres, r.shapes, "adaptive")
	n.partial = r.partial
	n.radius = math.Max(n.radius, r.covered)
	if r.revealed == nil {
		return n
	}
	var directions mat.Dense
	directions.Stack(r.revealed.directions, n.directions)
	rows, _ := r.revealed.directions.Dims()
	widths := make([]float64, rows, rows+len(n.widths))
	for t := range widths {
		widths[t] = 2 * r.covered
	}
	n.directions, n.widths = &directions, append(widths, n.widths...)
	return n
}

// landmarks are given directions with their scores.
type landmarks struct {
	partition  *partition
	directions *mat.Dense
	scores     [][]float64 // one row per direction, one column per atom
	rounding   float64     // bounds what rounding can add to a distance from a landmark
}

func newLandmarks(p *partition, directions mat.Matrix) (*landmarks, error) {
	scores, err := p.dictionary.Scores(directions)
	if err != nil {
		return nil, fmt.Errorf("certificate: %w", err)
	}
	n, m := scores.Dims()
	l := &landmarks{partition: p, directions: mat.DenseCopyOf(directions), scores: make([][]float64, m), rounding: p.rounding}
	for t := range m {
		l.rounding = math.Max(l.rounding, p.rounding+p.dictionary.AlignmentError(l.directions.RawRowView(t)))
		l.scores[t] = make([]float64, n)
		mat.Col(l.scores[t], t, scores)
	}
	return l, nil
}

// reach returns the smallest proven bound, over the landmarks t, on d_D(q(x), t) for all
// x of a cell: max_i |⟨d_i, q(centre) - t⟩| + Σ_j half_j |rows[i][j]|. It stops at
// the first one that is at most enough. Without landmarks it is +Inf.
func (l *landmarks) reach(c cell, enough float64) float64 {
	least := math.Inf(1)
	if l == nil {
		return least
	}
	middle, spread := l.cellScores(c)
	for _, scores := range l.scores {
		if least = math.Min(least, l.distance(scores, middle, spread, least)); least <= enough {
			return least
		}
	}
	return least
}

// distance returns the bound for the landmark with these scores, or one that is at least the limit.
func (l *landmarks) distance(scores, middle, spread []float64, limit float64) float64 {
	worst := 0.0
	for i, m := range middle {
		if worst = math.Max(worst, math.Abs(m-scores[i])+spread[i]+l.rounding); worst >= limit {
			return worst
		}
	}
	return worst
}

// cellScores returns ⟨d_i, q(centre)⟩ and how much it can change within the cell.
func (l *landmarks) cellScores(c cell) (middle, spread []float64) {
	pull := l.partition.pull
	middle, spread = make([]float64, len(pull.low)), make([]float64, len(pull.low))
	for i, row := range pull.low {
		middle[i] = pull.constantLow[i]
		for j, v := range row {
			middle[i] += v * c.centre[j]
			spread[i] += math.Abs(v) * c.shape.half[j]
		}
	}
	return middle, spread
}

// prioritised is a cell in a queue that serves the largest priority first.
type prioritised struct {
	cell
	priority float64
}

type cellHeap []prioritised

func (h cellHeap) Len() int           { return len(h) }
func (h cellHeap) Less(a, b int) bool { return h[a].priority > h[b].priority }
func (h cellHeap) Swap(a, b int)      { h[a], h[b] = h[b], h[a] }

// Push implements heap.Interface.
func (h *cellHeap) Push(c any) { *h = append(*h, c.(prioritised)) }

// Pop implements heap.Interface.
func (h *cellHeap) Pop() any {
	last := len(*h) - 1
	c := (*h)[last]
	*h = (*h)[:last]
	return c
}

package gauge

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
)

// Outcome is what the method proposes.
type Outcome int

const (
	// Stopped: the context ended, or the method gave up.
	Stopped Outcome = iota
	// Inside: the basis gives the point with the least sum of weights.
	Inside
	// Outside: the row Row of the inverse, with the sign Sign, keeps the point away from all atoms.
	Outside
)

// Answer is what the method proposes.
type Answer struct {
	Outcome Outcome
	Row     int
	Sign    float64
}

const (
	// none stands for no row and no column.
	none = -1
	// giveUp is how many pivots per coordinate a point may take.
	giveUp = 60
	// leastMove is the size of a pivot, in units of about 1, below which it may be rounding.
	leastMove = 1e-9
	// dualSlack is the reduced cost, relative to the cost, that counts as 0.
	dualSlack = 1e-11
	// ratioSlack is the one that may become negative so that a larger pivot is taken (Harris 1973).
	ratioSlack = 1e-9
	// violation is the size of a weight of the wrong sign, relative to the point, that plain arithmetic tells from 0.
	violation = 1e-9
	// fineViolation is that of twice the precision.
	fineViolation = 0x1p-88
)

// search is the work on one point.
type search struct {
	*Program
	left int // pivots
	x    []float64
	step []float64
	fine bool // weights are computed in twice the precision
	// priced is one more than the pivots after which no atom was found to lower the sum.
	priced int
}

func (s *search) run(ctx context.Context) Answer {
	for {
		before := s.Pivots
		answer, settled := s.dual(ctx)
		if !settled {
			return answer
		}
		if !s.primal(ctx) {
			return Answer{}
		}
		if s.fine && s.Pivots == before {
			return Answer{Outcome: Inside}
		}
		s.fine = true
	}
}

// weigh computes the weights of the basis.
func (s *search) weigh() {
	if !s.fine {
		s.basis.times(s.x, s.point)
		return
	}
	x, _ := s.weights()
	copy(s.x, x.High)
}

// leaving returns the row whose weight breaks its bound by the largest distance, none if there is no such row.
func (s *search) leaving() int {
	s.weigh()
	tolerance := violation
	if s.fine {
		tolerance = fineViolation
	}
	worst, distance := none, 0.0
	for r, v := range s.x {
		if !(v < -tolerance || v > tolerance && s.basis.columns[r] < 0) {
			continue
		}
		if d := v * v / floats.Dot(s.basis.row(r), s.basis.row(r)); d > distance {
			worst, distance = r, d
		}
	}
	return worst
}

// dual is the dual simplex method: it makes all weights feasible while reduced costs stay so. It is settled when
// nothing is left to do.
func (s *search) dual(ctx context.Context) (Answer, bool) {
	shifted := false
	for {
		r := s.leaving()
		if r < 0 {
			if shifted {
				s.unshift()
			}
			return Answer{}, true
		}
		sign := math.Copysign(1, s.x[r])
		entering := s.enteringDual(r, sign, &shifted)
		if entering < 0 {
			s.unshift()
			return Answer{Outcome: Outside, Row: r, Sign: sign}, false
		}
		if !s.pivot(ctx, r, entering) {
			return Answer{}, false
		}
	}
}

// enteringDual returns the column that enters for row r, none if no atom does.
func (s *search) enteringDual(r int, sign float64, shifted *bool) int {
	for {
		s.alpha(s.basis.row(r))
		least, best, size := math.Inf(1), none, 0.0
		for k, move := range s.moves {
			if move *= sign; move <= leastMove || s.pool[k].row >= 0 {
				continue
			}
			ratio := math.Max(0, s.reduced[k]) / move
			if slack := ratioSlack * s.pool[k].cost / move; ratio < least-slack || ratio <= least+slack && move > size {
				least, best, size = math.Min(ratio, least), k, move
			}
		}
		if best >= 0 {
			return best
		}
		vector := floats.ScaleTo(make([]float64, s.dim), sign, s.basis.row(r))
		before := len(s.pool)
		if !s.generate(vector, leastMove) {
			return none
		}
		for k := before; k < len(s.pool); k++ {
			if s.reduced[k] < 0 {
				s.pool[k].shift, s.reduced[k], *shifted = -s.reduced[k], 0, true
			}
		}
	}
}

// unshift takes the costs for what they are.
func (s *search) unshift() {
	for k := range s.pool {
		s.pool[k].shift = 0
	}
	s.reprice()
}

// primal is the primal simplex method: weights stay feasible, up to rounding, while it looks for atoms that make the sum smaller.
// It is settled when there is none.
func (s *search) primal(ctx context.Context) (settled bool) {
	for {
		entering, worst := none, 0.0
		for k, v := range s.reduced {
			if v < -dualSlack*s.pool[k].cost && v/s.pool[k].cost < worst && s.pool[k].row < 0 {
				entering, worst = k, v/s.pool[k].cost
			}
		}
		if entering < 0 {
			if s.priced != s.Pivots+1 && s.generate(s.y, 1+priceSlack) {
				continue
			}
			s.priced = s.Pivots + 1
			return true
		}
		r := s.leavingPrimal(entering)
		if r < 0 {
			return false
		}
		s.alpha(s.basis.row(r))
		if !s.pivot(ctx, r, entering) {
			return false
		}
		s.weigh()
	}
}

// priceSlack is how much an alignment with the multipliers may exceed 1.
const priceSlack = 1e-11

// leavingPrimal returns the row that bounds the weight of an entering column, none if no row does.
func (s *search) leavingPrimal(entering int) int {
	s.basis.times(s.step, s.data[entering*s.dim:][:s.dim])
	worst, least, size := none, math.Inf(1), 0.0
	for r, v := range s.step {
		move, room := v, math.Max(0, s.x[r])
		if s.basis.columns[r] < 0 { // which stays 0
			move, room = math.Abs(v), 0
		}
		if move <= leastMove {
			continue
		}
		ratio, slack := room/move, fineViolation/move
		if ratio < least-slack || ratio <= least+slack && move > size {
			worst, least, size = r, math.Min(ratio, least), move
		}
	}
	return worst
}

// pivot exchanges the column of row r, whose moves are known, and tells whether it may go on.
func (s *search) pivot(ctx context.Context, r, entering int) bool {
	if s.left--; s.left < 0 || ctx.Err() != nil {
		return false
	}
	s.basis.times(s.step, s.data[entering*s.dim:][:s.dim])
	theta := s.reduced[entering] / s.step[r]
	floats.AddScaled(s.y, theta, s.basis.row(r))
	floats.AddScaled(s.reduced, -theta, s.moves)
	if k := s.basis.columns[r]; k >= 0 {
		s.pool[k].row = none
	}
	s.basis.exchange(r, entering, s.step)
	s.pool[entering].row = r
	s.Pivots++
	s.reduced[entering] = 0
	if s.basis.pivots >= s.dim { // which costs as much as the pivots
		if !s.refresh() {
			s.restart()
		}
		s.reprice()
	}
	return true
}

package solver

import (
	"cmp"
	"context"
	"math"
	"slices"
)

const (
	// proofWork bounds a proof by branch and bound: nodes times the size of the tableau.
	proofWork = 2e9
	// proofNodes bounds its nodes.
	proofNodes = 20000
	// proofSlack is how close to the objective, relative to the size of its terms, the
	// bound of a node must come to be closed; a requested gap that is larger replaces it.
	proofSlack = 1e-9
)

// judgeInteger proves a bound for an integer model, whatever the backend says of one: by
// branch and bound over linear programs, each node closed by multipliers.
func (s *Session) judgeInteger(ctx context.Context, r *Result) error {
	r.Bound, r.Gap = math.NaN(), math.Inf(1)
	if s.model.IsQuadratic() || r.Status == NumericalTrouble {
		return nil
	}
	if r.Status == Unbounded || r.Status == InfeasibleOrUnbounded {
		return s.judgeUnbounded(ctx, r)
	}
	if r.X != nil && !s.model.satisfied(r.X) { // integral only up to a tolerance that breaks a row
		r.Status, r.Detail, r.Cause = NumericalTrouble, "the point of the backend breaks a row once its integers are whole", nil
		r.X, r.Objective = nil, math.NaN()
	}
	if r.X != nil && !s.model.whole(r.X) { // a loose tolerance, or work that was cut short
		r.Status, r.Detail = Limit, "the point of the backend is not whole"
		r.Cause = cmp.Or(ctx.Err(), r.Cause, ErrUnproven)
		r.X, r.Objective = nil, math.NaN()
	}
	p, err := s.newProof(r)
	if err != nil {
		return err
	}
	nodes := p.limit()
	if s.options.NodeLimit > 0 {
		nodes = min(nodes, s.options.NodeLimit)
	}
	if ctx.Err() != nil { // the root alone says a lot, and takes little time
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(context.WithoutCancel(ctx), rootGrace)
		defer cancel()
		nodes = 1
	}
	bound := p.run(ctx, nodes)
	p.conclude(r, bound)
	return nil
}

// judgeUnbounded decides between unbounded and infeasible: an integer program, whose
// numbers are rational, is unbounded exactly when it has a point and its relaxation has an
// improving ray (Meyer 1974).
func (s *Session) judgeUnbounded(ctx context.Context, r *Result) error {
	if !s.model.hasObjective() { // 0 is bounded
		r.Status, r.Detail = NumericalTrouble, "the backend says "+r.Status.String()+" of a model without costs"
		return nil
	}
	options := s.options
	options.Backend = s.backend
	point, err := Solve(ctx, s.model.WithoutObjective(), &options)
	if err != nil {
		return err
	}
	switch {
	case point.Status == Infeasible:
		r.Status, r.Detail = Infeasible, ""
	case point.Status.HasPoint() && s.proveUnbounded(ctx, r, s.model.withIntegersAt(point.X)):
	case ctx.Err() != nil:
		r.Status, r.Cause = Limit, ctx.Err()
	default:
		r.Status, r.Detail = NumericalTrouble, "the backend says "+r.Status.String()+", which could not be proven"
	}
	return nil
}

// withIntegersAt returns the continuous model in which the integer columns have the values of a point.
func (m *Model) withIntegersAt(x []float64) *Model {
	fixed := m.Clone()
	for j := range fixed.columns {
		if c := &fixed.columns[j]; c.Integer {
			c.Bounds, c.Integer = Equal(x[j]), false
		}
	}
	return fixed
}

// conclude writes what was proven into the result.
func (p *proof) conclude(r *Result, bound float64) {
	if p.incumbent != nil && !r.Status.HasPoint() {
		r.X, r.Objective, r.Cause, r.Detail = p.incumbent, p.model.Objective(p.incumbent), ErrUnproven, ""
		if r.Status == Infeasible || r.Status == InfeasibleOrUnbounded {
			r.Detail = "the backend says " + r.Status.String() + ", but there is a point"
		}
		r.Status = FeasibleLimit
	}
	switch {
	case r.X != nil:
		r.X, r.Objective = p.incumbent, p.model.Objective(p.incumbent)
		r.Bound = p.model.sign() * bound
		r.Gap = p.session.gap(r.X, r.Objective, r.Bound, 0)
		if r.Status == FeasibleLimit && r.Gap <= p.tolerance {
			r.Status, r.Cause = Optimal, nil
		}
	case math.IsInf(bound, 1):
		r.Status, r.Cause = Infeasible, nil
	case r.Status == Infeasible:
		r.Status, r.Detail = NumericalTrouble, "the backend says infeasible, which could not be proven"
	case !math.IsInf(bound, -1):
		r.Bound = p.model.sign() * bound
	}
}

// proof is a branch and bound that starts from a point and closes nodes by proven bounds
// alone: a node is closed when weak duality at the multipliers of its linear program
// bounds it by the objective of the point, or when Farkas multipliers show that it is
// empty.
type proof struct {
	model        *Model
	session      *Session // of the relaxation
	integers     []int
	lower, upper []float64 // column bounds in the session
	incumbent    []float64
	cutoff       float64 // objective of the incumbent, minimised; +Inf without one
	tolerance    float64
	slack        float64
	open         []*node // the one with the least bound last
}

func (s *Session) newProof(r *Result) (*proof, error) {
	relaxed := s.model.Clone()
	for j := range relaxed.columns {
		c := &relaxed.columns[j]
		c.Bounds = Between(c.tightBounds())
		c.Integer = false
	}
	opened, err := Open(relaxed, nil)
	if err != nil {
		return nil, err
	}
	opened.judging = false
	p := &proof{model: s.model, session: opened, cutoff: math.Inf(1)}
	p.tolerance = s.integerGap()
	for j, c := range relaxed.columns {
		p.lower, p.upper = append(p.lower, c.Lower()), append(p.upper, c.Upper())
		if s.model.columns[j].Integer {
			p.integers = append(p.integers, j)
		}
	}
	if r.X != nil {
		p.accept(r.X)
	}
	return p, nil
}

// integerGap is the gap up to which an integer model counts as solved.
func (s *Session) integerGap() float64 { return math.Max(proofSlack, s.options.Filled().RelativeGap) }

// limit is the number of nodes that a proof may take.
func (p *proof) limit() int {
	return min(proofNodes, max(1, int(proofWork/float64(tableauSize(p.model)))))
}

// accept makes a point the incumbent.
func (p *proof) accept(x []float64) {
	p.incumbent = slices.Clone(x)
	p.cutoff = p.model.sign() * p.model.Objective(x)
	slack := proofSlack
	if p.tolerance > DefaultRelativeGap {
		slack = p.tolerance
	}
	p.slack = slack * p.model.objectiveSize(x)
}

// node is a part of the model: bounds of the integer columns.
type node struct {
	lower, upper []float64 // by position in integers
	bound        float64   // proven, of a node above or of its own
}

// run returns a proven lower bound on the minimum, +Inf if there is no point.
func (p *proof) run(ctx context.Context, nodes int) float64 {
	root := &node{bound: math.Inf(-1)}
	for _, j := range p.integers {
		root.lower, root.upper = append(root.lower, p.lower[j]), append(root.upper, p.upper[j])
	}
	closed, visited := math.Inf(1), 0 // the least bound of the nodes that are done
	p.push(root)
	for next := (*node)(nil); (len(p.open) > 0 || next != nil) && visited < nodes && ctx.Err() == nil; {
		if last := len(p.open) - 1; next == nil {
			next, p.open = p.open[last], p.open[:last]
		}
		current := next
		next = nil
		if p.isClosed(current.bound) {
			closed = math.Min(closed, current.bound)
			continue
		}
		visited++
		branch, value := p.visit(ctx, current)
		switch {
		case p.isClosed(current.bound) || branch < 0:
			closed = math.Min(closed, current.bound)
		default:
			down, up := current.split(branch, value)
			if next = down; value-math.Floor(value) > 0.5 {
				next, up = up, down
			}
			p.push(up)
			if p.open[len(p.open)-1].bound < next.bound-p.slack { // explore the worst bound first
				p.push(next)
				next = nil
			}
		}
	}
	for _, n := range p.open {
		closed = math.Min(closed, n.bound)
	}
	return closed
}

func (p *proof) push(n *node) {
	at, _ := slices.BinarySearchFunc(p.open, n, func(a, b *node) int { return cmp.Compare(b.bound, a.bound) })
	p.open = slices.Insert(p.open, at, n)
}

// isClosed tells whether a node with this bound has nothing that matters.
func (p *proof) isClosed(bound float64) bool {
	return math.IsInf(bound, 1) || bound >= p.cutoff-p.slack
}

// split returns the nodes with integer position branch at most and at least value.
func (n *node) split(branch int, value float64) (down, up *node) {
	down = &node{lower: n.lower, upper: slices.Clone(n.upper), bound: n.bound}
	up = &node{lower: slices.Clone(n.lower), upper: n.upper, bound: n.bound}
	down.upper[branch] = math.Floor(value)
	up.lower[branch] = down.upper[branch] + 1
	return down, up
}

// visit solves the linear program of a node, raises the node's bound to what that proves,
// and returns where to branch: a position in integers, or -1 for nowhere, and a value.
func (p *proof) visit(ctx context.Context, n *node) (branch int, value float64) {
	for k, j := range p.integers {
		if n.lower[k] != p.lower[j] || n.upper[k] != p.upper[j] {
			p.lower[j], p.upper[j] = n.lower[k], n.upper[k]
			p.session.model.SetColumnBounds(j, Between(n.lower[k], n.upper[k]))
		}
	}
	r, err := p.session.Solve(ctx)
	if err != nil {
		return -1, 0
	}
	switch r.Status {
	case Optimal, FeasibleLimit:
		if !math.IsNaN(r.Bound) {
			n.bound = math.Max(n.bound, p.model.sign()*r.Bound)
		}
		return p.fractional(n, r.X)
	case Infeasible:
		n.bound = math.Inf(1)
		return -1, 0
	}
	for k := range p.integers { // nothing is known here, perhaps below
		if n.lower[k] < n.upper[k] && !math.IsInf(n.lower[k], 0) && !math.IsInf(n.upper[k], 0) {
			return k, math.Floor((n.lower[k] + n.upper[k]) / 2)
		}
	}
	return -1, 0
}

// fractional returns the integer column that is farthest from a whole number. A point
// without one may become the incumbent; where rounding breaks a row, however small a
// fraction counts.
func (p *proof) fractional(n *node, x []float64) (branch int, value float64) {
	if branch, value = p.farthest(n, x, integralityTolerance); branch >= 0 {
		return branch, value
	}
	rounded := slices.Clone(x)
	for _, j := range p.integers {
		rounded[j] = math.Round(x[j])
	}
	if !p.model.satisfied(rounded) {
		return p.farthest(n, x, 0)
	}
	if p.model.sign()*p.model.Objective(rounded) < p.cutoff {
		p.accept(rounded)
	}
	return -1, 0
}

// farthest returns the integer column that is farthest from a whole number among those that
// are farther than a tolerance and not fixed in the node.
func (p *proof) farthest(n *node, x []float64, tolerance float64) (branch int, value float64) {
	branch = -1
	for k, j := range p.integers {
		if distance := math.Abs(x[j] - math.Round(x[j])); distance > tolerance && n.lower[k] < n.upper[k] {
			branch, value, tolerance = k, x[j], distance
		}
	}
	return branch, value
}

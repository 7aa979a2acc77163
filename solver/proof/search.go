package proof

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/sparsero/directions/solver/internal/program"
)

// Search is a branch and bound that starts from a point and closes nodes by proven bounds alone: a node is closed when its
// relaxation is proven to be bounded by the objective of the point, or to be empty.
type Search struct {
	// Program is the relaxation, whose columns in Integers must be whole numbers.
	Program  *Program
	Integers []int
	// Relax solves the relaxation with other bounds of the columns, by position in Integers: a point, nil for none, and
	// what is proven of the minimum, +Inf where there is no feasible point.
	Relax func(ctx context.Context, lower, upper []float64) (x []float64, bound Lower)
	// Slack is how close to the objective, relative to the size of its terms, the bound of a node must come to be closed.
	Slack float64
	// Whole is how far a value may be from a whole number to be tried as one, Feasibility by how much a row may be missed by a
	// point that counts as feasible, relative to its terms.
	Whole, Feasibility float64
	// Incumbent is the best whole point that is known, nil for none.
	Incumbent []float64

	cutoff  float64  // objective of the incumbent; +Inf without one
	slack   float64  // Slack times the size of its terms
	open    []*node  // the one with the least bound last
	lattice *lattice // nil where whole points can have any objective
}

// node is a part of the program: bounds of the integer columns.
type node struct {
	lower, upper []float64 // by position in Integers
	bound        Lower     // proven, of a node above or of its own
}

// Bound returns a lower bound on the minimum over whole points after some nodes, +Inf if it is proven that there is none, and
// leaves the best point that it met as Incumbent. It panics if the parts do not fit together.
func (s *Search) Bound(ctx context.Context, nodes int) Lower {
	ctx = program.Context(ctx)
	s.check()
	s.cutoff, s.lattice = math.Inf(1), latticeOf(s.Program, s.Integers)
	if s.Incumbent != nil {
		s.accept(s.Incumbent)
	}
	root := &node{}
	for _, j := range s.Integers {
		root.lower, root.upper = append(root.lower, s.Program.Lower[j]), append(root.upper, s.Program.Upper[j])
	}
	closed, visited := AtLeast(math.Inf(1)), 0 // the least bound of the nodes that are done
	s.push(root)
	for next := (*node)(nil); (len(s.open) > 0 || next != nil) && visited < nodes && ctx.Err() == nil; {
		if last := len(s.open) - 1; next == nil {
			next, s.open = s.open[last], s.open[:last]
		}
		current := next
		next = nil
		if s.isClosed(current) {
			closed = lesser(closed, current.bound)
			continue
		}
		visited++
		branch, value := s.visit(ctx, current)
		if s.isClosed(current) || branch < 0 {
			closed = lesser(closed, current.bound)
			continue
		}
		down, up := current.split(branch, value)
		if next = down; value-math.Floor(value) > 0.5 {
			next, up = up, down
		}
		s.push(up)
		if s.open[len(s.open)-1].bound.Float() < next.bound.Float()-s.slack { // explore the worst bound first
			s.push(next)
			next = nil
		}
	}
	for _, n := range s.open { // next, if there is one, has its sibling among them, with the same bound
		closed = lesser(closed, n.bound)
	}
	return closed
}

func (s *Search) check() {
	switch program.Check("proof", s.Program); {
	case s.Relax == nil:
		panic("proof: the search cannot relax; give it a function that does")
	case slices.ContainsFunc(s.Integers, func(j int) bool { return j < 0 || j >= len(s.Program.Cost) }):
		panic(fmt.Sprintf("proof: the integer columns %v, but there are %d columns, counted from 0", s.Integers, len(s.Program.Cost)))
	case s.Incumbent != nil:
		program.CheckCount("proof", "coordinates of an incumbent", s.Incumbent, len(s.Program.Cost))
	}
}

func lesser(a, b Lower) Lower {
	if a.Float() < b.Float() {
		return a
	}
	return b
}

// accept makes a point the incumbent.
func (s *Search) accept(x []float64) {
	value, size := program.Objective(s.Program, x)
	s.Incumbent, s.cutoff, s.slack = slices.Clone(x), value, s.Slack*size
}

func (s *Search) push(n *node) {
	at, _ := slices.BinarySearchFunc(s.open, n, func(a, b *node) int { return cmp.Compare(b.bound.Float(), a.bound.Float()) })
	s.open = slices.Insert(s.open, at, n)
}

// isClosed tells whether a node has nothing that matters.
func (s *Search) isClosed(n *node) bool {
	bound := n.bound.Float()
	return math.IsInf(bound, 1) || bound >= s.cutoff-s.slack
}

// split returns the nodes with integer position branch at most and at least value.
func (n *node) split(branch int, value float64) (down, up *node) {
	down = &node{lower: n.lower, upper: slices.Clone(n.upper), bound: n.bound}
	up = &node{lower: slices.Clone(n.lower), upper: n.upper, bound: n.bound}
	down.upper[branch] = math.Floor(value)
	if up.lower[branch] = down.upper[branch] + 1; up.lower[branch]-1 != down.upper[branch] { // beyond 2^53, where floats leave whole numbers out
		up.lower[branch] = down.upper[branch]
	}
	return down, up
}

// visit relaxes a node, raises its bound to what that proves, and returns where to branch: a position in Integers, or -1 for
// nowhere, and a value.
func (s *Search) visit(ctx context.Context, n *node) (branch int, value float64) {
	x, bound := s.Relax(ctx, n.lower, n.upper)
	if bound = s.lattice.raise(bound); bound.Float() > n.bound.Float() {
		n.bound = bound
	}
	switch {
	case math.IsInf(n.bound.Float(), 1) || ctx.Err() != nil:
		return -1, 0
	case len(x) == len(s.Program.Cost):
		return s.fractional(n, x)
	}
	for k := range s.Integers { // nothing is known here, perhaps below
		if n.lower[k] < n.upper[k] && !math.IsInf(n.lower[k], 0) && !math.IsInf(n.upper[k], 0) {
			return k, math.Floor((n.lower[k] + n.upper[k]) / 2)
		}
	}
	return -1, 0
}

// fractional returns the integer column that is farthest from a whole number. A point without one may become the
// incumbent; where rounding breaks a row, however small a fraction counts.
func (s *Search) fractional(n *node, x []float64) (branch int, value float64) {
	if branch, value = s.farthest(n, x, s.Whole); branch >= 0 {
		return branch, value
	}
	rounded := slices.Clone(x)
	for _, j := range s.Integers {
		rounded[j] = math.Round(x[j])
	}
	if !program.Within(s.Program, rounded, s.Feasibility, 0) {
		return s.farthest(n, x, 0)
	}
	if value, _ := program.Objective(s.Program, rounded); value < s.cutoff {
		s.accept(rounded)
	}
	return -1, 0
}

// farthest returns the integer column that is farthest from a whole number among those that
// are farther than a tolerance and not fixed in the node.
func (s *Search) farthest(n *node, x []float64, tolerance float64) (branch int, value float64) {
	branch = -1
	for k, j := range s.Integers {
		if distance := math.Abs(x[j] - math.Round(x[j])); distance > tolerance && n.lower[k] < n.upper[k] {
			branch, value, tolerance = k, x[j], distance
		}
	}
	return branch, value
}

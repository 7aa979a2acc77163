package robust

import (
	"context"
	"encoding/json"
	"math"
	"math/big"

	"github.com/sparsero/directions/solver"
)

// proof is the proof of a lower bound in a design file: a leaf, or a branch that splits an integer column into
// x_column <= at and x_column >= at+1.
type proof struct {
	*leaf
	column       int
	at           *big.Rat
	below, above *proof
}

const (
	// branchNodes bounds the nodes of a proof for an integer problem; what it leaves open makes the bound smaller.
	branchNodes = 400
	// branchSlack is how far below the lower bound of the solver, relative to the terms of the objective, a leaf may end.
	branchSlack = 1e-9
)

// prover looks for a proof of the lower bound of a solution.
type prover struct {
	*exactProblem
	solution *Solution
	master   *master // of the relaxation, for the order of its rows
	enough   *big.Rat
	nodes    int
}

// prove returns a proof of a lower bound on min Φ_N by the atoms of the solution, nil if none is found. The bound is
// that of a linear relaxation, for integer problems over a tree of such.
func (s *Solution) prove(ctx context.Context, e *exactProblem, list []implied) *proof {
	columns := e.bounded(list)
	v := &prover{exactProblem: e, solution: s}
	target := s.LowerBound
	if math.IsInf(target, -1) { // nothing was proven in float64
		target = s.Value
	}
	if target -= branchSlack * s.size; !math.IsInf(target, 0) {
		v.enough = rational(target)
	}
	first := &proof{leaf: e.repaired(e.newLeaf(s.multipliers, false), columns)}
	proven, _ := e.evaluate(first, columns)
	if proven != nil && v.enough != nil && proven.Cmp(v.enough) >= 0 {
		return first
	}
	model, cuts := s.problem.build(s.Atoms, s.Radius)
	v.master = &master{problem: s.problem, cuts: cuts}
	for j, column := range e.columns {
		model.SetInteger(j, false)
		model.SetColumnBounds(j, column.bounds())
	}
	found := v.node(ctx, model, columns)
	switch bound, _ := e.evaluate(found, columns); {
	case bound != nil && (proven == nil || bound.Cmp(proven) > 0):
		return found
	case proven != nil:
		return first
	}
	return nil
}

// node proves what it can of the part of the region that the columns leave.
func (v *prover) node(ctx context.Context, model *solver.Model, columns []interval) *proof {
	v.nodes++
	none := &proof{leaf: v.newLeaf(multipliers{}, false)}
	result, err := solver.Solve(ctx, model, nil)
	if err != nil {
		return none
	}
	if result.Status == solver.Infeasible {
		if empty := v.repaired(v.newLeaf(v.master.multipliers(result.Farkas), true), columns); provesEmpty(v.bound(empty, columns)) {
			return &proof{leaf: empty}
		}
		return none
	}
	if result.Status != solver.Optimal {
		return none
	}
	found := v.repaired(v.newLeaf(v.master.multipliers(result.RowDuals), false), columns)
	bound := v.bound(found, columns)
	column := v.mostFractional(result.X)
	if column < 0 || v.nodes+2 > branchNodes || bound != nil && v.enough != nil && bound.Cmp(v.enough) >= 0 {
		return &proof{leaf: found}
	}
	return v.branch(ctx, model, columns, column, math.Floor(result.X[column]))
}

func provesEmpty(bound *big.Rat) bool { return bound != nil && bound.Sign() > 0 }

// branch splits a column at a whole number.
func (v *prover) branch(ctx context.Context, model *solver.Model, columns []interval, column int, at float64) *proof {
	split := &proof{column: column, at: rational(at)}
	bounds := model.Column(column).Bounds
	below, above := model.Clone(), model.Clone()
	below.SetColumnBounds(column, solver.Between(bounds.Lower(), at))
	above.SetColumnBounds(column, solver.Between(at+1, bounds.Upper()))
	lower, upper := split.parts(columns)
	split.below, split.above = v.node(ctx, below, lower), v.node(ctx, above, upper)
	return split
}

// mostFractional is the integer column that is farthest from a whole number, -1 if none is.
func (v *prover) mostFractional(x []float64) int {
	best, most := -1, wholeTolerance
	for j := range v.columns {
		if distance := math.Abs(x[j] - math.Round(x[j])); v.problem.region.Column(j).Integer && distance > most {
			best, most = j, distance
		}
	}
	return best
}

// wholeTolerance is how far from a whole number a value may be that a relaxation gives an integer column.
const wholeTolerance = 1e-7

// parts are the columns of the two sides of a branch.
func (b *proof) parts(columns []interval) (below, above []interval) {
	below, above = append([]interval{}, columns...), append([]interval{}, columns...)
	if c := &below[b.column]; c.upper == nil || c.upper.Cmp(b.at) > 0 {
		c.upper = b.at
	}
	next := new(big.Rat).Add(b.at, rational(1))
	if c := &above[b.column]; c.lower == nil || c.lower.Cmp(next) < 0 {
		c.lower = next
	}
	return below, above
}

// evaluate returns the bound that a proof proves, nil for none, or that no decision is feasible.
func (e *exactProblem) evaluate(b *proof, columns []interval) (bound *big.Rat, empty bool) {
	if b.leaf != nil {
		bound = e.bound(b.leaf, columns)
		if !b.Empty {
			return bound, false
		}
		return nil, provesEmpty(bound)
	}
	below, above := b.parts(columns)
	first, firstEmpty := e.evaluate(b.below, below)
	second, secondEmpty := e.evaluate(b.above, above)
	switch {
	case firstEmpty:
		return second, secondEmpty
	case secondEmpty || first == nil:
		return first, false
	case second == nil || second.Cmp(first) < 0:
		return second, false
	}
	return first, false
}

// MarshalJSON writes a leaf, or a branch as column, at, below and above.
func (b *proof) MarshalJSON() ([]byte, error) {
	if b.leaf != nil {
		return json.Marshal(b.leaf)
	}
	at, _ := b.at.Float64()
	return json.Marshal(struct {
		Column int     `json:"column"`
		At     float64 `json:"at"`
		Below  *proof  `json:"below"`
		Above  *proof  `json:"above"`
	}{b.column, at, b.below, b.above})
}

// MarshalJSON writes [index, multiplier].
func (w weight) MarshalJSON() ([]byte, error) {
	return json.Marshal([2]any{w.index, multiplierJSON(w.value)})
}

// MarshalJSON writes [constraint, atom, multiplier].
func (w robustWeight) MarshalJSON() ([]byte, error) {
	return json.Marshal([3]any{w.constraint, w.index, multiplierJSON(w.value)})
}

// MarshalJSON writes the coordinates as multipliers.
func (t tangent) MarshalJSON() ([]byte, error) {
	coordinates := make([]any, len(t))
	for j, v := range t {
		coordinates[j] = multiplierJSON(v)
	}
	return json.Marshal(coordinates)
}

// multiplierJSON is a number, or a fraction of hexadecimal integers where no float64 will do.
func multiplierJSON(v *big.Rat) any {
	if x, exact := v.Float64(); exact {
		return x
	}
	return v.Num().Text(16) + "/" + v.Denom().Text(16)
}

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
	at           float64
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
	master *master // of the relaxation, for the order of its rows
	enough *big.Rat
	nodes  int
}

// prove returns a proof of a lower bound on min Φ_N by the atoms of the solution, nil if none is found. The bound is
// that of a linear relaxation, for integer problems over a tree of such.
func (s *Solution) prove(ctx context.Context, e *exactProblem) *proof {
	v := &prover{exactProblem: e}
	target := s.LowerBound
	if math.IsInf(target, -1) { // nothing was proven in float64
		target = s.Value
	}
	if target -= branchSlack * s.size; !math.IsInf(target, 0) {
		v.enough = rational(target)
	}
	first := &proof{leaf: e.repaired(e.newLeaf(s.multipliers, false))}
	proven := e.bound(first.leaf)
	if v.suffices(proven) {
		return first
	}
	model, cuts := s.problem.build(s.Atoms, s.Radius)
	v.master = &master{problem: s.problem, cuts: cuts}
	for j := range e.x {
		model.SetInteger(j, false)
		model.SetColumnBounds(j, e.sides[j].bounds())
	}
	found := v.node(ctx, model)
	switch bound, _ := e.evaluate(found); {
	case bound != nil && (proven == nil || bound.Cmp(proven) > 0):
		return found
	case proven != nil:
		return first
	}
	return nil
}

func (v *prover) suffices(bound *big.Rat) bool {
	return bound != nil && v.enough != nil && bound.Cmp(v.enough) >= 0
}

// bounds are those of an interval of float64 numbers.
func (i interval) bounds() solver.Bounds {
	bounds := [2]float64{math.Inf(-1), math.Inf(1)}
	for side, v := range i {
		if v != nil {
			bounds[side], _ = v.Float64()
		}
	}
	return solver.Between(bounds[0], bounds[1])
}

// node proves what it can of the part of the region that the sides of the columns leave.
func (v *prover) node(ctx context.Context, model *solver.Model) *proof {
	v.nodes++
	none := &proof{leaf: v.newLeaf(multipliers{}, false)}
	result, err := solver.Solve(ctx, model, nil)
	if err != nil {
		return none
	}
	if result.Status == solver.Infeasible {
		if empty := v.repaired(v.newLeaf(v.master.multipliers(result.Farkas), true)); provesEmpty(v.bound(empty)) {
			return &proof{leaf: empty}
		}
		return none
	}
	if result.Status != solver.Optimal {
		return none
	}
	found := v.repaired(v.newLeaf(v.master.multipliers(result.RowDuals), false))
	column := v.mostFractional(result.X)
	if column < 0 || v.nodes+2 > branchNodes || v.suffices(v.bound(found)) {
		return &proof{leaf: found}
	}
	at := math.Floor(result.X[column])
	split := &proof{column: column, at: at}
	bounds := model.Column(column).Bounds
	v.narrowed(split, 1, func() {
		below := model.Clone()
		below.SetColumnBounds(column, solver.Between(bounds.Lower(), at))
		split.below = v.node(ctx, below)
	})
	v.narrowed(split, 0, func() {
		above := model.Clone()
		above.SetColumnBounds(column, solver.Between(at+1, bounds.Upper()))
		split.above = v.node(ctx, above)
	})
	return split
}

func provesEmpty(bound *big.Rat) bool { return bound != nil && bound.Sign() > 0 }

// mostFractional is the integer column that is farthest from a whole number, -1 if none is.
func (v *prover) mostFractional(x []float64) int {
	best, most := -1, wholeTolerance
	for j := range v.x {
		if distance := math.Abs(x[j] - math.Round(x[j])); v.problem.region.Column(j).Integer && distance > most {
			best, most = j, distance
		}
	}
	return best
}

// wholeTolerance is how far from a whole number a value may be that a relaxation gives an integer column.
const wholeTolerance = 1e-7

// narrowed does something in a part of a branch: below, where the upper side of its column is smaller, or above.
func (e *exactProblem) narrowed(b *proof, side int, do func()) {
	column := &e.sides[b.column]
	before := *column
	switch cut := rational(b.at + float64(1-side)); {
	case column[side] == nil, side == 1 && column[1].Cmp(cut) > 0, side == 0 && column[0].Cmp(cut) < 0:
		column[side] = cut
	}
	do()
	*column = before
}

// evaluate returns the bound that a proof proves, nil for none, or that no decision is feasible.
func (e *exactProblem) evaluate(b *proof) (bound *big.Rat, empty bool) {
	if b.leaf != nil {
		bound = e.bound(b.leaf)
		if !b.empty {
			return bound, false
		}
		return nil, provesEmpty(bound)
	}
	var below, above *big.Rat
	var belowEmpty, aboveEmpty bool
	e.narrowed(b, 1, func() { below, belowEmpty = e.evaluate(b.below) })
	e.narrowed(b, 0, func() { above, aboveEmpty = e.evaluate(b.above) })
	switch {
	case belowEmpty:
		return above, aboveEmpty
	case aboveEmpty || below == nil:
		return below, false
	case above == nil || above.Cmp(below) < 0:
		return above, false
	}
	return below, false
}

// MarshalJSON writes a leaf, or a branch as column, at, below and above.
func (b *proof) MarshalJSON() ([]byte, error) {
	if b.leaf != nil {
		return json.Marshal(b.leaf)
	}
	return json.Marshal(struct {
		Column int     `json:"column"`
		At     float64 `json:"at"`
		Below  *proof  `json:"below"`
		Above  *proof  `json:"above"`
	}{b.column, b.at, b.below, b.above})
}

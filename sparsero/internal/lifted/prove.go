package lifted

import (
	"context"
	"math"
	"math/big"
)

const (
	// MostNodes bounds the nodes of a proof for an integer problem; what it leaves open makes the bound smaller.
	MostNodes = 400
	// fractional is the distance from a whole number from which on a column is split.
	fractional = 1e-7
)

// Relaxation solves the linear relaxation of a problem between bounds of the columns. It returns a point and a leaf of
// its multipliers, or an empty leaf that may prove that there is no point; nil where it finds neither. Leaves have the
// scale 1, and may lean on atoms that it adds to the problem and its decision.
type Relaxation func(ctx context.Context, lower, upper []float64) (x []float64, found *Leaf)

// prover looks for a proof of a lower bound on the minimum. It proposes multipliers; what they prove says the program.
type prover struct {
	problem *Problem
	program *program // with the implied bounds
	relax   Relaxation
	proof   *Proof // that grows node by node
	enough  *big.Rat
}

// newProver lifts a problem for a decision, whose atoms alone a proof leans on. It returns nil where b is quadratic and
// nothing shows that it is convex.
func newProver(p *Problem, d *Decision) *prover {
	var convex *Curvature
	if len(p.Model.Quadratic.Values) > 0 {
		if convex = newCurvature(&p.Model.Quadratic); convex == nil {
			return nil
		}
	}
	v := &prover{problem: p, proof: &Proof{Curvature: convex}}
	v.proof.Implied, v.program = newEvaluation(p, d).lift(convex).implications()
	return v
}

// Bound returns what the multipliers of a leaf of scale 1 prove of min Φ_N, nil for nothing. They are corrected by about
// their rounding errors where columns without a bound need it. It panics for parts that do not fit together.
func Bound(p *Problem, d *Decision, found *Leaf) *big.Rat {
	v := newProver(p, d)
	if v == nil {
		return nil
	}
	return v.program.bound(v.program.repaired(found))
}

// Prove returns a proof of a lower bound on min Φ_N by the atoms of the decision, nil if none is found: by the multipliers of
// a leaf of scale 1, or, if these do not prove what is enough, and that is finite, over a tree of linear relaxations. It panics
// for parts that do not fit together.
func Prove(ctx context.Context, p *Problem, d *Decision, found *Leaf, enough float64, relax Relaxation) *Proof {
	v := newProver(p, d)
	if v == nil {
		return nil
	}
	if v.relax = relax; !math.IsInf(enough, 0) {
		v.enough = Rational(enough)
	}
	proven := v.program.bound(found)
	if proven == nil {
		found = v.program.repaired(found)
		proven = v.program.bound(found)
	}
	single := *v.proof
	single.Leaves = []Leaf{*found}
	if v.suffices(proven) {
		return &single
	}
	v.node(ctx, v.program)
	v.number()
	var bound *big.Rat // nil where a step is not allowed
	_ = Checked(func() { bound = newEvaluation(p, d).lift(v.proof.Curvature).lowerBound(v.proof) })
	switch {
	case bound != nil && (proven == nil || bound.Cmp(proven) > 0):
		return v.proof
	case proven != nil:
		return &single
	}
	return nil
}

func (v *prover) suffices(bound *big.Rat) bool {
	return bound != nil && v.enough != nil && bound.Cmp(v.enough) >= 0
}

// node proves what it can of a part of the region. It returns the number of the branch, or for a leaf -1 less that among the
// leaves.
func (v *prover) node(ctx context.Context, part *program) (node int) {
	lower, upper := part.bounds()
	x, found := v.relax(ctx, lower, upper)
	if found == nil {
		return v.leaf(v.nothing())
	}
	found = part.repaired(found)
	bound := part.bound(found)
	if found.Empty {
		if bound == nil || bound.Sign() <= 0 {
			found = v.nothing()
		}
		return v.leaf(found)
	}
	column := v.mostFractional(x)
	if column < 0 || len(v.proof.Branches) >= MostNodes/2-1 || v.suffices(bound) {
		return v.leaf(found)
	}
	at := math.Floor(x[column])
	node = len(v.proof.Branches)
	v.proof.Branches = append(v.proof.Branches, Branch{column, int(at)})
	v.proof.Branches[node][2] = v.node(ctx, part.narrowed(column, upperSide, dyadic(at)))
	v.proof.Branches[node][3] = v.node(ctx, part.narrowed(column, lowerSide, dyadic(at+1)))
	return node
}

// nothing is a leaf without multipliers.
func (v *prover) nothing() *Leaf {
	return &Leaf{Scale: Float(1), Constraints: make([]Multipliers, len(v.problem.Constraints))}
}

func (v *prover) leaf(l *Leaf) (node int) {
	v.proof.Leaves = append(v.proof.Leaves, *l)
	return -len(v.proof.Leaves)
}

// number gives the leaves their numbers now that that of the branches is known, which come first.
func (v *prover) number() {
	for k := range v.proof.Branches {
		for side, part := range v.proof.Branches[k][2:] {
			if part < 0 {
				v.proof.Branches[k][2+side] = len(v.proof.Branches) - 1 - part
			}
		}
	}
}

// mostFractional is the integer column that is farthest from a whole number, -1 if none is.
func (v *prover) mostFractional(x []float64) int {
	best, most := -1, fractional
	for j, c := range v.problem.Model.Columns {
		if distance := math.Abs(x[j] - math.Round(x[j])); c.Integer && distance > most {
			best, most = j, distance
		}
	}
	return best
}

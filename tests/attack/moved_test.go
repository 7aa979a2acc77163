package attack

import "math/big"

// admitting is the truth about the problem whose rows and robust constraints are moved outwards until a point satisfies
// them against all atoms. What a decision claims about min of the full model holds for that problem: a solver's point may
// miss rows by its tolerance.
func (t *truth) admitting(radius *big.Rat, x []*big.Rat) *truth {
	moved := *t
	moved.optima = map[string]optimum{}
	moved.relaxation = &polyhedron{columns: t.relaxation.columns}
	for _, r := range t.relaxation.rows {
		at := inner(r.values, x)
		if r.lower != nil && at.Cmp(r.lower) < 0 {
			r.lower = at
		}
		if r.upper != nil && at.Cmp(r.upper) > 0 {
			r.upper = at
		}
		moved.relaxation.rows = append(moved.relaxation.rows, r)
	}
	moved.excess = nil
	for k := range t.limits {
		value, _ := t.constraintValue(k, t.problem.everyAtom(), radius, x)
		moved.excess = append(moved.excess, larger(new(big.Rat), difference(value, rational(t.problem.Constraints[k].Limit))))
	}
	return &moved
}

// valueGap is the exact value gap that a claim at a decision is about: that of the problem itself, or, if the claim is
// below it and the decision misses a row, that of the moved problem. An integer problem has no multipliers, so there the
// restricted model stays where it is.
func (j *judge) valueGap(claim float64, indices []int, radius float64, x []float64) *big.Rat {
	restricted, full := j.minimum(indices, radius), j.minimum(j.problem.everyAtom(), radius)
	gap := difference(full.value, restricted.value)
	if bound := rational(claim); bound == nil || bound.Cmp(gap) >= 0 {
		return gap
	}
	moved := j.admitting(rational(radius), rationals(x))
	full = moved.minimum(j.problem.everyAtom(), radius)
	if !j.problem.isInteger() {
		restricted = moved.minimum(indices, radius)
	}
	if full.outcome != solved || restricted.outcome != solved {
		return gap
	}
	return difference(full.value, restricted.value)
}

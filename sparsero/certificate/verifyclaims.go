package certificate

import (
	"fmt"
	"math"
	"math/big"
)

// judge recomputes every claim with the dictionary.
func (f *designFile) judge(table [][]float64) (*Verdict, error) {
	if err := f.checkConvex(); err != nil {
		return nil, err
	}
	for j, v := range f.Decision {
		if f.Model.Columns[j].Integer && v != math.Trunc(v) {
			return nil, &FalseClaimError{"decision", fmt.Sprintf("%v in column %d", v, j), "that column holds whole numbers"}
		}
	}
	verdict := &Verdict{Kind: f.Kind, Statements: f.Statements, Unchecked: unchecked}
	moved := f.evaluate(table, verdict)
	err := notBelow("restricted", &f.Claims.Restricted, verdict.Restricted)
	if err == nil {
		err = notBelow("full", &f.Claims.Full, verdict.Full)
	}
	if err == nil {
		err = notBelow("missed", &f.Claims.Missed, verdict.Missed)
	}
	if err == nil {
		err = f.judgeBounds(&duality{f.sides(), f, table}, moved, verdict)
	}
	if err == nil {
		err = f.checkStatements()
	}
	if err != nil {
		return nil, err
	}
	return verdict, nil
}

// evaluate sets the values at the decision and returns the sides moved to where the decision misses them.
func (f *designFile) evaluate(table [][]float64, verdict *Verdict) *sides {
	x, cost := dyadics(f.Decision), dyadic(f.Model.Offset)
	for j, c := range f.Model.Columns {
		cost.Add(cost, dyadic(0).Mul(dyadic(c.Cost), x[j]))
	}
	for _, q := range f.Model.Quadratic {
		term := dyadic(q.Value)
		cost.Add(cost, term.Mul(term, dyadic(0).Mul(x[q.I], x[q.J])))
	}
	verdict.Restricted, verdict.Full = asFraction(cost), asFraction(cost)
	if f.Objective != nil {
		restricted, full := f.support(table, f.Objective.at(x))
		verdict.Restricted.Add(verdict.Restricted, restricted.Mul(restricted, exactly(f.Radius)))
		verdict.Full.Add(verdict.Full, full.Mul(full, exactly(f.Radius)))
	}
	moved := f.sides()
	verdict.Missed = moved.reach(f.position(table, x))
	return moved
}

// position is where the decision is: its columns, the rows and the robust constraints.
func (f *designFile) position(table [][]float64, x []*big.Float) []*big.Rat {
	values := fractions(f.Decision)
	for _, row := range f.Model.Rows {
		sum := dyadic(0)
		for k, j := range row.Columns {
			sum.Add(sum, dyadic(0).Mul(dyadic(row.Values[k]), x[j]))
		}
		values = append(values, asFraction(sum))
	}
	for k := range f.Constraints {
		c, sum := &f.Constraints[k], dyadic(0)
		addDot(sum, c.Nominal, x)
		_, full := f.support(table, c.at(x))
		values = append(values, full.Add(full.Mul(full, exactly(f.Radius)), asFraction(sum)))
	}
	return values
}

// at returns q(x).
func (q *designMap) at(x []*big.Float) []*big.Float {
	s := make([]*big.Float, len(q.Matrix))
	for k, row := range q.Matrix {
		if s[k] = dyadic(0); q.Constant != nil {
			s[k].SetFloat64(q.Constant[k])
		}
		addDot(s[k], row, x)
	}
	return s
}

// support returns M_S(s) and M_N(s).
func (f *designFile) support(table [][]float64, s []*big.Float) (restricted, full *big.Rat) {
	chosen := map[int]bool{}
	for _, i := range f.Chosen {
		chosen[i] = true
	}
	most, mostChosen := dyadic(0), dyadic(0)
	for i, atom := range table {
		sum := dyadic(0)
		addDot(sum, atom, s)
		if sum.Cmp(most) > 0 {
			most = sum
		}
		if chosen[i] && sum.Cmp(mostChosen) > 0 {
			mostChosen = sum
		}
	}
	return asFraction(mostChosen), asFraction(most)
}

// judgeBounds evaluates the proof and compares what is claimed of it.
func (f *designFile) judgeBounds(d *duality, moved *sides, verdict *Verdict) error {
	bound, err := f.provenBound(d)
	if err != nil {
		return err
	}
	verdict.Lower, verdict.Regret = bound, difference(verdict.Full, bound)
	if f.Claims.Lower != nil && (bound == nil || exactly(*f.Claims.Lower).Cmp(bound) > 0) {
		return &FalseClaimError{"lower", fmt.Sprint(*f.Claims.Lower), inWords(bound)}
	}
	if err := notBelow("regret", f.Claims.Regret, verdict.Regret); err != nil || f.Claims.Gap == nil {
		return err
	}
	if verdict.Missed.Sign() > 0 {
		d.sides = moved
		if bound, err = f.provenBound(d); err != nil {
			return err
		}
	}
	verdict.Gap = difference(verdict.Full, bound)
	return notBelow("gap", f.Claims.Gap, verdict.Gap)
}

// provenBound is the bound of the proof between the sides of d; nil for none.
func (f *designFile) provenBound(d *duality) (*big.Rat, error) {
	if f.Proof == nil {
		return nil, nil
	}
	if err := d.imply(f); err != nil {
		return nil, err
	}
	root, err := d.node(f.Proof)
	if err == nil && root.empty {
		err = falseProof("it says that no decision is feasible, but there is one")
	}
	return root.bound, err
}

// difference is nil if there is no bound.
func difference(value, bound *big.Rat) *big.Rat {
	if bound == nil {
		return nil
	}
	return new(big.Rat).Sub(value, bound)
}

// notBelow says so if a claim is below the exact value; nil is infinite.
func notBelow(key string, claim *float64, exact *big.Rat) error {
	if claim == nil || exact != nil && exactly(*claim).Cmp(exact) >= 0 {
		return nil
	}
	return &FalseClaimError{key, fmt.Sprint(*claim), inWords(exact)}
}

// inWords shows an exact value by 25 digits.
func inWords(exact *big.Rat) string {
	if exact == nil {
		return "nothing is proven"
	}
	return "exactly " + new(big.Float).SetPrec(200).SetRat(exact).Text('g', 25)
}

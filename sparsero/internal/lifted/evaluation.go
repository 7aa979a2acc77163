package lifted

import (
	"math"
	"math/big"
	"slices"
)

// All sums of this package are exact. A float64 is a whole number over a power of two, and so are sums and products of
// such; a big.Float of the largest precision holds them without ever rounding, as its mantissa has as many digits as they need.

func dyadic(v float64) *big.Float { return new(big.Float).SetPrec(big.MaxPrec).SetFloat64(v) }

func dyadics(values []float64) []*big.Float {
	result := make([]*big.Float, len(values))
	for i, v := range values {
		result[i] = dyadic(v)
	}
	return result
}

// Rational returns a finite float64 as a fraction.
func Rational(v float64) *big.Rat {
	if v == 0 {
		return new(big.Rat) // SetFloat64 tries a thousand shifts of a zero
	}
	return new(big.Rat).SetFloat64(v)
}

func fraction(v *big.Float) *big.Rat {
	exact, _ := v.Rat(nil)
	return exact
}

// product returns a b.
func product(a, b *big.Float) *big.Float { return dyadic(0).Mul(a, b) }

// addDot returns <a, x> and a number, in whose place or in another; a has an entry for each of some columns, or for all
// of them for nil.
func addDot(sum *big.Float, columns []int, a []float64, x []*big.Float) *big.Float {
	factor, term, next := dyadic(0), dyadic(0), dyadic(0)
	for k, v := range a {
		j := k
		if columns != nil {
			j = columns[k]
		}
		if v != 0 && x[j].Sign() != 0 {
			next.Add(sum, term.Mul(factor.SetFloat64(v), x[j]))
			sum, next = next, sum // a sum in its own place allocates
		}
	}
	return sum
}

// direction returns q(x) from the coordinate of the first row on.
func (q *Map) direction(x []*big.Float) []*big.Float {
	s := make([]*big.Float, len(q.Matrix))
	for k, row := range q.Matrix {
		s[k] = dyadic(0)
		if len(q.Constant) > 0 {
			s[k].SetFloat64(q.Constant[k])
		}
		s[k] = addDot(s[k], row.Columns, row.Values, x)
	}
	return s
}

// worst returns max(0, max_i ⟨d_i, s⟩) for the part of s from a coordinate on, outside of which it is 0. Exact sums are
// spent on the atoms that float64 does not rule out.
func worst(atoms [][]float64, first int, s []*big.Float) *big.Float {
	most := dyadic(0)
	above := alignmentsAbove(atoms, first, s)
	for i, atom := range atoms {
		if above != nil && above[i] < 0 {
			continue
		}
		if sum := addDot(dyadic(0), nil, atom[first:][:len(s)], s); sum.Cmp(most) > 0 {
			most = sum
		}
	}
	return most
}

// alignmentsAbove returns for each atom by how much its alignment with s, which stands at a coordinate, may exceed the
// largest one that float64 proves; atoms below 0 are not the worst. It returns nil where float64 proves nothing.
//
// A float64 of s_k that is neither subnormal nor beyond float64 has an error of at most 2^-53 |s_k|, and so have a product and
// a sum of p products at most 2^-53 of the sizes for each operation; a product that underflows loses 2^-1074 besides.
// Together that is below (p+4) 2^-52 Σ_k |d_k s_k| + p 2^-1074, the rounding of this bound included.
func alignmentsAbove(atoms [][]float64, first int, s []*big.Float) []float64 {
	rounded := make([]float64, len(s))
	for k, v := range s {
		rounded[k], _ = v.Float64()
		if size := math.Abs(rounded[k]); v.Sign() != 0 && (size < 0x1p-1022 || math.IsInf(size, 0)) {
			return nil
		}
	}
	relative, absolute := float64(len(s)+4)*0x1p-52, float64(len(s))*0x1p-1074
	above, proven := make([]float64, len(atoms)), 0.0
	for i, atom := range atoms {
		sum, sizes := 0.0, 0.0
		for k, v := range atom[first:][:len(s)] {
			term := v * rounded[k]
			sum += term
			sizes += math.Abs(term)
		}
		missed := 2 * (relative*sizes + absolute)
		above[i] = sum + missed
		proven = math.Max(proven, sum-missed)
	}
	if math.IsNaN(proven) || math.IsInf(proven, 0) {
		return nil
	}
	for i := range above {
		above[i] -= proven
	}
	return above
}

// Truth is what claims are compared with: Φ_N(X), Φ_S(X), what X misses of bounds, rows and robust constraints, the bound on
// min Φ_N, and those on regret and value gap; nil where nothing is proven.
type Truth struct{ Full, Restricted, Missed, Lower, Regret, Gap *big.Rat }

// Evaluate computes the truth about a decision, with the bounds of a proof, nil for none. It ends a check where the proof has
// a step that weak duality does not allow. It panics for parts that do not fit together.
func Evaluate(p *Problem, d *Decision, proof *Proof) *Truth {
	return newEvaluation(p, d).truth(proof)
}

// evaluation is a problem at its decision, in exact numbers.
type evaluation struct {
	*Problem
	decision *Decision
	x        []*big.Float
	sides    sides
}

// sides are the lower and the upper sides of columns, rows and robust constraints, nil where there is none.
type sides [2][]*big.Float

func (s sides) clone() sides {
	return sides{slices.Clone(s[lowerSide]), slices.Clone(s[upperSide])}
}

const (
	lowerSide = 0
	upperSide = 1
)

// beyond is how a number beyond a side compares with it.
var beyond = [2]int{lowerSide: -1, upperSide: 1}

func sideOf(upper bool) int {
	if upper {
		return upperSide
	}
	return lowerSide
}

func newEvaluation(p *Problem, d *Decision) *evaluation {
	e := &evaluation{Problem: p, decision: d, x: dyadics(d.X)}
	add := func(lower, upper *float64) {
		for side, v := range [2]*float64{lower, upper} {
			var bound *big.Float
			if v != nil {
				bound = dyadic(*v)
			}
			e.sides[side] = append(e.sides[side], bound)
		}
	}
	for _, c := range p.Model.Columns {
		add(c.Lower, c.Upper)
	}
	for _, r := range p.Model.Rows {
		add(r.Lower, r.Upper)
	}
	for k := range p.Constraints {
		add(nil, &p.Constraints[k].Limit)
	}
	return e
}

func (e *evaluation) truth(p *Proof) *Truth {
	t := &Truth{}
	t.Full, t.Restricted = e.objectives()
	moved, missed := e.moved()
	t.Missed = fraction(missed)
	if p == nil {
		return t
	}
	lifted := e.lift(p.Curvature)
	t.Lower = lifted.lowerBound(p)
	t.Regret = difference(t.Full, t.Lower)
	t.Gap = t.Regret
	if missed.Sign() > 0 {
		lifted.sides = moved
		t.Gap = difference(t.Full, lifted.lowerBound(p))
	}
	return t
}

// difference is nil if there is no bound.
func difference(value, bound *big.Rat) *big.Rat {
	if bound == nil {
		return nil
	}
	return new(big.Rat).Sub(value, bound)
}

// objectives returns Φ_N(X) and Φ_S(X).
func (e *evaluation) objectives() (full, restricted *big.Rat) {
	cost := dyadic(e.Model.Offset)
	for j, c := range e.Model.Columns {
		cost.Add(cost, product(dyadic(c.Cost), e.x[j]))
	}
	q := &e.Model.Quadratic
	for k, v := range q.Values {
		cost.Add(cost, product(dyadic(v), product(e.x[q.I[k]], e.x[q.J[k]])))
	}
	if e.Objective == nil {
		return fraction(cost), fraction(cost)
	}
	chosen := make([][]float64, len(e.decision.Atoms))
	for k, i := range e.decision.Atoms {
		chosen[k] = e.Dictionary.Values[i]
	}
	with := func(worst *big.Float) *big.Rat {
		reach := product(dyadic(e.Radius), worst)
		return fraction(reach.Add(reach, cost))
	}
	first, s := e.direction(e.Objective, e.x)
	return with(e.worst(e.Objective, 0, e.x)), with(worst(chosen, first, s))
}

// moved returns sides that the decision keeps to: those that it misses are moved to where it is. missed is by how much it
// misses most.
func (e *evaluation) moved() (moved sides, missed *big.Float) {
	missed = dyadic(0)
	moved = e.sides.clone()
	for place, value := range e.position() {
		for side := range moved {
			at := moved[side][place]
			if at == nil || value.Cmp(at) != beyond[side] {
				continue
			}
			if miss := dyadic(0).Sub(value, at); miss.Abs(miss).Cmp(missed) > 0 {
				missed = miss
			}
			moved[side][place] = value
		}
	}
	return moved, missed
}

// position is where the decision is between the sides: its columns, the rows and the robust constraints.
func (e *evaluation) position() []*big.Float {
	values := append([]*big.Float{}, e.x...)
	for _, row := range e.Model.Rows {
		values = append(values, addDot(dyadic(0), row.Columns, row.Values, e.x))
	}
	for k := range e.Constraints {
		c := &e.Constraints[k]
		value := product(dyadic(e.Radius), e.worst(&c.Map, 1+k, e.x))
		values = append(values, addDot(value, nil, c.Nominal, e.x))
	}
	return values
}

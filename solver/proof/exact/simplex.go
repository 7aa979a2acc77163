package exact

import (
	"context"
	"math/big"

	"github.com/sparsero/directions/solver/internal/program"
)

// patience is the number of pivots per row and column that may go where progress is
// fastest; then lowest indices go first, so that the search ends (Bland 1977).
const patience = 2

// eager tells whether pivots may still go where progress is fastest.
func (t *tableau) eager(begin int) bool {
	return t.pivots-begin < patience*len(t.variables)
}

// feasible pivots until every basic variable is within its bounds (Optimal stands for
// that), or a row of the tableau proves that it cannot be.
func (t *tableau) feasible(ctx context.Context) Status {
	for _, v := range t.variables {
		if v.lower != nil && v.upper != nil && v.lower.Cmp(v.upper) > 0 {
			return Infeasible // conflict < 0: the bounds contradict each other
		}
	}
	for begin := t.pivots; ctx.Err() == nil; {
		eager := t.eager(begin)
		leaving, below := t.leaving(eager)
		if leaving < 0 {
			return Optimal
		}
		entering := t.entering(leaving, below, eager)
		if entering < 0 {
			t.conflict, t.below = leaving, below
			return Infeasible
		}
		v := t.variables[t.basic[leaving]]
		bound := v.upper
		if below {
			bound = v.lower
		}
		t.pivot(leaving, entering, bound)
	}
	return stopped
}

// leaving returns the basic variable that is farthest out of its bounds, or that of the
// lowest index, and on which side; -1 if all are within.
func (t *tableau) leaving(eager bool) (row int, below bool) {
	row = -1
	var farthest *big.Int
	for i, v := range t.basic {
		value := t.basicValue(i)
		side := t.side(i, value)
		if side == 0 {
			continue
		}
		if eager {
			bound := t.variables[v].upper
			if side < 0 {
				bound = t.variables[v].lower
			}
			distance := new(big.Int).Mul(bound, t.denominator)
			distance.Sub(distance, value)
			if farthest == nil || distance.CmpAbs(farthest) > 0 {
				row, below, farthest = i, side < 0, distance
			}
		} else if row < 0 || v < t.basic[row] {
			row, below = i, side < 0
		}
	}
	return row, below
}

// side tells whether a value times the denominator is below (-1) or above (1) the bounds of basic variable i.
func (t *tableau) side(i int, value *big.Int) int {
	v := t.variables[t.basic[i]]
	switch {
	case v.lower != nil && value.Cmp(new(big.Int).Mul(v.lower, t.denominator)) < 0:
		return -1
	case v.upper != nil && value.Cmp(new(big.Int).Mul(v.upper, t.denominator)) > 0:
		return 1
	}
	return 0
}

// entering returns a nonbasic variable that can move basic variable r towards its bounds,
// the one with the largest effect or that of the lowest index, or -1.
func (t *tableau) entering(r int, rise, eager bool) int {
	best := -1
	for k, entry := range t.entries[r] {
		if entry.Sign() != 0 && t.canMove(k, (entry.Sign() > 0) == rise) && t.preferred(t.entries[r], k, best, eager) {
			best = k
		}
	}
	return best
}

// preferred tells whether nonbasic variable k goes before another, or before none.
func (t *tableau) preferred(entries []*big.Int, k, other int, eager bool) bool {
	if other < 0 {
		return true
	}
	if eager {
		return entries[k].CmpAbs(entries[other]) > 0
	}
	return t.nonbasic[k] < t.nonbasic[other]
}

// canMove tells whether nonbasic variable k has room upwards, or downwards.
func (t *tableau) canMove(k int, up bool) bool {
	v := t.variables[t.nonbasic[k]]
	if up {
		return v.upper == nil || t.value[k].Cmp(v.upper) < 0
	}
	return v.lower == nil || t.value[k].Cmp(v.lower) > 0
}

// optimise is the primal simplex method.
func (t *tableau) optimise(ctx context.Context) Status {
	objective := t.entries[len(t.basic)]
	for begin, steps := t.pivots, 0; ctx.Err() == nil; steps++ {
		eager, entering := t.eager(begin) && steps < patience*len(t.variables), -1
		for k, cost := range objective {
			if cost.Sign() != 0 && t.canMove(k, cost.Sign() < 0) && t.preferred(objective, k, entering, eager) {
				entering = k
			}
		}
		if entering < 0 {
			return Optimal
		}
		if !t.step(entering, objective[entering].Sign() < 0) {
			t.ray, t.rising = entering, objective[entering].Sign() < 0
			return Unbounded
		}
	}
	return stopped
}

// step moves nonbasic variable k as far as the bounds let it and tells whether they do.
// Ties go to the variable of lowest index.
func (t *tableau) step(k int, up bool) bool {
	v := t.variables[t.nonbasic[k]]
	var least *big.Rat // distance that k can move
	leaving, flipped := -1, false
	if v.lower != nil && v.upper != nil {
		least = new(big.Rat).SetInt(new(big.Int).Sub(v.upper, v.lower))
		flipped = true
	}
	var target *big.Int
	for i, b := range t.basic {
		sign := t.entries[i][k].Sign()
		if sign == 0 {
			continue
		}
		bound := t.variables[b].lower
		if (sign > 0) == up {
			bound = t.variables[b].upper
		}
		if bound == nil {
			continue
		}
		room := new(big.Int).Mul(bound, t.denominator)
		room.Sub(room, t.basicValue(i))
		distance := new(big.Rat).SetFrac(room.Abs(room), new(big.Int).Abs(t.entries[i][k]))
		order := -1
		if least != nil {
			order = distance.Cmp(least)
		}
		current := t.nonbasic[k]
		if leaving >= 0 {
			current = t.basic[leaving]
		}
		if order < 0 || order == 0 && b < current {
			least, leaving, flipped, target = distance, i, false, bound
		}
	}
	switch {
	case flipped && up:
		t.value[k] = v.upper
	case flipped:
		t.value[k] = v.lower
	case leaving >= 0:
		t.pivot(leaving, k, target)
	default:
		return false
	}
	return true
}

// answer translates the tableau into the units of the program.
func (t *tableau) answer(p *program.Program, status Status) *Answer {
	a := &Answer{Status: status, Pivots: t.pivots}
	switch status {
	case Optimal:
		a.X = t.point()
		a.Duals = t.multipliers(t.entries[len(t.basic)], t.denominator, -t.costShift)
	case Unbounded:
		a.X = t.point()
		a.Ray = t.direction()
	case Infeasible:
		a.Duals = t.farkas()
	}
	if a.X != nil {
		a.Objective = new(big.Rat)
		for j, x := range a.X {
			a.Objective.Add(a.Objective, new(big.Rat).Mul(new(big.Rat).SetFloat64(p.Cost[j]), x))
		}
	}
	return a
}

func (t *tableau) point() []*big.Rat {
	x := make([]*big.Rat, t.columns)
	for k, v := range t.nonbasic {
		if v < t.columns {
			x[v] = ratio(t.value[k], big.NewInt(1), -t.boundShift)
		}
	}
	for i, v := range t.basic {
		if v < t.columns {
			x[v] = ratio(t.basicValue(i), t.denominator, -t.boundShift)
		}
	}
	return x
}

// multipliers reads the factors of the rows in a linear form of the nonbasic variables.
func (t *tableau) multipliers(form []*big.Int, denominator *big.Int, shift int) []*big.Rat {
	y := zeros(len(t.rowShift))
	for k, v := range t.nonbasic {
		if v >= t.columns {
			y[v-t.columns] = ratio(form[k], denominator, shift+t.rowShift[v-t.columns])
		}
	}
	return y
}

// farkas turns the row in conflict, basic = Σ entries nonbasic, into multipliers: the
// basic variable minus that sum is 0 for every x, but the bounds keep it away from 0.
func (t *tableau) farkas() []*big.Rat {
	if t.conflict < 0 {
		return nil
	}
	y := t.multipliers(t.entries[t.conflict], t.denominator, 0)
	for _, v := range y {
		v.Neg(v)
	}
	if b := t.basic[t.conflict]; b >= t.columns {
		y[b-t.columns] = ratio(big.NewInt(1), big.NewInt(1), t.rowShift[b-t.columns])
	}
	if !t.below { // the basic variable is too large
		for _, v := range y {
			v.Neg(v)
		}
	}
	return y
}

// direction is the ray along which nonbasic variable t.ray moves.
func (t *tableau) direction() []*big.Rat {
	d := zeros(t.columns)
	if v := t.nonbasic[t.ray]; v < t.columns {
		d[v].SetInt64(1)
	}
	for i, v := range t.basic {
		if v < t.columns {
			d[v] = ratio(t.entries[i][t.ray], t.denominator, 0)
		}
	}
	if v := t.nonbasic[t.ray]; v >= t.columns { // the unit of a row
		for _, entry := range d {
			entry.Mul(entry, ratio(big.NewInt(1), big.NewInt(1), t.rowShift[v-t.columns]))
		}
	}
	if !t.rising {
		for _, entry := range d {
			entry.Neg(entry)
		}
	}
	return d
}

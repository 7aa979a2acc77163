package exact

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"

	"github.com/sparsero/directions/solver/internal/program"
)

// Check proves an answer from the program alone, apart from the method that found it: a point by its bounds and rows,
// an optimum by a dual bound that equals its objective, infeasibility by a dual bound above 0 for the costs 0, and
// unboundedness by a ray. It panics if the program does not fit together.
func Check(p *program.Program, a *Answer) error {
	check(p)
	if a == nil {
		return errors.New("exact: the answer is nil")
	}
	switch a.Status {
	case Optimal:
		if err := CheckPoint(p, a.X); err != nil {
			return err
		}
		if bound := Bound(p, p.Cost, a.Duals); bound == nil || a.Objective == nil || bound.Cmp(a.Objective) != 0 {
			return fmt.Errorf("exact: the dual bound %v is not the objective %v", bound, a.Objective)
		}
	case Infeasible:
		if bound := Bound(p, make([]float64, len(p.Cost)), a.Duals); bound == nil || bound.Sign() <= 0 {
			return checkCrossed(p)
		}
	case Unbounded:
		if err := CheckPoint(p, a.X); err != nil {
			return err
		}
		return checkRay(p, a.Ray)
	default:
		return errors.New("exact: stopped before anything was proven")
	}
	return nil
}

func checkCrossed(p *program.Program) error {
	for j := range p.Lower {
		if p.Lower[j] > p.Upper[j] {
			return nil
		}
	}
	for _, r := range p.Rows {
		if r.Lower > r.Upper {
			return nil
		}
	}
	return errors.New("exact: the multipliers do not prove that the program is infeasible")
}

func rational(v float64) *big.Rat { return new(big.Rat).SetFloat64(v) }

// within tells whether lower <= v <= upper.
func within(v *big.Rat, lower, upper float64) bool {
	return (math.IsInf(lower, -1) || v.Cmp(rational(lower)) >= 0) && (math.IsInf(upper, 1) || v.Cmp(rational(upper)) <= 0)
}

func activity(r *program.Row, x []*big.Rat) *big.Rat {
	sum := new(big.Rat)
	for k, j := range r.Columns {
		sum.Add(sum, new(big.Rat).Mul(rational(r.Values[k]), x[j]))
	}
	return sum
}

// CheckPoint proves that a point, a number per column, keeps to all bounds and rows, or returns the first that it breaks.
// It panics if the program does not fit together.
func CheckPoint(p *program.Program, x []*big.Rat) error {
	check(p)
	if len(x) != len(p.Cost) || slices.Contains(x, nil) {
		return fmt.Errorf("exact: the point has no number for each of the %d columns", len(p.Cost))
	}
	for j, v := range x {
		if !within(v, p.Lower[j], p.Upper[j]) {
			return fmt.Errorf("exact: column %d is out of its bounds", j)
		}
	}
	for i := range p.Rows {
		if r := &p.Rows[i]; !within(activity(r, x), r.Lower, r.Upper) {
			return fmt.Errorf("exact: row %d is out of its bounds", i)
		}
	}
	return nil
}

// checkRay tests that a direction keeps to every bound and improves the objective.
func checkRay(p *program.Program, ray []*big.Rat) error {
	if len(ray) != len(p.Cost) || slices.Contains(ray, nil) {
		return fmt.Errorf("exact: the ray has no number for each of the %d columns", len(p.Cost))
	}
	rise := new(big.Rat)
	for j, v := range ray {
		if v.Sign() < 0 && !math.IsInf(p.Lower[j], -1) || v.Sign() > 0 && !math.IsInf(p.Upper[j], 1) {
			return fmt.Errorf("exact: the ray leads out of column %d", j)
		}
		rise.Add(rise, new(big.Rat).Mul(rational(p.Cost[j]), v))
	}
	for i := range p.Rows {
		r := &p.Rows[i]
		if sign := activity(r, ray).Sign(); sign < 0 && !math.IsInf(r.Lower, -1) || sign > 0 && !math.IsInf(r.Upper, 1) {
			return fmt.Errorf("exact: the ray leads out of row %d", i)
		}
	}
	if rise.Sign() >= 0 {
		return errors.New("exact: the ray does not improve the objective")
	}
	return nil
}

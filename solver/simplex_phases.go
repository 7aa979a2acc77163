package solver

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

// perturbations are the sizes, one per attempt, by which right-hand sides are
// perturbed. Perturbing makes every vertex nondegenerate: gonum's simplex then
// neither cycles nor meets its Bland rule, and the basis can be read off the
// nonzero values. The exact solution is computed from the basis afterwards, so
// that the perturbation leaves no trace in the result.
var perturbations = [...]float64{1e-6, 1e-7, 1e-5, 1e-8, 1e-9}

// Tolerances of the standard-form solves, relative to costs and right-hand
// sides that are scaled to at most 1.
const (
	// priceTolerance is the reduced cost at which gonum's simplex stops.
	priceTolerance = 1e-10
	// phaseOneTolerance is the sum of artificial variables, relative to the
	// perturbation, that counts as zero.
	phaseOneTolerance = 1e-3
	// basisTolerance is how negative a basic value may be.
	basisTolerance = 1e-8
	// rankTolerance is the pivot below which an equation counts as dependent.
	rankTolerance = 1e-10
)

// solution is a basic solution of a standard form.
type solution struct {
	outcome     outcome
	values      []float64 // one per column
	multipliers []float64 // one per equation
	basis       []columnKey
}

// solve runs both phases of the simplex method on the perturbed form and
// returns the exact basic solution of the basis it ends with.
func (s *standard) solve(run *run, warm []columnKey, attempt int) solution {
	kept, consistent := s.independent()
	if !consistent {
		return solution{outcome: noOptimum}
	}
	random := rand.New(rand.NewPCG(run.seed, uint64(attempt)))
	size := perturbations[attempt]
	basis, rhs := s.warmBasis(kept, warm, size, random)
	if basis == nil {
		rhs = s.perturbed(kept, size, random)
		var outcome outcome
		if basis, outcome = s.phaseOne(run, kept, rhs, size); outcome != solved {
			return solution{outcome: outcome}
		}
	}
	columns := make([]int, len(s.columns))
	for k := range columns {
		columns[k] = k
	}
	t := s.tableau(run, kept, columns, nil)
	values, outcome := t.simplex(s.cost, rhs, basis)
	if outcome != solved {
		return solution{outcome: outcome}
	}
	return s.exact(kept, nonzeros(values))
}

// exact computes the unperturbed basic solution and its multipliers.
func (s *standard) exact(kept, basis []int) solution {
	if len(basis) != len(kept) {
		return solution{}
	}
	var factor mat.LU
	factor.Factorize(s.basisMatrix(kept, basis))
	rhs, cost := make([]float64, len(kept)), make([]float64, len(kept))
	for k, i := range kept {
		rhs[k], cost[k] = s.rhs[i], s.cost[basis[k]]
	}
	var primal, dual mat.VecDense
	if factor.SolveVecTo(&primal, false, mat.NewVecDense(len(rhs), rhs)) != nil ||
		factor.SolveVecTo(&dual, true, mat.NewVecDense(len(cost), cost)) != nil {
		return solution{}
	}
	result := solution{outcome: solved, values: make([]float64, len(s.columns)), multipliers: make([]float64, s.size)}
	for k, column := range basis {
		v := primal.AtVec(k)
		if v < -basisTolerance {
			return solution{}
		}
		result.values[column] = math.Max(0, v)
		result.basis = append(result.basis, s.keys[column])
	}
	for k, i := range kept {
		result.multipliers[i] = dual.AtVec(k)
	}
	return result
}

// perturbed returns the kept right-hand sides moved by G xi for a random
// positive xi: whatever was feasible stays feasible.
func (s *standard) perturbed(kept []int, size float64, random *rand.Rand) []float64 {
	moved := append([]float64(nil), s.rhs...)
	for _, column := range s.columns {
		xi := size * (0.5 + random.Float64())
		for _, e := range column {
			moved[e.index] += e.value * xi
		}
	}
	rhs := make([]float64, len(kept))
	for k, i := range kept {
		rhs[k] = moved[i]
	}
	return rhs
}

// warmBasis finds the columns of an earlier optimal basis. It returns nil when
// one is missing or the basis is not feasible any more; otherwise the columns
// and a right-hand side moved into the interior of their cone.
func (s *standard) warmBasis(kept []int, warm []columnKey, size float64, random *rand.Rand) ([]int, []float64) {
	if len(warm) != len(kept) || len(warm) == 0 {
		return nil, nil
	}
	position := make(map[columnKey]int, len(s.keys))
	for k, key := range s.keys {
		position[key] = k
	}
	basis := make([]int, len(warm))
	for k, key := range warm {
		column, found := position[key]
		if !found {
			return nil, nil
		}
		basis[k] = column
	}
	matrix := s.basisMatrix(kept, basis)
	rhs := make([]float64, len(kept))
	for k, i := range kept {
		rhs[k] = s.rhs[i]
	}
	var values mat.VecDense
	if values.SolveVec(matrix, mat.NewVecDense(len(rhs), rhs)) != nil {
		return nil, nil
	}
	for k := range rhs {
		if values.AtVec(k) < -basisTolerance {
			return nil, nil
		}
		values.SetVec(k, math.Max(0, values.AtVec(k))+size*(0.5+random.Float64()))
	}
	var moved mat.VecDense
	moved.MulVec(matrix, &values)
	return basis, moved.RawVector().Data
}

// phaseOne finds a feasible basis. Equations with a column of their own, of the
// right sign, start with it; the others get an artificial variable, and the sum
// of those is minimised.
func (s *standard) phaseOne(run *run, kept []int, rhs []float64, size float64) ([]int, outcome) {
	basis := make([]int, len(kept))
	own := s.ownColumns(kept, rhs)
	columns := make([]int, len(s.columns))
	for k := range columns {
		columns[k] = k
	}
	var artificial []entry
	for k := range kept {
		if own[k] >= 0 {
			basis[k] = own[k]
			continue
		}
		basis[k] = len(columns) + len(artificial)
		artificial = append(artificial, entry{k, math.Copysign(1, rhs[k])})
	}
	if len(artificial) == 0 {
		return basis, solved
	}
	cost := make([]float64, len(columns)+len(artificial))
	for k := range artificial {
		cost[len(columns)+k] = 1
	}
	values, outcome := s.tableau(run, kept, columns, artificial).simplex(cost, rhs, basis)
	if outcome != solved {
		if outcome == noOptimum { // cannot be: the sum is bounded by 0
			outcome = failed
		}
		return nil, outcome
	}
	total := 0.0
	for _, v := range values[len(columns):] {
		total += math.Abs(v)
	}
	if total > phaseOneTolerance*size {
		return nil, noOptimum
	}
	basis = nonzeros(values[:len(columns)])
	if len(basis) != len(kept) {
		return nil, failed
	}
	return basis, solved
}

// ownColumns returns for each kept equation a column with no other entry and
// the sign of the right-hand side, or -1.
func (s *standard) ownColumns(kept []int, rhs []float64) []int {
	position := make([]int, s.size)
	for i := range position {
		position[i] = -1
	}
	own := make([]int, len(kept))
	for k, i := range kept {
		position[i], own[k] = k, -1
	}
	for c, column := range s.columns {
		if len(column) != 1 {
			continue
		}
		if k := position[column[0].index]; k >= 0 && column[0].value*rhs[k] > 0 {
			own[k] = c
		}
	}
	return own
}

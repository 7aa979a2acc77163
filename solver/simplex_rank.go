package solver

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// independent returns a maximal set of linearly independent equations, and
// whether the others agree with them. Equations with a column of their own are
// independent of everything, so only the rest is eliminated.
func (s *standard) independent() (kept []int, consistent bool) {
	free := make([]bool, s.size)
	for _, column := range s.columns {
		if len(column) == 1 {
			free[column[0].index] = true
		}
	}
	position := make([]int, s.size)
	var rest []int
	for i := range free {
		position[i] = -1
		if !free[i] {
			position[i] = len(rest)
			rest = append(rest, i)
		}
	}
	keep := append([]bool(nil), free...)
	consistent = true
	if len(rest) > 0 {
		matrix := make([][]float64, len(rest))
		for k, i := range rest {
			matrix[k] = make([]float64, len(s.columns)+1)
			matrix[k][len(s.columns)] = s.rhs[i]
		}
		for c, column := range s.columns {
			for _, e := range column {
				if k := position[e.index]; k >= 0 {
					matrix[k][c] = e.value
				}
			}
		}
		consistent = eliminate(matrix, func(k int) { keep[rest[k]] = true })
	}
	for i, k := range keep {
		if k {
			kept = append(kept, i)
		}
	}
	return kept, consistent
}

// eliminate runs Gaussian elimination with column pivoting on rows whose last
// entry is the right-hand side, calls keep for each independent row, and
// reports whether the dependent ones are consistent.
func eliminate(rows [][]float64, keep func(int)) bool {
	for k, row := range rows {
		last := len(row) - 1
		pivot := 0
		for c := range last {
			if math.Abs(row[c]) > math.Abs(row[pivot]) {
				pivot = c
			}
		}
		if last == 0 || math.Abs(row[pivot]) <= rankTolerance {
			if math.Abs(row[last]) > basisTolerance {
				return false
			}
			continue
		}
		keep(k)
		for _, other := range rows[k+1:] {
			factor := other[pivot] / row[pivot]
			if factor == 0 {
				continue
			}
			for c := range row {
				other[c] -= factor * row[c]
			}
			other[pivot] = 0
		}
	}
	return true
}

// basisMatrix gathers the given columns over the kept equations.
func (s *standard) basisMatrix(kept, basis []int) *mat.Dense {
	position := make(map[int]int, len(kept))
	for k, i := range kept {
		position[i] = k
	}
	matrix := mat.NewDense(len(kept), len(basis), nil)
	for c, column := range basis {
		for _, e := range s.columns[column] {
			if k, found := position[e.index]; found {
				matrix.Set(k, c, e.value)
			}
		}
	}
	return matrix
}

func nonzeros(values []float64) []int {
	var indices []int
	for k, v := range values {
		if v != 0 {
			indices = append(indices, k)
		}
	}
	return indices
}

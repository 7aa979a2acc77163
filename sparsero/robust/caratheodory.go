package robust

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

const (
	// rankTolerance is the singular value, relative to the largest, at or below which
	// vectors count as linearly dependent.
	rankTolerance = 1e-10
	// vanished is the multiplier, relative to what it was, that counts as zero.
	vanished = 1e-12
)

// caratheodory moves non-negative weights to linearly independent columns without
// changing Σ weights[k] columns[k] and without raising Σ weights. It returns the
// positions that keep a positive weight and their weights.
func caratheodory(columns [][]float64, weights []float64) (kept []int, moved []float64) {
	moved = append([]float64(nil), weights...)
	for k, w := range weights {
		if w > 0 {
			kept = append(kept, k)
		}
	}
	for {
		group := kept
		if len(group) > 0 && len(group) > len(columns[group[0]])+1 {
			group = group[:len(columns[group[0]])+1] // these are dependent already
		}
		direction := dependence(columns, moved, group)
		if direction == nil {
			break
		}
		step(moved, group, direction)
		remaining := kept[:0]
		for _, k := range kept {
			if moved[k] > vanished*weights[k] {
				remaining = append(remaining, k)
			} else {
				moved[k] = 0
			}
		}
		kept = remaining
	}
	positive := make([]float64, len(kept))
	for k, position := range kept {
		positive[k] = moved[position]
	}
	return kept, positive
}

// step moves the weights of a group along a direction of dependence, with the sign that does
// not raise their sum, until the first one vanishes; that one is set to zero.
func step(weights []float64, group []int, direction []float64) {
	sum := 0.0
	for _, z := range direction {
		sum += z
	}
	sign := 1.0
	if sum > 0 || sum == 0 && !anyNegative(direction) {
		sign = -1
	}
	length, first := math.Inf(1), -1
	for k, position := range group {
		if z := sign * direction[k]; z < 0 && weights[position]/-z < length {
			length, first = weights[position]/-z, position
		}
	}
	for k, position := range group {
		weights[position] = math.Max(0, weights[position]+length*sign*direction[k])
	}
	weights[first] = 0
}

func anyNegative(v []float64) bool {
	for _, x := range v {
		if x < 0 {
			return true
		}
	}
	return false
}

// dependence returns z with Σ z_k columns[group[k]] = 0, z_k relative to the weights of norm
// 1, or nil if the columns, each times its weight, are linearly independent.
func dependence(columns [][]float64, weights []float64, group []int) []float64 {
	if len(group) == 0 {
		return nil
	}
	m := mat.NewDense(len(columns[group[0]]), len(group), nil)
	for k, position := range group {
		for i, v := range columns[position] {
			m.Set(i, k, weights[position]*v)
		}
	}
	var svd mat.SVD
	if !svd.Factorize(m, mat.SVDFullV) {
		return nil
	}
	values := svd.Values(nil)
	last := len(group) - 1
	if len(values) == len(group) && values[last] > rankTolerance*values[0] {
		return nil
	}
	var v mat.Dense
	svd.VTo(&v)
	direction := mat.Col(nil, last, &v)
	for k, position := range group {
		direction[k] *= weights[position]
	}
	return direction
}

// inUnits divides every coordinate of the columns by the power of two near its size.
func inUnits(columns [][]float64, sizes []float64) {
	for i, size := range sizes {
		_, e := math.Frexp(size)
		for _, column := range columns {
			column[i] = math.Ldexp(column[i], -e)
		}
	}
}

// rank is the numerical rank of a list of rows, in units in which each column and then each
// row has a largest entry of about 1.
func rank(rows [][]float64) int {
	m := mat.NewDense(len(rows), len(rows[0]), nil)
	sizes := make([]float64, len(rows[0]))
	for _, row := range rows {
		for j, v := range row {
			sizes[j] = math.Max(sizes[j], math.Abs(v))
		}
	}
	inUnits(rows, sizes)
	for i, row := range rows {
		_, e := math.Frexp(floats.Norm(row, math.Inf(1)))
		for j, v := range row {
			m.Set(i, j, math.Ldexp(v, -e))
		}
	}
	var svd mat.SVD
	if !svd.Factorize(m, mat.SVDNone) {
		return min(len(rows), len(rows[0]))
	}
	count := 0
	values := svd.Values(nil)
	for _, v := range values {
		if v > rankTolerance*values[0] {
			count++
		}
	}
	return count
}

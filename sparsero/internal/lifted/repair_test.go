package lifted

import (
	"math"
	"math/big"
	"testing"
)

// freeColumns has n columns without a bound, each of which a row holds at 1 from below, and a leaf the multipliers of which are
// all wrong by their last digits.
func freeColumns(n int) (*Problem, *Decision, *Leaf) {
	p := &Problem{Dictionary: Dictionary{Atoms: 1, Dimension: 1, Values: [][]float64{{1}}}}
	d, leaf := &Decision{X: make([]float64, n)}, &Leaf{Scale: Float(1)}
	total := Row{Lower: ptr(float64(n))} // of all columns, so that none of them has a bound that rows imply
	for j := range n {
		p.Model.Columns = append(p.Model.Columns, Column{Cost: 1})
		total.Columns, total.Values = append(total.Columns, j), append(total.Values, 1)
		difference := Row{Columns: []int{j, (j + 1) % n}, Values: []float64{1, -1}, Lower: ptr(0.)}
		p.Model.Rows = append(p.Model.Rows, difference)
		leaf.Rows.Add(j, 0x1p-60*float64(j))
	}
	p.Model.Rows = append(p.Model.Rows, total)
	leaf.Rows.Add(n, 1-0x1p-50)
	return p, d, leaf
}

// TestUpToFortyFreeColumnsAreRepaired: min Σ x_j over Σ x_j >= n is n, which is proven where the multipliers are corrected, and
// nothing is for more columns.
func TestUpToFortyFreeColumnsAreRepaired(t *testing.T) {
	for n, proven := range map[int]bool{2: true, 39: true, 40: true, 41: false} {
		bound := Bound(freeColumns(n))
		if (bound != nil) != proven || proven && bound.Cmp(Rational(float64(n))) != 0 {
			t.Errorf("%d columns: the bound is %v", n, bound)
		}
	}
}

// TestWeights raise an unknown that is below 2^-20 of the largest term in every equation until it is not in one of them, as far
// as float64 goes, and leave all others: the last number of an equation is no unknown.
func TestWeights(t *testing.T) {
	for _, test := range []struct {
		system [][]float64
		want   []float64
	}{
		{[][]float64{{1, 0x1p-20, 0}}, []float64{1, 1}},
		{[][]float64{{0x1p-30, 1, 0}}, []float64{0x1p10, 1}},
		{[][]float64{{-4, -0x1p-19, 0x1p90}, {0, 0, 1}}, []float64{1, 2}},
		{[][]float64{{1, 0x1p-30, 0}, {0x1p-40, 0x1p-30, 0}}, []float64{1, 1}},
		{[][]float64{{1, 0x1p-40, 0}, {1, 0x1p-22, 0}}, []float64{1, 4}},
		{[][]float64{{1, 0, 3}}, []float64{1, math.MaxFloat64}},
	} {
		var system [][]*big.Rat
		for _, equation := range test.system {
			system = append(system, Zeros(len(equation)))
			for k, v := range equation {
				system[len(system)-1][k].SetFloat64(v)
			}
		}
		weights := weigh(system, 2)
		for k, want := range test.want {
			if weights[k].Cmp(Rational(want)) != 0 {
				t.Errorf("%v: weight %d is %v, want %v", test.system, k, weights[k], want)
			}
			for e, equation := range system {
				if scaled := Rational(test.system[e][k]); equation[k].Cmp(scaled.Mul(scaled, Rational(want))) != 0 {
					t.Errorf("%v: unknown %d of equation %d became %v", test.system, k, e, equation[k])
				}
			}
		}
	}
}

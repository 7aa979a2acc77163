package lifted

import (
	"math"
	"math/big"
	"slices"
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

// TestTangentsMoveToTheMinimum: x² + xy + y² - 3x - 3y has the minimum -3 at x = y = 1, beside a column z >= 0 that costs more than
// it saves, and a decision next to it proves that.
func TestTangentsMoveToTheMinimum(t *testing.T) {
	p := &Problem{
		Dictionary: Dictionary{Atoms: 1, Dimension: 1, Values: [][]float64{{1}}},
		Model: Model{
			Columns:   []Column{{Cost: 10, Lower: ptr(0.), Upper: ptr(1.)}, {Cost: -3}, {Cost: -3}},
			Quadratic: Quadratic{I: []int{0, 1, 1, 2, 2}, J: []int{0, 0, 1, 1, 2}, Values: []float64{1, 1, 1, 1, 1}},
		},
	}
	for _, x := range [][]float64{{0, 1 + 0x1p-30, 1 - 0x1p-31}, {0, 1, 1}} {
		bound := Bound(p, &Decision{X: x}, &Leaf{Scale: Float(1)})
		if bound == nil || bound.Cmp(Rational(-3)) != 0 {
			t.Errorf("at %v: the bound is %v", x, bound)
		}
	}
}

// TestRepairsKeepSigns: a multiplier that is too large for the radius by its last digit is corrected, and one of an atom that would
// have to be negative is not, so that nothing is proven. Without curvature a corrected leaf has no tangent.
func TestRepairsKeepSigns(t *testing.T) {
	p := &Problem{
		Dictionary: Dictionary{Atoms: 1, Dimension: 1, Values: [][]float64{{1}}}, Radius: 2,
		Model:     Model{Columns: []Column{{Cost: -2}}},
		Objective: &Map{Matrix: []Entries{{[]int{0}, []float64{1}}}, Constant: []float64{5}},
	}
	d := &Decision{X: []float64{0}, Atoms: []int{0}}
	for _, test := range []struct{ cost, multiplier, bound float64 }{
		{-2, 2 + 0x1p-51, 10}, {-2, 2 - 0x1p-52, 10}, {-2, 2, 10}, {1, 0, math.NaN()}, {1, 0x1p-60, math.NaN()}, {1, 1, math.NaN()}, {-3, 3, math.NaN()},
	} {
		p.Model.Columns[0].Cost = test.cost
		leaf := &Leaf{Scale: Float(1)}
		leaf.Objective.Add(0, test.multiplier)
		bound := Bound(p, d, leaf)
		if (bound == nil) != math.IsNaN(test.bound) || bound != nil && bound.Cmp(Rational(test.bound)) != 0 {
			t.Errorf("%+v: the bound is %v", test, bound)
		}
		if v := newProver(p, d); len(v.program.repaired(leaf).Tangent) > 0 {
			t.Errorf("%+v: a tangent of a linear cost", test)
		}
	}
}

// TestOpenColumns are those of x that lack the bound on which their reduced cost leans, and t where its own is negative.
func TestOpenColumns(t *testing.T) {
	for _, test := range []struct {
		cost         float64
		lower, upper *float64
		multiplier   float64
		want         []int
	}{
		{1, ptr(0.), nil, 0, nil}, {1, nil, ptr(0.), 0, []int{0}}, {-1, ptr(0.), nil, 0, []int{0}}, {-1, nil, ptr(0.), 0, nil}, {0, nil, nil, 0, nil},
		{0x1p-1074, nil, nil, 0, []int{0}}, {1, ptr(0.), ptr(0.), 2, nil}, {1, ptr(0.), ptr(0.), 2 + 0x1p-51, []int{1}}, {-1, nil, nil, 3, []int{0, 1}},
	} {
		p := &Problem{
			Dictionary: Dictionary{Atoms: 1, Dimension: 1, Values: [][]float64{{1}}}, Radius: 2, Objective: &Map{Matrix: []Entries{{}}},
			Model: Model{Columns: []Column{{Cost: test.cost, Lower: test.lower, Upper: test.upper}}},
		}
		leaf := &Leaf{Scale: Float(1)}
		leaf.Objective.Add(0, test.multiplier)
		if got := newProver(p, &Decision{X: []float64{0}, Atoms: []int{0}}).program.open(leaf); !slices.Equal(got, test.want) {
			t.Errorf("%+v: %v", test, got)
		}
	}
}

// TestWhatCannotBeRepaired: one multiplier cannot leave nothing of x + 2y for free x and y, and nothing is proven.
func TestWhatCannotBeRepaired(t *testing.T) {
	p := &Problem{
		Dictionary: Dictionary{Atoms: 1, Dimension: 1, Values: [][]float64{{1}}},
		Model:      Model{Columns: []Column{{Cost: 1}, {Cost: 2}}, Rows: []Row{{Columns: []int{0, 1}, Values: []float64{1, 1}, Lower: ptr(0.)}}},
	}
	leaf := &Leaf{Scale: Float(1)}
	leaf.Rows.Add(0, 1)
	if bound := Bound(p, &Decision{X: []float64{0, 0}}, leaf); bound != nil {
		t.Errorf("the bound is %v", bound)
	}
}

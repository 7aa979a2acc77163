package lifted

import (
	"errors"
	"math"
	"slices"
	"testing"
)

// TestARowImpliesBounds of a column that has none, from the sides of the row and of its other column, which lies in
// [0.5, 4]. They are rounded outwards.
func TestARowImpliesBounds(t *testing.T) {
	third, below := math.Nextafter(1./3, 1), 1./3 // on both sides of the fraction
	infinite := math.Inf(1)
	for _, test := range []struct {
		a, b             float64
		row              Row
		lowest, greatest float64
	}{
		{1, 2, Row{Upper: ptr(3.)}, -infinite, 2}, {1, 2, Row{Lower: ptr(3.)}, -5, infinite},
		{1, 2, Row{}, -infinite, infinite},
		{-1, 2, Row{Upper: ptr(3.)}, -2, infinite}, {-1, 2, Row{Lower: ptr(3.)}, -infinite, 5},
		{1, -2, Row{Upper: ptr(3.)}, -infinite, 11}, {2, -2, Row{Lower: ptr(1.), Upper: ptr(1.)}, 1, 4.5},
		{3, 0, Row{Lower: ptr(-1.), Upper: ptr(1.)}, -third, third},
		{-3, 0, Row{Lower: ptr(-1.), Upper: ptr(1.)}, -third, third},
		{3, 1, Row{Lower: ptr(5.), Upper: ptr(1.5)}, below, third}, {0, 1, Row{Upper: ptr(1.)}, -infinite, infinite},
		{1e-300, 0, Row{Upper: ptr(1e300)}, -infinite, infinite},
	} {
		test.row.Columns, test.row.Values = []int{1, 0}, []float64{test.a, test.b}
		p := &Problem{
			Dictionary: Dictionary{Atoms: 1, Dimension: 1, Values: [][]float64{{1}}},
			Model:      Model{Columns: []Column{{Lower: ptr(0.5), Upper: ptr(4.)}, {}}, Rows: []Row{{}, {}, test.row}},
		}
		v, want := newProver(p, &Decision{X: []float64{1, 0}}), []Implied(nil)
		for _, side := range []Implied{{2, 1, -1}, {2, 1, 1}} {
			if !math.IsInf([]float64{test.lowest, 0, test.greatest}[1+side[2]], 0) {
				want = append(want, side)
			}
		}
		lower, upper := v.program.bounds()
		if !slices.Equal(lower, []float64{0.5, test.lowest}) || !slices.Equal(upper, []float64{4, test.greatest}) {
			t.Errorf("%v x + %v y: the bounds are %v and %v", test.a, test.b, lower, upper)
		}
		if !slices.Equal(v.proof.Implied, want) {
			t.Errorf("%v x + %v y: the list of bounds is %v, not %v", test.a, test.b, v.proof.Implied, want)
		}
	}
}

// TestImpliedBoundsRestOnOthers, of rows that come later, too: x_j <= x_{j+1} up to the last one, which is at most 5.
func TestImpliedBoundsRestOnOthers(t *testing.T) {
	const n = 5
	p := &Problem{Dictionary: Dictionary{Atoms: 1, Dimension: 1, Values: [][]float64{{1}}}}
	p.Model.Columns = make([]Column, n)
	for j := range n - 1 {
		p.Model.Rows = append(p.Model.Rows, Row{Columns: []int{j, j + 1}, Values: []float64{1, -1}, Upper: ptr(0.)})
	}
	p.Model.Columns[n-1].Upper = ptr(5.)
	d := &Decision{X: make([]float64, n)}
	plain := newEvaluation(p, d).lift(nil)
	list, bounded := plain.implications()
	_, upper := bounded.bounds()
	_, again := plain.with(&Proof{Implied: list}).bounds()
	if want := slices.Repeat([]float64{5}, n); !slices.Equal(upper, want) || !slices.Equal(again, want) {
		t.Errorf("the bounds are %v, and %v by the list %v", upper, again, list)
	}
	if _, upper := plain.bounds(); !math.IsInf(upper[0], 1) {
		t.Errorf("the problem itself has the bounds %v", upper)
	}
}

// TestImpliedBoundsAreSoughtSoOften: each of ten passes finds the bound of one column more, and an eleventh would find the last.
func TestImpliedBoundsAreSoughtSoOften(t *testing.T) {
	for n, found := range map[int]bool{11: true, 12: false} {
		p := &Problem{Dictionary: Dictionary{Atoms: 1, Dimension: 1, Values: [][]float64{{1}}}}
		p.Model.Columns = make([]Column, n)
		for j := range n - 1 {
			p.Model.Rows = append(p.Model.Rows, Row{Columns: []int{j, j + 1}, Values: []float64{1, -1}, Upper: ptr(0.)})
		}
		p.Model.Columns[n-1].Upper = ptr(5.)
		_, bounded := newEvaluation(p, &Decision{X: make([]float64, n)}).lift(nil).implications()
		if _, upper := bounded.bounds(); (upper[0] == 5) != found || upper[1] != 5 {
			t.Errorf("%d columns have the upper bounds %v", n, upper)
		}
	}
}

// TestACorrectionFallsToTheLargeTerms: the multiplier 1 of x >= 0 has to shrink by a share of 2^-8 for the reduced cost
// of the free x to be 0, where that of 2^-10 x >= 0 would have to shrink below 0.
func TestACorrectionFallsToTheLargeTerms(t *testing.T) {
	for _, values := range [][]float64{{1, 0x1p-10}, {0x1p-10, 1}} {
		p := &Problem{
			Dictionary: Dictionary{Atoms: 1, Dimension: 1, Values: [][]float64{{1}}},
			Model:      Model{Columns: []Column{{Cost: 1 + 0x1p-10 - 0x1p-8}}},
		}
		for _, v := range values {
			p.Model.Rows = append(p.Model.Rows, Row{Columns: []int{0}, Values: []float64{v}, Lower: ptr(0.)})
		}
		leaf := &Leaf{Scale: Float(1), Rows: Multipliers{[]int{0, 1}, []Number{Float(1), Float(1)}}}
		v := newProver(p, &Decision{X: []float64{0}})
		v.program.sides[lowerSide][0] = nil // which the rows imply
		if bound := v.program.bound(v.program.repaired(leaf)); bound == nil || bound.Sign() != 0 {
			t.Errorf("rows with %v: the bound is %v, not 0", values, bound)
		}
	}
}

// split is the least x of the whole ones in [0, 3] with 2x >= 1, which is 1: a branch at 0 whose lower part is empty.
func split() *statement {
	s := &statement{
		p: Problem{
			Dictionary: Dictionary{Atoms: 1, Dimension: 1, Values: [][]float64{{1}}}, Radius: 1,
			Model: Model{
				Columns: []Column{{Cost: 1, Lower: ptr(0.), Upper: ptr(3.), Integer: true}},
				Rows:    []Row{{Columns: []int{0}, Values: []float64{2}, Lower: ptr(1.)}},
			},
		},
		d: Decision{X: []float64{1}, Atoms: []int{0}},
	}
	s.proof.Branches = []Branch{{0, 0, 1, 2}}
	multiplier := Multipliers{[]int{0}, []Number{Float(1)}}
	s.proof.Leaves = []Leaf{{Scale: Float(1), Empty: true, Rows: multiplier}, {Scale: Float(1)}}
	return s
}

// TestProofsOverTrees: the least bound of the leaves that are not empty counts, and none where one proves nothing.
func TestProofsOverTrees(t *testing.T) {
	plain := Leaf{Scale: Float(1)}
	unproven := math.NaN()
	for name, test := range map[string]struct {
		change func(s *statement)
		want   float64 // NaN for no bound
	}{
		"as it is": {func(*statement) {}, 1},
		"upper first": {func(s *statement) {
			s.proof.Branches[0] = Branch{0, 0, 2, 1}
			slices.Reverse(s.proof.Leaves)
		}, 1},
		"not empty":    {func(s *statement) { s.proof.Leaves[0] = plain }, 0},
		"lesser above": {func(s *statement) { s.proof.Leaves[0], s.p.Model.Columns[0].Cost = plain, -1 }, -3},
		"lesser below": {func(s *statement) { s.proof.Leaves[0], s.proof.Branches[0][1] = plain, 2 }, 0},
		"said empty":   {func(s *statement) { s.proof.Leaves[0].Rows = Multipliers{} }, unproven},
		"no bound": {func(s *statement) {
			s.p.Model.Columns[0].Upper, s.p.Model.Columns[0].Cost = nil, -1
		}, unproven},
		"upper part empty": {func(s *statement) {
			s.p.Model.Columns[0].Cost, s.p.Model.Rows[0].Upper, s.proof.Branches[0][1] = -1, ptr(5.), 2
			s.proof.Leaves = []Leaf{plain, s.proof.Leaves[0]}
			s.proof.Leaves[1].Rows.Values[0] = Float(-1)
		}, -2},
		"deeper": {func(s *statement) {
			s.proof.Branches = []Branch{{0, 1, 1, 4}, {0, 0, 2, 3}}
			s.proof.Leaves = append(s.proof.Leaves, plain)
		}, 1},
		"implied": {func(s *statement) { s.p.Model.Columns[0].Lower, s.proof.Implied = nil, []Implied{{0, 0, -1}} }, 1},
		"all of the radius": {func(s *statement) {
			s.p.Objective = &Map{Matrix: []Entries{{[]int{0}, []float64{1}}}}
			s.proof.Leaves[1].Objective = Multipliers{[]int{0}, []Number{Float(1)}}
		}, 2},
	} {
		s := split()
		test.change(s)
		var truth *Truth
		err := Checked(func() { Check(&s.p, &s.d, &s.proof); truth = Evaluate(&s.p, &s.d, &s.proof) })
		switch {
		case err != nil:
			t.Errorf("%s: %v", name, err)
		case truth.Lower == nil:
			if !math.IsNaN(test.want) {
				t.Errorf("%s: no bound, want %v", name, test.want)
			}
		case math.IsNaN(test.want) || truth.Lower.Cmp(Rational(test.want)) != 0:
			t.Errorf("%s: the bound %v, want %v", name, truth.Lower, test.want)
		}
	}
}

// TestStepsThatDualityDoesNotAllow make the claim of a proof false.
func TestStepsThatDualityDoesNotAllow(t *testing.T) {
	for name, change := range map[string]func(s *statement){
		"all leaves empty": func(s *statement) {
			s.proof.Branches, s.proof.Leaves, s.p.Model.Columns[0].Upper = nil, s.proof.Leaves[:1], ptr(0.)
		},
		"too heavy": func(s *statement) {
			s.p.Objective = &Map{Matrix: []Entries{{[]int{0}, []float64{1}}}}
			s.proof.Leaves[1].Objective = Multipliers{[]int{0}, []Number{Float(1 + 0x1p-52)}}
		},
		"negative": func(s *statement) {
			s.p.Objective = &Map{Matrix: []Entries{{[]int{0}, []float64{1}}}}
			s.proof.Leaves[1].Objective = Multipliers{[]int{0}, []Number{Float(-1)}}
		},
		"not chosen": func(s *statement) {
			s.d.Atoms, s.p.Objective = nil, &Map{Matrix: []Entries{{[]int{0}, []float64{1}}}}
			s.proof.Leaves[1].Objective = Multipliers{[]int{0}, []Number{Float(1)}}
		},
		"a side that is not there": func(s *statement) {
			s.proof.Leaves[1].Rows = Multipliers{[]int{0}, []Number{Float(-1)}}
		},
		"implied by nothing": func(s *statement) { s.proof.Implied = []Implied{{0, 0, 1}} },
		"no curvature": func(s *statement) {
			s.p.Model.Quadratic = Quadratic{[]int{0}, []int{0}, []float64{1}}
		},
	} {
		s := split()
		change(s)
		err := Checked(func() { Check(&s.p, &s.d, &s.proof); Evaluate(&s.p, &s.d, &s.proof) })
		var wrong *FalseClaimError
		if !errors.As(err, &wrong) || wrong.Claim != "proof" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

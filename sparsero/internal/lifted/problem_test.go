package lifted

import (
	"encoding/json"
	"math"
	"math/big"
	"slices"
	"testing"
)

// TestHash is the SHA-256 that other programs find: that of 2, 3, and the atoms, where -0 is 0.
func TestHash(t *testing.T) {
	const want = "ebcc258eb73a9cc3410437e21f5fb98ffc4cc2f181a9fbe4a2875fd269aa8297"
	if got := Hash(3, [][]float64{{1, math.Copysign(0, -1), -2.5}, {0.1, 3, 0}}); got != want {
		t.Errorf("the hash is %s", got)
	}
}

// TestSides are numbers, or missing where a bound is infinite.
func TestSides(t *testing.T) {
	for _, bound := range []float64{math.Inf(1), math.Inf(-1)} {
		if side := Side(bound); side != nil {
			t.Errorf("%v has the side %v", bound, *side)
		}
	}
	for _, bound := range []float64{0, -2, math.MaxFloat64} {
		if side := Side(bound); side == nil || *side != bound {
			t.Errorf("%v has no side", bound)
		}
	}
}

// TestRowsOfMaps are those of coordinates; one that a map leaves out is 0.
func TestRowsOfMaps(t *testing.T) {
	entries := func(v float64) Entries { return Entries{[]int{0}, []float64{v}} }
	q := Map{Matrix: []Entries{entries(2), entries(3)}, Constant: []float64{4, 5}}
	later, bare := q, q
	later.First, bare.Constant = ptr(1), nil
	for _, test := range []struct {
		q               *Map
		coordinate      int
		value, constant float64
	}{
		{&q, 0, 2, 4}, {&q, 1, 3, 5}, {&q, 2, 0, 0}, {&later, 0, 0, 0}, {&later, 1, 2, 4}, {&later, 2, 3, 5}, {&later, 3, 0, 0},
		{&Map{Matrix: q.Matrix[:1], Constant: []float64{7}}, 0, 2, 7}, {&bare, 0, 2, 0}, {&bare, 1, 3, 0},
	} {
		row, constant := test.q.Row(test.coordinate)
		if constant != test.constant || test.value == 0 && len(row.Columns) > 0 || test.value != 0 && !slices.Equal(row.Values, []float64{test.value}) {
			t.Errorf("coordinate %d of %+v has the row %v and the constant %v", test.coordinate, test.q, row, constant)
		}
	}
}

// TestProofsInFiles have the keys and the lists that the format documents.
func TestProofsInFiles(t *testing.T) {
	proof := deepSplit().proof
	proof.Curvature = &Curvature{[]int{0}, []float64{0.5}, []Square{{Float(2), []Number{Whole("-1f")}}}}
	proof.Leaves = proof.Leaves[:1]
	text, err := json.Marshal(proof)
	if want := `{"implied":[[0,0,-1]],"curvature":{"columns":[0],"slack":[0.5],"squares":[{"divisor":2,"values":[-31]}]},` +
		`"branches":[[0,1,2,1],[0,2,3,4]],"leaves":[{"scale":1,"rows":{"of":[0],"values":[2]},"objective":{"of":null,"values":null},` +
		`"constraints":null,"tangent":null,"empty":true}]}`; err != nil || string(text) != want {
		t.Errorf("%s, %v", text, err)
	}
}

// TestNumbersGetACommonScale where a float64 or a whole number does not hold one of them, and are left alone where these do.
func TestNumbersGetACommonScale(t *testing.T) {
	for _, test := range []struct {
		values, want []*big.Rat
		scale        int64
	}{
		{nil, nil, 1},
		{[]*big.Rat{big.NewRat(1, 2), big.NewRat(-3, 4)}, []*big.Rat{big.NewRat(1, 2), big.NewRat(-3, 4)}, 1},
		{[]*big.Rat{big.NewRat(1, 2), big.NewRat(1, 3), new(big.Rat)}, []*big.Rat{big.NewRat(3, 1), big.NewRat(2, 1), new(big.Rat)}, 6},
	} {
		numbers := make([]*Number, len(test.values))
		for k := range numbers {
			numbers[k] = new(Number)
		}
		if scale := fraction(write(numbers, test.values).float()); scale.Cmp(big.NewRat(test.scale, 1)) != 0 {
			t.Errorf("%v: the scale is %v", test.values, scale)
		}
		for k, n := range numbers {
			if fraction(n.float()).Cmp(test.want[k]) != 0 {
				t.Errorf("%v: number %d became %v", test.values, k, n.float())
			}
		}
	}
}

// TestCopiesOfLeaves: what becomes of the multipliers of a copy leaves the leaf as it is, and one that stands alone has no others.
func TestCopiesOfLeaves(t *testing.T) {
	leaf := func() *Leaf {
		return &Leaf{
			Scale: Float(1), Rows: Multipliers{[]int{3}, []Number{Float(2)}}, Objective: Multipliers{[]int{4}, []Number{Float(3)}},
			Constraints: []Multipliers{{}, {[]int{-1, 5}, []Number{Float(4), Float(5)}}},
		}
	}
	values := func(l *Leaf) (list []float64) {
		for _, n := range l.multipliers() {
			list = append(list, plain(*n))
		}
		return list
	}
	given, want := leaf(), []float64{2, 3, 4, 5}
	for _, n := range given.clone().multipliers() {
		*n = Float(-1)
	}
	for k, v := range want {
		alone := make([]float64, len(want))
		alone[k] = v
		if got := given.alone(k); !got.Empty || !slices.Equal(values(got), alone) {
			t.Errorf("multiplier %d alone: %v", k, values(got))
		}
	}
	if !slices.Equal(values(given), want) || given.Empty {
		t.Errorf("the leaf became %+v", given)
	}
}

package sparsero_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sparsero/directions/sparsero"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

func TestNewAtomicSetRejectsBadInput(t *testing.T) {
	d := newDictionary(t, 3, 1, 1, 2, 3)
	for _, test := range []struct {
		name       string
		dictionary *sparsero.Dictionary
		indices    []int
		radius     float64
		want       string
	}{
		{"no dictionary", nil, nil, 1, "dictionary is nil"},
		{"index too large", d, []int{0, 3}, 1, "indices[1] = 3 is outside [0,3)"},
		{"null atom", d, []int{sparsero.NullAtom}, 1, "indices[0] = -1 is outside [0,3)"},
		{"repeated index", d, []int{1, 0, 1}, 1, "indices lists atom 1 twice (positions 0 and 2)"},
		{"negative radius", d, []int{0}, -0.5, "radius -0.5 is not a finite number >= 0"},
		{"NaN radius", d, []int{0}, math.NaN(), "radius NaN is not a finite number"},
		{"infinite radius", d, []int{0}, math.Inf(1), "radius +Inf is not a finite number >= 0; if it comes from a calibration"},
		{"minus infinite radius", d, []int{0}, math.Inf(-1), "radius -Inf is not a finite number"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := sparsero.NewAtomicSet(test.dictionary, test.indices, test.radius)
			wantError(t, err, test.want)
		})
	}
	_, err := sparsero.FullSet(nil, 1)
	wantError(t, err, "dictionary is nil")
	_, err = newSet(t, d, nil, 1).WithRadius(-1)
	wantError(t, err, "radius -1 is not a finite number")
}

// Equation (2): no point of the set exceeds the support function, and the worst
// case attains it.
func TestSupportFunction(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawDictionary(t, 6, 4)
		set := drawSet(t, d)
		s := drawDirection(t, d)
		support := set.Support(s)
		if attained := dot(set.WorstCase(s), s); !closeTo(attained, support) {
			t.Fatalf("worst case reaches %v, support %v", attained, support)
		}
		// A point of the set: weights a >= 0 with sum at most r.
		left := set.Radius()
		value := 0.0
		for _, i := range set.Atoms() {
			weight := left * rapid.Float64Range(0, 1).Draw(t, "share")
			left -= weight
			value += weight * dot(d.Atom(i), s)
		}
		if value > support+rounding {
			t.Fatalf("a point of the set reaches %v, support %v", value, support)
		}
		if support < 0 || set.Radius() == 0 && support != 0 {
			t.Fatalf("support %v at radius %v", support, set.Radius())
		}
	})
}

// Support is convex and positively homogeneous in s, linear in r, and monotone
// in S.
// TestSupportOfRadiusZero: a set that is 0 alone has the support 0, also where the alignments are beyond float64.
func TestSupportOfRadiusZero(t *testing.T) {
	a, err := sparsero.NewAtomicSet(newDictionary(t, 1, 2, 1e200, -1e200), []int{0}, 0)
	if err != nil || a.Support([]float64{1e200, 1}) != 0 || a.Support([]float64{-1e200, 1}) != 0 {
		t.Errorf("%v, %v: %v", a.Support([]float64{1e200, 1}), a.Support([]float64{-1e200, 1}), err)
	}
}

func TestSupportFunctionCalculus(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawDictionary(t, 6, 4)
		set := drawSet(t, d)
		a, b := drawDirection(t, d), drawDirection(t, d)
		sum, scaled := make([]float64, len(a)), make([]float64, len(a))
		lambda := rapid.Float64Range(0, 4).Draw(t, "lambda")
		for j := range a {
			sum[j], scaled[j] = a[j]+b[j], lambda*a[j]
		}
		if set.Support(sum) > set.Support(a)+set.Support(b)+rounding {
			t.Fatal("not subadditive")
		}
		if !closeTo(set.Support(scaled), lambda*set.Support(a)) {
			t.Fatal("not homogeneous")
		}
		double, err := set.WithRadius(2 * set.Radius())
		if err != nil {
			t.Fatal(err)
		}
		if !closeTo(double.Support(a), 2*set.Support(a)) {
			t.Fatal("not linear in the radius")
		}
		full, err := sparsero.FullSet(d, set.Radius())
		if err != nil {
			t.Fatal(err)
		}
		if full.Support(a) < set.Support(a) || full.AlignmentDeficit(a) != 0 {
			t.Fatal("the full set is smaller than a part of it")
		}
		deficit := set.AlignmentDeficit(a)
		if deficit < 0 || !closeTo(set.Radius()*deficit, full.Support(a)-set.Support(a)) {
			t.Fatalf("deficit %v, supports %v and %v", deficit, full.Support(a), set.Support(a))
		}
	})
}

func TestAlignmentDeficitsMatchSingleDirections(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawDictionary(t, 6, 3)
		set := drawSet(t, d)
		m := rapid.IntRange(1, 5).Draw(t, "M")
		directions := mat.NewDense(m, d.Dim(), drawVector(t, "directions", m*d.Dim(), true))
		deficits, err := set.AlignmentDeficits(directions)
		if err != nil {
			t.Fatal(err)
		}
		for j, got := range deficits {
			if want := set.AlignmentDeficit(directions.RawRowView(j)); got != want {
				t.Fatalf("direction %d: %v, alone %v", j, got, want)
			}
		}
	})
}

// A comparison says of one direction what the dictionary, the set and its deficit say one by one.
func TestCompare(t *testing.T) {
	d := newDictionary(t, 3, 2, 1, 0, 0, 2, 1, 3)
	set, s := newSet(t, d, []int{0, 1}, 5), []float64{1, 1}
	worst, full, restricted, deficit := set.Compare(d.Alignments(nil, s), s)
	if got, want := []float64{float64(worst), full, restricted, deficit}, []float64{2, 4, 2, 2}; !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	wantPanic(t, "got 2 alignments for 3 atoms", func() { set.Compare([]float64{1, 2}, s) })
	wantPanic(t, "s has length 1", func() { set.Compare([]float64{1, 2, 3}, s[:1]) })
}

func TestWorstAtomTies(t *testing.T) {
	d := newDictionary(t, 4, 2, 0, 1, 1, 0, 1, 0, 1, 1)
	set := newSet(t, d, []int{3, 2, 1}, 2)
	if index, alignment := set.WorstAtom([]float64{1, 0}); index != 1 || alignment != 1 {
		t.Errorf("atom %d with %v, want the lowest index 1 with 1", index, alignment)
	}
	if index, _ := set.WorstAtom([]float64{-1, -1}); index != sparsero.NullAtom {
		t.Errorf("atom %d, want the null atom", index)
	}
	if u := set.WorstCase([]float64{-1, -1}); !slices.Equal(u, []float64{0, 0}) {
		t.Errorf("worst case %v, want zeros", u)
	}
	empty := newSet(t, d, nil, 2)
	if index, alignment := empty.WorstAtom([]float64{1, 1}); index != sparsero.NullAtom || alignment != 0 {
		t.Errorf("atom %d with %v from the empty set", index, alignment)
	}
	if !slices.Equal(set.Atoms(), []int{3, 2, 1}) || set.Size() != 3 || set.Dictionary() != d {
		t.Errorf("indices %v", set.Atoms())
	}
	set.Atoms()[0] = 0
	if set.Atoms()[0] != 3 {
		t.Error("Atoms shares memory with the set")
	}
	wantPanic(t, "s has length 1", func() { set.Support([]float64{1}) })
	if index, alignment := new(sparsero.AtomicSet).WorstAtom(nil); index != sparsero.NullAtom || alignment != 0 {
		t.Errorf("a set that was not built: atom %d with %v", index, alignment)
	}
	if worst, full, restricted, deficit := new(sparsero.AtomicSet).Compare(nil, nil); worst != sparsero.NullAtom || full != 0 || restricted != 0 || deficit != 0 {
		t.Errorf("a set that was not built: atom %d, supports %v and %v, deficit %v", worst, full, restricted, deficit)
	}
}

func TestAffineMap(t *testing.T) {
	q, err := sparsero.NewAffineMap(mat.NewDense(2, 3, []float64{1, 0, 2, 0, 1, -1}), []float64{10, 20})
	if err != nil {
		t.Fatal(err)
	}
	if p, n := q.Dims(); p != 2 || n != 3 {
		t.Errorf("dimensions %d, %d", p, n)
	}
	if got := q.Apply([]float64{1, 2, 3}); !slices.Equal(got, []float64{17, 19}) {
		t.Errorf("q(x) = %v, want [17 19]", got)
	}
	for _, x := range [][]float64{{4}, {4, 5}} {
		if got := sparsero.Identity(len(x)).Apply(x); !slices.Equal(got, x) {
			t.Errorf("identity gives %v", got)
		}
	}
	wantPanic(t, "x has length 2 but the affine map takes 3 values", func() { q.Apply([]float64{1, 2}) })
	wantPanic(t, "dimension of at least 1", func() { sparsero.Identity(0) })
	func() {
		defer func() {
			if err, _ := recover().(error); err == nil || !strings.Contains(err.Error(), "sparsero: the identity") {
				t.Errorf("an identity beyond all memory: %v", err)
			}
		}()
		sparsero.Identity(1 << 31)
	}()
	linear, err := sparsero.NewAffineMap(mat.NewDense(2, 3, []float64{1, 0, 2, 0, 1, -1}), nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := linear.Apply([]float64{1, 2, 3}); !slices.Equal(got, []float64{7, -1}) {
		t.Errorf("without a constant: %v", got)
	}
	half := sparsero.AffineMap{Matrix: mat.NewDense(1, 1, nil), Constant: []float64{1, 2}}
	wantPanic(t, "is 1×1 and its constant has length 2; make one with NewAffineMap", func() { half.Apply([]float64{1}) })
	wantPanic(t, "is 0×0 and its constant has length 0", func() { sparsero.AffineMap{}.Apply(nil) })
	for _, test := range []struct {
		name     string
		matrix   mat.Matrix
		constant []float64
		want     string
	}{
		{"nil", nil, nil, "matrix is nil"},
		{"empty", &mat.Dense{}, nil, "matrix is empty (0×0)"},
		{"constant too short", mat.NewDense(2, 2, nil), []float64{1}, "constant has length 1 but needs 2"},
		{"NaN", mat.NewDense(1, 2, []float64{0, math.NaN()}), nil, "matrix has the value NaN in row 0, column 1"},
		{"Inf constant", mat.NewDense(1, 1, nil), []float64{math.Inf(1)}, "constant has the value +Inf at position 0"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := sparsero.NewAffineMap(test.matrix, test.constant)
			wantError(t, err, test.want)
		})
	}
}

func ExampleAtomicSet() {
	d, _ := sparsero.NewDictionary(mat.NewDense(3, 2, []float64{2, 0, 0, 1, 1, 1}), nil)
	set, _ := sparsero.NewAtomicSet(d, []int{0, 1}, 0.5)
	s := []float64{1, 3}
	fmt.Println("support:", set.Support(s))
	fmt.Println("worst case:", set.WorstCase(s))
	fmt.Println("alignment deficit:", set.AlignmentDeficit(s))
	// Output:
	// support: 1.5
	// worst case: [0 0.5]
	// alignment deficit: 1
}

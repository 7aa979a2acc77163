package sparsero_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/internal/input"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

func TestNewDictionaryRejectsBadInput(t *testing.T) {
	square := mat.NewDense(2, 2, []float64{1, 2, 3, 4})
	for _, test := range []struct {
		name    string
		atoms   mat.Matrix
		options *sparsero.DictionaryOptions
		want    string
	}{
		{"nil", nil, nil, "atoms is nil"},
		{"nil matrix", (*mat.Dense)(nil), nil, "atoms is nil"},
		{"empty", &mat.Dense{}, nil, "atoms is empty (0×0)"},
		{"NaN", mat.NewDense(2, 2, []float64{1, 2, math.NaN(), 4}), nil, `NaN in row 1, column 0`},
		{"Inf", mat.NewDense(1, 2, []float64{1, math.Inf(1)}), nil, `+Inf in row 0, column 1`},
		{"NaN with names", mat.NewDense(1, 2, []float64{1, math.NaN()}),
			&sparsero.DictionaryOptions{Labels: []string{"crash"}, Columns: []string{"AAPL", "GE"}},
			`NaN in row 0, column 1`},
		{"norm overflows", mat.NewDense(1, 2, []float64{math.MaxFloat64, math.MaxFloat64}), nil, "norm of an atom overflows"},
		{"too few labels", square, &sparsero.DictionaryOptions{Labels: []string{"a"}}, "got 1 labels for 2 atoms"},
		{"too many columns", square, &sparsero.DictionaryOptions{Columns: []string{"a", "b", "c"}}, "got 3 column names for atoms of dimension 2"},
		{"unnamed column", square, &sparsero.DictionaryOptions{Columns: []string{"a", ""}}, "name of column 1 is empty"},
		{"repeated column", square, &sparsero.DictionaryOptions{Columns: []string{"a", "a"}}, `columns 0 and 1 are both named "a"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := sparsero.NewDictionary(test.atoms, test.options)
			wantError(t, err, test.want)
		})
	}
}

func TestDictionaryIsImmutable(t *testing.T) {
	atoms := mat.NewDense(2, 2, []float64{1, 2, 3, 4})
	labels := []string{"a", "b"}
	d, err := sparsero.NewDictionary(atoms, &sparsero.DictionaryOptions{Labels: labels})
	if err != nil {
		t.Fatal(err)
	}
	atoms.Set(0, 0, 99)
	labels[0] = "changed"
	d.Atom(0)[1] = 99
	d.Matrix().Set(1, 1, 99)
	d.Labels()[1] = "changed"
	d.Columns()[0] = "changed"
	if !mat.Equal(d.Matrix(), mat.NewDense(2, 2, []float64{1, 2, 3, 4})) {
		t.Errorf("atoms changed to %v", d.Matrix())
	}
	if d.Label(0) != "a" || d.Label(1) != "b" || d.Columns()[0] != "u0" {
		t.Errorf("names changed: %v %v", d.Labels(), d.Columns())
	}
}

func TestDictionaryNames(t *testing.T) {
	plain := newDictionary(t, 2, 2, 1, 2, 3, 4)
	if !slices.Equal(plain.Labels(), []string{"d0", "d1"}) || plain.Label(sparsero.NullAtom) != "null" {
		t.Errorf("default labels %v, null %q", plain.Labels(), plain.Label(sparsero.NullAtom))
	}
	if got := plain.Atom(sparsero.NullAtom); !slices.Equal(got, []float64{0, 0}) {
		t.Errorf("null atom %v", got)
	}
	wantPanic(t, "atom 2 is outside [0,2)", func() { plain.Atom(2) })
	wantPanic(t, "atom -1 is outside [0,2)", func() { plain.RawRowView(-1) })
	wantPanic(t, "atom 2 is outside [0,2)", func() { plain.Label(2) })
	wantPanic(t, "atom -2 is outside [0,2)", func() { plain.Label(-2) })
	for from := range 3 {
		for to := from; to <= 2; to++ {
			var want []float64
			for i := from; i < to; i++ {
				want = append(want, plain.Atom(i)...)
			}
			if got, err := plain.Rows(nil, from, to); err != nil || !slices.Equal(got, want) {
				t.Errorf("Rows(%d, %d) = %v (%v), want %v", from, to, got, err, want)
			}
		}
	}
	wantPanic(t, "atoms 1 to 3 are outside [0,2]", func() { _, _ = plain.Rows(nil, 1, 3) })
	wantPanic(t, "atoms 2 to 1 are outside [0,2]", func() { _, _ = plain.Rows(nil, 2, 1) })
}

// A dictionary that is nil, or was not built, holds no atoms, whatever it is asked.
func TestDictionaryOfNothing(t *testing.T) {
	for _, d := range []*sparsero.Dictionary{nil, {}} {
		if d.Size() != 0 || d.Dim() != 0 || d.MaxNorm() != 0 || !d.Matrix().IsEmpty() || d.AntipodalClosure().Size() != 0 ||
			len(d.Labels()) != 0 || len(d.Columns()) != 0 {
			t.Errorf("%v holds atoms, a norm or names", d)
		}
		if rows, err := d.Rows(nil, 0, 0); rows != nil || err != nil {
			t.Errorf("rows %v, error %v", rows, err)
		}
		wantPanic(t, "atom 0 is outside [0,0)", func() { d.Label(0) })
		_, err := d.Subset([]int{0})
		wantError(t, err, "holds no atoms")
		wantError(t, d.WriteCSV(io.Discard), "holds no atoms")
	}
	wantError(t, newDictionary(t, 1, 1, 2).WriteCSV(nil), "the writer is nil")
}

func TestSubset(t *testing.T) {
	d, err := sparsero.NewDictionary(mat.NewDense(3, 2, []float64{1, 0, 0, 5, 3, 4}),
		&sparsero.DictionaryOptions{Labels: []string{"a", "b", "c"}, Columns: []string{"x", "y"}})
	if err != nil {
		t.Fatal(err)
	}
	sub, err := d.Subset([]int{2, 0})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(sub.Labels(), []string{"c", "a"}) || !slices.Equal(sub.Columns(), []string{"x", "y"}) ||
		!slices.Equal(sub.Atom(0), []float64{3, 4}) || sub.MaxNorm() != 5 || sub.Size() != 2 {
		t.Errorf("subset %v %v %v norm %v", sub.Labels(), sub.Columns(), sub.Matrix(), sub.MaxNorm())
	}
	plain, err := newDictionary(t, 3, 1, 1, 2, 3).Subset([]int{2})
	if err != nil {
		t.Fatal(err)
	}
	if plain.Label(0) != "d2" {
		t.Errorf("an unlabelled atom lost its name: %q", plain.Label(0))
	}
	one, two := mustSubset(t, d, 1), mustSubset(t, d, 1, 2)
	if &one.RawRowView(0)[0] == &d.RawRowView(1)[0] || &two.RawRowView(0)[0] != &d.RawRowView(1)[0] {
		t.Error("one atom is held in the memory of all, or two neighbours are copied")
	}
	_, err = d.Subset(nil)
	wantError(t, err, "indices is empty")
	_, err = d.Subset([]int{0, 3})
	wantError(t, err, "indices[1] = 3 is outside [0,3)")
	_, err = d.Subset([]int{sparsero.NullAtom})
	wantError(t, err, "indices[0] = -1 is outside [0,3)")
}

func mustSubset(t *testing.T, d *sparsero.Dictionary, indices ...int) *sparsero.Dictionary {
	t.Helper()
	part, err := d.Subset(indices)
	if err != nil {
		t.Fatal(err)
	}
	return part
}

// The closure is symmetric: its support is max_i |<d_i,s>| in s and in -s, and
// equals the pseudometric from the origin.
func TestAntipodalClosure(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawDictionary(t, 6, 4)
		closure := d.AntipodalClosure()
		n := d.Size()
		if closure.Size() != 2*n || len(closure.Labels()) != 2*n || closure.Dim() != d.Dim() || closure.MaxNorm() != d.MaxNorm() {
			t.Fatalf("closure of %d atoms has %d", n, closure.Size())
		}
		for i := range n {
			negative := closure.Atom(n + i)
			for j, v := range d.Atom(i) {
				if closure.Atom(i)[j] != v || negative[j] != -v {
					t.Fatalf("atom %d is %v, its negative %v", i, d.Atom(i), negative)
				}
			}
			if closure.Label(n+i) != "-"+d.Label(i) {
				t.Fatalf("label %q of the negative of %q", closure.Label(n+i), d.Label(i))
			}
		}
		s := drawDirection(t, d)
		opposite := make([]float64, len(s))
		for j := range s {
			opposite[j] = -s[j]
		}
		distance := d.Pseudometric(s, make([]float64, len(s)))
		if h := closure.Support(s); !closeTo(h, distance) || !closeTo(closure.Support(opposite), h) {
			t.Fatalf("support %v in s, %v in -s, d_D(s,0) = %v", h, closure.Support(opposite), distance)
		}
	})
}

// d_D is a pseudometric: zero on the diagonal, symmetric, triangle inequality,
// homogeneous, at most MaxNorm times the Euclidean distance; the support is
// 1-Lipschitz in it.
func TestPseudometric(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawDictionary(t, 6, 4)
		a, b, c := drawDirection(t, d), drawDirection(t, d), drawDirection(t, d)
		ab := d.Pseudometric(a, b)
		switch {
		case d.Pseudometric(a, a) != 0:
			t.Fatal("d(a,a) is not zero")
		case ab != d.Pseudometric(b, a):
			t.Fatal("not symmetric")
		case ab > d.Pseudometric(a, c)+d.Pseudometric(c, b)+rounding:
			t.Fatal("triangle inequality fails")
		}
		difference := make([]float64, len(a))
		for j := range a {
			difference[j] = a[j] - b[j]
		}
		if ab > d.MaxNorm()*math.Sqrt(dot(difference, difference))+rounding {
			t.Fatal("larger than MaxNorm times the distance")
		}
		if gap := math.Abs(d.Support(a) - d.Support(b)); gap > ab+rounding {
			t.Fatalf("support changes by %v over a distance of %v", gap, ab)
		}
	})
}

// Different directions at distance zero: the atoms do not span the plane.
func TestPseudometricIsNotAMetric(t *testing.T) {
	d := newDictionary(t, 1, 2, 1, 0)
	if got := d.Pseudometric([]float64{0, 1}, []float64{0, 5}); got != 0 {
		t.Errorf("distance %v, want 0", got)
	}
}

func TestScores(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawDictionary(t, 7, 4)
		m := rapid.IntRange(1, 5).Draw(t, "M")
		directions := mat.NewDense(m, d.Dim(), drawVector(t, "directions", m*d.Dim(), false))
		scores, err := d.Scores(directions)
		if err != nil {
			t.Fatal(err)
		}
		for j := range m {
			s := directions.RawRowView(j)
			best := 0.0
			for i := range d.Size() {
				best = max(best, scores.At(i, j))
				if !closeTo(scores.At(i, j), dot(d.Atom(i), s)) {
					t.Fatalf("score (%d,%d) is %v", i, j, scores.At(i, j))
				}
			}
			if !closeTo(best, d.Support(s)) {
				t.Fatalf("largest score %v, support %v", best, d.Support(s))
			}
		}
	})
}

func TestDirectionsAreChecked(t *testing.T) {
	d := newDictionary(t, 2, 2, 1, 0, 0, 1)
	for _, test := range []struct {
		name       string
		directions mat.Matrix
		want       string
	}{
		{"nil", nil, "directions is nil"},
		{"empty", &mat.Dense{}, "directions is empty"},
		{"wrong width", mat.NewDense(1, 3, nil), "directions has 3 columns but the atoms have dimension 2"},
		{"NaN", mat.NewDense(2, 2, []float64{0, 0, math.NaN(), 0}), "NaN in row 1, column 0"},
		{"NaN in a view", mat.NewDense(2, 2, []float64{0, math.NaN(), 0, 0}).T(), "NaN in row 1, column 0"},
		{"Inf", mat.NewDense(1, 2, []float64{0, math.Inf(1)}), "+Inf in row 0, column 1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := d.Scores(test.directions)
			wantError(t, err, test.want)
			_, err = newSet(t, d, nil, 1).AlignmentDeficits(test.directions)
			wantError(t, err, test.want)
		})
	}
	wantPanic(t, "s has length 3 but the atoms have dimension 2", func() { d.Support(make([]float64, 3)) })
	wantPanic(t, "s has length 1 but the atoms have dimension 2", func() { d.Pseudometric(make([]float64, 1), make([]float64, 2)) })
	wantPanic(t, "t has length 1 but the atoms have dimension 2", func() { d.Pseudometric(make([]float64, 2), make([]float64, 1)) })
}

func TestActiveAtom(t *testing.T) {
	d := newDictionary(t, 4, 2, 1, 0, 0, 1, 1, 0, -1, -1)
	for _, test := range []struct {
		direction []float64
		index     int
		value     float64
	}{
		{[]float64{2, 0}, 0, 2},           // atoms 0 and 2 tie
		{[]float64{0, 3}, 1, 3},           //
		{[]float64{-1, 0}, 3, 1},          //
		{[]float64{0, 0}, 0, 0},           // everything ties at zero: an atom comes before the null atom
		{[]float64{-1, 1}, 1, 1},          //
		{[]float64{-1, 2}, 1, 2},          //
		{[]float64{0.5, -0.25}, 0, 0.5},   //
		{[]float64{-2, 1}, 1, 1},          // atom 3 reaches 1 too
		{[]float64{-1e-9, 1e-9}, 1, 1e-9}, //
		{[]float64{math.SmallestNonzeroFloat64, 0}, 0, math.SmallestNonzeroFloat64},
	} {
		index, value := d.ActiveAtom(test.direction)
		if index != test.index || value != test.value {
			t.Errorf("direction %v: atom %d with %v, want %d with %v", test.direction, index, value, test.index, test.value)
		}
	}
	oneSided := newDictionary(t, 2, 1, 1, 2)
	if index, value := oneSided.ActiveAtom([]float64{-1}); index != sparsero.NullAtom || value != 0 {
		t.Errorf("atom %d with %v, want the null atom", index, value)
	}
}

func ExampleDictionary() {
	d, err := sparsero.NewDictionary(
		mat.NewDense(3, 2, []float64{2, 0, 0, 1, 1, 1}),
		&sparsero.DictionaryOptions{Labels: []string{"oil", "rates", "both"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	s := []float64{1, 3}
	active, value := d.ActiveAtom(s)
	fmt.Println("most aligned:", d.Label(active), "with", value)
	fmt.Println("against the opposite direction:", d.Support([]float64{-1, -3}))
	fmt.Println("distance of (1,0) and (0,1):", d.Pseudometric([]float64{1, 0}, []float64{0, 1}))
	// Output:
	// most aligned: both with 4
	// against the opposite direction: 0
	// distance of (1,0) and (0,1): 2
}

func ExampleDictionary_AntipodalClosure() {
	d, _ := sparsero.NewDictionary(mat.NewDense(2, 2, []float64{1, 0, 0, 1}), nil)
	symmetric := d.AntipodalClosure()
	fmt.Println(symmetric.Labels())
	fmt.Println(symmetric.Support([]float64{-3, 2}), "is the largest absolute value")
	// Output:
	// [d0 d1 -d0 -d1]
	// 3 is the largest absolute value
}

// mustDictionaryOf builds three atoms in the plane.
func mustDictionaryOf(t *testing.T, options *sparsero.DictionaryOptions) *sparsero.Dictionary {
	t.Helper()
	d, err := sparsero.NewDictionary(mat.NewDense(3, 2, []float64{1, 0, 0, 1, 1, 1}), options)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// A declaration of draws belongs to the dictionary that it returns, and not to what is made of that.
func TestAsSampled(t *testing.T) {
	d := mustDictionaryOf(t, nil)
	sampled, err := d.AsSampled()
	if err != nil || !sampled.Sampled() || d.Sampled() {
		t.Fatalf("declared: %v, before: %v, error %v", sampled.Sampled(), d.Sampled(), err)
	}
	part, err := sampled.Subset([]int{0, 1})
	if err != nil || part.Sampled() || sampled.AntipodalClosure().Sampled() || (*sparsero.Dictionary)(nil).Sampled() {
		t.Errorf("a part or a closure counts as sampled, error %v", err)
	}
	_, err = d.AntipodalClosure().AsSampled()
	wantError(t, err, "an antipodal closure is no sample")
	part, err = d.AntipodalClosure().Subset([]int{0, 3})
	if err != nil {
		t.Fatal(err)
	}
	_, err = part.AsSampled()
	wantError(t, err, "an antipodal closure is no sample")
	_, err = (&sparsero.Dictionary{}).AsSampled()
	wantError(t, err, "holds no atoms")
}

// TestLoadDictionary: what a file holds counts, not its name.
func TestLoadDictionary(t *testing.T) {
	array := "\x93NUMPY\x01\x00\x46\x00{'descr': '<f8', 'fortran_order': False, 'shape': (%s), }"
	for content, want := range map[string]string{
		"u,v\n1,2\n":                        "d0 [1 2]",
		"label,u,v\nup,1,2\n":               "up [1 2]",
		"label;u;v\nup;1;2\n":               "up [1 2]",
		"labels,u\n3,4\n":                   "d0 [3 4]",
		"\ufefflabel;u\r\nup;1\r\n":         "up [1]", // as spreadsheets export it
		"\"label\",\"u\"\n\"up\",1\n":       "up [1]", // as R writes it
		"\ufeff\"label\",\"u\"\n\"up\",1\n": "up [1]",
		"\"labels\",u\n3,4\n":               "d0 [3 4]",
		"\ufefflabel\n3\n":                  "d0 [3]",
		"u\nx\n":                            "line 2",
		"u\n1e300\n":                        "d0 [1e+300]",
		"u,v\n1.5e308,1.5e308\n":            "norm of an atom overflows",
		"u,v\n":                             "no rows",
		"":                                  "empty",
		fmt.Sprintf(array, "0, 3"):          "cut short",
		string(arrayOf(t, 1, 2)):            "d0 [1]",
	} {
		path := filepath.Join(t.TempDir(), "atoms")
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		d, err := sparsero.LoadDictionary(path)
		got := fmt.Sprint(err)
		if err == nil {
			got = fmt.Sprint(d.Label(0), " ", d.Atom(0))
		}
		if !strings.Contains(got, want) || err != nil && !strings.Contains(got, path) {
			t.Errorf("%q gives %s, want %s", content, got, want)
		}
	}
	if _, err := sparsero.LoadDictionary("no such file"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

// An array has one or two dimensions, and holds an atom at least, which is finite; else the error names the file.
func TestLoadDictionaryOfArrays(t *testing.T) {
	for _, test := range []struct {
		shape  []int
		values []float64
		want   string
	}{
		{[]int{2}, []float64{1, 2}, "[d0 d1] [1]"}, {[]int{1}, []float64{4}, "[d0] [4]"}, {[]int{1, 2}, []float64{1, 2}, "[d0] [1 2]"},
		{[]int{2, 1}, []float64{1, 2}, "[d0 d1] [1]"}, {nil, []float64{1}, "has the shape (); save an N×p array"},
		{[]int{1, 2, 1}, []float64{1, 2}, "has the shape (1, 2, 1); save an N×p array"}, {[]int{0}, nil, "has the shape (0,); save"},
		{[]int{2, 0}, nil, "has the shape (2, 0); save"}, {[]int{1, 2}, []float64{1, math.NaN()}, "NaN in row 0, column 1"},
	} {
		content := input.Header{Kind: "<f8", Shape: test.shape}.Bytes()
		for _, v := range test.values {
			content = binary.LittleEndian.AppendUint64(content, math.Float64bits(v))
		}
		path := filepath.Join(t.TempDir(), "atoms")
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		d, err := sparsero.LoadDictionary(path)
		got := fmt.Sprint(err)
		if err == nil {
			got = fmt.Sprint(d.Labels(), " ", d.Atom(0))
		}
		if !strings.Contains(got, test.want) || err != nil && (!strings.Contains(got, path) || d != nil) {
			t.Errorf("the shape %v gives %s, want %s", test.shape, got, test.want)
		}
	}
}

// arrayOf is a NumPy file of one column.
func arrayOf(t *testing.T, values ...float64) []byte {
	var text bytes.Buffer
	if err := input.WriteMatrix(&text, mat.NewDense(len(values), 1, values)); err != nil {
		t.Fatal(err)
	}
	return text.Bytes()
}

package certificate_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/certificate"
	"pgregory.net/rapid"
)

// The parts of the certificate agree with the definitions, and it is monotone:
// another atom never raises it.
func TestPointwiseIsTheScaledDeficit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		set := drawSet(t)
		d := set.Dictionary()
		s := numbers(t, d.Dim(), "s")
		c := get(certificate.NewPointwise(set, s))(t)
		if c.Full != d.Support(s) || c.Deficit.Float() != set.AlignmentDeficit(s) || c.Bound.Float() != set.Radius()*c.Deficit.Float() {
			t.Fatalf("certificate %+v, M_N %v, Δ_S %v", c, d.Support(s), set.AlignmentDeficit(s))
		}
		if c.Bound.Float() < 0 {
			t.Fatalf("bound %v", c.Bound)
		}
		if c.WorstAtom == sparsero.NullAtom != (c.Full == 0 && allNegative(d, s)) {
			t.Fatalf("worst atom %d at alignment %v", c.WorstAtom, c.Full)
		}
		if c.Deficit.Float() == 0 {
			return
		}
		larger := get(sparsero.NewAtomicSet(d, append(set.Atoms(), c.WorstAtom), set.Radius()))(t)
		if after := get(certificate.NewPointwise(larger, s))(t); after.Deficit.Float() != 0 {
			t.Fatalf("deficit %v remains after adding the worst atom", after.Deficit)
		}
	})
}

func allNegative(d *sparsero.Dictionary, s []float64) bool {
	for i := range d.Size() {
		alignment := 0.0
		for j, v := range d.RawRowView(i) {
			alignment += v * s[j]
		}
		if alignment >= 0 {
			return false
		}
	}
	return true
}

func TestPointwiseRejectsBadInput(t *testing.T) {
	set := atomicSet(t, 1, []int{0}, []float64{1, 0}, []float64{0, 1})
	for _, test := range []struct {
		name      string
		set       *sparsero.AtomicSet
		direction []float64
	}{
		{"nil set", nil, []float64{1, 0}},
		{"nil direction", set, nil},
		{"short direction", set, []float64{1}},
		{"NaN", set, []float64{1, math.NaN()}},
		{"infinite", set, []float64{math.Inf(1), 0}},
	} {
		if _, err := certificate.NewPointwise(test.set, test.direction); err == nil {
			t.Errorf("%s: no error", test.name)
		}
	}
}

func ExampleNewPointwise() {
	set := mustSet([]int{0}, 2, []float64{1, 0}, []float64{0.8, 0.6})
	c, err := certificate.NewPointwise(set, []float64{1, 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("the full model is worse by at most %.2f; the atom to add is %d\n", c.Bound, c.WorstAtom)
	// Output: the full model is worse by at most 0.81; the atom to add is 1
}

// mustSet builds a set for examples, whose data are known to be valid.
func mustSet(indices []int, radius float64, atoms ...[]float64) *sparsero.AtomicSet {
	d, err := sparsero.NewDictionary(matrix(atoms...), nil)
	if err != nil {
		panic(err)
	}
	set, err := sparsero.NewAtomicSet(d, indices, radius)
	if err != nil {
		panic(err)
	}
	return set
}

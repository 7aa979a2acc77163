package certificate_test

import (
	"errors"
	"math"
	"testing"

	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/certificate"
	"pgregory.net/rapid"
)

// Cases in which the factor was below the truth: coordinates that are zero in every
// chosen atom, in any units, and atoms in coordinates of different units.
func TestInflationOfAtomsOutsideTheConeIsInfinite(t *testing.T) {
	for _, rows := range [][][]float64{
		{{1e-6, 0}, {2e-6, 1e-9}},
		{{1e6, 0}, {2e6, 1e-5}},
		{{1e9, 0}, {0, 0.5}},
		{{1, 1, 1}, {1, 1, math.Nextafter(1, 2)}},
	} {
		set := atomicSet(t, 1, []int{0}, rows...)
		f := must(certificate.SolveInflation(ctx, set))(t)
		if !math.IsInf(f.Factor.Float(), 1) || f.Atom != 1 {
			t.Errorf("%v: factor %v of atom %d, want +Inf of atom 1", rows, f.Factor, f.Atom)
		}
		if _, err := f.SafeSet(set); !errors.Is(err, certificate.ErrOutsideCone) {
			t.Errorf("%v: safe set: %v", rows, err)
		}
	}
}

// A factor beyond float64 does not say that an atom is outside the cone: the safe set of radius 1e-100 has radius 1e250.
func TestInflationBeyondFloat64(t *testing.T) {
	set := atomicSet(t, 1e-100, []int{0}, []float64{1e-300}, []float64{1e50})
	if f, err := certificate.SolveInflation(ctx, set); err == nil || errors.Is(err, certificate.ErrOutsideCone) {
		t.Errorf("factor %v, %v", f.Factor, err)
	}
}

func TestInflationOfNoSet(t *testing.T) {
	if _, err := certificate.SolveInflation(ctx, nil); err == nil {
		t.Error("the factor of no set")
	}
	if _, err := (certificate.Inflation{}).SafeSet(nil); err == nil {
		t.Error("the safe set of no set")
	}
}

// Units of the atoms and of single coordinates change nothing.
func TestInflationInOtherUnits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		set := drawSet(t)
		f := get(certificate.SolveInflation(ctx, set))(t)
		g := get(certificate.SolveInflation(ctx, inOtherUnits(t, set)))(t)
		if f.Factor.Float() != g.Factor.Float() || f.Atom != g.Atom || f.Solves != g.Solves {
			t.Fatalf("%+v in other units: %+v", f, g)
		}
	})
}

// inOtherUnits multiplies each coordinate of the atoms by a power of two.
func inOtherUnits(t *rapid.T, set *sparsero.AtomicSet) *sparsero.AtomicSet {
	atoms := set.Dictionary().Matrix()
	n, p := atoms.Dims()
	for j := range p {
		unit := rapid.IntRange(-300, 300).Draw(t, "unit")
		for i := range n {
			atoms.Set(i, j, math.Ldexp(atoms.At(i, j), unit))
		}
	}
	d := get(sparsero.NewDictionary(atoms, nil))(t)
	return get(sparsero.NewAtomicSet(d, set.Atoms(), set.Radius()))(t)
}

// An atom in the relative interior of a facet of the chosen ones needs no inflation and loses nothing.
func TestAtomOnAFacetCostsNothing(t *testing.T) {
	set := atomicSet(t, 1, []int{0, 1, 2, 3},
		[]float64{3, 0, 0, 0}, []float64{0, 3, 0, 0}, []float64{0, 0, 3, 0}, []float64{0, 0, 0, 3}, []float64{1, 1, 0.5, 0.5})
	f := must(certificate.SolveInflation(ctx, set))(t)
	if f.Factor.Float() != 1 || f.Atom != sparsero.NullAtom {
		t.Errorf("factor 1%+g of atom %d", f.Factor.Float()-1, f.Atom)
	}
	u := must(certificate.SolveUniform(ctx, set, box(4, -1, 1), sparsero.Identity(4), nil))(t)
	if u.Upper.Float() != 0 || u.Bound.Float() != 0 {
		t.Errorf("uniform certificate %g", u.Upper)
	}
}

// An atom with a coordinate that is almost 0 changes no gauge by more than that, whatever the backend scales it to.
func TestGaugesOfDust(t *testing.T) {
	for _, dust := range []float64{0, 1e-9, 1e-15, 1e-20, 1e-24, 1e-30, 1e-60, 1e-150, 1e-290} {
		set := atomicSet(t, 1, []int{0, 1, 2}, []float64{1, 1, 0}, []float64{dust, 1, 1}, []float64{1, 0, 1}, []float64{1, 1, 1})
		f, err := certificate.SolveInflation(ctx, set)
		if err != nil || !near(f.Factor.Float(), 1.5) || f.Atom != 3 {
			t.Errorf("dust %v: %+v, error %v", dust, f, err)
		}
		if inside, _, err := set.Contains([]float64{0.5, 0.5, 0.5}); !inside || err != nil {
			t.Errorf("dust %v: the point is inside %t, error %v", dust, inside, err)
		}
	}
}

package sparsero_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/sparsero/directions/sparsero"
	"pgregory.net/rapid"
)

// Units of single coordinates change neither vertices nor those of the pseudometric.
func TestVerticesInOtherUnits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawHardSet(t, 5).Dictionary()
		atoms := d.Matrix()
		for j := range d.Dim() {
			unit := rapid.IntRange(-300, 300).Draw(t, "units of the coordinate")
			for i := range d.Size() {
				atoms.Set(i, j, math.Ldexp(atoms.At(i, j), unit))
			}
		}
		other, err := sparsero.NewDictionary(atoms, nil)
		if err != nil {
			t.Fatal(err)
		}
		for name, vertices := range map[string]func(*sparsero.Dictionary, context.Context) ([]int, error){
			"hull": (*sparsero.Dictionary).SupportVertices, "pseudometric": (*sparsero.Dictionary).PseudometricVertices,
		} {
			before, err := vertices(d, context.Background())
			if err != nil {
				t.Fatal(err)
			}
			after, err := vertices(other, context.Background())
			if err != nil || !slices.Equal(before, after) {
				t.Fatalf("%s: vertices %v become %v (%v)", name, before, after, err)
			}
		}
	})
}

// Coordinates and points whose sizes lie far apart have a gauge, and a point beyond the solver's range is refused.
func TestGaugeOfSizesFarApart(t *testing.T) {
	tiny := newSet(t, newDictionary(t, 2, 2, 0x1p700, 1, 0x1p-400, 1), []int{0, 1}, 1)
	value, _, err := tiny.Gauge([]float64{1, 1}) // the second coordinate is the sum of the weights
	if err != nil || value != 1 {
		t.Errorf("atoms far apart: gauge %v, %v", value, err)
	}
	plain := newSet(t, newDictionary(t, 2, 3, 1, 0, 0, 0, 1, 0), []int{0, 1}, 1)
	for _, test := range []struct {
		point []float64
		want  float64
	}{
		{[]float64{0x1p700, 0x1p-400, 0}, math.Nextafter(0x1p700, math.Inf(1))}, // rounded up
		{[]float64{0x1p700, 1, 0x1p-1000}, math.Inf(1)},
		{[]float64{0x1p-900, 0x1p-950, 0}, 0x1p-900 + 0x1p-950},
	} {
		if value, _, err := plain.Gauge(test.point); err != nil || value != test.want {
			t.Errorf("gauge of %v: %v instead of %v, %v", test.point, value, test.want, err)
		}
	}
	_, _, err = plain.Gauge([]float64{0x1p900, 0x1p850, 0})
	wantError(t, err, "coordinate u0 of u is 8.")
}

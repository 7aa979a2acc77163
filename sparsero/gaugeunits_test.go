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

// What float64 cannot carry in one unit is refused by name, and values whose unit does not
// matter are not.
func TestGaugeRefusesWhatNoUnitCarries(t *testing.T) {
	tiny := newDictionary(t, 2, 2, 0x1p700, 1, 0x1p-400, 1)
	_, _, err := newSet(t, tiny, []int{0, 1}, 1).Gauge([]float64{1, 1})
	wantError(t, err, "in atom 1 beside")

	plain := newSet(t, newDictionary(t, 2, 3, 1, 0, 0, 0, 1, 0), []int{0, 1}, 1)
	_, _, err = plain.Gauge([]float64{0x1p700, 0x1p-400, 0})
	wantError(t, err, "at position 1, which float64")

	value, _, err := plain.Gauge([]float64{0x1p700, 1, 0x1p-1000})
	if err != nil || !math.IsInf(value, 1) {
		t.Errorf("a point outside of all atoms: gauge %v, %v", value, err)
	}
	value, weights, err := plain.Gauge([]float64{0x1p900, 0x1p850, 0})
	if err != nil || value != 0x1p900+0x1p850 || !slices.Equal(weights, []float64{0x1p900, 0x1p850}) {
		t.Errorf("a large point: gauge %v with %v, %v", value, weights, err)
	}
}

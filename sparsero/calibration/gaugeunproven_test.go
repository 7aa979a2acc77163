package calibration

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"gonum.org/v1/gonum/mat"
)

// TestGaugesThatAreUnknownAreAnError: samples on the boundary of the cone of many atoms, beyond the work that fractions
// may take, have no gauge, and the error counts them; the other samples have theirs.
func TestGaugesThatAreUnknownAreAnError(t *testing.T) {
	const p, used = 70, 65
	source := rand.New(rand.NewPCG(1, 2))
	atoms := mat.NewDense(p, p, nil)
	atoms.Apply(func(_, _ int, _ float64) float64 { return float64(source.IntN(7) - 3) }, atoms)
	d, err := sparsero.NewDictionary(atoms, nil)
	if err != nil {
		t.Fatal(err)
	}
	set, err := sparsero.FullSet(d, 1)
	if err != nil {
		t.Fatal(err)
	}
	samples := mat.NewDense(4, p, nil)
	samples.SetRow(0, d.RawRowView(0))
	for i := range used {
		for j, v := range d.RawRowView(i) {
			samples.Set(1, j, samples.At(1, j)+v)
			samples.Set(3, j, samples.At(3, j)+2*v)
		}
	}
	scores, err := GaugeScores(context.Background(), set, samples)
	if !errors.Is(err, solver.ErrUnproven) || !strings.Contains(err.Error(), "2 samples, the first of them sample 1,") {
		t.Errorf("the gauges of samples 1 and 3 are unknown: %v", err)
	}
	if len(scores) != 4 || scores[0] != 1 || !math.IsNaN(scores[1]) || scores[2] != 0 || !math.IsNaN(scores[3]) {
		t.Errorf("scores %v", scores)
	}
}

package datasets

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/sparsero"
)

// Name returns the name of the mechanism. With Draw it makes the options a
// source of the synthetic study (package sparsero/study/synthetic).
func (o XShapeOptions) Name() string { return o.Mechanism.String() }

// Draw draws the data of a seed: the dictionary and the parts of [XShape], each
// with two columns; the first direction is (1, 0). The seed of the options
// themselves must be 0. Errors are those of [NewXShape].
func (o XShapeOptions) Draw(seed uint64) (dictionary *sparsero.Dictionary, directions, probes, calibration, test *mat.Dense, err error) {
	if o.Seed != 0 {
		return nil, nil, nil, nil, nil, fmt.Errorf("datasets: XShapeOptions.Seed = %d of a source; leave it 0, because every seed of a study draws its own data", o.Seed)
	}
	o.Seed = seed
	x, err := NewXShape(o)
	if err != nil {
		return nil, nil, nil, nil, nil, err
	}
	return x.Dictionary, x.Directions, x.Probes, x.Calibration, x.Test, nil
}
